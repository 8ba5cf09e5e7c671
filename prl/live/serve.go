package live

import (
	"fmt"

	"github.com/prlab/prlab/prl/cell"
)

// A server answers questions about the live figures of a notebook's cells.
type server struct {
	cells  map[string]func()
	opened map[string]*openCell
}

// openCell is a cell whose statements have run.
type openCell struct {
	figures []*Figure
	fault   string // of the statements
}

func newServer(cells map[string]func()) *server {
	return &server{cells: cells, opened: map[string]*openCell{}}
}

// collect, when set, takes the figures that are to be shown.
var collect func(*Figure)

// open runs the statements of a cell, once. A cell that fails or panics keeps the figures that it has shown before.
func (s *server) open(name string) (c *openCell) {
	if c := s.opened[name]; c != nil {
		return c
	}
	c = &openCell{}
	s.opened[name] = c
	run := s.cells[name]
	if run == nil {
		c.fault = fmt.Sprintf("the module has no cell %q", name)
		return c
	}
	collect = func(g *Figure) { c.figures = append(c.figures, g) }
	defer func() {
		collect = nil
		if r := recover(); r != nil {
			c.fault = fmt.Sprintf("the cell panics: %v", r)
		}
	}()
	if r := cell.Capture(run); r.Failed {
		c.fault = r.Text()
	}
	return c
}

// step returns the answer of live figure n of a cell.
func (s *server) step(name string, n int, values string, draft bool) string {
	c := s.open(name)
	if n >= 0 && n < len(c.figures) {
		return c.figures[n].Step(values, draft)
	}
	if c.fault != "" {
		return faulty(c.fault)
	}
	return faulty(fmt.Sprintf("live figure %d is asked for, and the cell has %d of them", n, len(c.figures)))
}

// faulty is the answer to a step that is not possible.
func faulty(fault string) string { return new(Figure).answer(nil, cell.Recording{}, nil, fault) }
