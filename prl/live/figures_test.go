package live

import (
	"encoding/json"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/svm"
)

// answer is what a page reads of a step.
type answer struct {
	Inputs []struct {
		Kind, Name string
		Value      float64
	}
	HTML, Fault string
	Spec        json.RawMessage
}

func step(t *testing.T, g *Figure, given string, draft bool) (a answer) {
	t.Helper()
	text := g.Step(given, draft)
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("the answer cannot be read: %v\n%s", err, text)
	}
	return a
}

func margins(in *Inputs) *plotting.Figure {
	c := in.Slider("C", 0.1, 1000, Log, At(10))
	set := in.Points("points", datasets.Moons(40, 0.2, 1))
	m := svm.PlanSVM().RBF(1).C(c).Tol(1e-9).Fit(set) // so that both machines come to the same boundary
	cell.Check("X-1", "primal and dual meet").AtMost(m.Certificate().Gap, 1e-2)
	cell.NewTable("C").Row(c).Show()
	return m.Regions()
}

// moves are steps of figures by name, for the page and for the machine alike.
var moves = []struct {
	name  string
	f     Func
	steps []string
}{
	{"margins", margins, []string{`[]`, `[500,null]`, `[0.2,null]`}},
	{"everything", func(in *Inputs) *plotting.Figure { return everything(nil)(in) }, []string{
		`[]`, `[1.5,2,0.3,2,false,[0.2,0.3],[0.9,0.9],[0.1,0.1]]`, `[0.5`,
	}},
	{"fails", func(in *Inputs) *plotting.Figure {
		c := in.Slider("C", -1, 1, At(1))
		if c == 0.25 {
			panic("a mistake")
		}
		cell.Check("X-2", "C is not 0.75").True(c != 0.75, "")
		return svm.PlanSVM().C(c).Fit(datasets.Moons(20, 0.1, 1)).Regions()
	}, []string{`[]`, `[-1]`, `[0.25]`, `[0.75]`, `[0.5]`}},
}
