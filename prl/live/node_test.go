//go:build !js

package live

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The same functions, compiled for a page and run by node, answer what the machine answers, but for the last bits: WebAssembly has neither
// fused products nor vectors.
func TestPagesAnswerAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the library once more")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	runner := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	cmd := exec.Command("go", "test", "-exec", runner, "-run", "^TestServe$", "-v", ".")
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, out)
	}
	var answers []string
	for line := range strings.Lines(string(out)) {
		if answer, ok := strings.CutPrefix(strings.TrimSpace(line), "ANSWER "); ok {
			answers = append(answers, answer)
		}
	}
	at := 0
	for _, m := range moves {
		g := New(m.f)
		for _, given := range m.steps {
			if at == len(answers) {
				t.Fatalf("node gives %d answers", at)
			}
			var got, want any
			if err := json.Unmarshal([]byte(answers[at]), &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(g.Step(given, false)), &want); err != nil {
				t.Fatal(err)
			}
			at++
			if difference := apart(got, want, ""); difference != "" {
				t.Errorf("%s %s, on %s: %s", m.name, given, runtime.GOARCH, difference)
			}
		}
	}
	if at != len(answers) {
		t.Errorf("node gives %d answers to %d steps", len(answers), at)
	}
}

// apart says where two values of JSON differ, or "".
func apart(a, b any, at string) string {
	switch b := b.(type) {
	case float64:
		if v, ok := a.(float64); ok && math.Abs(v-b) <= 1e-6*(1+math.Abs(b)) {
			return ""
		}
	case []any:
		v, ok := a.([]any)
		if !ok || len(v) != len(b) {
			break
		}
		for i := range b {
			if d := apart(v[i], b[i], fmt.Sprintf("%s[%d]", at, i)); d != "" {
				return d
			}
		}
		return ""
	case map[string]any:
		v, ok := a.(map[string]any)
		if !ok || len(v) != len(b) {
			break
		}
		for name := range b {
			if d := apart(v[name], b[name], at+"."+name); d != "" {
				return d
			}
		}
		return ""
	default:
		if a == b {
			return ""
		}
	}
	return fmt.Sprintf("%s is %.200v in the page, %.200v on the machine", at, a, b)
}
