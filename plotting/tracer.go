package plotting

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// raster is the panel cut into n x n cells, with a value at every node. Node (i, j) stands at the share i/n of the horizontal axis and
// j/n of the vertical one.
type raster[T any] struct {
	n      int
	x, y   []float64 // data coordinates of the columns and rows of nodes
	values []T       // node (i, j) at j*(n+1)+i
}

// slowCall is what the quickest of a few calls of a function may take before the panel is cut into fewer cells: 96 x 96 calls of it last
// two seconds on one processor. Faster functions always get the full raster, so that a picture does not depend on how busy the machine is.
const slowCall = 200 * time.Microsecond

const (
	fullRaster = 96
	slowRaster = 64
)

// fineness says on how fine a raster a function is drawn.
type fineness struct {
	cells int  // along each axis; 0 leaves the number to sample
	draft bool // lines need not be smoother than a moving hand lets see
}

// sample evaluates f on the nodes, rows in parallel. n = 0 chooses the number of cells. A panic of f becomes an error.
func sample[T any](x, y scene.Axis, n int, f func(x, y float64) T) (raster[T], error) {
	var failed error
	guard := func() {
		if r := recover(); r != nil {
			failed = fmt.Errorf("plotting: the function to draw panicked: %v", r)
		}
	}
	if n == 0 {
		n = fullRaster
		func() {
			defer guard()
			least := time.Hour
			for i := range 8 {
				start := time.Now()
				f(x.Value((float64(i)+0.5)/8), y.Value(0.5))
				least = min(least, time.Since(start))
			}
			if least > slowCall {
				n = slowRaster
			}
		}()
		if failed != nil {
			return raster[T]{}, failed
		}
	}
	r := newRaster[T](x, y, n)
	err := parallel(n+1, func(j int) {
		for i := range n + 1 {
			r.values[j*(n+1)+i] = f(r.x[i], r.y[j])
		}
	})
	return r, err
}

func newRaster[T any](x, y scene.Axis, n int) raster[T] {
	r := raster[T]{n: n, x: make([]float64, n+1), y: make([]float64, n+1), values: make([]T, (n+1)*(n+1))}
	for i := range n + 1 {
		r.x[i], r.y[i] = x.Value(float64(i)/float64(n)), y.Value(float64(i)/float64(n))
	}
	return r
}

// sparse is sample for the labels of a draft, with an even number of cells: a node between nodes of one label has it too, unasked. What is
// smaller than two cells may be lost; borders are as fine as with all nodes.
func sparse(x, y scene.Axis, n int, f func(x, y float64) int) (raster[int], error) {
	r := newRaster[int](x, y, n)
	err := parallel(n/2+1, func(j int) {
		for i := 0; i <= n; i += 2 {
			r.values[2*j*(n+1)+i] = f(r.x[i], r.y[2*j])
		}
	})
	if err != nil {
		return r, err
	}
	at := func(i, j int) int { return r.values[j*(n+1)+i] }
	err = parallel(n+1, func(j int) {
		for i := 1 - j%2; i <= n; i += 1 + (j+1)%2 {
			a, b, c, e := i-i%2, i+i%2, j-j%2, j+j%2
			v := at(a, c)
			if v != at(b, c) || v != at(a, e) || v != at(b, e) {
				v = f(r.x[i], r.y[j])
			}
			r.values[j*(n+1)+i] = v
		}
	})
	return r, err
}

// parallel calls work(0..n-1) from as many goroutines as there are processors; a panic becomes an error.
func parallel(n int, work func(i int)) error {
	var wg sync.WaitGroup
	var once sync.Once
	var failed error
	workers := min(runtime.GOMAXPROCS(0), n)
	for w := range workers {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					once.Do(func() { failed = fmt.Errorf("plotting: the function to draw panicked: %v", r) })
				}
			}()
			for i := w; i < n; i += workers {
				work(i)
			}
		})
	}
	wg.Wait()
	return failed
}

// outside is the label beyond the panel's edge.
const outside = math.MinInt

// piece is a directed piece of a boundary between two vertices of a mesh, with a label on each side.
type piece struct {
	a, b        int
	left, right int
}

// mesh is the boundary between areas of equal label: vertices in shares of the axes, and pieces between them. All areas share their
// vertices, so nothing gapes between them.
type mesh struct {
	at     [][2]float64
	pieces []piece
}

