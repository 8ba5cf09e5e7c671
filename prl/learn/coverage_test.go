package learn_test

import (
	"math"
	"testing"

	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/learn"
)

// TestCoverage measures the three intervals of a share at and just beside every end, where coverage jumps, against their promise.
func TestCoverage(t *testing.T) {
	of := func(f func(k, n int, c float64) (assess.Interval, error), n int) func(k int) (lo, hi float64, err error) {
		return func(k int) (lo, hi float64, err error) { i, err := f(k, n, 0.95); return i.Lo, i.Hi, err }
	}
	least := func(n int, once func(k int) (lo, hi float64, err error)) float64 {
		ends, worst := make([][2]float64, n+1), 1.0
		for k := range ends {
			lo, hi, err := once(k)
			if err != nil {
				t.Fatal(err)
			}
			ends[k] = [2]float64{lo, hi}
		}
		interval := func(k int) (lo, hi float64, err error) { return ends[k][0], ends[k][1], nil }
		for k := range n + 1 {
			lo, hi := ends[k][0], ends[k][1]
			for _, end := range []float64{lo, hi} {
				for _, p := range []float64{math.Nextafter(end, 0) - 1e-12, end, math.Nextafter(end, 1) + 1e-12} {
					if p < 0 || p > 1 {
						continue
					}
					c, err := learn.Coverage(n, p, interval)
					if err != nil {
						t.Fatal(err)
					}
					worst = min(worst, c)
				}
			}
		}
		return worst
	}
	for _, n := range []int{1, 2, 5, 10, 40, 150, 400, 1000} {
		exact := least(n, func(k int) (lo, hi float64, err error) { return learn.ClopperPearson(k, n, 0.95) })
		if exact < 0.95 {
			t.Errorf("n = %d: the exact interval covers %v", n, exact)
		}
		if wilson := least(n, of(assess.Wilson, n)); wilson >= 0.95 || wilson < 0.79 {
			t.Errorf("n = %d: Wilson's interval covers %v", n, wilson)
		}
		if wald := least(n, of(assess.Wald, n)); wald > 1e-6 {
			t.Errorf("n = %d: Wald's interval covers %v", n, wald)
		}
	}
	c, err := learn.Coverage(40, 0.01, of(assess.Wald, 40))
	if err != nil || math.Abs(c-0.331) > 5e-4 {
		t.Errorf("%v, %v", c, err)
	}
	for i, p := range []float64{0.01, 0.05, 0.1, 0.225, 0.5} {
		c, _ := learn.Coverage(40, p, func(k int) (lo, hi float64, err error) { return learn.ClopperPearson(k, 40, 0.95) })
		if want := []float64{.9925, .9861, .9697, .9651, .9615}[i]; math.Abs(c-want) > 5e-5 {
			t.Errorf("p = %v: %v, not %v", p, c, want)
		}
	}
	if _, err := learn.Coverage(40, 1.5, of(assess.Wald, 40)); err == nil {
		t.Error("p = 1.5")
	}
	if _, err := learn.Coverage(4, 0.5, func(int) (lo, hi float64, err error) { return math.NaN(), 1, nil }); err == nil {
		t.Error("an end that is no number")
	}
}

// TestTrials holds the figures of a search with scipy.stats.binom 1.17.
func TestTrials(t *testing.T) {
	for _, c := range []struct {
		p0, p1, alpha, power float64
		n, most              int
	}{{0.1, 0.05, 0.05, 0.8, 179, 11}, {0.5, 0.3, 0.05, 0.9, 53, 20}, {0.02, 0.005, 0.01, 0.95, 796, 7}} {
		n, most, err := learn.Trials(c.p0, c.p1, c.alpha, c.power)
		if err != nil || n != c.n || most != c.most {
			t.Errorf("%+v: %d, %d, %v", c, n, most, err)
		}
	}
	for _, bad := range [][4]float64{{0.1, 0.1, 0.05, 0.8}, {0.1, 0, 0.05, 0.8}, {0.1, 0.05, 0, 0.8}, {0.1, 0.0999999, 0.05, 0.8}} {
		if _, _, err := learn.Trials(bad[0], bad[1], bad[2], bad[3]); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}
