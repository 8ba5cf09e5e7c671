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
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// A Program is a cell in its two forms, and what one would write in Python; all have %d where a number is put that makes every run a new
// program.
type Program struct {
	Name    string
	Imports []string
	Body    string
	Charts  int           // that it shows
	Target  time.Duration // of processor time, 0 if there is none

	PythonImports, Python string
}

// Chart is a cell that draws without the library's families.
var Chart = Program{
	Name:    "chart",
	Imports: []string{"math", "github.com/prlab/prlab/plotting"},
	Body:    "plotting.New(plotting.Curve(math.Sin, 0, %d)).Title(\"sine\").Show()",
	Charts:  1,

	PythonImports: "import numpy as np\nimport matplotlib.pyplot as plt\n",
	Python:        "x = np.linspace(0, %d, 400)\nplt.plot(x, np.sin(x))\nplt.title('sine')\nplt.show()",
}

// Library is a cell as notebooks have them: package prl, a model trained and its chart.
var Library = Program{
	Name:    "a model and its chart",
	Imports: []string{"github.com/prlab/prlab/prl"},
	Body:    "prl.SVM().RBF(0.5).C(10).Fit(prl.Rings(60, 0.15, %d)).Regions().Show()",
	Charts:  1,
	Target:  300 * time.Millisecond,

	PythonImports: "import numpy as np\nimport matplotlib.pyplot as plt\nfrom sklearn.datasets import make_circles\n" +
		"from sklearn.svm import SVC\nfrom sklearn.inspection import DecisionBoundaryDisplay\n",
	Python: "X, y = make_circles(120, noise=0.15, factor=0.5, random_state=%d)\nsvm = SVC(gamma=0.5, C=10).fit(X, y)\n" +
		"DecisionBoundaryDisplay.from_estimator(svm, X, response_method='predict', alpha=0.4)\n" +
		"plt.scatter(X[:, 0], X[:, 1], c=y)\nplt.show()",
}

// Hello is the smallest cell.
var Hello = Program{
	Name: "hello", Imports: []string{"fmt"}, Body: "fmt.Println(\"hello\", %d)", Target: 120 * time.Millisecond,
	Python: "print('hello', %d)",
}

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

// PythonCell is the cell in Python.
func (p Program) PythonCell(n int) string { return fmt.Sprintf(p.Python, n) }

// pageLength is how many cells with declarations stand above those that are measured at the end of a page.
const pageLength = 30

// Declarations is cell i of a page: a function that uses what the program imports, a type with a method, and a variable.
func (p Program) Declarations(i int) string {
	return fmt.Sprintf("var table%[1]d = []float64{1, 2, %[1]d}\n\ntype Row%[1]d struct{ A, B float64 }\n\n"+
		"func (r Row%[1]d) Sum() float64 { return r.A + r.B + table%[1]d[0] }\n\n"+
		"func step%[1]d() {\n\tfor range 3 {\n\t\t%[2]s\n\t}\n}\n", i, fmt.Sprintf(p.Body, i))
}

// A Cost is what runs of one program cost.
type Cost struct {
	Walls []time.Duration // of each
	CPU   time.Duration   // of processor time, of one on average
}

func (c Cost) wall() time.Duration { return Median(c.Walls) }

// Cells is the outcome of measuring one program.
type Cells struct {
	Program Program
	Ready   time.Duration // from the start of the kernel until it answers
	First   time.Duration // first cell of a fresh kernel
	Kernel  Cost          // warm cells through the kernel
	Again   Cost          // the last of them once more, unchanged
	Below   Cost          // the cell below a page of declarations
	Plain   Cost          // the same build by the command go, in the kernel's environment, and a run, outside the kernel
	Link    []time.Duration
	Size    int64 // of the program, bytes
	Python  Cost  // the cell in Python; nothing if it does not run there
	Lacks   string
}

// limits of what a cell may cost as multiples of something else.
const (
	plainLimit = 1.0 // of processor time, of the same build and run outside the kernel
	belowLimit = 1.2 // of processor time at the end of a page, of that at its beginning
)

