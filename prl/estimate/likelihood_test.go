package estimate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/estimate"
)

func ExampleFitNormal() {
	law, _ := estimate.FitNormal([]float64{1, 2, 3})
	fmt.Println(law)
	// Output: Normal(mean 2, SD 0.8165)
}

func ExampleFitLaplace() {
	law, _ := estimate.FitLaplace([]float64{1, 2, 9})
	fmt.Println(law)
	// Output: Laplace(location 2, scale 2.667)
}

func ExampleFitCauchy() {
	law, _ := estimate.FitCauchy([]float64{-1, 0, 1, 100})
	fmt.Println(law)
	// Output: Cauchy(location 0.01, scale 0.9999)
}

func ExampleFitPoisson() {
	law, _ := estimate.FitPoisson([]float64{0, 2, 1})
	errors, _ := estimate.StandardErrors(law, 3)
	fmt.Printf("%v, standard error %.4f\n", law, errors)
	// Output: Poisson(1), standard error [0.5774]
}

func ExampleFitBernoulli() {
	law, _ := estimate.FitBernoulli([]float64{1, 1, 0, 1})
	fmt.Println(law)
	// Output: Bernoulli(0.75)
}

func ExampleFitExponential() {
	law, _ := estimate.FitExponential([]float64{1, 2, 6})
	fmt.Println(law)
	// Output: Exponential(0.3333)
}

func ExampleFitUniform() {
	law, _ := estimate.FitUniform([]float64{19, 40, 42, 60})
	fmt.Println(law)
	// Output: Uniform(0 to 60)
}

func ExampleKL() {
	bits, _ := estimate.CodeLength([]float64{0.5, 0.25, 0.25}, []float64{1. / 3, 1. / 3, 1. / 3})
	nats, _ := estimate.KL([]float64{0.5, 0.25, 0.25}, []float64{1. / 3, 1. / 3, 1. / 3})
	fmt.Printf("%.4f bits, of which %.4f are lost\n", bits, nats/math.Ln2)
	// Output: 1.5850 bits, of which 0.0850 are lost
}

func ExamplePeaks() {
	xs := []float64{-3, 3}
	peaks, _ := estimate.Peaks(func(at float64) float64 {
		return estimate.LogLikelihood(estimate.Cauchy{Location: at, Scale: 1}, xs)
	}, -10, 10, 100)
	fmt.Printf("%.4f\n", peaks)
	// Output: [-2.8284 2.8284]
}

func ExampleMoments() {
	var m estimate.Moments
	for _, x := range []float64{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16} {
		m.Add(x)
	}
	fmt.Println(m.N(), m.Mean()-1e9, m.Variance())
	// Output: 4 10 22.5
}

func ExampleMoments_Merge() {
	var monday, tuesday estimate.Moments
	monday.Add(1)
	tuesday.Add(2)
	tuesday.Add(6)
	monday.Merge(tuesday)
	fmt.Printf("%d numbers, mean %.0f, variance %.4f\n", monday.N(), monday.Mean(), monday.Variance())
	// Output: 3 numbers, mean 3, variance 4.6667
}

func ExampleNormal_KL() {
	p, q := estimate.Normal{Mean: 0, SD: 1}, estimate.Normal{Mean: 1, SD: 2}
	fmt.Printf("%.6f one way, %.6f the other\n", p.KL(q), q.KL(p))
	// Output: 0.443147 one way, 1.306853 the other
}

func ExampleStandardErrors() {
	law, _ := estimate.FitExponential([]float64{1, 2, 6})
	errors, _ := estimate.StandardErrors(law, 3)
	fmt.Printf("rate %.4f, give or take %.4f\n", law.Rate, errors[0])
	// Output: rate 0.3333, give or take 0.1925
}

// Newcomb's passage times of light of 1882, as package MASS of R holds them; figures of R 4.2.2 (optim, BFGS) and, for the Cauchy law,
// of scipy.optimize.root on the likelihood equations (SciPy 1.17.1, tol 1e-14).
var newcomb = []float64{
	28, -44, 29, 30, 24, 28, 37, 32, 36, 27, 26, 28, 29, 26, 27, 22, 23, 20, 25, 25, 36, 23, 31, 32, 24, 27, 33, 16, 24, 29, 36, 21, 28,
	26, 27, 27, 32, 25, 28, 24, 40, 21, 31, 32, 28, 26, 30, 27, 26, 24, 32, 29, 34, -2, 25, 19, 36, 29, 30, 22, 28, 33, 39, 25, 16, 23,
}

