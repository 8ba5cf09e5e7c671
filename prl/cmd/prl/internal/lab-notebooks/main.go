// Command lab-notebooks looks after the notebooks on the volume of a container: it brings new and corrected chapters of the image to it.
//
//	lab-notebooks             new chapters come, unchanged ones are replaced, and corrections are taken into those that were changed
//	lab-notebooks reset 03    begins a chapter again and puts the copy from before aside
//	lab-notebooks strip DIR   makes the notebooks in a folder those of students, without solutions, when the image of a class is built
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/copies"
	"github.com/prlab/prlab/prl/internal/atomicfile"
	"github.com/prlab/prlab/prl/notebook"
)

// news is the note on a volume that says what the last image has brought.
const news = "what-is-new.md"

func main() {
	if err := run(os.Args[1:], "/usr/local/share/prl/notebooks", "/lab/notebooks"); err != nil {
		fmt.Fprintln(os.Stderr, "lab-notebooks:", err)
		os.Exit(1)
	}
}

func run(args []string, originals, volume string) error {
	options := copies.Options{Merge: true, Verbatim: true, Stay: true}
	switch {
	case len(args) == 0:
	case args[0] == "reset" && len(args) > 1:
		options.Reset = args[1:]
	case args[0] == "strip" && len(args) == 2:
		return strip(args[1])
	default:
		return errors.New("it is called without arguments, or as lab-notebooks reset 03")
	}
	report, err := copies.Sync(originals, volume, options)
	if err != nil {
		return err
	}
	lines := report.Tell(": lab-notebooks reset, with the numbers of the chapters")
	if len(report.New) > 0 {
		lines = append([]string{"New: " + strings.Join(report.New, ", ") + "."}, lines...)
	}
	for _, line := range lines {
		fmt.Println("lab: " + line)
	}
	if len(lines) == 0 || len(options.Reset) > 0 {
		return nil
	}
	return atomicfile.Write(filepath.Join(volume, news), []byte("# What is new\n\n* "+strings.Join(lines, "\n* ")+"\n"), 0o666)
}

func strip(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.ipynb"))
	if err != nil {
		return err
	}
	for _, name := range names {
		n, err := notebook.Read(name)
		if err != nil {
			return err
		}
		n.ForStudents()
		if err := n.Write(name); err != nil {
			return err
		}
	}
	return nil
}