// Misses lists the targets that were missed.
func (c Cells) Misses() (list []string) {
	miss := func(is bool, format string, args ...any) {
		if is {
			list = append(list, fmt.Sprintf("%s: ", c.Program.Name)+fmt.Sprintf(format, args...))
		}
	}
	cpu := c.Kernel.CPU
	if target := c.Program.Target; target > 0 {
		miss(cpu > target, "%d ms of processor time, more than %d", cpu.Milliseconds(), target.Milliseconds())
	}
	outside, below := float64(cpu)/float64(c.Plain.CPU), float64(c.Below.CPU)/float64(cpu)
	miss(outside > plainLimit, "%.2f times the processor time of the same build outside the kernel, more than %.1f", outside, plainLimit)
	miss(below > belowLimit, "%.2f times the processor time below %d cells, more than %.1f", below, pageLength, belowLimit)
	return list
}

// String is the account of the measurement.
func (c Cells) String() string {
	var all strings.Builder
	fmt.Fprintf(&all, "A cell with %s (%d runs, in milliseconds)\n  %-44s %9s %9s  (least to most)\n", c.Program.Name, len(c.Kernel.Walls), "",
		"processor", "elapsed")
	row := func(name string, cost Cost) {
		if len(cost.Walls) > 0 {
			fmt.Fprintf(&all, "  %-44s %9d %9d  (%d to %d)\n", name, cost.CPU.Milliseconds(), cost.wall().Milliseconds(),
				slices.Min(cost.Walls).Milliseconds(), slices.Max(cost.Walls).Milliseconds())
		}
	}
	row("through the kernel", c.Kernel)
	row("unchanged, once more", c.Again)
	row(fmt.Sprintf("below %d cells of declarations", pageLength), c.Below)
	row("go build and run, same flags and environment", c.Plain)
	row("ipykernel", c.Python)
	if c.Lacks != "" {
		fmt.Fprintf(&all, "  %-44s %s\n", "ipykernel", c.Lacks)
	}
	fmt.Fprintf(&all, "  %-44s %9s %9d\n", "of go build: linking", "", Median(c.Link).Milliseconds())
	fmt.Fprintf(&all, "  %-44s %9s %9d  (the kernel itself was ready after %d)\n", "first cell of a fresh kernel", "", c.First.Milliseconds(),
		c.Ready.Milliseconds())
	fmt.Fprintf(&all, "  %-44s %9.1f MB\n", "size of the program", float64(c.Size)/1e6)
	return all.String()
}

// asker sends cells to a kernel and measures what they cost.
type asker struct {
	kernel *execute.Conversation
	charts int
}

// patience is the longest that a cell may take.
const patience = 10 * time.Minute

// ask sends one cell.
func (a asker) ask(code string) (time.Duration, error) {
	answer, err := a.kernel.Ask(execute.Request{Code: code, Timeout: patience.Seconds()})
	switch {
	case err != nil:
		return 0, err
	case answer.Status != "ok":
		return 0, fmt.Errorf("the cell ended with %s: %s %s", answer.Status, answer.Error, answer.Stderr)
	case answer.Displays < a.charts:
		return 0, fmt.Errorf("the cell showed %d charts of %d", answer.Displays, a.charts)
	}
	return time.Duration(answer.Seconds * float64(time.Second)), nil
}

// settle waits until the kernel does nothing: the kernel reads the library at the first question, and when there are new imports.
func (a asker) settle() {
	const pause, most = 500 * time.Millisecond, 60
	for range most {
		before, err := process.CPU(a.kernel.PID)
		time.Sleep(pause)
		if after, err2 := process.CPU(a.kernel.PID); err != nil || err2 != nil || after-before <= pause/50 {
			return
		}
	}
}

// cost sends n cells.
func (a asker) cost(n int, cell func(i int) string, done func()) (c Cost, err error) {
	a.settle()
	before, err := process.CPU(a.kernel.PID)
	if err != nil {
		return c, err
	}
	for i := range n {
		took, err := a.ask(cell(i))
		if err != nil {
			return c, err
		}
		c.Walls = append(c.Walls, took)
		done()
	}
	after, err := process.CPU(a.kernel.PID)
	c.CPU = (after - before) / time.Duration(n)
	return c, err
}

