package density

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/prlab/prlab/prl/fault"
)

// A Window is the form of the bump that Parzen's estimate puts on each row: a function of the distance r in units of the width.
type Window string

const (
	Gauss        Window = "Gauss"        // exp(-r^2/2) (the default)
	Epanechnikov Window = "Epanechnikov" // 1 - r^2 for r <= 1
	Box          Window = "box"          // 1 for r <= 1: rows in a ball are counted
	Triangle     Window = "triangle"     // 1 - r for r <= 1
	Cosine       Window = "cosine"       // cos(pi r/2) for r <= 1
	Exponential  Window = "exponential"  // exp(-r)
)

func (w Window) check(function string) error {
	switch w {
	case Gauss, Epanechnikov, Box, Triangle, Cosine, Exponential:
		return nil
	}
	const known = `"Gauss", "Epanechnikov", "box", "triangle", "cosine" or "exponential"`
	return fault.Argument(function, "Window", fmt.Sprintf("%q", w), known, "")
}

// At returns the height at distance r >= 0, before the bump is made to have volume 1.
func (w Window) At(r float64) float64 {
	switch {
	case w == Gauss:
		return math.Exp(-r * r / 2)
	case w == Exponential:
		return math.Exp(-r)
	case r > 1:
		return 0
	case w == Epanechnikov:
		return 1 - r*r
	case w == Triangle:
		return 1 - r
	case w == Cosine:
		return math.Cos(math.Pi / 2 * r)
	}
	return 1
}

// endless reports whether a bump is nowhere zero.
func (w Window) endless() bool { return w == Gauss || w == Exponential }

// logMoment returns the logarithm of the integral of r^m times the height, r from 0 on.
func (w Window) logMoment(m int) float64 {
	p := float64(m + 1)
	switch w {
	case Gauss:
		l, _ := math.Lgamma(p / 2)
		return l + (p/2-1)*math.Ln2
	case Exponential:
		l, _ := math.Lgamma(p)
		return l
	case Epanechnikov:
		return math.Log(2 / (p * (p + 2)))
	case Triangle:
		return math.Log(1 / (p * (p + 1)))
	case Cosine:
		sum, term := 0.0, 1.0
		for j := 0.0; math.Abs(term) > 1e-20; j++ {
			sum += term / (p + 2*j)
			term *= -(math.Pi / 2) * (math.Pi / 2) / ((2*j + 1) * (2*j + 2))
		}
		return math.Log(sum)
	}
	return -math.Log(p)
}

// logVolume returns the logarithm of the integral of the height over d dimensions: the surface of the unit ball times the moment d-1.
func (w Window) logVolume(d int) float64 {
	return math.Log(float64(d)) + logBall(d) + w.logMoment(d-1)
}

// spread returns the standard deviation along an axis of a bump of width 1 in d dimensions, E[r^2]/d.
func (w Window) spread(d int) float64 {
	return math.Exp((w.logMoment(d+1) - w.logMoment(d-1) - math.Log(float64(d))) / 2)
}

// logBall returns the logarithm of the volume of the unit ball, pi^(d/2) / Gamma(d/2 + 1).
func logBall(d int) float64 {
	l, _ := math.Lgamma(float64(d)/2 + 1)
	return float64(d)/2*math.Log(math.Pi) - l
}

// draw sets z to a draw from the bump of width 1: a direction, and a distance that is that of the unit ball kept with the height as its
// probability where the bump ends.
func (w Window) draw(z []float64, rng *rand.Rand) {
	norm := 0.0
	for j := range z {
		z[j] = rng.NormFloat64()
		norm += z[j] * z[j]
	}
	if w == Gauss {
		return
	}
	r, d := 0.0, len(z)
	if w == Exponential {
		for range d {
			r += rng.ExpFloat64()
		}
	} else {
		for r = math.Pow(rng.Float64(), 1/float64(d)); rng.Float64() > w.At(r); {
			r = math.Pow(rng.Float64(), 1/float64(d))
		}
	}
	for j := range z {
		z[j] *= r / math.Sqrt(norm)
	}
}
