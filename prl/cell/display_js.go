package cell

import (
	"fmt"
	"os"
)

// InKernel reports whether the program runs as a cell of a notebook: never, in a page.
func InKernel() bool { return false }

// output prints b to standard output, which in a page is the console; a page has no outputs to write again.
func output(b Bundle, _ string) {
	if b.Text != "" {
		fmt.Fprintln(os.Stdout, b.Text)
	}
}
