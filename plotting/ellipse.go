package plotting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/prl/number"
)

// EllipseLayer is the set of points at Mahalanobis distance k from a mean. Make one with Ellipse.
type EllipseLayer struct {
	style
	mean       []float64
	cov        [][]float64
	sigma      float64
	dash, fill bool
	width      float64
	nilCov     bool
}

// Ellipse draws {x : (x - mean)' cov^-1 (x - mean) = k^2}, k = 1 by default, for a mean of length 2 and a 2 x 2 covariance. A
// singular covariance gives a segment.
func Ellipse(mean []float64, cov mat.Symmetric) EllipseLayer {
	e := EllipseLayer{mean: slices.Clone(mean), sigma: 1}
	if cov == nil {
		e.nilCov = true
		return e
	}
	n := cov.SymmetricDim()
	for i := range n {
		row := make([]float64, n)
		for j := range n {
			row[j] = cov.At(i, j)
		}
		e.cov = append(e.cov, row)
	}
	return e
}

// EllipseOf is Ellipse for a covariance given by rows.
func EllipseOf(mean []float64, cov [][]float64) EllipseLayer {
	e := EllipseLayer{mean: slices.Clone(mean), sigma: 1}
	for _, row := range cov {
		e.cov = append(e.cov, slices.Clone(row))
	}
	return e
}

// Sigma sets the Mahalanobis distance k.
func (e EllipseLayer) Sigma(k float64) EllipseLayer { e.sigma = k; return e }

// Name sets the legend entry.
func (e EllipseLayer) Name(legend string) EllipseLayer { e.name = legend; return e }

// Class gives the ellipse the colour of a class.
func (e EllipseLayer) Class(name string) EllipseLayer { e.class = name; return e }

// Dash draws the line dashed.
func (e EllipseLayer) Dash() EllipseLayer { e.dash = true; return e }

// Fill tints the inside.
func (e EllipseLayer) Fill() EllipseLayer { e.fill = true; return e }

// Accent draws the ellipse in the accent colour.
func (e EllipseLayer) Accent() EllipseLayer { e.accent = true; return e }

// Muted draws the ellipse in grey.
func (e EllipseLayer) Muted() EllipseLayer { e.muted = true; return e }

// Width sets the width of the line in pixels; the default is 2.
func (e EllipseLayer) Width(px float64) EllipseLayer { e.width = px; return e }

func (e EllipseLayer) check() error {
	if len(e.mean) != 2 {
		return argument("Ellipse", "mean", count(len(e.mean), "number"), "of length 2", "project the model to two features first")
	}
	if e.nilCov {
		return argument("Ellipse", "cov", "nil", "a 2 x 2 covariance", "")
	}
	if len(e.cov) != 2 || len(e.cov[0]) != 2 || len(e.cov[1]) != 2 {
		return argument("Ellipse", "cov", fmt.Sprintf("%d x ...", len(e.cov)), "2 x 2", "project the model to two features first")
	}
	if !(e.sigma > 0) || math.IsInf(e.sigma, 0) {
		return argument("Ellipse.Sigma", "k", fmt.Sprint(e.sigma), "a positive number", "")
	}
	for i, v := range []float64{e.mean[0], e.mean[1]} {
		if !finite(v) {
			return argument("Ellipse", fmt.Sprintf("mean[%d]", i), fmt.Sprint(v), "a finite number", "")
		}
	}
	a, b, c, d := e.cov[0][0], e.cov[0][1], e.cov[1][0], e.cov[1][1]
	if !finite(a) || !finite(b) || !finite(c) || !finite(d) {
		return argument("Ellipse", "cov", fmt.Sprint(e.cov), "finite", "")
	}
	scale := math.Abs(a) + math.Abs(d)
	if math.Abs(b-c) > 1e-6*scale {
		return argument("Ellipse", "cov", fmt.Sprint(e.cov), "symmetric", "")
	}
	if a < 0 || d < 0 || a*d-b*b < -1e-9*scale*scale {
		return argument("Ellipse", "cov", fmt.Sprint(e.cov), "positive semidefinite", "")
	}
	return checkPixels("Ellipse.Width", e.width)
}

// ring returns 96 points of the ellipse, anticlockwise.
func (e EllipseLayer) ring() [][2]float64 {
	a, b, d := e.cov[0][0], (e.cov[0][1]+e.cov[1][0])/2, e.cov[1][1]
	mid, r := (a+d)/2, math.Hypot((a-d)/2, b)
	s1, s2 := math.Sqrt(max(mid+r, 0)), math.Sqrt(max(mid-r, 0))
	sin, cos := math.Sincos(math.Atan2(2*b, a-d) / 2)
	ring := make([][2]float64, 96)
	for i := range ring {
		v, u := math.Sincos(2 * math.Pi * float64(i) / float64(len(ring)))
		u, v = u*s1*e.sigma, v*s2*e.sigma
		ring[i] = [2]float64{e.mean[0] + cos*u - sin*v, e.mean[1] + sin*u + cos*v}
	}
	return ring
}

func (e EllipseLayer) survey(v *survey) {
	for _, p := range e.ring() {
		v.x.soft(p[0])
		v.y.soft(p[1])
	}
	e.claim(v)
}

func (e EllipseLayer) lower(d *panelDrawing) {
	ring := e.ring()
	for _, p := range ring {
		if !d.ok(p[0], p[1]) {
			d.drop(1)
			return
		}
	}
	l := e.style
	colour := l.colour(d)
	m := scene.Mark{
		Kind:   scene.Areas,
		Key:    l.key(),
		Stroke: colour,
		Width:  orPx(e.width, 2),
		Dash:   pattern(e.dash, false),
		Rings:  [][][2]float64{ring},
		Clip:   true,
		Smooth: true,
	}
	if e.fill {
		m.Fill = opacity(colour, 0.16)
	}
	d.add(m)
	d.entry(scene.LegendEntry{Key: l.key(), Stroke: colour, Width: m.Width, Dash: m.Dash})
	d.describe("an ellipse%s around (%s, %s)", named(l.key()), number.Format(e.mean[0], 3), number.Format(e.mean[1], 3))
	d.row(l.key(), e.mean[0], e.mean[1], "centre of an ellipse")
}
