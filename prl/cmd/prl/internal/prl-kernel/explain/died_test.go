//go:build unix

package explain

import (
	"strings"
	"syscall"
	"testing"
)

// TestDied wants a kernel that died to say of what, and what helps.
func TestDied(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		limit  uint64
		ended  int
		want   string
	}{
		{syscall.SIGKILL, 1500 << 20, 2, "by the system, because memory was full: there are 1500 MB here. Look for a slice"},
		{syscall.SIGKILL, 0, 0, "by the system, most often because memory was full. Look for a slice"},
		{syscall.SIGTERM, 1500 << 20, 0, "by a signal (terminated), which the cell or another program has sent."},
	} {
		got := Died(c.signal, c.limit, c.ended)
		if !strings.Contains(got, c.want) || !strings.HasSuffix(got, "run the cells again from the top.") {
			t.Errorf("%s", got)
		}
	}
}
