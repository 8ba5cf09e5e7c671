package execute

import (
	"fmt"
	"strings"

	"github.com/prlab/prlab/prl/notebook"
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
