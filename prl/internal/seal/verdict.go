package seal

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// A Verdict is what is said of an exercise, or what is answered, for the program that collects.
type Verdict struct {
	ID      string
	Outcome string
	Word    string
	Answer  string // see FormatAnswer
	Seal    string // of a solution
}

func (v *Verdict) fields() []*string {
	return []*string{&v.ID, &v.Outcome, &v.Word, &v.Answer, &v.Seal}
}

// String is a verdict on one line.
func (v Verdict) String() string {
	var quoted []string
	for _, f := range v.fields() {
		quoted = append(quoted, strconv.Quote(*f))
	}
	return strings.Join(quoted, " ")
}

// ParseVerdict reads a verdict on one line.
func ParseVerdict(line string) (v Verdict, err error) {
	rest := line
	for _, f := range v.fields() {
		rest = strings.TrimLeft(rest, " ")
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return Verdict{}, errors.New("it is no verdict")
		}
		if *f, err = strconv.Unquote(quoted); err != nil {
			return Verdict{}, err
		}
		rest = rest[len(quoted):]
	}
	return v, nil
}

// FormatAnswer writes an answer, a number, several or a text, so that ParseAnswer has it to the last digit.
func FormatAnswer(answer any) string {
	switch v := answer.(type) {
	case float64:
		return "number " + strconv.FormatFloat(v, 'g', -1, 64)
	case []float64:
		text := "together"
		for _, x := range v {
			text += " " + strconv.FormatFloat(x, 'g', -1, 64)
		}
		return text
	case string:
		return "text " + v
	}
	return ""
}

// ParseAnswer reads an answer; nil is none.
func ParseAnswer(text string) any {
	kind, rest, _ := strings.Cut(text, " ")
	switch kind {
	case "text":
		return rest
	case "number":
		if x, err := strconv.ParseFloat(rest, 64); err == nil && !math.IsNaN(x) {
			return x
		}
	case "together":
		var all []float64
		for _, f := range strings.Fields(rest) {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil || math.IsNaN(x) {
				return nil
			}
			all = append(all, x)
		}
		return all
	}
	return nil
}
