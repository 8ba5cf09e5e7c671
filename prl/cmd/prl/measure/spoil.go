package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
	"github.com/prlab/prlab/prl/cmd/prl/measure/mutate"
	"github.com/prlab/prlab/prl/internal/atomicfile"
)

func newSpoil() *cobra.Command {
	options := mutate.Options{Timeout: 3 * time.Minute}
	command := &cobra.Command{
		Use:   "spoil notebook ...",
		Short: "Choose mistakes for the readers of handouts to find",
		Long: `Choose for each section of a notebook one of the mistakes that the verb mutate plants, in turn in what is drawn and in what is
computed, and execute the section with it. The line of code, what became of it and which checks turned red are written into
notebooks/mistakes/, where handouts find them: under each section of the page, the button "Spoil it" shows the spoilt line, and asks which
tick turns red.

A file says what its notebook said when it was made. Call this again for a chapter whose code or claims have changed; the test
TestMistakes of the package syllabus finds lines and claims that are no more.`,
		Example: "  go tool prl spoil 22\n  go tool prl spoil 02 06 --seed 7",
		Args:    cobra.MinimumNArgs(1),
	}
	command.Flags().Uint64Var(&options.Seed, "seed", 1, "of the order in which mistakes are tried")
	command.RunE = func(c *cobra.Command, args []string) error {
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		paths, err := verb.Notebooks(lab, args)
		if err != nil {
			return err
		}
		folder := filepath.Join(lab.Notebooks(), syllabus.MistakesFolder)
		if err := atomicfile.Folder(folder, 0o755); err != nil {
			return err
		}
		board := lab.Console.Board()
		defer board.Close()
		for _, path := range paths {
			row := board.Row(path)
			options.Progress = row.Count
			list, failed := mutate.Spoil(c.Context(), string(lab.Checkout), path, options)
			if failed == nil {
				var text bytes.Buffer
				encoder := json.NewEncoder(&text)
				encoder.SetEscapeHTML(false)
				encoder.SetIndent("", " ")
				name := strings.TrimSuffix(filepath.Base(path), ".ipynb") + ".json"
				if failed = encoder.Encode(list); failed == nil {
					failed = atomicfile.Write(filepath.Join(folder, name), text.Bytes(), 0o644)
				}
			}
			row.Done(failed == nil, "")
			err = errors.Join(err, failed)
		}
		return err
	}
	return command
}
