package cell

import (
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/internal/seal"
)

// sealed makes one seal known and returns the line.
func sealed(t *testing.T) string {
	t.Helper()
	s, err := seal.Make(
		"26-3",
		99,
		0.6931,
		0.001,
		[]seal.Mistake{{Answer: -0.6931, Word: "the sign is wrong"}, {Answer: 1.3863, Word: "twice too much: the vote has a factor 1/2"}},
		[]string{"write down Z", "set its derivative to zero"},
	)
	if err != nil {
		t.Fatal(err)
	}
	w, err := seal.Make("26-4", 98, "b", 0, []seal.Mistake{{Answer: "c", Word: "c holds for one class only"}}, nil)
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
	type points int
	for _, c := range []struct {
		answer        any
		outcome, says string
	}{
		{Blank, "open", "waits for your answer"},
		{0.6931, "solved", "solved, code "},
		{math.Ln2, "solved", "solved, code "},
		{0.6931 + 0.0009, "solved", "solved, code "},
		{float32(0.6931), "solved", "solved, code "},
		{nil, "open", "waits for your answer"},
		{0.6931 + 0.0021, "wrong", "wrong: this is not the answer"},
		{1, "wrong", "wrong: this is not the answer"},
		{points(1), "wrong", "wrong: this is not the answer"},
		{true, "unjudged", "not judged: the answer is a bool, but needs to be a number"},
		{"ln 2", "unjudged", "not judged: the answer is a string, but needs to be a number"},
		{-0.693, "wrong", "the sign is wrong"},
		{1.3862, "wrong", "twice too much"},
		{math.Inf(1), "wrong", "wrong: this is not the answer"},
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
	for answer, says := range map[string]string{
		"": "waits", " B ": "solved", "c": "wrong: c holds for one class only", "d": "wrong: this is not the answer",
	} {
		choice.Choice(answer)
		if b := k.shown[len(k.shown)-1]; !strings.Contains(b.Text, says) {
			t.Errorf("%q: %s", answer, b.Text)
		}
	}
	NewExercise("26-9", "unsealed").Number(3)
	if b := k.shown[len(k.shown)-1]; !strings.Contains(b.Text, "? unsealed: not judged: the notebook has no seal of exercise 26-9") {
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

// Where hand-ins are executed again a cell tells what is answered, to all digits, and judges nothing: it has no seal to search there.
func TestTells(t *testing.T) {
	sealed(t)
	k := startKernel(t)
	t.Setenv("PRL_STUDENT", "ada")
	t.Setenv(CollectVar, "answers")
	NewExercise("26-3", "the vote").Number(math.Ln2)
	NewExercise("26-4", "which").Choice("b")
	NewExercise("26-8", "both").Together(1, 2)
	NewExercise("26-7", "a rule").Reached(true, "")
	for i, want := range []string{
		`"26-3" "answered" "" "number 0.6931471805599453" ""`, `"text b"`, `"together 1 2"`, `"26-7" "solved"`,
	} {
		if b := k.shown[i]; !strings.Contains(html.UnescapeString(b.HTML), want) || strings.Contains(b.Text, "code") {
			t.Errorf("%s: %s", b.HTML, b.Text)
		}
	}
}

// A withheld answer is noted and not judged, and its line holds neither digest nor salt.
func TestWithheld(t *testing.T) {
	k := startKernel(t)
	t.Cleanup(func() { Seals("") })
	t.Setenv("PRL_SEAL", "write")
	solution := NewSolution("26-5").Together(0.01, 0.5, 2).Withheld()
	solution.Holds()
	if !strings.Contains(k.shown[0].HTML, `data-prl-seal="26-5 withheld"`) {
		t.Fatal(k.shown[0].HTML)
	}
	if status, _ := watch(t, func() { t.Setenv("PRL_SEAL", ""); solution.Holds() }); status != 1 {
		t.Error("what no seal says holds")
	}
	Seals("26-5 withheld")
	if status, _ := watch(t, solution.Holds); status != -1 {
		t.Error("it does not hold")
	}
	k.shown = nil
	NewExercise("26-5", "both").Together(0.5, 2)
	NewExercise("26-5", "both").Together(0.5, 3)
	for _, b := range k.shown {
		if !strings.Contains(b.HTML, `data-prl-outcome="noted"`) || !strings.Contains(b.Text, "is noted, and judged when you hand it in") {
			t.Error(b.Text)
		}
	}
}

// Numbers that are sealed together are right together only.
func TestTogether(t *testing.T) {
	s, err := seal.Make("26-6", 5, []float64{0.5, 17, -3}, 0.01, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := seal.Parse(s.String()); err != nil || again.String() != s.String() {
		t.Fatal(err)
	}
	for _, c := range []struct {
		answers []float64
		right   bool
	}{
		{[]float64{0.5, 17, -3}, true},
		{[]float64{0.509, 16.991, -3.009}, true},
		{[]float64{0.5, 17, 3}, false},
		{[]float64{0.5, 17}, false},
		{[]float64{17, 0.5, -3}, false},
	} {
		if _, right, _ := s.Judge(c.answers); right != c.right {
			t.Errorf("%v: %v", c.answers, right)
		}
	}
	if _, err := seal.Make("26-6", 5, []float64{1, 2, 3, 4, 5}, 0.01, nil, nil); err == nil {
		t.Error("five numbers are sealed together, which take 243 trials")
	}
}

// The numbers of a search are of any type of numbers; what is none is not judged, and a blank waits.
func TestTogetherOfWholeNumbers(t *testing.T) {
	s, err := seal.Make("26-8", 5, []float64{2, 17}, 0.01, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	Seals(s.String())
	t.Cleanup(func() { Seals("") })
	k := startKernel(t)
	n := 2
	for _, c := range []struct {
		answers []any
		outcome string
	}{
		{[]any{n, 17}, "solved"},
		{[]any{2.001, int64(17)}, "solved"},
		{[]any{3, 17}, "wrong"},
		{[]any{2, Blank}, "open"},
		{[]any{2, nil}, "open"},
		{[]any{2, "17"}, "unjudged"},
	} {
		NewExercise("26-8", "both").Together(c.answers...)
		if b := k.shown[len(k.shown)-1]; !strings.Contains(b.HTML, `data-prl-outcome="`+c.outcome+`"`) {
			t.Errorf("%v: %s", c.answers, b.Text)
		}
	}
}

// Each student has numbers of their own, the same on each machine, and a page that is nobody's has those of an example.
func TestOwn(t *testing.T) {
	k := startKernel(t)
	draw := func(name string) string {
		t.Setenv("PRL_STUDENT", name)
		o := NewOwn("27-3")
		n, x := o.Whole("n", 5, 500), o.Number("x", 0.5, 2.5, 0.001)
		if n < 5 || n > 500 || x < 0.5 || x > 2.5 {
			t.Errorf("%d, %g", n, x)
		}
		return fmt.Sprint(n, " ", x)
	}
	seen := map[string]string{}
	for _, name := range []string{"ada", "alan", "贝叶斯", "Kurt Gödel", "grace"} {
		if other := seen[draw(name)]; other != "" {
			t.Errorf("%s has the numbers of %s", name, other)
		}
		first, again := draw(name), draw(name)
		if seen[first] = name; first != again {
			t.Error("the numbers change")
		}
	}
	if got := draw("ada"); got != "24 0.567" {
		t.Errorf("the numbers of ada are others than before: %s", got)
	}
	NewExercise("27-3", "n times x").Number(Blank)
	if b := k.shown[0]; !strings.Contains(b.Text, "(the numbers of ada)") {
		t.Error(b.Text)
	}
	t.Setenv("PRL_HEADLESS", "1")
	t.Setenv("USER", "the teacher")
	t.Setenv("JUPYTERHUB_USER", "")
	t.Setenv("PRL_STUDENT", "")
	if name := ownName(); name != example {
		t.Errorf("a page has the numbers of %s", name)
	}
	for name, f := range map[string]func(){
		"whole": func() { NewOwn("x").Whole("n", 5, 4) }, "step": func() { NewOwn("x").Number("n", 0, 1, 0) },
		"nan": func() { NewOwn("x").Number("n", math.NaN(), 1, 1) },
	} {
		if status, _ := watch(t, f); status != 1 {
			t.Errorf("%s: it draws", name)
		}
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
		"wrong":       {func(x float64) any { return x }, "wrong: draw 1 of 50"},
		"wrong later": {func(x float64) any { return math.Abs(x) * x }, "wrong: draw "},
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
	s, _ := seal.Make("26-3", 99, 0.6931, 0.001, []seal.Mistake{{Answer: -0.6931, Word: "sign"}}, nil)
	for b.Loop() {
		if _, right, _ := s.Judge(17.0); right {
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

// The lab's kernel gives a cell the seals of its notebook, as they stand there. A cell that has seals of its own goes by those.
func TestSealsOfTheKernel(t *testing.T) {
	folder := t.TempDir()
	s, err := seal.Make("26-5", 5, 3.0, 0.5, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := "var _ = prl.Seals(`\n" + s.String() + "\n`)\n"
	if err := os.WriteFile(filepath.Join(folder, sealsFile), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PRL_CELL", folder)
	forget := func() { seals.byID = nil }
	forget()
	t.Cleanup(forget)
	k := startKernel(t)
	shows := func(sign string) {
		t.Helper()
		NewExercise("26-5", "three").Number(3)
		if b := k.shown[len(k.shown)-1]; !strings.HasPrefix(b.Text, sign) {
			t.Errorf("%q, want it to begin with %s", b.Text, sign)
		}
	}
	shows("✓")
	Seals("")
	shows("?")
}
