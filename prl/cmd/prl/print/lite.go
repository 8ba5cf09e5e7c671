package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/lite"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

func newLite() *cobra.Command {
	var out string
	command := &cobra.Command{
		Use:   "lite",
		Short: "Make a folder that any web server serves: JupyterLab with the chapters and Go in the browser",
		Long: `Make a site of JupyterLite: a folder of static files with JupyterLab, all chapters as students have them, and a kernel that
compiles Go in the reader's browser. It works from any web server, at any path of it, and needs nothing else there: no Python, no Go, no
account. Cells, checks, live figures and exercises work as in the lab. What readers write stays in their browser; they download a notebook
to keep it, and the lab opens it.

The first call fetches jupyterlite-core, 16 MB, and builds Go's compiler for pages, which takes minutes; both are kept. The folder may
hold a site from before, which is replaced.`,
		Example: "  go tool prl lite -o site\n  python3 -m http.server --directory site",
		Args:    verb.NoArguments,
	}
	command.Flags().StringVarP(&out, "output", "o", "", "the folder for the site")
	command.MarkFlagRequired("output")
	command.RunE = func(c *cobra.Command, _ []string) error {
		lab, err := verb.ReadyLab(c)
		if err != nil {
			return err
		}
		folder, err := filepath.Abs(out)
		if err != nil {
			return err
		}
		process.RemoveStale()
		_, err = lite.Build(c.Context(), lab, lab.Notebooks(), folder)
		return err
	}
	return command
}
