// Package number writes numbers for people: one style for tables, checks and figures. Thousands are parted from five digits on, powers of
// ten stand as such, and the minus sign is a true one: 0.1587, 12,345, 1.5×10⁻⁷, −3.25, ∞. The package imports nothing of the library.
package number

import (
	"math"
	"strconv"
	"strings"
)

// Format writes v with at most the given count of significant digits (1 ... 17) and no trailing zeros. Whole numbers below ten million are
// written in full.
func Format(v float64, digits int) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	case v == 0:
		return "0" // also for the negative zero
	case v == math.Trunc(v) && math.Abs(v) < 1e7:
		return Group(strconv.FormatFloat(v, 'f', 0, 64))
	}
	digits = min(max(digits, 1), 17)
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits-1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	if a := math.Abs(v); a >= 1e7 || a < 1e-4 {
		return Power(trim(mantissa), e)
	}
	return Group(trim(strconv.FormatFloat(v, 'f', max(digits-1-e, 0), 64)))
}

// Rounded returns the number that Format writes.
func Rounded(v float64, digits int) float64 {
	if v == math.Trunc(v) && math.Abs(v) < 1e7 || v-v != 0 {
		return v
	}
	digits = min(max(digits, 1), 17)
	text := strconv.FormatFloat(v, 'e', digits-1, 64)
	if a := math.Abs(v); a >= math.Pow10(digits) && a < 1e7 {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	v, _ = strconv.ParseFloat(text, 64)
	return v
}

// Step writes v with the decimals that tell apart numbers a step from each other, as on an axis: 0, 0.5 and 1.0 for a step of 0.5.
func Step(v, step float64) string {
	if v == 0 || math.Abs(v) < step*1e-9 {
		return "0"
	}
	if a := math.Abs(v); a >= 1e7 || step < 1e-6 {
		digits := 1
		if step > 0 {
			digits = min(max(int(math.Floor(math.Log10(a)+1e-9)-math.Floor(math.Log10(step)+1e-9))+1, 1), 16)
		}
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits-1, 64), "e")
		e, _ := strconv.Atoi(exponent)
		return Power(trim(mantissa), e)
	}
	decimals := 0
	if step < 1 {
		decimals = min(int(math.Ceil(-math.Log10(step)-1e-9)), 12)
		if r := step * math.Pow(10, float64(decimals)); math.Abs(r-math.Round(r)) > 1e-6 { // a step of 0.25
			decimals++
		}
	} else if math.Abs(step-math.Round(step)) > 1e-9 {
		decimals = 1
	}
	return Group(strconv.FormatFloat(v, 'f', decimals, 64))
}

// Power writes mantissa × 10^n: "2.5×10⁸", and "10⁸" for a mantissa of 1.
func Power(mantissa string, n int) string {
	exponent := strings.Map(func(r rune) rune {
		if r == '-' {
			return '⁻'
		}
		return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0']
	}, strconv.Itoa(n))
	switch mantissa {
	case "1":
		return "10" + exponent
	case "-1":
		return "−10" + exponent
	}
	return Minus(mantissa) + "×10" + exponent
}

// Int writes a whole number.
func Int(v int) string { return Group(strconv.Itoa(v)) }

// Group parts the thousands of a number in decimal notation that has five digits and more before its point, "12,345", and gives it a true
// minus.
func Group(s string) string {
	whole, rest, dot := strings.Cut(Minus(s), ".")
	sign := ""
	if strings.HasPrefix(whole, "−") {
		sign, whole = "−", strings.TrimPrefix(whole, "−")
	}
	if len(whole) >= 5 {
		var b strings.Builder
		for i, r := range whole {
			if i > 0 && (len(whole)-i)%3 == 0 {
				b.WriteByte(',')
			}
			b.WriteRune(r)
		}
		whole = b.String()
	}
	if dot {
		return sign + whole + "." + rest
	}
	return sign + whole
}

// Is reports whether s looks like what this package writes.
func Is(s string) bool {
	return strings.Trim(s, "0123456789.,−×⁰¹²³⁴⁵⁶⁷⁸⁹⁻") == ""
}

func trim(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// Minus gives a number in decimal notation a true minus sign.
func Minus(s string) string {
	if strings.HasPrefix(s, "-") {
		return "−" + s[1:]
	}
	return s
}
