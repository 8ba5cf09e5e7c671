package plotting

import (
	"math"
	"strconv"
	"strings"
)

// largest is the greatest magnitude a coordinate may have: domains with margins stay finite. What is beyond counts as not finite.
const largest = 1e300

// smallest is the least place on a logarithmic axis. Below it numbers lose digits, and two of them may have one logarithm.
const smallest = 1e-300

func drawable(v float64) bool { return v >= -largest && v <= largest }

// formatNumber writes v with six significant digits, whole numbers below ten million in full: "0.05", "12,345", "2.5×10⁸", with a true
// minus sign.
func formatNumber(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		if v > 0 {
			return "∞"
		}
		return "−∞"
	case v == 0:
		return "0"
	}
	if a := math.Abs(v); a >= 1e7 || a < 1e-4 {
		return scientific(strconv.FormatFloat(v, 'e', -1, 64), 6, v)
	}
	s := strconv.FormatFloat(v, 'g', 6, 64)
	if strings.Contains(s, "e") { // rounding carried to 1e+06 and above
		s = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return group(minus(s))
}

// scientific turns the 'e' form of v, cut to the given digits when longer, into "2.5×10⁸".
func scientific(s string, digits int, v float64) string {
	mantissa, exponent, _ := strings.Cut(s, "e")
	if len(strings.TrimLeft(strings.ReplaceAll(mantissa, ".", ""), "-")) > digits {
		s = strconv.FormatFloat(v, 'e', digits-1, 64)
		mantissa, exponent, _ = strings.Cut(s, "e")
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
	}
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return minus(s)
	}
	return power(mantissa, n)
}

// power writes mantissa × 10^n.
func power(mantissa string, n int) string {
	const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹"
	exponent := strings.Map(func(r rune) rune {
		if r == '-' {
			return '⁻'
		}
		return []rune(digits)[r-'0']
	}, strconv.Itoa(n))
	switch mantissa {
	case "1":
		return "10" + exponent
	case "-1":
		return "−10" + exponent
	}
	return minus(mantissa) + "×10" + exponent
}

func minus(s string) string {
	if strings.HasPrefix(s, "-") {
		return "−" + s[1:]
	}
	return s
}

// group parts the thousands of numbers of five digits and more: "12,345".
func group(s string) string {
	whole, rest, dot := strings.Cut(s, ".")
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

// formatStep writes v with the decimals that tell apart numbers a step from each other.
func formatStep(v, step float64) string {
	if v == 0 || math.Abs(v) < step*1e-9 {
		return "0"
	}
	if a := math.Abs(v); a >= 1e7 || step < 1e-6 {
		digits := 1
		if step > 0 && a > 0 {
			digits = min(max(int(math.Floor(math.Log10(a)+1e-9)-math.Floor(math.Log10(step)+1e-9))+1, 1), 16)
		}
		s := strconv.FormatFloat(v, 'e', digits-1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return scientific(mantissa+"e"+exponent, 17, v)
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
	return group(minus(strconv.FormatFloat(v, 'f', decimals, 64)))
}
