package reference

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/reduce"
)

func TestReduce(t *testing.T) { run(t, "fisher-pca") }

var reduceCases = reductions()

func reductions() runners {
	r := runners{
		"pca-iris": func(c *check) {
			X, _ := set(c, datasets.Iris())
			for _, path := range []reduce.Path{reduce.Covariance, reduce.SVD} {
				p := pca(c, X, func(o *reduce.PCAOptions) { o.Path = path })
				c.near("eigenvalues", p.Variances())
				c.near("explained_ratio", p.Ratios())
				c.nearColumns("loadings", p.Axes())
			}
		},
		"pca-smith-tutorial": func(c *check) {
			X := mat.NewDense(10, 2, []float64{2.5, 2.4, 0.5, 0.7, 2.2, 2.9, 1.9, 2.2, 3.1, 3.0, 2.3, 2.7, 2.0, 1.6, 1.0, 1.1, 1.5, 1.6, 1.1, 0.9})
			p := pca(c, X, nil)
			c.near("eigenvalues", p.Variances())
			c.nearColumns("eigenvectors_columns", p.Axes())
			s := must(reduce.Scatters(X, []int{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, nil)) // any labels: the total scatter does not depend on them
			var cov mat.Dense
			cov.Scale(1./9, s.Total)
			c.near("cov", &cov)
			w := must(reduce.FitWhitening(c.Context(), X, reduce.WhitenOptions{}))
			var identity mat.Dense
			identity.Product(w.Matrix(), &cov, w.Matrix().T())
			for i := range 2 {
				for j := range 2 {
					if want := float64((i + j + 1) % 2); math.Abs(identity.At(i, j)-want) > 1e-10 {
						c.Errorf("whitened covariance (%d, %d) = %v, want %v", i, j, identity.At(i, j), want)
					}
				}
			}
		},
		"pca-digits": func(c *check) {
			X, _ := set(c, datasets.Digits())
			p := pca(c, X, nil)
			c.near("top10", p.Variances()[:10])
			c.near("total", p.Total())
			c.near("rank", p.Rank())
			c.near("k_for_95pct", p.ComponentsFor(0.95))
		},
		"pca-wine-correlation": func(c *check) {
			X, _ := set(c, datasets.Wine())
			p := pca(c, X, func(o *reduce.PCAOptions) { o.Scale = true })
			c.near("variances", p.Variances())
			want, got := c.numbers("first_axis"), p.Axis(0)
			if want[6]*got[6] < 0 {
				for i := range got {
					got[i] = -got[i]
				}
			}
			c.nearRow("first_axis", got, want)
		},
		"ppca-wine": func(c *check) {
			X, _ := set(c, datasets.Wine())
			for _, k := range []int{1, 3, 9} {
				p, at := must(reduce.FitPPCA(c.Context(), X, reduce.PPCAOptions{Components: k})), fmt.Sprintf("k%d.", k)
				logs, C := must(p.LogDensities(X)), p.Covariance()
				diagonal := make([]float64, p.Dim())
				for j := range diagonal {
					diagonal[j] = C.At(j, j)
				}
				c.near(at+"noise", p.Noise())
				c.near(at+"log_density_first5", logs[:5])
				c.near(at+"log_likelihood", must(p.LogLikelihood(X)))
				c.near(at+"covariance_diagonal", diagonal)
			}
		},
		"pca-hilbert-rows": func(c *check) {
			p := pca(c, mat.DenseCopyOf(hilbert(8)), func(o *reduce.PCAOptions) { o.Path = reduce.SVD })
			v := p.Variances()[:7]
			c.near("variances", v)
			sd := make([]float64, 7)
			for i := range sd {
				sd[i] = math.Sqrt(v[i])
			}
			c.near("standard_deviations", sd)
		},
		"eigen-hilbert": func(c *check) {
			values, _, err := reduce.Eigen(hilbert(10))
			if err != nil {
				c.Fatal(err)
			}
			c.near("values", values)
		},
		"zca-two-by-two": func(c *check) {
			c.near("matrix", must(reduce.WhiteningOf([]float64{0, 0}, symmetric([]float64{2, 1}, []float64{1, 2}), reduce.ZCA)).Matrix())
		},
		"fisher-1936-iris": func(c *check) {
			X, y := set(c, datasets.Iris().Classes("setosa", "versicolor"))
			f := must(reduce.FitFisher(c.Context(), X, y, reduce.FisherOptions{}))
			l := f.Raw()
			c.near("lambda", l)
			c.near("ratios", []float64{1, l[1] / l[0], l[2] / l[0], l[3] / l[0]})
			means, _ := f.Projected()
			var norm float64
			for _, v := range l {
				norm += v * v
			}
			c.near("D", math.Abs(means[1]-means[0])*math.Sqrt(norm))
			c.near("J", f.J())
		},
		"nist-anova-sirstv":  func(c *check) { nistFile(c, "nist_SiRstv.csv") },
		"nist-anova-atmwtag": func(c *check) { nistFile(c, "nist_AtmWtAg.csv") },
	}
	for i := range 9 {
		offset, replicates := []int64{1, 1e6, 1e12}[i/3], []int{21, 201, 2001}[i%3]
		r[fmt.Sprintf("nist-anova-smls%02d", i+1)] = func(c *check) { nistRule(c, offset, replicates) }
	}
	for i, s := range []struct{ first, low, high float64 }{
		{10000001, 10000003, 10000002},
		{1.2, 1.1, 1.3},
		{1000000.2, 1000000.1, 1000000.3},
		{10000000.2, 10000000.1, 10000000.3},
	} {
		r[fmt.Sprintf("nist-numacc%d", i+1)] = func(c *check) {
			x := []float64{s.first, s.low, s.high}
			for i > 0 && len(x) < 1001 {
				x = append(x, s.low, s.high)
			}
			univariate(c, x)
		}
	}
	return r
}

func pca(c *check, X *mat.Dense, change func(*reduce.PCAOptions)) *reduce.PCA {
	o := reduce.PCAOptions{}
	if change != nil {
		change(&o)
	}
	p, err := reduce.FitPCA(c.Context(), X, o)
	if err != nil {
		c.Fatal(err)
	}
	return p
}

func nistFile(c *check, file string) {
	X := read(c, file)
	n, _ := X.Dims()
	y := make([]int, n)
	for i := range y {
		y[i] = int(X.At(i, 0)) - 1
	}
	anova(c, mat.DenseCopyOf(X.Slice(0, n, 1, 2)), y)
}

// nistRule makes the numbers of SmLs01 ... SmLs09. In tenths they are whole, so that one division gives the double nearest to each decimal.
func nistRule(c *check, offset int64, replicates int) {
	var x []float64
	var y []int
	for k, first := range []int64{4, 3, 5, 3, 5, 3, 5, 3, 5} {
		for r := range replicates {
			v := 10*offset + first
			if r > 0 {
				v += int64(1 - 2*(r%2))
			}
			x, y = append(x, float64(v)/10), append(y, k)
		}
	}
	anova(c, column(x...), y)
}

// anova compares the sums of squares between and within the treatments and F, and logs the log relative errors.
func anova(c *check, X *mat.Dense, y []int) {
	s := must(reduce.Scatters(X, y, nil))
	b, w := s.Between.At(0, 0), s.Within.At(0, 0)
	k, n := float64(len(s.Sizes)), float64(len(y))
	f := b / (k - 1) / (w / (n - k))
	c.near("ss_between", b)
	c.near("ss_within", w)
	c.near("F", f)
	c.near("F_of_doubles", f)
	c.Logf(
		"LRE of F: %.1f against the certified value, %.1f against exact arithmetic on the same doubles",
		LRE(f, c.number("F")),
		LRE(f, c.number("F_of_doubles")),
	)
}

// univariate compares mean and standard deviation, by the covariance and by the singular values.
func univariate(c *check, x []float64) {
	for _, path := range []reduce.Path{reduce.Covariance, reduce.SVD} {
		p := pca(c, column(x...), func(o *reduce.PCAOptions) { o.Path = path })
		sd := math.Sqrt(p.Variances()[0])
		c.near("mean", p.Mean()[0])
		c.near("sd", sd)
		c.near("sd_of_doubles", sd)
		c.Logf(
			"%v: LRE of mean %.1f, of sd %.1f, of sd against exact arithmetic on the same doubles %.1f",
			path,
			LRE(p.Mean()[0], c.number("mean")),
			LRE(sd, c.number("sd")),
			LRE(sd, c.number("sd_of_doubles")),
		)
	}
}
