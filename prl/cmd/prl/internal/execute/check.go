package execute

import (
	"fmt"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/notebook"
)

// CheckOutputs compares an executed notebook with the file it came from.
func CheckOutputs(path string, executed *notebook.Notebook) error {
	committed, err := notebook.Read(path)
	if err != nil {
		return err
	}
	committed.Normalise("")
	differences := notebook.Compare(committed, executed)
	if len(differences) == 0 {
		return nil
	}
	var all strings.Builder
	fmt.Fprintf(&all, "%s: %d cells give other outputs than the file holds (go tool prl run writes the new ones):", path, len(differences))
	for i, d := range differences {
		if i == 5 {
			fmt.Fprintf(&all, "\n  and %d more", len(differences)-i)
			break
		}
		fmt.Fprintf(&all, "\n  cell %d (id %s): %s", d.Cell, d.ID, d.Detail)
	}
	return fmt.Errorf("%s", all.String())
}
