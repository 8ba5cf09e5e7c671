package prl

import (
	"fmt"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/saved"
)

// Save writes the model of a plan to a file, with the names of features, words and classes, for other programs to load:
// Save("species.prl", lda.Fit(birds)). It says what was written.
func Save(path string, p plan.Trainable) {
	Must(struct{}{}, saved.Write(path, p))
	fmt.Println("saved in " + path)
}

// Load reads a model that Save wrote: Load("species.prl").Predict(prl.OpenTable("new.csv")).
func Load(path string) *saved.Model { return Must(saved.Read(path)) }

// Report writes one page of HTML about the model of a plan: what it is, its data, and how well it does on a test set. It says where.
func Report(path string, p plan.Trainable, test ...datasets.Set) {
	Must(struct{}{}, saved.Report(path, p, test...))
	fmt.Println("report in " + path)
}
