package goenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCells(t *testing.T) {
	base := []string{"HOME=/h", "GOFLAGS=-mod=mod", "GOWORK=/w", "GOPROXY=https://example.org", "PATH=/usr/bin"}
	env := Cells(base, "/c/.prl", "/go/bin/go", false)
	for name, want := range map[string]string{
		"HOME": "/h", "GOFLAGS": "-ldflags=-s", "GOPROXY": "off", "GOTOOLCHAIN": "local", ProxyVar: "https://example.org",
		GoVar: "/go/bin/go", "PATH": "/c/.prl/shim:/c/.prl/bin:/go/bin:/usr/bin",
	} {
		if got, _ := Lookup(env, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, found := Lookup(env, "GOWORK"); found {
		t.Error("GOWORK is left")
	}
	if path, _ := Lookup(Cells(base, "/c/.prl", "/go/bin/go", true), "PATH"); strings.Contains(path, ".prl/bin") {
		t.Error("a kernel without a browser finds gopls")
	}
}

func TestWithout(t *testing.T) {
	got := Without([]string{"A=1", "AB=2", "PRL_X=3", "PRL_Y=4", "B="}, "A", "PRL_*")
	if strings.Join(got, " ") != "AB=2 B=" {
		t.Errorf("got %v", got)
	}
}

// TestShim runs the shim with a go program that tells how it was called.
func TestShim(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	shim := write("go", string(Shim))
	tells := write("tells", "#!/bin/sh\necho \"$* GOGC=$GOGC GOPROXY=$GOPROXY\"\n")
	lacks := write("lacks", "#!/bin/sh\necho 'x.go:1: no required module provides package example.org/x' >&2\nexit 1\n")
	for _, c := range []struct {
		program, args string
		env           string
		want          string
		fails         bool
	}{
		{tells, "build -o x", "", "build -o x GOGC=off GOPROXY=off\n", false},
		{tells, "test -c", "", "test -c GOGC=off GOPROXY=off\n", false},
		{tells, "list ./...", "", "list ./... GOGC= GOPROXY=off\n", false},
		{tells, "get", "", "", false},
		{tells, "get", "PRL_FETCH=1", "get GOGC= GOPROXY=\n", false},
		{lacks, "build", "", "x.go:1: no required module provides package example.org/x\nThe lab does not fetch packages by itself. To allow it, run a cell with the line  %env PRL_FETCH=1  and then this cell again.\n", true},
		{lacks, "build", "PRL_FETCH=1", "x.go:1: no required module provides package example.org/x\n", true},
	} {
		cmd := exec.Command(shim, strings.Fields(c.args)...)
		cmd.Env = append(Without(os.Environ(), "GOGC", "GOPROXY", "PRL_*"), "GOPROXY=off", GoVar+"="+c.program, c.env)
		out, err := cmd.CombinedOutput()
		if string(out) != c.want || (err != nil) != c.fails {
			t.Errorf("go %s (%s): got %q, %v; want %q", c.args, c.env, out, err, c.want)
		}
	}
}
