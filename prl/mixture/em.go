package mixture

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// A Problem is what EM needs to know of a model with parameters T and one hidden label for each observation.
type Problem[T any] struct {
	// LogJoint returns the n x K matrix log p(x_i, k; theta).
	LogJoint func(theta T) [][]float64
	// Maximise is the M-step: the theta that maximises sum_ik r_ik log p(x_i, k; theta).
	Maximise func(r [][]float64, theta T) (T, error)
}

// EMOptions set the generic EM.
type EMOptions struct {
	MaxIter  int     // default 100; estimator.None only evaluates the start
	Tol      float64 // stop when the log-likelihood rises by less, default 1e-12; estimator.None runs all iterations
	Progress estimator.ProgressFunc
}

// A Step is one step of the generic EM. LogLik = Q + H.
type Step[T any] struct {
	Theta            T
	LogLik           float64     // nats
	Q                float64     // expected complete log-likelihood under its own responsibilities
	H                float64     // entropy of the hidden labels
	Responsibilities [][]float64 // n x K
}

// EM runs expectation maximisation from start and returns every step, the start first: E computes the responsibilities, M maximises
// Q(theta_i; theta). The log-likelihood never falls, and where theta no longer moves its slope is zero: that may be a maximum, a lower one
// among several, or a saddle. Source: Dempster, Laird and Rubin, Journal of the Royal Statistical Society B 39 (1977); on where it ends,
// Wu, Annals of Statistics 11 (1983).
func EM[T any](ctx context.Context, start T, p Problem[T], o EMOptions) ([]Step[T], error) {
	const function = "mixture.EM"
	if p.LogJoint == nil || p.Maximise == nil {
		return nil, fault.Argument(function, "p", "without LogJoint or Maximise", "a Problem with both functions", "")
	}
	estimator.Or(&o.MaxIter, 100)
	estimator.Or(&o.Tol, 1e-12)
	if err := estimator.CheckCount(function, "MaxIter", o.MaxIter, 0, math.MaxInt); err != nil {
		return nil, err
	}
	if !(o.Tol >= 0) || math.IsInf(o.Tol, 0) {
		return nil, fault.Argument(function, "Tol", o.Tol, "a finite number of at least 0", "the default is 1e-12")
	}
	var steps []Step[T]
	theta := start
	for it := 0; ; it++ {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: stopped after %d iterations: %w", function, it, err)
		}
		s := Step[T]{Theta: theta, Responsibilities: estimator.CloneRows(p.LogJoint(theta))}
		for _, row := range s.Responsibilities {
			s.LogLik += gauss.Softmax(row)
			for _, v := range row {
				if v > 0 {
					s.H -= v * math.Log(v)
				}
			}
		}
		s.Q = s.LogLik - s.H
		if math.IsNaN(s.LogLik) || math.IsInf(s.LogLik, 0) {
			return nil, fault.Argument(
				function,
				"theta",
				fmt.Sprintf("%v with log-likelihood %v in iteration %d", theta, s.LogLik, it),
				"parameters of a finite log-likelihood",
				"start elsewhere, or keep the parameters away from their limits",
			)
		}
		steps = append(steps, s)
		if it > 0 && o.Progress != nil {
			o.Progress(estimator.Progress{Iteration: it, Of: o.MaxIter, Objective: s.LogLik})
		}
		if it == o.MaxIter || it > 0 && o.Tol > 0 && s.LogLik-steps[it-1].LogLik < o.Tol {
			return steps, nil
		}
		var err error
		if theta, err = p.Maximise(s.Responsibilities, theta); err != nil {
			return nil, fmt.Errorf("%s: M-step %d: %w", function, it+1, err)
		}
	}
}

// Bound returns the lower bound of the log-likelihood that touches it at step s: Q(s.Theta; theta) + H(s.Theta; s.Theta).
func Bound[T any](p Problem[T], s Step[T], theta T) float64 {
	sum := s.H
	for i, row := range p.LogJoint(theta) {
		for k, l := range row {
			if r := s.Responsibilities[i][k]; r > 0 {
				sum += r * l
			}
		}
	}
	return sum
}

