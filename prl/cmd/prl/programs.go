package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

// A program has verbs for which the lab does not wait at its first start: it is built when one of them is called first.
type program struct {
	folder string // of the clone
	does   string
}

var (
	// printing makes pages and files of notebooks.
	printing = program{"prl/cmd/prl/print", "prints"}
	// measuring is a module of its own, with what the lab measures of itself.
	measuring = program{"prl/cmd/prl/measure", "measures"}
)

// verb is a verb whose flags and help are the program's.
func (p program) verb(use, short string) *cobra.Command {
	command := &cobra.Command{
		Use:                use,
		Short:              short,
		DisableFlagParsing: true,
		RunE:               p.become,
	}
	command.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if err := p.become(c, []string{"--help"}); err != nil {
			c.PrintErrln(err)
		}
	})
	return command
}

// become builds the program and goes on as it.
func (p program) become(c *cobra.Command, args []string) error {
	lab, err := verb.ThisLab()
	if err != nil {
		return err
	}
	built, err := p.build(c.Context(), lab)
	if err != nil {
		return err
	}
	return process.Become(built, append([]string{c.Name()}, args...), os.Environ())
}

// build builds the program, unless nothing has changed since, and returns its file.
func (p program) build(ctx context.Context, lab *setup.Lab) (file string, err error) {
	file = lab.Own("bin", "prl-"+filepath.Base(p.folder))
	if _, absent := os.Stat(file); absent != nil {
		step := lab.Console.Step("The program that "+p.does+", once", 0)
		defer func() {
			if err != nil {
				step.Fail()
			} else {
				step.Done("")
			}
		}()
	}
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", file, ".")
	build.Dir = lab.Path(p.folder)
	build.Env = append(goenv.Without(os.Environ(), "GOWORK", "GOFLAGS"), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		if said := (*exec.ExitError)(nil); !errors.As(err, &said) {
			return "", err
		}
		return "", fmt.Errorf("the program that %s does not build:\n%s", p.does, out)
	}
	return file, nil
}
