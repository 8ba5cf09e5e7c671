package datasets

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/sparse"
)

// A SparseSet is a table of observations most of whose numbers are zero, as counts of words and codes of words are. Memory and time go by
// the others. X, Y and Target serve the functions that take such rows (see package sparse); Dense makes a Set, for chains and pictures.
type SparseSet struct {
	X            *sparse.CSR // n x d, row = observation
	Y            []int       // class 0 ... K-1 of each row; nil when the rows have no class
	Target       []float64   // numeric target of each row; nil when there is none
	ClassNames   []string    // K names
	FeatureNames []string    // d names

	Name, Source, Licence, Citation string
}

// Sparse returns the rows of s without their zeros. It fails where a step of s has failed.
func (s Set) Sparse() (SparseSet, error) {
	s, ok := s.step("Sparse")
	if !ok {
		return SparseSet{}, s.Err()
	}
	return SparseSet{
		X: sparse.Of(s.X), Y: s.Y, Target: s.Target, ClassNames: s.ClassNames, FeatureNames: s.FeatureNames,
		Name: s.Name, Source: s.Source, Licence: s.Licence, Citation: s.Citation,
	}, nil
}

// N returns the number of rows.
func (s SparseSet) N() int {
	if s.X == nil {
		return 0
	}
	n, _ := s.X.Dims()
	return n
}

// D returns the number of features.
func (s SparseSet) D() int {
	if s.X == nil {
		return 0
	}
	_, d := s.X.Dims()
	return d
}

// K returns the number of classes; 0 when the rows have no class.
func (s SparseSet) K() int { return len(s.ClassNames) }

// String returns one line: "news: 1000 x 20000 with 153000 numbers, 0.765 % of all, 4 classes".
func (s SparseSet) String() string {
	if s.X == nil {
		return s.Name + ": no rows"
	}
	text := fmt.Sprintf("%s: %v", s.Name, s.X)
	if s.K() > 0 {
		text += fmt.Sprintf(", %d classes", s.K())
	}
	return text
}

// Dense returns the set with its zeros, which takes 8 bytes for each of the N x D numbers.
func (s SparseSet) Dense() Set {
	d := Set{
		Y: s.Y, Target: s.Target, ClassNames: s.ClassNames, FeatureNames: s.FeatureNames,
		Name: s.Name, Source: s.Source, Licence: s.Licence, Citation: s.Citation, chain: fault.Start("Dense"),
	}
	if s.X != nil {
		d.X = s.X.Dense()
	}
	d, _ = d.step("Dense")
	return d
}

// Rows returns the named rows, in this order. It fails when none is named, and on a row that is not there.
func (s SparseSet) Rows(rows ...int) (SparseSet, error) {
	if len(rows) == 0 {
		return s, fault.Argument("SparseSet.Rows", "rows", "none", "at least one", "")
	}
	for _, i := range rows {
		if i < 0 || i >= s.N() {
			return s, fault.Argument("SparseSet.Rows", "a row", i, fmt.Sprintf("0 to %d", s.N()-1), "")
		}
	}
	return s.take(rows), nil
}

func (s SparseSet) take(rows []int) SparseSet {
	s.X, s.Y, s.Target = s.X.Select(rows...), arranged(s.Y, rows), arranged(s.Target, rows)
	return s
}

// Split divides the rows at random into a training set and a test set as [Set.Split] does; the same seed draws the same rows.
func (s SparseSet) Split(trainFraction float64, seed uint64) (train, test SparseSet, err error) {
	a, b, err := halves(s.N(), s.Y, s.ClassNames, trainFraction, seed)
	if err != nil {
		return s, s, fmt.Errorf("SparseSet.Split: %w", err)
	}
	train, test = s.take(a), s.take(b)
	train.Name, test.Name = s.Name+" (train)", s.Name+" (test)"
	return train, test, nil
}

// halves divides the numbers of n rows, of classes y unless that is nil.
func halves(n int, y []int, names []string, fraction float64, seed uint64) (a, b []int, err error) {
	if !(fraction > 0 && fraction < 1) {
		return nil, nil, fmt.Errorf("the training fraction is %v, but needs to lie between 0 and 1; 0.7 is usual", fraction)
	}
	groups := [][]int{nil}
	if y != nil {
		groups = make([][]int, len(names))
	}
	for i := range n {
		c := 0
		if y != nil {
			c = y[i]
		}
		groups[c] = append(groups[c], i)
	}
	for c, g := range groups {
		if len(g) == 1 {
			what := "the set"
			if y != nil {
				what = fmt.Sprintf("class %q", names[c])
			}
			return nil, nil, fmt.Errorf("%s has 1 row, but both sides need one; leave the class out with .Classes", what)
		}
	}
	sizes := shares(groups, fraction)
	rng := rand.New(rand.NewPCG(seed, 0x73706c6974)) // "split"
	for c, g := range groups {
		g = slices.Clone(g)
		rng.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
		a, b = append(a, g[:sizes[c]]...), append(b, g[sizes[c]:]...)
	}
	if len(a) == 0 || len(b) == 0 {
		return nil, nil, fmt.Errorf("the set has no rows")
	}
	slices.Sort(a)
	slices.Sort(b)
	return a, b, nil
}

