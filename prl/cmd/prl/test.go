package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

func newTest() *cobra.Command {
	options := runOptions{check: true}
	command := &cobra.Command{
		Use:   "test",
		Short: "Prove that everything works: vet, unit tests, every notebook",
		Long: `Prove that everything works: go vet, go test, and every notebook executed and compared with its file.

The last line counts Go tests and notebook cells: "N passed, N failed". A notebook that fails counts as one failure.`,
		Args: cobra.NoArgs,
	}
	options.flags(command)
	command.Flags().Lookup("jobs").DefValue = "number of processors"
	options.jobs = runtime.NumCPU()
	command.RunE = func(c *cobra.Command, _ []string) error {
		if err := options.valid(); err != nil {
			return err
		}
		lab, err := readyLab(c)
		if err != nil {
			return err
		}
		return testAll(c.Context(), lab, options)
	}
	return command
}

// testAll goes on after a failure, so that one call shows all there is to mend.
func testAll(ctx context.Context, lab *setup.Lab, options runOptions) error {
	passed, failed := 0, 0
	if err := vet(ctx, lab); err != nil {
		failed++
		lab.Console.Line("%v", err)
	} else {
		passed++
	}
	goPassed, goFailed, err := goTest(ctx, lab)
	if err != nil {
		return err
	}
	notebooks, err := filepath.Glob(filepath.Join(lab.Notebooks(), "*.ipynb"))
	if err != nil {
		return err
	}
	executed, err := runNotebooks(ctx, lab, notebooks, options)
	if err != nil {
		return err
	}
	passed += goPassed + executed.cells
	failed += goFailed + executed.failed
	lab.Console.Line("%s, %s in %s.", plural(goPassed+goFailed, "Go test"), plural(executed.cells, "cell"), plural(len(notebooks), "notebook"))
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		return errTold
	}
	return nil
}

func vet(ctx context.Context, lab *setup.Lab) error {
	step := lab.Console.Step("go vet", 0)
	cmd := process.Command(ctx, lab.Go.Program, "vet", "./...")
	cmd.Dir = string(lab.Checkout)
	out, err := cmd.CombinedOutput()
	if err != nil {
		step.Fail()
		return fmt.Errorf("go vet: %w\n%s", err, indent(strings.TrimSpace(string(out))))
	}
	step.Done("")
	return nil
}

// goTest runs the unit tests and prints what failing ones say.
func goTest(ctx context.Context, lab *setup.Lab) (passed, failed int, err error) {
	step := lab.Console.Step("go test", 0)
	cmd := process.Command(ctx, lab.Go.Program, "test", "-json", "./...")
	cmd.Dir = string(lab.Checkout)
	cmd.Stderr = lab.Console
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	count := newTestCount()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		count.add(lines.Bytes())
		step.Say(fmt.Sprintf("%d passed, %d failed, %s", count.passed, count.failed, count.at))
	}
	err = cmd.Wait()
	process.KillGroup(cmd)
	if ctx.Err() != nil {
		step.Fail()
		return count.passed, count.failed, context.Cause(ctx)
	}
	if _, isExit := err.(*exec.ExitError); err != nil && !isExit {
		step.Fail()
		return count.passed, count.failed, err
	}
	if err != nil && count.failed == 0 {
		count.failed++ // a failure that go test told only by its exit status
	}
	if count.failed > 0 {
		step.Fail()
		lab.Console.Line("%s", strings.Join(count.said, ""))
	} else {
		step.Done(fmt.Sprintf("%d tests, slowest package %s (%s)", count.passed, count.slowest, console.Duration(count.took)))
	}
	return count.passed, count.failed, nil
}

// testCount reads the events of go test -json. Tests are counted without their parts (subtests); a package that does not build
// or ends outside a test counts as one failure.
type testCount struct {
	passed, failed int
	at             string
	said           []string            // by what failed
	output         map[string][]string // of tests that have not ended
	failedIn       map[string]bool
	slowest        string
	took           time.Duration
}

func newTestCount() *testCount {
	return &testCount{output: map[string][]string{}, failedIn: map[string]bool{}}
}

func (c *testCount) add(line []byte) {
	var e struct {
		Action, Package, ImportPath, Test, Output string
		Elapsed                                   float64
	}
	if json.Unmarshal(line, &e) != nil {
		c.said = append(c.said, string(line)+"\n")
		return
	}
	pkg := e.Package
	if pkg == "" {
		pkg, _, _ = strings.Cut(e.ImportPath, " ")
	}
	top, _, isPart := strings.Cut(e.Test, "/")
	key := pkg + "\x00" + top
	switch e.Action {
	case "output", "build-output":
		c.output[key] = append(c.output[key], e.Output)
	case "pass", "fail", "skip":
		if isPart {
			return
		}
		if e.Action == "fail" && (e.Test != "" || !c.failedIn[pkg]) {
			c.failed++
			c.failedIn[pkg] = true
			c.said = append(c.said, c.output[key]...)
		}
		if e.Action == "pass" && e.Test != "" {
			c.passed++
		}
		if took := time.Duration(e.Elapsed * float64(time.Second)); e.Test == "" && took > c.took {
			c.slowest, c.took = filepath.Base(pkg), took
		}
		delete(c.output, key)
		c.at = filepath.Base(pkg)
	}
}
