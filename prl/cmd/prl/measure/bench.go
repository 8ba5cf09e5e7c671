package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
	"github.com/prlab/prlab/prl/cmd/prl/measure/bench"
	"github.com/prlab/prlab/prl/internal/atomicfile"
)

func newBench() *cobra.Command {
	command := &cobra.Command{
		Use:   "bench",
		Short: "Measure the lab",
		Args:  verb.Group,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	command.AddCommand(
		newBenchModels(), newBenchCells(), newBenchSession(), newBenchFigures(), newBenchGrowth(), newBenchLimit(), newBenchPage(),
		newBenchWorker(),
	)
	return command
}

func newBenchModels() *cobra.Command {
	var o modelsOptions
	command := &cobra.Command{
		Use:   "models",
		Short: "Each family beside scikit-learn and hmmlearn",
		Long: `Measure fits and predictions beside scikit-learn and hmmlearn, in one run and on the same bytes: time, quality and memory.

The first call installs the peers, hash by hash as locked, into .prl/peers, and writes the data of each size into .prl/bench. Each
side of a task is a process of its own; they run by turns and the best run counts. A ratio is the time of the peer by ours. Close other
programs first; size L takes most of an hour.

Rivals that do more than is required are measured too where they are installed into .prl/peers:
.prl/peers/bin/python -m pip install fastcluster faiss-cpu packaging scikit-learn-intelex liblinear-official lightgbm numba. So is fastICA
of R (Debian's r-cran-fastica), through rpy2.

With --random the tasks also run on shapes that nobody chose: rows, features, classes, groups and states drawn log-uniformly, with
predictions of one row among them. The seed stands above the table, which begins with the losses; the same seed draws the same shapes,
and with --count the same tasks.`,
		Args: verb.NoArguments,
	}
	command.Flags().StringVar(&o.tasks, "task", "", "only tasks whose name matches this regular expression, such as '^svm|predict'")
	command.Flags().
		StringVar(&o.sizes, "size", "L", "sizes of the data: S (hundreds of rows), M (thousands), L (ten thousands), or several: ML")
	command.Flags().StringVar(&o.random, "random", "",
		"measure each task also on a shape drawn log-uniformly from this seed, a whole number, or 'new' for a seed of its own; --size '' "+
			"leaves the fixed sizes out")
	command.Flags().IntVar(&o.draws, "draws", 1, "shapes to draw for each task")
	command.Flags().IntVar(&o.count, "count", 0, "of the tasks with drawn shapes measure so many, drawn too; 0 for all")
	command.Flags().IntSliceVar(&o.threads, "threads", []int{1, 2}, "numbers of threads, each measured")
	command.Flags().StringVar(&o.json, "json", "", "write everything measured to this file")
	command.Flags().StringVar(&o.from, "from", "", "show what an earlier call wrote with --json, instead of measuring")
	command.Flags().BoolVar(&o.cpu, "cpu", false, "count processor time, with one thread, on a machine that others use too")
	command.Flags().BoolVar(&o.readme, "readme", false, "write the tables into prl/cmd/prl/measure/RESULTS.md, with machine and versions")
	command.MarkFlagsMutuallyExclusive("readme", "task")
	command.RunE = func(c *cobra.Command, _ []string) error {
		if o.cpu && !c.Flags().Changed("threads") {
			o.threads = []int{1}
		}
		models, err := o.models()
		if err != nil {
			return err
		}
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		readme, err := os.ReadFile(lab.Path("prl/cmd/prl/measure/RESULTS.md"))
		if err == nil && o.readme {
			_, err = new(bench.Report).InReadme(string(readme)) // before the long work
		}
		if err != nil {
			return err
		}
		var report *bench.Report
		if o.from != "" {
			text, err := os.ReadFile(o.from)
			if err == nil {
				err = json.Unmarshal(text, &report)
			}
			if err != nil {
				return fmt.Errorf("--from %s: %w", o.from, err)
			}
		} else if report, err = measureModels(c.Context(), lab, models, o.json); err != nil {
			return err
		}
		fmt.Print(report.Text())
		if !o.readme {
			return nil
		}
		changed, err := report.InReadme(string(readme))
		if err != nil {
			return err
		}
		return atomicfile.Write(lab.Path("prl/cmd/prl/measure/RESULTS.md"), []byte(changed), 0o644)
	}
	return command
}

// modelsOptions are the flags of bench models.
type modelsOptions struct {
	tasks, sizes, json, from, random string
	threads                          []int
	draws, count                     int
	cpu, readme                      bool
}

func (o modelsOptions) models() (bench.Models, error) {
	m := bench.Models{
		Sizes:   strings.ReplaceAll(strings.ToUpper(o.sizes), ",", ""),
		Threads: o.threads,
		Args:    []string{"bench", "worker"},
		CPU:     o.cpu,
	}
	switch o.random {
	case "":
	case "new":
		m.Seed = rand.Uint64N(1_000_000)
	default:
		seed, err := strconv.ParseUint(o.random, 10, 64)
		if err != nil {
			return m, fmt.Errorf("--random %s: it needs a whole number, or 'new'", o.random)
		}
		m.Seed = seed
	}
	if o.random != "" {
		if m.Draws = o.draws; m.Draws < 1 {
			return m, fmt.Errorf("--draws %d: at least 1", o.draws)
		}
		if m.Count = o.count; m.Count < 0 {
			return m, fmt.Errorf("--count %d: 0 for all, or more", o.count)
		}
	}
	if m.Sizes == "" && m.Draws == 0 || strings.Trim(m.Sizes, bench.Sizes) != "" {
		return m, fmt.Errorf("--size %s: it needs one or more of the letters S, M and L", o.sizes)
	}
	if len(o.threads) == 0 || slices.Min(o.threads) < 1 {
		return m, fmt.Errorf("--threads: each number must be at least 1")
	}
	if o.cpu && slices.Max(o.threads) > 1 {
		return m, fmt.Errorf("--cpu: the processor time of several threads says nothing on how long a run takes; call it with --threads 1")
	}
	var err error
	if m.Tasks, err = regexp.Compile("(?i)" + o.tasks); err != nil {
		return m, fmt.Errorf("--task %s: %w", o.tasks, err)
	}
	if len(m.Names()) == 0 {
		return m, fmt.Errorf("--task %s: no task matches. There are: %s", o.tasks, strings.Join(bench.Models{}.Names(), ", "))
	}
	m.Program, err = os.Executable()
	return m, err
}

// measureModels installs the peers and measures, with a line or a bar for the person who waits.
func measureModels(ctx context.Context, lab *setup.Lab, models bench.Models, file string) (*bench.Report, error) {
	peers, err := bench.OpenPeers(ctx, lab)
	if err != nil {
		return nil, err
	}
	step := lab.Console.Step("Tasks", models.Steps())
	moves := isatty.IsTerminal(os.Stderr.Fd())
	report, err := models.Measure(ctx, lab, peers, func(r *bench.Report) error {
		last := r.Results[len(r.Results)-1]
		step.Count(len(r.Results))
		step.Say(last.Task)
		if !moves {
			lab.Console.Line("    %v", last)
		}
		return writeJSON(file, r) // what is measured stays when the rest is interrupted
	})
	if err != nil {
		step.Fail()
		return nil, err
	}
	step.Done("")
	return report, nil
}

func newBenchFigures() *cobra.Command {
	var file string
	command := &cobra.Command{
		Use:   "figures",
		Short: "Bytes and milliseconds of typical figures",
		Long: `Measure what typical figures cost, each kind of layer and what the families show: bytes of the still picture, of the specification
that brings it to life, of the output in a notebook and of a page that stands alone; milliseconds to draw the still and to make the page.`,
		Args: verb.NoArguments,
	}
	command.Flags().StringVar(&file, "json", "", "write everything measured to this file")
	command.RunE = func(c *cobra.Command, _ []string) error {
		step := console.New(os.Stderr).Step("Figures", 0)
		figures, err := bench.Figures(c.Context(), step.Count)
		if err != nil {
			step.Fail()
			return err
		}
		step.Done("")
		fmt.Print(bench.FigureTable(figures))
		return writeJSON(file, figures)
	}
	return command
}

func newBenchGrowth() *cobra.Command {
	var tasks, file string
	var threads int
	command := &cobra.Command{
		Use:   "growth",
		Short: "How the time of each fit grows with the number of rows",
		Long: `Time each fit on 1000, 2000, 4000, ... rows of the large data and fit seconds = constant n^exponent by least squares on the
logarithms. The residual is the standard deviation of the logarithm about that line: 0.1 is about 10 percent.`,
		Args: verb.NoArguments,
	}
	command.Flags().StringVar(&tasks, "task", "", "only tasks whose name matches this regular expression")
	command.Flags().IntVar(&threads, "threads", 1, "number of threads")
	command.Flags().StringVar(&file, "json", "", "write everything measured to this file")
	command.RunE = func(c *cobra.Command, _ []string) error {
		if threads < 1 {
			return fmt.Errorf("--threads %d: at least 1", threads)
		}
		pattern, err := regexp.Compile("(?i)" + tasks)
		if err != nil {
			return fmt.Errorf("--task %s: %w", tasks, err)
		}
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		runtime.GOMAXPROCS(threads)
		step := lab.Console.Step("Growth", 0)
		all, err := bench.Models{Tasks: pattern}.MeasureGrowth(c.Context(), lab.Own("bench"), step.Say)
		if err != nil {
			step.Fail()
			return err
		}
		step.Done("")
		fmt.Print(bench.GrowthTable(all))
		return writeJSON(file, all)
	}
	return command
}

func newBenchLimit() *cobra.Command {
	var file string
	command := &cobra.Command{
		Use:   "limit",
		Short: "What fits and predictions reach of the processor's peak, of its memory, and of a second thread",
		Long: `Measure the peak of the processor, by chains of fused multiply-add in registers, and the bandwidth of its memory, by loads of a
gigabyte, on one thread and on two. Then tasks of which products or memory take the time: what they reach of that on one thread, and how
many times as fast they are on two. Named as missed is a share of the peak below 60 %, one of the bandwidth below 70 %, and two threads
that are less than 1.8 times as fast, or than nine tenths of what the machine's own limits gain. Close other programs first.`,
		Args: verb.NoArguments,
	}
	command.Flags().StringVar(&file, "json", "", "write everything measured to this file")
	command.RunE = func(c *cobra.Command, _ []string) error {
		step := console.New(os.Stderr).Step("Limits", 0)
		limits, err := bench.MeasureLimits(c.Context(), step.Say)
		if err != nil {
			step.Fail()
			return err
		}
		step.Done("")
		fmt.Print(limits)
		return writeJSON(file, limits)
	}
	return command
}

// writeJSON writes what was measured to a file, if one is named.
func writeJSON(file string, v any) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.Write(file, append(text, '\n'), 0o644)
}

