package main

import (
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

func TestHelpfulMessages(t *testing.T) {
	for args, want := range map[string]string{
		"lab --prot 9":               `unknown flag: --prot (did you mean "--port"?)`,
		"lba":                        "Did you mean this?",
		"lab --port 70000":           "a port is a number from 1 to 65535",
		"run nowhere.ipynb":          "there is no such notebook or folder",
		"bench cells --displays 1":   "--displays at least 50",
		"kernel remove --prefix nil": "no kernel is registered in",
	} {
		command := newRoot()
		command.SetArgs(strings.Fields(args))
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("prl %s: got %v, want %q", args, err, want)
		}
	}
}
