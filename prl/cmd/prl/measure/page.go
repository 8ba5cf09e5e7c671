package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground/trial"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
	"github.com/prlab/prlab/prl/notebook"
)

func newBenchPage() *cobra.Command {
	var sample int
	var patience time.Duration
	command := &cobra.Command{
		Use:   "page [notebook or folder ...]",
		Short: "What it costs to compile Go in a page, and which cells end there as in the lab",
		Long: `Build Go's compiler and linker for pages, with the packages of all notebooks in one file, and print the parts and their bytes. Then
make, compile, link and run the cells of notebooks with it in Node.js, and print for each notebook how many end as in the lab, how
many of these also write the same to the last digit, and the median of the seconds of processor time. A cell ends as in the lab if its
status and its words are the same; figures do not count, and numbers may differ in rounding errors. The other cells are listed with
reasons, and end the command with status 1 if they are more than 5 %.

At last one cell of each notebook is compiled, linked and run twice in a tab of Chromium on Linux, and the most memory that the tab has
is printed; more than 400 MB end the command with status 1 too.

The first call builds the file, which takes minutes; it is kept in .prl/playground. All cells take two hours or more.`,
		Example: "  go tool prl bench page 01 22\n  go tool prl bench page --sample 3",
	}
	command.Flags().IntVar(&sample, "sample", 0, "of each notebook so many cells, evenly spread; 0 for all")
	command.Flags().DurationVar(&patience, "timeout", 2*time.Minute, "the longest time for the program of one cell")
	command.RunE = func(c *cobra.Command, args []string) error {
		if sample < 0 || patience < time.Second {
			return fmt.Errorf("--sample must be at least 0 and --timeout at least 1s")
		}
		lab, err := verb.ReadyLab(c)
		if err != nil {
			return err
		}
		paths, err := verb.Notebooks(lab, args)
		if err != nil {
			return err
		}
		return benchPage(c.Context(), lab, paths, sample, patience)
	}
	return command
}

func benchPage(ctx context.Context, lab *setup.Lab, paths []string, sample int, patience time.Duration) error {
	step := lab.Console.Step("Go for pages", 0)
	toolchain, err := playground.Build(ctx, lab.Checkout, lab.Python(), step.Say)
	if err != nil {
		step.Fail()
		return err
	}
	step.Done(toolchain.Path)
	fmt.Print(toolchain)
	node, err := trial.Start(ctx, toolchain.Path)
	if err != nil {
		return err
	}
	defer node.Close()
	fmt.Printf("ready after %.1f s of processor time\n\n", node.Ready)
	fmt.Printf("%-28s %6s %6s %6s   compile+link    run\n", "notebook", "cells", "same", "exact")
	var all, same int
	var others []string
	for _, path := range paths {
		n, err := notebook.Read(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t, err := tryNotebook(node, n, name, sample, patience)
		if err != nil {
			return err
		}
		fmt.Printf("%-28s %6d %6d %6d   %8.2f s %8.2f s\n", name, len(t.make), t.same, t.exact, median(t.make), median(t.run))
		all, same, others = all+len(t.make), same+t.same, append(others, t.others...)
	}
	fmt.Printf("\n%d of %d cells end as in the lab\n%s", same, all, strings.Join(others, ""))
	within, err := benchTab(ctx, lab, toolchain.Path, paths)
	if err != nil {
		return err
	}
	const enough = 95
	if 100*same < enough*all || !within {
		return verb.ErrTold
	}
	return nil
}

// benchTab prints the most memory that a tab has, and reports whether it is within its budget.
func benchTab(ctx context.Context, lab *setup.Lab, toolchain string, paths []string) (within bool, err error) {
	chromium, err := lab.Machine.Chromium()
	if err != nil {
		return false, err
	}
	tab, err := trial.Open(ctx, chromium, toolchain)
	if err != nil {
		return false, err
	}
	defer tab.Close()
	var most, wasm int
	var where string
	for _, path := range slices.Concat(paths, paths) { // the compiler's own machine code comes with the first cells
		n, err := notebook.Read(path)
		if err != nil {
			return false, err
		}
		cells := live.Cells(n, false)
		for _, c := range trial.Sample(cells, 1) {
			at, memory, err := tab.Cell(cells, c.ID)
			if err != nil {
				return false, fmt.Errorf("%s, cell %s: %w", path, c.ID, err)
			}
			if wasm = max(wasm, memory); at > most {
				most, where = at, fmt.Sprintf("%s, cell %s", strings.TrimSuffix(filepath.Base(path), ".ipynb"), c.ID)
			}
		}
	}
	const million, budget = 1e6, 400e6
	fmt.Printf("\na tab has at most %.0f MB until it can compile, and %.0f MB of %.0f MB while it runs cells (%s);\n",
		float64(tab.Ready)/million, float64(most)/million, budget/million, where)
	fmt.Printf("the largest memory of WebAssembly is %.0f MB\n", float64(wasm)/million)
	return most <= budget, nil
}

// A tried notebook has how its cells ended.
type tried struct {
	same, exact int
	make, run   []float64 // seconds of processor time
	others      []string  // a line for each cell that ended otherwise
}

func tryNotebook(node *trial.Trial, n *notebook.Notebook, name string, sample int, patience time.Duration) (t tried, err error) {
	outputs := map[string][]map[string]any{}
	for _, c := range n.Cells {
		outputs[c.ID()] = c.Outputs()
	}
	cells := live.Cells(n, false)
	for _, c := range trial.Sample(cells, sample) {
		end, err := node.Cell(cells, c.ID, patience)
		if err != nil {
			return t, fmt.Errorf("%s, cell %s: %w", name, c.ID, err)
		}
		t.make, t.run = append(t.make, end.Make), append(t.run, end.Run)
		switch why := end.Differs(outputs[c.ID]); {
		case why != "":
			t.others = append(t.others, fmt.Sprintf("%s, cell %s: %s\n", name, c.ID, why))
		case end.Exact(outputs[c.ID]):
			t.exact++
			fallthrough
		default:
			t.same++
		}
	}
	return t, nil
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(list))[len(list)/2]
}