func TestFitsAgainstR(t *testing.T) {
	normal, err := estimate.FitNormal(newcomb)
	laplace, err2 := estimate.FitLaplace(newcomb)
	cauchy, err3 := estimate.FitCauchy(newcomb)
	var deaths []float64
	for k, n := range []int{109, 65, 22, 3, 1} { // Bortkiewicz (1898), 200 corps and years
		deaths = append(deaths, slices.Repeat([]float64{float64(k)}, n)...)
	}
	poisson, err4 := estimate.FitPoisson(deaths)
	if err != nil || err2 != nil || err3 != nil || err4 != nil {
		t.Fatal(err, err2, err3, err4)
	}
	for name, c := range map[string][2]float64{
		"mean":               {normal.Mean, 26.2121212121212},
		"SD":                 {normal.SD, 10.6636100992555},
		"normal likelihood":  {estimate.LogLikelihood(normal, newcomb), -249.861186503101},
		"median":             {laplace.Location, 27},
		"Laplace scale":      {laplace.Scale, 5.3030303030303},
		"Laplace likelihood": {estimate.LogLikelihood(laplace, newcomb), -221.854089139121},
		"Cauchy location":    {cauchy.Location, 27.284378028152847},
		"Cauchy scale":       {cauchy.Scale, 2.9436808084528208},
		"Cauchy likelihood":  {estimate.LogLikelihood(cauchy, newcomb), -218.81792583821382},
		"rate":               {poisson.Rate, 0.61},
		"Poisson likelihood": {estimate.LogLikelihood(poisson, deaths), -206.106721471754},
	} {
		if math.Abs(c[0]-c[1]) > 1e-11*math.Abs(c[1]) {
			t.Errorf("%s: %.16g, want %.16g", name, c[0], c[1])
		}
	}
}

// The certified means and standard deviations (divisor n-1) of the NIST sets NumAcc2, NumAcc3 and NumAcc4.
func TestMomentsAgainstNIST(t *testing.T) {
	for _, c := range []struct {
		first, low, high, mean float64
	}{{1.2, 1.1, 1.3, 1.2}, {1000000.2, 1000000.1, 1000000.3, 1000000.2}, {10000000.2, 10000000.1, 10000000.3, 10000000.2}} {
		var m, left, right estimate.Moments
		for i := range 1001 {
			x := c.first
			if i > 0 {
				x = []float64{c.high, c.low}[i%2]
			}
			m.Add(x)
			if i < 400 {
				left.Add(x)
			} else {
				right.Add(x)
			}
		}
		left.Merge(right)
		sd := func(m estimate.Moments) float64 { return math.Sqrt(m.Variance() * 1001 / 1000) }
		// the data themselves are rounded to 1e-16 relative, which the deviations of 0.1 feel
		tol := 3e-16 * c.mean / 0.1
		for _, got := range []estimate.Moments{m, left} {
			if math.Abs(got.Mean()-c.mean) > 1e-15*c.mean || math.Abs(sd(got)-0.1) > 0.1*max(tol, 1e-13) {
				t.Errorf("mean %.17g and SD %.17g, want %v and 0.1", got.Mean(), sd(got), c.mean)
			}
		}
	}
}

