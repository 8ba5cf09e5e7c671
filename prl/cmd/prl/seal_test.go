package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

func TestWriteSeals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "01-x.ipynb")
	cell := func(id, tag, output string) string {
		return `{"cell_type":"code","id":"` + id + `","execution_count":null,"metadata":{"tags":["` + tag + `"]},"outputs":[` + output +
			`],"source":["%%"]}`
	}
	shown := func(seal string) string {
		return `{"output_type":"display_data","metadata":{},"data":{"text/html":["<div data-prl-seal=\"` + seal + `\">sealed</div>"]}}`
	}
	write := func(cells ...string) *notebook.Notebook {
		text := `{"cells":[` + strings.Join(cells, ",") + `],"metadata":{},"nbformat":4,"nbformat_minor":5}`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		n, err := notebook.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	executed := write(cell("a", "check", ""), cell("b", "exercise", ""), cell("c", "solution", shown("01-2 b")+","+shown("01-1 a &#43; b")))
	for range 2 { // the second time the cell is there
		if n, err := writeSeals(path, executed); n != 2 || err != nil {
			t.Fatal(n, err)
		}
		got, err := notebook.Read(path)
		if err != nil || len(got.Cells) != 4 {
			t.Fatal(err, len(got.Cells))
		}
		if c := got.Cells[1]; c.Source() != "var _ = prl.Seals(`\n01-1 a + b\n01-2 b\n`)" || c.ID() != "seals" {
			t.Errorf("%s", c.Source())
		}
	}
	if _, err := writeSeals(path, write(cell("b", "exercise", ""))); err == nil || !strings.Contains(err.Error(), ".Holds()") {
		t.Error(err)
	}
	if _, err := writeSeals(path, write(cell("c", "solution", shown("x")))); err == nil || !strings.Contains(err.Error(), "tag exercise") {
		t.Error(err)
	}
}
