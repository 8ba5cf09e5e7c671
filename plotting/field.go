package plotting

import (
	"sync"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// A Field is a function of the plane that several layers of a figure show: it is sampled once, and each of its level lines is traced once.
// The regions of a classifier of two classes, its boundary and its margins cost hardly more than one of them. The zero Field is not usable;
// make one with NewField.
type Field struct {
	f func(x, y float64) float64

	mu    sync.Mutex
	x, y  scene.Axis // what the raster and the lines belong to
	fine  fineness
	grid  raster[float64]
	whole bool             // all values of the raster can be drawn
	lines map[float64]mesh // by level; of a whole raster only
}

// NewField returns the field of f, which is called from several goroutines at once.
func NewField(f func(x, y float64) float64) *Field { return &Field{f: f} }

// Contours draws the lines f(x, y) = level, as the function Contours does.
func (q *Field) Contours() ContoursLayer { return ContoursLayer{field: q} }

// Regions tints the two sides of the line f(x, y) = 0: the first class is where f is negative, the second where it is 0 or more. The names
// are those of the two classes.
func (q *Field) Regions(names ...string) RegionsLayer {
	r := Regions(nil, names...)
	r.field = q
	if q != nil && q.f != nil {
		r.f = func(x, y float64) int {
			if q.f(x, y) >= 0 {
				return 1
			}
			return 0
		}
	}
	return r
}

// sample returns the values on a raster, and whether all can be drawn. The caller does not change them.
func (q *Field) sample(x, y scene.Axis, fine fineness) (grid raster[float64], whole bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lines != nil && q.fine == fine && sameRange(q.x, x) && sameRange(q.y, y) {
		return q.grid, q.whole, nil
	}
	if grid, err = sample(x, y, fine.cells, q.f); err != nil {
		return grid, false, err
	}
	whole = true
	for _, v := range grid.values {
		whole = whole && scene.Drawable(v)
	}
	q.x, q.y, q.fine, q.grid, q.whole, q.lines = x, y, fine, grid, whole, make(map[float64]mesh)
	return grid, whole, nil
}

// trace returns the level line over a raster that sample has returned as whole.
func (q *Field) trace(x, y scene.Axis, grid raster[float64], level float64) mesh {
	q.mu.Lock()
	m, ok := q.lines[level]
	draft := q.fine.draft
	current := len(q.grid.values) > 0 && &q.grid.values[0] == &grid.values[0]
	q.mu.Unlock()
	if ok && current {
		return m
	}
	m = isolines(q.f, x, y, grid, level, draft)
	if current {
		q.mu.Lock()
		if &q.grid.values[0] == &grid.values[0] { // no other figure has sampled meanwhile
			q.lines[level] = m
		}
		q.mu.Unlock()
	}
	return m
}
