package markov

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g within %g", what, got, want, tol)
	}
}

func nearAll(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d numbers, want %d", what, len(got), len(want))
	}
	for i := range want {
		near(t, what+"["+strconv.Itoa(i)+"]", got[i], want[i], tol)
	}
}

func readTable(t testing.TB, name string) [][]float64 {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for _, r := range records {
		var row []float64
		for _, s := range r {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return rows
}

func readSymbols(t testing.TB, name string) []int {
	var out []int
	for _, r := range readTable(t, name) {
		out = append(out, int(r[0]))
	}
	return out
}

func must(t testing.TB, p Parameters) *HMM {
	t.Helper()
	m, err := NewHMM(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Source: S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, umbrella world; figures as in the Wikipedia article
// "Forward-backward algorithm" (0.6469 0.8673 0.8204 0.3075 0.8204 0.8673; filtered 0.8182 0.8834 0.1907 0.7308 0.8673), here from
// exact rationals. The prior of day 0 is carried on one step before the first observation.
func TestUmbrella(t *testing.T) {
	a := [][]float64{{.7, .3}, {.3, .7}}
	b := [][]float64{{.9, .1}, {.2, .8}}
	day0, err := NewChain(ChainParameters{Start: []float64{.5, .5}, Transitions: a})
	if err != nil {
		t.Fatal(err)
	}
	start, err := day0.After(1)
	if err != nil {
		t.Fatal(err)
	}
	m := must(t, Parameters{States: []string{"rain", "no rain"}, Start: start, Transitions: a, Emissions: b})
	obs := []int{0, 0, 1, 0, 0}
	f, err := m.Forward(obs)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Posterior(obs)
	if err != nil {
		t.Fatal(err)
	}
	beta, err := m.Backward(obs)
	if err != nil {
		t.Fatal(err)
	}
	filtered := []float64{0.81818181818182, 0.88335704125178, 0.19066793972353, 0.73079400458498, 0.86733888957548}
	smoothed := []float64{0.867338889575485, 0.820419053623675, 0.307483576006618, 0.820419053623675, 0.867338889575485}
	for i := range obs {
		near(t, "filtered rain", f.Alpha[i][0], filtered[i], 1e-12)
		near(t, "smoothed rain", p.At(i, 0), smoothed[i], 1e-12)
	}
	near(t, "likelihood", math.Exp(f.LogLik), 0.0343037005, 1e-12)
	var day [2]float64
	for i := range day {
		for j := range 2 {
			day[i] += .5 * a[i][j] * b[j][0] * beta[0][j]
		}
	}
	near(t, "smoothed day 0", day[0]/(day[0]+day[1]), 0.646935555830194, 1e-12)
}

// Source: D. Jurafsky and J. H. Martin, Speech and Language Processing, 3rd ed. draft, appendix A, figure A.5: the ice-cream model and
// the observations 3 1 3; values from exact rationals.
func TestIceCream(t *testing.T) {
	m := must(t, Parameters{States: []string{"hot", "cold"}, Symbols: []string{"1", "2", "3"}, Start: []float64{.8, .2},
		Transitions: [][]float64{{.6, .4}, {.5, .5}}, Emissions: [][]float64{{.2, .4, .4}, {.5, .4, .1}}})
	obs, err := m.Encode("3", "1", "3")
	if err != nil {
		t.Fatal(err)
	}
	alpha, err := m.ForwardNaive(obs)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{.32, .02}, {.0404, .069}, {.023496, .005066}} {
		nearAll(t, "alpha", alpha[i], want, 1e-12)
	}
	l, err := m.LogLikelihood(obs)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "likelihood", math.Exp(l), 0.028562, 1e-12)
	path, err := m.Viterbi(obs)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Viterbi probability", math.Exp(path.LogProb), 0.0128, 1e-12)
	for i, want := range []int{0, 1, 0} {
		if path.States[i] != want {
			t.Errorf("path %v", path.States)
		}
	}
}

// Source: the weather model of hmmlearn's test suite (Viterbi Sunny, Rainy, Rainy with p = .01344). The posteriors are exact rationals from
// the sum over all eight paths; the figures in that suite (0.23170303, ...) are right to seven digits only.
func TestWeather(t *testing.T) {
	m := must(t, Parameters{States: []string{"rainy", "sunny"}, Symbols: []string{"walk", "shop", "clean"}, Start: []float64{.6, .4},
		Transitions: [][]float64{{.7, .3}, {.4, .6}}, Emissions: [][]float64{{.1, .4, .5}, {.6, .3, .1}}})
	path, err := m.Viterbi([]int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Viterbi probability", math.Exp(path.LogProb), .01344, 1e-12)
	if got := list(m.Names(path.States)); got != "sunny, rainy, rainy" {
		t.Errorf("path %s", got)
	}
	p, err := m.Posterior([]int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{649. / 2801, 1748. / 2801, 2420. / 2801} {
		near(t, "posterior rainy", p.At(i, 0), want, 1e-12)
	}
}

// Source: computed with an independent scaled Baum-Welch; hmmlearn 0.3.2 CategoricalHMM gives -315.0872016 after 20 iterations.
func TestBaumWelchReference(t *testing.T) {
	m := must(t, Parameters{Start: readTable(t, "hmm_S_pi0.csv")[0], Transitions: readTable(t, "hmm_S_A0.csv"), Emissions: readTable(t, "hmm_S_B0.csv")})
	obs := [][]int{readSymbols(t, "hmm_S.csv")}
	o := DefaultBaumWelch()
	o.MaxIter, o.Tol = 20, 0
	got, err := BaumWelch(context.Background(), m, obs, o)
	if err != nil {
		t.Fatal(err)
	}
	nearAll(t, "log-likelihood", got.LogLik, []float64{-377.30580661304, -334.12610390875, -329.96915125503, -326.41993709951, -323.69563951127, -321.61371828336, -319.96511479064, -318.68621683439, -317.74801414444, -317.08886125978, -316.62897700288, -316.29885383795, -316.05019265407, -315.85339065979, -315.69128693592, -315.55392641542, -315.43529008899, -315.33152984451, -315.24006104005, -315.1590681201, -315.08720163809}, 1e-6)
	for i, want := range [][]float64{{0.42218031663968, 0.44942618326051, 0.12839350009981}, {0.019170373894737, 0.78464797506659, 0.19618165103868}, {0.21789844732088, 0.079975822626634, 0.70212573005248}} {
		nearAll(t, "A after 20", got.Model.Transitions()[i], want, 1e-6)
	}
	o.MaxIter = 1
	if got, err = BaumWelch(context.Background(), m, obs, o); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{0.45918231208438, 0.16488627848309, 0.37593140943253}, {0.16952894774495, 0.58484665931693, 0.24562439293812}, {0.051411827627428, 0.1829208304758, 0.76566734189677}} {
		nearAll(t, "A after 1", got.Model.Transitions()[i], want, 1e-6)
	}
	for i, want := range [][]float64{{0.22248716245519, 0.41474846365093, 0.13069904354944, 0.063108347143366, 0.035643818177356, 0.13331316502372}, {0.019358575478345, 0.0084426614811354, 0.40735651361875, 0.29895033585837, 0.1739440108788, 0.091947902684601}, {0.14757673689527, 0.028912968411734, 0.059415890193711, 0.028035721494439, 0.3223307482135, 0.41372793479135}} {
		nearAll(t, "B after 1", got.Model.Emissions()[i], want, 1e-6)
	}
}

// Source: computed with an independent scaled forward pass and hmmlearn 0.3.2; an unscaled pass underflows at about t = 270.
func TestUnderflow(t *testing.T) {
	m := must(t, Parameters{Start: readTable(t, "hmm_M_pi.csv")[0], Transitions: readTable(t, "hmm_M_A.csv"), Emissions: readTable(t, "hmm_M_B.csv")})
	obs := readSymbols(t, "hmm_M.csv")
	l, err := m.LogLikelihood(obs)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log-likelihood", l, -27052.826370535, 1e-4)
	logs, err := m.ForwardLog(obs)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log-likelihood in log space", logSumExp(logs[len(obs)-1]), l, 1e-7)
	path, err := m.Viterbi(obs)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Viterbi log-probability", path.LogProb, -31373.905501186, 1e-4)
	joint, err := m.Joint(obs, path.States)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "joint log-probability of the path", joint, path.LogProb, 1e-7)
	naive, err := m.ForwardNaive(obs)
	if err != nil {
		t.Fatal(err)
	}
	dead := 0
	for ; dead < len(naive); dead++ {
		if sum := logSumExp([]float64{math.Log(naive[dead][0]), math.Log(naive[dead][1])}); math.IsInf(sum, -1) {
			break
		}
	}
	if dead < 240 || dead > 320 {
		t.Errorf("the unscaled pass underflows at t = %d, expected near 270", dead)
	}
}

// The tagging example of Cornell's CS4780 lecture on hidden Markov models (tables rebuilt from the printed products). Two printed
// entries cannot be right and are checked at their true values: delta_PREP(3) = 1.25e-2 (printed 1.25e-4) and
// delta_N(2) = 1.152e-3 by way of DET (printed 4.128e-3).
func TestTagging(t *testing.T) {
	m := must(t, Tagging())
	obs, err := m.Encode("I", "bank", "at", "CFCU")
	if err != nil {
		t.Fatal(err)
	}
	tr, err := m.Trellis(obs)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{
		{.003, .282, .001, .001, .002},
		{2.82e-5, 2.82e-5, 1.152e-3, 5.64e-4, 8.6856e-2},
		{1.73712e-4, 1.650264e-4, 2.60568e-4, 1.250726e-2, 8.6856e-6},
		{3.75218e-5, 2.50145e-5, 1.500872e-3, 2.37638e-5, 1.27070e-6},
	}
	for i := range want {
		for j := range want[i] {
			near(t, "delta relative to the table", tr.Delta[i][j]/want[i][j], 1, 1e-5)
		}
	}
	for j, via := range []int{1, 1, 0, 1, 1} {
		if tr.Back[1][j] != via {
			t.Errorf("back-pointer of %s at 2 is %d, want %d", m.states[j], tr.Back[1][j], via)
		}
	}
	branches, err := m.Branches(obs, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	nearAll(t, "branches to DET", branches, []float64{3e-7, 2.82e-5, 1e-7, 3e-6, 4e-6}, 1e-12)
	if branches, err = m.Branches(obs, 1, 1); err != nil {
		t.Fatal(err)
	}
	nearAll(t, "branches to PRP", branches, []float64{3e-7, 2.82e-5, 2e-6, 2e-6, 3.8e-6}, 1e-12)
	if branches, err = m.Branches(obs, 1, 2); err != nil {
		t.Fatal(err)
	}
	nearAll(t, "branches to N", branches, []float64{1.152e-3, 1.128e-3, 1.2e-4, 1.2e-4, 2.4e-4}, 1e-12)
	if got := list(m.Names(tr.Path)); got != "PRP, V, PREP, N" {
		t.Errorf("best path %s", got)
	}
	near(t, "P(Y*, x)", tr.Prob, 1.500872e-3, 1e-9)
	l, err := m.LogLikelihood(obs)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P(x)", math.Exp(l), 1.754124e-3, 1e-9)
	near(t, "P(Y* | x)", tr.Prob/math.Exp(l), .8556, 5e-5)
	path, err := m.Index("N", "V", "N", "V")
	if err != nil {
		t.Fatal(err)
	}
	joint, err := m.Joint(obs, path)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P(I bank at CFCU, N V N V) * 1e10", math.Exp(joint)*1e10, 4.332, 1e-9)
	numbers, free := m.Parameters()
	if numbers != 65 || free != 54 {
		t.Errorf("parameters %d, free %d; want 65, 54", numbers, free)
	}
	count := 0
	if err := m.Paths(obs, func([]int, float64) bool { count++; return true }); err != nil || count != 625 {
		t.Errorf("%d sequences, err %v; want 625", count, err)
	}
}
