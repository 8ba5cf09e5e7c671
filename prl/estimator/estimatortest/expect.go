package estimatortest

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/fault"
)

// Refused reports each error that is not an *fault.ArgumentError whose text contains its key.
func Refused(t testing.TB, errs map[string]error) {
	t.Helper()
	for want, err := range errs {
		var a *fault.ArgumentError
		if !errors.As(err, &a) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// NearAll reports the entries of got that are further than tol from those of want, or NaN, and another length.
func NearAll(t testing.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v has %d numbers, want %v", what, got, len(got), want)
		return
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tol) {
			t.Errorf("%s[%d] = %.15g, want %.15g within %g", what, i, got[i], w, tol)
		}
	}
}
