package execute

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/prlab/prlab/prl/notebook"
)

// CheckOutputs compares an executed notebook with the file it came from. Files are executed on amd64, whose exponential function has
// another last bit now and then than those of other processors, and so have the rounding errors that checks print: there it is enough that
// the cells succeed, which they do only if every check passes, and show as many things of the same kinds.
func CheckOutputs(path string, executed *notebook.Notebook) error {
	return checkOutputs(path, executed, runtime.GOARCH)
}

func checkOutputs(path string, executed *notebook.Notebook, processor string) error {
	committed, err := notebook.Read(path)
	if err != nil {
		return err
	}
	committed.Normalise("")
	compare := notebook.CompareKinds
	if processor == "amd64" {
		compare = notebook.Compare
	}
	differences := compare(committed, executed)
	if len(differences) == 0 {
		return nil
	}
	var all strings.Builder
	count := fmt.Sprintf("%d cells give", len(differences))
	if len(differences) == 1 {
		count = "one cell gives"
	}
	fmt.Fprintf(&all, "%s: %s other outputs than the file holds (go tool prl run writes the new ones):", path, count)
	for i, d := range differences {
		if i == 5 {
			fmt.Fprintf(&all, "\n  and %d more", len(differences)-i)
			break
		}
		fmt.Fprintf(&all, "\n  cell %d (id %s): %s", d.Cell, d.ID, d.Detail)
	}
	return fmt.Errorf("%s", all.String())
}
