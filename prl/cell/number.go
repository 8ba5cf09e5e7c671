package cell

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/number"
)

// Number prints x with four significant digits in the style of package number: 0.1587, 12,345, −3.25, 1.5×10⁻⁷, ∞.
func Number(x float64) string { return Digits(x, 4) }

// Digits prints x like Number, with the given count of significant digits (1 ... 17). Whole numbers below ten million are printed in full.
func Digits(x float64, digits int) string { return number.Format(x, digits) }

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
		return number.Group(strconv.FormatInt(r.Int(), 10))
	case r.CanUint():
		return number.Group(strconv.FormatUint(r.Uint(), 10))
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
