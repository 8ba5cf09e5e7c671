package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCountOfTests gives the counter what go test -json prints for a package that passes, one that fails and one that does not build.
func TestCountOfTests(t *testing.T) {
	c := newTestCount()
	for line := range strings.Lines(`{"Action":"run","Package":"x/a","Test":"TestOne"}
{"Action":"pass","Package":"x/a","Test":"TestOne/part","Elapsed":0.1}
{"Action":"pass","Package":"x/a","Test":"TestOne","Elapsed":0.1}
{"Action":"pass","Package":"x/a","Elapsed":0.5}
{"Action":"output","Package":"x/b","Test":"TestTwo","Output":"two.go:1: got 1\n"}
{"Action":"fail","Package":"x/b","Test":"TestTwo/part","Elapsed":0}
{"Action":"fail","Package":"x/b","Test":"TestTwo","Elapsed":0}
{"Action":"fail","Package":"x/b","Elapsed":2.5}
{"ImportPath":"x/c [x/c.test]","Action":"build-output","Output":"three.go:1: syntax error\n"}
{"Action":"fail","Package":"x/c","Elapsed":0}
`) {
		c.add([]byte(strings.TrimSpace(line)))
	}
	if c.passed != 1 || c.failed != 2 {
		t.Errorf("%d passed, %d failed; want 1 and 2", c.passed, c.failed)
	}
	said := strings.Join(c.said, "")
	for _, want := range []string{"two.go:1: got 1", "three.go:1: syntax error"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not told: %q", want, said)
		}
	}
	if c.slowest != "b" {
		t.Errorf("slowest package %q", c.slowest)
	}
}

// TestCountTellsWhatTestsLog wants the reason of a skip and a log without go test's frame, each line once.
func TestCountTellsWhatTestsLog(t *testing.T) {
	c := newTestCount()
	c.tell = true
	for line := range strings.Lines(`{"Action":"output","Package":"x/a","Test":"TestOne","Output":"=== RUN   TestOne\n"}
{"Action":"output","Package":"x/a","Test":"TestOne","Output":"    one_test.go:1: size 3 MB\n"}
{"Action":"output","Package":"x/a","Test":"TestOne","Output":"--- PASS: TestOne (0.00s)\n"}
{"Action":"pass","Package":"x/a","Test":"TestOne"}
{"Action":"output","Package":"x/a","Test":"TestTwo","Output":"    build_test.go:60: skipped: it needs a tool\n"}
{"Action":"skip","Package":"x/a","Test":"TestTwo"}
{"Action":"output","Package":"x/a","Test":"TestThree","Output":"    build_test.go:60: skipped: it needs a tool\n"}
{"Action":"skip","Package":"x/a","Test":"TestThree"}
`) {
		c.add([]byte(strings.TrimSpace(line)))
	}
	if got := strings.Join(c.told, ""); got != "  size 3 MB\n  skipped: it needs a tool\n" {
		t.Errorf("told: %q", got)
	}
}

func TestHelpfulMessages(t *testing.T) {
	for args, want := range map[string]string{
		"lab --prot 9":               `unknown flag: --prot (did you mean "--port"?)`,
		"lba":                        `lba is no verb of go tool prl (did you mean "lab"?)`,
		"lab --port 70000":           "a port is a number from 1 to 65535",
		"run nowhere.ipynb":          "there is no such notebook or folder",
		"kernel remove --prefix nil": "no kernel is registered in",
	} {
		command := newRoot()
		command.SetArgs(strings.Fields(args))
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("prl %s: got %v, want %q", args, err, want)
		}
	}
}

// TestCallsNameWhatThereIs looks for the tests and the package that calls of go test name; a name that there is not changes nothing there.
func TestCallsNameWhatThereIs(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	names := strings.Split(strings.TrimSuffix(strings.TrimPrefix(driving, "^("), ")$"), "|")
	if len(names) < 2 {
		t.Fatalf("%q names no tests", driving)
	}
	var text strings.Builder
	for _, folder := range []string{"prl", "prl/live"} {
		paths, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(data)
		}
	}
	for _, name := range names {
		if !strings.Contains(text.String(), "\nfunc "+name+"(") {
			t.Errorf("there is no test %s", name)
		}
	}
	for _, name := range waiting {
		if paths, err := filepath.Glob(filepath.Join(root, name, "*_test.go")); err != nil || len(paths) == 0 {
			t.Errorf("%s has no tests (%v)", name, err)
		}
	}
}
