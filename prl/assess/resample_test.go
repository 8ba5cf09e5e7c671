package assess_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/assess"
)

func close(t *testing.T, name string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

func meanOf(x []float64) func(rows []int) float64 {
	return func(rows []int) float64 {
		s := 0.0
		for _, i := range rows {
			s += x[i] / float64(len(rows))
		}
		return s
	}
}

func varianceOf(x []float64) func(rows []int) float64 {
	center := meanOf(x)
	return func(rows []int) float64 {
		m, s := center(rows), 0.0
		for _, i := range rows {
			s += (x[i] - m) * (x[i] - m) / float64(len(rows))
		}
		return s
	}
}

// TestJackknife holds the numbers of 1, 2, 3, 4, 10, computed by hand, and two theorems on random numbers: the variance of the mean is
// s^2/n, and the corrected plug-in variance is s^2.
func TestJackknife(t *testing.T) {
	x := []float64{1, 2, 3, 4, 10}
	j, err := assess.NewJackknife(5, varianceOf(x))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{9.6875, 11.25, 12.1875, 12.5, 1.25} {
		close(t, "without", j.Without[i], want, 1e-12)
	}
	close(t, "bias", j.Bias(), -2.5, 1e-12)
	close(t, "corrected", j.Corrected(), 12.5, 1e-12)
	median := func(rows []int) float64 {
		v := make([]float64, len(rows))
		for i, k := range rows {
			v[i] = x[k]
		}
		slices.Sort(v)
		return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
	}
	j, _ = assess.NewJackknife(5, median)
	close(t, "variance of the median", j.Variance(), 0.8, 1e-12)
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-10, 10), 2, 20).Draw(t, "x")
		n := float64(len(x))
		all := make([]int, len(x))
		for i := range all {
			all[i] = i
		}
		s2 := varianceOf(x)(all) * n / (n - 1)
		a, _ := assess.NewJackknife(len(x), meanOf(x))
		b, _ := assess.NewJackknife(len(x), varianceOf(x))
		if math.Abs(a.Variance()-s2/n) > 1e-10 || math.Abs(a.Bias()) > 1e-10 || math.Abs(b.Corrected()-s2) > 1e-10 {
			t.Fatalf("%v: %v, %v, %v, not %v", x, a.Variance(), a.Bias(), b.Corrected(), s2)
		}
	})
	nan := func([]int) float64 { return math.NaN() }
	if _, err := assess.NewJackknife(3, nan); err == nil {
		t.Error("NaN is no statistic")
	}
	if _, err := assess.NewJackknife(1, meanOf(x)); err == nil {
		t.Error("one row cannot be left out")
	}
}

// TestResample compares the draws with all 3125 samples of five numbers, which are equally likely.
func TestResample(t *testing.T) {
	x := []float64{1, 2, 3, 4, 10}
	statistic := varianceOf(x)
	var all []float64
	for code := range 3125 {
		rows := make([]int, 5)
		for i, c := 0, code; i < 5; i, c = i+1, c/5 {
			rows[i] = c % 5
		}
		all = append(all, statistic(rows))
	}
	center, spread := 0.0, 0.0
	for _, v := range all {
		center += v / 3125
	}
	for _, v := range all {
		spread += (v - center) * (v - center) / 3125
	}
	const draws = 20_000
	r, err := assess.Resample(5, draws, 1, statistic)
	if err != nil {
		t.Fatal(err)
	}
	close(t, "bias", r.Bias(), center-10, 4*math.Sqrt(spread/draws))
	close(t, "standard error", r.StandardError(), math.Sqrt(spread), 0.1)
	if !slices.IsSorted(r.Values) {
		t.Error("the values do not rise")
	}
	p, _ := r.Percentile(0.9)
	b, _ := r.Basic(0.9)
	close(t, "basic", b.Lo+p.Hi, 20, 1e-9)
	close(t, "basic", b.Hi+p.Lo, 20, 1e-9)
	old, _ := assess.Bootstrap(5, draws, 1, 0.9, statistic)
	if old != p {
		t.Errorf("Bootstrap gives %v, Percentile %v", old, p)
	}
}

