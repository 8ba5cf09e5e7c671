package reference

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/mixture"
)

func TestKMeans(t *testing.T) { run(t, "kmeans") }
func TestGMM(t *testing.T)    { run(t, "gmm") }

var kmeansCases = runners{
	"kmeans-iris2": func(c *check) {
		X, _ := set(c, datasets.Iris())
		clusters(c, X, 2)
	},
	"kmeans-iris3": func(c *check) {
		X, _ := set(c, datasets.Iris())
		clusters(c, X, 3)
	},
	"kmeans-wine3": func(c *check) {
		X, _ := set(c, datasets.Wine())
		clusters(c, standardised(X), 3)
	},
	"kmeans-faithful2":  func(c *check) { clusters(c, datasets.Faithful().X, 2) },
	"kmeans-ruspini4":   func(c *check) { clusters(c, read(c, "ruspini.csv"), 4) },
	"kmeans-usarrests4": func(c *check) { clusters(c, standardised(read(c, "usarrests.csv")), 4) },
	"kmeans-nine-points": func(c *check) {
		X := mat.NewDense(9, 2, []float64{0, 0, 1, 2, 2, 1, 7, 7, 8, 9, 9, 7, 0, 8, 2, 9, 5, 4})
		for k, name := range map[int]string{2: "J_2", 3: "J_3", 4: "J_4"} {
			for _, algorithm := range algorithms {
				c.near(name, kmeans(c, X, k, func(o *mixture.KMeansOptions) { o.Algorithm, o.Restarts = algorithm, 50 }).Inertia())
			}
		}
	},
	"kmeans-8points": func(c *check) {
		X := mat.NewDense(8, 2, []float64{2, 10, 2, 5, 8, 4, 5, 8, 7, 5, 6, 4, 1, 2, 4, 9})
		for _, algorithm := range algorithms {
			m := kmeans(c, X, 3, func(o *mixture.KMeansOptions) {
				o.Centres, o.Trace, o.Algorithm = [][]float64{{2, 10}, {5, 8}, {1, 2}}, true, algorithm
			})
			var inertia []float64
			for _, r := range m.Rounds() {
				inertia = append(inertia, r.Inertia)
			}
			c.near("inertia_sequence", inertia[:4])
			c.near("round1_centres", m.Rounds()[1].Centres)
			c.near("final_centres", m.Centres())
			c.near("labels", m.Labels())
		}
	},
	"kmeans-six-points": func(c *check) {
		m := kmeans(c, column(0, 1, 2, 8, 9, 10), 2, func(o *mixture.KMeansOptions) { o.Centres, o.Trace = [][]float64{{0}, {1}}, true })
		var inertia []float64
		var centres [][]float64
		for _, r := range m.Rounds()[:3] {
			inertia, centres = append(inertia, r.Inertia), append(centres, []float64{r.Centres[0][0], r.Centres[1][0]})
		}
		c.near("inertia", inertia)
		c.near("centres", centres)
		var fixed []float64
		for _, start := range [][][]float64{{{2, 0}, {2, 1}}, {{0, .5}, {4, .5}}} {
			fixed = append(
				fixed,
				kmeans(c, mat.NewDense(4, 2, []float64{0, 0, 0, 1, 4, 0, 4, 1}), 2, func(o *mixture.KMeansOptions) { o.Centres = start }).Inertia(),
			)
		}
		c.near("rectangle_fixed_points", fixed)
	},
	"kmeans-plusplus-prob": func(c *check) {
		c.near("prob", must(mixture.PlusPlusProbabilities(column(0, 1, 3, 10), [][]float64{{0}})))
	},
}

var algorithms = []mixture.Algorithm{mixture.Hamerly, mixture.Lloyd}

func kmeans(c *check, X *mat.Dense, k int, change func(*mixture.KMeansOptions)) *mixture.KMeans {
	o := mixture.KMeansOptions{K: k}
	o.Restarts = 30
	change(&o)
	m, err := mixture.FitKMeans(c.Context(), X, o)
	if err != nil {
		c.Fatal(err)
	}
	return m
}

