package handouts

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// A program is what a page with live figures holds once, to compute with: the module of its notebook and the script of Go that runs it,
// in two elements that the browser takes for text. It is empty for a notebook without live figures.
type program string

// mostPage is how large the page of a notebook may be, in bytes.
const mostPage = 3_000_000

// isLive reports whether a chapter has live figures.
func (c *chapter) isLive() bool {
	for i := range c.Cells {
		if strings.Contains(c.Cells[i].HTML, "data-prl-live") {
			return true
		}
	}
	return false
}

// addPrograms builds the programs of the notebooks with live figures, for a version.
func addPrograms(ctx context.Context, lab *setup.Lab, chapters []*chapter, v Version) error {
	var alive []*chapter
	for _, c := range chapters {
		if c.isLive() {
			alive = append(alive, c)
		}
	}
	if len(alive) == 0 {
		return nil
	}
	step := lab.Console.Step("Live figures to WebAssembly", len(alive))
	loader, err := live.Exec(ctx)
	if err != nil {
		step.Fail()
		return err
	}
	for i, c := range alive {
		step.Say(c.name())
		module, err := live.PageModule(ctx, lab.Checkout, lab.Python(), c.Path, v == Student)
		if err == nil && module == nil {
			err = fmt.Errorf("%s: its outputs hold live figures, and its cells do not: go tool prl run %s", c.Path, checkout.Argument(c.Path))
		}
		if err != nil {
			step.Fail()
			return err
		}
		c.program = embedded(loader, module)
		step.Count(i + 1)
	}
	step.Done(count(len(alive), "notebook"))
	return nil
}

// embedded writes the elements of a program.
func embedded(loader, module []byte) program {
	// Text of a script ends at its closing tag, wherever that stands.
	safe := strings.ReplaceAll(string(loader), "</script", `<\/script`)
	return program("\n<script type=\"text/plain\" data-prl-exec>" + safe + "</script>\n<script type=\"text/plain\" data-prl-module=letters>" +
		string(letters(module)) + "</script>")
}

// liveAttributes hold what a figure that computes says of itself: one that its cell's function draws, and a film between its frames.
var liveAttributes = []string{"data-prl-live", "data-prl-film"}

// nameLive tells each live figure its cell, by which the program knows it. A kernel does not know the ids of cells.
func nameLive(body *html.Node) error {
	for section := range elements(body, tag("section", "cell")) {
		id := strings.TrimPrefix(attr(section, "id"), "cell-")
		for _, name := range liveAttributes {
			for n := range elements(section, with(name)) {
				var about map[string]json.RawMessage
				if json.Unmarshal([]byte(attr(n, name)), &about) != nil { // what somebody else has written
					dropAttr(n, name)
					continue
				}
				cell, err := json.Marshal(id)
				if err != nil {
					return err
				}
				about["cell"] = cell
				text, err := json.Marshal(about)
				if err != nil {
					return err
				}
				setAttr(n, name, string(text))
			}
		}
	}
	return nil
}

// still leaves of live figures what can be printed, and of links that set them the words.
func still(body *html.Node) {
	for _, name := range liveAttributes {
		for n := range elements(body, with(name)) {
			dropAttr(n, name)
		}
	}
	for n := range elements(body, tag("a", "")) {
		if strings.HasPrefix(attr(n, "href"), "#fig=") {
			dropAttr(n, "href")
		}
	}
}
