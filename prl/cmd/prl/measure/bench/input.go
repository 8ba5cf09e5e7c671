package bench

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// An input is the data of a task in memory.
type input struct {
	size   byte
	X, Xt  *mat.Dense // training and test rows
	y, yt  []int
	t, tt  []float64 // targets
	more   map[string]matrix
	classN int
	drawn  int // groups of a shape drawn at random, else 0
}

// pick returns the value for the size of the data; for a shape drawn at random the last.
func (in *input) pick(s, m, l int) int {
	if in.size == Random {
		return l
	}
	return [3]int{s, m, l}[strings.IndexByte(Sizes, in.size)]
}

// groups is pick for a number of groups, which is drawn with the shape.
func (in *input) groups(s, m, l int) int {
	if in.drawn > 0 {
		return in.drawn
	}
	return in.pick(s, m, l)
}

func (in *input) n() int { n, _ := in.X.Dims(); return n }
func (in *input) d() int { _, d := in.X.Dims(); return d }
func (in *input) m() int { m, _ := in.Xt.Dims(); return m }

// load reads what a task needs.
func load(dir string, task Task, size byte, files map[string]DataFile) (*input, error) {
	in := &input{size: size, more: map[string]matrix{}}
	for i, name := range strings.Fields(task.Data) {
		f, found := files[name]
		if !found {
			return nil, fmt.Errorf("%s: no data set is called %q", task.Name, name)
		}
		if i == 0 {
			in.drawn = f.Groups
		}
		m, err := readMatrix(dataPath(filepath.Clean(dir), name, size), f)
		if err != nil {
			return nil, err
		}
		if i > 0 || f.Columns == 1 {
			in.more[name] = m
			continue
		}
		n := task.rows(size, f.Train)
		in.X, in.y, in.t = split(m, 0, n)
		if f.Rows > f.Train {
			in.Xt, in.yt, in.tt = split(m, f.Train, f.Rows)
		}
		for _, c := range in.y {
			in.classN = max(in.classN, c+1)
		}
	}
	return in, nil
}

// split copies rows from to to-1 into features and last column.
func split(m matrix, from, to int) (*mat.Dense, []int, []float64) {
	d := m.cols - 1
	X, y, t := mat.NewDense(to-from, d, nil), make([]int, to-from), make([]float64, to-from)
	for i := range y {
		row := m.row(from + i)
		copy(X.RawRowView(i), row[:d])
		t[i] = row[d]
		y[i] = int(math.Max(0, row[d]))
	}
	return X, y, t
}

// logLoss is the mean of -log p(y_i | x_i).
func logLoss(p mat.Matrix, y []int) float64 {
	sum := 0.0
	for i, c := range y {
		sum -= math.Log(p.At(i, c))
	}
	return sum / float64(len(y))
}

func sumOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

func sumSquares(X *mat.Dense) float64 {
	sum := 0.0
	for _, v := range X.RawMatrix().Data {
		sum += v * v
	}
	return sum
}

// separation is the sum over the columns of Z of between-class over within-class sum of squares. The scale of a column does not matter.
func separation(Z mat.Matrix, y []int) float64 {
	n, k := Z.Dims()
	total := 0.0
	for j := range k {
		var sum, count []float64
		all := 0.0
		for i := range n {
			for len(sum) <= y[i] {
				sum, count = append(sum, 0), append(count, 0)
			}
			sum[y[i]] += Z.At(i, j)
			count[y[i]]++
			all += Z.At(i, j)
		}
		all /= float64(n)
		within, between := 0.0, 0.0
		for i := range n {
			e := Z.At(i, j) - sum[y[i]]/count[y[i]]
			within += e * e
		}
		for c := range sum {
			e := sum[c]/count[c] - all
			between += count[c] * e * e
		}
		total += between / within
	}
	return total
}
