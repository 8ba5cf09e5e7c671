package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

// measureModule is a module of its own, with what the lab measures of itself.
const measureModule = "prl/cmd/prl/measure"

// newMeasuring builds the program measure and becomes it, for a verb whose flags and help are the program's.
func newMeasuring(use, short string) *cobra.Command {
	command := &cobra.Command{
		Use:                use,
		Short:              short,
		DisableFlagParsing: true,
		RunE:               measure,
	}
	command.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if err := measure(c, []string{"--help"}); err != nil {
			c.PrintErrln(err)
		}
	})
	return command
}

func measure(c *cobra.Command, args []string) error {
	lab, err := verb.ThisLab()
	if err != nil {
		return err
	}
	program := lab.Own("bin", "prl-measure")
	build := exec.CommandContext(c.Context(), "go", "build", "-o", program, ".")
	build.Dir = lab.Path(measureModule)
	build.Env = append(goenv.Without(os.Environ(), "GOWORK", "GOFLAGS"), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		if said := (*exec.ExitError)(nil); !errors.As(err, &said) {
			return err
		}
		return fmt.Errorf("the program that measures does not build:\n%s", out)
	}
	return process.Become(program, append([]string{c.Name()}, args...), os.Environ())
}
