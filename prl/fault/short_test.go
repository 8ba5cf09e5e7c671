package fault_test

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/fault"
)

type matrix struct{ r, c int }

func (m matrix) Dims() (r, c int)    { return m.r, m.c }
func (m matrix) At(i, j int) float64 { return float64(10*i + j) }

// A message shows of a matrix the shape and a corner, never the whole.
func TestShort(t *testing.T) {
	long := make([]float64, 1000)
	wide := [][]float64{long, long, long, long}
	for _, c := range []struct {
		v    any
		want string
	}{
		{matrix{200, 50}, "200 x 50, [[0 1 2 ...] [10 11 12 ...] [20 21 22 ...] ...]"},
		{matrix{1, 2}, "1 x 2, [[0 1]]"},
		{(*matrix)(nil), "<nil>"},
		{long, "[0 0 0 0 0 0 ...] of 1000"},
		{wide, "4 x 1000, [[0 0 0 ...] [0 0 0 ...] [0 0 0 ...] ...]"},
		{[]float64{0.5, 0.25}, "[0.5 0.25]"},
		{[][]float64{{1, 2}, {3, 4}}, "[[1 2] [3 4]]"},
		{[]float64(nil), "[]"},
		{-1, "-1"},
		{"a word", "a word"},
	} {
		if got := fault.Short(c.v); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if e := fault.Argument("f", "X", wide, "square", "").Error(); len(e) > 120 || !strings.Contains(e, "4 x 1000") {
		t.Error(e)
	}
}