// vertex adds a vertex.
func (m *mesh) vertex(p [2]float64) int {
	m.at = append(m.at, p)
	return len(m.at) - 1
}

// tracer walks over the cells of an n x n raster of labels.
type tracer struct {
	n      int
	labels []int                          // of the nodes, as in a raster
	cross  func(i, j, di, dj int) float64 // share of the edge from node (i, j) to (i+di, j+dj) at which the label changes
	centre func(i, j int) int             // label in the middle of cell (i, j), asked at saddles
	corner func(i, j int, odd, c [2]float64) bool
	mesh   mesh
}

// none is no vertex, and no piece.
const none = -1

// trace builds the mesh by marching squares. Where two labels meet in a cell a straight piece joins the two crossings of its edges; where
// three or four meet, pieces join all crossings to one point.
func (t *tracer) trace() mesh {
	n := t.n
	h := 1 / float64(n)
	label := func(i, j int) int { return t.labels[j*(n+1)+i] }
	found := slices.Repeat([]int{none}, 2*(n+1)*(n+1)) // the crossings of the edges that begin at each node, to the right and upwards
	crossing := func(i, j, di, dj int) int {
		id := &found[2*(j*(n+1)+i)+dj]
		if *id == none {
			s := t.cross(i, j, di, dj)
			*id = t.mesh.vertex([2]float64{(float64(i) + s*float64(di)) * h, (float64(j) + s*float64(dj)) * h})
		}
		return *id
	}
	for j := range n {
		below, above := t.labels[j*(n+1):(j+1)*(n+1)], t.labels[(j+1)*(n+1):(j+2)*(n+1)]
		for i := range n {
			// corners anticlockwise from the lower left; edge k joins corner k to corner k+1
			c := [4]int{below[i], below[i+1], above[i+1], above[i]}
			if c[0] == c[1] && c[1] == c[2] && c[2] == c[3] {
				continue
			}
			var ids, after [4]int // crossings, and the label that follows each anticlockwise
			var edges [4]int
			k := 0
			for e := range 4 {
				if c[e] == c[(e+1)%4] {
					continue
				}
				switch e {
				case 0:
					ids[k] = crossing(i, j, 1, 0)
				case 1:
					ids[k] = crossing(i+1, j, 0, 1)
				case 2:
					ids[k] = crossing(i, j+1, 1, 0)
				case 3:
					ids[k] = crossing(i, j, 0, 1)
				}
				after[k], edges[k] = c[(e+1)%4], e
				k++
			}
			if k == 2 {
				t.two(i, j, ids, after, edges)
				continue
			}
			if k == 4 {
				if m := t.centre(i, j); (c[0] == c[2] && m == c[0]) || (c[1] == c[3] && m == c[1]) {
					// the corners of label m hang together: cut off the other two
					for q := range 4 {
						if after[q] != m {
							t.mesh.pieces = append(t.mesh.pieces, piece{ids[(q+1)%4], ids[q], after[q], m})
						}
					}
					continue
				}
			}
			// the point where all meet
			var sx, sy, nx, ny float64
			for q := range k {
				p := t.mesh.at[ids[q]]
				if edges[q]%2 == 0 {
					sx += p[0]
					nx++
				} else {
					sy += p[1]
					ny++
				}
			}
			p := [2]float64{(float64(i) + 0.5) * h, (float64(j) + 0.5) * h}
			if nx > 0 {
				p[0] = sx / nx
			}
			if ny > 0 {
				p[1] = sy / ny
			}
			id := t.mesh.vertex(p)
			for q := range k {
				t.mesh.pieces = append(t.mesh.pieces, piece{id, ids[q], after[q], after[(q+k-1)%k]})
			}
		}
	}
	// the frame, anticlockwise, with the panel on its left
	i, j := 0, 0
	start := t.mesh.vertex([2]float64{})
	a := start
	for side := range 4 {
		di, dj := [4]int{1, 0, -1, 0}[side], [4]int{0, 1, 0, -1}[side]
		for range n {
			b := start
			if i+di != 0 || j+dj != 0 {
				b = t.mesh.vertex([2]float64{float64(i+di) * h, float64(j+dj) * h})
			}
			la, lb := label(i, j), label(i+di, j+dj)
			if la == lb {
				t.mesh.pieces = append(t.mesh.pieces, piece{a, b, la, outside})
			} else {
				x := crossing(min(i, i+di), min(j, j+dj), di*di, dj*dj)
				t.mesh.pieces = append(t.mesh.pieces, piece{a, x, la, outside}, piece{x, b, lb, outside})
			}
			i, j, a = i+di, j+dj, b
		}
	}
	return t.mesh
}

