// Command measure is the verbs bench, mutate and spoil of the command prl, which builds and starts it: what the lab measures of itself is a
// module of its own, so that the everyday command neither compiles it nor links a family of models.
package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

func main() { os.Exit(verb.Run(newRoot(), os.Args[1:])) }

// newRoot is the command prl with these verbs, so that messages and help name it as its user does.
func newRoot() *cobra.Command { return verb.New(newBench(), newMutate(), newSpoil()) }
