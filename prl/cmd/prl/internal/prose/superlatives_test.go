package prose

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// superlative finds words that claim something of all cases.
var superlative = regexp.MustCompile(`(?i)\b(?:always|never|nearly flat|the (?:most|least) [a-z]+|the (?:best|worst|cheapest|dearest|largest|smallest|fewest)|no (?:other|better|smaller|larger)|every (?:single )?[a-z]+)\b`)

var (
	sentenceEnd = regexp.MustCompile(`[.!?:](?:\s+|$)|\n\s*\n|\n[*#|>-]`)
	passed      = regexp.MustCompile(`data-prl-outcome="passed"`)
)

// boasts lists the sentences with a superlative in sections that no passed check belongs to. Exercises ask, and the story tells: they are
// left out.
func boasts(n *notebook.Notebook) (all []string) {
	for _, s := range sections(n) {
		if around.MatchString(s.title) || slices.ContainsFunc(s.cells, func(c *notebook.Cell) bool {
			return slices.ContainsFunc(c.Outputs(), func(out map[string]any) bool { return passed.MatchString(notebook.Data(out)["text/html"]) })
		}) {
			continue
		}
		for _, c := range s.cells {
			if c.IsCode() {
				continue
			}
			text := mathPlace.ReplaceAllString(codeSpan.ReplaceAllString(anyComment.ReplaceAllString(c.Source(), ""), ""), "x")
			for _, sentence := range sentenceEnd.Split(text, -1) {
				if m := superlative.FindString(sentence); m != "" {
					all = append(all, "cell "+c.ID()+", "+m+": "+strings.Join(strings.Fields(sentence), " "))
				}
			}
		}
	}
	return all
}

// TestSuperlatives lists what a chapter claims of all cases in sections without a check. Run it with -v to read the list.
func TestSuperlatives(t *testing.T) {
	_, all := chapters(t)
	for _, c := range all {
		found := boasts(c.Notebook)
		for _, f := range found {
			t.Log(c.name, f)
		}
		if len(found) != stillBoasts[c.name] {
			t.Errorf("%s has %d superlatives in sections without a check, %d are known; they may only become fewer: check or remove them",
				c.name, len(found), stillBoasts[c.name])
		}
	}
}

// stillBoasts are the superlatives of each chapter that no check stands near.
var stillBoasts = map[string]int{}
