package plotting

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/prl/number"
)

// HistogramLayer counts values in bins of equal width. Make one with Histogram.
type HistogramLayer struct {
	style
	values  []float64
	bins    int
	lo, hi  float64
	ranged  bool
	density bool
	by      []int
	names   []string
	classed bool
}

// Histogram counts values in bins of equal width with round edges. The number of bins is chosen by the rule of Freedman and Diaconis
// (1981), at most 60.
func Histogram(values []float64) HistogramLayer { return HistogramLayer{values: slices.Clone(values)} }

// Bins sets the number of bins, from 1 to 1000, over the exact range of the values.
func (h HistogramLayer) Bins(n int) HistogramLayer { h.bins = n; return h }

// Range sets the interval the bins cover; values outside are left out and counted in the notice.
func (h HistogramLayer) Range(lo, hi float64) HistogramLayer {
	h.lo, h.hi, h.ranged = lo, hi, true
	return h
}

// Density scales the bars so that their area is 1; with By the areas of all classes together are 1.
func (h HistogramLayer) Density() HistogramLayer { h.density = true; return h }

// By draws one histogram a class, over each other, in the classes' colours; see Points.By.
func (h HistogramLayer) By(labels []int, names ...string) HistogramLayer {
	h.by, h.names, h.classed = slices.Clone(labels), slices.Clone(names), true
	return h
}

// Name sets the legend entry.
func (h HistogramLayer) Name(legend string) HistogramLayer { h.name = legend; return h }

// Class gives the bars the colour of a class.
func (h HistogramLayer) Class(name string) HistogramLayer { h.class = name; return h }

// Muted draws the bars in grey.
func (h HistogramLayer) Muted() HistogramLayer { h.muted = true; return h }

func (h HistogramLayer) check() error {
	if h.bins < 0 || h.bins > 1000 {
		return argument("Histogram.Bins", "n", fmt.Sprint(h.bins), "from 1 to 1000", "")
	}
	if h.ranged && !(h.lo < h.hi && finite(h.lo) && finite(h.hi)) {
		return argument("Histogram.Range", "lo, hi", fmt.Sprintf("%v, %v", h.lo, h.hi), "two finite numbers with lo < hi", "")
	}
	if h.classed {
		return first(
			sameLength("Histogram.By", "labels", len(h.by), "values", len(h.values), "label"),
			checkLabels("Histogram.By", h.by, h.names),
		)
	}
	return nil
}

// edges returns the bins' edges for the values that are finite.
func (h HistogramLayer) edges() []float64 {
	var v []float64
	for _, x := range h.values {
		if scene.Drawable(x) {
			v = append(v, x)
		}
	}
	lo, hi := h.lo, h.hi
	if !h.ranged {
		if len(v) == 0 {
			return []float64{0, 1}
		}
		lo, hi = slices.Min(v), slices.Max(v)
	}
	if !(hi-lo > 1e-11*max(math.Abs(lo), math.Abs(hi))) || hi-lo < 1e-290 {
		half := 0.5
		if a := math.Abs(lo); a > 1e6 || a < 1e-2 && a > 0 {
			half = a / 10
		}
		return []float64{lo - half, lo + half}
	}
	if h.bins > 0 || h.ranged {
		n := h.bins
		if n == 0 {
			n = 20
		}
		e := make([]float64, n+1)
		for i := range e {
			e[i] = lo + (hi-lo)*float64(i)/float64(n)
		}
		e[n] = hi
		return e
	}
	slices.Sort(v)
	iqr := quantile(v, 0.75) - quantile(v, 0.25)
	width := 2 * iqr / math.Cbrt(float64(len(v)))
	n := 10.0
	if width > 0 {
		n = 1.4 * (hi - lo) / width
	} else {
		n = math.Ceil(math.Log2(float64(len(v)))) + 1 // Sturges
	}
	step := scene.NiceStep(hi-lo, int(min(max(n, 4), 60)))
	first, last := math.Floor(lo/step+1e-9), math.Ceil(hi/step-1e-9)
	if last <= first || last-first > 200 {
		return []float64{lo, hi}
	}
	var e []float64
	for i := first; i <= last; i++ {
		e = append(e, i*step)
	}
	// Rounding must not leave the extreme values just outside the outer edges.
	e[0], e[len(e)-1] = math.Min(e[0], lo), math.Max(e[len(e)-1], hi)
	return e
}

