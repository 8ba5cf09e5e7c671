package cell

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/seal"
)

// Blank stands where an answer is to be written.
var Blank = math.NaN()

// An Exercise asks for something. What is not solved fails no cell: a blank waits with an open circle, a wrong answer has a red cross, a
// word about the mistake where it is a typical one, and hints that open one after the other, and an answer that cannot be judged has a
// question mark and says why. The answer is sealed (see Seals): neither the
// cell nor its output holds it. A solved exercise shows a code to hand in.
type Exercise struct{ id, task string }

// NewExercise names an exercise by the number of its notebook and its own, "26-3", and what it asks for.
func NewExercise(id, task string) Exercise { return Exercise{strings.TrimSpace(id), task} }

// Number answers with a number, whole or not, of any type of numbers; Blank is no answer yet.
func (e Exercise) Number(answer any) {
	x, err := single(answer)
	switch {
	case answer == nil || err == nil && math.IsNaN(x[0]):
		e.wait()
	case err != nil:
		e.show("?", "unjudged", fmt.Sprintf("not judged: the answer is a %T, but needs to be a number", answer), nil)
	default:
		e.answer(x[0])
	}
}

// Choice answers with a word, such as the letter of a choice; case and blanks do not matter, and "" is no answer yet.
func (e Exercise) Choice(answer string) {
	if strings.TrimSpace(answer) == "" {
		e.wait()
		return
	}
	e.answer(answer)
}

// Together answers with up to four numbers, of any type of numbers, that are right or wrong as a whole: a search has to find all of them at
// once. Blank is no answer yet.
func (e Exercise) Together(answers ...any) {
	numbers, err := single(answers...)
	switch {
	case slices.Contains(answers, nil) || err == nil && slices.ContainsFunc(numbers, math.IsNaN):
		e.wait()
	case err != nil:
		e.show("?", "unjudged", "not judged: "+err.Error(), nil)
	default:
		e.answer(numbers)
	}
}

func (e Exercise) answer(answer any) {
	if collecting() != "" {
		e.tell(seal.Verdict{Outcome: "answered", Answer: seal.FormatAnswer(answer)})
		return
	}
	s, ok := sealOf(e.id)
	if !ok {
		e.show("?", "unjudged", "not judged: the notebook has no seal of exercise "+e.id+"; its seals stand in the cell with prl.Seals", nil)
		return
	}
	if s.Withheld {
		e.show("○", "noted", fmt.Sprintf("your answer %v is noted, and judged when you hand it in", answer), nil)
		return
	}
	form, right, word := s.Judge(answer)
	if right {
		e.show("✓", "solved", "solved, code "+s.Code(form, student()), nil)
		return
	}
	if word == "" {
		word = "this is not the answer"
	}
	e.show("✗", "wrong", "wrong: "+word, s.Hints())
}

// Function judges a function by n random draws: f draws arguments and returns what the function makes of them, and what the library does. A
// nil, a NaN or a panic is no answer yet.
func (e Exercise) Function(n int, tol float64, f func(r *rand.Rand) (got, want any)) {
	r := rand.New(rand.NewPCG(3, drawsOf()))
	ask := func() (got, want any, fails string) {
		defer func() {
			if p := recover(); p != nil {
				fails = fmt.Sprintf("wrong: it panics: %v", p)
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
			if holds, _, _ := near(got, want, tol*(1+scale), absolute); !holds {
				fails = fmt.Sprintf("wrong: draw %d of %d comes out differently", i+1, n)
				if g, err := numbersOf(got); err != nil {
					fails = "wrong: the function returns " + err.Error()
				} else if w, _ := numbersOf(want); g.shape != w.shape {
					fails = "wrong: the function returns " + g.name() + ", but needs to return " + w.name()
				}
			}
		}
		if fails != "" {
			e.show("✗", "wrong", fails, nil)
			return
		}
	}
	e.show("✓", "solved", "solved", nil)
}

// blank reports whether a result is what a function returns before it is written.
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
		e.show("✓", "solved", "solved", nil)
		return
	}
	e.show("○", "open", "not yet: "+detail, nil)
}

func (e Exercise) wait() { e.show("○", "open", "waits for your answer", nil) }

// CollectVar is set where hand-ins are executed again: to "answers" in their own cells, which tell what is answered and judge nothing, and
// to "judge" where a program of the chapter alone judges them. DrawsVar then numbers the draws by which functions are judged.
const (
	CollectVar = "PRL_COLLECT"
	DrawsVar   = "PRL_DRAWS"
)

func collecting() string { return os.Getenv(CollectVar) }

// drawsOf numbers the draws of Function: 4, or another number where hand-ins are judged.
func drawsOf() uint64 {
	if n, err := strconv.ParseUint(os.Getenv(DrawsVar), 10, 64); err == nil {
		return n
	}
	return 4
}

