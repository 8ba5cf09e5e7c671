package main

import (
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
)

// TestWrongCalls has calls that end before anything is set up, and what each must say.
func TestWrongCalls(t *testing.T) {
	for call, want := range map[string]string{
		"run --chek":                        `unknown flag: --chek (did you mean "--check"?)`,
		"run -j x":                          "--jobs x: it needs a whole number",
		"run --timeout 5":                   "--timeout 5: it needs a time with its unit, such as 90s or 2m",
		"run --timeout -1s":                 "--timeout -1s: the shortest time for a cell is 1s",
		"test --jobs 0":                     "--jobs 0: at least one notebook",
		"kernel instal":                     `instal is no verb of go tool prl kernel (did you mean "install"?)`,
		"bench cell":                        `did you mean "cells"?`,
		"kernel install --user --prefix /x": "[prefix user]",
	} {
		command := newRoot()
		command.SetArgs(strings.Fields(call))
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", call, err, want)
		}
	}
}

func TestDescribeIsPlain(t *testing.T) {
	said := describe(&execute.Failure{Notebook: "a.ipynb", Cell: 1, Cells: 2, ID: "c", Source: "f()", Value: "exit status 1",
		Printed: " \x1b[7m[[ Cell [1] Line 3 ]]\x1b[0m main.go:12: no"}, "/")
	if strings.Contains(said, "\x1b") || !strings.Contains(said, "[[ Cell [1] Line 3 ]] main.go:12: no") {
		t.Errorf("%q", said)
	}
}

func TestOutcome(t *testing.T) {
	o := outcome{passed: 1, cells: 1, took: 1234 * time.Millisecond}
	if got, want := o.String(), "1 notebook: 1 passed, 0 failed; 1 cell in 1.2s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
