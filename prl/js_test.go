package prl_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What a notebook runs in a page is compiled to WebAssembly and travels with the page, so the library links nothing heavy there: no
// template (which keeps every exported method of every type alive), no reflective codec, no drawing of stills, no chart that the page makes
// itself.
func TestPagesLinkLittle(t *testing.T) {
	heavy := []string{
		"encoding/gob", "html/template", "text/template", "encoding/xml", "encoding/json", "net/http", "regexp",
		"gonum.org/v1/plot", "golang.org/x/image", "github.com/go-echarts", "github.com/janpfeifer",
	}
	cmd := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", ".")
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	importers := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for _, imported := range words[1:] {
			importers[imported] = append(importers[imported], words[0])
		}
	}
	if len(importers["github.com/prlab/prlab/plotting"]) == 0 {
		t.Fatal("the list does not hold the packages of the library")
	}
	for imported, by := range importers {
		for _, h := range heavy {
			if imported == h || strings.HasPrefix(imported, h+"/") {
				slices.Sort(by)
				t.Errorf("%s is linked into pages, by %s", imported, strings.Join(by, ", "))
			}
		}
	}
}
