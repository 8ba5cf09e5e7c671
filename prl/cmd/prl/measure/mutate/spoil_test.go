package mutate

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// spoiled99 has checks that name in their claims which functions of the cell b they look at.
var spoiled99 = []string{
	"import (\n\t\"math\"\n\n\t\"github.com/prlab/prlab/prl\"\n)",
	`func twice(x float64) float64 { return x + x }

func square(x float64) float64 { return x * x }
%%
prl.Check("", "twice").Near(twice(3), 6, 1e-9)
prl.Check("", "square").Near(square(5), 25, 1e-9)
prl.Check("", "neither").Near(math.Exp(math.Log(float64(len(prl.LinSpace(0, 1, 3))))), 3, 1e-9)`,
}

// Of the mistakes that Spoil chooses the ticks that turn red are those, and only those, that look at what is mistaken.
func TestSpoil(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	path := writeNotebook(t, spoiled99)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const said = `"outputs":[{"output_type":"display_data","metadata":{},"data":{"text/plain":"✓ twice: 6\n✓ square: 25\n✓ neither: 3"}}]`
	if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte(`"outputs":[]`), []byte(said)), 0o644); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for seed := range uint64(6) {
		list, err := Spoil(t.Context(), string(root), path, Options{Seed: seed, Timeout: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != 1 {
			t.Fatalf("%d mistakes in one section: %v", len(list), list)
		}
		m := list[0]
		line := strings.Join(m.Code[:], "")
		source := strings.Split(spoiled99[1], "\n")
		if m.Cell != "b" || strings.TrimSpace(source[m.Line-1]) != line {
			t.Errorf("%s:%d reads %q, not %q", m.Cell, m.Line, source[m.Line-1], line)
		}
		if m.Line > 4 {
			t.Errorf("%s: the mistake stands in a check", line)
		}
		for _, tick := range m.Ticks {
			looks := tick.Claim == "twice"
			if strings.Contains(line, "square(x") {
				looks = tick.Claim == "square"
			}
			if tick.Red != looks || tick.Red != (tick.Numbers != "") {
				t.Errorf("%s, %s: the check %q is red: %t, %q", line, m.Change, tick.Claim, tick.Red, tick.Numbers)
			}
		}
		seen[m.Change] = true
		if strings.Contains(m.Change, "x + x") && m.After != "x - x" {
			t.Errorf("%s stands as %q", m.Change, m.After)
		}
	}
	if len(seen) < 2 {
		t.Errorf("every seed chooses the same: %v", seen)
	}
}

// What stands in the place of an expression binds as that did.
func TestWritten(t *testing.T) {
	for text, want := range map[string]string{"x - x": "x - x", "a || b": "(a || b)", "one more": "", "-=": "", "prl.LDA()": "prl.LDA()"} {
		if got := written(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if !slices.Equal([]string{written("a & b"), written("a…")}, []string{"(a & b)", ""}) {
		t.Error("a & b, or what is cut short")
	}
}
