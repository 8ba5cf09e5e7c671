//go:build unix

package assist

import (
	"context"
	"encoding/json"
	"regexp"
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

type item struct {
	Label         string
	Kind          int
	Detail        string
	SortText      string
	Documentation json.RawMessage
	TextEdit      struct{ NewText string }
}

// kinds are the kinds of the protocol of gopls, by number.
var kinds = []string{
	"",
	"text",
	"method",
	"function",
	"constructor",
	"field",
	"variable",
	"class",
	"interface",
	"module",
	"property",
	"unit",
	"value",
	"enum",
	"keyword",
	"snippet",
	"color",
	"file",
	"reference",
	"folder",
	"enum member",
	"constant",
	"struct",
	"event",
	"operator",
	"type parameter",
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
	program, at, bytes, ok := p.place(cell, offset)
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
	var answer struct{ Items []item }
	if s.ask(ctx, "textDocument/completion", program, at, &answer) != nil {
		found.Matches, found.Busy = s.fallback(p, cell, written, found.Start, found.End), ctx.Err() != nil
		return found
	}
	slices.SortStableFunc(answer.Items, func(a, b item) int {
		if c := rank(a) - rank(b); c != 0 {
			return c
		}
		return strings.Compare(a.SortText, b.SortText)
	})
	for _, it := range answer.Items {
		word := it.TextEdit.NewText
		if word == "" {
			word = it.Label
		}
		if strings.ContainsAny(word, ".( ") || !strings.HasPrefix(strings.ToLower(word), strings.ToLower(written)) ||
			strings.HasPrefix(word, "prl_") {
			continue
		}
		m := Match{Text: word, Signature: signature(it.Detail), Doc: firstLine(it.Documentation), Start: found.Start, End: found.End}
		if it.Kind > 0 && it.Kind < len(kinds) {
			m.Type = kinds[it.Kind]
		}
		found.Matches = append(found.Matches, m)
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
func rank(it item) int {
	switch at := first[it.Label]; {
	case last[it.Label] > 0:
		return 1002
	case it.Kind == 2 && at > 0:
		return at
	case it.Kind == 5: // a field
		return 1001
	}
	return 1000
}

// fallback are names that are known without gopls, while it is not ready.
func (s *Server) fallback(p Page, cell *source.Cell, written string, start, end int) (matches []Match) {
	_, names := p.text(cell)
	for _, name := range names {
		if written != "" && strings.HasPrefix(name, written) {
			matches = append(matches, Match{Text: name, Type: "variable", Start: start, End: end})
		}
	}
	return matches
}

// signature is what gopls says about the type, without paths.
func signature(detail string) string {
	detail = strings.TrimPrefix(detail, "func")
	detail, _, _ = strings.Cut(detail, " (from ")
	return paths.ReplaceAllString(detail, "")
}

var paths = regexp.MustCompile(`(?:[\w.-]+/)+`)

// firstLine is the first paragraph of a documentation.
func firstLine(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		var markup struct{ Value string }
		json.Unmarshal(raw, &markup)
		text = markup.Value
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	return strings.ReplaceAll(first, "\n", " ")
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
		program, at, _, ok := p.place(cell, characters(text, candidate))
		if !ok {
			continue
		}
		var answer struct {
			Contents struct{ Value string }
		}
		if s.ask(ctx, "textDocument/hover", program, at, &answer) == nil && answer.Contents.Value != "" {
			return document(answer.Contents.Value, example(answer.Contents.Value))
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
