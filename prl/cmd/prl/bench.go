package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

// newBench builds the program bench, which links every family of models, and becomes it. Its flags and its help are its own.
func newBench() *cobra.Command {
	command := &cobra.Command{
		Use:                "bench",
		Short:              "Measure the lab",
		DisableFlagParsing: true,
		RunE:               func(c *cobra.Command, args []string) error { return bench(c, args) },
	}
	command.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if err := bench(c, []string{"--help"}); err != nil {
			c.PrintErrln(err)
		}
	})
	return command
}

func bench(c *cobra.Command, args []string) error {
	lab, err := verb.ThisLab()
	if err != nil {
		return err
	}
	program := lab.Own("bin", "prl-bench")
	build := exec.CommandContext(c.Context(), "go", "build", "-o", program, checkout.Module+"/prl/cmd/prl/bench")
	build.Dir = string(lab.Checkout)
	if out, err := build.CombinedOutput(); err != nil {
		if said := (*exec.ExitError)(nil); !errors.As(err, &said) {
			return err
		}
		return fmt.Errorf("the program that measures does not build:\n%s", out)
	}
	return process.Become(program, append([]string{"bench"}, args...), os.Environ())
}
