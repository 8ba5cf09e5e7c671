package bench

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"time"
)

func TestProgramsAreGo(t *testing.T) {
	for _, p := range []Program{Hello, Chart, Library} {
		source := p.Source(7)
		if _, err := parser.ParseFile(token.NewFileSet(), "main.go", source, 0); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if strings.Contains(source, "%!") || p.Cell(7) == p.Cell(8) {
			t.Errorf("%s: two runs are the same program, or a number is missing: %s", p.Name, p.Cell(7))
		}
		if !strings.HasPrefix(p.Cell(7), "%%\n") {
			t.Errorf("%s: %q is no cell with statements", p.Name, p.Cell(7))
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		all  []time.Duration
		want time.Duration
	}{
		{nil, 0},
		{[]time.Duration{3}, 3},
		{[]time.Duration{9, 1, 4}, 4},
		{[]time.Duration{8, 2, 4, 100}, 6},
	} {
		if got := Median(c.all); got != c.want {
			t.Errorf("Median(%v) = %v, want %v", c.all, got, c.want)
		}
	}
}
