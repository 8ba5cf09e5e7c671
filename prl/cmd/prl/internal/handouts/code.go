package handouts

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
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
	if code == onScreen { // a page shows the note when its reader prints it
		return c.HTML + note
	}
	root := parse(c.HTML)
	for box := range elements(root, tag("details", "hidden-source")) {
		if code == AllCode {
			replace(box, slices.DeleteFunc(children(box), func(n *html.Node) bool { return n.Data == "summary" })...)
		} else {
			remove(box)
		}
	}
	unfold(root)
	if code == NoCode {
		note = ""
		for box := range elements(root, tag("div", "source")) {
			remove(box)
		}
	}
	if code == AllCode {
		note = ""
	}
	return inner(root) + note
}

// unfold opens the boxes that a text folds, for paper and slides, where nobody can: the summary becomes a heading of what follows.
func unfold(root *html.Node) {
	for box := range elements(root, tag("details", "")) {
		if attr(box, "class") != "" { // proofs, code and solutions have a form of their own
			continue
		}
		var open []*html.Node
		for _, n := range children(box) {
			if n.Data == "summary" && n.Type == html.ElementNode {
				strong := &html.Node{Type: html.ElementNode, Data: "strong"}
				for _, word := range children(n) {
					n.RemoveChild(word)
					strong.AppendChild(word)
				}
				heading := &html.Node{Type: html.ElementNode, Data: "p"}
				heading.AppendChild(strong)
				n = heading
			}
			open = append(open, n)
		}
		replace(box, open...)
	}
}
