package copies

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAbout wants the start page of the lab to show the map, the plans, the symbols, the terms and the contents of the documents, with
// links to chapters that are there, and nothing where the folder says nothing.
func TestAbout(t *testing.T) {
	from := filepath.Join("..", "..", "..", "..", "..", "notebooks")
	paths, err := filepath.Glob(filepath.Join(from, "[0-9][0-9]-*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	text := about(from, names)
	for _, want := range []string{
		"data:image/svg+xml;base64,",
		`<td>Pattern recognition in four weeks</td><td>1</td><td><a href="01-bayes-decision.ipynb">01</a>`,
		`<td>$R^*$</td>`,
		`<td>$K(x,x')$</td>`, `<td>mistake bound</td>`, `<td>4.1.1 AdaBoost convergence</td><td><a href="26-adaboost.ipynb">26</a></td>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the start page lacks %s", want)
		}
	}
	for _, m := range regexp.MustCompile(`<a href="([^"]*)">`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			t.Errorf("the start page leads to %s", m[1])
		}
	}
	if len(text) > 200_000 || strings.Contains(strings.TrimSpace(text), "\n\n\n") {
		t.Errorf("%d bytes, or lines without a text", len(text))
	}
	if got := about(t.TempDir(), names); got != "" {
		t.Errorf("of an empty folder: %s", got)
	}
}
