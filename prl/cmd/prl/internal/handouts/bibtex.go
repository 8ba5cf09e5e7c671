package handouts

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// A work is an entry of a file of BibTeX.
type work struct {
	Key, Kind string
	fields    map[string]string
}

// readBibTeX reads works: entries @kind{key, field = {value}, ...}, with values in braces, in quotes or as numbers. What stands between
// entries is a comment. Letters are those of UTF-8, and of commands of TeX \emph alone is known.
func readBibTeX(file, text string) (map[string]*work, error) {
	all := map[string]*work{}
	r := &bibReader{file: file, text: text}
	for {
		at := strings.IndexByte(r.text[r.at:], '@')
		if at < 0 {
			return all, nil
		}
		r.at += at + 1
		w := &work{fields: map[string]string{}, Kind: strings.ToLower(r.word())}
		if !r.sign('{') {
			return nil, r.fault("after @%s a { is missing", w.Kind)
		}
		if w.Key = r.word(); w.Key == "" {
			return nil, r.fault("an entry @%s has no key", w.Kind)
		}
		if all[w.Key] != nil {
			return nil, r.fault("the key %s is there twice", w.Key)
		}
		for !r.sign('}') {
			if !r.sign(',') {
				return nil, r.fault("in %s a comma or the closing } is missing", w.Key)
			}
			name := strings.ToLower(r.word())
			if name == "" {
				continue // a comma after the last field
			}
			if !r.sign('=') {
				return nil, r.fault("in %s a = is missing behind %q", w.Key, name)
			}
			value, err := r.value()
			if err != nil {
				return nil, err
			}
			w.fields[name] = value
		}
		all[w.Key] = w
	}
}

type bibReader struct {
	file, text string
	at         int
}

func (r *bibReader) fault(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %s", r.file, 1+strings.Count(r.text[:min(r.at, len(r.text))], "\n"), fmt.Sprintf(format, args...))
}

func (r *bibReader) blanks() {
	r.at = len(r.text) - len(strings.TrimLeftFunc(r.text[r.at:], unicode.IsSpace))
}

func (r *bibReader) sign(c byte) bool {
	if r.blanks(); r.at < len(r.text) && r.text[r.at] == c {
		r.at++
		return true
	}
	return false
}

var bibWord = regexp.MustCompile(`^[A-Za-z0-9._:+/-]*`)

func (r *bibReader) word() string {
	r.blanks()
	w := bibWord.FindString(r.text[r.at:])
	r.at += len(w)
	return w
}

// value reads {text with {braces}}, "text" or a number.
func (r *bibReader) value() (string, error) {
	closing := byte('}')
	switch {
	case r.sign('{'):
	case r.sign('"'):
		closing = '"'
	default:
		if w := r.word(); w != "" {
			return w, nil
		}
		return "", r.fault("a value stands in {braces} or in quotes")
	}
	depth := 0
	for i, start := r.at, r.at; i < len(r.text); i++ {
		switch c := r.text[i]; {
		case c == closing && depth == 0:
			r.at = i + 1
			return strings.Join(strings.Fields(r.text[start:i]), " "), nil
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
	}
	return "", r.fault("a value is not closed")
}

// names lists people as they are written, "Cortes, C."; a body stands in braces of its own.
func (w *work) names(field string) []string {
	if w.fields[field] == "" {
		return nil
	}
	names := strings.Split(w.fields[field], " and ")
	if whole := w.fields[field]; strings.HasPrefix(whole, "{") {
		names = []string{strings.Trim(whole, "{}")}
	}
	return names
}

// surnames of the authors.
func (w *work) surnames() (all []string) {
	for _, name := range w.names("author") {
		last, _, _ := strings.Cut(name, ",")
		all = append(all, last)
	}
	return all
}

var emphasis = regexp.MustCompile(`\\emph\{([^{}]*)\}`)

// markdown is the line of a list of references.
func (w *work) markdown() string {
	stop := func(text string) string {
		text = strings.NewReplacer("{", "", "}", "").Replace(emphasis.ReplaceAllString(text, "*$1*"))
		if strings.TrimRight(text, ".?!") == text {
			text += "."
		}
		return text
	}
	var b strings.Builder
	put := func(before, field, after string) {
		if value := w.fields[field]; value != "" {
			b.WriteString(before + value + after)
		}
	}
	b.WriteString(strings.Join(w.names("author"), ", "))
	put(" (", "year", ").")
	b.WriteByte(' ')
	title := w.fields["title"]
	switch w.Kind {
	case "book":
		b.WriteString("*" + title + "*")
		if w.fields["edition"] == "" {
			b.WriteByte('.')
		}
		put(", ", "edition", " ed.")
		b.WriteString(" " + stop(w.fields["publisher"]))
	case "article", "inproceedings":
		b.WriteString(stop(title) + " *" + w.fields["journal"] + w.fields["booktitle"] + "*")
		put(" ", "volume", "")
		put(", ", "pages", "")
		b.WriteByte('.')
	case "incollection":
		b.WriteString(stop(title) + " In *" + w.fields["booktitle"] + "*")
		if editors := w.names("editor"); len(editors) > 0 {
			b.WriteString(" (" + strings.Join(editors, ", ") + ", ed" + strings.Repeat("s", min(len(editors)-1, 1)) + ".)")
		}
		put(", ", "pages", "")
		b.WriteString(". " + stop(w.fields["publisher"]))
	default:
		b.WriteString(stop(title) + " " + stop(w.fields["institution"]+w.fields["howpublished"]))
	}
	if note := w.fields["note"]; note != "" {
		b.WriteString(" " + stop(note))
	}
	return b.String()
}
