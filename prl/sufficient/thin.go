package sufficient

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/sparse"
)

// A table holds rows one behind the other in x, or without their zeros in thin.
type table struct {
	n, d int
	x    []float64
	thin *sparse.CSR
}

// tableOf is rowsOf for what can work without the zeros, which takes less time where a quarter of the numbers or fewer are stored.
func tableOf(function string, X mat.Matrix, weights []float64, d int) (table, error) {
	s, ok := X.(*sparse.CSR)
	n, width := 0, 0
	if ok {
		n, width = s.Dims()
	}
	if !ok || n == 1 || 4*s.NonZeros() > n*width {
		x, n, err := rowsOf(function, X, weights, d)
		if err != nil {
			return table{}, err
		}
		return table{n: n, d: len(x) / n, x: x}, nil
	}
	if i, j, finite := s.Finite(); !finite {
		return table{}, notFinite(function, s, i, j)
	}
	if d > 0 && width != d {
		return table{}, otherWidth(function, n, width, d)
	}
	return table{n: n, d: width, thin: s}, checkWeights(function, weights, n)
}

func notFinite(function string, s *sparse.CSR, i, j int) error {
	return fault.Argument(function, fmt.Sprintf("X[%d, %d]", i, j), s.At(i, j), "a finite number", "drop the row")
}

func otherWidth(function string, n, width, d int) error {
	return fault.Argument(function, "X", fmt.Sprintf("%d x %d", n, width), fmt.Sprintf("n x %d like the rows before", d), "")
}

// to takes the named rows in.
func (t *table) to(s *state, rows []int, w []float64) error {
	if t.thin != nil {
		return s.addThin(t.thin, rows, w)
	}
	return s.add(t.x, rows, w)
}

// row returns a copy of a row.
func (t *table) row(i int) []float64 {
	if t.thin == nil {
		return slices.Clone(t.x[i*t.d : (i+1)*t.d])
	}
	row := make([]float64, t.d)
	t.thin.AddTo(row, i, 1)
	return row
}

// square returns the squared distance of row i to a centre of the squared length norm.
func (t *table) square(i int, centre []float64, norm float64) float64 {
	sum := 0.0
	if t.thin == nil {
		for j, v := range t.x[i*t.d : (i+1)*t.d] {
			u := v - centre[j]
			sum += u * u
		}
		return sum
	}
	for j, v := range t.thin.Row(i) {
		u := v - centre[j]
		sum += u * u
		norm -= centre[j] * centre[j]
	}
	return sum + max(0, norm)
}

// addThin is add for rows without their zeros. Columns that more than half of the weight store are taken about their mean as add takes them
// all, the others about zero,
//
//	S = sum w (x - c)(x - c)^T - n (m - c)(m - c)^T,
//
// where the second term of the diagonal is at most half of the first, by the inequality of Cauchy and Schwarz: no digits are lost.
func (s *state) addThin(x *sparse.CSR, rows []int, w []float64) error {
	d := s.D
	part, stored := newState(d, s.Diagonal), make([]float64, d)
	pilot := make([]float64, d) // the first number of a column
	weightOf := func(i int) float64 {
		if w == nil {
			return 1
		}
		return w[i]
	}
	for _, i := range rows {
		weight := weightOf(i)
		if weight == 0 {
			continue
		}
		part.Weight += weight
		part.Rows++
		at, values := x.RawRow(i)
		for p, j := range at {
			if stored[j] == 0 {
				pilot[j] = values[p]
			}
			stored[j] += weight
		}
	}
	if part.Rows == 0 {
		return nil
	}
	var heavy []int32
	for j, v := range stored {
		if v > part.Weight/2 {
			heavy = append(heavy, int32(j))
		} else {
			pilot[j] = 0
		}
	}
	shift := make([]float64, d)
	for _, i := range rows {
		weight := weightOf(i)
		at, values := x.RawRow(i)
		for p, j := range at {
			shift[j] += weight * (values[p] - pilot[j])
		}
	}
	centre := make([]float64, d)
	for j, v := range shift {
		v -= (part.Weight - stored[j]) * pilot[j]
		part.Mean[j], part.Rest[j] = twoSum(pilot[j], v/part.Weight)
		shift[j] = part.Mean[j] + part.Rest[j]
	}
	for _, j := range heavy {
		centre[j], shift[j] = part.Mean[j], part.Rest[j]
	}
	var columns []int32
	var numbers []float64
	for _, i := range rows {
		weight := weightOf(i)
		if weight == 0 {
			continue
		}
		at, values := x.RawRow(i)
		if len(heavy) > 0 {
			columns, numbers = merge(columns[:0], numbers[:0], at, values, heavy, centre)
			at, values = columns, numbers
		}
		if s.Diagonal {
			for p, j := range at {
				part.Scatter[j] += weight * values[p] * values[p]
			}
			continue
		}
		for p, j := range at {
			v, row := weight*values[p], part.Scatter[int(j)*d:int(j)*d+d]
			rest := values[p:]
			for q, k := range at[p:] {
				row[k] += v * rest[q]
			}
		}
	}
	part.outer(-part.Weight, shift)
	for j := range d {
		if !s.Diagonal {
			j *= d + 1
		}
		part.Scatter[j] = max(0, part.Scatter[j])
	}
	return s.take(&part)
}

// merge appends the stored numbers of a row less the centre, and those of heavy columns that it does not store.
func merge(columns []int32, numbers []float64, at []int32, values []float64, heavy []int32, centre []float64) ([]int32, []float64) {
	for p, j := range at {
		for len(heavy) > 0 && heavy[0] <= j {
			if heavy[0] < j {
				columns, numbers = append(columns, heavy[0]), append(numbers, -centre[heavy[0]])
			}
			heavy = heavy[1:]
		}
		columns, numbers = append(columns, j), append(numbers, values[p]-centre[j])
	}
	for _, j := range heavy {
		columns, numbers = append(columns, j), append(numbers, -centre[j])
	}
	return columns, numbers
}
