//go:build unix

package execute_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
)

var update = flag.Bool("update", false, "write what the kernel says into testdata/mistakes.txt")

// TestMistakes sends the cells of testdata/mistakes.txt through one kernel and compares what a reader sees. In the file each cell begins
// with a line of "=" and its name, and what is seen below it with a line of "-".
func TestMistakes(t *testing.T) {
	ctx, session := open(t)
	path := filepath.Join("testdata", "mistakes.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := session.Talk(ctx, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer kernel.Close()
	var seen strings.Builder
	mistakes := 0
	for _, block := range strings.Split(string(text), "\n=== ")[1:] {
		name, rest, _ := strings.Cut(block, "\n")
		code, want, _ := strings.Cut(rest, "\n---\n")
		answer, err := kernel.Ask(execute.Request{Code: code})
		if err != nil {
			t.Fatal(err)
		}
		got := visible(answer)
		if strings.Contains(got, "exit status") || strings.Contains(got, "main.go") || strings.Contains(got, "goroutine ") ||
			strings.Contains(got, "0x") {
			t.Errorf("%s: not for a reader:\n%s", name, got)
		}
		if !strings.HasPrefix(name, "(") {
			mistakes++
		}
		if strings.TrimSpace(got) != strings.TrimSpace(want) && !*update {
			t.Errorf("%s:\n%s\ngives\n%s\nwant\n%s", name, code, got, want)
		}
		seen.WriteString("\n=== " + name + "\n" + code + "\n---\n" + strings.TrimSpace(got) + "\n")
	}
	if mistakes < 40 {
		t.Errorf("only %d mistakes", mistakes)
	}
	if *update {
		head, _, _ := strings.Cut(string(text), "\n=== ")
		if err := os.WriteFile(path, []byte(head+seen.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	colour = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	clock  = regexp.MustCompile(`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d`)
)

// visible is what a page shows of an answer, as text.
func visible(a execute.Answer) string {
	var b strings.Builder
	for _, part := range append(append([]string{}, a.Plain...), a.Stdout, a.Stderr, a.Trace) {
		if part = strings.TrimSpace(part); part != "" {
			b.WriteString(part + "\n")
		}
	}
	if a.Status != "ok" && a.Status != "error" {
		b.WriteString("(" + a.Status + ")\n")
	}
	return clock.ReplaceAllString(colour.ReplaceAllString(b.String(), ""), "DATE")
}
