package handouts

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// A shownMistake is a mistake as the template of "Spoil it" writes it.
type shownMistake struct {
	syllabus.Mistake
	ID, Asks string
	Ticks    []shownTick
}

// A shownTick is a check that a reader chooses, with its place among those of its cell.
type shownTick struct {
	syllabus.Tick
	At int
}

// spoil puts "Spoil it" at the end of the sections of a page in which there are mistakes to find, and returns how many. Of a chapter that
// has changed since, those whose line or whose checks are no more are left out.
func spoil(body *html.Node, list []syllabus.Mistake) (planted int, err error) {
	for _, m := range list {
		cell := first(body, valued("id", "cell-"+m.Cell))
		if cell == nil || !holdsLine(cell, m) {
			continue
		}
		shown := shownMistake{Mistake: m, ID: fmt.Sprintf("spoil-%d", planted+1), Asks: "Which tick turns red?"}
		red := 0
		for _, t := range m.Ticks {
			if at := checkAt(first(body, valued("id", "cell-"+t.Cell)), t.Claim); at >= 0 {
				shown.Ticks = append(shown.Ticks, shownTick{t, at})
			}
			if t.Red {
				red++
			}
		}
		if len(shown.Ticks) < len(m.Ticks) {
			continue
		}
		if red > 1 {
			shown.Asks = fmt.Sprintf("Name one of the %d ticks that turn red.", red)
		}
		text, err := compose("spoil.html", shown)
		if err != nil {
			return planted, err
		}
		last := cell
		for last.Parent != body && last.Parent != nil {
			last = last.Parent
		}
		next := last.NextSibling
		for next != nil && first(next, func(n *html.Node) bool { return level(n) == 1 || level(n) == 2 }) == nil {
			next = next.NextSibling
		}
		for _, n := range children(parse(text)) {
			remove(n)
			last.Parent.InsertBefore(n, next)
		}
		planted++
	}
	return planted, nil
}

// valued finds elements by the value of an attribute.
func valued(name, value string) func(*html.Node) bool {
	return func(n *html.Node) bool { return attr(n, name) == value }
}

// holdsLine says that the code of a cell still has the line in which a mistake was planted.
func holdsLine(cell *html.Node, m syllabus.Mistake) bool {
	source := first(cell, tag("div", "source"))
	if source == nil {
		return false
	}
	code := first(source, tag("pre", ""))
	if code == nil {
		return false
	}
	lines := strings.Split(rawText(code), "\n")
	return m.Line <= len(lines) && strings.TrimSpace(lines[m.Line-1]) == strings.Join(m.Code[:], "")
}

// rawText is the text of an element with all its blanks.
func rawText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// checkAt is the place of a check among those of its cell that passed, -1 if it is not there.
func checkAt(cell *html.Node, claim string) int {
	if cell == nil {
		return -1
	}
	return slices.IndexFunc(slices.Collect(elements(cell, with("data-prl-check"))), func(n *html.Node) bool {
		var own strings.Builder // the numbers and the sign stand in elements of their own
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.TextNode {
				own.WriteString(c.Data)
			}
		}
		return attr(n, "data-prl-outcome") == "passed" && strings.TrimSpace(own.String()) == strings.TrimSpace(claim)
	})
}
