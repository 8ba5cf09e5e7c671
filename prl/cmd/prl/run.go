package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/results"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

// runOptions are the flags that run and test share.
type runOptions struct {
	jobs    int
	timeout time.Duration
	check   bool
	fresh   bool
	yields  bool // to what else the machine does

	parameters []string
	output     string
}

func newRun() *cobra.Command {
	var options runOptions
	command := &cobra.Command{
		Use:   "run [notebook or folder ...]",
		Short: "Execute notebooks and write their outputs",
		Long: `Execute notebooks through the lab's kernel, without a browser, and write their outputs into the files.

Without arguments all notebooks of the folder notebooks are executed; one of them may be named by how it begins. A file is replaced only
when every cell of it has succeeded; otherwise it stays as it was, the cell is shown, and the exit status is 1. A cell with the tag
raises-exception may fail. Executing a notebook again gives the same bytes.

With --check nothing is written, and a notebook passes whose outputs are those of its file. What has passed is remembered, as by go test:
a notebook of the lab is not executed again, and marked (cached), for as long as nothing changes that it depends on: its text, the other
files of its folder, the packages of the library that it uses, Go, the kernel, and the longest time for a cell. With --fresh it is.`,
		Example: "  go tool prl run\n  go tool prl run notebooks/01-bayes-decision.ipynb\n  go tool prl run 01 12\n" +
			"  go tool prl run --check -j 4\n  go tool prl run -p gamma=2.5 -o other.ipynb mine.ipynb",
	}
	options.flags(command)
	command.Flags().BoolVar(&options.check, "check", false, "write nothing, and fail if outputs differ from those in the files")
	command.Flags().BoolVar(&options.fresh, "fresh", false, "with --check, execute also what has passed already and would be (cached)")
	command.Flags().
		StringArrayVarP(&options.parameters, "parameter", "p", nil, "give a variable or constant of the notebook another value, as "+
			"`NAME=VALUE`; needs --output")
	command.Flags().StringVarP(&options.output, "output", "o", "", "write the executed notebook into `FILE` and leave its own file as it is")
	command.RunE = func(c *cobra.Command, args []string) error {
		if err := options.valid(); err != nil {
			return err
		}
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		paths, err := verb.Notebooks(lab, args) // a wrong name is told before set-up, which may take minutes
		if err != nil {
			return err
		}
		if len(paths) == 0 {
			return errors.New("there are no notebooks to execute")
		}
		if options.output != "" && len(paths) != 1 {
			return fmt.Errorf("--output names one file, but %s are to be executed; name one notebook", plural(len(paths), "notebook"))
		}
		if err := lab.Ensure(c.Context()); err != nil {
			return err
		}
		do := runNotebooks
		if options.check {
			do = checkNotebooks
		}
		outcome, err := do(c.Context(), lab, paths, options)
		if err != nil {
			return err
		}
		lab.Console.Line("%s", outcome)
		if outcome.failed > 0 {
			return verb.ErrTold
		}
		return nil
	}
	return command
}

// What holds where nothing else is said: how many notebooks are executed at the same time, and the longest time for a cell.
const (
	defaultJobs    = 2
	defaultTimeout = time.Minute
)

func (o *runOptions) flags(command *cobra.Command) {
	command.Flags().IntVarP(&o.jobs, "jobs", "j", defaultJobs, "execute this many notebooks at the same time")
	command.Flags().DurationVar(&o.timeout, "timeout", defaultTimeout, "the longest time for one cell")
}

func (o *runOptions) valid() error {
	switch {
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d: at least one notebook must be executed at a time", o.jobs)
	case len(o.parameters) > 0 && o.output == "":
		return errors.New("a notebook with other parameters is written into a file of its own: add --output FILE")
	case o.output != "" && o.check:
		return errors.New("--check writes nothing, so --output makes no sense with it")
	case o.fresh && !o.check:
		return errors.New("--fresh is of use with --check only: without it every notebook is executed")
	case o.timeout < time.Second:
		return fmt.Errorf("--timeout %s: the shortest time for a cell is 1s", o.timeout)
	}
	return nil
}

// outcome counts notebooks and the cells in them.
type outcome struct {
	passed, failed int // notebooks
	cells          int // executed without failure
	took           time.Duration
	results        []*execute.Result // in the order of the notebooks, nil for one that failed
}

func (o outcome) String() string {
	return fmt.Sprintf("%s: %d passed, %d failed; %s in %s", plural(o.passed+o.failed, "notebook"), o.passed, o.failed,
		plural(o.cells, "cell"), o.took.Round(100*time.Millisecond))
}

// runNotebooks executes the notebooks, several at a time, and tells about each as it ends. An error means that the run itself
// could not be done; notebooks that fail are counted.
func runNotebooks(ctx context.Context, lab *setup.Lab, paths []string, options runOptions) (o outcome, err error) {
	began := time.Now()
	session, err := execute.Open(lab)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	session.Yields = options.yields

	dir, _ := os.Getwd()
	board := lab.Console.Board()
	type ended struct {
		place  int // among paths
		result *execute.Result
		err    error
	}
	finished := make(chan ended)
	slots := make(chan struct{}, max(1, min(options.jobs, 4*runtime.NumCPU())))
	for place, path := range paths {
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				finished <- ended{place: place, err: ctx.Err()}
				return
			}
			name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
			row := board.Row(name)
			result, err := session.Execute(ctx, path, execute.Options{Timeout: options.timeout, Progress: row.Count, Parameters: options.parameters})
			if err == nil {
				err = keep(path, result, options)
			}
			text := ""
			if err == nil {
				text = plural(result.Cells, "cell")
				if result.Cells > 0 {
					text += fmt.Sprintf(", slowest %d (%s)", result.Slowest, result.Took.Round(10*time.Millisecond))
				}
			}
			row.Done(err == nil, text)
			finished <- ended{place: place, result: result, err: err}
		}()
	}
	o.results = make([]*execute.Result, len(paths))
	failures := make([]error, len(paths)) // told in this order, whichever ended first
	for range paths {
		e := <-finished
		if e.result != nil {
			o.cells += e.result.Cells
		}
		if e.err == nil {
			o.passed++
			o.results[e.place] = e.result
			continue
		}
		o.failed++
		failures[e.place] = e.err
	}
	board.Close()
	o.took = time.Since(began)
	if ctx.Err() != nil {
		return o, context.Cause(ctx)
	}
	for _, failure := range failures {
		if failure != nil {
			lab.Console.Line("%s", describe(failure, dir))
		}
	}
	return o, nil
}