// Verdicts is the number of the open file into which a judge writes what it says of answers.
const Verdicts = 4

// tell reports it to the program that collects: a judge to the open file for that, and a cell of a hand-in on its page, which may say
// anything.
func (e Exercise) tell(v seal.Verdict) {
	v.ID = e.id
	if collecting() == "judge" {
		os.NewFile(Verdicts, "verdicts").WriteString(v.String() + "\n")
		return
	}
	Display(Bundle{HTML: `<div data-prl-verdict="` + Escape(v.String()) + `">answered</div>`, Text: "answered"})
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
	if collecting() != "" {
		e.tell(seal.Verdict{Outcome: outcome, Word: word})
		return
	}
	task := e.task
	if name, own := ownOf(e.id); own {
		task += " (the numbers of " + name + ")"
	}
	colour := colourOpen
	switch outcome {
	case "solved":
		colour = colourPassed
	case "wrong":
		colour = colourFailed
	case "unjudged":
		colour = colourRemark
	}
	html := `<div data-prl-exercise="` + Escape(e.id) + `" data-prl-outcome="` + outcome + `" style="margin:0.25em 0;line-height:1.4">` +
		sign(symbol, outcome, colour) + `<b>` + Escape(task) + `</b>: ` + Escape(word)
	for i, h := range hints {
		html += `<details style="margin-left:1.2em"><summary style="cursor:pointer">hint ` + strconv.Itoa(i+1) + `</summary>` + Escape(h)
	}
	html += strings.Repeat(`</details>`, len(hints)) + `</div>`
	text := symbol + " " + fault.Line(task) + ": " + fault.Line(word)
	for i, h := range hints {
		text += "\n  hint " + strconv.Itoa(i+1) + ": " + fault.Line(h)
	}
	Display(Bundle{HTML: html, Text: text})
}

// A Solution is the answer of an exercise, in the solution's cell. Holds proves that the seal knows the answer, each typical mistake and
// the hints.
type Solution struct {
	id     string
	answer any
	step   float64
	wrong  []seal.Mistake
	hints  []string

	withheld bool
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

// Together are up to four right numbers, which are sealed as one answer; answers within a step of each are right.
func (s Solution) Together(step float64, answers ...float64) Solution {
	s.answer, s.step = slices.Clone(answers), step
	return s
}

// Withheld keeps the seal out of the notebook that students have: their copy notes an answer, and the verb collect judges it. It is for
// what counts, since a seal can be searched, and needed for an exercise with numbers of each student's own, whose answers are as many.
func (s Solution) Withheld() Solution {
	s.withheld = true
	return s
}

// Wrong adds a typical wrong answer, a number or a word as the right one is, and what is said of it.
func (s Solution) Wrong(answer any, word string) Solution {
	if v, ok := answer.(int); ok {
		answer = float64(v)
	}
	s.wrong = append(s.wrong[:len(s.wrong):len(s.wrong)], seal.Mistake{Answer: answer, Word: word})
	return s
}

// Hint adds a hint; they open one after the other.
func (s Solution) Hint(text string) Solution {
	s.hints = append(s.hints[:len(s.hints):len(s.hints)], text)
	return s
}

// Holds proves the seal, as a check. When the verb seal of the command runs the notebook, it gives the seal instead.
func (s Solution) Holds() {
	if collecting() == "judge" {
		made, err := seal.Make(s.id, rand.Uint64(), s.answer, s.step, s.wrong, s.hints)
		if err != nil {
			Fail(err)
			return
		}
		Exercise{id: s.id}.tell(seal.Verdict{Seal: made.String()})
		return
	}
	made, holds, why := s.against(rand.Uint64())
	if os.Getenv("PRL_SEAL") != "" {
		if made.ID == "" {
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
func (s Solution) against(salt uint64) (made seal.Seal, holds bool, why string) {
	old, ok := sealOf(s.id)
	switch {
	case s.withheld:
		if _, err := seal.Make(s.id, salt, s.answer, s.step, s.wrong, s.hints); err != nil {
			return seal.Seal{}, false, err.Error()
		}
		made = seal.Seal{ID: s.id, Withheld: true}
		return made, ok && old.Withheld, "it is withheld, which the seals do not say yet; run go tool prl seal on the notebook"
	case ok:
		if made, err := seal.Make(s.id, old.Salt(), s.answer, s.step, s.wrong, s.hints); err == nil && made.String() == old.String() {
			return old, true, fmt.Sprintf("%d typical mistakes, %d hints", len(s.wrong), len(s.hints))
		}
		why = "the sealed answer, mistakes or hints are others; run go tool prl seal on the notebook"
	default:
		why = "there is no seal; run go tool prl seal on the notebook"
	}
	made, err := seal.Make(s.id, salt, s.answer, s.step, s.wrong, s.hints)
	if err != nil {
		return seal.Seal{}, false, err.Error()
	}
	return made, false, why
}
