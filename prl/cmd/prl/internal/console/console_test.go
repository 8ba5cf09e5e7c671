package console

import (
	"strings"
	"sync"
	"testing"
)

// Rows of a board end on several goroutines; their lines come whole to a writer that is not made for that.
func TestLinesFromSeveralGoroutines(t *testing.T) {
	var out strings.Builder
	c := New(&out)
	board := c.Board()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			row := board.Row("notebook")
			row.Count(1, 2)
			row.Done(true, "2 cells")
			c.Line("said")
			c.Write([]byte("said\n"))
		})
	}
	group.Wait()
	board.Close()
	if n := strings.Count(out.String(), "\n"); n != 24 || strings.Count(out.String(), "said\n") != 16 {
		t.Errorf("%d lines:\n%s", n, out.String())
	}
}
