package cell

import (
	"fmt"
	"os"
)

// InKernel reports whether the program runs as a cell of a notebook: never, in a page.
func InKernel() bool { return false }

// Display prints b.Text to standard output, which in a page is the console.
func Display(b Bundle) { display(b, "") }

// display prints b; a page has no outputs to write anew.
func display(b Bundle, _ string) {
	if b.Text != "" {
		fmt.Fprintln(os.Stdout, b.Text)
	}
}
