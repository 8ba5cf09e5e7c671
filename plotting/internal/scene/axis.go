package scene

import "math"

// Largest is the greatest magnitude a coordinate may have: domains with margins stay finite. What is beyond counts as not finite.
const Largest = 1e300

// Smallest is the least place on a logarithmic axis. Below it numbers lose digits, and two of them may have one logarithm.
const Smallest = 1e-300

// Drawable reports whether v is finite and not too large for a picture.
func Drawable(v float64) bool { return v >= -Largest && v <= Largest }

// At returns the place of v on the axis as a share of its length.
func (a Axis) At(v float64) float64 {
	if a.Log {
		return (math.Log(v) - math.Log(a.Lo)) / (math.Log(a.Hi) - math.Log(a.Lo))
	}
	return (v - a.Lo) / (a.Hi - a.Lo)
}

// Value is the inverse of at.
func (a Axis) Value(share float64) float64 {
	if a.Log {
		return math.Exp(math.Log(a.Lo) + share*(math.Log(a.Hi)-math.Log(a.Lo)))
	}
	return a.Lo + share*(a.Hi-a.Lo)
}

// Shows reports whether v has a place on the axis.
func (a Axis) Shows(v float64) bool { return Drawable(v) && (!a.Log || v >= Smallest) }

// Straight returns v, or its logarithm on a logarithmic axis.
func (a Axis) Straight(v float64) float64 {
	if a.Log {
		return math.Log10(v)
	}
	return v
}