// TestBCa holds the interval against scipy.stats.bootstrap 1.17 (method BCa, 200,000 draws of its own), whose ends are good to about 0.02.
func TestBCa(t *testing.T) {
	x := []float64{2.1, 0.3, 1.7, 5.9, 0.8, 3.3, 9.4, 1.1, 0.2, 4.0, 2.6, 0.9}
	r, err := assess.Resample(len(x), 200_000, 3, meanOf(x))
	if err != nil {
		t.Fatal(err)
	}
	i, err := r.BCa(0.95)
	if err != nil {
		t.Fatal(err)
	}
	close(t, "lo", i.Lo, 1.5833, 0.03)
	close(t, "hi", i.Hi, 4.7167, 0.03)
	p, _ := r.Percentile(0.95)
	if !(i.Lo > p.Lo+0.05 && i.Hi > p.Hi+0.05) { // skewed to the right
		t.Errorf("BCa %v is not right of the percentiles %v", i, p)
	}
	largest := func(rows []int) float64 {
		m := math.Inf(-1)
		for _, k := range rows {
			m = max(m, x[k])
		}
		return m
	}
	r, _ = assess.Resample(len(x), 2000, 1, largest)
	if _, err := r.BCa(0.95); err != nil { // ties with the estimate count half
		t.Error(err)
	}
	below := func(rows []int) float64 { // never above, and equal only for all rows
		if len(rows) == len(x) && slices.IsSorted(rows) && rows[0] == 0 && rows[len(rows)-1] == len(x)-1 {
			return 1
		}
		return 0
	}
	r, _ = assess.Resample(len(x), 100, 1, below)
	if _, err := r.BCa(0.95); err == nil {
		t.Error("BCa without a value on one side")
	}
}

// TestOutOfBag checks that the rows to test are those not drawn, about 1/e of them.
func TestOutOfBag(t *testing.T) {
	splits, err := assess.OutOfBag(50, 400, 1)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, s := range splits {
		if len(s.Train) != 50 || !slices.IsSorted(s.Train) || !slices.IsSorted(s.Test) {
			t.Fatal("a split out of order")
		}
		for i := range 50 {
			if slices.Contains(s.Train, i) == slices.Contains(s.Test, i) {
				t.Fatalf("row %d", i)
			}
		}
		total += len(s.Test)
	}
	close(t, "share", float64(total)/20_000, math.Pow(0.98, 50), 0.01)
	if s, err := assess.OutOfBag(2, 50, 1); err != nil || len(s) != 50 {
		t.Error(err)
	}
}

// TestEstimate632 holds the estimates against Efron and Tibshirani's formulas (1997), equations 24, 28 and 32, in their other form.
func TestEstimate632(t *testing.T) {
	r := rand.New(rand.NewPCG(632, 1))
	share := 1 - 1/math.E
	for range 1000 {
		e, one, gamma := r.Float64(), r.Float64(), r.Float64()
		plain, plus, err := assess.Estimate632(e, one, gamma)
		if err != nil {
			t.Fatal(err)
		}
		close(t, "plain", plain, (1-share)*e+share*one, 1e-14)
		first, R := min(one, gamma), 0.0
		if first > e && gamma > e {
			R = (first - e) / (gamma - e)
		}
		base := (1-share)*e + share*first
		close(t, "plus", plus, base+(first-e)*(1-share)*share*R/(1-(1-share)*R), 1e-12)
	}
	if _, plus, _ := assess.Estimate632(0, 0.5, 0.5); plus != 0.5 {
		t.Errorf("learning by heart among coins: %v", plus)
	}
	if _, _, err := assess.Estimate632(0, 1.5, 0.5); err == nil {
		t.Error("a rate of 1.5")
	}
}
