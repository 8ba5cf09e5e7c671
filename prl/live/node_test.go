//go:build !js

package live

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
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
	// With the flags of the library that pages compile with, which is compiled once for both.
	flags := []string{"-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false", "-exec", runner, "-run", "^Test(Run|Serve)$", "-v"}
	cmd := exec.Command("go", slices.Concat([]string{"test"}, flags, []string{"."})...)
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
	case string:
		if v, ok := a.(string); ok && alike(v, b) {
			return ""
		}
	default:
		if a == b {
			return ""
		}
	}
	return fmt.Sprintf("%s is %.200v in the page, %.200v on the machine", at, a, b)
}

// numeral is a number in a text, with a power of ten if it has one.
var numeral = regexp.MustCompile(`[−-]?[0-9][0-9.,]*(?:×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?`)

// alike reports whether two texts are the same but for the last digits of their numbers: a page rounds products before it adds them.
func alike(a, b string) bool {
	if numeral.ReplaceAllString(a, "#") != numeral.ReplaceAllString(b, "#") {
		return false
	}
	others := numeral.FindAllStringSubmatch(b, -1)
	for i, one := range numeral.FindAllStringSubmatch(a, -1) {
		if v, w := worth(one), worth(others[i]); one[0] != others[i][0] && !(math.Abs(v-w) <= 1e-6*(1+math.Abs(w))) {
			return false
		}
	}
	return true
}

// worth is the value of a numeral, NaN for figures that are none.
func worth(found []string) float64 {
	mantissa, _, _ := strings.Cut(strings.ReplaceAll(found[0], "−", "-"), "×")
	power := "0"
	if found[1] != "" {
		power = strings.NewReplacer("⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9").
			Replace(found[1])
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(mantissa, ",", "")+"e"+power, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Texts that say another number, or another word, differ.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"gap 1.1×10⁻¹³ ≤ 0.01", "gap 2.9×10⁻¹³ ≤ 0.01", true},
		{"gap 1.1×10⁻³ ≤ 0.01", "gap 1.1×10⁻⁴ ≤ 0.01", false},
		{"0.4166667 of 12", "0.4166669 of 12", true},
		{"0.41 of 12", "0.42 of 12", false},
		{"−0.5", "0.5", false},
		{"1,024 rows", "1,025 rows", false},
		{"✓ 3 proved", "✗ 3 proved", false},
		{"1.2.3", "1.2.4", false},
	} {
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