// quantile interpolates between the order statistics of the sorted v, as R's type 7.
func quantile(v []float64, p float64) float64 {
	at := p * float64(len(v)-1)
	i := int(at)
	if i+1 >= len(v) {
		return v[len(v)-1]
	}
	return v[i] + (at-float64(i))*(v[i+1]-v[i])
}

// manyMembers is the number of values above which bars and cells do not carry their rows, to keep figures small.
const manyMembers = 2000

// counts returns the height of the bars of each class, the rows that each counts, and how many values have no bin.
func (h HistogramLayer) counts(edges []float64) (heights [][]float64, rows [][][]int, lost int) {
	K := 1
	if h.classed {
		K = classCount(h.by, h.names)
	}
	heights, rows = make([][]float64, K), make([][][]int, K)
	for k := range heights {
		heights[k], rows[k] = make([]float64, len(edges)-1), make([][]int, len(edges)-1)
	}
	used := 0
	lo, hi := edges[0], edges[len(edges)-1]
	for i, v := range h.values {
		if !scene.Drawable(v) || v < lo || v > hi {
			lost++
			continue
		}
		b := int(float64(len(edges)-1) * (v - lo) / (hi - lo))
		b = min(max(b, 0), len(edges)-2)
		for b > 0 && v < edges[b] {
			b--
		}
		for b < len(edges)-2 && v >= edges[b+1] {
			b++
		}
		k := 0
		if h.classed {
			k = h.by[i]
		}
		heights[k][b]++
		rows[k][b] = append(rows[k][b], i)
		used++
	}
	if h.density && used > 0 {
		for k := range heights {
			for b := range heights[k] {
				heights[k][b] /= float64(used) * (edges[b+1] - edges[b])
			}
		}
	}
	return heights, rows, lost
}

func (h HistogramLayer) survey(v *survey) {
	edges := h.edges()
	heights, _, _ := h.counts(edges)
	v.x.soft(edges...)
	v.y.hard(0)
	for _, row := range heights {
		v.y.soft(row...)
	}
	if h.classed {
		for k := range classCount(h.by, h.names) {
			v.pic.slot(className(h.names, k))
		}
	} else {
		h.claim(v)
	}
}

func (h HistogramLayer) lower(d *panelDrawing) {
	edges := h.edges()
	heights, rows, lost := h.counts(edges)
	d.drop(lost)
	what := "count"
	if h.density {
		what = "density"
	}
	for k, row := range heights {
		colour, key := h.colour(d), h.key()
		alpha := 0.75
		if h.classed {
			key = className(h.names, k)
			colour = slotPaint(d.slot(key))
			alpha = 0.5
		}
		m := scene.Mark{
			Kind:   scene.Rects,
			Key:    key,
			Fill:   opacity(colour, alpha),
			Stroke: scene.Paint{Token: scene.TokenBackground},
			Width:  0.75,
			Clip:   true,
			Smooth: true,
		}
		if h.classed {
			m.Stroke = opacity(colour, 0.9)
		}
		base := 0.0
		if d.y.Log {
			base = d.y.Lo
		}
		for b, v := range row {
			if v == 0 || !d.x.Shows(edges[b]) {
				continue
			}
			if d.linked && len(h.values) <= manyMembers {
				m.Members = append(m.Members, rows[k][b])
			}
			m.XY, m.XY2 = append(m.XY, [2]float64{edges[b], base}), append(m.XY2, [2]float64{edges[b+1], v})
			m.Notes = append(m.Notes, number.Format(edges[b], 3)+" to "+number.Format(edges[b+1], 3)+"\n"+what+" "+scene.FormatNumber(v))
			d.rowText(key, scene.FormatNumber(edges[b])+" to "+scene.FormatNumber(edges[b+1]), scene.FormatNumber(v), "")
		}
		d.add(m)
		d.entry(scene.LegendEntry{Key: key, Fill: m.Fill, Stroke: m.Stroke, Width: 1, Swatch: true})
	}
	d.describe("a histogram of %s in %s", count(len(h.values)-lost, "value"), count(len(edges)-1, "bin"))
}
