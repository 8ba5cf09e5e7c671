package plotting

import (
	"math"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// survey gathers what the layers of a panel, over all frames, ask for before anything is drawn.
type survey struct {
	pic        *picture
	layer      int // index of the layer that is asked
	x, y       extent
	noAxes     bool
	equal      bool
	noGridX    bool // categories need no lines
	noGridY    bool
	xTicks     []scene.Tick // ticks a layer brings along
	yTicks     []scene.Tick
	tall       float64 // height over width the layer would like, 0 is no wish
	fx, fy     extent  // fallback domains, for layers that fill the panel whatever it is
	logX, logY bool
}

// fuse joins the named places of an axis in one frame with those of the frames before it: the axis has the ticks of the frame that brings
// most. It returns the two names of a place that the frames call differently.
func fuse(before, now []scene.Tick) (ticks []scene.Tick, was, is string) {
	names := make(map[float64]string, len(before))
	for _, t := range before {
		names[t.At] = t.Label
	}
	for _, t := range now {
		if name, ok := names[t.At]; ok && name != t.Label {
			return nil, name, t.Label
		}
	}
	if len(now) > len(before) || before == nil {
		return now, "", ""
	}
	return before, "", ""
}

// extent is the range of the values along one axis.
type extent struct {
	lo, hi         float64 // values that like a margin
	pos            float64 // the smallest positive one
	hardLo, hardHi float64 // values that may stand at the edge
	hardPos        float64
	some, someHard bool
	somePos        bool
	someHardPos    bool
}

// join takes all that o has taken.
func (e *extent) join(o extent) {
	if o.some {
		e.soft(o.lo, o.hi)
	}
	if o.somePos {
		e.soft(o.pos)
	}
	if o.someHard {
		e.hard(o.hardLo, o.hardHi)
	}
	if o.someHardPos {
		e.hard(o.hardPos)
	}
}

// soft takes v into the domain with a margin beyond it.
func (e *extent) soft(values ...float64) {
	for _, v := range values {
		if !scene.Drawable(v) {
			continue
		}
		if !e.some {
			e.lo, e.hi, e.some = v, v, true
		}
		e.lo, e.hi = min(e.lo, v), max(e.hi, v)
		if v >= scene.Smallest && (!e.somePos || v < e.pos) {
			e.pos, e.somePos = v, true
		}
	}
}

// hard takes v into the domain without a margin.
func (e *extent) hard(values ...float64) {
	for _, v := range values {
		if !scene.Drawable(v) {
			continue
		}
		if !e.someHard {
			e.hardLo, e.hardHi, e.someHard = v, v, true
		}
		e.hardLo, e.hardHi = min(e.hardLo, v), max(e.hardHi, v)
		if v >= scene.Smallest && (!e.someHardPos || v < e.hardPos) {
			e.hardPos, e.someHardPos = v, true
		}
	}
}

// domain returns the ends of the axis: the values with a margin of the given share, or the user's wish.
func (e extent) domain(o axisOptions, share float64, fallback extent) (lo, hi float64) {
	if o.set && (!o.log || o.lo >= scene.Smallest) {
		return o.lo, o.hi
	}
	if !e.some && !e.someHard {
		e = fallback
	}
	if !e.some && !e.someHard {
		if o.log {
			return 1, 10
		}
		return 0, 1
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	if e.some {
		lo, hi = e.lo, e.hi
	}
	if e.someHard {
		lo, hi = min(lo, e.hardLo), max(hi, e.hardHi)
	}
	if o.log {
		return e.logDomain(o, share)
	}
	span := hi - lo
	if !(span > 1e-11*max(math.Abs(lo), math.Abs(hi))) || span < 1e-290 { // constant, up to rounding
		half := 0.1 * max(math.Abs(lo), math.Abs(hi))
		if half < 1e-290 {
			half = 1
		}
		if e.someHard && e.hardLo == 0 && lo >= 0 { // bars of no height
			return 0, hi + half
		}
		return lo - half, hi + half
	}
	a, b := lo, hi
	if e.some {
		a, b = min(a, e.lo-share*span), max(b, e.hi+share*span)
	}
	if e.someHard && e.hardLo == 0 && lo == 0 { // what stands on zero stands on the axis
		a = 0
	}
	if e.someHard && e.hardHi == 0 && hi == 0 {
		b = 0
	}
	return a, b
}

// logDomain is domain for a logarithmic axis: only positive values count, and margins are factors.
func (e extent) logDomain(o axisOptions, share float64) (lo, hi float64) {
	if !e.somePos && !e.someHardPos {
		return 1, 10
	}
	lo, hi = math.Inf(1), 0
	if e.somePos {
		lo, hi = e.pos, e.hi
	}
	if e.someHardPos {
		lo, hi = min(lo, e.hardPos), max(hi, e.hardHi)
	}
	if o.set && o.hi > lo { // a lower end that is not positive cannot be kept
		return lo, o.hi
	}
	if !(hi > lo*(1+1e-9)) {
		return lo / 2, lo * 2
	}
	r := math.Pow(hi/lo, share)
	if math.IsInf(r, 0) || math.IsInf(hi*r, 0) || lo/r == 0 || !e.somePos {
		return lo, hi
	}
	return min(lo, e.pos/r), max(hi, e.hi*r)
}
