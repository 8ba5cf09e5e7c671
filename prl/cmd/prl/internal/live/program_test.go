package live

import (
	"fmt"
	"go/format"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

const imports = `import (
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/live"
	"gonum.org/v1/gonum/mat"
)`

const figure = `%%
prl.Live(func(in *live.Inputs) *plotting.Figure { return BODY }).Show()`

// cells numbers texts: a, b, c, ...
func cells(texts ...string) (list []Cell) {
	for i, text := range texts {
		list = append(list, Cell{ID: string(rune('a' + i)), Text: text})
	}
	return list
}

func shows(body string) string { return strings.Replace(figure, "BODY", body, 1) }

func TestProgram(t *testing.T) {
	for name, c := range map[string]struct {
		cells      []Cell
		ids        string
		has, lacks []string
	}{
		"what is used, and what that uses": {
			cells(imports, "var a = b()\nvar other = mat.NewDense(1, 1, nil)", "func b() int { return c }\nfunc unused() {}\nconst c = 3",
				shows("draw(a)")),
			"d",
			[]string{
				"\n//line cell-b.go:1\nvar a = b()\n", "\nfunc b() int { return c }\n", "\nconst c = 3\n", "\n\t\"github.com/prlab/prlab/prl\"\n",
			},
			[]string{"unused", "other", "gonum"},
		},
		"a claim is never asked in a page, and its variables are used": {
			cells(imports, "var a = 1", "%%\nfig := prl.Live(func(in *live.Inputs) *plotting.Figure { return draw(a) })\nfig.Show()\n"+
				"want := 1\nprl.Check(\"\", \"it is\").Tol(1e-9).\n\tEvery(fig.States(f(want)))\nprl.Remark(\"\", \"so\").Near(want, 1, 0)"),
			"c",
			[]string{
				"fig.Show()\nwant := 1\nif false { prl.Check(\"\", \"it is\").Tol(1e-9).\n\tEvery(fig.States(f(want))) }\n",
				"if false { prl.Remark(\"\", \"so\").Near(want, 1, 0) }",
			},
			nil,
		},
		"the later in place of the earlier": {
			cells(imports, "var a = 1", "var a = 2", shows("draw(a)"), "var a = 3", "%%\nprl.Show(a)"),
			"d",
			[]string{"var a = 2"},
			[]string{"a = 1", "a = 3"},
		},
		"two names at once are replaced together": {
			cells(imports, "var a, b = two()", "var a = 2", shows("draw(a)")),
			"d",
			[]string{"var a = 2"},
			[]string{"two()"},
		},
		"methods come with their type": {
			cells(imports, "type box[T any] struct{ v T }\nfunc (b *box[T]) get() T { return deep(b.v) }", "func deep[T any](v T) T { return v }",
				"func (b *box[T]) get() T { return v2(b.v) }\nfunc v2[T any](v T) T { return v }", shows("draw(box[int]{3})")),
			"e",
			[]string{"type box", "return v2(b.v)"},
			[]string{"deep"},
		},
		"groups are parted, but for constants": {
			cells(imports, "var (\n\ta = 1\n\tb = 2 // two\n)\nconst (\n\tred = iota\n\tgreen\n\tblue\n)\ntype (\n\tx int\n\ty int\n)",
				shows("draw(b, x(blue))")),
			"c",
			[]string{"\n//line cell-b.go:3\nvar b = 2\n", "green\n", "type x int"},
			[]string{"a = 1", "type y"},
		},
		"initialisations come with what they use": {
			cells(imports, "var a = 1\nvar z = 2\nfunc init_a() { a = 5 }\nfunc init_z() { z = 5 }\nvar _ = prl.Seals(`x`)",
				shows("draw(a)")),
			"c",
			[]string{"func init() { a = 5 }"},
			[]string{"z = 5", "Seals"},
		},
		"a local name is no declaration": {
			cells(imports, "var c = 1\nvar m = 1",
				shows("func() *plotting.Figure { c, m := in.Slider(`c`, 0, 1), 2; return draw(c, m, k{m: 1}, f.m) }()")),
			"c", nil,
			[]string{"var c", "var m"},
		},
		"a map's keys are": {
			cells(imports, "var c = `1`", shows("draw(map[string]int{c: 1})")), "c", []string{"var c"}, nil,
		},
		"helpers that show": {
			cells(imports, "func show(n int) { prl.Live(draw).Show() }", "%%\nshow(1)", "%%\nprl.Show(1)",
				"import kit \"github.com/prlab/prlab/prl\"\n%%\nkit.Live(draw).Show()", "%%\nlive.New(draw).Show()"),
			"cef",
			[]string{"kit \"github.com/prlab/prlab/prl\"", `"c": prlCell0`, `"f": prlCell2`},
			[]string{"prl.Show(1)"},
		},
		"no live figures": {
			cells(imports, "%%\nprl.Show(`prl.Live(draw)`)", "type t struct{}\nfunc (t) Live() {}\n%%\nt{}.Live()"), "", nil, nil,
		},
		"a cell for the shell, one that is broken, one without %%": {
			cells(imports, "%%bash\nls", "func (", "x := 3\nprl.Live(draw(x)).Show()"), "d",
			[]string{"func prlCell0() {\nx := 3\nprl.Live(draw(x)).Show()\n}"},
			nil,
		},
		"names of a live cell that both sides replace alike": {
			cells(imports, "var a = 1", shows("draw(a)"), "var a = 1", shows("draw(a)")), "ce", []string{"var a = 1"}, nil,
		},
	} {
		text, ids, err := Program(c.cells)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(ids, ""); got != c.ids {
			t.Errorf("%s: live cells %q, want %q", name, got, c.ids)
		}
		for _, s := range c.has {
			if !strings.Contains(text, s) {
				t.Errorf("%s: the program has no %q\n%s", name, s, text)
			}
		}
		for _, s := range c.lacks {
			if strings.Contains(text, s) {
				t.Errorf("%s: the program has %q\n%s", name, s, text)
			}
		}
		if _, err := format.Source([]byte(text)); text != "" && err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		if again, _, _ := Program(slices.Clone(c.cells)); again != text {
			t.Errorf("%s: the program is another one the second time", name)
		}
	}
}

func TestProgramConflicts(t *testing.T) {
	for want, cells := range map[string][]Cell{
		"cell b declares a, and cell d declares it again; live cells use both": cells(imports, "var a = 1", shows("draw(a)"), "var a = 2",
			shows("draw(a)")),
		"declares t.get": cells(imports, "type t int\nfunc (t) get() int { return 1 }", shows("draw(t(1))"), "func (t) get() int { return 2 }",
			shows("draw(t(2))")),
		"declares b, and cell d":   cells(imports, "func a() int { return b }\nvar b = 1", shows("draw(a())"), "var b = 2", shows("draw(a())")),
		"live cells import prl as": cells(imports, shows("prl.X()"), `import prl "github.com/prlab/prlab/prl/live"`, "%%\nprl.New(draw).Show()"),
		"cell b: ":                 cells(imports, "%%\nprl.Live(draw).Show("),
	} {
		if _, _, err := Program(cells); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func FuzzProgram(f *testing.F) {
	f.Add("var a = 1\nfunc b() {}", shows("draw(a)"))
	f.Add("import . \"x\"\nvar (a, b = 1, 2; c int)", "x := 3\nprl.Live(x)")
	f.Add("func (", "%%")
	f.Fuzz(func(t *testing.T, a, b string) {
		text, ids, err := Program(cells(imports, a, b))
		if err == nil && (text == "") != (len(ids) == 0) {
			t.Errorf("%d live cells, and the program is %q", len(ids), text)
		}
	})
}

// Cells with films come along with live ones, and stay away where they would change what these use.
func TestProgramFilms(t *testing.T) {
	film := "%%\nprl.Slide(`a`, []float64{a, 2}, draw).Show()"
	for name, c := range map[string]struct {
		texts []string
		ids   string
	}{
		"beside a live cell":        {[]string{imports, "var a = 1.0", film, shows("draw(a)")}, "dc"},
		"alone":                     {[]string{imports, "var a = 1.0", film}, ""},
		"with another version of a": {[]string{imports, "var a = 1.0", film, "var a = 2.0", shows("draw(a)")}, "e"},
	} {
		list := cells(c.texts...)
		list[2].Film = true
		_, ids, err := Program(list)
		if got := strings.Join(ids, ""); got != c.ids || err != nil {
			t.Errorf("%s: cells %q, want %q; error %v", name, got, c.ids, err)
		}
	}
}

// A student's cells are without solutions.
func TestCellsOfStudents(t *testing.T) {
	const code = `{"cell_type": "code", "id": "%s", "metadata": {"tags": ["%s"]}, "execution_count": null, "outputs": [], "source": "1"}`
	n, err := notebook.Parse(fmt.Appendf(nil, `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [`+code+","+code+","+code+`]}`,
		"a", "exercise", "b", "solution", "c", "check"))
	if err != nil {
		t.Fatal(err)
	}
	for student, want := range map[bool]string{false: "abc", true: "ac"} {
		got := ""
		for _, c := range Cells(n, student) {
			got += c.ID
		}
		if got != want {
			t.Errorf("student %v: cells %q, want %q", student, got, want)
		}
	}
}

// The program of one cell, as a kernel has it, holds live figures and what may be films.
func TestCellProgram(t *testing.T) {
	film := "prl.Slide(`a`, []float64{a, 2}, draw).Show()"
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"a live figure":         {imports + "\nvar a = 1.0\n" + shows("draw(a)"), true},
		"a film":                {imports + "\nvar a = 1.0\n%%\n" + film, true},
		"a film of plotting":    {imports + "\nvar a = 1.0\n%%\nplotting.Slide(`a`, []float64{a, 2}, draw).Show()", true},
		"a film of a function":  {imports + "\nvar a = 1.0\nfunc show() { " + film + " }\n%%\nshow()", true},
		"a function not called": {imports + "\nvar a = 1.0\nfunc show() { " + film + " }\n%%\nprl.Show(a)", false},
		"declarations only":     {imports + "\nvar a = 1.0", false},
		"no figure":             {imports + "\nvar a = 1.0\n%%\nprl.Show(a)", false},
	} {
		text, err := CellProgram(Cell{Text: c.text})
		if err != nil || (text != "") != c.want || c.want && (!strings.Contains(text, "var a = 1.0") || !strings.Contains(text, `"": prlCell0`)) {
			t.Errorf("%s: %v, and the program is\n%s", name, err, text)
		}
	}
	if _, err := CellProgram(Cell{Text: "func ("}); err == nil {
		t.Error("a broken cell gives no error")
	}
}

// TestHarmless refuses what a page must not run: packages that reach out of the program, and orders to the compiler.
func TestHarmless(t *testing.T) {
	cell := func(imports, body string) []Cell {
		return []Cell{{ID: "a", Text: "import (\n\t\"github.com/prlab/prlab/prl\"\n\t\"github.com/prlab/prlab/prl/live\"\n\t" +
			"\"github.com/prlab/prlab/plotting\"\n" + imports + ")\n" + body + "\n%%\n" +
			"prl.Live(func(in *live.Inputs) *plotting.Figure { return attack() }).Show()"}}
	}
	for name, c := range map[string][]Cell{
		"syscall/js": cell("\t\"syscall/js\"\n",
			`func attack() *plotting.Figure { js.Global().Get("indexedDB").Call("open", "planted", 1); return nil }`),
		"renamed":   cell("\tx \"syscall/js\"\n", `func attack() *plotting.Figure { x.Global(); return nil }`),
		"os":        cell("\t\"os\"\n", `func attack() *plotting.Figure { os.Exit(0); return nil }`),
		"net/http":  cell("\t\"net/http\"\n", `func attack() *plotting.Figure { http.Get("x"); return nil }`),
		"unsafe":    cell("\t\"unsafe\"\n", `func attack() *plotting.Figure { _ = unsafe.Pointer(nil); return nil }`),
		"foreign":   cell("\t\"github.com/dop251/goja\"\n", `func attack() *plotting.Figure { goja.New(); return nil }`),
		"tools":     cell("\t\"github.com/prlab/prlab/prl/judge\"\n", `func attack() *plotting.Figure { judge.Serve("", nil); return nil }`),
		"directive": cell("", "//go:wasmimport gojs syscall/js.valueGet\nfunc get()\nfunc attack() *plotting.Figure { get(); return nil }"),
	} {
		if text, _, err := Program(c); err == nil || !strings.Contains(err.Error(), "page does not") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	good := cell("\t\"math\"\n", `func attack() *plotting.Figure { _ = math.Pi; return nil }`)
	if _, ids, err := Program(good); err != nil || len(ids) != 1 {
		t.Error(ids, err)
	}
}
