// Command maker makes the programs of cells in a page, by the same reader as the lab. It gives the page these functions:
//
//	prlProgram(cells, id, value)        the program of the cell id, as {program}, or {fault}; cells is the JSON of a list of {ID, Text}
//	prlTold(said)                       what the compiler says of it, in the words of the notebook
//	prlClean(html)                      an output of a cell without all that it must not do in a page
//	prlComplete(cells, text, offset)    the ways to go on at a place of a text, behind the cells: the JSON of an assist.Answer
//	prlExplain(cells, text, offset)     what stands there, in Markdown, or ""
//	prlFormat(text)                     the text of a cell as gofmt sets it, as {text}, or {fault}
//
// With value the program shows the value of a last expression. An offset counts characters.
package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"syscall/js"

	"github.com/prlab/prlab/prl/cmd/prl/internal/clean"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/assist"
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
	js.Global().Set("prlComplete", js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer := reader().Complete(context.Background(), behind(args[0]), args[1].String(), args[2].Int())
		text, _ := json.Marshal(answer) // it holds words and numbers
		return string(text)
	}))
	js.Global().Set("prlExplain", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return reader().Explain(context.Background(), behind(args[0]), args[1].String(), args[2].Int())
	}))
	js.Global().Set("prlFormat", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, err := live.Formatted(args[0].String())
		if err != nil {
			return map[string]any{"fault": err.Error()}
		}
		return map[string]any{"text": text}
	}))
	select {}
}

// reader reads what the compiler is told of the packages that cells import.
var reader = sync.OnceValue(func() *assist.Server {
	archives := map[string]string{}
	list, _ := os.ReadFile("/cell/imported") // toolchain.js has written it
	for line := range strings.Lines(string(list)) {
		if path, archive, found := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "packagefile "), "="); found {
			archives[path] = archive
		}
	}
	return assist.Hold(archives)
})

// behind is what the cells that ran, given as JSON, have left.
func behind(ran js.Value) assist.Page {
	var cells []live.Cell
	if json.Unmarshal([]byte(ran.String()), &cells) != nil {
		return assist.Page{}
	}
	imports, declarations := live.Declared(cells)
	return assist.Page{Imports: imports, Known: "package main\n" + declarations}
}