// clusters compares the best of 30 starts with a global optimum, by both algorithms.
func clusters(c *check, X *mat.Dense, k int) {
	for _, algorithm := range algorithms {
		m := kmeans(c, X, k, func(o *mixture.KMeansOptions) { o.Algorithm = algorithm })
		sizes, within, centres := m.Sizes(), must(m.Within(X)), m.Centres()
		slices.Sort(sizes)
		slices.Sort(within)
		slices.SortFunc(centres, slices.Compare)
		for name, got := range map[string]any{
			"inertia": m.Inertia(), "sizes": sizes, "sizes_sorted": sizes, "within_sorted": within,
			"centres": centres, "centres_sorted_by_first": centres,
		} {
			if _, ok := c.Expected[name]; ok {
				c.near(name, got)
			}
		}
	}
}

func gmm(c *check, X mat.Matrix, k int, change func(*mixture.GMMOptions)) *mixture.GMM {
	o := mixture.GMMOptions{K: k}
	change(&o)
	m, err := mixture.FitGMM(c.Context(), X, o)
	if err != nil {
		c.Fatal(err)
	}
	return m
}

// normals returns a mixture on the line with equal weights unless weights are given.
func normals(weights, means, variances []float64, kind mixture.Covariance) *mixture.GMM {
	p := mixture.GMMParameters{Weights: weights, Kind: kind}
	for i, m := range means {
		p.Means = append(p.Means, []float64{m})
		p.Covariances = append(p.Covariances, [][]float64{{variances[i]}})
	}
	return must(mixture.NewGMM(p))
}

func onLine(m *mixture.GMM) (means, variances []float64) {
	for i, v := range m.Means() {
		means, variances = append(means, v[0]), append(variances, m.Covariances()[i][0][0])
	}
	return means, variances
}

func last(x []float64) float64 { return x[len(x)-1] }

var half = []float64{.5, .5}

