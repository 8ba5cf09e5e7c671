package markov

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The arguments that the functions must refuse, and values that follow from counting.

func errorOf[T any](_ T, err error) error { return err }

func TestRefusals(t *testing.T) {
	h, err := NewHMM(Parameters{Start: []float64{0.5, 0.5}, Transitions: [][]float64{{0.5, 0.5}, {0.5, 0.5}}, Emissions: [][]float64{{0.2, 0.3, 0.5}, {0.5, 0.3, 0.2}}})
	if err != nil {
		t.Fatal(err)
	}
	all, free := h.Parameters() // 2 + 4 + 6 numbers, of which each distribution has one too many
	if all != 12 || free != 1+2+4 {
		t.Errorf("%d parameters, %d of them free", all, free)
	}
	rows := [][]int{{0, 1, 2}, {2, 1, 0}}
	with := func(change func(*BaumWelchOptions)) error {
		o := DefaultBaumWelch()
		change(&o)
		return errorOf(BaumWelch(t.Context(), h, rows, o))
	}
	for want, err := range map[string]error{
		"k is 0":          errorOf(CountHMM(rows, rows, 0, 3, DefaultCount())),
		"Tol is -1":       with(func(o *BaumWelchOptions) { o.Tol = -1 }),
		"Tol is NaN":      with(func(o *BaumWelchOptions) { o.Tol = math.NaN() }),
		"Tol is +Inf":     with(func(o *BaumWelchOptions) { o.Tol = math.Inf(1) }),
		"the model is no": errorOf(new(Classifier).Joint([]int{0})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	c, err := FitClassifier(rows, []int{0, 1}, 3, DefaultCount())
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back Classifier
	if err := back.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	for _, seq := range append(rows, []int{0, 2, 1}) {
		a, err1 := c.Joint(seq)
		b, err2 := back.Joint(seq)
		if err1 != nil || err2 != nil || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%v: %v and %v (%v, %v)", seq, a, b, err1, err2)
		}
	}
	if _, err := c.Joint([]int{3}); err == nil {
		t.Error("a symbol that there is not")
	}
	if new(Classifier).UnmarshalBinary([]byte("no model")) == nil || new(GaussianHMM).UnmarshalBinary([]byte("no model")) == nil {
		t.Error("rubbish is read")
	}
}

// All eight paths through three points, ranked, against the joint density of each by its formula.
func TestAllPathsOfAGaussianModel(t *testing.T) {
	start, move, means := []float64{0.6, 0.4}, [][]float64{{0.7, 0.3}, {0.2, 0.8}}, []float64{0, 2}
	m, err := NewGaussianHMM(GaussianParameters{Start: start, Transitions: move, Means: [][]float64{{0}, {2}}, Covariances: [][][]float64{{{1}}, {{1}}}})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0.3, 1.4, 0.8}
	log := func(path []int) float64 {
		l := math.Log(start[path[0]])
		for i, s := range path {
			if i > 0 {
				l += math.Log(move[path[i-1]][s])
			}
			l -= 0.5*math.Log(2*math.Pi) + (x[i]-means[s])*(x[i]-means[s])/2
		}
		return l
	}
	paths, err := m.KBest(mat.NewDense(3, 1, x), 20)
	if err != nil || len(paths) != 8 {
		t.Fatal(paths, err)
	}
	seen, before := map[string]bool{}, math.Inf(1)
	for _, p := range paths {
		if got, want := p.LogProb, log(p.States); math.Abs(got-want) > 1e-12 || got > before {
			t.Errorf("path %v: %v, want %v, after %v", p.States, got, want, before)
		}
		seen[fmt.Sprint(p.States)], before = true, p.LogProb
	}
	if len(seen) != 8 {
		t.Errorf("%d different paths", len(seen))
	}
	for _, count := range []int{0, 1<<20 + 1} {
		if _, err := m.KBest(mat.NewDense(3, 1, x), count); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("count is %d", count)) {
			t.Error(err)
		}
	}
}
