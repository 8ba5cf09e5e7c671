// Package verb is the frame of the command prl and of the programs it starts: flags, messages, help, interrupts, and the lab they work in.
package verb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// ErrTold is returned by a verb that has told already what went wrong.
var ErrTold = errors.New("told")

// Run executes the command with these arguments and returns its exit status: 1 after an error, which it prints, and 130 after an interrupt.
func Run(root *cobra.Command, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "prl: interrupted")
		return 130
	case err == nil:
		return 0
	}
	var other *exit
	if errors.As(err, &other) {
		fmt.Fprintln(os.Stderr, "prl: "+console.Plain(err.Error()))
		return other.status
	}
	switch {
	case !errors.Is(err, ErrTold):
		fmt.Fprintln(os.Stderr, "prl: "+console.Plain(strings.TrimSpace(err.Error())))
	}
	return 1
}

// exit is an error with an exit status of its own.
type exit struct {
	error
	status int
}

// Exit is an error after which the command ends with another status than 1.
func Exit(status int, err error) error { return &exit{err, status} }

// New is the command prl with the given verbs.
func New(verbs ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:           "prl",
		Short:         "The Pattern Recognition Lab: live notebooks in Go",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          Group,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w%s\nSee: go tool %s --help", plainer(err), nearestFlag(c, err), c.CommandPath())
	})
	root.SetHelpCommand(newHelp())
	root.AddCommand(verbs...)
	root.SetUsageTemplate(strings.NewReplacer("{{.UseLine}}", "go tool {{.UseLine}}", "{{.CommandPath}}", "go tool {{.CommandPath}}").
		Replace(root.UsageTemplate()))
	return root
}

// plainer says what a flag needs where Go's packages say which function could not read it.
func plainer(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	need, known := map[string]string{
		"bool":     "true or false",
		"int":      "a whole number",
		"float64":  "a number",
		"intSlice": "whole numbers with commas between them, such as 1,2",
		"duration": "a time with its unit, such as 90s or 2m",
	}[bad.GetFlag().Value.Type()]
	if !known {
		return err
	}
	return fmt.Errorf("--%s %s: it needs %s", bad.GetFlag().Name, bad.GetValue(), need)
}

// Group, as Args, is for a verb that only has verbs under it: it suggests the one that was perhaps meant.
func Group(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, sub := range c.Commands() {
		known = append(known, sub.Name())
	}
	meant := cell.Suggest(args[0], known)
	if meant != "" {
		meant = " (" + meant + ")"
	}
	return fmt.Errorf("%s is no verb of go tool %s%s\nSee: go tool %s --help", args[0], c.CommandPath(), meant, c.CommandPath())
}

// NoArguments, as Args, is for a verb that takes flags only.
func NoArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("go tool %s takes no arguments, such as %s\nSee: go tool %s --help", c.CommandPath(), args[0], c.CommandPath())
}

// newHelp shows a verb's help, as the flag --help does, and fails where there is no such verb.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [verb]",
		Short: "Help about any verb",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			if err := Group(about, rest); err != nil {
				return err
			}
			about.SetContext(c.Context())
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// nearestFlag suggests the flag that was perhaps meant.
func nearestFlag(c *cobra.Command, err error) string {
	_, unknown, found := strings.Cut(err.Error(), "unknown flag: --")
	if !found {
		return ""
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	if meant := cell.Suggest("--"+unknown, known); meant != "" {
		return " (" + meant + ")"
	}
	return ""
}

// ThisLab is the lab in whose clone the command was called.
func ThisLab() (*setup.Lab, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	root, err := checkout.Find(dir)
	if err != nil {
		return nil, err
	}
	return &setup.Lab{Checkout: root, Machine: setup.ThisMachine(), Console: console.New(os.Stderr)}, nil
}

// ReadyLab is ThisLab with set-up done.
func ReadyLab(c *cobra.Command) (*setup.Lab, error) {
	lab, err := ThisLab()
	if err != nil {
		return nil, err
	}
	return lab, lab.Ensure(c.Context())
}
