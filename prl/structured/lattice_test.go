package structured

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/markov"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %.12g, want %.12g within %g", what, got, want, tol)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// drawn returns a lattice of random scores: whole numbers, of which many are equal, or others, some of them forbidden.
func drawn(rng *rand.Rand, k, n int, whole bool) *Lattice {
	row := func() []float64 {
		v := make([]float64, k)
		for j := range v {
			if v[j] = 4 * rng.NormFloat64(); whole {
				v[j] = float64(rng.IntN(3))
			} else if rng.IntN(9) == 0 {
				v[j] = math.Inf(-1)
			}
		}
		return v
	}
	var step, local [][]float64
	for range k {
		step = append(step, row())
	}
	for range n {
		local = append(local, row())
	}
	return must(NewLattice(row(), step, local))
}

// backwards compares two paths from their ends: the order in which Best takes the first of equal ones.
func backwards(a, b []int) int {
	for t := len(a) - 1; t >= 0; t-- {
		if a[t] != b[t] {
			return a[t] - b[t]
		}
	}
	return 0
}

func TestRecursionsAreEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		k, n := 1+rng.IntN(4), rng.IntN(6)
		l := drawn(rng, k, n, rng.IntN(2) == 0)
		best, top, all := []int(nil), math.Inf(-1), []float64{}
		mass := make([][]float64, n)
		for i := range mass {
			mass[i] = make([]float64, k)
		}
		err := l.Each(func(path []int, s float64) bool {
			if s > top || s == top && (best == nil || backwards(path, best) < 0) {
				best, top = slices.Clone(path), s
			}
			all = append(all, s)
			for t, j := range path {
				mass[t][j] += math.Exp(s)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		path, score := l.Best()
		if math.IsInf(top, -1) {
			if !math.IsInf(score, -1) || !math.IsInf(l.LogSum(), -1) {
				t.Errorf("everything is forbidden, but %v scores %v", path, score)
			}
			continue
		}
		if math.Abs(score-top) > 1e-12 || !slices.Equal(path, best) && math.Abs(l.Score(path)-top) > 1e-12 {
			t.Fatalf("best %v with %v, enumeration finds %v with %v", path, score, best, top)
		}
		if sum := floats.LogSumExp(all); math.Abs(sum-l.LogSum()) > 1e-10 {
			t.Errorf("log sum %v, want %v", l.LogSum(), sum)
		}
		total := math.Exp(l.LogSum())
		for i, row := range l.Marginals() {
			for j, p := range row {
				near(t, fmt.Sprintf("marginal [%d][%d]", i, j), p, mass[i][j]/total, 1e-10)
			}
		}
	}
}

// Of equal taggings Best takes the first predecessor at every step, which is seen where all scores are whole.
func TestTies(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 200 {
		l := drawn(rng, 2+rng.IntN(2), 1+rng.IntN(5), true)
		var best []int
		top := math.Inf(-1)
		_ = l.Each(func(path []int, s float64) bool {
			if s > top || s == top && backwards(path, best) < 0 {
				best, top = slices.Clone(path), s
			}
			return true
		})
		if path, _ := l.Best(); !slices.Equal(path, best) {
			t.Fatalf("best %v, want %v", path, best)
		}
	}
}

func TestAugmented(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 100 {
		k, n := 2+rng.IntN(3), 1+rng.IntN(4)
		l, cost, truth := drawn(rng, k, n, false), make([]float64, k), make([]int, n)
		for j := range cost {
			cost[j] = rng.Float64() * 5
		}
		for i := range truth {
			truth[i] = rng.IntN(k)
		}
		a := must(l.Augmented(truth, cost))
		most := math.Inf(-1)
		_ = l.Each(func(path []int, s float64) bool {
			for i, y := range truth {
				if path[i] != y {
					s += cost[y]
				}
			}
			most = max(most, s)
			return true
		})
		if _, s := a.Best(); math.Abs(s-most) > 1e-12 && s != most {
			t.Errorf("the worst rival scores %v, enumeration finds %v", s, most)
		}
	}
}

// The forbidding, huge and empty lattices.
func TestExtremeScores(t *testing.T) {
	huge := must(NewLattice([]float64{1e300, -1e300}, [][]float64{{1e300, -1e300}, {0, math.Inf(-1)}}, [][]float64{{0, 0}, {0, 0}, {0, 0}}))
	if path, s := huge.Best(); !slices.Equal(path, []int{0, 0, 0}) || s != 3e300 || huge.LogSum() != 3e300 || huge.Marginals()[2][0] != 1 {
		t.Errorf("%v, %v, %v", path, s, huge.LogSum())
	}
	empty := must(NewLattice([]float64{0, 0}, [][]float64{{0, 0}, {0, 0}}, nil))
	if path, s := empty.Best(); len(path) != 0 || s != 0 || empty.LogSum() != 0 || len(empty.Marginals()) != 0 {
		t.Error("an empty sentence has one tagging, of score 0")
	}
	for name, err := range map[string]error{
		"no tags":       second(NewLattice(nil, nil, nil)),
		"narrow steps":  second(NewLattice([]float64{0, 0}, [][]float64{{0, 0}}, nil)),
		"narrow scores": second(NewLattice([]float64{0, 0}, [][]float64{{0, 0}, {0, 0}}, [][]float64{{1}})),
		"NaN":           second(NewLattice([]float64{0, math.NaN()}, [][]float64{{0, 0}, {0, 0}}, nil)),
		"+Inf":          second(NewLattice([]float64{0, 0}, [][]float64{{0, math.Inf(1)}, {0, 0}}, nil)),
		"truth":         second(huge.Augmented([]int{0}, nil)),
		"cost":          second(huge.Augmented([]int{0, 0, 0}, []float64{1})),
		"below zero":    second(huge.Augmented([]int{0, 0, 0}, []float64{1, -1})),
		"too many":      drawn(rand.New(rand.NewPCG(1, 2)), 10, 8, true).Each(nil),
	} {
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// The numbers of the course: one sentence against its 624 rivals.
func TestTaggingExample(t *testing.T) {
	h := must(markov.NewHMM(markov.Tagging()))
	m := must(FromHMM(h))
	words := []string{"I", "bank", "at", "CFCU"}
	right := []string{"PRP", "V", "PREP", "N"}
	l := m.Lattice(words...)
	near(t, "w.phi", m.Score(words, right), -6.501709, 5e-7)
	near(t, "P(x, y)", math.Exp(m.Score(words, right)), 1.500872e-3, 5e-10)
	near(t, "P(x)", math.Exp(l.LogSum()), 1.754124e-3, 5e-10)
	if got := m.Tag(words...); !slices.Equal(got, right) {
		t.Errorf("the best tagging is %v", got)
	}
	truth, gaps, count := m.Numbers(right), [5]float64{0, 99, 99, 99, 99}, 0
	_ = l.Each(func(path []int, s float64) bool {
		wrong := 0
		for i, j := range path {
			if j != truth[i] {
				wrong++
			}
		}
		gaps[wrong] = min(gaps[wrong], m.Score(words, right)-s)
		count++
		return true
	})
	if count != 625 {
		t.Errorf("%d taggings", count)
	}
	for i, want := range []float64{0, 3.1135, 4.3228, 8.0116, 11.3457} {
		near(t, fmt.Sprintf("the least gap of %d wrong tags", i), gaps[i], want, 1e-4)
	}
	obs := must(h.Encode(words...))
	posterior := must(h.Posterior(obs))
	for i, row := range l.Marginals() {
		for j, p := range row {
			near(t, "posterior", p, posterior.At(i, j), 1e-12)
		}
	}
	for _, p := range must(h.KBest(obs, 625)) {
		near(t, "log P", l.Score(p.States), p.LogProb, 1e-12)
	}
}

// The six features of "the bank opens", and the three pairs in which two taggings differ.
func TestPhiOfTheBankOpens(t *testing.T) {
	p := markov.Tagging()
	p.Symbols = []string{"I", "bank", "at", "CFCU", "opens", "to", "the"}
	m := must(FromHMM(must(markov.NewHMM(p))))
	words := []string{"the", "bank", "opens"}
	names := func(c []Count) (out []string) {
		for _, e := range c {
			out = append(out, fmt.Sprintf("%+d %s", e.Count, e.Name))
		}
		slices.Sort(out)
		return out
	}
	one := must(m.Phi(words, []string{"DET", "N", "V"}))
	if got := names(one); !slices.Equal(got, []string{"+1 DET–the", "+1 DET→N", "+1 N–bank", "+1 N→V", "+1 V–opens", "+1 start DET"}) {
		t.Error(got)
	}
	if got := names(must(m.Phi(words, []string{"DET", "V", "V"}))); !slices.Equal(got,
		[]string{"+1 DET–the", "+1 DET→V", "+1 V–bank", "+1 V–opens", "+1 V→V", "+1 start DET"}) {
		t.Error(got)
	}
	if got := names(must(m.Difference(words, []string{"DET", "N", "V"}, []string{"DET", "V", "V"}))); !slices.Equal(got,
		[]string{"+1 DET→N", "+1 N–bank", "+1 N→V", "-1 DET→V", "-1 V–bank", "-1 V→V"}) {
		t.Error(got)
	}
	sum := 0.0
	for _, c := range one {
		sum += float64(c.Count) * c.Weight
	}
	near(t, "w.phi", sum, m.Score(words, []string{"DET", "N", "V"}), 1e-12)
	for _, tags := range [][]string{{"DET"}, {"DET", "N", "X"}} {
		if _, err := m.Phi(words, tags); err == nil {
			t.Errorf("tags %v are accepted", tags)
		}
	}
}
