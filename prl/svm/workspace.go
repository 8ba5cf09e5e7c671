package svm

import "github.com/prlab/prlab/prl/kernel"

// A workspace is the memory that a fit passes on to the next: rows of kernel values, and vectors.
type workspace struct {
	rows    kernel.Rows // of the points
	double  *cache[float64]
	single  *cache[float32]
	n       int
	numbers []float64
	used    int // vectors of length n in numbers
	perm    []int
	index   []int // the rows of two classes
	signs   []int
	support []int32
	coef    []float64
	swaps   [][2]int
	price   float64          // of slack, that the last fit with Options.Nu found
	path    map[[2]int]*seed // of FitPath: the last solutions by classes; nil for none
}

// vectors is the most a fit asks for: 4 of its problem and 6 of its solver, which leaves two to the certificate.
const vectors = 10

// reset takes back all vectors and has memory for those of a fit to n points.
func (w *workspace) reset(n int) {
	w.n, w.used = n, 0
	w.numbers, w.perm = resized(w.numbers, vectors*n), resized(w.perm, n)
}

// vector returns n zeros.
func (w *workspace) vector() []float64 {
	v := w.numbers[w.used*w.n : (w.used+1)*w.n : (w.used+1)*w.n]
	w.used++
	clear(v)
	return v
}

// seed returns where the last solution of a path for two classes is kept, nil without a path.
func (w *workspace) seed(a, b int) *seed {
	if w.path == nil {
		return nil
	}
	at := [2]int{a, b}
	if w.path[at] == nil {
		w.path[at] = new(seed)
	}
	return w.path[at]
}

// two returns the rows of classes a and b in their order, and their signs -1 and 1.
func (w *workspace) two(class []int32, a, b int) (rows, y []int) {
	p := pair{Negative: a, Positive: b}
	n := p.size(class)
	w.index, w.signs = resized(w.index, n)[:0], resized(w.signs, n)[:0]
	for i, c := range class {
		if s := p.sign(c); s != 0 {
			w.index, w.signs = append(w.index, i), append(w.signs, s)
		}
	}
	return w.index, w.signs
}

// resized returns n elements, those of old where they are enough.
func resized[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}
