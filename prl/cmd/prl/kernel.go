package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

func newKernel() *cobra.Command {
	command := &cobra.Command{
		Use:   "kernel",
		Short: "Register the lab's kernel with a Jupyter or VS Code you already have",
		Args:  verb.Group,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	command.AddCommand(newKernelInstall(), newKernelRemove())
	return command
}

func newKernelInstall() *cobra.Command {
	var where kernelPlace
	var force bool
	command := &cobra.Command{
		Use:   "install",
		Short: `Register the kernel "` + setup.DisplayName + `"`,
		Long: `Set up what is missing and register the kernel "` + setup.DisplayName + `", for your user or under a prefix.
Every Jupyter, JupyterLab, Notebook and VS Code of that user or prefix then offers it. The kernel stays in this clone:
if you move the clone, call this again.`,
		Args: verb.NoArguments,
	}
	where.flags(command)
	command.Flags().BoolVar(&force, "force", false, "replace another kernel of the same name")
	command.RunE = func(c *cobra.Command, _ []string) error {
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		dir, err := where.dir(lab)
		if err != nil {
			return err
		}
		if err := lab.Ensure(c.Context()); err != nil {
			return err
		}
		if err := lab.InstallKernel(dir, force); err != nil {
			return err
		}
		lab.Console.Line("The kernel %q is registered in %s.", setup.DisplayName, dir)
		return nil
	}
	return command
}

func newKernelRemove() *cobra.Command {
	var where kernelPlace
	command := &cobra.Command{Use: "remove", Short: "Take the registered kernel away again", Args: verb.NoArguments}
	where.flags(command)
	command.RunE = func(*cobra.Command, []string) error {
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		dir, err := where.dir(lab)
		if err != nil {
			return err
		}
		if err := setup.RemoveKernel(dir); err != nil {
			return err
		}
		lab.Console.Line("The kernel in %s is removed.", dir)
		return nil
	}
	return command
}

// kernelPlace says where a kernel is registered.
type kernelPlace struct {
	user   bool
	prefix string
	name   string
}

func (p *kernelPlace) flags(command *cobra.Command) {
	command.Flags().BoolVar(&p.user, "user", false, "for your user (the default)")
	command.Flags().StringVar(&p.prefix, "prefix", "", "under `DIR`/share/jupyter, for example a virtual environment or /usr/local")
	command.Flags().StringVar(&p.name, "name", setup.KernelName, "the kernel's name; the lab's notebooks ask for gonb")
	command.MarkFlagsMutuallyExclusive("user", "prefix")
}

// kernelName is what Jupyter takes for the name of a kernel. It is the name of a folder, and one that is removed with all it holds.
var kernelName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)

func (p *kernelPlace) dir(lab *setup.Lab) (string, error) {
	if !kernelName.MatchString(p.name) {
		return "", fmt.Errorf("--name %q: a kernel's name consists of letters, digits, ., - and _", p.name)
	}
	home, err := os.UserHomeDir()
	if err != nil && p.prefix == "" {
		return "", errors.New("your home folder is not known (HOME is not set); give a place with --prefix DIR")
	}
	return setup.KernelDir(lab.Machine, home, p.prefix, p.name), nil
}

// installForUser registers the kernel for the person who called.
func installForUser(lab *setup.Lab, name string, force bool) error {
	place := kernelPlace{user: true, name: name}
	dir, err := place.dir(lab)
	if err != nil {
		return err
	}
	return lab.InstallKernel(dir, force)
}