// LogLik returns the log-likelihood of theta, sum_i log sum_k p(x_i, k; theta).
func LogLik[T any](p Problem[T], theta T) float64 {
	sum := 0.0
	for _, row := range estimator.CloneRows(p.LogJoint(theta)) {
		sum += gauss.Softmax(row)
	}
	return sum
}

// Coins is the mixture of binomial distributions with equal weights: each observation is a number of heads in the given number of tosses of
// one of the coins, nobody knows which. theta holds the heads probability of each coin. With two coins it is the example of C. B. Do and S.
// Batzoglou, What is the expectation maximization algorithm?, Nature Biotechnology 26 (2008).
func Coins(heads []int, tosses int) (Problem[[]float64], error) {
	const function = "mixture.Coins"
	var none Problem[[]float64]
	if len(heads) == 0 {
		return none, fault.Argument(function, "heads", "empty", "one count of heads for each round", "")
	}
	if err := estimator.CheckCount(function, "tosses", tosses, 1, 1<<30); err != nil {
		return none, err
	}
	choose := make([]float64, len(heads))
	for i, h := range heads {
		if err := estimator.CheckCount(function, fmt.Sprintf("heads[%d]", i), h, 0, tosses); err != nil {
			return none, err
		}
		all, _ := math.Lgamma(float64(tosses + 1))
		in, _ := math.Lgamma(float64(h + 1))
		out, _ := math.Lgamma(float64(tosses - h + 1))
		choose[i] = all - in - out
	}
	counts := append([]int(nil), heads...)
	return Problem[[]float64]{
		LogJoint: func(theta []float64) [][]float64 {
			l := make([][]float64, len(counts))
			for i, h := range counts {
				l[i] = make([]float64, len(theta))
				for k, p := range theta {
					l[i][k] = choose[i] - math.Log(float64(len(theta))) + power(p, h) + power(1-p, tosses-h)
				}
			}
			return l
		},
		Maximise: func(r [][]float64, theta []float64) ([]float64, error) {
			out := make([]float64, len(theta))
			for k := range out {
				up, all := 0.0, 0.0
				for i, h := range counts {
					up += r[i][k] * float64(h)
					all += r[i][k] * float64(tosses)
				}
				if !(all > 0) {
					return nil, fmt.Errorf("coin %d explains no round", k+1)
				}
				out[k] = up / all
			}
			return out, nil
		},
	}, nil
}

// power returns n log p with 0 log 0 = 0.
func power(p float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return float64(n) * math.Log(p)
}

// Gaussians is the Gaussian mixture on the rows of X as a Problem of the generic EM; theta gives the type of the covariances, Reg and the
// Hold settings of o count, nothing else of it does. FitGMM does the same faster.
func Gaussians(X mat.Matrix, o GMMOptions) (Problem[*GMM], error) {
	o = o.filled()
	const function = "mixture.Gaussians"
	if err := estimator.CheckX(function, X); err != nil {
		return Problem[*GMM]{}, err
	}
	dense := estimator.Dense(X)
	n, d := dense.Dims()
	reg := ridge(o.Reg, dense.RawMatrix().Data, n, d, nil)
	return Problem[*GMM]{
		LogJoint: func(theta *GMM) [][]float64 {
			l := cut(make([]float64, n*theta.k), theta.k)
			for i := range l {
				theta.logJoint(l[i], dense.RawRowView(i))
			}
			return l
		},
		Maximise: func(r [][]float64, theta *GMM) (*GMM, error) {
			if theta.d != d {
				return nil, fault.Argument(function, "theta", fmt.Sprintf("in %d dimensions", theta.d), fmt.Sprintf("in %d dimensions like X", d), "")
			}
			var flat []float64
			for _, row := range r {
				flat = append(flat, row...)
			}
			return theta.maximise(
				context.Background(),
				dense.RawMatrix().Data,
				n,
				nil,
				flat,
				reg,
				hold{o.HoldWeights, o.HoldMeans, o.HoldCovariances},
			)
		},
	}, nil
}
