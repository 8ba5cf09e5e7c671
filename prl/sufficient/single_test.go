package sufficient_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/sufficient"
)

// pictures are rows of n pictures of d pixels of three classes, made as they are read; rounded, as single precision holds them.
func pictures(n, d int, rounded bool) *datasets.Rows {
	r := &datasets.Rows{Name: "pictures", Identity: "pictures", ClassNames: []string{"0", "1", "2"}}
	for range d {
		r.FeatureNames = append(r.FeatureNames, "pixel")
	}
	r.Read = func(_ context.Context, from datasets.Position, size int, use func(*datasets.Batch) bool) error {
		for lo := from.Rows; lo < n; lo += size {
			b := &datasets.Batch{X: mat.NewDense(min(size, n-lo), d, nil), Next: datasets.Position{Rows: min(lo+size, n)}}
			for i := lo; i < b.Next.Rows; i++ {
				rng := rand.New(rand.NewPCG(1, uint64(i)))
				c := i % 3
				for j := range d {
					v := rng.NormFloat64() + float64((j+c)%3)
					if rounded {
						v = float64(float32(v))
					}
					b.X.(*mat.Dense).Set(i-lo, j, v)
				}
				b.Y = append(b.Y, c)
			}
			if !use(b) {
				return nil
			}
		}
		return nil
	}
	return r
}

// fits returns LDA, two components and a round of k-means, encoded.
func fits(t *testing.T, rows *datasets.Rows, size int) (all [][]byte) {
	t.Helper()
	var classes sufficient.Classes
	var moments sufficient.Moments
	var round *sufficient.KMeansRound
	for b, err := range rows.Batches(t.Context(), size) {
		if err != nil {
			t.Fatal(err)
		}
		if round == nil {
			first := mat.DenseCopyOf(b.X).RawMatrix()
			model, err := mixture.KMeansOf([][]float64{first.Data[:first.Cols], first.Data[first.Cols : 2*first.Cols]})
			if err != nil {
				t.Fatal(err)
			}
			if round, err = sufficient.NewKMeansRound(model); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(classes.Add(b.X, b.Y, nil), moments.Add(b.X, nil), round.Add(b.X, nil)); err != nil {
			t.Fatal(err)
		}
	}
	lda, err := classes.LDA(bayes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []interface{ MarshalBinary() ([]byte, error) }{lda, &moments, round} {
		data, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

// Fits to rows in single precision are, to the last bit, those to the rounded rows in double precision; and reading goes on from any row.
func TestSingleIsTheRoundedRows(t *testing.T) {
	const n, d, size = 2500, 6, 700
	narrow, err := pictures(n, d, false).Single(t.Context(), datasets.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := fits(t, pictures(n, d, true), size)
	for range 2 { // as often as asked for
		for i, have := range fits(t, narrow, size) {
			if !bytes.Equal(have, want[i]) {
				t.Errorf("fit %d differs", i)
			}
		}
	}
	if exact := fits(t, pictures(n, d, false), size); slices.EqualFunc(exact, want, bytes.Equal) {
		t.Error("rounding changes nothing: the rows prove nothing")
	}
	at := datasets.Position{Rows: 1500}
	for _, rows := range []*datasets.Rows{narrow, pictures(n, d, true)} {
		for b, err := range rows.From(at).Batches(t.Context(), 10) {
			if err != nil || b.Y[0] != 0 || b.X.At(0, 0) != float64(float32(b.X.At(0, 0))) || b.Next.Rows != 1510 {
				t.Error(b, err)
			}
			break
		}
	}
}

// The rows take four bytes a number and little more.
func TestSingleIsHalf(t *testing.T) {
	const n, d = 4000, 500
	rows := pictures(n, d, false)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	narrow, err := rows.Single(t.Context(), datasets.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if bytes := float64(after.HeapAlloc) - float64(before.HeapAlloc); bytes > 4.5*n*d || bytes < 4*n*d {
		t.Errorf("%.2f bytes a number, want 4", bytes/n/d)
	}
	runtime.KeepAlive(narrow)
}

func TestSingleMistakes(t *testing.T) {
	huge := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("a,b\n1,2\n1e39,3\n")), nil }
	csv, err := datasets.ReadCSVRows(huge, "huge.csv", datasets.Unlabelled())
	if err != nil {
		t.Fatal(err)
	}
	thin, err := datasets.ReadLIBSVMRows(func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("1 1:2\n2 3:1\n")), nil
	}, "thin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rows  *datasets.Rows
		limit datasets.Limits
		want  string
	}{
		{csv, datasets.Limits{}, "row 2 has 1e+39 in column 1"},
		{thin, datasets.Limits{}, "datasets.SparseLIBSVM"},
		{pictures(100, 5, false), datasets.Limits{Values: 499}, "at most 499 numbers"},
	} {
		if _, err := c.rows.Single(t.Context(), c.limit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if rows, err := pictures(100, 5, false).Single(t.Context(), datasets.Limits{Values: 500}); err != nil || rows.FeatureNames == nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pictures(100, 5, false).Single(ctx, datasets.Limits{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
