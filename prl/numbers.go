package prl

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/cell"
)

// Range returns lo, lo+step, ... up to hi, with hi itself when the steps reach it within rounding. A step of zero, or in the wrong
// direction, and numbers that are not finite fail the cell, and so do more than a million numbers.
func Range(lo, hi, step float64) []float64 {
	const most = 1e6
	n := math.Floor((hi-lo)/step*(1+1e-12) + 1e-9)
	if step == 0 || !(n >= 0) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		cell.Fail(fmt.Errorf("Range: no numbers lead from %v to %v in steps of %v", lo, hi, step))
		return nil
	}
	if n > most {
		cell.Fail(fmt.Errorf("Range: %.0f numbers from %v to %v in steps of %v, but needs to be at most %.0f", n+1, lo, hi, step, most))
		return nil
	}
	v := make([]float64, int(n)+1)
	for i := range v {
		v[i] = lo + float64(i)*step
		// The shortest decimal within rounding: 0.3 rather than 0.30000000000000004.
		if r := math.Round(v[i]*1e9) / 1e9; math.Abs(r-v[i]) <= 4e-16*math.Max(math.Abs(lo), math.Abs(hi)) {
			v[i] = r
		}
	}
	return v
}

// LinSpace returns n evenly spaced numbers from lo to hi, both included.
func LinSpace(lo, hi float64, n int) []float64 {
	if n < 2 || math.IsNaN(hi-lo) || math.IsInf(hi-lo, 0) {
		cell.Fail(fmt.Errorf("LinSpace: %d numbers from %v to %v, but needs at least two between finite ends", n, lo, hi))
		return nil
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = lo + (hi-lo)*float64(i)/float64(n-1)
	}
	v[n-1] = hi
	return v
}

// LogSpace returns n numbers from lo to hi, both included, each the same multiple of the one before; lo and hi are positive.
func LogSpace(lo, hi float64, n int) []float64 {
	if n < 2 || !(lo > 0) || !(hi > 0) || math.IsInf(hi, 0) || math.IsInf(lo, 0) {
		cell.Fail(fmt.Errorf("LogSpace: %d numbers from %v to %v, but needs at least two between positive ends", n, lo, hi))
		return nil
	}
	v := make([]float64, n)
	for i := range v {
		t := float64(i) / float64(n-1)
		v[i] = math.Exp((1-t)*math.Log(lo) + t*math.Log(hi))
	}
	v[0], v[n-1] = lo, hi
	return v
}

// Map returns f of each number.
func Map(xs []float64, f func(float64) float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}
