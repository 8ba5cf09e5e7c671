package eigen

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A matrix with known singular values and vectors gives them back, the small ones too: a square of 1e-24 of the largest keeps its digits.
func TestSingular(t *testing.T) {
	for what, of := range map[string]func(j int) float64{
		"near":     func(j int) float64 { return 3 + float64(j) },
		"graded":   func(j int) float64 { return math.Pow(10, -float64(j)/3) },
		"one huge": func(j int) float64 { return math.Pow(1e-12, float64(min(j, 1))) * float64(j+1) },
		"rank 2":   func(j int) float64 { return float64(2 - min(j, 2)) },
		"none":     func(int) float64 { return 0 },
	} {
		for _, shape := range [][2]int{{1, 1}, {1, 5}, {3, 3}, {12, 40}, {36, 36}, {36, 50}} {
			m, n := shape[0], shape[1]
			_, u, err := Symmetric(context.Background(), random(m, 1), m, m)
			if err != nil {
				t.Fatal(err)
			}
			_, v, err := Symmetric(context.Background(), random(n, 2), n, n)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]float64, m)
			y := make([]float64, m*n)
			for q := range m {
				want[q] = of(q)
				for i := range m {
					for j := range n {
						y[i*n+j] += of(q) * u[q*m+i] * v[q*n+j]
					}
				}
			}
			slices.SortFunc(want, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
			for _, right := range []bool{false, true} {
				at := fmt.Sprintf("%s, %d x %d, right %v", what, m, n, right)
				squares, vectors, err := Singular(context.Background(), slices.Clone(y), m, n, right)
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				width := len(vectors) / m
				for q, s := range squares {
					if w := want[q]; !(math.Abs(math.Sqrt(s)-w) <= 1e-13*w+1e-15*float64(m)*want[0]) {
						t.Errorf("%s: value %d is %v, want %v", at, q, math.Sqrt(s), w)
					}
					for p := range q + 1 {
						if o := inner(vectors[q*width:(q+1)*width], vectors[p*width:(p+1)*width]); !(math.Abs(o-delta(p, q)) <= 1e-13) {
							t.Errorf("%s: rows %d and %d have the product %v", at, p, q, o)
						}
					}
				}
				// Y v = sigma u, whatever the signs: the image of a vector is as long as its singular value.
				for q := range m {
					sum := 0.0
					for i := range m + n - width {
						part := 0.0
						for j := range width {
							if right {
								part += y[i*n+j] * vectors[q*width+j]
							} else {
								part += y[j*n+i] * vectors[q*width+j]
							}
						}
						sum += part * part
					}
					if !(math.Abs(math.Sqrt(sum)-math.Sqrt(squares[q])) <= 1e-14*float64(m)*want[0]) {
						t.Errorf("%s: the image of vector %d is %v long, its value %v", at, q, math.Sqrt(sum), math.Sqrt(squares[q]))
					}
				}
			}
		}
	}
}

func BenchmarkSingular(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, shape := range [][2]int{{200, 400}, {500, 1000}, {1000, 1500}} {
		m, n := shape[0], shape[1]
		y := make([]float64, m*n)
		for i := range y {
			y[i] = r.NormFloat64()
		}
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Singular(context.Background(), slices.Clone(y), m, n, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
