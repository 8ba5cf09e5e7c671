package cell

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// Blank stands where an answer is to be written.
var Blank = math.NaN()

// An Exercise asks for something. What is not solved waits, and the cell goes on: a blank with an open circle, a wrong answer with a word
// about the mistake where it is a typical one, and with hints that open one after the other. The answer is sealed (see Seals): neither the
// cell nor its output holds it. A solved exercise shows a code to hand in.
type Exercise struct{ id, task string }

// NewExercise names an exercise by the number of its notebook and its own, "26-3", and what it asks for.
func NewExercise(id, task string) Exercise { return Exercise{strings.TrimSpace(id), task} }

// Number answers with a number; Blank is no answer yet.
func (e Exercise) Number(answer float64) {
	if math.IsNaN(answer) {
		e.wait()
		return
	}
	e.answer(answer)
}

// Choice answers with a word, such as the letter of a choice; case and blanks do not matter, and "" is no answer yet.
func (e Exercise) Choice(answer string) {
	if normal(answer) == "" {
		e.wait()
		return
	}
	e.answer(answer)
}

func (e Exercise) answer(answer any) {
	s, ok := sealOf(e.id)
	if !ok {
		e.show("○", "open", "the exercise has no seal, so the answer cannot be judged; run the cell of the seals first", nil)
		return
	}
	form, right, word := s.judge(answer)
	if right {
		e.solved(AnswerKey(s.keyOf(form, "code")), form)
		return
	}
	if word == "" {
		word = "not yet"
	}
	var hints []string
	for i := range s.hints {
		hints = append(hints, s.hint(i))
	}
	e.show("○", "wrong", word, hints)
}

// Function judges a function by n random draws: f draws arguments and returns what the function makes of them, and what the library does. A
// nil, a NaN or a panic is no answer yet.
func (e Exercise) Function(n int, tol float64, f func(r *rand.Rand) (got, want any)) {
	r := rand.New(rand.NewPCG(3, 4))
	ask := func() (got, want any, fails string) {
		defer func() {
			if p := recover(); p != nil {
				fails = fmt.Sprintf("it panics: %v", p)
			}
		}()
		got, want = f(r)
		return
	}
	for i := range n {
		got, want, fails := ask()
		if i == 0 && fails == "" && blank(got) {
			e.wait()
			return
		}
		if fails == "" {
			scale := 0.0
			if w, err := numbersOf(want); err == nil {
				for _, v := range w.values {
					scale = max(scale, math.Abs(v))
				}
			}
			if holds, _, _ := near(got, want, tol*(1+scale), false); !holds {
				fails = fmt.Sprintf("not yet: draw %d of %d comes out differently", i+1, n)
				if g, err := numbersOf(got); err != nil {
					fails = "not yet: the function returns " + err.Error()
				} else if w, _ := numbersOf(want); g.shape != w.shape {
					fails = "not yet: the function returns " + g.name() + ", but needs to return " + w.name()
				}
			}
		}
		if fails != "" {
			e.show("○", "wrong", fails, nil)
			return
		}
	}
	e.solved(UnsealedKey(e.id), "")
}

// blank tells whether a result is what a function returns before it is written.
func blank(v any) bool {
	if v == nil {
		return true
	}
	n, err := numbersOf(v)
	if err != nil {
		return false // something is there; the comparison will say what it is
	}
	for _, x := range n.values {
		if !math.IsNaN(x) {
			return false
		}
	}
	return true
}

// Reached judges by what was reached: a rule that is better than a thousand others, an instrument in a certain state. detail says how far
// it is.
func (e Exercise) Reached(done bool, detail string) {
	if done {
		e.solved(UnsealedKey(e.id), "")
		return
	}
	e.show("○", "open", "not yet: "+detail, nil)
}

func (e Exercise) wait() { e.show("○", "open", "waits for your answer", nil) }

// An AnswerKey belongs to an exercise and to its right answer; the codes of all students are made from it.
type AnswerKey digest

// SealedKey is the key of the exercise with this id if the form of an answer opens its seal, one of the lines as Seals takes them.
func SealedKey(lines, id, form string) (AnswerKey, bool) {
	for l := range strings.Lines(lines) {
		if s, err := parseSeal(l); err == nil && s.id == id {
			return AnswerKey(s.keyOf(form, "code")), s.digest(form) == s.right
		}
	}
	return AnswerKey{}, false
}

// UnsealedKey is the key of an exercise that has no seal, because its answer is judged by a program: a function, or what was reached.
func UnsealedKey(id string) AnswerKey { return AnswerKey(derive(slow, "prl unsealed", id)) }

// Code is what a student hands in to show that the exercise is solved.
func (k AnswerKey) Code(student string) string {
	return codeOf(derive(1, "prl code", string(k[:]), student))
}

// CollectVar, set to 1 where hand-ins are executed again, has a solved exercise tell the form of the answer, by which the collector opens
// the seal itself instead of believing the cell.
const CollectVar = "PRL_COLLECT"