// Scores are the slopes of the log density, and their mean squares over many draws the information.
func TestScoresAndInformation(t *testing.T) {
	type made struct {
		build func(v []float64) estimate.Regular
		at    []float64
		draw  func(r *rand.Rand) float64
	}
	for name, c := range map[string]made{
		"Normal": {
			func(v []float64) estimate.Regular { return estimate.Normal{Mean: v[0], SD: v[1]} },
			[]float64{1, 2},
			func(r *rand.Rand) float64 { return 1 + 2*r.NormFloat64() },
		},
		"Cauchy": {
			func(v []float64) estimate.Regular { return estimate.Cauchy{Location: v[0], Scale: v[1]} },
			[]float64{-1, 0.7},
			func(r *rand.Rand) float64 { return -1 + 0.7*math.Tan(math.Pi*(r.Float64()-0.5)) },
		},
		"Exponential": {
			func(v []float64) estimate.Regular { return estimate.Exponential{Rate: v[0]} },
			[]float64{0.4},
			func(r *rand.Rand) float64 { return r.ExpFloat64() / 0.4 },
		},
		"Bernoulli": {
			func(v []float64) estimate.Regular { return estimate.Bernoulli{P: v[0]} },
			[]float64{0.3},
			func(r *rand.Rand) float64 {
				if r.Float64() < 0.3 {
					return 1
				}
				return 0
			},
		},
		"Poisson": {
			func(v []float64) estimate.Regular { return estimate.Poisson{Rate: v[0]} },
			[]float64{1.5},
			func(r *rand.Rand) float64 {
				k, p := 0.0, r.Float64()
				for p > math.Exp(-1.5) {
					k, p = k+1, p*r.Float64()
				}
				return k
			},
		},
	} {
		r := rand.New(rand.NewPCG(6, 1))
		law, sums := c.build(c.at), make([]float64, len(c.at))
		const n = 200_000
		for i := range n {
			x := c.draw(r)
			score := law.Score(x)
			for j := range c.at {
				sums[j] += score[j] * score[j] / n
				if i > 100 {
					continue
				}
				const h = 1e-5
				up, down := slices.Clone(c.at), slices.Clone(c.at)
				up[j], down[j] = up[j]+h, down[j]-h
				slope := (c.build(up).LogDensity(x) - c.build(down).LogDensity(x)) / (2 * h)
				if math.Abs(slope-score[j]) > 1e-7*(1+math.Abs(slope)) {
					t.Fatalf("%s: score %v at %v, slope %v", name, score[j], x, slope)
				}
			}
		}
		for j, want := range law.Information() {
			if math.Abs(sums[j]-want) > 0.03*want {
				t.Errorf("%s: mean square of the score %v, information %v", name, sums[j], want)
			}
		}
	}
}

// At a fit no neighbour is likelier, wherever the data lie and in whatever unit.
func TestFitsAreMaxima(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfNDistinct(rapid.Float64Range(-50, 50), 5, 30, func(x float64) float64 { return x }).Draw(t, "xs")
		shift, unit := rapid.Float64Range(-1e6, 1e6).Draw(t, "shift"), math.Exp(rapid.Float64Range(-10, 10).Draw(t, "unit"))
		if slices.Max(xs)-slices.Min(xs) < 1e-6 {
			t.Skip("too close")
		}
		for i := range xs {
			xs[i] = shift + unit*xs[i]
		}
		normal, err := estimate.FitNormal(xs)
		laplace, err2 := estimate.FitLaplace(xs)
		if err != nil || err2 != nil {
			return // in a small unit, far from zero, all may be one number
		}
		for _, by := range []float64{-0.1, 0.1} {
			for _, other := range []estimate.Law{
				estimate.Normal{Mean: normal.Mean + by*normal.SD, SD: normal.SD}, estimate.Normal{Mean: normal.Mean, SD: normal.SD * (1 + by)},
			} {
				if estimate.LogLikelihood(other, xs) >= estimate.LogLikelihood(normal, xs) {
					t.Fatalf("%v is likelier than %v", other, normal)
				}
			}
			for _, other := range []estimate.Law{
				estimate.Laplace{Location: laplace.Location + by*laplace.Scale, Scale: laplace.Scale},
				estimate.Laplace{Location: laplace.Location, Scale: laplace.Scale * (1 + by)},
			} {
				if estimate.LogLikelihood(other, xs) > estimate.LogLikelihood(laplace, xs)+1e-9 {
					t.Fatalf("%v is likelier than %v", other, laplace)
				}
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-50, 50), 5, 30).Draw(t, "xs")
		cauchy, err := estimate.FitCauchy(xs)
		if err != nil {
			return
		}
		a, b := 0.0, 0.0
		for _, x := range xs {
			s := cauchy.Score(x)
			a, b = a+s[0]*cauchy.Scale, b+s[1]*cauchy.Scale
		}
		if math.Abs(a)+math.Abs(b) > 1e-8 {
			t.Fatalf("%v of %v has the score %v %v", cauchy, xs, a, b)
		}
	})
}

