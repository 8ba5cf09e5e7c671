package prose

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// superlative finds words that claim something of all cases.
var superlative = regexp.MustCompile(`(?i)\b(?:always|never|nearly flat|the (?:most|least) [a-z]+|` +
	`the (?:best|worst|cheapest|most expensive|largest|smallest|fewest|highest|lowest)|no (?:other|better|smaller|larger))\b`)

var (
	sentenceEnd = regexp.MustCompile(`[.!?:](?:\s+|$)|\n\s*\n|\n[*#|>-]`)
	passed      = regexp.MustCompile(`data-prl-outcome="passed"`)
	titles      = regexp.MustCompile(`(?m)^#.*$`)
)

// boasts lists the sentences with a superlative of texts that no passed check follows before the next text. Exercises ask, the story tells,
// and an appendix quotes: they are left out.
func boasts(n *notebook.Notebook) (all []string) {
	var waiting []string
	for _, s := range sections(n) {
		for _, c := range s.cells {
			if !c.IsCode() {
				all, waiting = append(all, waiting...), nil
				if !around.MatchString(s.title) && s.title != "References" {
					waiting = superlatives(c)
				}
				continue
			}
			if slices.ContainsFunc(c.Outputs(), func(out map[string]any) bool { return passed.MatchString(notebook.Data(out)["text/html"]) }) {
				waiting = nil
			}
		}
	}
	return append(all, waiting...)
}

func superlatives(c *notebook.Cell) (all []string) {
	text := mathPlace.ReplaceAllString(codeSpan.ReplaceAllString(anyComment.ReplaceAllString(c.Source(), ""), ""), "x")
	for _, sentence := range sentenceEnd.Split(titles.ReplaceAllString(text, ""), -1) {
		if m := superlative.FindString(sentence); m != "" {
			all = append(all, "cell "+c.ID()+", "+m+": "+strings.Join(strings.Fields(sentence), " "))
		}
	}
	return all
}

// TestSuperlatives lists what a chapter claims of all cases where no check follows. Run it with -v to read the list.
func TestSuperlatives(t *testing.T) {
	_, all := chapters(t)
	for _, c := range all {
		found := boasts(c.Notebook)
		for _, f := range found {
			t.Log(c.name, f)
		}
		if len(found) != stillBoasts[c.name] {
			t.Errorf("%s has %d superlatives that no check follows, %d are known; they may only become fewer: check or remove them",
				c.name, len(found), stillBoasts[c.name])
		}
	}
}

// stillBoasts are the superlatives of each chapter that no check follows yet.
var stillBoasts = map[string]int{
	"01-bayes-decision": 7, "04-gaussian-classifiers": 1, "05-naive-bayes": 1, "06-maximum-likelihood": 1, "09-em": 1,
	"13-mds-and-lle": 6, "22-soft-margin": 1, "24-decision-trees": 9,
	"29-viterbi": 4, "32-pac-learning": 3,
}
