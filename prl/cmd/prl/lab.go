package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/copies"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

func newLab() *cobra.Command {
	var options struct {
		port      int
		noBrowser bool
		user      bool
		author    bool
		update    bool
		folder    string
		reset     []string
	}
	command := &cobra.Command{
		Use:   "lab [-- options for JupyterLab]",
		Short: "Set up what is missing and open JupyterLab on the notebooks",
		Long: `Set up what is missing and open JupyterLab on the notebooks.

The first start makes a virtual environment, builds the kernel's programs and warms the caches, all in the
folder .prl of the clone; this takes a few minutes and needs the network. Later starts need neither.
Your own Jupyter settings are neither read nor changed, unless you ask for them with --user.

You work on copies of the chapters, in the folder prlab-notebooks in your home or in a folder of your choice, so that the clone
stays as it is and whatever is done to it, your work stays. Copies in .prl/notebooks, where they stood before, are taken there. They
are those of students: without the solutions of exercises and the parts for lecturers. A
copy that you have not changed follows its chapter. Of one that you have changed the start says that there is a new
version; --update takes it in and keeps your cells. --reset 03 begins a chapter again and puts your copy of it aside.
With --author the chapters themselves are opened, with solutions and all; with --folder too, the chapters of a folder of your own.`,
		Example: "  go tool prl lab\n  go tool prl lab --port 9000 --no-browser\n  go tool prl lab -- " +
			"--ServerApp.shutdown_no_activity_timeout=3600",
	}
	command.Flags().IntVar(&options.port, "port", 0, "listen on this port (default: 8888, or the next that is free)")
	command.Flags().BoolVar(&options.noBrowser, "no-browser", false, "print the address and open no browser")
	command.Flags().BoolVar(&options.user, "user", false, "use your own Jupyter settings, and register the kernel for your user")
	command.Flags().BoolVar(&options.author, "author", false, "work on the chapters of the clone themselves")
	command.Flags().
		BoolVar(&options.update, "update", false, "take new versions of chapters into copies that you have changed; your cells stay")
	command.Flags().
		StringVar(&options.folder, "folder", "", "keep your copies of the chapters in `DIR` (default: prlab-notebooks in your home); with "+
			"--author, open the chapters in it")
	command.Flags().StringSliceVar(&options.reset, "reset", nil, "begin `CHAPTERS` again, such as 03 or 03,07; your copies from before are "+
		"kept")
	command.MarkFlagsMutuallyExclusive("author", "update")
	command.MarkFlagsMutuallyExclusive("author", "reset")
	command.RunE = func(c *cobra.Command, rest []string) error {
		if c.Flags().Changed("port") {
			if err := portIsFree(options.port); err != nil {
				return err
			}
		}
		lab, err := verb.ReadyLab(c)
		if err != nil {
			return err
		}
		env := lab.JupyterEnv(os.Environ())
		if options.user {
			env = setup.PythonEnv(os.Environ())
			if err := installForUser(lab, setup.KernelName, false); err != nil {
				return err
			}
		}
		folder := lab.Notebooks()
		switch {
		case options.author && options.folder != "":
			if folder, err = filepath.Abs(options.folder); err != nil {
				return err
			}
		case !options.author:
			if folder, err = copyChapters(lab, options.folder, copies.Options{Merge: options.update, Reset: options.reset}); err != nil {
				return err
			}
		}
		env = append(env, "PRL_RUNTIME=none") // pages of this server have the runtime of figures
		args := []string{"--ServerApp.root_dir=" + folder, "--log-level=WARN"}
		if _, err := os.Stat(filepath.Join(folder, copies.StartPage)); err == nil {
			args = append(args, "--LabApp.default_url=/lab/tree/"+copies.StartPage)
		}
		if options.port != 0 {
			args = append(args, "--ServerApp.port="+strconv.Itoa(options.port), "--ServerApp.port_retries=0")
		}
		if options.noBrowser {
			args = append(args, "--no-browser")
		}
		if os.Geteuid() == 0 {
			args = append(args, "--allow-root") // as in a container; the server listens on this machine only and asks for its token
		}
		process.RemoveStale()
		if err := startWatch(folder); err != nil {
			return err
		}
		lab.Console.Line("JupyterLab on %s; ^C here ends it.", folder)
		return process.Become(lab.Jupyter("lab"), append(args, rest...), env)
	}
	return command
}

// copyChapters brings the reader's copies of the chapters up to date, says what is new, and returns their folder.
func copyChapters(lab *setup.Lab, folder string, options copies.Options) (string, error) {
	if folder == "" {
		var err error
		if folder, err = copies.Home(string(lab.Checkout)); err != nil {
			return "", err
		}
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	if folder == lab.Notebooks() {
		return "", errors.New("--folder is the folder of the chapters themselves; to work on them, use --author")
	}
	if folder != lab.Own("notebooks") {
		count, err := copies.TakeOver(lab.Own("notebooks"), folder)
		if err != nil {
			return "", err
		}
		if count > 0 {
			lab.Console.Line("Your notebooks stand in %s from now on: %s came from %s, which is kept under another name.", folder,
				plural(count, "file"), lab.Own("notebooks"))
		}
	}
	report, err := copies.Sync(lab.Notebooks(), folder, options)
	if err != nil {
		return "", err
	}
	for _, line := range report.Tell(", with your cells kept:  go tool prl lab --update") {
		lab.Console.Line("%s", line)
	}
	return folder, nil
}

// portIsFree tries the port, because Jupyter's own message comes late and is long.
func portIsFree(port int) error {
	if port < 1 || port > 65535 {
		return fmt.Errorf("--port %d: a port is a number from 1 to 65535", port)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		if other, dialErr := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), time.Second); dialErr == nil {
			other.Close()
			return fmt.Errorf("port %d is taken by another program, perhaps by a lab that runs already; choose another with --port", port)
		}
		return fmt.Errorf("port %d cannot be used: %w", port, err)
	}
	return listener.Close()
}
