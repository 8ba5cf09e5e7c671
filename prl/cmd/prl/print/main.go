// Command print is the verbs handouts and lite of the command prl, which builds and starts it: who opens the lab waits for neither the
// engine that sets formulas nor the client of the browser that prints.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

func main() { os.Exit(verb.Run(newRoot(), os.Args[1:])) }

// newRoot is the command prl with these verbs, so that messages and help name it as its user does.
func newRoot() *cobra.Command { return verb.New(newHandouts(), newLite()) }
