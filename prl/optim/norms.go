package optim

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A Norm measures moves: L1, L2, LInf, or Ellipse for sqrt(u'Pu).
type Norm struct {
	name string
	p    *mat.Cholesky
}

// The norms of a move: the sum of its components' sizes, its length, and its largest component.
var (
	L1   = Norm{name: "L1"}
	L2   = Norm{name: "L2"}
	LInf = Norm{name: "L∞"}
)

// Ellipse returns the norm sqrt(u'Pu) of a positive definite matrix P.
func Ellipse(P mat.Symmetric) (Norm, error) {
	var c mat.Cholesky
	if P == nil || !c.Factorize(P) {
		return Norm{}, fault.Argument("optim.Ellipse", "P", "a matrix that is not", "a positive definite matrix", "")
	}
	return Norm{"P", &c}, nil
}

func (n Norm) String() string { return n.name }

// Downhill returns the direction u of norm 1 in which g falls fastest, the least g.u, and the dual norm of g, which is -g.u:
//
//	L1: -sgn(g_k) e_k for the largest |g_k|    L2: -g/|g|    L∞: -sgn(g)    P: -P^-1 g / sqrt(g'P^-1 g)
//
// For L1 the first of equal components counts, for L∞ a component that is zero does not move; other choices are as good.
// The gradient zero has no such direction: u is 0.
func (n Norm) Downhill(g []float64) (u []float64, dual float64) {
	u = make([]float64, len(g))
	if len(g) == 0 {
		return u, 0
	}
	switch n.name {
	case "L1":
		k := 0
		for i, v := range g {
			if math.Abs(v) > math.Abs(g[k]) {
				k = i
			}
		}
		dual = math.Abs(g[k])
		u[k] = -sign(g[k])
	case "L∞":
		dual = floats.Norm(g, 1)
		for i, v := range g {
			u[i] = -sign(v)
		}
	case "P":
		dir := mat.NewVecDense(len(g), u)
		_ = n.p.SolveVecTo(dir, mat.NewVecDense(len(g), g)) // the worst that it reports is a large condition
		dual = math.Sqrt(max(0, floats.Dot(g, u)))
		floats.Scale(-ratio(1, dual), u)
	default:
		dual = floats.Norm(g, 2)
		floats.AddScaled(u, -ratio(1, dual), g)
	}
	if dual == 0 {
		clear(u)
	}
	return u, dual
}

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
