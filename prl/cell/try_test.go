package cell

import (
	"strings"
	"testing"
)

// An exercise waits without ending the cell and without giving its answer away.
func TestTryWaits(t *testing.T) {
	k := startKernel(t)
	status, written := watch(t, func() {
		Try("the threshold").Near(0.0, 3.75, 1e-3)
		Try("the threshold").Near(3.75, 3.75, 1e-3)
	})
	if status != -1 || written != "" {
		t.Errorf("an open exercise ends the cell with %d and writes %q", status, written)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.shown) != 2 {
		t.Fatalf("%d displays, want 2", len(k.shown))
	}
	open, solved := k.shown[0], k.shown[1]
	if open.Text != "○ the threshold: not yet" || strings.Contains(open.HTML, "3.75") {
		t.Errorf("an open exercise shows %q", open)
	}
	if solved.Text != "✓ the threshold: solved" {
		t.Errorf("a solved exercise shows %q", solved)
	}
}
