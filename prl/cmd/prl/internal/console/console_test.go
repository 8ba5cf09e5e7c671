package console

import (
	"bytes"
	"regexp"
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

// TestHold has lines wait, and follow each other in order when they are released.
func TestHold(t *testing.T) {
	var said, kept strings.Builder
	c := New(&said).Copy(&kept)
	held, release := c.Hold()
	if held.Moves() {
		t.Error("something moves on a console that is held")
	}
	held.Line("one")
	step := held.Step("two", 3)
	c.Line("first")
	if said.String() != "first\n" {
		t.Errorf("before the release: %q", said.String())
	}
	release()
	held.Line("three")
	step.Done("")
	got := regexp.MustCompile(`\d+ ms`).ReplaceAllString(said.String(), "N ms")
	if want := "first\none\n  … two\nthree\n  ✓ two  N ms\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if kept.String() != said.String() {
		t.Errorf("the copy is %q", kept.String())
	}
}

// TestPlain keeps names and texts of somebody else from giving a terminal orders.
func TestPlain(t *testing.T) {
	var out bytes.Buffer
	New(&out).Line("the picture %s is not there\n\tby its name", "\x1b]0;PWNED\x07\x1b[31mred\u202e\u009b31m贝.png")
	if got := out.String(); got != "the picture ]0;PWNED[31mred31m贝.png is not there\n\tby its name\n" {
		t.Errorf("%q", got)
	}
}
