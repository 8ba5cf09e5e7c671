package grammar

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/fault"
)

// A Production replaces a list of symbols by another, wherever it stands.
type Production struct{ Left, Right []string }

// A Rewriting is a grammar of any of Chomsky's kinds. Symbols that begin with a capital letter are
// non-terminals.
type Rewriting struct {
	Start       string
	Productions []Production
}

// ReadRewriting returns the grammar of productions such as "C Z -> W Z", with alternatives parted by
// |; the first symbol is the start symbol.
//
// Errors: no line, a line without arrow, a left side without a non-terminal.
func ReadRewriting(lines ...string) (*Rewriting, error) {
	const op = "grammar.ReadRewriting"
	w := &Rewriting{}
	for _, line := range lines {
		left, right, ok := strings.Cut(strings.ReplaceAll(line, "→", "->"), "->")
		if l := strings.Fields(left); !ok || !slices.ContainsFunc(l, capital) {
			return nil, fault.Argument(op, "production", line, "a left side with a non-terminal, an arrow and a right side", "")
		}
		for alternative := range strings.SplitSeq(right, "|") {
			r := slices.DeleteFunc(strings.Fields(alternative), func(s string) bool { return s == "ε" })
			w.Productions = append(w.Productions, Production{strings.Fields(left), r})
		}
	}
	if len(w.Productions) == 0 {
		return nil, fault.Argument(op, "productions", "none", "at least one", "")
	}
	w.Start = w.Productions[0].Left[0]
	return w, nil
}

func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// Kind returns the greatest of Chomsky's numbers that fits all productions: 3 (regular: A -> a B or A
// -> a), 2 (context-free: A -> β with β not empty), 1 (context-sensitive: ξ A η -> ξ β η with β not
// empty) or 0.
func (w *Rewriting) Kind() int {
	kind := 3
	for _, p := range w.Productions {
		kind = min(kind, p.kind())
	}
	return kind
}

func (p Production) kind() int {
	l, r := p.Left, p.Right
	if len(l) == 1 && len(r) > 0 {
		if !capital(r[0]) && (len(r) == 1 || len(r) == 2 && capital(r[1])) {
			return 3
		}
		return 2
	}
	if len(r) < len(l) {
		return 0
	}
	for i, s := range l {
		if capital(s) && slices.Equal(l[:i], r[:i]) && slices.Equal(l[i+1:], r[len(r)-(len(l)-i-1):]) {
			return 1
		}
	}
	return 0
}

// Steps returns the forms that one replacement makes of a form, each once, in the order of the
// productions and places.
func (w *Rewriting) Steps(form []string) (out [][]string) {
	seen := map[string]bool{}
	for _, p := range w.Productions {
		for i := 0; i+len(p.Left) <= len(form); i++ {
			if !slices.Equal(form[i:i+len(p.Left)], p.Left) {
				continue
			}
			next := slices.Concat(form[:i], p.Right, form[i+len(p.Left):])
			if key := strings.Join(next, " "); !seen[key] {
				seen[key] = true
				out = append(out, next)
			}
		}
	}
	return out
}

// Words returns the terminal words that the start symbol derives through forms of at most maxLength
// symbols, short ones first, and the number of forms that were met. Where no production shrinks (kind
// 1 and above) these are all words up to this length.
//
// Errors: that of ctx.
func (w *Rewriting) Words(ctx context.Context, maxLength int) (words [][]string, forms int, err error) {
	queue, seen := [][]string{{w.Start}}, map[string]bool{w.Start: true}
	for ; forms < len(queue); forms++ {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		form := queue[forms]
		if !slices.ContainsFunc(form, capital) {
			words = append(words, form)
		}
		for _, next := range w.Steps(form) {
			if key := strings.Join(next, " "); len(next) <= maxLength && !seen[key] {
				seen[key] = true
				queue = append(queue, next)
			}
		}
	}
	slices.SortFunc(words, func(a, b []string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return slices.Compare(a, b)
	})
	return words, forms, nil
}
