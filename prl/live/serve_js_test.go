package live

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall/js"
	"testing"

	"github.com/prlab/prlab/prl/cell"
)

// A cell that a reader runs in a page shows its figure, with what it asks for and what its function shows; without such a page it
// shows nothing.
func TestRun(t *testing.T) {
	var shown []string
	js.Global().Set("prlShow", js.FuncOf(func(_ js.Value, args []js.Value) any {
		shown = append(shown, args[0].String())
		return nil
	}))
	Run("cell", func() { New(margins).Show() })
	showing = nil
	js.Global().Delete("prlShow")
	Run("cell", func() { New(margins).Show() })
	if len(shown) != 1 {
		t.Fatalf("%d outputs, want one", len(shown))
	}
	for _, word := range []string{` data-prl-live="`, `"prl-live-out"`, ` data-prl-spec="{`, "inputs"} {
		if !strings.Contains(shown[0], word) {
			t.Errorf("%q is missing in %.2000s", word, shown[0])
		}
	}
}

// The page opens cells and asks for steps; what goes wrong in one cell is told, and the others go on. The answers are printed for the test
// that compares them with those of the machine.
func TestServe(t *testing.T) {
	cells := map[string]func(){
		"panics": func() {
			New(margins).Show()
			panic("a mistake")
		},
		"broken": func() {
			cell.Check("X-9", "one is two").Equal(1, 2)
			cell.Fail(fmt.Errorf("no more"))
			New(margins).Show()
		},
	}
	for _, m := range moves {
		cells[m.name] = func() { New(margins).Show(); New(m.f).Frames(3).Show() }
	}
	ready := make(chan bool)
	js.Global().Set("prlReady", js.FuncOf(func(js.Value, []js.Value) any { close(ready); return nil }))
	go Serve(cells)
	<-ready
	open := func(args ...any) string { return js.Global().Call("prlOpen", args...).String() }
	step := func(args ...any) string { return js.Global().Call("prlStep", args...).String() }

	for name, want := range map[string]string{
		"margins": "", "panics": "the cell panics: a mistake", "broken": "✗ no more", "absent": `the module has no cell "absent"`,
	} {
		if got := open(name); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for want, args := range map[string][]any{
		"live figure 2 is asked for":    {"margins", 2, "[]", true},
		"live figure -1 is asked for":   {"margins", -1, "[]", true},
		`the module has no cell "nope"`: {"nope", 0, "[]", true},
		"✗ X-9 one is two":              {"broken", 0, "[]", true},
		"a list is expected":            {"margins", 0, "7", true},
		"index out of range":            {"margins"},
		"syscall/js":                    {"margins", "one", "[]", true},
	} {
		var a answer
		if err := json.Unmarshal([]byte(step(args...)), &a); err != nil || !strings.Contains(a.Fault, want) || a.Spec != nil {
			t.Errorf("%v: fault %q, error %v, want %q", args, a.Fault, err, want)
		}
	}
	if got := step("panics", 0, "[]", true); !strings.Contains(got, `"spec":`) {
		t.Errorf("a figure that stands before the panic: %.200s", got)
	}
	if got := open("absent"); got == "" {
		t.Error("asked again, the missing cell is there")
	}
	for _, m := range moves {
		for _, given := range m.steps {
			fmt.Printf("ANSWER %s\n", step(m.name, 1, given, false))
		}
	}
}
