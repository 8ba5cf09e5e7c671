package prose

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// A shown is a number as a text has it.
type shown struct {
	digits   string // without signs, blanks and commas between thousands
	value    float64
	decimals int
	figures  int    // significant ones
	exponent int    // of ten, where the text has one behind it
	before   string // some of the text before it
}

var (
	numberForm = regexp.MustCompile(`\d*\.\d+|\d+`)
	tenPower   = regexp.MustCompile(`^(?:e([+-]?\d+)|\s*(?:×|\\cdot|\\times)\s*10\^?\{?(-?\d+)\}?)`)
	thousands  = regexp.MustCompile(`\d{1,3}(?:(?:\{,\}|\\,|\x{202f}|\x{2009})\d{3})+\b`)
	commas     = regexp.MustCompile(`\d{1,3}(?:,\d{3})+\b`)
	exponents  = regexp.MustCompile(`(\^\d)(\d)`)
)

// joinThousands takes what stands between thousands out of a text. In a formula a bare comma is none of it: it parts the members of a list.
func joinThousands(text string) string {
	bare := func(s string) string {
		return strings.NewReplacer(",", "", "{", "", "}", "", `\`, "", "\u202f", "", "\u2009", "").Replace(s)
	}
	text = thousands.ReplaceAllStringFunc(text, bare)
	var b strings.Builder
	for {
		place := mathPlace.FindStringIndex(text)
		if place == nil {
			return b.String() + commas.ReplaceAllStringFunc(text, bare)
		}
		b.WriteString(commas.ReplaceAllStringFunc(text[:place[0]], bare) + exponents.ReplaceAllString(text[place[0]:place[1]], "$1 $2"))
		text = text[place[1]:]
	}
}

// numbersIn lists the numbers of a text. Digits in a word, such as those of x2, are none.
func numbersIn(text string) (all []shown) {
	text = strings.ReplaceAll(joinThousands(text), "{.}", ".")
	for _, m := range numberForm.FindAllStringIndex(text, -1) {
		if m[0] > 0 && (isWord(text[m[0]-1]) || text[m[0]-1] == '.') {
			continue
		}
		digits := text[m[0]:m[1]]
		v, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			continue
		}
		_, decimals, _ := strings.Cut(digits, ".")
		s := shown{digits: digits, value: v, decimals: len(decimals), before: text[max(0, m[0]-40):m[0]]}
		s.figures = len(strings.TrimLeft(strings.ReplaceAll(digits, ".", ""), "0"))
		if ten := tenPower.FindStringSubmatch(text[m[1]:]); ten != nil {
			s.exponent, _ = strconv.Atoi(ten[1] + ten[2])
		}
		all = append(all, s)
	}
	return all
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// held are the numbers that outputs and code have.
type held struct {
	digits map[string]bool
	values []float64 // increasing
}

func (h *held) add(text string) {
	for _, s := range append(numbersIn(strings.ReplaceAll(text, "_", "")), numbersIn(commas.ReplaceAllStringFunc(text, func(s string) string {
		return strings.ReplaceAll(s, ",", " ")
	}))...) {
		h.digits[s.digits] = true
		h.values = append(h.values, s.value)
		if s.exponent != 0 {
			h.values = append(h.values, s.value*math.Pow(10, float64(s.exponent)))
		}
	}
}

// has reports whether a number of the text is one of them, rounded to its decimals, or as a percentage.
func (h *held) has(s shown) bool {
	if h.digits[s.digits] {
		return true
	}
	for _, scale := range []float64{1, 0.01, 100} {
		v, half := s.value*scale, 0.5001*math.Pow(10, -float64(s.decimals))*scale
		if i, _ := slices.BinarySearch(h.values, v-half); i < len(h.values) && h.values[i] <= v+half {
			return true
		}
	}
	return false
}

var (
	elements = regexp.MustCompile(`(?s)<[^>]*>`)
	packed   = regexp.MustCompile(`(?s)(?:src|data-prl-[a-z-]+|onload|d|style|id|class)="[^"]*"`)
	altText  = regexp.MustCompile(`alt="([^"]*)"`)
)

// written is what a reader reads of a code cell: its text and its outputs, with the words for pictures.
func written(c *notebook.Cell) string {
	var b strings.Builder
	b.WriteString(c.Source() + "\n")
	for _, out := range c.Outputs() {
		b.WriteString(stream(out) + "\n")
		data := notebook.Data(out)
		b.WriteString(data["text/plain"] + "\n")
		page := data["text/html"]
		for _, m := range altText.FindAllStringSubmatch(page, -1) {
			b.WriteString(html.UnescapeString(m[1]) + "\n")
		}
		b.WriteString(html.UnescapeString(elements.ReplaceAllString(packed.ReplaceAllString(page, ""), " ")) + "\n")
	}
	return b.String()
}

// stream is what an output that is a stream prints.
func stream(output map[string]any) string {
	lines, _ := output["text"].([]any)
	var b strings.Builder
	for _, line := range lines {
		s, _ := line.(string)
		b.WriteString(s)
	}
	return b.String()
}

// A section of a chapter goes from one heading of the second level to the next.
type section struct {
	title string
	cells []*notebook.Cell
	holds held
	whole *held // of the chapter, where the section speaks of all of it
}

// around are titles of sections that speak of the whole chapter.
var around = regexp.MustCompile(`^(?:Who asked|What to remember|Exercises|For lecturers|Appendix for lecturers|Where the documents err)`)

// sections parts a chapter. The opening, the story, the exercises and the appendix speak of all of it.
func sections(n *notebook.Notebook) (all []*section) {
	whole := held{digits: map[string]bool{}}
	current := &section{whole: &whole, holds: held{digits: map[string]bool{}}}
	all = append(all, current)
	for _, c := range n.Cells {
		if title := heading(c); title != "" {
			current = &section{title: title, holds: held{digits: map[string]bool{}}}
			all = append(all, current)
			if len(all) == 2 || around.MatchString(title) {
				current.whole = &whole
			}
		}
		current.cells = append(current.cells, c)
		if c.IsCode() && !slices.Contains(c.Tags(), "seals") {
			text := written(c)
			current.holds.add(text)
			whole.add(text)
		}
	}
	for _, s := range all {
		slices.Sort(s.holds.values)
	}
	slices.Sort(whole.values)
	return all
}

// computes reports whether a number of the text occurs in an output or in code.
func (s *section) computes(claim shown) bool {
	return s.holds.has(claim) || s.whole != nil && s.whole.has(claim)
}

// loose lists the numbers of a cell's text that nothing computes.
func (s *section) loose(c *notebook.Cell) (all []string) {
	for _, claim := range claims(c) {
		if !s.computes(claim) {
			all = append(all, fmt.Sprintf("cell %s: %s %s", c.ID(), strings.Join(strings.Fields(claim.before), " "), claim.digits))
		}
	}
	return all
}

var headings = regexp.MustCompile(`(?m)^##? +(.*)$`)

func heading(c *notebook.Cell) string {
	if c.IsCode() {
		return ""
	}
	if m := headings.FindStringSubmatch(c.Source()); m != nil {
		return m[1]
	}
	return ""
}

var (
	anyComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	linkTarget = regexp.MustCompile(`\]\([^)]*\)`)
	citation   = regexp.MustCompile(`\[[^\]]*\]\(#cite-[^)]*\)`)
	ofTen      = regexp.MustCompile(`10\^\{-?\d+\}`)
	yearBefore = regexp.MustCompile(`(?i)(?:\(|\b(?:in|of|since|until|about|from|to|and|by|around|before|after|[A-Z][a-z]+),?)\s*$`)
)

// claims lists the numbers of three and more digits that a text claims. Not among them are the years of people and events, numbers
// in code, in the targets of links and in references, and those whose value is bound.
func claims(c *notebook.Cell) (all []shown) {
	source := c.Source()
	if c.IsCode() || strings.HasPrefix(strings.TrimLeft(source, "# "), "References") {
		return nil
	}
	source = citation.ReplaceAllString(codeSpan.ReplaceAllString(source, " "), "[]")
	source = ofTen.ReplaceAllString(linkTarget.ReplaceAllString(source, "]"), " ")
	computed := map[string]bool{}
	for _, e := range equations(c) {
		if e.failed == "" {
			for _, digits := range e.numbers {
				computed[digits] = true
			}
		}
	}
	bound := map[int]bool{}
	for _, m := range comments.FindAllStringSubmatchIndex(source, -1) {
		if source[m[2]:m[3]] == "=" {
			before := len(numbersIn(anyComment.ReplaceAllString(source[:m[0]], "")))
			for k := range strings.Count(source[m[4]:m[5]], ";") + 1 {
				bound[before-1-k] = true
			}
		}
	}
	text := joinThousands(anyComment.ReplaceAllString(source, ""))
	for i, s := range numbersIn(text) {
		const least = 3
		bits := s.decimals == 0 && s.digits[0] == '0' // such as 0110, which is no number
		if s.figures < least || bits || bound[i] || computed[s.digits] {
			continue
		}
		if year := s.decimals == 0 && s.value >= 1500 && s.value <= 2030; year && yearBefore.MatchString(s.before) {
			continue
		}
		all = append(all, s)
	}
	return all
}

// TestNumbers looks for each number of the text in the outputs and the code of its section.
func TestNumbers(t *testing.T) {
	_, all := chapters(t)
	for _, c := range all {
		var found []string
		for _, s := range sections(c.Notebook) {
			for _, cell := range s.cells {
				found = append(found, s.loose(cell)...)
			}
		}
		for _, l := range found {
			t.Log(c.name, l)
		}
		if len(found) > stillLoose[c.name] {
			t.Errorf("%s has %d numbers in its text that nothing computes, at most %d are known", c.name, len(found), stillLoose[c.name])
		}
		if len(found) < stillLoose[c.name] {
			t.Errorf("%s has %d numbers in its text that nothing computes and no longer %d: write that into stillLoose",
				c.name, len(found), stillLoose[c.name])
		}
	}
}

// stillLoose are the numbers of each chapter that nothing computes yet. They may only become fewer.
var stillLoose = map[string]int{
	"01-bayes-decision": 1, "02-bayes-risk": 1, "03-roc-and-pr": 2, "06-maximum-likelihood": 1,
	"08-parzen-and-knn": 1, "13-mds-and-lle": 1, "24-decision-trees": 2, "29-viterbi": 2,
}

// TestFalseDigits changes each digit of each number of the text and counts how many of these false numbers are noticed.
func TestFalseDigits(t *testing.T) {
	_, all := chapters(t)
	planted, noticed := 0, 0
	for _, c := range all {
		for _, s := range sections(c.Notebook) {
			for _, cell := range s.cells {
				for _, claim := range claims(cell) {
					for _, wrong := range claim.false() {
						planted++
						if !s.computes(wrong) {
							noticed++
						}
					}
				}
			}
		}
	}
	t.Logf("%d false digits, %d noticed", planted, noticed)
	if noticed*100 < planted*85 {
		t.Errorf("of %d false digits only %d are noticed", planted, noticed)
	}
}

// false are the numbers that differ from s in one digit, each by one.
func (s shown) false() (all []shown) {
	for k, digit := range []byte(s.digits) {
		if digit == '.' {
			continue
		}
		wrong := s
		wrong.digits = s.digits[:k] + string('0'+(digit-'0'+1)%10) + s.digits[k+1:]
		wrong.value, _ = strconv.ParseFloat(wrong.digits, 64)
		all = append(all, wrong)
	}
	return all
}
