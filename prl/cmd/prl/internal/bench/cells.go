// Package bench measures how long a cell takes and why.
package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// A Program is a cell in its two forms; both have %d where a number is put that makes every run a new program.
type Program struct {
	Name    string
	Imports []string
	Body    string
	Charts  int // that it shows
}

// Chart is a cell that draws without the library's families.
var Chart = Program{
	Name:    "chart",
	Imports: []string{"math", "github.com/prlab/prlab/plotting"},
	Body:    "plotting.New(plotting.Curve(math.Sin, 0, %d)).Title(\"sine\").Show()",
	Charts:  1,
}

// Library is a cell as notebooks have them: package prl, a model trained and its chart.
var Library = Program{
	Name:    "a model and its chart",
	Imports: []string{"github.com/prlab/prlab/prl"},
	Body:    "prl.SVM().RBF(0.5).C(10).Fit(prl.Rings(60, 0.15, %d)).Regions().Show()",
	Charts:  1,
}

// Hello is the smallest cell.
var Hello = Program{Name: "hello", Imports: []string{"fmt"}, Body: "fmt.Println(\"hello\", %d)"}

func (p Program) imports() string {
	var all strings.Builder
	for _, path := range p.Imports {
		fmt.Fprintf(&all, "import %q\n", path)
	}
	return all.String()
}

// Cell is the program as a cell.
func (p Program) Cell(n int) string { return "%%\n" + fmt.Sprintf(p.Body, n) }

// Source is the program as GoNB writes it.
func (p Program) Source(n int) string {
	return "package main\n\nimport \"flag\"\n" + p.imports() + "\nfunc main() {\n\tflag.Parse()\n" + fmt.Sprintf(p.Body, n) + "\n}\n"
}

// Cells is the outcome of measuring one program.
type Cells struct {
	Program Program
	Ready   time.Duration   // from the start of the kernel until it answers
	First   time.Duration   // first cell of a fresh kernel
	Kernel  []time.Duration // warm cells through the kernel
	Plain   []time.Duration // go build -ldflags=-s and a run of the same program, outside the kernel
	Link    []time.Duration // the part of Plain that is linking
	Size    int64           // of the program, bytes
}

// Measure runs the program n times through a kernel and, by turns, n times outside it.
func Measure(ctx context.Context, lab *setup.Lab, p Program, n int, progress func(done int)) (c Cells, err error) {
	c.Program = p
	session, err := execute.Open(lab)
	if err != nil {
		return c, err
	}
	defer session.Close()
	kernel, err := session.Talk(ctx, lab.Notebooks(), true)
	if err != nil {
		return c, err
	}
	defer kernel.Close()
	c.Ready = kernel.Started

	dir, err := os.MkdirTemp("", "prl-bench-")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	seed := int(time.Now().UnixNano() % 1e6 * 1000) // no program is one that an earlier call has cached
	for i := range n + 1 {
		code := p.Cell(seed + i)
		if i == 0 {
			code = p.imports() + code
		}
		answer, err := kernel.Ask(execute.Request{Code: code})
		if err != nil {
			return c, err
		}
		if answer.Status != "ok" {
			return c, fmt.Errorf("the cell ended with %s: %s %s", answer.Status, answer.Error, answer.Stderr)
		}
		if answer.Displays < p.Charts {
			return c, fmt.Errorf("the cell showed %d charts of %d", answer.Displays, p.Charts)
		}
		took := time.Duration(answer.Seconds * float64(time.Second))
		plain, link, err := runPlain(ctx, lab, dir, p.Source(seed+500+i))
		if err != nil {
			return c, err
		}
		if i == 0 {
			c.First = took
		} else {
			c.Kernel, c.Plain, c.Link = append(c.Kernel, took), append(c.Plain, plain), append(c.Link, link)
		}
		progress(i + 1)
	}
	if info, err := os.Stat(filepath.Join(dir, "cell")); err == nil {
		c.Size = info.Size()
	}
	return c, nil
}

// runPlain builds and runs a program as a person would at the command line, with linking without debug tables as the only flag.
func runPlain(ctx context.Context, lab *setup.Lab, dir, source string) (total, link time.Duration, err error) {
	if err := setup.WriteCell(dir, string(lab.Checkout), source); err != nil {
		return 0, 0, err
	}
	env := append(goenv.Without(os.Environ(), "GOFLAGS", "GOWORK", "GOPROXY"), "GOFLAGS=", "GOPROXY=off")
	graph := filepath.Join(dir, "actions.json")
	began := time.Now()
	for _, args := range [][]string{
		{lab.Go.Program, "build", "-ldflags=-s", "-debug-actiongraph=" + graph, "-o", "cell"},
		{filepath.Join(dir, "cell")},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			return 0, 0, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	total = time.Since(began)
	link, err = linkTime(graph)
	return total, link, err
}

// linkTime reads from Go's record of a build how long linking took.
func linkTime(path string) (time.Duration, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	var actions []struct {
		Mode                string
		TimeStart, TimeDone time.Time
	}
	if err := json.Unmarshal(text, &actions); err != nil {
		return 0, fmt.Errorf("go build -debug-actiongraph: %w", err)
	}
	for _, a := range actions {
		if a.Mode == "link" {
			return a.TimeDone.Sub(a.TimeStart), nil
		}
	}
	return 0, fmt.Errorf("go build -debug-actiongraph names no linking")
}

// Burst shows count displays as fast as a cell can and returns how many arrived.
func Burst(ctx context.Context, lab *setup.Lab, count int) (arrived int, took time.Duration, err error) {
	session, err := execute.Open(lab)
	if err != nil {
		return 0, 0, err
	}
	defer session.Close()
	kernel, err := session.Talk(ctx, lab.Notebooks(), true)
	if err != nil {
		return 0, 0, err
	}
	defer kernel.Close()
	const each = 50
	for range count / each {
		answer, err := kernel.Ask(execute.Request{Code: fmt.Sprintf(`import "github.com/prlab/prlab/prl/cell"
%%%%
for i := range %d {
	cell.Display(cell.Bundle{HTML: fmt.Sprint("<b>", i, "</b>"), Text: fmt.Sprint(i)})
}`, each)})
		if err != nil {
			return arrived, took, err
		}
		if answer.Status != "ok" {
			return arrived, took, fmt.Errorf("the cell ended with %s: %s %s", answer.Status, answer.Error, answer.Stderr)
		}
		arrived += answer.Displays
		took += time.Duration(answer.Seconds * float64(time.Second))
	}
	return arrived, took, nil
}

// Median is the middle of the durations.
func Median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
