package copies

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const chapter = `{"cells":[{"cell_type":"code","id":"a","metadata":{"tags":["check"]},"source":"SOURCE","outputs":[],"execution_count":null}],` +
	`"metadata":{},"nbformat":4,"nbformat_minor":5}`

func TestSync(t *testing.T) {
	from, folder := t.TempDir(), filepath.Join(t.TempDir(), "own")
	write := func(path, source string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(strings.Replace(chapter, "SOURCE", source, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	step := func(merge bool, want Report) {
		t.Helper()
		got, err := Sync(from, folder, merge)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	mine, theirs := filepath.Join(folder, "01-a.ipynb"), filepath.Join(from, "01-a.ipynb")
	write(theirs, "one")
	step(false, Report{New: []string{"01-a"}})
	if text := read(mine); !strings.Contains(text, `"source_hidden": true`) {
		t.Errorf("the check is not folded: %s", text)
	}
	step(false, Report{})
	write(theirs, "two")
	step(false, Report{Updated: []string{"01-a"}})
	if !strings.Contains(read(mine), "two") {
		t.Error("the new version is not there")
	}
	write(mine, "mine")
	step(false, Report{}) // no new version
	write(theirs, "three")
	step(false, Report{Waiting: []string{"01-a"}})
	if !strings.Contains(read(mine), "mine") {
		t.Error("the reader's change is lost")
	}
	step(true, Report{Merged: []string{"01-a"}})
	if text := read(mine); !strings.Contains(text, "mine") || !strings.Contains(text, "three") {
		t.Errorf("got %s", text)
	}
	if before, _ := filepath.Glob(filepath.Join(folder, kept, "before", "01-a-*.ipynb")); len(before) != 1 ||
		!strings.Contains(read(before[0]), "mine") {
		t.Errorf("the copy from before is not kept: %v", before)
	}
	step(false, Report{})
	write(filepath.Join(folder, "02-b.ipynb"), "own file")
	write(filepath.Join(from, "02-b.ipynb"), "chapter")
	step(true, Report{Foreign: []string{"02-b"}})
	if !strings.Contains(read(filepath.Join(folder, "02-b.ipynb")), "own file") {
		t.Error("a file of the reader's own is lost")
	}
	if err := os.WriteFile(mine, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	write(theirs, "four")
	step(true, Report{Waiting: []string{"01-a"}, Foreign: []string{"02-b"}})
	if read(mine) != "{" {
		t.Error("a damaged file is overwritten")
	}
}

func TestMap(t *testing.T) {
	from, folder := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		startPage: `{"cells":[{"cell_type":"markdown","id":"map","metadata":{},"source":"## The chapters"}],"metadata":{},"nbformat":4,"nbformat_minor":5}`,
		"03-third.ipynb": `{"cells":[{"cell_type":"markdown","id":"a","metadata":{},"source":"# The *third*\n\nA fish comes. Is it a **bass**? Who knows."},` +
			`{"cell_type":"code","id":"b","metadata":{},"source":"x","execution_count":null,"outputs":[{"output_type":"display_data","metadata":{},` +
			`"data":{"text/html":"<img class=\"prl-figure\" alt=\"a\" style=\"max-width:100%\" src=\"data:image/svg+xml;base64,AAAA\" data-prl-figure=\"B\">"}}]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`,
	} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Sync(from, folder, false); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, startPage))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`href=\"03-third.ipynb\"`, `src=\"data:image/svg+xml;base64,AAAA\"`, "A fish comes. Is it a bass?</td>",
		"03&ensp;The *third*",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the map lacks %s: %s", want, text)
		}
	}
}
