package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
	"github.com/prlab/prlab/prl/cmd/prl/measure/mutate"
)

func newMutate() *cobra.Command {
	var options mutate.Options
	var report string
	var limit float64
	command := &cobra.Command{
		Use:   "mutate notebook ...",
		Short: "Plant mistakes in notebooks and list what no check notices",
		Long: `Plant mistakes in notebooks, one at a time, and list the checks that none of them turns red, and the
mistakes that no check notices.

Numbers, signs, operators, comparisons and called functions in the cells are changed, and what the functions of the library give is made
a thousandth too large, turned in sign or put into another order. A check that stays green under every mistake that can reach it proves
nothing; one that compares numbers written in its cell is arithmetic, which a notebook shows by prl.Remark.

Mistakes are planted in pictures too: series exchanged, halved, shifted or turned round, names and sides exchanged, films that begin at
their end, other numbers in tables and sounds; and in methods: the nearest rival in the place of each, half of the rows, training rows in
the place of those held out. Each of these must turn some check red. A figure in a cell without a check survives.

The exit status is 1 if more than one in ten survives of the checks, of the mistakes in figures or of those in methods, or if a check is
red as it is. Notebooks are not changed.`,
		Example: "  go tool prl mutate 32\n  go tool prl mutate 26 --cell bound-check --most 200\n" +
			"  go tool prl mutate 07 --limit 0.05\n  go tool prl mutate 01 02 --json report.json",
		Args: cobra.MinimumNArgs(1),
	}
	command.Flags().StringVar(&options.Cell, "cell", "", "judge only the checks of the cell with this `ID`")
	command.Flags().Uint64Var(&options.Seed, "seed", 1, "of the order in which mistakes are tried")
	command.Flags().IntVar(&options.Most, "most", 60, "try at most this many mistakes on a check")
	command.Flags().Float64Var(&limit, "limit", 0.1, "the largest share that may survive of each kind")
	command.Flags().IntVarP(&options.Jobs, "jobs", "j", 2, "run this many programs at the same time")
	command.Flags().DurationVar(&options.Timeout, "timeout", 20*time.Second, "the longest time for a cell with a mistake")
	command.Flags().StringVar(&report, "json", "", "write the whole report, with every mistake that a check did not notice, into `FILE`")
	command.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case options.Most < 1:
			return fmt.Errorf("--most %d: at least one mistake must be tried", options.Most)
		case limit < 0 || limit > 1:
			return fmt.Errorf("--limit %g: a share is from 0 to 1", limit)
		case options.Jobs < 1:
			return fmt.Errorf("--jobs %d: at least one program must run at a time", options.Jobs)
		case options.Timeout < time.Second:
			return fmt.Errorf("--timeout %s: the shortest time is 1s", options.Timeout)
		}
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		paths, err := verb.Notebooks(lab, args)
		if err != nil {
			return err
		}
		var all []*mutate.Report
		holds := true
		board := lab.Console.Board()
		for _, path := range paths {
			row := board.Row(path)
			options.Progress = row.Count
			r, failed := mutate.Notebook(c.Context(), string(lab.Checkout), path, options)
			row.Done(failed == nil, "")
			if failed != nil {
				err = errors.Join(err, failed)
				continue
			}
			all = append(all, r)
			holds = holds && r.Holds(limit)
		}
		board.Close()
		for _, r := range all {
			fmt.Fprint(c.OutOrStdout(), r)
		}
		if report != "" {
			text, failed := json.MarshalIndent(all, "", "  ")
			if failed == nil {
				failed = os.WriteFile(report, append(text, '\n'), 0o644)
			}
			err = errors.Join(err, failed)
		}
		if err == nil && !holds {
			return verb.ErrTold
		}
		return err
	}
	return command
}
