package linear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/eigen"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A group is columns that enter together, in the directions in which their products are diagonal.
type group struct {
	columns []int
	values  []float64 // squared lengths along the directions
	vectors []float64 // the directions, row by row
	level   float64   // the root of the number of columns
}

// GroupLasso minimises RSS / 2n + lambda sum_g sqrt(p_g) |w_g|_2, where groups[j] is the number, from 0, of the group of column j, p_g the
// number of its columns and w_g their coefficients. It minimises over one group after the other: w_g = (G + t/|w_g| I)^-1 z, whose length
// is the root of a function of one variable. The duality gap ends the search.
//
// Source: Yuan and Lin (2006).
//
// Errors: unusable data, targets, weights, groups or options; an L1 below 1; sweeps that do not suffice.
func GroupLasso(ctx context.Context, X mat.Matrix, y []float64, groups []int, o LassoOptions) (*LassoFit, error) {
	const op = "linear.GroupLasso"
	if err := o.fill(op); err != nil {
		return nil, err
	}
	if err := o.admit(op, o.Lambda); err != nil {
		return nil, err
	}
	if o.L1 != 1 {
		return nil, fault.Argument(op, "L1", o.L1, "1", "the group lasso has one penalty")
	}
	p, err := newDesign(ctx, op, X, y, o.Rows, 0)
	if err != nil {
		return nil, err
	}
	p.rescale(o.Standardize, 1)
	s := newDescent(p, o)
	list, err := s.groups(ctx, op, groups)
	if err != nil {
		return nil, err
	}
	s.one = o.Scaling.sum(o.Lambda, p.weight) / 2 / p.yScale
	for s.sweeps = 0; ; s.sweeps++ {
		if s.closeGroups(list) {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if s.sweeps >= o.MaxIter {
			return nil, &IterationError[*LassoFit]{op, o.MaxIter, s.grouped(o.Lambda, list)}
		}
		for _, g := range list {
			s.minimise(g)
		}
	}
	return s.grouped(o.Lambda, list), nil
}

// grouped returns the present state.
func (s *descent) grouped(lambda float64, list []group) *LassoFit {
	f := s.fit(lambda)
	f.s.Method = "group lasso"
	f.l.Objective = f.l.RSS / 2
	for _, g := range list {
		f.l.Objective += s.one * g.level * length(pick(s.b, g.columns)) * s.yScale * s.yScale
	}
	return f
}

func pick(x []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for i, j := range at {
		out[i] = x[j]
	}
	return out
}

func (s *descent) groups(ctx context.Context, op string, of []int) ([]group, error) {
	if len(of) != s.d {
		return nil, fault.Argument(op, "groups", fmt.Sprintf("%d numbers", len(of)), fmt.Sprintf("one for each of the %d columns", s.d), "")
	}
	for j, g := range of {
		if g < 0 || g >= s.d {
			return nil, fault.Argument(op, fmt.Sprintf("groups[%d]", j), g, "the number of a group, from 0", "number the groups without gaps")
		}
	}
	list := make([]group, slices.Max(of)+1)
	for j, g := range of {
		list[g].columns = append(list[g].columns, j)
	}
	for i := range list {
		g := &list[i]
		k := len(g.columns)
		if k == 0 {
			return nil, fault.Argument(op, "groups", fmt.Sprintf("without group %d", i), "groups 0 ... without gaps", "")
		}
		a := make([]float64, k*k)
		for i, c := range g.columns {
			for j, e := range g.columns {
				a[i*k+j] = tile.Dot(s.column(c), s.column(e))
			}
		}
		var err error
		if g.values, g.vectors, err = eigen.Symmetric(ctx, a, k, k); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		g.level = math.Sqrt(float64(k))
	}
	return list, nil
}

// minimise solves for the coefficients of one group.
func (s *descent) minimise(g group) {
	k, t := len(g.columns), s.one*g.level
	z, old := make([]float64, k), make([]float64, k) // along the directions
	for i := range k {
		for j, c := range g.columns {
			z[i] += g.vectors[i*k+j] * tile.Dot(s.column(c), s.r)
			old[i] += g.vectors[i*k+j] * s.b[c]
		}
	}
	for i := range z {
		z[i] += max(0, g.values[i]) * old[i]
	}
	// phi(r) = |(G r + t)^-1 z| falls in r, and is 1 at the length r of the solution; Newton's steps on 1 / phi, which is nearly
	// straight, rise to it.
	w := make([]float64, k)
	if t == 0 {
		for i, v := range z {
			if g.values[i] > 1e-14*g.values[0] {
				w[i] = v / g.values[i]
			}
		}
	} else {
		r := 0.0
		for range 100 {
			phi, slope := 0.0, 0.0
			for i, v := range z {
				by := max(0, g.values[i])*r + t
				u := v / by
				phi += u * u
				slope -= u * u * (max(0, g.values[i]) / by)
			}
			if phi = math.Sqrt(phi); !(phi > 1) {
				break
			}
			step := (1 - phi) * phi * phi / slope
			if r += step; !(step > 1e-15*r) {
				break
			}
		}
		for i, v := range z {
			w[i] = v * r / (max(0, g.values[i])*r + t)
		}
	}
	for j, c := range g.columns {
		v := 0.0
		for i := range k {
			v += g.vectors[i*k+j] * w[i]
		}
		if v != s.b[c] {
			tile.AddScaled(s.r, s.b[c]-v, s.column(c))
			s.b[c] = v
		}
	}
}

// closeGroups is close for the penalty of groups.
func (s *descent) closeGroups(list []group) bool {
	if s.one == 0 {
		s.gap = math.NaN()
		level := 1e-10 * length(s.y)
		for j := range s.d {
			if math.Abs(tile.Dot(s.column(j), s.r)) > level*s.norm[j] {
				return false
			}
		}
		return true
	}
	shrink, sum := 1.0, 0.0
	for _, g := range list {
		norm := 0.0
		for _, c := range g.columns {
			norm = math.Hypot(norm, tile.Dot(s.column(c), s.r))
		}
		if t := s.one * g.level; norm > t {
			shrink = min(shrink, t/norm)
		}
		sum += g.level * length(pick(s.b, g.columns))
	}
	yy, rr := square(s.y), square(s.r)
	s.gap = max(0, rr/2+s.one*sum-(shrink*dot(s.y, s.r)-shrink*shrink/2*rr))
	return s.gap <= s.o.Tol*yy/2
}
