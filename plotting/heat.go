package plotting

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/prl/number"
)

// HeatLayer shows a matrix as coloured cells. Make one with Heat.
type HeatLayer struct {
	z             [][]float64
	rows, columns []string
	format        string
	diverging     bool
	lo, hi        float64
	ranged        bool
	bar           string
	image         bool
	members       [][][]int
}

// Heat draws z[i][j] as the cell in row i (from the top) and column j. A NaN leaves its cell empty.
func Heat(z [][]float64) HeatLayer {
	h := HeatLayer{}
	for _, row := range z {
		h.z = append(h.z, slices.Clone(row))
	}
	return h
}

// Rows names the rows.
func (h HeatLayer) Rows(names ...string) HeatLayer { h.rows = slices.Clone(names); return h }

// Columns names the columns.
func (h HeatLayer) Columns(names ...string) HeatLayer { h.columns = slices.Clone(names); return h }

// Values writes the values into the cells with a format of package fmt, such as "%.2f"; an empty format writes them short.
func (h HeatLayer) Values(format string) HeatLayer {
	if format == "" {
		format = "%.4g"
	}
	h.format = format
	return h
}

// Diverging uses the ramp with a middle at 0.
func (h HeatLayer) Diverging() HeatLayer { h.diverging = true; return h }

// Range sets the values at the two ends of the ramp; the default is the range of z, and a range around 0 with Diverging.
func (h HeatLayer) Range(lo, hi float64) HeatLayer { h.lo, h.hi, h.ranged = lo, hi, true; return h }

// Label names the colour bar.
func (h HeatLayer) Label(colorBar string) HeatLayer { h.bar = colorBar; return h }

// Members tells the rows of the data set that each cell counts, for linked figures: a click on a cell selects them, and a selection fills
// the cells by the share of their rows that it holds. Of more than 2000 rows nothing is kept.
func (h HeatLayer) Members(rows [][][]int) HeatLayer {
	h.members = nil
	for _, row := range rows {
		cells := make([][]int, len(row))
		for j, of := range row {
			cells[j] = slices.Clone(of)
		}
		h.members = append(h.members, cells)
	}
	return h
}

// Image draws the matrix as a grey picture without axes: 0 is paper, the largest value ink.
func (h HeatLayer) Image() HeatLayer { h.image = true; return h }

func (h HeatLayer) check() error {
	if len(h.z) == 0 || len(h.z[0]) == 0 {
		return argument("Heat", "z", "empty", "a matrix with at least one row and one column", "")
	}
	for i, row := range h.z {
		if len(row) != len(h.z[0]) {
			return argument("Heat", fmt.Sprintf("z[%d]", i), count(len(row), "number"), fmt.Sprintf("as long as z[0]: %d", len(h.z[0])), "")
		}
	}
	if n := len(h.z) * len(h.z[0]); n > 100000 {
		return argument(
			"Heat",
			"z",
			fmt.Sprintf("%d x %d", len(h.z), len(h.z[0])),
			"at most 100,000 cells",
			"average neighbouring cells, or use Contours",
		)
	}
	if h.rows != nil {
		if err := sameLength("Heat.Rows", "names", len(h.rows), "z", len(h.z), "name"); err != nil {
			return err
		}
	}
	if h.columns != nil {
		if err := sameLength("Heat.Columns", "names", len(h.columns), "z[0]", len(h.z[0]), "name"); err != nil {
			return err
		}
	}
	if h.members != nil {
		if err := sameLength("Heat.Members", "rows", len(h.members), "z", len(h.z), "row"); err != nil {
			return err
		}
		for i, row := range h.members {
			if err := sameLength("Heat.Members", fmt.Sprintf("rows[%d]", i), len(row), "z[0]", len(h.z[0]), "cell"); err != nil {
				return err
			}
			for j, of := range row {
				if len(of) > 0 && slices.Min(of) < 0 {
					return argument("Heat.Members", fmt.Sprintf("rows[%d][%d]", i, j), fmt.Sprintf("a row %d", slices.Min(of)),
						"numbers of rows from 0", "")
				}
			}
		}
	}
	if h.ranged && !(h.lo < h.hi && finite(h.lo) && finite(h.hi)) {
		return argument("Heat.Range", "lo, hi", fmt.Sprintf("%v, %v", h.lo, h.hi), "two finite numbers with lo < hi", "")
	}
	return nil
}

// Row i of a heat map stands at y = -i, so that the first is on top.
func (h HeatLayer) survey(v *survey) {
	rows, columns := len(h.z), len(h.z[0])
	v.x.hard(-0.5, float64(columns)-0.5)
	v.y.hard(0.5-float64(rows), 0.5)
	v.noGridX, v.noGridY = true, true
	if h.image {
		v.noAxes, v.equal = true, true
	}
	v.xTicks, v.yTicks = []scene.Tick{}, []scene.Tick{}
	for j := range columns {
		if h.columns != nil {
			v.xTicks = append(v.xTicks, scene.Tick{At: float64(j), Label: scene.Clean(h.columns[j], 60)})
		} else if stride := strideOf(columns); j%stride == 0 {
			v.xTicks = append(v.xTicks, scene.Tick{At: float64(j), Label: scene.FormatNumber(float64(j))})
		}
	}
	for i := range rows {
		if h.rows != nil {
			v.yTicks = append(v.yTicks, scene.Tick{At: -float64(i), Label: scene.Clean(h.rows[i], 60)})
		} else if stride := strideOf(rows); i%stride == 0 {
			v.yTicks = append(v.yTicks, scene.Tick{At: -float64(i), Label: scene.FormatNumber(float64(i))})
		}
	}
	v.tall = min(max(float64(rows)/float64(columns), 0.3), 0.75, 0.14*float64(rows)+0.1)
	if h.image {
		v.tall = min(float64(rows)/float64(columns), 1)
	}
}

