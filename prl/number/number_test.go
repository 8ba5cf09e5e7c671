package number_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/number"
)

func ExampleFormat() {
	fmt.Println(number.Format(1.0/3, 4), number.Format(-12345, 4), number.Format(1.5e-7, 4), number.Format(2.5e8, 4))
	// Output: 0.3333 −12,345 1.5×10⁻⁷ 2.5×10⁸
}

func TestFormat(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", -1: "−1", 0.05: "0.05", 1234: "1234", 12345: "12,345", -1234567: "−1,234,567",
		0.1 + 0.2: "0.3",
		1e7:       "10⁷", -1e7: "−10⁷", 2.5e8: "2.5×10⁸", 1e-9: "10⁻⁹", -3e-7: "−3×10⁻⁷", 1.0 / 3: "0.333333", math.Inf(1): "∞",
		math.Inf(-1): "−∞",
		123456.5:     "123,456", 999999.9: "1,000,000", 1.0 / 3 * 1e-8: "3.33333×10⁻⁹", 9999999.7: "10,000,000", 1e300: "10³⁰⁰",
	} {
		if got := number.Format(v, 6); got != want {
			t.Errorf("Format(%v, 6) = %q, want %q", v, got, want)
		}
	}
	if got := number.Format(math.NaN(), 6); got != "NaN" {
		t.Error(got)
	}
	for digits, want := range map[int]string{-1: "0.1", 1: "0.1", 3: "0.123", 17: "0.12345678901234568", 99: "0.12345678901234568"} {
		if got := number.Format(0.123456789012345678, digits); got != want {
			t.Errorf("%d digits: %q, want %q", digits, got, want)
		}
	}
}

var powerOfTen = regexp.MustCompile(`(^|−)10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹])`)

// readBack reads "−2.5×10⁸", "10⁻³" and "12,345".
func readBack(text string) (float64, error) {
	text = powerOfTen.ReplaceAllString(text, "${1}1×10${2}")
	text = strings.NewReplacer("−", "-", "∞", "Inf", ",", "", "×10", "e", "⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5",
		"⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9").Replace(text)
	return strconv.ParseFloat(text, 64)
}

// What is written reads back to the number, up to half a unit of its last digit.
func TestFormatReadsBack(t *testing.T) {
	for e := -30; e <= 30; e++ {
		for _, m := range []float64{1, -1.5, 9.99995, 3.14159265, -7.7777777} {
			for _, digits := range []int{1, 4, 6, 12} {
				v := m * math.Pow(10, float64(e))
				s := number.Format(v, digits)
				if !number.Is(s) {
					t.Errorf("Is(%q) is false", s)
				}
				got, err := readBack(s)
				if err != nil {
					t.Errorf("%v: %q", v, s)
				} else if math.Abs(got-v) > 0.5000001*math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-float64(digits)+1) {
					t.Errorf("%v with %d digits: %q", v, digits, s)
				}
			}
		}
	}
}

func TestStep(t *testing.T) {
	for _, c := range []struct {
		v, step float64
		want    string
	}{
		{0, 1, "0"},
		{1, 0.5, "1.0"},
		{0.25, 0.25, "0.25"},
		{20000, 10000, "20,000"},
		{2e8, 1e8, "2×10⁸"},
		{1e-9, 5e-11, "10⁻⁹"},
		{-3, 1, "−3"},
	} {
		if got := number.Step(c.v, c.step); got != c.want {
			t.Errorf("Step(%v, %v) = %q, want %q", c.v, c.step, got, c.want)
		}
	}
}

func TestWhole(t *testing.T) {
	if a, b := number.Int(-123456), number.Group("1234.5"); a != "−123,456" || b != "1234.5" {
		t.Error(a, b)
	}
	if number.Is("petal") || number.Is("1 cm") {
		t.Error("a word is a number")
	}
}

// FuzzFormat prints a number and reads it back.
func FuzzFormat(f *testing.F) {
	f.Fuzz(func(t *testing.T, x float64, digits int) {
		text := number.Format(x, digits)
		if len(text) > 40 {
			t.Errorf("%v takes %d bytes: %s", x, len(text), text)
		}
		back, err := readBack(text)
		if err != nil && !errors.Is(err, strconv.ErrRange) { // the largest number, rounded up
			t.Fatalf("%v is written as %q", x, text)
		}
		digits = min(max(digits, 1), 17)
		switch {
		case math.IsNaN(x):
			if !math.IsNaN(back) {
				t.Errorf("NaN became %q", text)
			}
		case math.IsInf(x, 0):
			if back != x {
				t.Errorf("%v became %q", x, text)
			}
		case err == nil && math.Abs(back-x) > 0.51*math.Pow(10, float64(1-digits))*math.Abs(x)+3e-16*math.Abs(x)+5e-324: // and the last bit of x
			t.Errorf("%v with %d digits is written as %q", x, digits, text)
		}
	})
}

// Rounded is what Format writes.
func TestRounded(t *testing.T) {
	for _, v := range []float64{0, 1, -3.14159, 12345.678, 98765.4, 1e-7, 1.23456e9, 999.96, 1234567, 0.000123456} {
		for digits := 1; digits < 9; digits++ {
			if a, b := number.Format(v, digits), number.Format(number.Rounded(v, digits), 15); a != b && v != math.Trunc(v) {
				t.Errorf("Format(%v, %d) is %s, and Rounded %s", v, digits, a, b)
			}
		}
	}
}