// A memory knows which notebooks have passed, each with a key to all that its result depends on.
type memory interface {
	Key(path string, timeout time.Duration) (string, error)
	Find(path, key string) (results.Result, bool)
	Keep(path string, r results.Result) error
}

// checkNotebooks executes notebooks and compares them with their files. A notebook of the lab that has passed, and depends on nothing that
// has changed since, is not executed again, unless asked for.
func checkNotebooks(ctx context.Context, lab *setup.Lab, paths []string, options runOptions) (outcome, error) {
	open := func() (memory, error) { return results.Open(ctx, lab) }
	run := func(paths []string) (outcome, error) { return runNotebooks(ctx, lab, paths, options) }
	return recall(lab, open, paths, options, run)
}

// recall runs the notebooks that have not passed yet and remembers those that pass. Of a notebook that does not lie with those of the lab
// it is not known what else it depends on, so that it is run each time.
func recall(
	lab *setup.Lab,
	open func() (memory, error),
	paths []string,
	options runOptions,
	run func(paths []string) (outcome, error),
) (outcome, error) {
	began := time.Now()
	ofLab := func(path string) bool {
		folder, err := os.Stat(filepath.Dir(path))
		lab, failed := os.Stat(lab.Notebooks())
		return err == nil && failed == nil && os.SameFile(folder, lab)
	}
	keys := func() (memory, []string) {
		all := make([]string, len(paths)) // empty where nothing is known
		if !slices.ContainsFunc(paths, ofLab) {
			return nil, all
		}
		store, err := open()
		if err != nil { // a library that does not compile fails where it is used
			lab.Console.Line("Every notebook is executed, because what they depend on is not known: %v", err)
			return nil, all
		}
		for i, path := range paths {
			if key, err := store.Key(path, options.timeout); err == nil && ofLab(path) {
				all[i] = key
			}
		}
		return store, all
	}
	store, before := keys()
	known := outcome{}
	var missing []string
	var places []int // of the missing ones among paths
	for i, path := range paths {
		if before[i] != "" && !options.fresh {
			if r, found := store.Find(path, before[i]); found {
				known.passed, known.cells = known.passed+1, known.cells+r.Cells
				lab.Console.Line("  ✓ %s  (cached)  %s", strings.TrimSuffix(filepath.Base(path), ".ipynb"), plural(r.Cells, "cell"))
				continue
			}
		}
		missing, places = append(missing, path), append(places, i)
	}
	known.took = time.Since(began)
	if len(missing) == 0 {
		return known, nil
	}
	o, err := run(missing)
	if err != nil {
		return o, err
	}
	// What has changed in the meantime may have been read before or after.
	if store != nil && o.passed > 0 {
		store, after := keys()
		for i, r := range o.results {
			if at := places[i]; r != nil && after[at] != "" && before[at] == after[at] {
				if err := store.Keep(paths[at], results.Result{Key: after[at], Cells: r.Cells}); err != nil {
					lab.Console.Line("%s has passed, which cannot be remembered: %v", filepath.Base(paths[at]), err)
				}
			}
		}
	}
	o.passed, o.cells, o.took = o.passed+known.passed, o.cells+known.cells, time.Since(began)
	return o, nil
}

// keep writes the executed notebook over its file or into the one that was asked for, or compares it with the file if check is set.
func keep(path string, result *execute.Result, options runOptions) error {
	switch {
	case options.output != "":
		return result.Notebook.Write(options.output)
	case !options.check:
		return result.Keep(path)
	}
	return execute.CheckOutputs(path, result.Notebook)
}

// describe shows a failure as a person wants to see it: the cell, its source, what it printed and the error.
func describe(err error, dir string) string {
	var failure *execute.Failure
	if !errors.As(err, &failure) {
		return "✗ " + err.Error()
	}
	shown := *failure
	shown.Notebook = checkout.Relative(dir, failure.Notebook)
	var all strings.Builder
	fmt.Fprintf(&all, "\n✗ %s\n", shown.Title())
	for i, line := range strings.Split(strings.TrimRight(failure.Source, "\n"), "\n") {
		if failure.Source != "" {
			fmt.Fprintf(&all, "  %3d │ %s\n", i+1, line)
		}
	}
	if printed := strings.TrimSpace(failure.Printed); printed != "" {
		fmt.Fprintf(&all, "  printed:\n%s\n", indent(lastLines(printed, 30)))
	}
	value := strings.ReplaceAll(strings.TrimSpace(failure.Value), "\n", "\n    ")
	fmt.Fprintf(&all, "  error: %s\n", strings.ReplaceAll(value, "\n    \n", "\n\n"))
	return ansi.ReplaceAllString(all.String(), "")
}

// ansi is what colours text at a terminal; the kernel marks lines of a cell so, for a page.
var ansi = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func indent(text string) string { return "    " + strings.ReplaceAll(text, "\n", "\n    ") }

func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