// strideOf returns how many numbered cells share a tick.
func strideOf(n int) int {
	stride := 1
	for _, s := range []int{2, 5, 10, 20, 50, 100, 200, 500, 1000} {
		if n/stride <= 15 {
			break
		}
		stride = s
	}
	return max(stride, n/20)
}

func (h HeatLayer) lower(d *panelDrawing) {
	var all []float64
	for _, row := range h.z {
		all = append(all, row...)
	}
	lo, hi := span(all, h.diverging)
	if h.ranged {
		lo, hi = h.lo, h.hi
	} else if !h.diverging && lo > 0 && hi > 0 && lo < 0.35*hi || h.image && lo > 0 { // counts and shares start at zero
		lo = 0
	}
	if h.image { // dark on light on every page: a picture is no negative
		d.add(scene.Mark{
			Kind: scene.Rects, Z: d.under(), Clip: true, Fill: scene.Paint{Token: scene.TokenPaper},
			XY: [][2]float64{{-0.5, 0.5}}, XY2: [][2]float64{{float64(len(h.z[0])) - 0.5, 0.5 - float64(len(h.z))}},
		})
	}
	m := scene.Mark{Kind: scene.Rects, Z: d.under(), Clip: true, Tiles: true}
	t := scene.Mark{Kind: scene.Texts, Z: d.over(), Size: 12, Anchor: scene.At("middle", "middle")}
	cell := min(d.w/float64(len(h.z[0])), 1.6*d.h/float64(len(h.z)))
	linked := d.linked && !h.image && h.members != nil && h.counted() <= manyMembers
	lost := 0
	z, size := h.z, 1
	if h.image && d.draft() {
		z, size = coarser(h.z, d.coarse)
	}
	side := float64(size)
	for i, row := range z {
		for j, v := range row {
			if !scene.Drawable(v) {
				lost++
				continue
			}
			x, y := float64(j)*side, -float64(i)*side
			share := min(max((v-lo)/(hi-lo), 0), 1)
			fill := rampPaint(v, lo, hi, h.diverging, 0)
			if h.image {
				if share < 0.004 {
					continue
				}
				fill = scene.Paint{Token: scene.TokenInk, Opacity: math.Round(share*100) / 100}
				if fill.Opacity == 0 {
					continue
				}
			}
			m.XY, m.XY2 = append(m.XY, [2]float64{x - 0.5, y + 0.5 - side}), append(m.XY2, [2]float64{x - 0.5 + side, y + 0.5})
			m.Fills = append(m.Fills, fill)
			if linked {
				m.Members = append(m.Members, h.members[i][j])
			}
			if !h.image {
				rowName, columnName := scene.FormatNumber(float64(i)), scene.FormatNumber(float64(j))
				if h.rows != nil {
					rowName = scene.Clean(h.rows[i], 60)
				}
				if h.columns != nil {
					columnName = scene.Clean(h.columns[j], 60)
				}
				m.Notes = append(m.Notes, rowName+", "+columnName+"\n"+scene.FormatNumber(v))
				d.rowText("", columnName, rowName, scene.FormatNumber(v))
			}
			if h.format != "" {
				s := number.Minus(fmt.Sprintf(h.format, v))
				t.XY, t.Texts = append(t.XY, [2]float64{x, y}), append(t.Texts, scene.Clean(s, 20))
				t.Fills = append(t.Fills, inkOn(fill))
				if w := scene.TextWidth(s, 12, false); w > cell-4 {
					t.Size = min(t.Size, max(12*(cell-4)/w, 4))
				}
			}
		}
	}
	if len(h.z[0]) <= 40 && len(h.z) <= 40 && !h.image {
		m.Stroke, m.Width = scene.Paint{Token: scene.TokenBackground}, 1
	}
	d.drop(lost)
	d.add(m)
	d.filled = true
	if len(t.XY) > 0 && t.Size >= 6 {
		d.add(t)
	}
	if !h.image && (h.format == "" || h.bar != "") {
		d.colorBar(h.bar, lo, hi, h.diverging)
	}
	d.describe("a heat map of %d x %d cells", len(h.z), len(h.z[0]))
}

// counted is the number of rows that the cells hold.
func (h HeatLayer) counted() (n int) {
	for _, row := range h.members {
		for _, of := range row {
			n += len(of)
		}
	}
	return n
}

// coarser returns means of square blocks of a picture, as large as leave at most so many along a side, and the size of a block. Blocks at
// the last row and column may be cut; what they are drawn over the edge is clipped.
func coarser(z [][]float64, most int) (means [][]float64, size int) {
	size = (max(len(z), len(z[0])) + most - 1) / most
	if size < 2 {
		return z, 1
	}
	for i := 0; i < len(z); i += size {
		var row []float64
		for j := 0; j < len(z[0]); j += size {
			sum, n := 0.0, 0
			for _, part := range z[i:min(i+size, len(z))] {
				for _, v := range part[j:min(j+size, len(part))] {
					sum, n = sum+v, n+1
				}
			}
			row = append(row, sum/float64(n))
		}
		means = append(means, row)
	}
	return means, size
}

// inkOn returns the paint that reads on a cell: paper on the dark part of a ramp, ink on the light one. Both are the same on every page, as
// the ramps are.
func inkOn(fill scene.Paint) scene.Paint {
	if fill.Token == scene.TokenSequential && fill.Value > 0.5 ||
		fill.Token == scene.TokenDiverging && (fill.Value < 0.17 || fill.Value > 0.86) {
		return scene.Paint{Token: scene.TokenPaper}
	}
	return scene.Paint{Token: scene.TokenInk}
}
