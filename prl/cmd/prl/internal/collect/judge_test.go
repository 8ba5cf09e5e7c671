package collect

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
)

// TestJudges wants each exercise of the book that has no seal to have a judge: a program of the chapter in which the answers alone are the
// hand-in's.
func TestJudges(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Chapters(root.Notebooks())
	if err != nil {
		t.Fatal(err)
	}
	judges := 0
	for _, ch := range all {
		for _, a := range ch.judged {
			judges++
			cells := live.Cells(ch.text, false)
			for i := range cells {
				if cells[i].ID == a.cell {
					cells[i].Text = a.source
				}
			}
			text, err := live.Main(cells, a.cell)
			if err != nil {
				t.Errorf("%s, %s: %v", ch.Name, a.cell, err)
				continue
			}
			for _, name := range a.names {
				if !strings.Contains(text, `("`+name+`"`) {
					t.Errorf("%s, %s: %s is not asked of the hand-in", ch.Name, a.cell, name)
				}
			}
			if served := a.serving("x", "/judge/0"); strings.Contains(served, "Function(") || strings.Contains(served, "Reached(") {
				t.Errorf("%s: the hand-in judges itself", a.cell)
			}
		}
	}
	if judges < 30 {
		t.Errorf("there are %d judges", judges)
	}
}
