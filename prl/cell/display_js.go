package cell

import (
	"fmt"
	"os"
	"syscall/js"
)

// page is the function prlShow(html, text, id) of a page that runs cells, which takes their outputs.
func page() (show js.Value, there bool) {
	show = js.Global().Get("prlShow")
	return show, show.Type() == js.TypeFunction
}

// InKernel reports whether the program runs as a cell of a notebook: in a page whose reader runs it.
func InKernel() bool {
	_, there := page()
	return there
}

// output gives b to the page, or prints it.
func output(b Bundle, id string) {
	if show, there := page(); there {
		show.Invoke(b.HTML, b.Text, id)
	} else if b.Text != "" {
		fmt.Fprintln(os.Stdout, b.Text)
	}
}
