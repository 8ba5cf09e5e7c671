package notebook

import (
	"regexp"
	"slices"
	"strings"
)

// lecturers are the parts of a text that are for lecturers: a folded part whose summary says so, and a section whose heading does, up to
// the next heading.
var lecturers = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^<details>\s*<summary>[^<]*\b[Ff]or lecturers\b`),
	regexp.MustCompile(`(?m)^#+ .*\b[Ff]or lecturers\b.*$`),
}

var (
	fold    = regexp.MustCompile(`</?details>`)
	heading = regexp.MustCompile(`(?m)^#+ `)
)

// ForStudents leaves out what is not for students: the solutions of exercises, and the parts for lecturers.
func (n *Notebook) ForStudents() {
	n.Cells = slices.DeleteFunc(n.Cells, func(c *Cell) bool {
		if slices.Contains(c.Tags(), "solution") {
			return true
		}
		if c.IsCode() {
			return false
		}
		was := c.Source()
		text := withoutLecturers(was)
		if text != was {
			c.SetSource(text)
		}
		return text == "" && was != ""
	})
}

func withoutLecturers(text string) string {
	for i, part := range lecturers {
		for {
			at := part.FindStringIndex(text)
			if at == nil {
				break
			}
			end := len(text)
			if i == 0 {
				end = at[0] + folded(text[at[0]:])
			} else if next := heading.FindStringIndex(text[at[1]:]); next != nil {
				end = at[1] + next[0]
			}
			text = strings.TrimSpace(strings.TrimRight(text[:at[0]], "\n") + "\n\n" + strings.TrimLeft(text[end:], "\n"))
		}
	}
	return text
}

// folded is the length of the folded part with which a text begins; others may stand in it.
func folded(text string) int {
	depth := 0
	for _, at := range fold.FindAllStringIndex(text, -1) {
		if text[at[0]+1] != '/' {
			depth++
		} else if depth--; depth == 0 {
			return at[1]
		}
	}
	return len(text)
}

// Seals are the seals of the exercises, as the cells with the tag seals hold them.
func (n *Notebook) Seals() string {
	var b strings.Builder
	for _, c := range n.Cells {
		if slices.Contains(c.Tags(), "seals") {
			b.WriteString(c.Source() + "\n")
		}
	}
	return b.String()
}
