package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
	"github.com/prlab/prlab/prl/notebook"
)

// chapterText is the chapter that authors write over.
//
//go:embed chapter.ipynb
var chapterText string

func newNew() *cobra.Command {
	var options runOptions
	command := &cobra.Command{
		Use:   "new [folder/]NN-name",
		Short: "Make a chapter to write over",
		Long: `Make a chapter to write over: a figure that computes, proofs, and an exercise with its solution, its typical mistakes and its
seal. The notebook is written into the folder given, or else into the present one, sealed, and executed. NN is the number of the chapter,
by which its exercises are called; take one that no other chapter of yours has.

A chapter in a folder of your own is run, sealed and handed out like those of the lab. One in the folder notebooks is part of the course,
and go tool prl test asks more of it.`,
		Example: "  go tool prl new 35-own\n  go tool prl new ~/course/40-bees",
		Args:    cobra.ExactArgs(1),
	}
	command.Flags().DurationVar(&options.timeout, "timeout", defaultTimeout, "the longest time for one cell")
	options.jobs = 1
	command.RunE = func(c *cobra.Command, args []string) error {
		if err := options.valid(); err != nil {
			return err
		}
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		path, err := newChapter(args[0])
		if err != nil {
			return err
		}
		if err := lab.Ensure(c.Context()); err != nil {
			return err
		}
		return finishChapter(c.Context(), lab, path, options)
	}
	return command
}

var chapterName = regexp.MustCompile(`^(\d\d)-([\p{L}\d][\p{L}\d-]*)$`)

// newChapter writes the chapter and returns its path.
func newChapter(name string) (string, error) {
	folder, base := filepath.Split(strings.TrimSuffix(name, ".ipynb"))
	m := chapterName.FindStringSubmatch(base)
	if m == nil {
		return "", fmt.Errorf("%s: a chapter is called by two digits, a hyphen and a name, such as 35-own", base)
	}
	title := strings.ReplaceAll(m[2], "-", " ")
	first, size := utf8.DecodeRuneInString(title)
	title = string(unicode.ToUpper(first)) + title[size:]
	n, err := notebook.Parse([]byte(strings.NewReplacer("@NUMBER@", m[1], "@TITLE@", title).Replace(chapterText)))
	if err != nil {
		return "", err
	}
	path := folder + base + ".ipynb"
	switch _, err := os.Stat(path); {
	case err == nil:
		return "", fmt.Errorf("%s is there already; choose another name, or remove it first", path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	return path, n.Write(path)
}

// finishChapter seals and executes a new chapter, and says how to go on.
func finishChapter(ctx context.Context, lab *setup.Lab, path string, options runOptions) error {
	if err := sealNotebooks(ctx, lab, []string{path}, options); err != nil {
		return err
	}
	outcome, err := runNotebooks(ctx, lab, []string{path}, options)
	if err != nil {
		return err
	}
	if outcome.failed > 0 {
		return verb.ErrTold
	}
	named := checkout.Argument(path)
	lab.Console.Line("%s is there, sealed and executed. Write over it, and then:", path)
	for _, line := range [][2]string{
		{"lab --author --folder " + checkout.Argument(filepath.Dir(path)), "opens it, with its solutions"},
		{"seal " + named, "seals changed answers"},
		{"run " + named, "executes it"},
		{"handouts " + named, "makes pages, slides and PDF files"},
	} {
		lab.Console.Line("  go tool prl %s   # %s", line[0], line[1])
	}
	return nil
}
