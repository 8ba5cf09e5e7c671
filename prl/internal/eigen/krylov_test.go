package eigen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/prlab/prlab/prl/internal/tile"
)

// rowsOf returns n rows of d normal numbers, filled up with zeros, whose column j has standard deviation of(j).
func rowsOf(n, d int, of func(j int) float64) []float64 {
	r := rand.New(rand.NewPCG(1, 5))
	p := tile.Padded(d)
	out := make([]float64, n*p)
	for i := range n {
		for j := range d {
			out[i*p+j] = of(j) * r.NormFloat64()
		}
	}
	return out
}

var spectra = map[string]func(j int) float64{
	"flat":     func(int) float64 { return 1 },
	"decaying": func(j int) float64 { return math.Pow(0.9, float64(j)) },
	"pairs":    func(j int) float64 { return 1 / float64(1+j/2) },
	"zero":     func(int) float64 { return 0 },
	"rank 3":   func(j int) float64 { return float64((3 - min(j, 3))) },
}

// The pairs are those of the whole problem, and the residuals given are those of the pairs and within the tolerance.
func TestLargest(t *testing.T) {
	for what, of := range spectra {
		for _, shape := range [][3]int{{300, 150, 5}, {150, 300, 12}, {40, 40, 1}, {50, 33, 30}, {20, 5, 2}, {3, 2, 1}} {
			n, d, k := shape[0], shape[1], shape[2]
			o := OfRows(rowsOf(n, d, of), n, d)
			whole := *o
			if err := whole.form(context.Background()); err != nil {
				t.Fatal(err)
			}
			s := entries(d, func(i, j int) float64 { return whole.rows[i*whole.stride+j] })
			want, _, err := Symmetric(context.Background(), s, d, d)
			if err != nil {
				t.Fatal(err)
			}
			for _, tol := range []float64{1e-3, 1e-11} {
				for form, o := range map[string]*Operator{"rows": o, "matrix": OfMatrix(s, d)} {
					at := fmt.Sprintf("%s, %d x %d, k = %d, %s, tolerance %g", what, n, d, k, form, tol)
					got, err := Largest(context.Background(), o, k, tol)
					if err != nil {
						t.Fatalf("%s: %v", at, err)
					}
					_, orth := residual(s, got.Values, got.Vectors, d, k)
					if orth > 1e-12 {
						t.Errorf("%s: orthogonality %.2g", at, orth)
					}
					trace := 0.0
					for _, v := range want {
						trace += v
					}
					if !(math.Abs(got.Trace-trace) <= 1e-12*trace) {
						t.Errorf("%s: trace %v, want %v", at, got.Trace, trace)
					}
					for q, v := range got.Values {
						r := 0.0
						for i := range d {
							x := -v * got.Vectors[q*d+i]
							for j := range d {
								x += s[min(i, j)*d+max(i, j)] * got.Vectors[q*d+j]
							}
							r += x * x
						}
						if r = math.Sqrt(r); !(math.Abs(r-got.Residuals[q]) <= 1e-13*want[0]*float64(d)) || !(r <= (tol+1e-13)*want[0]*1.01) {
							t.Errorf("%s: residual %d is %.3g, given as %.3g", at, q, r/want[0], got.Residuals[q]/want[0])
						}
						if !(math.Abs(v-want[q]) <= max(got.Residuals[q], 1e-13*want[0])) {
							t.Errorf("%s: value %d is %v, want %v", at, q, v, want[q])
						}
					}
				}
			}
		}
	}
}

// Whenever the context ends, its error comes back: before, in the reduction, among the halves or in the products at the end.
func TestCancelled(t *testing.T) {
	const n = 600
	a, rows := random(n, 1), rowsOf(n, n, spectra["flat"])
	for what, solve := range map[string]func(ctx context.Context) error{
		"all": func(ctx context.Context) error {
			_, _, err := Symmetric(ctx, a, n, n)
			return err
		},
		"largest": func(ctx context.Context) error {
			_, err := Largest(ctx, OfRows(rows, n, n), 10, 1e-12)
			return err
		},
		"singular": func(ctx context.Context) error {
			_, _, err := Singular(ctx, slices.Clone(rows[:100*tile.Padded(n)]), 100, tile.Padded(n), true)
			return err
		},
	} {
		ended := 0
		for looks := 0; looks < 4096; looks = 4*looks + 1 {
			ctx := &countdown{Context: context.Background(), left: int64(looks)}
			if err := solve(ctx); errors.Is(err, context.Canceled) {
				ended++
			} else if err != nil || ctx.over() {
				t.Errorf("%s, ended at look %d: %v", what, looks, err)
			}
		}
		if ended < 3 {
			t.Errorf("%s ended %d times", what, ended)
		}
	}
}

// A countdown is a context that ends when it has been looked at so many times.
type countdown struct {
	context.Context
	left int64
}

func (c *countdown) Err() error {
	if atomic.AddInt64(&c.left, -1) < 0 {
		return context.Canceled
	}
	return nil
}

func (c *countdown) over() bool { return atomic.LoadInt64(&c.left) < 0 }

func BenchmarkLargest(b *testing.B) {
	const n, d = 5000, 2000
	for what, of := range spectra {
		if what == "zero" {
			continue
		}
		rows := rowsOf(n, d, of)
		for _, tol := range []float64{0.1, 1e-3, 1e-6, 1e-10} {
			b.Run(fmt.Sprintf("%s/%g", what, tol), func(b *testing.B) {
				for b.Loop() {
					p, err := Largest(context.Background(), OfRows(rows, n, d), 10, tol)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(p.Values[0]/(n-1), "first")
					b.ReportMetric(p.Values[9]/(n-1), "tenth")
				}
			})
		}
	}
}
