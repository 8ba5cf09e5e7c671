package handouts

import (
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// rivals is the page that sets each chapter beside one of the best treatments of its subject.
func (w *whole) rivals() (string, error) {
	type row struct {
		Chapter link
		Rival   syllabus.Rival
		Dotted  bool // the author's name ends with a full stop of its own
	}
	var rows []row
	for _, r := range w.book.Rivals {
		if at := w.chapter(r.Chapter); at >= 0 {
			rows = append(rows, row{
				link{w.chapters[at].name() + ".html", numbered(w.chapters[at], at+1)}, r, strings.HasSuffix(r.Author, "."),
			})
		}
	}
	return w.page(rivalsName, "Beside the best", "", map[string]any{"Rows": rows})
}
