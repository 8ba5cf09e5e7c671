package markov

import (
	"encoding"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

// The arguments that the functions must refuse, and values that follow from counting.

func errorOf[T any](_ T, err error) error { return err }

func TestRefusals(t *testing.T) {
	h, err := NewHMM(
		Parameters{
			Start:       []float64{0.5, 0.5},
			Transitions: [][]float64{{0.5, 0.5}, {0.5, 0.5}},
			Emissions:   [][]float64{{0.2, 0.3, 0.5}, {0.5, 0.3, 0.2}},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]int{{0, 1, 2}, {2, 1, 0}}
	with := func(change func(*BaumWelchOptions)) error {
		o := BaumWelchOptions{}
		change(&o)
		return errorOf(BaumWelch(t.Context(), h, rows, o))
	}
	estimatortest.Refused(t, map[string]error{
		"k is 0":            errorOf(CountHMM(rows, rows, 0, 3, CountOptions{})),
		"HMM: m is 0, but":  errorOf(RandomHMM(2, 0, 1)),
		"HMM: m is -1, but": errorOf(RandomHMM(2, -1, 1)),
		"HMM: k is 0, but":  errorOf(RandomHMM(0, 2, 1)),
		"Tol is -2":         with(func(o *BaumWelchOptions) { o.Tol = -2 }),
		"Tol is NaN":        with(func(o *BaumWelchOptions) { o.Tol = math.NaN() }),
		"Tol is +Inf":       with(func(o *BaumWelchOptions) { o.Tol = math.Inf(1) }),
		"the model is no":   errorOf(new(Classifier).Joint([]int{0})),
	})
	c, err := FitClassifier(rows, []int{0, 1}, 3, CountOptions{})
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
}

// Each distribution has one number that the others determine.
func TestParameters(t *testing.T) {
	for _, c := range [][4]int{
		{2, 3, 2 + 4 + 6, 1 + 2 + 4},
		{3, 2, 3 + 9 + 6, 2 + 6 + 3},
		{3, 4, 3 + 9 + 12, 2 + 6 + 9},
		{1, 5, 1 + 1 + 5, 4},
	} {
		h, err := RandomHMM(c[0], c[1], 1)
		if err != nil {
			t.Fatal(err)
		}
		if all, free := h.Parameters(); all != c[2] || free != c[3] {
			t.Errorf("%d states, %d symbols: %d parameters, %d of them free, want %d and %d", c[0], c[1], all, free, c[2], c[3])
		}
	}
}

// What is no model, or one of another kind, is named as such, and leaves the model that should take it as it was.
func TestDecodingNamesWhatItFinds(t *testing.T) {
	other, err := estimator.Encode("tree.Classifier", 1, Parameters{Start: []float64{1}})
	if err != nil {
		t.Fatal(err)
	}
	h := must(t, Tagging())
	before := h.String()
	for kind, m := range map[string]encoding.BinaryUnmarshaler{
		"Chain": new(Chain), "Classifier": new(Classifier), "HMM": h,
		"GaussianHMM": new(GaussianHMM),
	} {
		for want, data := range map[string][]byte{"not an encoded model": []byte("no model"), "the data holds a tree.Classifier": other} {
			if err := m.UnmarshalBinary(data); err == nil || !strings.HasPrefix(err.Error(), "markov."+kind+": decode: "+want) {
				t.Errorf("%s: error %v, want %q", kind, err, want)
			}
		}
	}
	if h.String() != before {
		t.Errorf("%v, was %s", h, before)
	}
}

// In a ring each state stays with probability 0.4 and goes on with 0.6, and tells nothing of itself: the likeliest path goes on every time.
// Up to 256 states have back-pointers of a byte.
func TestViterbiOfManyStates(t *testing.T) {
	for _, k := range []int{255, 256, 257, 300, 520} {
		p := Parameters{Start: make([]float64, k)}
		p.Start[k-1] = 1
		for i := range k {
			row := make([]float64, k)
			row[i], row[(i+1)%k] = 0.4, 0.6
			p.Transitions, p.Emissions = append(p.Transitions, row), append(p.Emissions, []float64{1})
		}
		path, err := must(t, p).Viterbi(make([]int, k+2))
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range path.States {
			if want := (i + k - 1) % k; s != want {
				t.Fatalf("%d states: %d at time %d, want %d", k, s, i, want)
			}
		}
		near(t, "log-probability", path.LogProb, float64(k+1)*math.Log(0.6), 1e-9)
	}
}

// All eight paths through three points, ranked, against the joint density of each by its formula.
func TestAllPathsOfAGaussianModel(t *testing.T) {
	start, move, means := []float64{0.6, 0.4}, [][]float64{{0.7, 0.3}, {0.2, 0.8}}, []float64{0, 2}
	m, err := NewGaussianHMM(
		GaussianParameters{Start: start, Transitions: move, Means: [][]float64{{0}, {2}}, Covariances: [][][]float64{{{1}}, {{1}}}},
	)
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
