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
		if _, err := parser.ParseFile(token.NewFileSet(), "cell.go", "package main\n"+p.imports()+p.Declarations(3), 0); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
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

func TestMisses(t *testing.T) {
	cost := func(ms int) Cost { return Cost{CPU: time.Duration(ms) * time.Millisecond} }
	for _, c := range []struct {
		kernel, plain, below int
		want                 []string
	}{
		{120, 120, 144, nil},
		{121, 200, 121, []string{"more than 120"}},
		{110, 100, 110, []string{"1.10 times the processor time of the same build"}},
		{100, 100, 121, []string{"1.21 times the processor time below"}},
		{130, 100, 160, []string{"more than 120", "1.30 times", "1.23 times"}},
	} {
		got := Cells{Program: Hello, Kernel: cost(c.kernel), Plain: cost(c.plain), Below: cost(c.below)}.Misses()
		for i := range max(len(got), len(c.want)) {
			if i >= len(got) || i >= len(c.want) || !strings.Contains(got[i], c.want[i]) {
				t.Errorf("%+v: got %q", c, got)
				break
			}
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
