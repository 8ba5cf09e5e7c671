//go:build !js

package live

import (
	"errors"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cell"
)

// A cell that panics or fails keeps what it has shown before, and the others go on.
func TestServer(t *testing.T) {
	s := newServer(map[string]func(){
		"whole":  func() { New(margins).Show(); New(margins).Frames(3).Show() },
		"panics": func() { New(margins).Show(); panic("a mistake") },
		"fails": func() {
			cell.Check("", "one is two").Equal(1, 2)
			New(margins).Show()
			cell.Fail(errors.New("no more"))
		},
	})
	for _, c := range []struct {
		cell    string
		figures int
		fault   string
	}{
		{"whole", 2, ""},
		{"panics", 1, "the cell panics: a mistake"},
		{"fails", 1, "one is two"},
		{"absent", 0, `no cell "absent"`},
		{"whole", 2, ""},
	} {
		got := s.open(c.cell)
		if len(got.figures) != c.figures || !strings.Contains(got.fault, c.fault) || c.fault == "" && got.fault != "" {
			t.Errorf("%s: %d figures, %q", c.cell, len(got.figures), got.fault)
		}
		if collect != nil {
			t.Error("figures are collected after the cell")
		}
	}
	for want, n := range map[string]int{`"spec":`: 1, "live figure 2 is asked for, and the cell has 2": 2, "live figure -1": -1} {
		if got := s.step("whole", n, "[]", true); !strings.Contains(got, want) {
			t.Errorf("want %q, got %.300s", want, got)
		}
	}
}
