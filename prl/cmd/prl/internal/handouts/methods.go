package handouts

import (
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

// methods is the page that compares how the methods of the chapters did on one data set, with the places where chapters use it.
func (w *whole) methods(found []passage) (string, error) {
	type row struct {
		Method, Mistakes, Share string
		Chapter                 link
	}
	m := w.book.Methods
	var rows []row
	var names []string
	var mistakes, low, high []float64
	results := slices.Clone(m.Results)
	slices.SortStableFunc(results, func(a, b syllabus.Result) int { return b.Right - a.Right })
	for _, r := range results {
		at := w.chapter(r.Chapter)
		if at < 0 {
			continue
		}
		share, wrong := float64(r.Right)/float64(m.Test), float64(m.Test-r.Right)
		spread := math.Sqrt(wrong * share) // of a binomial count
		name, isPipeline := strings.CutPrefix(r.Method, "Pipeline(")
		if isPipeline { // as short as its steps
			name = strings.TrimSuffix(strings.ReplaceAll(name, ").Then(", ", "), ")")
		}
		names, mistakes = append(names, name), append(mistakes, wrong)
		low, high = append(low, max(0, wrong-2*spread)), append(high, wrong+2*spread)
		rows = append(rows, row{
			r.Method, fmt.Sprint(m.Test - r.Right), fmt.Sprintf("%.1f\u00a0%%", 100*share),
			link{w.chapters[at].name() + ".html", numbered(w.chapters[at], at+1)},
		})
	}
	figure := plotting.New(plotting.Bars(mistakes).Horizontal().Categories(names...).Errors(low, high)).
		Title(fmt.Sprintf("Mistakes among %d %s that no method has seen", m.Test, m.Set)).X("mistakes").Size(760, float64(90+26*len(names)))
	drawing, err := figure.SVG()
	if err != nil {
		return "", err
	}
	words := mapWords.FindSubmatch(drawing)
	if words == nil {
		return "", fmt.Errorf("the drawing of the methods has no words")
	}
	picture := fmt.Sprintf(`<img class="drawn" alt="%s" src="data:image/svg+xml;base64,%s">`,
		html.EscapeString(html.UnescapeString(string(words[1]))), base64.StdEncoding.EncodeToString(drawing))
	return w.page(methodsName, "One data set", "", map[string]any{
		"Set": m.Set, "Train": m.Train, "Test": m.Test, "Rows": rows, "Picture": template.HTML(picture),
		"Places": w.places(found, regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(m.Set)+`\b`)),
	})
}