// newBenchWorker is the Go side of bench models in a process of its own.
func newBenchWorker() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Hidden: true,
		Args:   verb.NoArguments,
		RunE:   func(c *cobra.Command, _ []string) error { return bench.Work(c.Context(), os.Stdin, os.Stdout) },
	}
}

func newBenchSession() *cobra.Command {
	var rows int
	var python string
	command := &cobra.Command{
		Use:   "session",
		Short: "Thirty cells on a table of flights, beside the same in Python",
		Long: `Measure a session: a table of 200,000 rows and 19 columns, with words, dates and gaps, is read, looked at, grouped, joined,
drawn, and models are fitted to it, in 30 cells, each a program that no earlier one has cached. Beside it stands the same in ipykernel,
with pandas, matplotlib and scikit-learn (--python names one that has them).`,
		Args: verb.NoArguments,
	}
	command.Flags().IntVar(&rows, "rows", 200_000, "rows of the table")
	command.Flags().StringVar(&python, "python", "", "a Python with ipykernel, pandas, matplotlib and scikit-learn (default: that of the lab)")
	command.RunE = func(c *cobra.Command, _ []string) error {
		lab, err := verb.ReadyLab(c)
		if err != nil {
			return err
		}
		if python == "" {
			python = lab.Python()
		}
		step := lab.Console.Step("Session", 2*len(bench.SessionSteps(0)))
		session, err := bench.MeasureSession(c.Context(), lab, rows, python, step.Count)
		if err != nil {
			step.Fail()
			return err
		}
		step.Done("")
		fmt.Printf("\n%s", session)
		return nil
	}
	return command
}

