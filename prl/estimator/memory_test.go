package estimator

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestCheckMemory(t *testing.T) {
	if err := CheckMemory("f", "G", 1000, 1000, ""); err != nil {
		t.Error(err)
	}
	for _, n := range []int{1 << 31, 1 << 40, 1 << 62} { // the product of the last two has no int
		err := CheckMemory("kernel.Gram", "the Gram matrix", n, n, "take fewer rows")
		if err == nil || !strings.Contains(err.Error(), "GB") || !strings.Contains(err.Error(), "take fewer rows") {
			t.Error(n, err)
		}
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(64 << 20))
	if err := CheckMemory("f", "G", 10_000, 1000, ""); err == nil || !strings.Contains(err.Error(), "10000 x 1000 numbers, 76.3 MB") {
		t.Error(err)
	}
}
