package bayes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A Conic is the shape of the real zeros of a quadratic x^T A x + b^T x + c in the plane, such as the boundary between two Gaussian classes
// (see Discriminant).
type Conic int

const (
	// Everywhere is the whole plane: the quadratic vanishes identically.
	Everywhere Conic = iota
	// Nowhere is the empty set: one class has the whole plane.
	Nowhere
	// OnePoint is a single point.
	OnePoint
	// Line is one straight line.
	Line
	// ParallelLines are two parallel lines.
	ParallelLines
	// CrossingLines are two lines through one point.
	CrossingLines
	// Circle is an ellipse with equal axes.
	Circle
	// Ellipse has eigenvalues of A of one sign.
	Ellipse
	// Parabola has one eigenvalue 0 and a slope along its axis.
	Parabola
	// Hyperbola has eigenvalues of A of both signs.
	Hyperbola
)

// String returns "two crossing lines" and the like.
func (k Conic) String() string {
	names := []string{
		"the whole plane", "nothing", "a point", "a line", "two parallel lines", "two crossing lines", "a circle", "an ellipse", "a parabola",
		"a hyperbola",
	}
	if k < 0 || int(k) >= len(names) {
		return fmt.Sprintf("Conic(%d)", int(k))
	}
	return names[k]
}

// ConicOf names the real zeros of x^T A x + b^T x + c in the plane. With the eigenvalues l and orthonormal eigenvectors of A, and b in
// their coordinates, a square is completed for each l that is not 0: what is left of c, and of b along an l that is 0, decides. A number
// counts as 0 when it is below 1e-9 times those it is a difference of; A and b count as 0 below 1e-9 times the largest coefficient, so the
// answer supposes units in which the figure is neither huge nor tiny.
//
// It fails with an *fault.ArgumentError when A is not 2 x 2, b has not two numbers, or one of them is not finite.
func ConicOf(A mat.Symmetric, b []float64, c float64) (Conic, error) {
	const f, tol = "bayes.ConicOf", 1e-9
	if isNil(A) || A.SymmetricDim() != 2 || len(b) != 2 {
		return 0, fault.Argument(f, "the quadratic", "of another dimension", "A 2 x 2 and b of two numbers", "")
	}
	p, q, r := A.At(0, 0), A.At(0, 1), A.At(1, 1)
	if sum := p + q + r + b[0] + b[1] + c; sum-sum != 0 {
		return 0, fault.Argument(f, "a coefficient", "not finite", "finite numbers", "")
	}
	// l1 is the eigenvalue of larger size, along (cos t, sin t).
	mean, half := p/2+r/2, math.Hypot(p/2-r/2, q)
	t := 0.5 * math.Atan2(2*q, p-r)
	l1, l2 := mean+half, mean-half
	b1, b2 := b[0]*math.Cos(t)+b[1]*math.Sin(t), b[1]*math.Cos(t)-b[0]*math.Sin(t)
	if math.Abs(l1) < math.Abs(l2) {
		l1, l2, b1, b2 = l2, l1, b2, b1
	}
	slope := math.Max(math.Abs(b1), math.Abs(b2))
	size := math.Max(math.Max(math.Abs(l1), slope), math.Abs(c))
	if math.Abs(l1) <= tol*size {
		switch {
		case slope > tol*size:
			return Line, nil
		case c != 0:
			return Nowhere, nil
		}
		return Everywhere, nil
	}
	rest, terms := c-b1*b1/(4*l1), math.Abs(c)+b1*b1/math.Abs(4*l1)
	flat := math.Abs(l2) <= tol*math.Abs(l1)
	if !flat {
		rest, terms = rest-b2*b2/(4*l2), terms+b2*b2/math.Abs(4*l2)
	}
	tie, inside := math.Abs(rest) <= tol*terms, rest*l1 < 0
	switch {
	case flat && math.Abs(b2) > tol*size:
		return Parabola, nil
	case flat && tie:
		return Line, nil
	case flat && inside:
		return ParallelLines, nil
	case flat:
		return Nowhere, nil
	case l1*l2 < 0 && tie:
		return CrossingLines, nil
	case l1*l2 < 0:
		return Hyperbola, nil
	case tie:
		return OnePoint, nil
	case !inside:
		return Nowhere, nil
	case math.Abs(l1-l2) <= tol*math.Abs(l1):
		return Circle, nil
	}
	return Ellipse, nil
}
