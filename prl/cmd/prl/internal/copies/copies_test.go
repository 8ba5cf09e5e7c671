package copies

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

const chapter = `{"cells":[{"cell_type":"code","id":"a","metadata":{"tags":["check"]},"source":"SOURCE","outputs":[],` +
	`"execution_count":null}],` +
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
		got, err := Sync(from, folder, Options{Merge: merge})
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
	if err := os.Remove(filepath.Join(folder, "02-b.ipynb")); err != nil {
		t.Fatal(err)
	}
	step(false, Report{New: []string{"02-b"}})
	if err := os.WriteFile(mine, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	write(theirs, "four")
	step(true, Report{Waiting: []string{"01-a"}})
	if read(mine) != "{" {
		t.Error("a damaged file is overwritten")
	}
}

// TestReset begins a chapter again and keeps what was there, even what is no notebook any more.
func TestReset(t *testing.T) {
	from, folder := t.TempDir(), t.TempDir()
	text := strings.Replace(chapter, "SOURCE", "one", 1)
	if err := os.WriteFile(filepath.Join(from, "01-a.ipynb"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Sync(from, folder, Options{Verbatim: true}); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(folder, "01-a.ipynb")
	if err := os.WriteFile(mine, []byte("{ spoilt"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"02", ""} {
		if _, err := Sync(from, folder, Options{Verbatim: true, Reset: []string{wrong}}); err == nil {
			t.Errorf("%q is begun again", wrong)
		}
	}
	r, err := Sync(from, folder, Options{Verbatim: true, Reset: []string{"01"}})
	if err != nil || !reflect.DeepEqual(r, Report{Reset: []string{"01-a"}}) {
		t.Errorf("%+v, %v", r, err)
	}
	if got, _ := os.ReadFile(mine); string(got) != text {
		t.Errorf("the chapter is %s", got)
	}
	before, _ := filepath.Glob(filepath.Join(folder, kept, "before", "01-a-*.ipynb"))
	if len(before) != 1 {
		t.Fatalf("what was there is gone: %v", before)
	}
	if got, _ := os.ReadFile(before[0]); string(got) != "{ spoilt" {
		t.Errorf("kept is %s", got)
	}
}

// TestVolume is a student's term on a volume that an image without notice of chapters has filled: a copy is known as the chapter's by its
// bytes, what is thrown away stays so, and a correction reaches what was not changed, and what was with the student's cells kept.
func TestVolume(t *testing.T) {
	from, folder := t.TempDir(), t.TempDir()
	put := func(at, name, source string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(at, name), []byte(strings.Replace(chapter, "SOURCE", source, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	options := Options{Verbatim: true, Stay: true, Merge: true}
	step := func(want Report) {
		t.Helper()
		got, err := Sync(from, folder, options)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	for _, name := range []string{"01-a.ipynb", "02-b.ipynb", "03-c.ipynb"} {
		put(from, name, "one")
		put(folder, name, "one")
	}
	put(folder, "03-c.ipynb", "written before")
	step(Report{Foreign: []string{"03-c"}})
	put(folder, "03-c.ipynb", "one")
	step(Report{})
	if err := os.Remove(filepath.Join(folder, "02-b.ipynb")); err != nil {
		t.Fatal(err)
	}
	put(folder, "03-c.ipynb", "mine")
	for _, name := range []string{"01-a.ipynb", "02-b.ipynb", "03-c.ipynb", "04-d.ipynb"} {
		put(from, name, "corrected")
	}
	step(Report{New: []string{"04-d"}, Updated: []string{"01-a"}, Merged: []string{"03-c"}})
	for name, want := range map[string][]string{"01-a": {"corrected"}, "03-c": {"corrected", "mine"}, "04-d": {"corrected"}} {
		text, err := os.ReadFile(filepath.Join(folder, name+".ipynb"))
		for _, w := range want {
			if err != nil || !strings.Contains(string(text), w) {
				t.Errorf("%s lacks %q: %v\n%s", name, w, err, text)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "02-b.ipynb")); err == nil {
		t.Error("what was thrown away comes again")
	}
	step(Report{})
}

// TestOthers brings what lies beside the chapters: a new file, and a new version of one that was not changed; never over a reader's own.
func TestOthers(t *testing.T) {
	from, folder := t.TempDir(), t.TempDir()
	put := func(at, name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(at, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bring := func(want map[string]string) {
		t.Helper()
		if _, err := Sync(from, folder, Options{Verbatim: true, Stay: true, Merge: true}); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if got, _ := os.ReadFile(filepath.Join(folder, name)); string(got) != text {
				t.Errorf("%s holds %q, want %q", name, got, text)
			}
		}
	}
	for _, name := range []string{"look/a.css", "look/b.css", "look/c.css", "items.json"} {
		put(from, name, "one")
		put(folder, name, "one")
	}
	put(folder, "items.json", "of another image")
	bring(map[string]string{"items.json": "of another image", "look/a.css": "one"})
	put(folder, "look/b.css", "mine")
	if err := os.Remove(filepath.Join(folder, "look/c.css")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"look/a.css", "look/b.css", "look/c.css", "look/new/d.css"} {
		put(from, name, "two")
	}
	for range 2 {
		bring(map[string]string{
			"look/a.css": "two", "look/b.css": "mine", "look/c.css": "", "look/new/d.css": "two",
			"items.json": "of another image",
		})
	}
}

func TestMap(t *testing.T) {
	from, folder := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		StartPage: `{"cells":[{"cell_type":"markdown","id":"map","metadata":{},"source":"## The chapters"}],"metadata":{},"nbformat":4,` +
			`"nbformat_minor":5}`,
		"03-third.ipynb": `{"cells":[{"cell_type":"markdown","id":"a","metadata":{},"source":"# The *third*\n\nA fish comes. Is it a ` +
			`**bass**? Who knows."},` +
			`{"cell_type":"code","id":"b","metadata":{},"source":"x","execution_count":null,"outputs":[{"output_type":"display_data",` +
			`"metadata":{},` +
			`"data":{"text/html":"<img class=\"prl-figure\" alt=\"a\" style=\"max-width:100%\" src=\"data:image/svg+xml;base64,AAAA\" ` +
			`data-prl-figure=\"B\">"}}]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`,
	} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Sync(from, folder, Options{}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, StartPage))
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

// Copies are those of students; copies byte by byte, which an image brings, are what the image holds.
func TestCopiesHoldNoSolutions(t *testing.T) {
	for _, verbatim := range []bool{false, true} {
		folder := t.TempDir()
		if _, err := Sync("../../../../../notebooks", folder, Options{Verbatim: verbatim}); err != nil {
			t.Fatal(err)
		}
		paths, err := filepath.Glob(filepath.Join(folder, "*.ipynb"))
		if err != nil || len(paths) < 20 {
			t.Fatalf("%d copies, %v", len(paths), err)
		}
		solutions := 0
		for _, path := range paths {
			n, err := notebook.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range n.Cells {
				if slices.Contains(c.Tags(), "solution") {
					solutions++
				}
			}
		}
		if verbatim != (solutions > 0) {
			t.Errorf("verbatim %v: %d cells with solutions", verbatim, solutions)
		}
	}
}
