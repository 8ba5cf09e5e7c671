package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/mutate"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

func newMutate() *cobra.Command {
	var options mutate.Options
	var report string
	command := &cobra.Command{
		Use:   "mutate notebook ...",
		Short: "Plant mistakes in notebooks and list the checks that do not notice",
		Long: `Plant mistakes in notebooks, one at a time, and list the checks that none of them turns red.

Numbers, signs, operators, comparisons and called functions in the cells are changed, and what the functions of the library give is made
a thousandth too large, turned in sign or put into another order. A check that stays green under every mistake that can reach it proves
nothing; one that compares numbers written in its cell is arithmetic, which a notebook shows by prl.Remark. The exit status is 1 if a
check survives, or is red as it is. Notebooks are not changed.`,
		Example: "  go tool prl mutate 32\n  go tool prl mutate 26 --cell bound-check --limit 200\n  go tool prl mutate 01 02 --json report.json",
		Args:    cobra.MinimumNArgs(1),
	}
	command.Flags().StringVar(&options.Cell, "cell", "", "judge only the checks of the cell with this `ID`")
	command.Flags().Uint64Var(&options.Seed, "seed", 1, "of the order in which mistakes are tried")
	command.Flags().IntVar(&options.Limit, "limit", 60, "try at most this many mistakes on a check")
	command.Flags().IntVarP(&options.Jobs, "jobs", "j", 2, "run this many programs at the same time")
	command.Flags().DurationVar(&options.Timeout, "timeout", 20*time.Second, "the longest time for a cell with a mistake")
	command.Flags().StringVar(&report, "json", "", "write the whole report, with every mistake that a check did not notice, into `FILE`")
	command.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case options.Limit < 1:
			return fmt.Errorf("--limit %d: at least one mistake must be tried", options.Limit)
		case options.Jobs < 1:
			return fmt.Errorf("--jobs %d: at least one program must run at a time", options.Jobs)
		case options.Timeout < time.Second:
			return fmt.Errorf("--timeout %s: the shortest time is 1s", options.Timeout)
		}
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		paths, err := findNotebooks(lab, args)
		if err != nil {
			return err
		}
		var all []*mutate.Report
		survive := 0
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
			survive += r.Count(mutate.Survives) + r.Count(mutate.Red)
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
		if err == nil && survive > 0 {
			return verb.ErrTold
		}
		return err
	}
	return command
}
