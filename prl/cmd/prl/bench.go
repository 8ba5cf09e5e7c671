package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/bench"
)

func newBench() *cobra.Command {
	command := &cobra.Command{
		Use:   "bench",
		Short: "Measure the lab",
		Args:  noArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	command.AddCommand(newBenchCells())
	return command
}

func newBenchCells() *cobra.Command {
	var n, displays int
	command := &cobra.Command{
		Use:   "cells",
		Short: "How long a cell takes, beside the same program outside the kernel",
		Long: `Measure warm cells (a line of text; a chart; a model and its chart) through the kernel, by turns with go build -ldflags=-s
and a run of the same program outside it, the first cell of a fresh kernel, and whether any of many displays is lost. Medians;
close other programs first.`,
		Args: cobra.NoArgs,
	}
	command.Flags().IntVarP(&n, "count", "n", 15, "measure each this many times")
	command.Flags().IntVar(&displays, "displays", 1000, "show this many displays in bursts of 50")
	command.RunE = func(c *cobra.Command, _ []string) error {
		if n < 1 || displays < 50 {
			return fmt.Errorf("--count must be at least 1 and --displays at least 50")
		}
		lab, err := readyLab(c)
		if err != nil {
			return err
		}
		for _, program := range []bench.Program{bench.Hello, bench.Chart, bench.Library} {
			step := lab.Console.Step("Cell: "+program.Name, n+1)
			cells, err := bench.Measure(c.Context(), lab, program, n, step.Count)
			if err != nil {
				step.Fail()
				return err
			}
			step.Done("")
			printCells(cells)
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
			return errTold
		}
		return nil
	}
	return command
}

func printCells(c bench.Cells) {
	kernel, plain, link := bench.Median(c.Kernel), bench.Median(c.Plain), bench.Median(c.Link)
	fmt.Printf("\nA cell with %s (median of %d, in milliseconds)\n", c.Program.Name, len(c.Kernel))
	fmt.Printf("  through the kernel                    %6d   (%d to %d)\n", ms(kernel), ms(slices.Min(c.Kernel)), ms(slices.Max(c.Kernel)))
	fmt.Printf("  go build -ldflags=-s and run          %6d   (%d to %d)\n", ms(plain), ms(slices.Min(c.Plain)), ms(slices.Max(c.Plain)))
	fmt.Printf("  ratio                                 %6.2f\n", float64(kernel)/float64(plain))
	fmt.Printf("  of which linking                      %6d   (%.0f %% of the build and run)\n", ms(link), 100*float64(link)/float64(plain))
	fmt.Printf("  first cell of a fresh kernel          %6d   (the kernel itself was ready after %d)\n", ms(c.First), ms(c.Ready))
	fmt.Printf("  size of the program                   %6.1f   MB\n\n", float64(c.Size)/1e6)
}

func ms(d time.Duration) int64 { return d.Milliseconds() }
