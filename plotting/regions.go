package plotting

import (
	"fmt"
	"slices"
	"sync"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// RegionsLayer shows the decision regions of a classifier. Make one with Regions.
type RegionsLayer struct {
	f          func(x, y float64) int
	field      *Field // f tells the side of its zero line; nil for any other function
	kept       *partitions
	names      []string
	noBoundary bool
	resolution int
}

// Regions tints the panel by the class f(x, y) in 0..K-1 and draws the boundaries; names are the classes' names. A negative value is
// left untinted. The function is called from several goroutines at once on a grid of 96 x 96 (64 x 64 when it is very slow), then along
// the grid edges where the class changes, so that the boundary is placed to a thousandth of a cell. A layer that is drawn again on the same
// axes does not ask it again: a program that keeps its layers draws them at no cost while other things move.
func Regions(f func(x, y float64) int, names ...string) RegionsLayer {
	return RegionsLayer{f: f, names: slices.Clone(names), kept: new(partitions)}
}

// NoBoundary leaves the boundary lines out.
func (r RegionsLayer) NoBoundary() RegionsLayer { r.noBoundary = true; return r }

// Resolution sets the number of grid cells along each axis, from 4 to 512.
func (r RegionsLayer) Resolution(n int) RegionsLayer { r.resolution = n; return r }

func (r RegionsLayer) check() error {
	if r.f == nil {
		return argument("Regions", "f", "nil", "a function (x, y) -> class", "")
	}
	return checkResolution("Regions", r.resolution)
}

func checkResolution(layer string, n int) error {
	if n == 0 || n >= 4 && n <= 512 {
		return nil
	}
	return argument(layer+".Resolution", "n", fmt.Sprint(n), "from 4 to 512", "")
}

// tints are the weights of the classes' colours: unequal, so that neighbouring regions differ in grey too.
var tints = [classSlots]float64{0.13, 0.25, 0.32, 0.16, 0.38, 0.20, 0.34, 0.12, 0.22, 0.30, 0.16, 0.26, 0.34, 0.14, 0.36, 0.24}

func (r RegionsLayer) survey(v *survey) {
	for _, name := range r.names {
		v.pic.slot(name)
	}
}

// labelName names class k: by the layer's names, or else by the classes that other layers have named.
func (r RegionsLayer) labelName(d *panelDrawing, k int) string {
	if len(r.names) == 0 && k < len(d.order) && d.order[k] != "" && d.order[k][0] != 0 {
		return d.order[k]
	}
	return className(r.names, k)
}

// partitions are what a layer was last drawn as: at rest, and as a draft.
type partitions struct {
	mu   sync.Mutex
	last [2]partition
}

// A partition are the boundaries between the labels, in shares of the axes, and the labels that occur.
type partition struct {
	x, y   scene.Axis // what the boundaries belong to
	fine   fineness
	lines  mesh
	labels []int
}

// partition returns what the layer is drawn as, and keeps it.
func (r RegionsLayer) partition(x, y scene.Axis, fine fineness) (mesh, []int, error) {
	which := 0
	if fine.draft {
		which = 1
	}
	r.kept.mu.Lock()
	last := r.kept.last[which]
	r.kept.mu.Unlock()
	if len(last.labels) > 0 && last.fine == fine && sameRange(last.x, x) && sameRange(last.y, y) {
		return last.lines, last.labels, nil
	}
	m, labels, err := r.divide(x, y, fine)
	if err == nil {
		r.kept.mu.Lock()
		r.kept.last[which] = partition{x, y, fine, m, labels}
		r.kept.mu.Unlock()
	}
	return m, labels, err
}

// sameRange reports whether a raster over one axis is one over the other.
func sameRange(a, b scene.Axis) bool { return a.Lo == b.Lo && a.Hi == b.Hi && a.Log == b.Log }

// divide finds the boundaries between the labels, in shares of the axes, and the labels that occur.
func (r RegionsLayer) divide(x, y scene.Axis, fine fineness) (mesh, []int, error) {
	if r.field != nil {
		grid, whole, err := r.field.sample(x, y, fine)
		if err != nil {
			return mesh{}, nil, err
		}
		if whole {
			var labels []int
			if slices.ContainsFunc(grid.values, func(v float64) bool { return v < 0 }) {
				labels = append(labels, 0)
			}
			if slices.ContainsFunc(grid.values, func(v float64) bool { return v >= 0 }) {
				labels = append(labels, 1)
			}
			var m mesh
			err := parallel(1, func(int) { m = r.field.trace(x, y, grid, 0) }) // for its recovery from a panic
			return m, labels, err
		}
	}
	f := func(a, b float64) int { return min(max(r.f(a, b), -1), 999) }
	var grid raster[int]
	var err error
	halvings := 10
	if fine.draft {
		halvings = 5
	}
	if fine.draft && fine.cells >= coarsest {
		grid, err = sparse(x, y, fine.cells+fine.cells%2, f)
	} else {
		grid, err = sample(x, y, fine.cells, f)
	}
	if err != nil {
		return mesh{}, nil, err
	}
	n := grid.n
	// The crossings of all edges, rows in parallel.
	across, along := make([]float64, (n+1)*(n+1)), make([]float64, (n+1)*(n+1))
	share := func(i float64) float64 { return i / float64(n) }
	err = parallel(n+1, func(j int) {
		for i := range n + 1 {
			k := j*(n+1) + i
			a := grid.values[k]
			if i < n && a != grid.values[k+1] {
				across[k] = bisect(halvings, func(s float64) bool { return f(x.Value(share(float64(i)+s)), grid.y[j]) == a })
			}
			if j < n && a != grid.values[k+n+1] {
				along[k] = bisect(halvings, func(s float64) bool { return f(grid.x[i], y.Value(share(float64(j)+s))) == a })
			}
		}
	})
	if err != nil {
		return mesh{}, nil, err
	}
	at := func(p [2]float64) int { return f(x.Value(p[0]), y.Value(p[1])) }
	t := tracer{
		n: n, labels: grid.values,
		cross: func(i, j, di, dj int) float64 {
			if dj == 1 {
				return along[j*(n+1)+i]
			}
			return across[j*(n+1)+i]
		},
		centre: func(i, j int) int { return at([2]float64{share(float64(i) + 0.5), share(float64(j) + 0.5)}) },
		// a corner of an axis-parallel cut: close to c, the side towards the odd corner has its label and the far side has not
		corner: func(i, j int, odd, c [2]float64) bool {
			const e = 0.02
			in := [2]float64{c[0] + e*(odd[0]-c[0]), c[1] + e*(odd[1]-c[1])}
			out := [2]float64{c[0] - e*(odd[0]-c[0]), c[1] - e*(odd[1]-c[1])}
			return at(in) != at(out)
		},
	}
	var m mesh
	if e := parallel(1, func(int) { m = t.trace() }); e != nil {
		return mesh{}, nil, e
	}
	var labels []int
	for _, k := range grid.values {
		if k >= 0 && !slices.Contains(labels, k) {
			labels = append(labels, k)
		}
	}
	slices.Sort(labels)
	return m, labels, nil
}

// bisect returns where in [0, 1] same, true at 0 and false at 1, changes, after halving the interval so many times.
func bisect(halvings int, same func(s float64) bool) float64 {
	lo, hi := 0.0, 1.0
	for range halvings {
		if mid := (lo + hi) / 2; same(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

func (r RegionsLayer) lower(d *panelDrawing) {
	m, labels, err := r.partition(d.x, d.y, d.fineness(r.resolution))
	if err != nil {
		d.fail(err)
		return
	}
	K := len(r.names)
	for _, k := range labels {
		K = max(K, k+1)
	}
	var parts []string
	for k := range K {
		if !slices.Contains(labels, k) {
			if len(r.names) > 0 { // keeps the IDs of the marks from frame to frame
				d.count++
			}
			continue
		}
		name := r.labelName(d, k)
		slot := d.slot(name)
		fill := opacity(slotPaint(slot), tints[slot%classSlots])
		d.add(scene.Mark{Kind: scene.Areas, Z: d.under(), Key: name, Fill: fill, Rings: d.fromShares(m.rings(k), true)})
		d.entry(scene.LegendEntry{Key: name, Fill: fill, Swatch: true})
		parts = append(parts, name)
	}
	if !r.noBoundary {
		d.count = K
		d.add(
			scene.Mark{
				Kind:   scene.Paths,
				Z:      d.under(),
				Stroke: scene.Paint{Token: scene.TokenForeground, Opacity: 0.75},
				Width:  1.25,
				Rings:  d.fromShares(m.lines(), false),
			},
		)
	}
	d.describe("decision regions of %s", joinSome(parts, 8))
}
