package syllabus

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// TestMistakes wants the mistakes that readers look for to be those of the chapters as they are: the line stands in its cell, the ticks are
// checks of its section that passed, some turn red and two at least do not. go tool prl spoil makes the files again.
func TestMistakes(t *testing.T) {
	b, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Mistakes) == 0 {
		t.Error("no chapter has any")
	}
	for name, list := range b.Mistakes {
		n, err := notebook.Read(filepath.Join(folder, name+".ipynb"))
		if err != nil {
			t.Error(err)
			continue
		}
		section := map[string]int{} // by the id of a cell
		cells := map[string]*notebook.Cell{}
		at := 0
		for _, c := range n.Cells {
			if !c.IsCode() && strings.HasPrefix("\n"+c.Source(), "\n## ") {
				at++
			}
			section[c.ID()], cells[c.ID()] = at, c
		}
		if len(list) == 0 {
			t.Errorf("%s: none", name)
		}
		for _, m := range list {
			faults := m.faults(cells, section)
			for _, f := range faults {
				t.Errorf("%s, cell %s, line %d: %s", name, m.Cell, m.Line, f)
			}
		}
	}
}

// faults says where a mistake is not that of the notebook.
func (m Mistake) faults(cells map[string]*notebook.Cell, section map[string]int) (all []string) {
	c := cells[m.Cell]
	if c == nil {
		return []string{"there is no such cell"}
	}
	lines := strings.Split(c.Source(), "\n")
	if m.Line < 1 || m.Line > len(lines) || strings.TrimSpace(lines[m.Line-1]) != strings.Join(m.Code[:], "") {
		all = append(all, "the line reads otherwise")
	}
	if m.Code[1] == "" || m.Change == "" || m.After == m.Code[1] {
		all = append(all, "nothing changes")
	}
	red := 0
	for _, tick := range m.Ticks {
		if tick.Red {
			red++
		}
		switch of := cells[tick.Cell]; {
		case of == nil || !HasPassed(of, tick.Claim):
			all = append(all, "no check has passed that says: "+tick.Claim)
		case section[tick.Cell] != section[m.Cell]:
			all = append(all, "another section says: "+tick.Claim)
		case tick.Numbers != "" && !tick.Red:
			all = append(all, "numbers stand at a check that is not red: "+tick.Claim)
		}
	}
	if red == 0 || len(m.Ticks) < red+2 {
		all = append(all, "no choice is left")
	}
	return all
}

// A mistake whose line, check or section is not that of the chapter is found.
func TestStaleMistakes(t *testing.T) {
	b, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, list := range b.Mistakes {
		n, err := notebook.Read(filepath.Join(folder, name+".ipynb"))
		if err != nil {
			t.Fatal(err)
		}
		cells, section := map[string]*notebook.Cell{}, map[string]int{}
		for _, c := range n.Cells {
			cells[c.ID()] = c
		}
		for what, spoil := range map[string]func(m *Mistake){
			"the line reads otherwise": func(m *Mistake) { m.Code[0] += "x" },
			"there is no such cell":    func(m *Mistake) { m.Cell = "none" },
			"nothing changes":          func(m *Mistake) { m.Change = "" },
			"no check has passed":      func(m *Mistake) { m.Ticks[0].Claim += " and more" },
			"no choice is left":        func(m *Mistake) { m.Ticks = m.Ticks[:1] },
			"numbers stand at a check": func(m *Mistake) { m.Ticks[0].Red, m.Ticks[0].Numbers = false, "1" },
		} {
			m := list[0]
			m.Ticks = slices.Clone(m.Ticks)
			spoil(&m)
			if got := m.faults(cells, section); len(got) == 0 || !strings.Contains(strings.Join(got, "; "), what) {
				t.Errorf("%s: %q, want %q", name, got, what)
			}
		}
		return
	}
}
