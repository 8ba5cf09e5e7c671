package plotting

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// DensityLayer is a kernel density estimate. Make one with Density.
type DensityLayer struct {
	style
	values    []float64
	bandwidth float64
	by        []int
	names     []string
	classed   bool
	fill      bool
}

// Density draws the Gaussian kernel density estimate (1/nh) sum phi((x - x_i)/h). The bandwidth h is by default Silverman's (1986, eq.
// 3.31): 0.9 min(s, IQR/1.34) n^(-1/5).
func Density(values []float64) DensityLayer { return DensityLayer{values: slices.Clone(values)} }

// Bandwidth sets h, in the units of the values.
func (d DensityLayer) Bandwidth(h float64) DensityLayer { d.bandwidth = h; return d }

// By draws one curve a class, each weighted by the class's share so that all areas together are 1; see Points.By.
func (d DensityLayer) By(labels []int, names ...string) DensityLayer {
	d.by, d.names, d.classed = slices.Clone(labels), slices.Clone(names), true
	return d
}

// Name sets the legend entry.
func (d DensityLayer) Name(legend string) DensityLayer { d.name = legend; return d }

// Class gives the curve the colour of a class.
func (d DensityLayer) Class(name string) DensityLayer { d.class = name; return d }

// Fill tints the area under the curve.
func (d DensityLayer) Fill() DensityLayer { d.fill = true; return d }

// Accent draws the curve in the accent colour.
func (d DensityLayer) Accent() DensityLayer { d.accent = true; return d }

// Muted draws the curve in grey.
func (d DensityLayer) Muted() DensityLayer { d.muted = true; return d }

func (d DensityLayer) check() error {
	if d.bandwidth < 0 || !finite(d.bandwidth) {
		return argument("Density.Bandwidth", "h", fmt.Sprint(d.bandwidth), "a positive number", "")
	}
	if d.classed {
		return first(sameLength("Density.By", "labels", len(d.by), "values", len(d.values), "label"), checkLabels("Density.By", d.by, d.names))
	}
	return nil
}

// groups returns the finite values of each class.
func (d DensityLayer) groups() [][]float64 {
	K := 1
	if d.classed {
		K = classCount(d.by, d.names)
	}
	g := make([][]float64, K)
	for i, v := range d.values {
		if scene.Drawable(v) {
			k := 0
			if d.classed {
				k = d.by[i]
			}
			g[k] = append(g[k], v)
		}
	}
	for k := range g {
		slices.Sort(g[k])
	}
	return g
}

// width returns Silverman's bandwidth for sorted values, and for equal ones a tenth of their size.
func (d DensityLayer) width(v []float64) float64 {
	if d.bandwidth > 0 {
		return d.bandwidth
	}
	n := float64(len(v))
	mean, ss := 0.0, 0.0
	for i, x := range v {
		delta := x - mean
		mean += delta / float64(i+1)
		ss += delta * (x - mean)
	}
	s := math.Sqrt(ss / max(n-1, 1))
	if iqr := (quantile(v, 0.75) - quantile(v, 0.25)) / 1.34; iqr > 0 {
		s = min(s, iqr)
	}
	if !(s > 1e-12*math.Abs(mean)) || s < 1e-290 {
		s = max(math.Abs(mean)/10, 1e-290)
		if mean == 0 {
			s = 1
		}
	}
	return 0.9 * s * math.Pow(n, -0.2)
}

// curve samples the estimate at 200 places; share is its area.
func (d DensityLayer) curve(v []float64, share float64) [][2]float64 {
	if len(v) == 0 {
		return nil
	}
	h := d.width(v)
	lo, hi := v[0]-3*h, v[len(v)-1]+3*h
	const n = 200
	out := make([][2]float64, n+1)
	for i := range out {
		x := lo + (hi-lo)*float64(i)/n
		first, _ := slices.BinarySearch(v, x-6*h)
		sum := 0.0
		for _, xi := range v[first:] {
			if xi > x+6*h {
				break
			}
			u := (x - xi) / h
			sum += math.Exp(-u * u / 2)
		}
		out[i] = [2]float64{x, share * sum / (float64(len(v)) * h * math.Sqrt(2*math.Pi))}
	}
	return out
}

func (d DensityLayer) curves() [][][2]float64 {
	g := d.groups()
	total := 0
	for _, v := range g {
		total += len(v)
	}
	out := make([][][2]float64, len(g))
	for k, v := range g {
		out[k] = d.curve(v, float64(len(v))/float64(max(total, 1)))
	}
	return out
}

func (d DensityLayer) survey(v *survey) {
	for _, c := range d.curves() {
		for _, p := range c {
			v.x.hard(p[0])
			v.y.soft(p[1])
		}
	}
	v.y.hard(0)
	if d.classed {
		for k := range classCount(d.by, d.names) {
			v.pic.slot(className(d.names, k))
		}
	} else {
		d.claim(v)
	}
}

func (d DensityLayer) lower(p *panelDrawing) {
	for k, c := range d.curves() {
		colour, key := d.colour(p), d.key()
		if d.classed {
			key = className(d.names, k)
			colour = slotPaint(p.picture.slot(key))
		}
		c = slices.DeleteFunc(c, func(q [2]float64) bool { return !p.ok(q[0], q[1]) })
		c = p.thin(c)
		if d.fill && len(c) > 1 {
			base := 0.0
			if p.y.Log {
				base = p.y.Lo
			}
			ring := append([][2]float64{{c[0][0], base}}, c...)
			ring = append(ring, [2]float64{c[len(c)-1][0], base})
			p.add(scene.Mark{Kind: scene.Areas, Key: key, Fill: opacity(colour, 0.18), Rings: [][][2]float64{ring}, Clip: true})
		}
		m := scene.Mark{Kind: scene.Paths, Key: key, Stroke: colour, Width: 2, Clip: true}
		if len(c) > 1 {
			m.Rings = [][][2]float64{c}
		}
		p.add(m)
		p.entry(scene.LegendEntry{Key: key, Stroke: colour, Width: 2})
		for i := 0; i < len(c); i += max(len(c)/10, 1) {
			p.row(key, c[i][0], c[i][1], "")
		}
	}
	lost := 0
	for _, v := range d.values {
		if !scene.Drawable(v) {
			lost++
		}
	}
	p.drop(lost)
	p.describe("a density estimate of %s", count(len(d.values)-lost, "value"))
}
