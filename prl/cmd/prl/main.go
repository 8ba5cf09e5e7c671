// Command prl sets up the Pattern Recognition Lab and works with its notebooks. In a clone it is called as
//
//	go tool prl lab        set up what is missing and open JupyterLab on the notebooks
//	go tool prl run        execute notebooks and write their outputs
//	go tool prl handouts   pages, PDF files and a reader for a class
//	go tool prl test       vet, tests, every notebook executed and compared; with --all also races, the container image, a class
//	go tool prl bench      fits beside scikit-learn, and how long a cell, a figure and a larger fit take
//	go tool prl doctor     what is there, what is missing, and the command that mends it
//	go tool prl kernel     register the lab's kernel with another Jupyter
//
// Everything it makes stands in the folder .prl of the clone.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:])) }

// errTold is returned by a verb that has told already what went wrong.
var errTold = errors.New("told")

func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	command := newRoot()
	command.SetArgs(args)
	err := command.ExecuteContext(ctx)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "prl: interrupted")
		return 130
	case err == nil:
		return 0
	case !errors.Is(err, errTold):
		fmt.Fprintln(os.Stderr, "prl: "+strings.TrimSpace(err.Error()))
	}
	return 1
}
