package saved

import (
	"errors"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/plan"
)

// Report is an error in a page, which has no files.
func Report(string, plan.Trainable, ...datasets.Set) error {
	return errors.New("Report: a page has no files to write to; run the cell in the lab")
}
