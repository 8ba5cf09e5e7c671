package ica

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// gaussianEntropy is that of N(0, 1), 1/2 log(2 pi e).
var gaussianEntropy = (1 + math.Log(2*math.Pi)) / 2

// standardised returns y with mean 0 and variance 1 (divisor n), and the standard deviation it had.
func standardised(function string, y []float64) (z []float64, sd float64, err error) {
	if len(y) < 2 {
		return nil, 0, fault.Argument(function, "y", fmt.Sprintf("%d numbers", len(y)), "at least 2", "")
	}
	largest := 0.0
	for i, v := range y {
		if v-v != 0 {
			return nil, 0, fault.Argument(function, fmt.Sprintf("y[%d]", i), v, "a finite number", "")
		}
		largest = max(largest, math.Abs(v))
	}
	_, e := math.Frexp(largest)                             // so that no square overflows
	half, rest := math.Ldexp(1, -e/2), math.Ldexp(1, e/2-e) // both finite, where 2^-e need not be
	z, mean, n := make([]float64, len(y)), 0.0, float64(len(y))
	for i, v := range y {
		z[i] = v * half * rest
		mean += z[i]
	}
	mean /= n
	square := 0.0
	for i := range z {
		z[i] -= mean
		square += z[i] * z[i]
	}
	square /= n
	if !(square > 1e-30) {
		return nil, 0, fault.Argument(function, "y", "of no spread", "numbers that vary", "")
	}
	sd = math.Sqrt(square)
	for i := range z {
		z[i] /= sd
	}
	return z, math.Ldexp(sd, e), nil
}

// mean returns the mean of f over y.
func mean(y []float64, f func(float64) float64) float64 {
	s := 0.0
	for _, v := range y {
		s += f(v)
	}
	return s / float64(len(y))
}

// Kurtosis returns kurt(y) = E y^4 - 3 (E y^2)^2 of the numbers less their mean: 0 for a Gaussian, negative for flat densities, positive
// for peaked ones. Of y with variance 1 it is the excess kurtosis; c y has c^4 times that of y. NaN for fewer than 2 numbers.
func Kurtosis(y []float64) float64 {
	if len(y) < 2 {
		return math.NaN()
	}
	m := mean(y, func(v float64) float64 { return v })
	square := mean(y, func(v float64) float64 { return (v - m) * (v - m) })
	return mean(y, func(v float64) float64 { return (v - m) * (v - m) * (v - m) * (v - m) }) - 3*square*square
}

// Entropy estimates the differential entropy of the density that n numbers were drawn from, in nats, from their spacings: the mean of
// log(n/(c_i m) (y_(i+m) - y_(i-m))) of the numbers in order, with m = sqrt n rounded, places beyond the ends at the ends, and c_i = 2 but
// 1 + (i-1)/m and 1 + (n-i)/m there. Spacings of ties count as 1e-9 standard deviations. Source: Vasicek, J. R. Statist. Soc. B 38 (1976);
// Ebrahimi, Pflughoeft and Soofi, Statistics and Probability Letters 20 (1994). Errors: fewer than 4 numbers, numbers that are not finite
// or do not vary.
func Entropy(y []float64) (float64, error) {
	const name = "ica.Entropy"
	if len(y) < 4 {
		return 0, fault.Argument(name, "y", fmt.Sprintf("%d numbers", len(y)), "at least 4", "")
	}
	z, sd, err := standardised(name, y)
	if err != nil {
		return 0, err
	}
	slices.Sort(z)
	n, m := len(z), int(math.Sqrt(float64(len(z)))+0.5)
	s := 0.0
	for i := range n {
		c := min(2, 1+float64(i)/float64(m), 1+float64(n-1-i)/float64(m))
		spacing := z[min(n-1, i+m)] - z[max(0, i-m)]
		s += math.Log(float64(n) / (c * float64(m)) * max(spacing, 1e-9))
	}
	return s/float64(n) + math.Log(sd), nil
}

// Negentropy estimates J(y) = 1/2 log(2 pi e var y) - H(y) in nats, by Entropy: how far y is from Gaussian, whatever its scale. The truth
// is at least 0; an estimate from few numbers need not be. Errors: those of Entropy.
func Negentropy(y []float64) (float64, error) {
	z, _, err := standardised("ica.Negentropy", y)
	if err != nil {
		return 0, err
	}
	h, err := Entropy(z)
	return gaussianEntropy - h, err
}

// CumulantNegentropy returns (E y^3)^2 / 12 + kurt(y)^2 / 48 of the standardised numbers, which is J(y) to second order for densities near
// a Gaussian (Jones and Sibson, J. R. Statist. Soc. A 150 (1987)), and far from one may be far off. Errors: fewer than 2 numbers, numbers
// that are not finite or do not vary.
func CumulantNegentropy(y []float64) (float64, error) {
	z, _, err := standardised("ica.CumulantNegentropy", y)
	if err != nil {
		return 0, err
	}
	third := mean(z, func(v float64) float64 { return v * v * v })
	k := Kurtosis(z)
	return third*third/12 + k*k/48, nil
}

// Gap returns E G(y) - E G(v) of the standardised numbers, v Gaussian; its square ranks the directions of given sources as negentropy does.
// Errors: an unknown contrast, and those of CumulantNegentropy.
func Gap(c Contrast, y []float64) (float64, error) {
	const name = "ica.Gap"
	if err := checkContrast(name, c); err != nil {
		return 0, err
	}
	z, _, err := standardised(name, y)
	if err != nil {
		return 0, err
	}
	return mean(z, c.G) - gaussian[c], nil
}

// A Plane is what the fourth moments of points of the plane say of every direction: the mean of y^4 and of y^2 along cos t z_1 + sin t z_2
// are a quartic and a quadratic form in (cos t, sin t). Five means of one pass over the points make the whole curve.
type Plane struct {
	fourth [5]float64 // E z1^(4-i) z2^i
	second [3]float64 // E z1^(2-i) z2^i
}

// PlaneOf returns the moments of the rows of Z (n x 2) about their mean. Errors: another width, numbers that are not finite.
func PlaneOf(Z mat.Matrix) (Plane, error) {
	const name = "ica.PlaneOf"
	if err := estimator.CheckX(name, Z); err != nil {
		return Plane{}, err
	}
	if err := estimator.CheckWidth(name, Z, 2); err != nil {
		return Plane{}, err
	}
	n, _ := Z.Dims()
	var p Plane
	var ma, mb float64
	for i := range n {
		ma, mb = ma+Z.At(i, 0)/float64(n), mb+Z.At(i, 1)/float64(n)
	}
	for i := range n {
		a, b := Z.At(i, 0)-ma, Z.At(i, 1)-mb
		aa, ab, bb := a*a, a*b, b*b
		for j, v := range [...]float64{aa, ab, bb} {
			p.second[j] += v / float64(n)
		}
		for j, v := range [...]float64{aa * aa, aa * ab, aa * bb, ab * bb, bb * bb} {
			p.fourth[j] += v / float64(n)
		}
	}
	return p, nil
}

// Kurtosis returns kurt(cos t z_1 + sin t z_2) for t in degrees.
func (p Plane) Kurtosis(degrees float64) float64 {
	s, c := math.Sincos(degrees * math.Pi / 180)
	square := c*c*p.second[0] + 2*c*s*p.second[1] + s*s*p.second[2]
	f := p.fourth
	return c*c*c*c*f[0] + 4*c*c*c*s*f[1] + 6*c*c*s*s*f[2] + 4*c*s*s*s*f[3] + s*s*s*s*f[4] - 3*square*square
}
