package cell

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// sealed makes one seal known and returns the line.
func sealed(t *testing.T) string {
	t.Helper()
	s, err := makeSeal(
		"26-3",
		99,
		0.6931,
		0.001,
		[]mistake{{-0.6931, "the sign is wrong"}, {1.3863, "twice too much: the vote has a factor 1/2"}},
		[]string{"write down Z", "set its derivative to zero"},
	)
	if err != nil {
		t.Fatal(err)
	}
	w, err := makeSeal("26-4", 98, "b", 0, []mistake{{"c", "c holds for one class only"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { Seals("") })
	if n := Seals(s.String() + "\n\n  " + w.String() + "\n"); n != 2 {
		t.Fatalf("%d seals are known, want 2", n)
	}
	return s.String()
}

func TestExercise(t *testing.T) {
	line := sealed(t)
	for _, hidden := range []string{"0.69", "693", "sign", "derivative"} {
		if strings.Contains(line, hidden) {
			t.Errorf("the seal shows %q: %s", hidden, line)
		}
	}
	k := startKernel(t)
	t.Setenv("PRL_STUDENT", "ada")
	vote := NewExercise("26-3", "the vote")
	for _, c := range []struct {
		answer        float64
		outcome, says string
	}{
		{Blank, "open", "waits for your answer"},
		{0.6931, "solved", "solved, code "},
		{math.Ln2, "solved", "solved, code "},
		{0.6931 + 0.0009, "solved", "solved, code "},
		{0.6931 + 0.0021, "wrong", "not yet"},
		{-0.693, "wrong", "the sign is wrong"},
		{1.3862, "wrong", "twice too much"},
		{math.Inf(1), "wrong", "not yet"},
		{17, "wrong", "hint 2: set its derivative"},
	} {
		start := time.Now()
		vote.Number(c.answer)
		b := k.shown[len(k.shown)-1]
		if !strings.Contains(b.HTML, `data-prl-exercise="26-3" data-prl-outcome="`+c.outcome+`"`) || !strings.Contains(b.Text, c.says) {
			t.Errorf("%v: %s\n%s", c.answer, b.Text, b.HTML)
		}
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%v took %v", c.answer, d)
		}
	}
	choice := NewExercise("26-4", "which")
	for answer, says := range map[string]string{"": "waits", " B ": "solved", "c": "c holds for one class only", "d": "not yet"} {
		choice.Choice(answer)
		if b := k.shown[len(k.shown)-1]; !strings.Contains(b.Text, says) {
			t.Errorf("%q: %s", answer, b.Text)
		}
	}
	NewExercise("26-9", "unsealed").Number(3)
	if b := k.shown[len(k.shown)-1]; !strings.Contains(b.Text, "no seal") {
		t.Error(b.Text)
	}
}

// A code belongs to a student, an exercise and the right answer.
func TestCodes(t *testing.T) {
	sealed(t)
	k := startKernel(t)
	codes := map[string]bool{}
	for _, student := range []string{"ada", "alan"} {
		t.Setenv("PRL_STUDENT", student)
		NewExercise("26-3", "the vote").Number(math.Ln2)
		NewExercise("26-3", "the vote").Number(0.6931)
		NewExercise("26-4", "which").Choice("b")
	}
	for _, b := range k.shown {
		_, code, _ := strings.Cut(b.Text, "code ")
		codes[code] = true
	}
	if len(codes) != 4 {
		t.Errorf("%d codes for two students and two exercises: %v", len(codes), codes)
	}
}

// The collector opens a seal by the form of an answer, which a cell tells only when it is asked to, and makes the code that the student
// was shown.
func TestKeys(t *testing.T) {
	lines := sealed(t)
	k := startKernel(t)
	t.Setenv("PRL_STUDENT", "ada")
	NewExercise("26-3", "the vote").Number(0.6931)
	if b := k.shown[0]; strings.Contains(b.HTML, "data-prl-answer") || strings.Contains(b.HTML, "693") {
		t.Errorf("the cell tells the answer: %s", b.HTML)
	}
	t.Setenv(CollectVar, "1")
	NewExercise("26-3", "the vote").Number(math.Ln2)
	NewExercise("26-7", "a rule").Reached(true, "")
	_, form, _ := strings.Cut(k.shown[1].HTML, `data-prl-answer="`)
	form, _, _ = strings.Cut(form, `"`)
	key, right := SealedKey(lines, "26-3", form)
	if !right || !strings.Contains(k.shown[0].Text, "code "+key.Code("ada")) || strings.Contains(k.shown[0].Text, key.Code("alan")) {
		t.Errorf("form %q, right %v, code %s; shown %s", form, right, key.Code("ada"), k.shown[0].Text)
	}
	for _, wrong := range []string{"", "694", "-693", "b"} {
		if _, right := SealedKey(lines, "26-3", wrong); right {
			t.Errorf("%q opens the seal", wrong)
		}
	}
	if _, right := SealedKey(lines, "26-7", ""); right {
		t.Error("an exercise without a seal is open")
	}
	if !strings.Contains(k.shown[2].Text, UnsealedKey("26-7").Code("ada")) {
		t.Error(k.shown[2].Text)
	}
}

func TestExerciseFunction(t *testing.T) {
	k := startKernel(t)
	square := func(x float64) any { return x * x }
	for name, c := range map[string]struct {
		f    func(x float64) any
		says string
	}{
		"right":       {square, "solved"},
		"blank":       {func(float64) any { return nil }, "waits"},
		"blank list":  {func(float64) any { return []float64(nil) }, "waits"},
		"wrong":       {func(x float64) any { return x }, "not yet: draw 1 of 50"},
		"wrong later": {func(x float64) any { return math.Abs(x) * x }, "not yet: draw "},
		"panics":      {func(x float64) any { return []float64{}[int(x)*0] }, "it panics: runtime error: index out of range"},
		"other shape": {func(x float64) any { return []float64{x, x} }, "needs to return one number"},
		"text":        {func(x float64) any { return "x" }, "a string, but needs numbers"},
	} {
		NewExercise("09-4", "the square").Function(50, 1e-12, func(r *rand.Rand) (any, any) { x := r.NormFloat64(); return c.f(x), x * x })
		if b := k.shown[len(k.shown)-1]; !strings.Contains(b.Text, c.says) {
			t.Errorf("%s: %s", name, b.Text)
		}
	}
	NewExercise("09-5", "a rule").Reached(false, "your rule has risk 0.3")
	if b := k.shown[len(k.shown)-1]; b.Text != "○ a rule: not yet: your rule has risk 0.3" {
		t.Error(b.Text)
	}
}

// A solution proves its seal; a changed answer, word or hint is noticed, and the command is given the line to write.
func TestSolution(t *testing.T) {
	k := startKernel(t)
	t.Setenv("PRL_SEAL", "write")
	solution := NewSolution("26-3").Number(0.5, 0.01).Wrong(-0.5, "the sign").Wrong(2, "the inverse").Hint("think")
	solution.Holds()
	_, line, _ := strings.Cut(k.shown[0].HTML, `data-prl-seal="`)
	line, _, _ = strings.Cut(line, `"`)
	t.Cleanup(func() { Seals("") })
	if Seals(line) != 1 {
		t.Fatalf("the line is no seal: %s", k.shown[0].HTML)
	}
	solution.Holds()
	if !strings.Contains(k.shown[1].HTML, line) {
		t.Error("sealing again changes a seal that holds")
	}
	t.Setenv("PRL_SEAL", "")
	if status, _ := watch(t, solution.Holds); status != -1 {
		t.Error("the seal does not hold")
	}
	for name, other := range map[string]Solution{
		"answer":  NewSolution("26-3").Number(0.6, 0.01).Wrong(-0.5, "the sign").Wrong(2, "the inverse").Hint("think"),
		"word":    NewSolution("26-3").Number(0.5, 0.01).Wrong(-0.5, "a sign").Wrong(2, "the inverse").Hint("think"),
		"hint":    solution.Hint("more"),
		"unknown": NewSolution("26-8").Number(0.5, 0.01),
	} {
		if status, _ := watch(t, other.Holds); status != 1 {
			t.Errorf("another %s is not noticed", name)
		}
	}
	for name, bad := range map[string]Solution{
		"no answer":           NewSolution("26-3"),
		"NaN":                 NewSolution("26-3").Number(math.NaN(), 0.1),
		"no step":             NewSolution("26-3").Number(1, 0),
		"a right wrong":       NewSolution("26-3").Number(1, 0.1).Wrong(1.05, "no"),
		"another kind":        NewSolution("26-3").Number(1, 0.1).Wrong("b", "no"),
		"another kind of one": NewSolution("26-3").Choice("a").Wrong(1, "no"),
	} {
		if status, _ := watch(t, bad.Holds); status != 1 {
			t.Errorf("%s can be sealed", name)
		}
	}
}

func BenchmarkAnswer(b *testing.B) {
	s, _ := makeSeal("26-3", 99, 0.6931, 0.001, []mistake{{-0.6931, "sign"}}, nil)
	for b.Loop() {
		if _, right, _ := s.judge(17.0); right {
			b.Fatal("right")
		}
	}
}

func ExampleExercise() {
	NewExercise("26-3", "the vote of a stump of error 0.2").Number(Blank)
	fmt.Println("the cell goes on")
	// Output:
	// ○ the vote of a stump of error 0.2: waits for your answer
	// the cell goes on
}
