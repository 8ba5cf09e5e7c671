//go:build !js

package live

import (
	"os"
	"path/filepath"

	"github.com/prlab/prlab/prl/cell"
)

// Show displays the figure as it begins, with what its function shows below. The function runs twice, the second time with other values,
// and the cell fails when it does not ask for the same inputs then. What fails at the beginning fails the cell.
func (g *Figure) Show() {
	if collect != nil {
		collect(g)
		return
	}
	g.show()
}

// answers reports whether a page can ask for pictures of what the cell shows: in a lab, the kernel makes the program for it.
func answers() bool { return true }

// module returns the attribute that names the module which the lab's kernel builds for its page, if it does.
func module() string {
	folder := os.Getenv("PRL_CELL")
	if folder == "" {
		return ""
	}
	name, err := os.ReadFile(filepath.Join(folder, "live"))
	if err != nil {
		return ""
	}
	return ` data-prl-src="` + cell.Escape(string(name)) + `"`
}
