//go:build unix

package explain

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
)

// TestCostly wants a hint once for each declaration, and again when it is another one.
func TestCostly(t *testing.T) {
	h := NewHistory()
	run := func(n int, text string) { h.Begin(n, source.Read(text)); h.Built(n) }
	run(1, "var birds = read()")
	run(2, "fmt.Println(birds)")
	if note := h.Costly(2, "birds", "1.1 s"); !strings.Contains(note, "1.1 s of this cell's time went into birds, which cell [1] declares") {
		t.Error(note)
	}
	if note := h.Costly(3, "birds", "1.1 s"); note != "" {
		t.Error("twice:", note)
	}
	run(4, "var birds = read().Sort()")
	if note := h.Costly(5, "birds", "1.1 s"); !strings.Contains(note, "cell [4]") {
		t.Error(note)
	}
	if note := h.Costly(5, "nothing", "1.1 s"); note != "" {
		t.Error(note)
	}
}