// solved shows the code, which belongs to the exercise, to its answer and to the student.
func (e Exercise) solved(key AnswerKey, form string) {
	attribute := ""
	if os.Getenv(CollectVar) == "1" {
		attribute = ` data-prl-answer="` + Escape(form) + `"`
	}
	e.showWith(attribute, "✓", "solved", "solved, code "+key.Code(student()), nil)
}

// codeOf writes eight characters that are not easily mistaken for each other.
func codeOf(d digest) string {
	const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
	var b strings.Builder
	for i := range 8 {
		if i == 4 {
			b.WriteByte('-')
		}
		b.WriteByte(letters[d[i]&31])
	}
	return b.String()
}

// student is whose codes these are: the first of these variables that is set.
func student() string {
	for _, name := range []string{"PRL_STUDENT", "JUPYTERHUB_USER", "USER"} {
		if v := os.Getenv(name); v != "" {
			return v
		}
	}
	return ""
}

func (e Exercise) show(symbol, outcome, word string, hints []string) {
	e.showWith("", symbol, outcome, word, hints)
}

func (e Exercise) showWith(attribute, symbol, outcome, word string, hints []string) {
	colour := map[string]string{"solved": colourPassed, "open": colourOpen, "wrong": colourOpen}[outcome]
	html := `<div data-prl-exercise="` + Escape(
		e.id,
	) + `" data-prl-outcome="` + outcome + `"` + attribute + ` style="margin:0.25em 0;line-height:1.4">` + sign(
		symbol,
		outcome,
		colour,
	) +
		`<b>` + Escape(
		e.task,
	) + `</b>: ` + Escape(
		word,
	)
	for i, h := range hints {
		html += `<details style="margin-left:1.2em"><summary style="cursor:pointer">hint ` + strconv.Itoa(i+1) + `</summary>` + Escape(h)
	}
	html += strings.Repeat(`</details>`, len(hints)) + `</div>`
	text := symbol + " " + fault.Line(e.task) + ": " + fault.Line(word)
	for i, h := range hints {
		text += "\n  hint " + strconv.Itoa(i+1) + ": " + fault.Line(h)
	}
	Display(Bundle{HTML: html, Text: text})
}

// A mistake is a typical wrong answer and what is said of it.
type mistake struct {
	answer any
	word   string
}

// A Solution is the answer of an exercise, in the solution's cell. Holds proves that the seal knows the answer, each typical mistake and
// the hints.
type Solution struct {
	id     string
	answer any
	step   float64
	wrong  []mistake
	hints  []string
}

// NewSolution begins the solution of an exercise.
func NewSolution(id string) Solution { return Solution{id: strings.TrimSpace(id)} }

// Number is the right number. Answers within a step are right, those beyond two steps are wrong.
func (s Solution) Number(answer, step float64) Solution {
	s.answer, s.step = answer, step
	return s
}

// Choice is the right word.
func (s Solution) Choice(answer string) Solution {
	s.answer, s.step = answer, 0
	return s
}

// Wrong adds a typical wrong answer, a number or a word as the right one is, and what is said of it.
func (s Solution) Wrong(answer any, word string) Solution {
	if v, ok := answer.(int); ok {
		answer = float64(v)
	}
	s.wrong = append(s.wrong[:len(s.wrong):len(s.wrong)], mistake{answer, word})
	return s
}

// Hint adds a hint; they open one after the other.
func (s Solution) Hint(text string) Solution {
	s.hints = append(s.hints[:len(s.hints):len(s.hints)], text)
	return s
}

// Holds proves the seal, as a check. When the verb seal of the command runs the notebook, it gives the seal instead.
func (s Solution) Holds() {
	made, holds, why := s.against(rand.Uint64())
	if os.Getenv("PRL_SEAL") != "" {
		if made.id == "" {
			Fail(fmt.Errorf("exercise %s cannot be sealed: %s", s.id, why))
			return
		}
		Display(
			Bundle{
				HTML: `<div data-prl-seal="` + Escape(made.String()) + `">exercise ` + Escape(s.id) + ` is sealed</div>`,
				Text: "exercise " + s.id + " is sealed",
			},
		)
		return
	}
	Check("", "the seal of exercise "+s.id+" knows its answer").True(holds, why)
}

// against returns the seal that stands when it holds, or else a new one.
func (s Solution) against(salt uint64) (made seal, holds bool, why string) {
	if old, ok := sealOf(s.id); ok {
		if made, err := makeSeal(s.id, old.salt, s.answer, s.step, s.wrong, s.hints); err == nil && made.String() == old.String() {
			return old, true, fmt.Sprintf("%d typical mistakes, %d hints", len(s.wrong), len(s.hints))
		}
		why = "the sealed answer, mistakes or hints are others; run go tool prl seal on the notebook"
	} else {
		why = "there is no seal; run go tool prl seal on the notebook"
	}
	made, err := makeSeal(s.id, salt, s.answer, s.step, s.wrong, s.hints)
	if err != nil {
		return seal{}, false, err.Error()
	}
	return made, false, why
}
