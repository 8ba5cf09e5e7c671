package scene

import (
	"math"

	"github.com/prlab/prlab/prl/number"
)

// FormatNumber writes a number as figures do.
func FormatNumber(v float64) string { return number.Format(v, 6) }

// NiceStep returns the step 1, 2 or 5 times a power of ten that parts span into about n.
func NiceStep(span float64, n int) float64 {
	raw := span / float64(max(n, 1))
	if !(raw > 0) || math.IsInf(raw, 0) {
		return 1
	}
	base := math.Pow(10, math.Floor(math.Log10(raw)))
	if base == 0 {
		return raw
	}
	switch r := raw / base; {
	case r < 1.4142135623730951: // geometric means, as in d3
		return base
	case r < 3.1622776601683795:
		return 2 * base
	case r < 7.0710678118654755:
		return 5 * base
	}
	return 10 * base
}

// LinearTicks returns about n round places in [lo, hi] with labels of equal decimals.
func LinearTicks(lo, hi float64, n int) []Tick {
	step := NiceStep(hi-lo, n)
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	if !(last-first < 1000) || math.Abs(first) > 1e15 || math.Abs(last) > 1e15 { // lo and hi differ only in their last bits
		return []Tick{{lo, FormatNumber(lo)}, {hi, FormatNumber(hi)}}
	}
	var ticks []Tick
	for i := first; i <= last; i++ {
		v := i * step
		if step < 1 { // i/10 is rounder than i*0.1
			v = i / math.Round(1/step)
			if math.Abs(v-i*step) > 1e-9*step {
				v = i * step
			}
		}
		ticks = append(ticks, Tick{v, number.Step(v, step)})
	}
	return ticks
}

// LogTicks returns decades in [lo, hi], every second or third one when there are many, and 2 and 5 between them when there are few.
func LogTicks(lo, hi float64, n int) []Tick {
	a, b := math.Log10(lo), math.Log10(hi)
	first, last := math.Ceil(a-1e-9), math.Floor(b+1e-9)
	if decades := last - first + 1; decades >= 3 || b-a >= 2.5 {
		stride := math.Max(1, math.Ceil(decades/float64(max(n, 1))))
		plain := first >= -3 && last <= 4
		var ticks []Tick
		for e := math.Ceil(first/stride) * stride; e <= last; e += stride {
			v := math.Pow(10, e)
			label := number.Power("1", int(e))
			if plain {
				label = FormatNumber(v)
			}
			ticks = append(ticks, Tick{v, label})
		}
		return ticks
	}
	for _, leading := range [][]float64{{1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		var ticks []Tick
		for e := math.Floor(a); e <= math.Ceil(b); e++ {
			for _, d := range leading {
				if v := d * math.Pow(10, e); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
					ticks = append(ticks, Tick{v, FormatNumber(v)})
				}
			}
		}
		if len(ticks) >= 3 {
			return ticks
		}
	}
	var ticks []Tick
	for _, t := range LinearTicks(lo, hi, n) {
		if t.At > 0 {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// Numeric reports whether the labels are numbers, of which some may be left out.
func Numeric(ticks []Tick) bool {
	for _, t := range ticks {
		if !number.Is(t.Label) {
			return false
		}
	}
	return true
}
