package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "List every prerequisite, its state, and the command that mends it",
		Long: `List every prerequisite, its state, and the command that mends it. Nothing is changed.

The exit status is 1 if something is missing that the lab cannot do without; what only handouts need is marked as such.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			lab, err := thisLab()
			if err != nil {
				return err
			}
			findings := lab.Examine(c.Context())
			bad := 0
			for _, f := range findings {
				fmt.Printf("%s %-22s %s\n", mark(f), f.Name, f.State)
				if !f.Well {
					fmt.Printf("  %-22s to mend it: %s\n", "", f.Remedy)
				}
				if !f.Well && f.Required {
					bad++
				}
			}
			if bad > 0 {
				fmt.Printf("\n%s missing.\n", plural(bad, "thing"))
				return errTold
			}
			fmt.Println("\nThe lab is ready.")
			return nil
		},
	}
}

func mark(f setup.Finding) string {
	switch {
	case f.Well:
		return "✓"
	case f.Required:
		return "✗"
	}
	return "○"
}
