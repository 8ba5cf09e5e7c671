package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// newWatch is the verb, known to the lab alone, that looks after the folder of a lab that runs.
func newWatch() *cobra.Command {
	return &cobra.Command{
		Use: "lab-watch pid folder", Hidden: true, Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			pid, err := strconv.Atoi(args[0])
			if err != nil {
				return err
			}
			watchFolder(args[1], func() bool { return process.Alive(pid) }, time.Second, func(text string) { fmt.Fprintln(os.Stderr, text) })
			return nil
		},
	}
}

// startWatch starts it beside the lab that this process is about to become.
func startWatch(folder string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	watch := exec.Command(self, "lab-watch", strconv.Itoa(os.Getpid()), folder)
	watch.Stderr = os.Stderr
	return watch.Start()
}

// watchFolder tells, for as long as the lab lives, that its folder is gone, and makes it again, so that what is open in the browser can be
// saved. A folder that was put in its place by somebody is told as well: what is in it is not what the lab has shown.
func watchFolder(folder string, lives func() bool, every time.Duration, tell func(string)) {
	first, err := os.Stat(folder)
	if err != nil {
		tell(fmt.Sprintf("The folder of your notebooks, %s, is not there: %v", folder, err))
		return
	}
	for ; lives(); time.Sleep(every) {
		now, err := os.Stat(folder)
		switch {
		case err == nil && os.SameFile(first, now):
			continue
		case err == nil:
			tell(fmt.Sprintf("\nAnother folder stands at %s now. What is open in the browser is saved into it.\n", folder))
		case !os.IsNotExist(err):
			continue // for the moment it cannot be reached, as a network folder
		default:
			if err := os.MkdirAll(folder, 0o777); err != nil {
				tell(fmt.Sprintf("\nThe folder of your notebooks, %s, was removed, and cannot be made again: %v\n"+
					"What is open in the browser is still there: File, Save Notebook As, or File, Download.\n", folder, err))
				return
			}
			tell(fmt.Sprintf("\nThe folder of your notebooks, %s, was removed. It is made again, and empty.\n"+
				"Do not close the browser: save each notebook that is open there, and it stands in the folder again.\n"+
				"What was not open is gone, unless your system keeps what is thrown away.\n", folder))
		}
		if first, err = os.Stat(folder); err != nil {
			return
		}
	}
}