func TestLikelihoodMistakes(t *testing.T) {
	nan := math.NaN()
	for name, err := range map[string]error{
		"none":            second(estimate.FitNormal(nil)),
		"NaN":             second(estimate.FitNormal([]float64{1, nan})),
		"one place":       second(estimate.FitNormal([]float64{3, 3, 3})),
		"one observation": second(estimate.FitNormal([]float64{3})),
		"Laplace, equal":  second(estimate.FitLaplace([]float64{3, 3})),
		"Cauchy, two":     second(estimate.FitCauchy([]float64{1, 2})),
		"Cauchy, half":    second(estimate.FitCauchy([]float64{1, 1, 2, 3})),
		"Cauchy, most":    second(estimate.FitCauchy([]float64{1, 1, 1, 2, 3})),
		"half a count":    second(estimate.FitPoisson([]float64{1.5})),
		"two":             second(estimate.FitBernoulli([]float64{0, 2})),
		"negative":        second(estimate.FitExponential([]float64{-1})),
		"zeros":           second(estimate.FitExponential([]float64{0, 0})),
		"uniform, zeros":  second(estimate.FitUniform([]float64{0})),
		"lengths":         second(estimate.KL([]float64{1}, []float64{0.5, 0.5})),
		"sum":             second(estimate.KL([]float64{1}, []float64{0.5})),
		"negative share":  second(estimate.KL([]float64{1.5, -0.5}, []float64{0.5, 0.5})),
		"code":            second(estimate.CodeLength(nil, nil)),
		"range":           second(estimate.Peaks(math.Sin, 1, 1, 10)),
		"steps":           second(estimate.Peaks(math.Sin, 0, 1, 1)),
		"NaN peak":        second(estimate.Peaks(func(float64) float64 { return nan }, 0, 1, 10)),
		"n":               second(estimate.StandardErrors(estimate.Poisson{Rate: 1}, 0)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if p, err := estimate.FitPoisson([]float64{0, 0}); err != nil || p.Rate != 0 || p.LogDensity(0) != 0 {
		t.Errorf("zeros alone: %v, %v, log P(0) = %v", p, err, p.LogDensity(0))
	}
	if d, err := estimate.KL([]float64{0.5, 0.5}, []float64{1, 0}); err != nil || !math.IsInf(d, 1) {
		t.Errorf("an impossible outcome costs %v, %v", d, err)
	}
	if d, err := estimate.KL([]float64{1, 0}, []float64{0.5, 0.5}); err != nil || d != math.Ln2 {
		t.Errorf("an outcome that never comes: %v, %v", d, err)
	}
}

// The location of a Laplace law is the median of the sorted numbers, whatever their order, ties too.
func TestMedian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-9, 9), rapid.SampledFrom([]float64{0, 1, 2})), 2, 60).Draw(t, "xs")
		s := slices.Sorted(slices.Values(xs))
		if s[0] == s[len(s)-1] {
			t.Skip("one value")
		}
		law, err := estimate.FitLaplace(xs)
		if want := s[(len(s)-1)/2]/2 + s[len(s)/2]/2; err != nil || law.Location != want {
			t.Fatalf("%v, %v, want %v", law, err, want)
		}
	})
}

func TestPeaks(t *testing.T) {
	for _, c := range []struct {
		f    func(float64) float64
		want []float64
	}{
		{math.Sin, []float64{math.Pi / 2, 5 * math.Pi / 2}},
		{func(x float64) float64 { return x }, []float64{9}},
		{func(x float64) float64 { return -x }, []float64{0}},
		{func(float64) float64 { return 1 }, nil},
		{func(x float64) float64 { return estimate.LogLikelihood(estimate.Uniform{Max: x}, []float64{2, 4.3}) }, []float64{4.3}},
	} {
		got, err := estimate.Peaks(c.f, 0, 9, 50)
		if err != nil || len(got) != len(c.want) {
			t.Fatal(got, err, c.want)
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-6 {
				t.Errorf("peak at %v, want %v", got[i], c.want[i])
			}
		}
	}
}
