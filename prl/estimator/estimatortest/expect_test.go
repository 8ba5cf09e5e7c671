package estimatortest

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/prlab/prlab/prl/fault"
)

// A recorder counts the errors that a test would report.
type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(string, ...any) { r.errors++ }

func TestExpectations(t *testing.T) {
	argument := fault.Argument("f", "k", 0, "a count", "")
	for _, c := range []struct {
		errs map[string]error
		want int
	}{
		{nil, 0},
		{map[string]error{"f: k is 0": argument, "k is 0": fmt.Errorf("outer: %w", argument)}, 0},
		{map[string]error{"k is 1": argument, "f": nil, "k is 0": errors.New("k is 0")}, 3},
	} {
		r := &recorder{}
		Refused(r, c.errs)
		if r.errors != c.want {
			t.Errorf("%v: %d errors, want %d", c.errs, r.errors, c.want)
		}
	}
	for _, c := range []struct {
		got, want []float64
		tol       float64
		errors    int
	}{
		{nil, nil, 0, 0},
		{[]float64{1, 2}, []float64{1, 2}, 0, 0},
		{[]float64{1, 2}, []float64{1.25, 1.75}, 0.25, 0},
		{[]float64{1, 2}, []float64{1.25, 1.75}, 0.125, 2},
		{[]float64{1, math.NaN()}, []float64{1, 2}, 9, 1},
		{[]float64{1, 2}, []float64{1, math.NaN()}, 9, 1},
		{[]float64{1, 2}, []float64{1}, 9, 1},
		{[]float64{1}, []float64{1, 2}, 9, 1},
	} {
		r := &recorder{}
		NearAll(r, "x", c.got, c.want, c.tol)
		if r.errors != c.errors {
			t.Errorf("%v, %v within %v: %d errors, want %d", c.got, c.want, c.tol, r.errors, c.errors)
		}
	}
}
