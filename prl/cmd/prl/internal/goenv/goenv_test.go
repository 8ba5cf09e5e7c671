package goenv

import (
	"strings"
	"testing"
)

func TestCells(t *testing.T) {
	base := []string{"HOME=/h", "GOFLAGS=-mod=mod", "GOWORK=/w", "GOPROXY=https://example.org", "PATH=/usr/bin"}
	env := Cells(base, "/c/.prl", "/go/bin/go")
	for name, want := range map[string]string{
		"HOME": "/h", "GOFLAGS": "-ldflags=-s -gcflags=all=-dwarf=false", "GOPROXY": "off", "GOTOOLCHAIN": "local",
		ProxyVar: "https://example.org",
		GoVar:    "/go/bin/go", "PATH": "/c/.prl/shim:/go/bin:/usr/bin",
	} {
		if got, _ := Lookup(env, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, found := Lookup(env, "GOWORK"); found {
		t.Error("GOWORK is left")
	}
}

func TestWithout(t *testing.T) {
	got := Without([]string{"A=1", "AB=2", "PRL_X=3", "PRL_Y=4", "B="}, "A", "PRL_*")
	if strings.Join(got, " ") != "AB=2 B=" {
		t.Errorf("got %v", got)
	}
}
