package tile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The nearest centre of a row and the distances, by their definitions.
func nearestOf(x, rows []float64, n, d int) (at int, first, second float64) {
	first, second = math.Inf(1), math.Inf(1)
	for j := range n {
		s := distanceEntry(x, rows[j*d:(j+1)*d])
		switch {
		case s < first:
			at, first, second = j, s, first
		case s < second:
			second = s
		}
	}
	return at, first, second
}

func TestNearest(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 1))
		for _, m := range []int{0, 1, 15, 16, 17, 40} {
			for _, n := range []int{1, 2, 4, 7, 35} {
				for _, d := range []int{1, 2, 3, 4, 5, 8, 21} {
					x, rows := numbers(r, m*d), numbers(r, n*d)
					if d < 4 { // ties
						for i := range x {
							x[i] = float64(r.IntN(3))
						}
						for i := range rows {
							rows[i] = float64(r.IntN(3))
						}
					}
					bad := -1
					if m > 2 {
						bad = r.IntN(m)
						x[bad*d+r.IntN(d)] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e200}[r.IntN(4)]
					}
					c := NewCentres(rows, n, d)
					at, first, second := make([]int, m), make([]float64, m), make([]float64, m)
					c.Nearest(at, first, second, x, m, make([]float64, c.Room()))
					for i := range m {
						place := fmt.Sprintf("%d rows, %d centres of %d numbers, row %d", m, n, d, i)
						where, least, other := nearestOf(x[i*d:(i+1)*d], rows, n, d)
						if at[i] != where {
							t.Fatalf("%s: centre %d, want %d", place, at[i], where)
						}
						same(t, place, []float64{first[i], second[i]}, []float64{least, other})
						if i == bad && (at[i] != 0 || !math.IsInf(first[i], 1)) {
							t.Fatalf("%s: %v at %d, want an infinite distance", place, first[i], at[i])
						}
					}
				}
			}
		}
	})
}

func TestProject(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(12, 1))
		for _, m := range []int{1, 4, 7, 16} {
			for _, n := range []int{1, 2, 8, 9, 16, 17, 24, 35, 50} {
				for _, k := range []int{1, 3, 20, 50} {
					x, matrix := numbers(r, m*k), numbers(r, k*n)
					whole := true
					switch n {
					case 17: // upper triangular
						for i := range k {
							clear(matrix[i*n : i*n+min(i, n)])
						}
						whole = k <= n
					case 9: // two numbers of a row have no part
						clear(matrix[max(0, k-2)*n:])
						whole = false
					}
					c := Pack(matrix, k, n)
					if c.Whole() != whole {
						t.Errorf("%d x %d: whole is %v", k, n, c.Whole())
					}
					got, want := numbers(r, m*n+3), make([]float64, m*c.Width())
					after := slices.Clone(got[m*n:])
					c.Project(got, x, m)
					c.Product(want, x, m)
					for i := range m {
						same(t, fmt.Sprintf("%d x %d times %d x %d, row %d", m, k, k, n, i), got[i*n:(i+1)*n], want[i*c.Width():i*c.Width()+n])
					}
					same(t, "what follows", got[m*n:], after)
					if whole {
						at := r.IntN(m)
						x[at*k+r.IntN(k)] = math.Inf(1)
						if c.Project(got, x, m); Finite(got[at*n : (at+1)*n]) {
							t.Errorf("%d x %d: the product of an infinity is finite", k, n)
						}
					}
				}
			}
		}
	})
}

func TestSubtractAndSums(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	for _, m := range []int{0, 1, 5} {
		for d := range 40 {
			x, mean := numbers(r, m*d), numbers(r, d)
			stride := d + r.IntN(4)
			got := numbers(r, m*stride+d)
			want := slices.Clone(got)
			plainSubtract(m, d, x, mean, want, stride)
			Subtract(got, stride, x, mean, m)
			same(t, fmt.Sprintf("%d rows of %d numbers less their mean", m, d), got, want)
			got = numbers(r, d)
			want = slices.Clone(got)
			plainSumDifferences(m, d, x, mean, want)
			SumDifferences(got, x, mean, m)
			same(t, fmt.Sprintf("sum of %d rows of %d numbers", m, d), got, want)
			got, squares := numbers(r, d), numbers(r, d)
			want, wantSquares := slices.Clone(got), slices.Clone(squares)
			plainSumMoments(m, d, x, mean, 0.7, want, wantSquares)
			SumMoments(got, squares, x, mean, 0.7, m)
			same(t, fmt.Sprintf("weighted sum of %d rows of %d numbers", m, d), got, want)
			same(t, fmt.Sprintf("weighted squares of %d rows of %d numbers", m, d), squares, wantSquares)
		}
	}
}

// both runs a test with registers of eight numbers, where there are such, and without.
func both(t *testing.T, test func(t *testing.T)) {
	t.Run("wide", test)
	restore := narrow(t)
	defer restore()
	t.Run("narrow", test)
}

func BenchmarkNearest(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 1))
	const m, n, d = 256, 35, 20
	x, c, at, first, second := numbers(r, m*d), NewCentres(numbers(r, n*d), n, d), make([]int, m), make([]float64, m), make([]float64, m)
	room := make([]float64, c.Room())
	for b.Loop() {
		c.Nearest(at, first, second, x, m, room)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/m/n, "ns/distance")
}

func BenchmarkProject(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 1))
	const m, n, k = 64, 10, 50
	x, c, dst := numbers(r, m*k), Pack(numbers(r, k*n), k, n), make([]float64, m*n)
	for b.Loop() {
		c.Project(dst, x, m)
	}
	b.ReportMetric(2*m*n*k*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