// two joins the two crossings of a cell with two labels; where an axis-parallel corner fits better than a straight piece, by a corner.
func (t *tracer) two(i, j int, ids, after, edges [4]int) {
	p := piece{ids[1], ids[0], after[0], after[1]}
	if t.corner != nil && (edges[0]+edges[1])%2 == 1 { // neighbouring edges: one corner is odd
		a, b := t.mesh.at[ids[0]], t.mesh.at[ids[1]]
		if edges[0]%2 == 1 {
			a, b = b, a
		}
		h := 1 / float64(t.n)
		// a lies on a horizontal edge, b on a vertical one; the odd corner is (b.x, a.y), the candidate (a.x, b.y)
		odd, c := [2]float64{b[0], a[1]}, [2]float64{a[0], b[1]}
		far := math.Abs(odd[0]-c[0]) > 0.05*h && math.Abs(odd[1]-c[1]) > 0.05*h
		if far && t.corner(i, j, odd, c) {
			inner := t.mesh.vertex(c)
			t.mesh.pieces = append(t.mesh.pieces, piece{p.a, inner, p.left, p.right}, piece{inner, p.b, p.left, p.right})
			return
		}
	}
	t.mesh.pieces = append(t.mesh.pieces, p)
}

// rings returns the closed rings around the areas of a label: the area on the left, holes clockwise.
func (m mesh) rings(label int) [][][2]float64 {
	// the vertices behind a vertex: the latest, and for each of them the one before it
	type step struct{ to, before int }
	var steps []step
	latest := slices.Repeat([]int{none}, len(m.at))
	var starts []int
	add := func(a, b int) {
		if latest[a] == none {
			starts = append(starts, a)
		}
		steps = append(steps, step{b, latest[a]})
		latest[a] = len(steps) - 1
	}
	for _, p := range m.pieces {
		if p.left == label {
			add(p.a, p.b)
		} else if p.right == label {
			add(p.b, p.a)
		}
	}
	var rings [][][2]float64
	for _, s := range starts {
		for latest[s] != none {
			var ring [][2]float64
			for v := s; latest[v] != none; {
				ring = append(ring, m.at[v])
				next := steps[latest[v]]
				latest[v] = next.before
				if v = next.to; v == s {
					break
				}
			}
			if len(ring) > 2 {
				rings = append(rings, ring)
			}
		}
	}
	return rings
}

// lines returns the boundaries inside the panel as polylines from junction to junction; closed ones repeat their first point.
func (m mesh) lines() [][][2]float64 {
	// the pieces at vertex v are pieces[from[v]:from[v+1]]
	from := make([]int, len(m.at)+1)
	var order []int
	for _, p := range m.pieces {
		if p.right == outside {
			continue
		}
		for _, v := range [2]int{p.a, p.b} {
			if from[v+1] == 0 {
				order = append(order, v)
			}
			from[v+1]++
		}
	}
	for v := range m.at {
		from[v+1] += from[v]
	}
	pieces, placed := make([]int, from[len(m.at)]), slices.Clone(from)
	for q, p := range m.pieces {
		if p.right == outside {
			continue
		}
		for _, v := range [2]int{p.a, p.b} {
			pieces[placed[v]] = q
			placed[v]++
		}
	}
	around := func(v int) []int { return pieces[from[v]:from[v+1]] }
	done := make([]bool, len(m.pieces))
	var lines [][][2]float64
	walk := func(v, q int) {
		line := [][2]float64{m.at[v]}
		for {
			done[q] = true
			p := m.pieces[q]
			w := p.a + p.b - v
			line = append(line, m.at[w])
			v = w
			at := around(v)
			if len(at) != 2 {
				break
			}
			q = at[0] + at[1] - q
			if done[q] {
				break
			}
		}
		lines = append(lines, line)
	}
	for _, ends := range []bool{true, false} { // lines with ends first, then rings
		for _, v := range order {
			if ends == (len(around(v)) == 2) {
				continue
			}
			for _, q := range around(v) {
				if !done[q] {
					walk(v, q)
				}
			}
		}
	}
	return lines
}
