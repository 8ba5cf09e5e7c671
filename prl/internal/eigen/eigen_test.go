package eigen

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func random(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	a := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			v := r.NormFloat64()
			a[i*n+j], a[j*n+i] = v, v
		}
	}
	return a
}

// residual returns the largest entry of A V - V L and of V^T V - I over n and the size of A.
func residual(a, values, vectors []float64, n, k int) (r, o float64) {
	size := 0.0
	for _, v := range values {
		size = max(size, math.Abs(v))
	}
	if size == 0 {
		size = 1
	}
	for q := range k {
		v := vectors[q*n : (q+1)*n]
		for i := range n {
			s := -values[q] * v[i]
			for j := range n {
				s += a[min(i, j)*n+max(i, j)] * v[j]
			}
			r = max(r, math.Abs(s)/size)
		}
		for p := range q + 1 {
			s := 0.0
			for i := range n {
				s += v[i] * vectors[p*n+i]
			}
			if p == q {
				s--
			}
			o = max(o, math.Abs(s))
		}
	}
	return r, o
}

// kinds are matrices that ask something of a solver: equal eigenvalues, nearly equal ones, graded ones, blocks that do not meet.
var kinds = map[string]func(n int) []float64{
	"random": func(n int) []float64 { return random(n, uint64(n)) },
	"zero":   func(n int) []float64 { return make([]float64, n*n) },
	"identity": func(n int) []float64 {
		return entries(n, func(i, j int) float64 { return delta(i, j) })
	},
	"ones": func(n int) []float64 { return entries(n, func(int, int) float64 { return 1 }) },
	"diagonal, falling": func(n int) []float64 {
		return entries(n, func(i, j int) float64 { return delta(i, j) * float64(n-i) })
	},
	"Wilkinson": func(n int) []float64 {
		return entries(n, func(i, j int) float64 {
			return delta(i, j)*math.Abs(float64(i)-float64(n-1)/2) + delta(i+1, j)
		})
	},
	"glued Wilkinson": func(n int) []float64 {
		return entries(n, func(i, j int) float64 {
			if i+1 == j && j%21 == 0 {
				return 1e-8
			}
			return delta(i, j)*math.Abs(float64(i%21)-10) + delta(i+1, j)
		})
	},
	"second differences": func(n int) []float64 {
		return entries(n, func(i, j int) float64 { return 2*delta(i, j) - delta(i+1, j) })
	},
	"graded": func(n int) []float64 {
		return entries(n, func(i, j int) float64 { return math.Pow(10, -16*float64(i+j)/float64(2*n)) * (1 + delta(i, j)) })
	},
	"rank three": func(n int) []float64 { return gramOf(n, 3, 1) },
	"huge":       func(n int) []float64 { return scaledBy(random(n, 7), 1e305) },
	"small":      func(n int) []float64 { return scaledBy(random(n, 7), 1e-30) },
	"tiny":       func(n int) []float64 { return scaledBy(random(n, 7), 1e-305) },
	"two values": func(n int) []float64 {
		_, vectors, _ := Symmetric(context.Background(), random(n, 2), n, n)
		return entries(n, func(i, j int) float64 {
			s := 0.0
			for q := range n / 2 {
				s += vectors[q*n+i] * vectors[q*n+j]
			}
			return s
		})
	},
	"blocks": func(n int) []float64 {
		a := random(n, 9)
		return entries(n, func(i, j int) float64 {
			if (i < n/2) != (j < n/2) {
				return 0
			}
			return a[i*n+j]
		})
	},
}

func delta(i, j int) float64 {
	if i == j {
		return 1
	}
	return 0
}

// entries returns the matrix whose entries on and above the diagonal are of(i, j).
func entries(n int, of func(i, j int) float64) []float64 {
	a := make([]float64, n*n)
	for i := range n {
		for j := i; j < n; j++ {
			a[i*n+j] = of(i, j)
		}
	}
	return a
}

// gramOf returns a random matrix of the given rank.
func gramOf(n, rank int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n*rank)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return entries(n, func(i, j int) float64 {
		s := 0.0
		for q := range rank {
			s += x[i*rank+q] * x[j*rank+q]
		}
		return s
	})
}

func scaledBy(a []float64, c float64) []float64 {
	for i := range a {
		a[i] *= c
	}
	return a
}

// The eigenpairs satisfy A v = lambda v and are orthonormal, to some roundings.
func TestSymmetric(t *testing.T) {
	for what, of := range kinds {
		for _, n := range []int{1, 2, 3, 5, 32, 33, 50, 64, 66, 100, 129, 200} {
			a := of(n)
			values, vectors, err := Symmetric(context.Background(), a, n, n)
			if err != nil {
				t.Fatalf("%s, n = %d: %v", what, n, err)
			}
			if r, o := residual(a, values, vectors, n, n); !(r <= 1e-14*float64(n+10)) || !(o <= 1e-14*float64(n+10)) {
				t.Errorf("%s, n = %d: residual %.2g, orthogonality %.2g", what, n, r, o)
			}
			if !slices.IsSortedFunc(values, func(a, b float64) int { return cmp.Compare(b, a) }) {
				t.Errorf("%s, n = %d: values do not fall", what, n)
			}
			alone, none, err := Symmetric(context.Background(), a, n, 0)
			if err != nil || len(none) > 0 {
				t.Fatalf("%s, n = %d: values alone: %v", what, n, err)
			}
			size := max(math.Abs(values[0]), math.Abs(values[n-1]))
			for i, v := range alone {
				if !(math.Abs(v-values[i]) <= 1e-14*float64(n+10)*size) {
					t.Errorf("%s, n = %d: value %d is %v alone, %v with its vector", what, n, i, v, values[i])
				}
			}
			k := min(3, n)
			few, top, err := Symmetric(context.Background(), a, n, k)
			if err != nil || !slices.Equal(few, values) || !slices.Equal(top, vectors[:k*n]) {
				t.Errorf("%s, n = %d: the first %d vectors differ from those among all (%v)", what, n, k, err)
			}
		}
	}
}

// The eigenvalues of second differences are known: 2 - 2 cos(pi k / (n+1)).
func TestKnownValues(t *testing.T) {
	for _, n := range []int{5, 40, 301} {
		values, _, err := Symmetric(context.Background(), kinds["second differences"](n), n, n)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			s := math.Sin(math.Pi * float64(n-i) / float64(2*(n+1)))
			if math.Abs(v-4*s*s) > 1e-14 {
				t.Errorf("n = %d: value %d is %v, want %v", n, i, v, 4*s*s)
			}
		}
	}
}

func BenchmarkSymmetric(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500, 1000, 2000} {
		a := random(n, 1)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Symmetric(context.Background(), a, n, n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
