package mutate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// planted99 is a notebook whose checks are named by what must become of them.
var planted99 = []string{
	`import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/learn"
)`,
	`func area(r float64) float64 { return math.Pi * r * r }

func unused(r float64) float64 { return area(r) + 1 }

var radii = []float64{1, 2, 3}

// grows checks an area for the cells that call it.
func grows(r float64) { prl.Check("", "proof: it grows").Less(area(r), area(2*r)) }
%%
prl.Check("A-1", "proof: the area of a disc").Near(area(2), 12.566370614359172, 1e-9)
x := area(2)
prl.Check("", "survives: a number is itself").Near(x, x, 0)
prl.Check("", "survives: an area is not negative").AtLeast(math.Abs(x), 0)
prl.Check("", "arithmetic: a product").Near(2.5*4, 10, 0)
prl.Remark("A-2:erratum", "remark: a product").Equal(7*3, 21)
grows(1.5)
if false {
	fmt.Println("never")
}`,
	`%%
prl.Check("", "proof: a square").Draws(100, func(r *rand.Rand) (got, want any) {
	a, b := r.NormFloat64(), r.NormFloat64()
	return (a + b) * (a + b), a*a + 2*a*b + b*b
})
larger := 0
for _, r := range radii {
	if area(r) > 3*r*r {
		larger++
	}
}
prl.Check("", "proof: π is more than three").Equal(larger, len(radii))
left, err := learn.Survival(20, 0.1)
prl.Check("", "proof: the library's power").Near(prl.Must(left, err), math.Pow(0.9, 20), 1e-12)
prl.Check("", "red: one is two").Equal(area(1), 2)
prl.Check("", "proof: asked again").Near(prl.Must(learn.Survival(20, 0.1)), math.Pow(0.9, 20), 1e-12)`,
	`// re-declared, as a reader may do
func unused(r float64) float64 { return -r }`,
}

func writeNotebook(t *testing.T, cells []string) string {
	t.Helper()
	type cell map[string]any
	var list []cell
	for i, source := range cells {
		list = append(list, cell{
			"cell_type": "code", "id": string(rune('a' + i)), "metadata": map[string]any{},
			"execution_count": nil, "outputs": []any{}, "source": source,
		})
	}
	text, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{}, "cells": list})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "99-planted.ipynb")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func judge99(t *testing.T, cells []string, o Options) (*Report, error) {
	t.Helper()
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	o.Jobs, o.Timeout = 2, 20*time.Second
	return Notebook(t.Context(), string(root), writeNotebook(t, cells), o)
}

// Every planted check gets the verdict that its claim begins with, with any order of the mistakes.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	for _, seed := range []uint64{1, 2} {
		r, err := judge99(t, planted99, Options{Seed: seed, Most: 60})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Checks) != 11 {
			t.Errorf("%d checks, want 11: %v", len(r.Checks), r)
		}
		for _, c := range r.Checks {
			want, _, _ := strings.Cut(c.Claim, ":")
			if c.Verdict != want {
				t.Errorf("seed %d, %s: %s (%s)", seed, c.Claim, c.Verdict, c.Why)
			}
			if c.Verdict == Proof && (c.Killer == "" || c.Red == 0 || c.Tried < c.Red) {
				t.Errorf("%s: red %d of %d times, first by %q", c.Claim, c.Red, c.Tried, c.Killer)
			}
			if c.Cell == "" || c.Line == 0 {
				t.Errorf("%s stands nowhere", c.Claim)
			}
		}
		text := r.String()
		if !strings.Contains(text, "a number is itself") || strings.Contains(text, "the area of a disc") {
			t.Errorf("the report lists the strong check, or not the weak one:\n%s", text)
		}
	}
}

func TestOneCell(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	r, err := judge99(t, planted99, Options{Cell: "b", Seed: 1, Most: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Checks {
		if c.Cell != "b" || c.Tried > 3 {
			t.Errorf("%s in cell %s, %d mistakes", c.Claim, c.Cell, c.Tried)
		}
	}
}

func TestWhatCannotBeJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	imports := planted99[0][:strings.Index(planted99[0], "\n")] + "\n\"github.com/prlab/prlab/prl\"\n)"
	for name, c := range map[string]struct {
		cells []string
		want  string
	}{
		"no checks":  {[]string{imports, "%%\n_ = prl.LinSpace(0, 1, 3)"}, "no check to judge"},
		"syntax":     {[]string{imports, "func ("}, "cell b"},
		"types":      {[]string{imports, "%%\nvar x int = \"one\"\n_ = x"}, "cell b, line 2"},
		"ends early": {[]string{imports, "%%\npanic(\"no\")"}, "cell b fails without any mistake"},
	} {
		_, err := judge99(t, c.cells, Options{Seed: 1, Most: 3})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
