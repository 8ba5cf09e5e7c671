//go:build unix || js

package assist

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
)

// A Match is one way to go on.
type Match struct {
	Text      string `json:"text"`
	Type      string `json:"type"`                // method, function, field, ...
	Signature string `json:"signature,omitempty"` // "(test ...datasets.Set) float64"
	Doc       string `json:"documentation,omitempty"`
	Start     int    `json:"start"` // what is replaced, in characters of the cell
	End       int    `json:"end"`
}

// An Answer are the ways to go on at a place of a cell.
type Answer struct {
	Matches    []Match // the best first
	Start, End int     // what they replace, in characters
	Busy       bool    // there was no time for more than is there, and the same question gets more later
}

// Complete returns the ways to go on at an offset of the cell.
func (s *Server) Complete(ctx context.Context, p Page, text string, offset int) Answer {
	cell := source.Arrange(text)
	page, at, bytes, ok := p.place(cell, offset)
	if !ok {
		return commandsAt(text, bytes, offset)
	}
	from := bytes
	for from > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:from])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		from -= size
	}
	found := Answer{Start: characters(text, from), End: offset}
	written := text[from:bytes]
	begin := at - len(written)
	rest := page[at:]
	for rest != "" {
		r, size := utf8.DecodeRuneInString(rest)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		rest = rest[size:]
	}
	// What stands behind the place may belong to a bracket that is not closed yet.
	for _, text := range []string{page[:begin] + placeholder + rest, closed(page[:begin] + placeholder)} {
		certain := false
		err := s.understand(ctx, text, begin, func(whole *program) { found.Matches, certain = s.candidates(whole, written) })
		if err != nil {
			found.Matches, found.Busy = s.fallback(p, cell, written, found.Start, found.End), true
			return found
		}
		if certain {
			break
		}
	}
	for i := range found.Matches {
		found.Matches[i].Start, found.Matches[i].End = found.Start, found.End
	}
	return found
}

// first are the words that a reader wants most behind a dot, and last those that other programs want.
var (
	first = words(
		"Show Fit Predict Proba Class Accuracy Confusion ROC Regions Projection Scatter Pairs Describe Head Features Classes Column " +
			"Split Standardize Table RBF C Poly Linear Keep",
	)
	last = words("Err Fingerprint Fitted FeatureNames ClassNames TargetName Key MarshalBinary Remember UnmarshalBinary")
)

func words(list string) map[string]int {
	places := map[string]int{}
	for i, word := range strings.Fields(list) {
		places[word] = i + 1
	}
	return places
}

// rank puts methods before fields, and among them the words that are wanted most.
func rank(m Match) int {
	switch at := first[m.Text]; {
	case last[m.Text] > 0:
		return 1002
	case m.Type == "method" && at > 0:
		return at
	case m.Type == "field":
		return 1001
	}
	return 1000
}

// fallback are names that are known while packages are not.
func (s *Server) fallback(p Page, cell *source.Cell, written string, start, end int) (matches []Match) {
	_, names := p.text(cell)
	for _, name := range names {
		if written != "" && strings.HasPrefix(name, written) {
			matches = append(matches, Match{Text: name, Type: "variable", Start: start, End: end})
		}
	}
	return matches
}

// commandsAt completes the commands that begin with %.
func commandsAt(text string, bytes, offset int) Answer {
	line := text[strings.LastIndexByte(text[:bytes], '\n')+1 : bytes]
	found := Answer{Start: offset, End: offset}
	if !strings.HasPrefix(line, "%") || strings.Contains(line, " ") {
		return found
	}
	found.Start -= utf8.RuneCountInString(line)
	for _, name := range source.Commands() {
		if strings.HasPrefix(name, line) {
			found.Matches = append(found.Matches, Match{Text: name, Type: "magic", Start: found.Start, End: offset})
		}
	}
	return found
}

// busy is what Explain says while it cannot.
const busy = "The lab is getting ready to explain what this cell uses. Ask again in a few seconds."

// Explain is the documentation of what stands at an offset of the cell, in Markdown; inside the brackets of a call, of what is called.
func (s *Server) Explain(ctx context.Context, p Page, text string, offset int) string {
	cell := source.Arrange(text)
	bytes := byteOffset(text, offset)
	candidates := []int{bytes, called(text, bytes)}
	if before, _ := utf8.DecodeLastRuneInString(text[:bytes]); !unicode.IsLetter(before) && !unicode.IsDigit(before) {
		if after, _ := utf8.DecodeRuneInString(text[bytes:]); !unicode.IsLetter(after) { // between names: of what is called
			slices.Reverse(candidates)
		}
	}
	for _, candidate := range candidates {
		if candidate < 0 {
			continue
		}
		page, at, _, ok := p.place(cell, characters(text, candidate))
		if !ok {
			continue
		}
		said := ""
		if s.understand(ctx, page, at, func(whole *program) { said = s.explain(whole) }) != nil {
			break
		}
		if said != "" {
			return said
		}
	}
	if ctx.Err() != nil {
		return busy
	}
	return ""
}

// called is the place of the function whose brackets are open at a place, or -1.
func called(text string, at int) int {
	depth := 0
	for i := at - 1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth == 0 {
				for i > 0 && (text[i-1] == ' ' || text[i-1] == ']') {
					i--
				}
				return i - 1
			}
			depth--
		}
	}
	return -1
}