var gmmCases = runners{
	"gmm-faithful-eee3": func(c *check) {
		X := datasets.Faithful().X
		m := gmm(c, X, 3, func(o *mixture.GMMOptions) {
			o.Covariance, o.Reg, o.Tol, o.MaxIter, o.Restarts = mixture.Tied, estimator.None, 1e-13, 5000, 5
		})
		order := []int{0, 1, 2}
		means := m.Means()
		slices.SortFunc(order, func(a, b int) int { return slices.Compare(means[a], means[b]) })
		var weights []float64
		var sorted [][]float64
		for _, k := range order {
			weights, sorted = append(weights, m.Weights()[k]), append(sorted, means[k])
		}
		c.near("loglik", must(m.LogLikelihood(X)))
		c.near("bic_mclust", -must(m.BIC(X)))
		c.near("n_parameters", m.FreeParameters())
		c.near("weights", weights)
		c.near("means", sorted)
		c.near("cov_first", m.Covariances()[0])
		c.near("cov_last", m.Covariances()[2])
	},
	"gmm-faithful-kinds": func(c *check) {
		X := datasets.Faithful().X
		for name, kind := range map[string]mixture.Covariance{
			"full": mixture.Full, "tied": mixture.Tied, "diagonal": mixture.Diagonal,
			"spherical": mixture.Spherical,
		} {
			m := gmm(c, X, 2, func(o *mixture.GMMOptions) {
				o.Covariance, o.Reg, o.Tol, o.MaxIter, o.Restarts = kind, estimator.None, 1e-14, 20000, 10
			})
			w := m.Weights()
			slices.Sort(w)
			c.near(name+".loglik", must(m.LogLikelihood(X)))
			c.near(name+".bic", must(m.BIC(X)))
			c.near(name+".weights_sorted", w)
		}
	},
	"gmm-iris-vvv3": func(c *check) {
		X, y := set(c, datasets.Iris())
		p := mixture.GMMParameters{}
		for k := range 3 { // moments of the species, divisor n_k
			rows := mat.DenseCopyOf(X.Slice(50*k, 50*k+50, 0, 4))
			mean, cov := make([]float64, 4), [][]float64{make([]float64, 4), make([]float64, 4), make([]float64, 4), make([]float64, 4)}
			for i := range 50 {
				for j := range 4 {
					mean[j] += rows.At(i, j) / 50
				}
			}
			for i := range 50 {
				for a := range 4 {
					for b := range 4 {
						cov[a][b] += (rows.At(i, a) - mean[a]) * (rows.At(i, b) - mean[b]) / 50
					}
				}
			}
			p.Weights, p.Means, p.Covariances = append(p.Weights, 1./3), append(p.Means, mean), append(p.Covariances, cov)
		}
		start := must(mixture.NewGMM(p))
		m := gmm(c, X, 3, func(o *mixture.GMMOptions) { o.Start, o.Reg, o.Tol, o.MaxIter = start, estimator.None, 1e-13, 5000 })
		w := m.Weights()
		slices.Sort(w)
		c.near("loglik_start", m.History()[0])
		c.near("loglik", last(m.History()))
		c.near("weights_sorted", w)
		c.near("bic_mclust", -must(m.BIC(X)))
		c.near("errors_vs_species", len(wrong(m.Labels(), y)))
		c.near("ari", adjustedRand(m.Labels(), y))
		if l := last(gmm(c, X, 3, func(*mixture.GMMOptions) {}).History()); math.Abs(l-c.number("loglik")) > 1e-2 {
			c.Errorf("k-means starts end at %v", l)
		}
	},
	"gmm-mixS-50it": func(c *check) {
		X, _ := labelled(c, "mix_S.csv", math.MaxInt)
		n, _ := X.Dims()
		p := mixture.GMMParameters{Weights: []float64{.25, .25, .25, .25}}
		for k := range 4 {
			p.Means = append(p.Means, mat.Row(nil, k, X))
			p.Covariances = append(p.Covariances, [][]float64{{1, 0}, {0, 1}})
		}
		spread := 0.0
		for j := range 2 {
			spread += stat.PopVariance(mat.Col(nil, j, X), nil) / 2
		}
		// The reference adds 1e-6 in squared units of X, FitGMM a share of the variances of the columns.
		m := gmm(c, X, 4, func(o *mixture.GMMOptions) {
			o.Start, o.Tol, o.MaxIter, o.Reg = must(mixture.NewGMM(p)), estimator.None, 50, 1e-6/spread
		})
		for name, it := range map[string]int{"mean_loglik_first": 0, "mean_loglik_after_10": 10, "mean_loglik_after_50": 50} {
			c.near(name, m.History()[it]/float64(n))
		}
		c.near("weights", m.Weights())
		c.near("means", m.Means())
	},
	"em-coins-dobatzoglou": func(c *check) {
		steps := must(
			mixture.EM(
				c.Context(),
				[]float64{.6, .5},
				must(mixture.Coins([]int{5, 9, 8, 4, 7}, 10)),
				mixture.EMOptions{Tol: estimator.None, MaxIter: 500},
			),
		)
		for name, it := range map[string]int{"after_1": 1, "after_10": 10, "limit": 500} {
			c.near(name, steps[it].Theta)
		}
	},
	"gmm-singularity": func(c *check) {
		X := column(0, 0, 0, 1, 2, 3)
		o := mixture.GMMOptions{K: 2}
		o.Start, o.MaxIter = normals(half, []float64{0, 2}, []float64{1e-2, 1}, ""), 2000
		m := must(mixture.FitGMM(c.Context(), X, o))
		if l := last(m.History()); math.IsInf(l, 0) || math.IsNaN(l) {
			c.Errorf("log-likelihood %v", l)
		}
		_, variances := onLine(m)
		if least := c.number("variance_at_least"); slices.Min(variances) < least {
			c.Errorf("variances %v, want at least %v", variances, least)
		}
		o.Reg = estimator.None
		_, err := mixture.FitGMM(c.Context(), X, o)
		var collapse *mixture.CollapseError
		if !errors.As(err, &collapse) {
			c.Fatalf("without regularisation: error %v", err)
		}
		c.near("collapsed_component_without_regularisation", collapse.Component)
	},
	"gmm-nine-points": func(c *check) {
		X := column(0, 1, 2, 3, 5, 7, 8, 9, 10)
		m := gmm(c, X, 2, func(o *mixture.GMMOptions) {
			o.Start, o.Reg, o.Tol, o.MaxIter, o.Trace = normals(half, []float64{3, 6}, []float64{9, 9}, ""), estimator.None, estimator.None, 40, true
		})
		var l, h []float64
		for _, it := range []int{0, 1, 2, 5, 40} {
			l, h = append(l, m.Iterations()[it].LogLik), append(h, m.Iterations()[it].H)
		}
		c.near("loglik_0_1_2_5_40", l)
		c.near("entropy_0_1_2_5_40", h)
		for name, it := range map[string]int{"after_1": 1, "after_40": 40} {
			g := m.Iterations()[it].Model
			means, variances := onLine(g)
			c.near(name+".weights", g.Weights())
			c.near(name+".means", means)
			c.near(name+".variances", variances)
		}
	},
	"gmm-three-gaussians": func(c *check) {
		m := threeNormals()
		mean, cov := m.Moments()
		c.near("mean", mean[0])
		c.near("variance", cov[0][0])
		c.near("density_20_40_70", []float64{m.Density(20), m.Density(40), m.Density(70)})
		c.near("peaks", []float64{m.Component(0, 20), m.Component(1, 40), m.Component(2, 70)})
		c.near("responsibilities_30", m.Responsibilities(30))
		c.near("parameters", m.FreeParameters())
	},
	"gmm-tail": func(c *check) {
		m := threeNormals()
		for name, x := range map[string]float64{"near": 30, "right": 1000, "left": -900} {
			c.near(name+".log_density", must(m.LogDensities(column(x)))[0])
			c.near(name+".responsibilities", m.Responsibilities(x))
		}
	},
	"gmm-means-only": func(c *check) {
		X := column(0, 1, 2, 8, 9, 10)
		two := func(a, b, variance float64) *mixture.GMM {
			return normals(half, []float64{a, b}, []float64{variance, variance}, mixture.Spherical)
		}
		var hypotheses []float64
		for _, m := range [][2]float64{{1, 9}, {4, 6}, {5, 5}} {
			hypotheses = append(hypotheses, must(two(m[0], m[1], 1).LogLikelihood(X)))
		}
		c.near("hypotheses", hypotheses)
		m := gmm(c, X, 2, func(o *mixture.GMMOptions) {
			o.Covariance, o.HoldWeights, o.HoldCovariances, o.Reg, o.Tol, o.MaxIter, o.Trace = mixture.Spherical, true, true, estimator.None,
				estimator.None, 3, true
			o.Start = two(0, 1, 1)
		})
		var path [][]float64
		for _, it := range m.Iterations() {
			means, _ := onLine(it.Model)
			path = append(path, means)
		}
		c.near("path", path)
		c.near("loglik", m.History())
		g := must(two(2, 6, 1).MeansGradient(X))
		c.near("gradient", []float64{g[0][0], g[1][0]})
	},
}

func threeNormals() *mixture.GMM {
	return normals([]float64{.2, .5, .3}, []float64{20, 40, 70}, []float64{36, 225, 64}, "")
}

func adjustedRand(a, b []int) float64 {
	table := map[[2]int]float64{}
	rows, cols := map[int]float64{}, map[int]float64{}
	for i := range a {
		table[[2]int{a[i], b[i]}]++
		rows[a[i]]++
		cols[b[i]]++
	}
	pairs := func(n float64) float64 { return n * (n - 1) / 2 }
	var both, r, c float64
	for _, n := range table {
		both += pairs(n)
	}
	for _, n := range rows {
		r += pairs(n)
	}
	for _, n := range cols {
		c += pairs(n)
	}
	expected := r * c / pairs(float64(len(a)))
	return (both - expected) / ((r+c)/2 - expected)
}
