package plotting

import "math"

// largest is the greatest magnitude a coordinate may have: domains with margins stay finite. What is beyond counts as not finite.
const largest = 1e300

// smallest is the least place on a logarithmic axis. Below it numbers lose digits, and two of them may have one logarithm.
const smallest = 1e-300

// drawable tells whether v is finite and not too large for a picture.
func drawable(v float64) bool { return v >= -largest && v <= largest }

// at returns the place of v on the axis as a share of its length.
func (a axis) at(v float64) float64 {
	if a.Log {
		return (math.Log(v) - math.Log(a.Lo)) / (math.Log(a.Hi) - math.Log(a.Lo))
	}
	return (v - a.Lo) / (a.Hi - a.Lo)
}

// value is the inverse of at.
func (a axis) value(share float64) float64 {
	if a.Log {
		return math.Exp(math.Log(a.Lo) + share*(math.Log(a.Hi)-math.Log(a.Lo)))
	}
	return a.Lo + share*(a.Hi-a.Lo)
}

// shows tells whether v has a place on the axis.
func (a axis) shows(v float64) bool { return drawable(v) && (!a.Log || v >= smallest) }

// straight returns v, or its logarithm on a logarithmic axis.
func (a axis) straight(v float64) float64 {
	if a.Log {
		return math.Log10(v)
	}
	return v
}
