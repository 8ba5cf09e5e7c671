package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/handouts"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
	"github.com/prlab/prlab/prl/notebook"
)

func newHandouts() *cobra.Command {
	var o handouts.Options
	var student, teacher, run bool
	var course, code, labAddress string
	command := &cobra.Command{
		Use:   "handouts [notebook or folder ...]",
		Short: "Make pages and PDF files of executed notebooks",
		Long: `Make course material of executed notebooks: one self-contained HTML file a notebook, whose charts are live and whose
formulas need no network; slides of the same; a PDF a notebook, and a sheet of four pages; a reader with all of them, as PDF and as EPUB;
an index with a search, and an archive.

Without --html, --slides, --pdf, --sheet, --reader or --epub everything is made, without the PDF files if Chromium is missing. Only what
has changed is made again.
With --playground a page's cells can be edited and run in the browser, from a disk too: go-toolchain.js, of about 23 MB, stands beside the
pages and is loaded at the first run of a cell. The first call builds it, which takes minutes.
Cells tagged hide-input (or collapsed in JupyterLab) show their code on request: it is folded on pages, left out of slides, and in PDF
files a note says in which cell of the notebook it stands; --code, or the key code of the course file, chooses otherwise.
A notebook with a failed check, or with a cell that has not been executed, is refused; --run executes the latter first, and writes the
outputs into its file.`,
		Example: "  go tool prl handouts\n  go tool prl handouts 01 02 --html -o course\n  go tool prl handouts --student --teacher\n" +
			"  go tool prl handouts 22 --html --playground\n" +
			"  go tool prl handouts --course notebooks/handouts/course.toml",
	}
	flags := command.Flags()
	flags.BoolVar(&o.HTML, "html", false, "make HTML pages and the index")
	flags.BoolVar(&o.PDF, "pdf", false, "make a PDF of each notebook (needs Chromium)")
	flags.BoolVar(&o.Reader, "reader", false, "make one PDF of all notebooks (needs Chromium)")
	flags.BoolVar(&o.Slides, "slides", false, "make slides of each notebook")
	flags.BoolVar(&o.EPUB, "epub", false, "make one EPUB of all notebooks")
	flags.BoolVar(&o.Sheet, "sheet", false,
		"make a sheet of at most four pages of each notebook: formulas, pictures, what to remember (needs Chromium)")
	flags.BoolVar(&o.Playground, "playground", false,
		"let readers edit and run the cells of HTML pages, without a kernel: a file with Go's compiler and the library stands beside them")
	flags.BoolVar(&student, "student", false, "make a version without solutions, with notebooks to fill in, in the folder student")
	flags.BoolVar(&teacher, "teacher", false, "make a version with solutions open, in the folder teacher")
	flags.StringVarP(&o.Out, "output", "o", "handouts", "the folder for the handouts")
	flags.StringVar(&course, "course", "", "a course file (TOML) that chooses notebooks, title, lecturer, paper, code")
	flags.StringVar(&labAddress, "lab", "", "the address of a running lab, which pages lead into (default: that of the course file)")
	flags.StringVar(
		&code,
		"code",
		"",
		"the code in PDF files: all; short, without that of cells tagged hide-input; or none but that of exercises "+
			"(default short, or as the course file says)",
	)
	flags.DurationVar(&o.Timeout, "timeout", 30*time.Minute, "the longest time for one PDF file")
	flags.BoolVar(&o.AllowFailed, "allow-failed", false, "take notebooks that fail too, and mark their cells in red")
	flags.BoolVar(&run, "run", false, "execute notebooks first of which a cell has not been executed, and write their outputs")
	command.RunE = func(c *cobra.Command, args []string) error {
		if o.Timeout < time.Second {
			return fmt.Errorf("--timeout %s: the shortest time for a PDF file is 1s", o.Timeout)
		}
		lab, err := verb.ReadyLab(c)
		if err != nil {
			return err
		}
		o.Course = handouts.DefaultCourse()
		if course != "" {
			if o.Course, err = handouts.ReadCourse(course, lab.Notebooks()); err != nil {
				return err
			}
			if len(args) == 0 {
				args = o.Course.Notebooks
			}
		}
		if code != "" {
			if o.Course.Code, err = handouts.ParseCode(code); err != nil {
				return fmt.Errorf("--code: %w", err)
			}
		}
		if labAddress != "" {
			if err := handouts.CheckLab(labAddress); err != nil {
				return fmt.Errorf("--lab: %w", err)
			}
			o.Course.Lab = labAddress
		}
		paths, err := verb.Notebooks(lab, args)
		if err != nil {
			return err
		}
		if len(args) == 0 { // the pages about the lab itself are no chapters
			paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasPrefix(filepath.Base(path), "00-") })
		}
		if len(paths) == 0 {
			return fmt.Errorf("there are no notebooks to make handouts of")
		}
		_, missing := lab.Machine.Chromium()
		switch {
		case !o.HTML && !o.PDF && !o.Reader && !o.Slides && !o.EPUB && !o.Sheet:
			o.HTML, o.Slides, o.EPUB = true, true, true
			o.PDF, o.Reader, o.Sheet = missing == nil, missing == nil, missing == nil
			if missing != nil {
				lab.Console.Line("No PDF files this time: %v", missing)
			}
		case missing != nil && (o.PDF || o.Reader || o.Sheet):
			return missing
		}
		if !student && !teacher {
			o.Versions = append(o.Versions, handouts.Plain)
		}
		if student {
			o.Versions = append(o.Versions, handouts.Student)
		}
		if teacher {
			o.Versions = append(o.Versions, handouts.Teacher)
		}
		if run {
			if err := runUnexecuted(c.Context(), paths); err != nil {
				return err
			}
		}
		live.MakeRoom(lab.Checkout)
		return handouts.Build(c.Context(), lab, paths, o)
	}
	return command
}

// runUnexecuted executes the notebooks of which a cell has not been executed.
func runUnexecuted(ctx context.Context, paths []string) error {
	var left []string
	for _, path := range paths {
		n, err := notebook.Read(path)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(n.Cells, func(c *notebook.Cell) bool { return c.Runs() && !c.Executed() }) {
			left = append(left, path)
		}
	}
	if len(left) == 0 {
		return nil
	}
	run := process.Command(ctx, "go", append([]string{"tool", "prl", "run"}, left...)...)
	run.Stdout, run.Stderr = os.Stdout, os.Stderr
	err := run.Run()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return verb.ErrTold
	}
	return err
}