// SparseLIBSVM reads a file with ReadSparseLIBSVM, unpacking it when it is gzip.
func SparseLIBSVM(path string, options ...Option) (SparseSet, error) {
	r, err := opened(path)()
	if err != nil {
		if _, is := err.(*ReadError); !is {
			err = &ReadError{File: path, What: err.Error()}
		}
		return SparseSet{}, err
	}
	defer r.Close()
	return ReadSparseLIBSVM(r, path, options...)
}

// ReadSparseLIBSVM is [ReadLIBSVM] without the zeros: rows are kept as the file has them, 12 bytes for a number that is not zero. Values of
// the [Limits] counts these alone; Bytes and Columns hold as they do there, and [Within], [FirstRows] and [SampleRows] change them. See
// [LIBSVMRows] for files beyond the memory.
func ReadSparseLIBSVM(r io.Reader, name string, options ...Option) (SparseSet, error) {
	return readLIBSVM(r, name, options, func(rows, stored, d int, o *readOptions) string {
		if stored > o.limits.Values {
			return fmt.Sprintf("%d rows with %d numbers that are not zero", rows, stored)
		}
		return ""
	})
}

// thinRows collects rows without their zeros, any of which may be replaced.
type thinRows struct {
	at     []int32
	values []float64
	rows   []span
	dead   int // numbers of rows that have been replaced
}

type span struct{ from, to int }

// put writes a row at a place, the end for a new one.
func (t *thinRows) put(place int, row []entry) {
	from := len(t.at)
	for _, e := range row {
		if e.value != 0 {
			t.at, t.values = append(t.at, int32(e.index-1)), append(t.values, e.value)
		}
	}
	if place < len(t.rows) {
		t.dead += t.rows[place].to - t.rows[place].from
	}
	t.rows = put(t.rows, place, span{from, len(t.at)})
	if t.dead > 1<<16 && 2*t.dead > len(t.at) {
		*t = t.arranged(nil)
	}
}

// stored returns how many numbers the rows have.
func (t *thinRows) stored() int { return len(t.at) - t.dead }

// arranged returns the rows in the given order, nil for their own, one behind the other.
func (t *thinRows) arranged(order []int) thinRows {
	out := thinRows{at: make([]int32, 0, t.stored()), values: make([]float64, 0, t.stored()), rows: make([]span, 0, len(t.rows))}
	for _, s := range arranged(t.rows, order) {
		from := len(out.at)
		out.at, out.values = append(out.at, t.at[s.from:s.to]...), append(out.values, t.values[s.from:s.to]...)
		out.rows = append(out.rows, span{from, len(out.at)})
	}
	return out
}

// matrix returns the rows, d columns wide, in the given order.
func (t *thinRows) matrix(d int, order []int) (*sparse.CSR, error) {
	if order != nil || t.dead > 0 {
		*t = t.arranged(order)
	}
	start := make([]int, 1, len(t.rows)+1)
	for _, s := range t.rows {
		start = append(start, s.to)
	}
	return sparse.NewCSR(d, start, t.at, t.values)
}

// WriteLIBSVM writes s in the sparse text format of LIBSVM. Classes whose names are whole numbers are written as these, two other classes
// as -1 and +1, more as 0, 1, ...
func (s SparseSet) WriteLIBSVM(w io.Writer) error {
	names := s.ClassNames
	for _, n := range s.ClassNames {
		if _, err := strconv.Atoi(n); err != nil {
			names = numbered("", 0, s.K())
			if s.K() == 2 {
				names = []string{"-1", "+1"}
			}
			break
		}
	}
	out := bufio.NewWriter(w)
	var b []byte
	for i := range s.N() {
		switch {
		case s.Y != nil:
			b = append(b[:0], names[s.Y[i]]...)
		case s.Target != nil:
			b = strconv.AppendFloat(b[:0], s.Target[i], 'g', -1, 64)
		default:
			b = append(b[:0], '0')
		}
		for j, v := range s.X.Row(i) {
			b = strconv.AppendInt(append(b, ' '), int64(j+1), 10)
			b = strconv.AppendFloat(append(b, ':'), v, 'g', -1, 64)
		}
		if _, err := out.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}
