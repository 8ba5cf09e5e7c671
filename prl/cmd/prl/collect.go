package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/collect"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
	"github.com/prlab/prlab/prl/internal/atomicfile"
)

func newCollect() *cobra.Command {
	var options collect.Options
	var output, roster, gradebook, notebooks, secret string
	command := &cobra.Command{
		Use:   "collect folder",
		Short: "Execute what students hand in, in a sandbox, and table who has solved what",
		Long: `Execute the notebooks that students hand in, each in a sandbox, and print a table of who has solved what.

A hand-in lies in a folder with the student's name, or has that name before its own; what nbgrader (submitted/STUDENT/ASSIGNMENT), Moodle
and Canvas pack is taken as it is. The answers and cells of the student are put into the chapter, which then is executed: what else was
changed in a copy does not count. A sealed exercise is solved if its answer opens the seal of the chapter, whatever the notebook says; the
hand-in does not see the seals. Where the answer is withheld, as that to numbers of each student's own, it is compared with what the
chapter's solution gives under that student's name. A function, or what was to be reached, is judged by a program of the chapter alone,
which calls the function in the hand-in and draws other numbers than the student had.

The sandbox has no network and at most 4 GB of memory, files in memory with it. It shows the machine's programs, the lab's library, a
cache of Go that holds nothing but that library and the chapters without solutions, and what the student handed in: no chapter, no other
hand-in, no other file of yours. Started by root, programs in it are nobody. It is made of namespaces and a filter of system calls of
Linux; where they cannot be had nothing is executed.

The roster, or a gradebook, tells the class. A hand-in may bear any name by which a line of it calls the student: the login, the
number, or first and last name in either order. With --gradebook the number of solved exercises comes into a column with the name of
the chapter, which is made if there is none, and "-" for those who have handed in nothing; everything else stays as it was exported.

The codes in the table are made with a secret of yours, which is made at the first call and stays with you: a student cannot make one.`,
		Example: "  go tool prl collect hand-ins\n  go tool prl collect course/submitted --roster class.csv -o week1.csv\n" +
			"  go tool prl collect hand-ins --gradebook exported.csv -o marks.csv",
		Args: cobra.ExactArgs(1),
	}
	flags := command.Flags()
	flags.IntVarP(&options.Jobs, "jobs", "j", 2, "execute this many hand-ins at the same time")
	flags.DurationVar(&options.Timeout, "timeout", time.Minute, "the longest time for one cell")
	flags.DurationVar(&options.Limit, "limit", 15*time.Minute, "the longest time for one hand-in")
	flags.StringVarP(&output, "output", "o", "", "write the table into `FILE` as well, as CSV")
	flags.StringVar(&roster, "roster", "", "a `FILE` with the names of the class, to list those who handed in nothing")
	flags.StringVar(&gradebook, "gradebook", "", "the gradebook that Moodle or Canvas has exported, a CSV `FILE`; -o gets it with marks")
	flags.StringVar(&notebooks, "notebooks", "", "the `FOLDER` with the chapters that were handed out (default: those of the lab)")
	flags.StringVar(&secret, "secret", "", "the `FILE` with your secret (default: prlab/secret in your folder of settings)")
	flags.BoolVar(&options.Fresh, "fresh", false, "compile everything again, and trust no program that an earlier call has kept")
	command.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case options.Jobs < 1:
			return fmt.Errorf("--jobs %d: at least one hand-in must be executed at a time", options.Jobs)
		case roster != "" && gradebook != "":
			return errors.New("--roster and --gradebook: either of them tells the class")
		case gradebook != "" && output == "":
			return errors.New("--gradebook: name with -o the file for the gradebook with marks")
		case options.Timeout < time.Second || options.Limit < time.Second:
			return fmt.Errorf("--timeout %s --limit %s: the shortest time is 1s", options.Timeout, options.Limit)
		}
		lab, err := verb.ThisLab()
		if err != nil {
			return err
		}
		class, err := readClass(roster, gradebook)
		if err != nil {
			return err
		}
		if notebooks == "" {
			notebooks = lab.Notebooks()
		}
		chapters, err := collect.Chapters(notebooks)
		if err != nil {
			return err
		}
		handed, remarks, err := collect.Find(args[0], chapters, class)
		if err != nil {
			return err
		}
		for _, remark := range remarks {
			lab.Console.Line("%s", remark)
		}
		if len(handed) == 0 {
			return fmt.Errorf("%s holds no hand-in; they lie there as STUDENT/01-name.ipynb, submitted/STUDENT/ASSIGNMENT/01-name.ipynb or "+
				"STUDENT_01-name.ipynb", args[0])
		}
		if err := lab.Ensure(c.Context()); err != nil {
			return err
		}
		if options.Secret, err = readSecret(secret); err != nil {
			return err
		}
		results, err := collect.Run(c.Context(), lab, handed, options)
		if err != nil {
			return err
		}
		fmt.Fprint(c.OutOrStdout(), collect.Table(results, class.Names()))
		var text string
		switch {
		case output == "":
			return nil
		case gradebook != "":
			text, err = class.Gradebook(results)
		default:
			text, err = collect.CSV(results, class.Names())
		}
		if err != nil {
			return err
		}
		return atomicfile.Write(output, []byte(text), 0o600)
	}
	return command
}

// readClass reads a roster or a gradebook. Without either there is no class, which is nil.
func readClass(roster, gradebook string) (*collect.Class, error) {
	path := cmp.Or(roster, gradebook)
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	class, err := collect.ReadClass(string(text), gradebook != "")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return class, nil
}

// readSecret reads the teacher's secret, and makes it if there is none.
func readSecret(path string) ([]byte, error) {
	if path == "" {
		settings, err := os.UserConfigDir()
		if err != nil {
			return nil, fmt.Errorf("there is no folder for your secret; name a file with --secret: %w", err)
		}
		path = filepath.Join(settings, "prlab", "secret")
	}
	text, err := os.ReadFile(path)
	if err == nil && len(text) < 16 {
		return nil, fmt.Errorf("the secret in %s has %d characters, and needs 16", path, len(text))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	text = []byte(rand.Text() + "\n")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return text, atomicfile.Write(path, text, 0o600)
}
