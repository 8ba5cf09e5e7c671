package mutate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/notebook"
)

// pictures98 is a notebook in which everything that is drawn is read back, but for cell c, and every method in f is noticed, but none in g
// and h.
var pictures98 = []string{
	`import (
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/live"
	"gonum.org/v1/gonum/mat"
)

func svg(f *plotting.Figure) string { return string(prl.Must(f.SVG())) }

var xs, squares, cubes = []float64{1, 2, 3}, []float64{1, 4, 9}, []float64{1, 8, 27}

// again is the picture of the next cell once more.
func again() *plotting.Figure {
	return plotting.New(plotting.Line(xs, squares).Name("squares"),
		plotting.Curve(func(x float64) float64 { return x * x * x }, 1, 3).Name("cubes"),
		plotting.Regions(func(x, y float64) int { return map[bool]int{true: 1}[y < x] }, "above", "below"))
}`,
	`%%
fig := plotting.New(plotting.Line(xs, squares).Name("squares"),
		plotting.Curve(func(x float64) float64 { return x * x * x }, 1, 3).Name("cubes"),
	plotting.Regions(func(x, y float64) int { return map[bool]int{true: 1}[y < x] }, "above", "below"))
fig.Show()
prl.Check("", "what is drawn").Equal(svg(fig), svg(again()))`,
	`%%
plotting.New(plotting.Line(xs, cubes).Name("cubes"), plotting.Bars(squares)).Show()
prl.Sound(squares, 8000).Show()`,
	`%%
t := prl.Table("x", "y", "more").Row(xs[1], len(xs), xs[0] < xs[1])
prl.Check("", "what the table holds").Equal(t.Rows(), [][]any{{2.0, 3, true}})
t.Show()`,
	`var first = -1.0
%%
prl.Live(func(in *live.Inputs) *plotting.Figure {
	n := in.Slider("round", 0, 4, live.At(0), live.Step(1))
	if first < 0 {
		first = n
	}
	fig := plotting.New(plotting.Bars([]float64{n, 1, 2}))
	prl.Check("", "its bars").Equal(svg(fig), svg(plotting.New(plotting.Bars(append([]float64{n}, xs[:2]...)))))
	return fig
}).Show()
prl.Check("", "it begins at the start").Equal(first, 0.0)`,
	`var train, test = prl.Iris().Split(0.5, 1)

func downhill(x float64) float64 { return x - 0.1*x }

func uphill(x float64) float64 { return x + 0.1*x }
%%
prl.Check("", "exact").Near(mat.Sum(prl.LDA().Fit(train).LogProba(test)), -5561.7515, 1e-3)
prl.Check("", "down").Less(downhill(3), 3)`,
	`%%
prl.Check("", "another price").Less(prl.Tree().Entropy().Fit(train).Accuracy(train), 2)`,
	`%%
prl.Check("", "better than chance").AtLeast(prl.QDA().Fit(train).Accuracy(test), 0.4)`,
	`%%
prl.Check("", "a rule").Equal(svg(plotting.New(plotting.VRule(2))), svg(plotting.New(plotting.VRule(xs[1]))))`,
	`%%
fig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	n := in.Slider("rows", 1, 4, live.At(2), live.Step(1))
	prl.Table("n").Row(n).Show()
	return plotting.New(plotting.Bars([]float64{n}).Name("n"))
})
fig.Show()
prl.Check("", "the table below").Every(fig.States(func(s live.State) (got, want any) {
	n := s.Slider("rows")
	return []float64{s.Tables[0].Number(0, "n"), s.Drawn("n").Bars()[0]}, []float64{n, n}
}))`,
	`%%
fig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	n := in.Slider("rows", 2, 4, live.At(3), live.Step(1))
	prl.Sound(squares, 8000).Show()
	return plotting.New(plotting.Bars([]float64{n}).Name("n"))
})
fig.Show()
prl.Check("", "the sound below").Every(fig.States(func(s live.State) (got, want any) {
	samples, _ := s.Sounds[0].Heard(0)
	return append(samples, s.Drawn("n").Bars()...), []float64{-107.0 / 127, -20.0 / 127, 1, s.Slider("rows")}
}))`,
}

func TestErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	r, err := judge99(t, pictures98, Options{Seed: 1, Most: 10})
	if err != nil {
		t.Fatal(err)
	}
	change := map[string]string{}
	for _, e := range r.Errors {
		noticed := !strings.Contains("cgh", e.Cell)
		if (e.By != "") != noticed || e.Line == 0 {
			t.Errorf("%s:%d %s is noticed by %q", e.Cell, e.Line, e.Change, e.By)
		}
		change[e.Cell] += e.Kind + " " + e.Change + "\n"
	}
	for cell, want := range map[string][]string{
		"a": {`"squares" and "cubes" exchanged`, "squares the other way round", "with the sides exchanged"},
		"b": {`"cubes" and "above" exchanged`, "squares one place further"},
		"c": {"no check stands beside what is shown", "cubes one place further", "squares halved"},
		"d": {"len(xs) one more", "xs[1] with the other sign"},
		"e": {`"round" begins at its end`},
		"f": {
			"training and held-out rows exchanged", "the training rows held out", "LDA → prl.NearestMean()", "with half of the rows",
			"test → train", "downhill → uphill",
		},
		"g": {"Entropy → Gini()"},
		"h": {"QDA → prl.LDA()"},
		"i": {"2 → a tenth more", "2 → other sign", "xs[1] halved"},
		"j": {"figure n halved", "[]float64{n} halved"},
		"k": {"squares one place further", "squares the other way round", "squares without its last point"},
	} {
		for _, w := range want {
			if !strings.Contains(change[cell], w) {
				t.Errorf("in cell %s is no mistake %q, but\n%s", cell, w, change[cell])
			}
		}
	}
	if strings.Contains(change["k"], "squares halved") {
		t.Errorf("half of a sound is the same sound, but\n%s", change["k"])
	}
	for _, kind := range []string{Figure, Method} {
		survive, all := r.Survivors(kind)
		if want := fmt.Sprintf("%s %d of %d", kind, survive, all); survive == 0 || survive >= all || !strings.Contains(r.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, r)
		}
	}
}

func TestHolds(t *testing.T) {
	report := func(verdict string, unseen int) *Report {
		r := &Report{Checks: []*Check{{Verdict: verdict}}}
		for i := range 10 {
			e := &Error{Kind: Figure, By: "a claim"}
			if i < unseen {
				e.By = ""
			}
			r.Errors = append(r.Errors, e)
		}
		return r
	}
	for _, c := range []struct {
		r    *Report
		want bool
	}{
		{report(Proof, 1), true}, {report(Proof, 2), false}, {report(Survives, 0), false}, {report(Red, 0), false},
	} {
		if got := c.r.Holds(0.1); got != c.want {
			t.Errorf("%s: %t", c.r, got)
		}
	}
}

// What a line of rivals.txt is about exists.
func TestRivals(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	text := "import (\n"
	paths := map[string]string{
		"prl": checkout.Module + "/prl", "slices": "slices", "floats": "gonum.org/v1/gonum/floats", "stat": "gonum.org/v1/gonum/stat",
	}
	for name := range rivals {
		if p, isMethod := strings.CutPrefix(name, "("); isMethod {
			p, _, _ = strings.Cut(p, ".")
			paths[p] = checkout.Module + "/prl/" + p
		}
	}
	for _, path := range paths {
		text += fmt.Sprintf("%q\n", path)
	}
	n, err := notebook.Read(writeNotebook(t, []string{text + ")"}))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p, err := join(n)
	if err == nil {
		err = setup.WriteCell(dir, string(root), p.source)
	}
	if err == nil {
		err = p.check(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := walker{survey: &survey{program: p}}
	for name, texts := range rivals {
		if w.typeOf(name, p.file.Name) == nil {
			t.Errorf("there is no %s", name)
		}
		for _, text := range texts {
			f, _, _ := strings.Cut(text, "(")
			if i := strings.LastIndex(name, ")."); i >= 0 {
				f = name[:i+2] + f
			}
			if w.typeOf(f, p.file.Name) == nil {
				t.Errorf("there is no %s in the place of %s", f, name)
			}
		}
	}
}
