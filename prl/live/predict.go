package live

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/prlab/prlab/prl/cell"
)

// A Prediction is what the reader expects of the figure, before it tells.
type Prediction struct {
	question string
	words    []string
	made     int // which of the words, or -1
}

// Predict puts a question whose answer is one of the words, before the figure gives it: "which point is heaviest?". Nothing is chosen to
// begin with. The figure answers with Answer, and again at every move; what may give the answer away waits for Made.
func (in *Inputs) Predict(question string, words ...string) Prediction {
	i := input{kind: predict, name: question, words: words}
	i.need(len(words) > 1, "words", strconv.Itoa(len(words)), "at least two words to choose from", "")
	for k, w := range words {
		i.need(w != "" && !slices.Contains(words[:k], w), "words", strconv.Quote(w), "words that differ, none empty", "")
	}
	p := Prediction{question, words, -1}
	if k, ok := in.ask(i).index(len(words)); ok {
		p.made = k
		gave(in, words[k])
	}
	return p
}

// Made reports whether the reader has chosen.
func (p Prediction) Made() bool { return p.made >= 0 }

// Answer shows, once the reader has chosen, what is right beside what was predicted. The answer is one of the words; several are right
// where it cannot be told which, and with none the question has no answer here.
func (p Prediction) Answer(right ...string) {
	for _, w := range right {
		if !slices.Contains(p.words, w) {
			cell.Fail(fmt.Errorf("live.Predict(%q): the answer %q is none of the words %q", p.question, w, p.words))
		}
	}
	if !p.Made() {
		return
	}
	said := p.words[p.made]
	class, text := "no", fmt.Sprintf("You predicted %s. It is %s.", said, list(right))
	switch {
	case len(right) == 0:
		text = fmt.Sprintf("You predicted %s. Here the question has no answer.", said)
	case slices.Contains(right, said):
		class, text = "yes", fmt.Sprintf("As you predicted: %s.", list(right))
	}
	cell.Display(cell.Bundle{HTML: `<p class="prl-predicted prl-` + class + `">` + cell.Escape(text) + `</p>`, Text: text})
}

// list joins words: a, b or c.
func list(words []string) string {
	text := ""
	for k, w := range words {
		switch {
		case k == 0:
		case k == len(words)-1:
			text += " or "
		default:
			text += ", "
		}
		text += w
	}
	return text
}
