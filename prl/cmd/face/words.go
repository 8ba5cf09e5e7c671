package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/format"
	"regexp"
	"slices"
	"strings"
)

// wordList holds the words that several plans share and no kind of plan brings along, one a line: signature, result, and meaning. P is the
// plan itself, * is what differs among the families.
//
//go:embed words.txt
var wordList string

// A word is a method that several plans have, with one meaning.
type word struct{ name, params, result, meaning string }

var wordLine = regexp.MustCompile(`^([A-Z]\w*)\((.*?)\)( [^:]+)?: ([a-z].*)$`)

func readWords() (list []word, err error) {
	for line := range strings.Lines(wordList) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		m := wordLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("words.txt: %q is not of the form Word(argument type) result: meaning", line)
		}
		list = append(list, word{m[1], m[2], strings.TrimSpace(m[3]), m[4]})
	}
	return list, nil
}

// word returns a word of the list, or nil.
func (w *world) word(name string) *word {
	if i := slices.IndexFunc(w.words, func(w word) bool { return w.name == name }); i >= 0 {
		return &w.words[i]
	}
	return nil
}

// sentence returns the first sentence of the comment of a method: the meaning of the word, and what this family adds.
func (w *world) sentence(name, more string) string {
	known := w.word(name)
	if known == nil {
		return name + " " + strings.TrimSuffix(more, ".") + "."
	}
	s := name + " " + known.meaning
	if more != "" {
		s += ": " + strings.TrimSuffix(more, ".")
	}
	return s + "."
}

// meaning returns what the comment of a method says before its first colon, semicolon or full stop, without the name.
func meaning(m *ast.FuncDecl) string {
	said := strings.Join(strings.Fields(m.Doc.Text()), " ")
	if i := strings.IndexAny(said, ":;"); i >= 0 {
		said = said[:i]
	}
	said, _, _ = strings.Cut(said, ". ")
	return strings.TrimPrefix(strings.TrimSuffix(said, "."), m.Name.Name+" ")
}

// all returns the words of words.txt, and those that the kinds of plan bring along.
func (w *world) all() []word {
	list := slices.Clone(w.words)
	for _, name := range w.plan.order {
		s := w.plan.structs[name]
		if !ast.IsExported(name) || !slices.Equal(s.params, []string{"M", "O"}) {
			continue
		}
		for _, m := range w.plan.promoted(name) {
			found := word{m.Name.Name, types(m.Type.Params), types(m.Type.Results), meaning(m)}
			if m.Type.Results != nil && len(m.Type.Results.List) > 1 {
				found.result = "(" + found.result + ")"
			}
			i := slices.IndexFunc(list, func(w word) bool { return w.name == found.name })
			switch {
			case i < 0:
				list = append(list, found)
			case w.word(found.name) == nil && !slices.Contains(strings.Split(list[i].result, " | "), found.result):
				list[i].result += " | " + found.result
			}
		}
	}
	return list
}

// types prints the types of parameters or results: "float64, ...Set".
func types(fields *ast.FieldList) string {
	var list []string
	if fields != nil {
		for _, f := range fields.List {
			for range max(1, len(f.Names)) {
				list = append(list, text(f.Type))
			}
		}
	}
	return regexp.MustCompile(`\b(datasets|plotting|cell|plan|mat)\.`).ReplaceAllString(strings.Join(list, ", "), "")
}

const intro = `// # Words
//
// Every plan is a sentence of the same words: one word has one meaning and one signature in all of them. P is the plan itself, M its model,
// * what is the family's own. A set with dots before it may be left out, and then the data of the fit are meant.
//
`

// table returns words_gen.go, the end of the comment of package prl.
func (w *world) table() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(generated + intro)
	for _, v := range w.all() {
		var kinds []string
		for _, p := range strings.Split(v.params, ", ") {
			_, kind, named := strings.Cut(p, " ")
			if !named {
				kind = p
			}
			kinds = append(kinds, kind)
		}
		head := v.name + "(" + strings.Join(kinds, ", ") + ")"
		if v.result != "" {
			head += " " + v.result
		}
		fmt.Fprintf(&out, "//\t%-31s %s\n", head, v.meaning)
	}
	out.WriteString("package prl\n")
	return format.Source(out.Bytes())
}
