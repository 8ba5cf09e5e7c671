package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "List every prerequisite, its state, and the command that mends it",
		Long: `List every prerequisite, its state, and the command that mends it. Nothing is changed.

The exit status is 1 if something is missing that the lab cannot do without; what only some verbs need is marked ○.`,
		Args: verb.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			lab, err := verb.ThisLab()
			if err != nil {
				return err
			}
			if tell(c.OutOrStdout(), lab.Examine(c.Context())) > 0 {
				return verb.ErrTold
			}
			return nil
		},
	}
}

// tell lists the findings, and below them each remedy once with all that it mends. It returns how many things are missing that the lab
// cannot do without.
func tell(out io.Writer, findings []setup.Finding) (missing int) {
	var remedies []string
	mends := map[string][]string{}
	for _, f := range findings {
		fmt.Fprintf(out, "%s %-22s %s\n", mark(f), f.Name, f.State)
		if f.Well {
			continue
		}
		if f.Required {
			missing++
		}
		if f.Remedy == "" {
			continue
		}
		if mends[f.Remedy] == nil {
			remedies = append(remedies, f.Remedy)
		}
		mends[f.Remedy] = append(mends[f.Remedy], f.Name)
	}
	if missing > 0 {
		fmt.Fprintf(out, "\n%s missing.\n", plural(missing, "thing"))
	} else {
		fmt.Fprintln(out, "\nThe lab is ready.")
	}
	if len(remedies) > 0 {
		fmt.Fprintln(out, "\nTo mend what is marked:")
	}
	for _, remedy := range remedies {
		fmt.Fprintf(out, "    %s\n        for %s\n", remedy, strings.Join(mends[remedy], ", "))
	}
	return missing
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
