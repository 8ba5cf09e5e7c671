package density

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A Rule finds the width of a window. Scott and Silverman give the standard deviation of the bump along an axis, whatever its form; in
// whitened data the deviation s of the rows is 1.
type Rule string

const (
	Scott      Rule = "scott"      // s n^(-1/(d+4)), s^2 the mean variance of the columns
	Silverman  Rule = "silverman"  // 0.9 min(s, IQR/1.34) n^(-1/5) of one column; (4/(d+2))^(1/(d+4)) times Scott's of more
	Likelihood Rule = "likelihood" // the largest log-likelihood of each row under the bumps of the others
	LSCV       Rule = "lscv"       // least squares cross-validation: the lowest local minimum, of the window of Gauss
)

func (r Rule) check(function string, w Window) error {
	switch r {
	case "", Scott, Silverman, Likelihood:
		return nil
	case LSCV:
		if w == "" || w == Gauss {
			return nil
		}
		return fault.Argument(function, "Rule", fmt.Sprintf("%q of the window %q", r, w), "the window of Gauss", "use the rule likelihood")
	}
	return fault.Argument(function, "Rule", fmt.Sprintf("%q", r), `"scott", "silverman", "likelihood" or "lscv"`, "")
}

// find returns the width by a rule.
func (m *Parzen) find(ctx context.Context, function string, rule Rule) (float64, error) {
	scott, s := m.scott()
	if !(scott > 0) {
		return 0, fault.Argument(function, "X", "rows without spread", "at least 2 different rows", "set Width")
	}
	switch rule {
	case Scott:
		return scott, nil
	case Silverman:
		h := scott * math.Pow(4/float64(m.d+2), 1/float64(m.d+4))
		if m.d == 1 {
			sorted := slices.Clone(m.z)
			slices.Sort(sorted)
			if iqr := quantile(sorted, 0.75) - quantile(sorted, 0.25); iqr > 0 {
				s = min(s, iqr/1.34)
			}
			h = 0.9 * s * math.Pow(float64(m.n), -0.2) / m.window.spread(1)
		}
		return h, nil
	}
	score := func(h float64) float64 { return m.leftOut(ctx, h) }
	if rule == LSCV {
		score = func(h float64) float64 { return -m.lscv(ctx, h) }
	}
	const steps = 60
	lo, hi := math.Log(scott/40), math.Log(scott*6)
	at := func(i int) float64 { return lo + (hi-lo)*float64(i)/steps }
	values := make([]float64, steps+1)
	for i := range values {
		values[i] = score(math.Exp(at(i)))
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	best := -1
	for i, v := range values {
		inside := i > 0 && i < steps && v >= values[i-1] && v >= values[i+1]
		if (inside || rule == Likelihood) && !math.IsInf(v, -1) && (best < 0 || v > values[best]) {
			best = i
		}
	}
	if best <= 0 || best == steps {
		got := fmt.Sprintf("data for which the rule %q has no optimum between %.3g and %.3g", rule, scott/40, 6*scott)
		return 0, fault.Argument(function, "X", got,
			"data with an optimum inside", "rows tied with others draw the width to zero; set Width, or use another rule")
	}
	a, b := at(best-1), at(best+1)
	for range 50 { // golden section
		c, d := b-(b-a)/math.Phi, a+(b-a)/math.Phi
		if score(math.Exp(c)) >= score(math.Exp(d)) {
			b = d
		} else {
			a = c
		}
	}
	return math.Exp((a + b) / 2), ctx.Err()
}

// scott returns the width by Scott's rule, and s.
func (m *Parzen) scott() (h, s float64) {
	if m.n < 2 {
		return 0, 0
	}
	mean := make([]float64, m.d)
	for i, v := range m.z {
		mean[i%m.d] += (v - m.z[i%m.d]) / float64(m.n)
	}
	sum := 0.0
	for i, v := range m.z {
		v -= mean[i%m.d] + m.z[i%m.d]
		sum += v * v / (float64(m.n-1) * float64(m.d))
	}
	s = math.Sqrt(sum)
	return s * math.Pow(float64(m.n), -1/float64(m.d+4)) / m.window.spread(m.d), s
}

// quantile interpolates between sorted numbers, as R's type 7 does.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	j := min(i+1, len(sorted)-1)
	return sorted[i] + (at-float64(i))*(sorted[j]-sorted[i])
}

// over sums f of the pile of each row, without its own bump, over all rows. The sum means nothing once the context has ended.
func (m *Parzen) over(ctx context.Context, h float64, f func(p pile) float64) float64 {
	parts := make([]float64, m.n)
	share.Ranges(share.Workers(m.n, float64(m.n)*float64(m.n)*(1.5+0.3*float64(m.d))), m.n, func(_, from, to int) {
		room := make([]float64, tile.Padded(parzenRows))
		for i := from; i < to && ctx.Err() == nil; i++ {
			parts[i] = f(m.pileAt(m.z[i*m.d:(i+1)*m.d], h, i, room))
		}
	})
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum
}

func (m *Parzen) leftOut(ctx context.Context, h float64) float64 {
	norm := m.logNorm(h) + math.Log(float64(m.n-1))
	return m.over(ctx, h, func(p pile) float64 { return p.log() - norm })
}

// lscv is the integral of p^2 less twice the mean of the densities of the others: with N of variance 2 h^2 and h^2,
//
//	1/n^2 sum_ij N(x_i - x_j; 2 h^2) - 2/(n (n-1)) sum_{i != j} N(x_i - x_j; h^2).
func (m *Parzen) lscv(ctx context.Context, h float64) float64 {
	n := float64(m.n)
	plain := func(p pile) float64 { return math.Exp(p.top) * p.sum }
	wide := math.Sqrt2 * h
	square := (n + m.over(ctx, wide, plain)) * math.Exp(-m.logNorm(wide)) / (n * n)
	return square - 2*m.over(ctx, h, plain)*math.Exp(-m.logNorm(h))/(n*(n-1))
}

// LeaveOneOut returns sum_i log p_(-i)(x_i) in nats, the log-likelihood of each row under the bumps of all others. Errors: a model without
// a fit, or of a single row.
func (m *Parzen) LeaveOneOut() (float64, error) {
	if err := m.several("density.Parzen.LeaveOneOut"); err != nil {
		return 0, err
	}
	return m.leftOut(context.Background(), m.h), nil
}

// LSCV returns the criterion of least squares cross-validation, which has the mean integral of p^2 - 2 p f under the true density f. It
// falls to minus infinity as h vanishes when many rows are tied. Source: Rudemo 1982; Bowman, Biometrika 71 (1984). Errors: a model without
// a fit, of a single row, or of another window than that of Gauss.
func (m *Parzen) LSCV() (float64, error) {
	const name = "density.Parzen.LSCV"
	if err := m.several(name); err != nil {
		return 0, err
	}
	if err := LSCV.check(name, m.window); err != nil {
		return 0, err
	}
	return m.lscv(context.Background(), m.h), nil
}

func (m *Parzen) several(function string) error {
	if m.d == 0 {
		return estimator.Unfitted(function)
	}
	if m.n < 2 {
		return fault.Argument(function, "X", "one row", "at least 2 rows", "")
	}
	return nil
}
