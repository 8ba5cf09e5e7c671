package markov

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/internal/tile"
)

// The loops for few states give the bits of the loops for any number of them.
func TestFewCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	positive := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.Float64()
		}
		return x
	}
	for k := 1; few(k); k++ {
		for _, n := range []int{1, 2, eRows - 1, eRows, eRows + 1, 3*eRows + 7} {
			for _, lo := range []int{0, n / 2} {
				h := &stateChain{k: k}
				e := evidence{n: n, k: k, width: k, rows: positive(n * k)}
				a, b := newWorkspace(k, n), newWorkspace(k, n)
				a.alpha, a.beta, a.scales = positive(n*k), positive(n*k), positive(n)
				copy(b.alpha, a.alpha)
				copy(b.beta, a.beta)
				copy(b.scales, a.scales)
				got, want := make([]float64, k*k), make([]float64, k*k)
				h.countFew(e, 0.7, a, lo, n, got)
				h.countTiles(e, 0.7, b, b.strips[0], lo, n, want)
				estimatortest.NearAll(t, "transitions", got, want, 0)
				estimatortest.NearAll(t, "posteriors", a.beta, b.beta, 0)
			}
		}
	}
}

func TestFewCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for k := 1; few(k); k++ {
		for range 300 {
			n, width := 1+r.IntN(70), tile.Padded(k)
			numbers := func(n int) []float64 { // ties are frequent
				x := make([]float64, n)
				for i := range x {
					switch r.IntN(4) {
					case 0:
						x[i] = math.Inf(1)
					case 1:
						x[i] = r.Float64()
					default:
						x[i] = float64(r.IntN(3))
					}
				}
				return x
			}
			trans, got, e := numbers(k*k), numbers(k), evidence{n: n, k: k, logRows: numbers(n * k)}
			wide, want, back, wantBack := make([]float64, k*width), make([]float64, width), make([]uint8, n*k), make([]uint8, n*k)
			for i := range k {
				copy(wide[i*width:], trans[i*k:(i+1)*k])
			}
			for i := range e.logRows {
				e.logRows[i] *= -1
			}
			copy(want, got)
			four, costs := slices.Repeat([]float64{math.Inf(1)}, 16), slices.Repeat([]float64{math.Inf(1)}, 4)
			for i := range k {
				copy(four[4*i:], trans[i*k:(i+1)*k])
			}
			copy(costs, got)
			advanceFew((*[16]float64)(four), (*[4]float64)(costs), e, back, 1, n)
			copy(got, costs)
			next, arg := make([]float64, width), make([]int64, width)
			for s := 1; s < n; s++ {
				tile.MinPlus(next, arg, want[:k], wide, width)
				for j, v := range e.logs(s) {
					want[j] = next[j] - v
					wantBack[s*k+j] = uint8(arg[j])
				}
			}
			for j := range k {
				if got[j] != want[j] {
					t.Fatalf("%d states, %d times: costs %v, want %v", k, n, got, want[:k])
				}
			}
			if string(back) != string(wantBack) {
				t.Fatalf("%d states, %d times: the ways back are %v, want %v", k, n, back, wantBack)
			}
		}
	}
}

// One state has no choice: the probability of a sequence is the product of its symbols, and every posterior is one.
func TestOneState(t *testing.T) {
	m := must(t, Parameters{Start: []float64{1}, Transitions: [][]float64{{1}}, Emissions: [][]float64{{0.25, 0.75, 0}}})
	for _, n := range []int{1, 2, steps, steps + 1, 5000} {
		obs, want := make([]int, n), 0.0
		for s := range obs {
			obs[s] = s % 2
			want += math.Log([]float64{0.25, 0.75}[s%2])
		}
		l, err := m.LogLikelihood(obs)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log-likelihood", l, want, 1e-12*float64(n))
		f, err := m.Forward(obs)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log-likelihood of the forward pass", f.LogLik, want, 1e-12*float64(n))
		beta, err := m.Backward(obs)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Posterior(obs)
		if err != nil {
			t.Fatal(err)
		}
		path, err := m.Viterbi(obs)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log probability of the path", path.LogProb, want, 1e-12*float64(n))
		for s := range obs {
			near(t, "forward", f.Alpha[s][0], 1, 1e-15)
			near(t, "backward", beta[s][0], 1, 1e-11)
			near(t, "posterior", p.At(s, 0), 1, 1e-15)
		}
		obs[n-1] = 2
		if l, err := m.LogLikelihood(obs); err != nil || !math.IsInf(l, -1) {
			t.Errorf("%d times, the last of them impossible: log-likelihood %v, error %v", n, l, err)
		}
		if _, err := m.Posterior(obs); err == nil {
			t.Errorf("%d times, the last of them impossible: posteriors", n)
		}
	}
}

// Sequences so long that their probabilities are far below the least number.
func TestMillion(t *testing.T) {
	for k, n := range map[int]int{2: 1_000_000, 3: 100_000, 4: 100_001} {
		m := random(t, k, 5, uint64(k))
		obs := drawn(t, m, n, 8)
		l, err := m.LogLikelihood(obs)
		if err != nil {
			t.Fatal(err)
		}
		f, err := m.Forward(obs)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "two ways of scaling, relatively", f.LogLik/l, 1, 1e-12)
		p, err := m.Posterior(obs)
		if err != nil {
			t.Fatal(err)
		}
		beta, err := m.Backward(obs)
		if err != nil {
			t.Fatal(err)
		}
		path, err := m.Viterbi(obs)
		if err != nil {
			t.Fatal(err)
		}
		joint, err := m.Joint(obs, path.States)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "joint probability of the path, relatively", joint/path.LogProb, 1, 1e-10)
		if !(path.LogProb <= l) {
			t.Errorf("the best path has log probability %v, all paths together %v", path.LogProb, l)
		}
		for s := 0; s < n; s += 997 {
			near(t, "sum of a posterior", total(p.RawRowView(s)), 1, 1e-14)
			near(t, "sum of alpha beta", dot(f.Alpha[s], beta[s]), 1, 1e-8)
			for i, v := range p.RawRowView(s) {
				near(t, "posterior", v, f.Alpha[s][i]*beta[s][i], 1e-8)
			}
		}
	}
}

// Rows of a result cannot grow into one another.
func TestRowsApart(t *testing.T) {
	m := random(t, 2, 3, 1)
	f, err := m.Forward([]int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	want := f.Alpha[1][0]
	_ = append(f.Alpha[0], -1)
	if f.Alpha[1][0] != want {
		t.Errorf("appending to row 0 made row 1 begin with %v", f.Alpha[1][0])
	}
}

func TestEmptyRefused(t *testing.T) {
	m := random(t, 2, 3, 1)
	for name, err := range map[string]error{
		"LogLikelihood": second(m.LogLikelihood(nil)), "Forward": second(m.Forward(nil)), "Backward": second(m.Backward([]int{})),
		"Posterior": second(m.Posterior(nil)), "Viterbi": second(m.Viterbi([]int{})),
	} {
		if want := "markov.HMM." + name + ": obs is empty, but needs to be a sequence of at least one symbol"; err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}
