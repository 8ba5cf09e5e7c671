package plotting

import "github.com/prlab/prlab/prl/cell"

// Show fails with the error of the figure. In a page the picture is what a live function returns, so nothing else is to be done.
func (f *Figure) Show() {
	if _, err := f.scene(); err != nil {
		cell.Fail(err)
		return
	}
	f.filming()
}

// Setup does nothing: the page has its runtime.
func Setup() {}
