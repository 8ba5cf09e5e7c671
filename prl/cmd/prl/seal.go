package main

import (
	"context"
	"errors"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
	"github.com/prlab/prlab/prl/notebook"
)

func newSeal() *cobra.Command {
	var options runOptions
	command := &cobra.Command{
		Use:   "seal notebook ...",
		Short: "Seal the answers of a notebook's exercises",
		Long: `Seal the answers of a notebook's exercises, so that a student's copy can tell right from wrong without holding them. A seal keeps
an answer from being read and not from being searched for: a program opens most seals within seconds. For what counts use .Withheld(), so
that the digest stays with you and collect judges the answer, and numbers of each student's own (prl.Own).

The notebooks are executed. Each solution that ends in .Holds() gives a seal of its answer, its typical mistakes and its hints; the seals
are written into the cell with the tag seals, which is made before the first exercise if there is none. A seal that still holds stays as
it is. Outputs are not written: run does that.`,
		Example: "  go tool prl seal 26\n  go tool prl run 26",
		Args:    cobra.MinimumNArgs(1),
	}
	options.flags(command)
	command.RunE = func(c *cobra.Command, args []string) error {
		if err := options.valid(); err != nil {
			return err
		}
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		paths, err := verb.Notebooks(lab, args)
		if err != nil {
			return err
		}
		if err := lab.Ensure(c.Context()); err != nil {
			return err
		}
		return sealNotebooks(c.Context(), lab, paths, options)
	}
	return command
}

// sealNotebooks executes notebooks and writes the seals of their answers into them.
func sealNotebooks(ctx context.Context, lab *setup.Lab, paths []string, options runOptions) (err error) {
	const sealing = "PRL_SEAL"
	if err := os.Setenv(sealing, "write"); err != nil {
		return err
	}
	defer os.Unsetenv(sealing)
	session, err := execute.Open(lab)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	dir, _ := os.Getwd()
	for _, path := range paths {
		result, failed := session.Execute(ctx, path, execute.Options{Timeout: options.timeout})
		if failed != nil {
			lab.Console.Line("%s", describe(failed, dir))
			err = errors.Join(err, verb.ErrTold)
			continue
		}
		n, failed := writeSeals(path, result.Notebook)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		lab.Console.Line("%s: %s", filepath.Base(path), plural(n, "sealed answer"))
	}
	return err
}

var sealAttribute = regexp.MustCompile(`data-prl-seal="([^"]*)"`)

// writeSeals puts the seals that the executed notebook shows into the file, and returns how many there are.
func writeSeals(path string, executed *notebook.Notebook) (int, error) {
	var seals []string
	for _, c := range executed.Cells {
		for _, output := range c.Outputs() {
			for _, match := range sealAttribute.FindAllStringSubmatch(notebook.Data(output)["text/html"], -1) {
				seals = append(seals, html.UnescapeString(match[1]))
			}
		}
	}
	if len(seals) == 0 {
		return 0, errors.New(filepath.Base(path) + ": no solution gives a seal; end each with .Holds()")
	}
	slices.Sort(seals)
	source := "var _ = prl.Seals(`\n" + strings.Join(seals, "\n") + "\n`)"
	n, err := notebook.Read(path)
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(n.Cells, func(c *notebook.Cell) bool { return slices.Contains(c.Tags(), "seals") })
	if at < 0 {
		at = slices.IndexFunc(n.Cells, func(c *notebook.Cell) bool { return slices.Contains(c.Tags(), "exercise") })
		if at < 0 {
			return 0, errors.New(filepath.Base(path) + ": no cell has the tag exercise")
		}
		n.Cells = slices.Insert(n.Cells, at, notebook.NewCode("seals", "seals", "hide-input"))
	}
	if n.Cells[at].Source() == source {
		return len(seals), nil
	}
	n.Cells[at].SetSource(source)
	return len(seals), n.Write(path)
}
