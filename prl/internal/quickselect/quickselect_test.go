package quickselect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The number of each rank is that of the sorted list, it divides the others, and rows keep their numbers: of random numbers, of equal ones,
// and of those that rise and fall, where the middle is always the worst place to divide.
func TestNth(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 5))
	for name, of := range map[string]func(i, n int) float64{
		"random":         func(int, int) float64 { return r.NormFloat64() },
		"equal":          func(int, int) float64 { return float64(r.IntN(3)) },
		"rising":         func(i, _ int) float64 { return float64(i) },
		"rise and fall":  func(i, n int) float64 { return -math.Abs(float64(i - n/2)) },
		"fall and rise":  func(i, n int) float64 { return math.Abs(float64(i - n/2)) },
		"twice in turns": func(i, n int) float64 { return float64(i % max(1, n/2)) },
	} {
		for _, n := range []int{1, 2, 3, 10, 400} {
			for _, k := range []int{0, n / 3, n / 2, n - 1} {
				s, rows := make([]float64, n), make([]int, n)
				for i := range s {
					s[i], rows[i] = of(i, n), i
				}
				was := slices.Clone(s)
				alone, want := slices.Clone(s), slices.Clone(s)
				slices.Sort(want)
				Nth(s, rows, k)
				if Nth(alone, nil, k); s[k] != want[k] || alone[k] != want[k] {
					t.Errorf("%s, rank %d of %d: %v and %v, want %v", name, k, n, s[k], alone[k], want[k])
				}
				for i, v := range s {
					if i < k && v > s[k] || i > k && v < s[k] || was[rows[i]] != v {
						t.Errorf("%s, rank %d of %d: %v of row %d at place %d", name, k, n, v, rows[i], i)
					}
				}
				if slices.Sort(rows); rows[0] != 0 || len(slices.Compact(rows)) != n {
					t.Errorf("%s, %d numbers: a row is lost", name, n)
				}
			}
		}
	}
}

// Numbers that rise and fall take no time that grows with their square, which would be a minute here.
func TestNthSoon(t *testing.T) {
	s := make([]float64, 500_000)
	for i := range s {
		s[i] = -math.Abs(float64(i - len(s)/2))
	}
	began := time.Now()
	if Nth(s, make([]int, len(s)), len(s)/2); time.Since(began) > 10*time.Second {
		t.Errorf("it took %v", time.Since(began))
	}
}
