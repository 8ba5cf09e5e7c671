package estimator

import (
	"fmt"
	"math"
	"runtime/debug"

	"github.com/prlab/prlab/prl/fault"
)

// CheckMemory reports a matrix of float64 that cannot fit into memory, before anything tries to make it: rows x columns numbers are more
// than this machine has, or than GOMEMLIMIT allows. what names the matrix, "the Gram matrix" say.
func CheckMemory(function, what string, rows, columns int, remedy string) error {
	limit := math.Min(float64(machineMemory()), float64(debug.SetMemoryLimit(-1)))
	if bytes := 8 * float64(rows) * float64(columns); bytes > limit {
		return fault.Argument(function, what, fmt.Sprintf("%d x %d numbers, %s", rows, columns, gigabytes(bytes)),
			"of a size that fits into the "+gigabytes(limit)+" of memory", remedy)
	}
	return nil
}

func gigabytes(bytes float64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%.3g MB", bytes/(1<<20))
	}
	return fmt.Sprintf("%.3g GB", bytes/(1<<30))
}
