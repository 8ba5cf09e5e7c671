// Command maker makes the programs of cells in a page, by the same reader as the lab. It gives the page three functions:
//
//	prlProgram(cells, id, value)   the program of the cell id, as {program}, or {fault}; cells is the JSON of a list of {ID, Text}
//	prlTold(said)                  what the compiler says of it, in the words of the notebook
//	prlClean(html)                 an output of a cell without all that it must not do in a page
//
// With value the program shows the value of a last expression.
package main

import (
	"encoding/json"
	"syscall/js"

	"github.com/prlab/prlab/prl/cmd/prl/internal/clean"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
)

func main() {
	js.Global().Set("prlProgram", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var cells []live.Cell
		if err := json.Unmarshal([]byte(args[0].String()), &cells); err != nil {
			return map[string]any{"fault": err.Error()}
		}
		program, err := live.Whole(cells, args[1].String(), args[2].Bool())
		if err != nil {
			return map[string]any{"fault": err.Error()}
		}
		return map[string]any{"program": program}
	}))
	js.Global().Set("prlTold", js.FuncOf(func(_ js.Value, args []js.Value) any { return live.Told(args[0].String()) }))
	js.Global().Set("prlClean", js.FuncOf(func(_ js.Value, args []js.Value) any { return clean.HTML(args[0].String()) }))
	select {}
}
