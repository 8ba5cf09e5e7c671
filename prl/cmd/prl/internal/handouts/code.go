package handouts

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Code says which code stands on paper. A page shows all of it, and folds that of the cells that carry the tag hide-input or whose input
// is collapsed in JupyterLab.
type Code string

const (
	AllCode   Code = "all"   // the code of every cell
	ShortCode Code = "short" // not the folded one: a note names its cell
	NoCode    Code = "none"  // only that of exercises and their solutions

	onScreen Code = "" // no paper
)

// Codes are the choices.
var Codes = []string{string(AllCode), string(ShortCode), string(NoCode)}

// ParseCode reads a choice.
func ParseCode(s string) (Code, error) {
	if !slices.Contains(Codes, s) {
		return "", fmt.Errorf("%q is none of %s", s, strings.Join(Codes, ", "))
	}
	return Code(s), nil
}

var (
	foldedBox = regexp.MustCompile(`(?s)<details class="hidden-source"><summary>[^<]*</summary>\s*(.*?)\s*</details>`)
	codeBox   = regexp.MustCompile(`(?s)<div class="source">.*?</pre>\s*</div>\s*</div>`)
)

// shown is the HTML of a cell, the n-th of its version, with the code that is asked for.
func (c *cell) shown(n int, code Code) string {
	note := ""
	if c.Folded {
		place := fmt.Sprintf("cell %d", n)
		if c.Count > 0 { // as Jupyter shows it
			place = fmt.Sprintf("cell [%d]", c.Count)
		}
		note = `<p class="code-note">(code: ` + place + ` of the notebook)</p>`
	}
	if code == NoCode && (slices.Contains(c.Tags, "exercise") || slices.Contains(c.Tags, "solution")) {
		code = AllCode
	}
	switch code {
	case AllCode:
		return foldedBox.ReplaceAllString(c.HTML, "$1")
	case ShortCode:
		return foldedBox.ReplaceAllString(c.HTML, "") + note
	case NoCode:
		return codeBox.ReplaceAllString(foldedBox.ReplaceAllString(c.HTML, ""), "")
	}
	return c.HTML + note // a page shows the note when its reader prints it
}
