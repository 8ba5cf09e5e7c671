// Command prl sets up the Pattern Recognition Lab and works with its notebooks. In a clone it is called as
//
//	go tool prl lab        set up what is missing and open JupyterLab on the notebooks
//	go tool prl run        execute notebooks and write their outputs
//	go tool prl new        make a chapter to write over
//	go tool prl seal       seal the answers of exercises
//	go tool prl mutate     plant mistakes in notebooks, their figures and methods, and list what no check notices
//	go tool prl spoil      choose mistakes for the readers of handouts to find
//	go tool prl handouts   pages, PDF files and a reader for a class
//	go tool prl lite       the course as a site of static files, with JupyterLab and Go in the browser
//	go tool prl collect    execute what students hand in, in a sandbox, and table who has solved what
//	go tool prl test       vet, tests, every notebook executed and compared; with --all also races, the container image, a class
//	go tool prl bench      fits beside scikit-learn, and how long a cell, a figure and a larger fit take
//	go tool prl doctor     what is there, what is missing, and the command that mends it
//	go tool prl kernel     register the lab's kernel with another Jupyter
//
// Everything it makes stands in the folder .prl of the clone.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/sandbox"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

func main() {
	sandbox.Init()
	os.Exit(verb.Run(newRoot(), os.Args[1:]))
}

// newRoot gathers the verbs; each stands in a file of its name, here or in the folder of its program.
func newRoot() *cobra.Command {
	return verb.New(newLab(), newRun(), newTest(), newDoctor(), newKernel(), newNew(), newSeal(), newCollect(), newAudit(), newWatch(),
		printing.verb("handouts", "Make pages and PDF files of executed notebooks"),
		printing.verb("lite", "Make a folder that any web server serves: JupyterLab with the chapters and Go in the browser"),
		measuring.verb("bench", "Measure the lab"),
		measuring.verb("mutate", "Plant mistakes in notebooks and list what no check notices"),
		measuring.verb("spoil", "Choose mistakes for the readers of handouts to find"))
}
