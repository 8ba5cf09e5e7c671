package live

import (
	"slices"
	"strings"
	"testing"
)

// The program of a cell has what the kernel's has: its statements, what it declares, what both use, and the seals of exercises.
func TestWhole(t *testing.T) {
	cells := []Cell{
		{ID: "import", Text: "import (\n\t\"fmt\"\n\t\"math\"\n)\nvar _ = fmt.Sprint(seal)\nconst seal = 7"},
		{ID: "old", Text: "func f() int { return 1 }"},
		{ID: "broken", Text: "func {"},
		{ID: "new", Text: "type T int\n\nfunc (T) f() int { return g() }\n\nfunc f() int { return 2 }\n\nfunc g() int { return 3 }"},
		{ID: "use", Text: "var own = T(1).f()\n%%\nfmt.Println(f())"},
		{ID: "plain", Text: "fmt.Println(1)"},
		{ID: "shell", Text: "%%bash\nls"},
		{ID: "value", Text: "func h() {}\n%%\nh()\nf()"},
		{ID: "alive", Text: "import \"github.com/prlab/prlab/prl\"\nfunc show() { prl.Live(nil).Show() }\n%%\nshow()"},
		{ID: "film", Text: "import \"github.com/prlab/prlab/plotting\"\nplotting.Slide(\"k\", nil, nil).Show()"},
		{ID: "later", Text: "func f() float64 { return math.Pi }"},
	}
	for id, want := range map[string]struct{ holds, not []string }{
		"old": {
			[]string{"func f() int { return 1 }", "const seal = 7", "var _ = fmt.Sprint(seal)", "func main() {}", "\"fmt\""},
			[]string{"math", "type T"},
		},
		"use": {
			[]string{
				"func f() int { return 2 }", "func (T) f()", "func g()", "var own = T(1).f()", "func main() {\n//line cell-use.go:3\n", "var _ = fmt",
			},
			[]string{"math", "return 1", "prlLive"},
		},
		"value": {[]string{"prlShowValue(f())", "func prlShowValue(", "prlLibrary \"github.com/prlab/prlab/prl\""}, []string{"math"}},
		"plain": {[]string{"func main() {\n//line cell-plain.go:1\nfmt.Println(1)"}, []string{"math"}},
		"alive": {
			[]string{
				"prlLive \"github.com/prlab/prlab/prl/live\"", "func main() { prlLive.Run(\"alive\", prlCell) }",
				"func prlCell() {\n//line cell-alive.go:4\n",
			},
			[]string{"math", "return 1"},
		},
		"film":  {[]string{"func main() { prlLive.Run(\"film\", prlCell) }"}, []string{"return 1"}},
		"later": {[]string{"math.Pi", "\"math\"", "func main() {}"}, []string{"return 2", "type T"}},
	} {
		program, err := Whole(cells, id, true)
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
		for _, text := range want.holds {
			if !strings.Contains(program, text) {
				t.Errorf("%s: %q is missing in\n%s", id, text, program)
			}
		}
		for _, text := range want.not {
			if strings.Contains(program, text) {
				t.Errorf("%s: %q is in\n%s", id, text, program)
			}
		}
	}
	for id, want := range map[string]string{
		"broken": "cell broken, line 1: ",
		"shell":  "cell shell is for the kernel of the lab, and no Go",
		"absent": "there is no cell absent",
	} {
		if _, err := Whole(cells, id, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", id, err, want)
		}
	}
	if program, err := Whole(cells, "value", false); err != nil || strings.Contains(program, "prlShowValue") {
		t.Errorf("the value is not wanted: %v in\n%s", err, program)
	}
	if got := Imports(cells); !slices.Equal(got, []string{"fmt", "github.com/prlab/prlab/plotting", "github.com/prlab/prlab/prl", "math"}) {
		t.Errorf("imports %q", got)
	}
	if got, want := Told("/cell/cell-use.go:3:5: undefined: x\n"), "cell use, line 3: undefined: x"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