func newBenchCells() *cobra.Command {
	var n, displays int
	var python string
	command := &cobra.Command{
		Use:   "cells",
		Short: "How long a cell takes, beside the same program outside the kernel and beside ipykernel",
		Long: `Measure cells (a line of text; a chart; a model and its chart) by processor time and by the clock: changed each time, unchanged,
and below a page of declarations; beside them go build, with the flags, the environment and the garbage collector's setting of the kernel,
and a run; beside that ipykernel with the same in Python (--python names one with ipykernel, scikit-learn and matplotlib). Then whether any
of many displays is lost. A target that is missed ends the command with status 1: 0.12 s of processor time for the line of text and
0.30 s for the model, no more than the build and run outside the kernel, and at most 1.2 times as much at the end of the page. Close other
programs first.`,
		Args: verb.NoArguments,
	}
	command.Flags().IntVarP(&n, "count", "n", 15, "measure each this many times")
	command.Flags().IntVar(&displays, "displays", 1000, "show this many displays in bursts of 50")
	command.Flags().StringVar(&python, "python", "", "the Python whose ipykernel is measured (default: that of the lab)")
	command.RunE = func(c *cobra.Command, _ []string) error {
		if n < 1 || displays < 50 {
			return fmt.Errorf("--count must be at least 1 and --displays at least 50")
		}
		lab, err := verb.ReadyLab(c)
		if err != nil {
			return err
		}
		if python == "" {
			python = lab.Python()
		}
		var misses []string
		for _, program := range []bench.Program{bench.Hello, bench.Chart, bench.Library} {
			step := lab.Console.Step("Cell: "+program.Name, bench.Steps(n))
			cells, err := bench.Measure(c.Context(), lab, program, n, python, step.Count)
			if err != nil {
				step.Fail()
				return err
			}
			step.Done("")
			fmt.Printf("\n%s\n", cells)
			misses = append(misses, cells.Misses()...)
		}
		step := lab.Console.Step("Displays", 0)
		arrived, took, err := bench.Burst(c.Context(), lab, displays)
		if err != nil {
			step.Fail()
			return err
		}
		step.Done("")
		sent := displays / 50 * 50
		fmt.Printf("%d displays in bursts of 50: %d arrived, %d lost (%s)\n", sent, arrived, sent-arrived, took.Round(time.Millisecond))
		if arrived != sent {
			misses = append(misses, "displays were lost")
		}
		for _, miss := range misses {
			fmt.Println("✗ " + miss)
		}
		if len(misses) > 0 {
			return verb.ErrTold
		}
		return nil
	}
	return command
}