// Steps is how often Measure tells its progress for n runs.
func Steps(n int) int { return 5 * n }

// Measure runs the program n times through a kernel, as often unchanged and at the end of a page, outside it, and in Python.
func Measure(ctx context.Context, lab *setup.Lab, p Program, n int, python string, progress func(done int)) (c Cells, err error) {
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
	count := 0
	done := func() { count++; progress(count) }

	seed := int(time.Now().UnixNano() % 1e6 * 1000) // no program is one that an earlier call has cached
	a := asker{kernel, p.Charts}
	if c.First, err = a.ask(p.imports() + p.Cell(seed)); err != nil {
		return c, err
	}
	if c.Kernel, err = a.cost(n, func(i int) string { return p.Cell(seed + 1 + i) }, done); err != nil {
		return c, err
	}
	if c.Again, err = a.cost(n, func(int) string { return p.Cell(seed + n) }, done); err != nil {
		return c, err
	}
	for i := range pageLength {
		if _, err := (asker{kernel, 0}).ask(p.Declarations(i)); err != nil {
			return c, err
		}
	}
	if c.Below, err = a.cost(n, func(i int) string { return p.Cell(seed + 1 + n + i) }, done); err != nil {
		return c, err
	}
	if err := c.plain(ctx, lab, n, seed+500, done); err != nil {
		return c, err
	}
	return c, c.python(ctx, lab, n, python, done)
}

// python measures the cell in ipykernel.
func (c *Cells) python(ctx context.Context, lab *setup.Lab, n int, python string, done func()) error {
	opened, err := execute.Open(lab)
	if err != nil {
		return err
	}
	defer opened.Close()
	kernel, err := opened.TalkPython(ctx, lab.Notebooks(), python)
	if err != nil {
		c.Lacks = "does not start with " + python
		return nil
	}
	defer kernel.Close()
	if _, err := (asker{kernel, 0}).ask(c.Program.PythonImports + "pass"); err != nil {
		_, c.Lacks, _ = strings.Cut(err.Error(), "error: ")
		c.Lacks = strings.TrimSpace(c.Lacks) + "; see --python"
		return nil
	}
	a := asker{kernel, c.Program.Charts}
	if _, err := a.ask(c.Program.PythonCell(0)); err != nil {
		return err
	}
	c.Python, err = a.cost(n, func(i int) string { return c.Program.PythonCell(1 + i) }, done)
	return err
}

// plain builds and runs the program as a person would at the command line, with the flags and the environment of the kernel's builds.
func (c *Cells) plain(ctx context.Context, lab *setup.Lab, n, seed int, done func()) error {
	dir, err := os.MkdirTemp("", "prl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	env := append(goenv.Cells(os.Environ(), lab.State(), lab.Go.Program), "GOGC=off")
	graph := filepath.Join(dir, "actions.json")
	for i := range n + 1 {
		if err := setup.WriteCell(dir, string(lab.Checkout), c.Program.Source(seed+i)); err != nil {
			return err
		}
		began, cpu := time.Now(), time.Duration(0)
		for _, args := range [][]string{
			{lab.Go.Program, "build", "-debug-actiongraph=" + graph, "-o", "cell"},
			{filepath.Join(dir, "cell")},
		} {
			cmd := exec.CommandContext(ctx, args[0], args[1:]...)
			cmd.Dir, cmd.Env = dir, env
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
			}
			cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		total := time.Since(began)
		link, err := linkTime(graph)
		if err != nil {
			return err
		}
		if i == 0 { // packages that nothing has compiled in this environment
			continue
		}
		c.Plain.Walls, c.Plain.CPU, c.Link = append(c.Plain.Walls, total), c.Plain.CPU+cpu/time.Duration(n), append(c.Link, link)
		done()
	}
	info, err := os.Stat(filepath.Join(dir, "cell"))
	if err == nil {
		c.Size = info.Size()
	}
	return err
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
