package plotting

import (
	"fmt"
	"math"
	"strconv"

	"github.com/prlab/prlab/prl/fault"
)

func argument(layer, name, got, need, remedy string) error {
	return fault.Argument("plotting."+layer, name, got, need, remedy)
}

// sameLength checks that the argument called name has n entries like the argument called of.
func sameLength(layer, name string, got int, of string, n int, what string) error {
	if got == n {
		return nil
	}
	return argument(layer, name, count(got, what), fmt.Sprintf("as long as %s: %d", of, n), "")
}

// count returns "1 number", "3 numbers".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// first returns the first error that is not nil.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
