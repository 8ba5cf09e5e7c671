package reference

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/mixture"
)

func TestHMM(t *testing.T) { run(t, "hmm") }

func symbols(c *check, file string) []int {
	var out []int
	for _, r := range lists(c, file) {
		out = append(out, int(r[0]))
	}
	return out
}

func hmm(start []float64, a, b [][]float64) *markov.HMM {
	return must(markov.NewHMM(markov.Parameters{Start: start, Transitions: a, Emissions: b}))
}

var hmmCases = runners{
	"hmm-umbrella-smoothing": func(c *check) {
		a, b := [][]float64{{.7, .3}, {.3, .7}}, [][]float64{{.9, .1}, {.2, .8}}
		start := must(must(markov.NewChain(markov.ChainParameters{Start: []float64{.5, .5}, Transitions: a})).After(1))
		m := hmm(start, a, b)
		obs := []int{0, 0, 1, 0, 0}
		f, p, beta := must(m.Forward(obs)), must(m.Posterior(obs)), must(m.Backward(obs))
		var filtered []float64
		for _, r := range f.Alpha {
			filtered = append(filtered, r[0])
		}
		c.near("filtered_rain", filtered)
		c.near("smoothed_rain", mat.Col(nil, 0, p))
		c.near("likelihood", math.Exp(f.LogLik))
		var day [2]float64
		for i := range day {
			for j := range 2 {
				day[i] += .5 * a[i][j] * b[j][0] * beta[0][j]
			}
		}
		c.near("smoothed_day0", day[0]/(day[0]+day[1]))
	},
	"hmm-icecream-313": func(c *check) {
		m := hmm([]float64{.8, .2}, [][]float64{{.6, .4}, {.5, .5}}, [][]float64{{.2, .4, .4}, {.5, .4, .1}})
		obs := []int{2, 0, 2}
		c.near("alpha", must(m.ForwardNaive(obs)))
		c.near("likelihood", math.Exp(must(m.LogLikelihood(obs))))
		path := must(m.Viterbi(obs))
		c.near("path", path.States)
		c.near("viterbi", math.Exp(path.LogProb))
	},
	"hmm-weather": func(c *check) {
		m := hmm([]float64{.6, .4}, [][]float64{{.7, .3}, {.4, .6}}, [][]float64{{.1, .4, .5}, {.6, .3, .1}})
		path := must(m.Viterbi([]int{0, 1, 2}))
		c.near("path", path.States)
		c.near("viterbi", math.Exp(path.LogProb))
		c.near("posterior_rainy", mat.Col(nil, 0, must(m.Posterior([]int{0, 1, 2}))))
	},
	"hmm-fever": func(c *check) {
		m := hmm([]float64{.6, .4}, [][]float64{{.7, .3}, {.4, .6}}, [][]float64{{.5, .4, .1}, {.1, .3, .6}})
		tr := must(m.Trellis([]int{0, 1, 2}))
		c.near("path", tr.Path)
		c.near("viterbi", tr.Prob)
		c.near("delta", tr.Delta)
	},
	"hmm-brute-force": func(c *check) {
		m := hmm(
			[]float64{.5, .3, .2},
			[][]float64{{.6, .3, .1}, {.25, .5, .25}, {.1, .2, .7}},
			[][]float64{{.7, .2, .1}, {.2, .6, .2}, {.05, .25, .7}},
		)
		obs := []int{0, 2, 1, 1, 2, 0}
		l := must(m.LogLikelihood(obs))
		c.near("loglik", l)
		c.near("likelihood", math.Exp(l))
		c.near("posterior", must(m.Posterior(obs)))
		c.near("best_path", must(m.Viterbi(obs)).States)
		var probs []float64
		for _, p := range must(m.KBest(obs, 4)) {
			probs = append(probs, math.Exp(p.LogProb))
		}
		c.near("best_probs", probs)
		o := markov.BaumWelchOptions{}
		o.MaxIter, o.Tol = 1, estimator.None
		got := must(markov.BaumWelch(c.Context(), m, [][]int{obs}, o))
		c.near("start_after_1", got.Model.Start())
		c.near("A_after_1", got.Model.Transitions())
		c.near("B_after_1", got.Model.Emissions())
		c.near("loglik_after_1", last(got.LogLik))
	},
	"gaussian-hmm-brute-force": func(c *check) {
		m := must(
			markov.NewGaussianHMM(
				markov.GaussianParameters{
					Start:       []float64{.6, .4},
					Transitions: [][]float64{{.8, .2}, {.3, .7}},
					Means:       [][]float64{{0}, {3}},
					Covariances: [][][]float64{{{1}}, {{4}}},
				},
			),
		)
		X := column(0.5, -1.25, 2.75, 4, 3.5, 0.25, -0.5, 6)
		c.near("loglik", must(m.LogLikelihood(X)))
		c.near("posterior_first_state", mat.Col(nil, 0, must(m.Posterior(X))))
		path := must(m.Viterbi(X))
		c.near("viterbi_path", path.States)
		c.near("viterbi_logprob", path.LogProb)
	},
	"gaussian-hmm-faithful": func(c *check) {
		X := datasets.Faithful().X
		variances := [][]float64{{.5, 0}, {0, 50}}
		free, band := [][]float64{{.6, .2, .2}, {.2, .6, .2}, {.2, .2, .6}}, [][]float64{{.7, .3, 0}, {0, .7, .3}, {0, 0, 1}}
		for _, name := range []string{"full", "tied", "diagonal", "spherical", "left_right"} {
			p := markov.GaussianParameters{
				Start: []float64{.5, .3, .2}, Transitions: free, Means: [][]float64{{2, 55}, {4.3, 80}, {3.5, 70}}, Kind: mixture.Covariance(name),
				Covariances: [][][]float64{variances, variances, variances},
			}
			lengths := []int{150, 122}
			switch name {
			case "spherical":
				ball := [][]float64{{25, 0}, {0, 25}}
				p.Covariances = [][][]float64{ball, ball, ball}
			case "left_right":
				p.Kind, p.Start, p.Transitions, lengths = mixture.Full, []float64{1, 0, 0}, band, []int{50, 60, 40, 72, 50}
			}
			var sequences []mat.Matrix
			at := 0
			for _, n := range lengths {
				sequences = append(sequences, X.Slice(at, at+n, 0, 2))
				at += n
			}
			o := markov.BaumWelchOptions{}
			o.MaxIter, o.Tol, o.Reg = 10, estimator.None, estimator.None
			got := must(markov.BaumWelchGaussian(c.Context(), must(markov.NewGaussianHMM(p)), sequences, o))
			c.near(name+".loglik", got.LogLik)
			c.near(name+".start", got.Model.Start())
			c.near(name+".transitions", got.Model.Transitions())
			c.near(name+".means", got.Model.Means())
			c.near(name+".covariances", got.Model.Covariances())
			sum, sizes := 0.0, make([]int, 3)
			for _, X := range sequences {
				path := must(got.Model.Viterbi(X))
				sum += path.LogProb
				for _, i := range path.States {
					sizes[i]++
				}
			}
			c.near(name+".viterbi", sum)
			c.near(name+".sizes", sizes)
		}
	},
	"mixture-hmm-faithful": func(c *check) {
		X := datasets.Faithful().X
		for _, kind := range []mixture.Covariance{mixture.Full, mixture.Diagonal, mixture.Spherical} {
			cov := [][]float64{{.25, 0}, {0, 40}}
			if kind == mixture.Spherical {
				cov = [][]float64{{20, 0}, {0, 20}}
			}
			m := must(markov.NewGaussianHMM(markov.GaussianParameters{
				Start: []float64{.4, .6}, Transitions: [][]float64{{.3, .7}, {.6, .4}}, Weights: [][]float64{{.5, .5}, {.4, .6}}, Kind: kind,
				Means: [][]float64{{1.8, 50}, {2.5, 60}, {4, 78}, {4.6, 84}}, Covariances: [][][]float64{cov, cov, cov, cov},
			}))
			name := string(kind) + "."
			c.near(name+"loglik", must(m.LogLikelihood(X)))
			c.near(name+"posterior", mat.Col(nil, 0, must(m.Posterior(X)))[:8])
			c.near(name+"viterbi", must(m.Viterbi(X)).LogProb)
			o := markov.BaumWelchOptions{}
			o.MaxIter, o.Tol, o.Reg = 1, estimator.None, estimator.None
			for range 3000 { // one by one, for a fit stops where the log-likelihood rises by less than its rounding
				m = must(markov.BaumWelchGaussian(c.Context(), m, []mat.Matrix{X}, o)).Model
			}
			c.near(name+"loglik_end", must(m.LogLikelihood(X)))
			c.near(name+"weights_end", m.Weights())
			c.near(name+"transitions_end", m.Transitions())
			means := m.Means()
			c.near(name+"means_end", [][][]float64{means[:2], means[2:]})
		}
	},
	"hmm-baumwelch-200": func(c *check) {
		m := hmm(lists(c, "hmm_S_pi0.csv")[0], lists(c, "hmm_S_A0.csv"), lists(c, "hmm_S_B0.csv"))
		obs := [][]int{symbols(c, "hmm_S.csv")}
		o := markov.BaumWelchOptions{}
		o.MaxIter, o.Tol = 20, estimator.None
		got := must(markov.BaumWelch(c.Context(), m, obs, o))
		c.near("loglik_sequence", got.LogLik)
		c.near("A_after_20", got.Model.Transitions())
		o.MaxIter = 1
		got = must(markov.BaumWelch(c.Context(), m, obs, o))
		c.near("A_after_1", got.Model.Transitions())
		c.near("B_after_1", got.Model.Emissions())
	},
	"hmm-underflow-10000": func(c *check) {
		m := hmm(lists(c, "hmm_M_pi.csv")[0], lists(c, "hmm_M_A.csv"), lists(c, "hmm_M_B.csv"))
		obs := symbols(c, "hmm_M.csv")
		c.near("loglik", must(m.LogLikelihood(obs)))
		path := must(m.Viterbi(obs))
		c.near("viterbi_logprob", path.LogProb)
		c.near("viterbi_logprob", must(m.Joint(obs, path.States)))
	},
	"hmm-tagging-cs4780": func(c *check) {
		m := must(markov.NewHMM(markov.Tagging()))
		obs := must(m.Encode("I", "bank", "at", "CFCU"))
		tr := must(m.Trellis(obs))
		c.near("delta", tr.Delta)
		c.near("back_2", tr.Back[1])
		for i, name := range []string{"branches_DET", "branches_PRP", "branches_N"} {
			c.near(name, must(m.Branches(obs, 1, i)))
		}
		c.near("path", m.Names(tr.Path))
		c.near("prob", tr.Prob)
		likelihood := math.Exp(must(m.LogLikelihood(obs)))
		c.near("likelihood", likelihood)
		c.near("share", tr.Prob/likelihood)
		c.near("joint_NVNV", math.Exp(must(m.Joint(obs, must(m.Index("N", "V", "N", "V"))))))
		numbers, free := m.Parameters()
		c.near("parameters", []int{numbers, free})
		count := 0
		if err := m.Paths(obs, func([]int, float64) bool { count++; return true }); err != nil {
			c.Error(err)
		}
		c.near("sequences", count)
	},
	"chain-land-of-oz": func(c *check) {
		m := must(
			markov.NewChain(
				markov.ChainParameters{Start: []float64{1, 0, 0}, Transitions: [][]float64{{.5, .25, .25}, {.5, 0, .5}, {.25, .25, .5}}},
			),
		)
		c.near("stationary", must(m.Stationary()))
		c.near("square", must(m.Power(2)))
	},
	"chain-ehrenfest": func(c *check) {
		a := make([][]float64, 5)
		for i := range a {
			a[i] = make([]float64, 5)
			if i > 0 {
				a[i][i-1] = float64(i) / 4
			}
			if i < 4 {
				a[i][i+1] = float64(4-i) / 4
			}
		}
		m := must(markov.NewChain(markov.ChainParameters{Start: []float64{1, 0, 0, 0, 0}, Transitions: a}))
		c.near("stationary", must(m.Stationary()))
		c.near("cube", must(m.Power(3)))
		c.near("period", must(m.Period(0)))
		if m.Ergodic() {
			c.Error("a periodic chain is not ergodic")
		}
	},
}
