package cell

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Number prints x with four significant digits, whole numbers in full, and a true minus sign: 0.1587, 12, −3.25, 1.5e−7, ∞.
func Number(x float64) string { return Digits(x, 4) }

// Digits prints x like Number, with the given count of significant digits (1 ... 17). Whole numbers below a million are printed in full.
func Digits(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "−∞"
	case x == 0:
		return "0" // also for the negative zero
	case x == math.Trunc(x) && math.Abs(x) < 1e6:
		return minus(strconv.FormatFloat(x, 'f', 0, 64))
	}
	digits = min(max(digits, 1), 17)
	s := strconv.FormatFloat(x, 'e', digits-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	e, _ := strconv.Atoi(exponent)
	if e < -4 || e >= max(6, digits) {
		return minus(trimZeros(mantissa) + "e" + strconv.Itoa(e))
	}
	return minus(trimZeros(strconv.FormatFloat(x, 'f', max(digits-1-e, 0), 64)))
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// Value prints any value the way tables and checks do: floating-point numbers with the given significant digits, slices of them as
// (1, 2, 3), whole numbers in full, everything else as fmt prints it.
func Value(v any, digits int) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return Digits(v, digits)
	case float32:
		return Digits(float64(v), min(digits, 8))
	case fmt.Stringer:
		if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
			return ""
		}
		return v.String()
	case error:
		return v.Error()
	}
	r := reflect.ValueOf(v)
	switch {
	case r.CanInt():
		return minus(strconv.FormatInt(r.Int(), 10))
	case r.CanUint():
		return strconv.FormatUint(r.Uint(), 10)
	case r.CanFloat():
		return Digits(r.Float(), digits)
	case r.Kind() == reflect.Bool:
		if r.Bool() {
			return "yes"
		}
		return "no"
	case r.Kind() == reflect.Slice || r.Kind() == reflect.Array:
		parts := make([]string, r.Len())
		for i := range parts {
			parts[i] = Value(r.Index(i).Interface(), digits)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return fmt.Sprint(v)
}

func isNumber(v any) bool {
	r := reflect.ValueOf(v)
	return r.IsValid() && (r.CanInt() || r.CanUint() || r.CanFloat())
}
