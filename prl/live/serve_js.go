package live

import (
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/prlab/prlab/prl/cell"
)

// showing, when set, displays a figure below the cell that a reader runs in a page.
var showing func(*Figure)

// Show makes the figure known to the page that has opened its cell, or displays it where a reader runs the cell.
func (g *Figure) Show() {
	switch {
	case collect != nil:
		collect(g)
	case showing != nil:
		showing(g)
	}
}

// answers reports whether the page can ask this program for pictures of what it shows: a cell that Run runs.
func answers() bool { return showing != nil }

// module returns "": the page knows what it runs.
func module() string { return "" }

// Run runs the statements of a cell with live figures or films that a reader runs in a page: once, with all that they show; or, where the
// page waits for the answers of its figures, as Serve does.
func Run(name string, statements func()) {
	if js.Global().Get("prlReady").Type() == js.TypeFunction {
		Serve(map[string]func(){name: statements})
	}
	if cell.InKernel() {
		showing = (*Figure).show
	}
	statements()
}

// Serve gives a page the live figures of a notebook, and does not return. Cells are the statements of the cells with live figures, by the
// ids of the cells. The page calls two global functions:
//
//	prlOpen(cell)                     runs the statements of a cell, once, and returns what went wrong, or ""
//	prlStep(cell, n, values, draft)   returns Step(values, draft) of live figure n of the cell, counted from 0; opens the cell if need be
//
// When both are there, Serve calls the global function prlReady if there is one. A cell that fails, or panics, is a fault to tell, and the
// other cells go on; only os.Exit ends the program.
func Serve(cells map[string]func()) {
	debug.SetGCPercent(400) // a step is short and its garbage small: collected every 20 MB, a drag seldom meets the collector
	s := newServer(cells)
	js.Global().Set("prlOpen", answering(func(args []js.Value) string {
		return s.open(args[0].String()).fault
	}, func(fault string) string { return fault }))
	js.Global().Set("prlStep", answering(func(args []js.Value) string {
		return s.step(args[0].String(), args[1].Int(), args[2].String(), args[3].Truthy())
	}, faulty))
	if ready := js.Global().Get("prlReady"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
	select {}
}

// answering makes a function for the page; a panic, such as one about a missing argument, is told and ends nothing.
func answering(f func([]js.Value) string, tell func(fault string) string) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (answer any) {
		defer func() {
			if r := recover(); r != nil {
				answer = tell(fmt.Sprint(r))
			}
		}()
		return f(args)
	})
}
