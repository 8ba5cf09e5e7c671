package perceptron

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// PassiveOptions are the settings of passive-aggressive learning. A field that is zero stands for its default.
type PassiveOptions struct {
	C           float64 // the price of slack, > 0, math.Inf(1) for none; default 1
	Squared     bool    // the slack is squared (PA-II) in place of linear (PA-I)
	NoIntercept bool    // b stays 0
	Shuffle     bool    // each pass goes through the rows in a new random order
	Seed        uint64  // of the random orders; default 1
	Tol         float64 // a pass whose hinge losses are all at most this ends the run, > 0; default 1e-3
	MaxIter     int     // passes over the rows, at most; default 1000
}

func checkPassive(op string, o PassiveOptions) error {
	if !math.IsInf(o.C, 1) {
		if err := estimator.CheckPositive(op, "C", cmp.Or(o.C, 1), 1); err != nil {
			return err
		}
	}
	if err := estimator.CheckPositive(op, "Tol", cmp.Or(o.Tol, 1e-3), 1e-3); err != nil {
		return err
	}
	return estimator.CheckCount(op, "MaxIter", cmp.Or(o.MaxIter, 1000), 1, math.MaxInt)
}

// FitPassive trains a passive-aggressive classifier on X (n x d) with the classes y. A row of hinge loss l = max(0, 1 - y s(x)) moves theta
// by tau y (1, x), to the nearest theta without that loss, or less far where the price of slack says so:
//
//	tau = min(C, l/|(1, x)|^2)  (PA-I),    tau = l / (|(1, x)|^2 + 1/(2C))  (Squared, PA-II).
//
// Source: K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz and Y. Singer (2006), Online passive-aggressive algorithms, JMLR 7, figure 1.
//
// Errors: unusable data, labels or options; the error of ctx.
func FitPassive(ctx context.Context, X mat.Matrix, y []int, o PassiveOptions) (*Model, error) {
	const op = "perceptron.FitPassive"
	if err := checkPassive(op, o); err != nil {
		return nil, err
	}
	c, tol := cmp.Or(o.C, 1), cmp.Or(o.Tol, 1e-3)
	pass := Options{NoIntercept: o.NoIntercept, Shuffle: o.Shuffle, Seed: o.Seed, MaxIter: o.MaxIter}
	return online(ctx, op, "passive-aggressive", X, y, &pass, func(p *plain, to *course) memory {
		to.step = func(i int, score float64) float64 {
			square := floats.Dot(p.x.RawRowView(i), p.x.RawRowView(i))
			if !o.NoIntercept {
				square++
			}
			switch loss := 1 - score; {
			case loss <= tol || square == 0:
				return 0
			case o.Squared:
				return loss / (square + 1/(2*c))
			default:
				return min(c, loss/square)
			}
		}
		return p
	})
}

// online trains a linear model whose rule of learning prepare sets: it returns the memory.
func online(
	ctx context.Context, op, title string, X mat.Matrix, y []int, o *Options, prepare func(*plain, *course) memory,
) (*Model, error) {
	l, err := labelled(ctx, op, X, y, *o)
	if err != nil {
		return nil, err
	}
	s := state{D: l.D, K: l.K, Title: title, NoIntercept: o.NoIntercept}
	for k := range l.K {
		if l.K == 2 && k == 0 {
			continue
		}
		c := newCourse(signs(l.Y, k), o, l.D)
		p := &plain{x: l.Dense(), theta: make([]float64, l.D+1), noIntercept: o.NoIntercept}
		if err := c.learn(ctx, prepare(p, c)); err != nil {
			return nil, err
		}
		s.Machines = append(s.Machines, machine{
			Theta: p.theta, Mistakes: sum(c.run.Errors), Passes: len(c.run.Errors), Clean: c.run.Clean,
		})
	}
	m := &Model{s: s}
	return m, fault.In(op, m.prepare())
}
