package notebook

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const executed = `{"cells": [
 {"cell_type": "markdown", "metadata": {"collapsed": true}, "source": "# Title\nText"},
 {"cell_type": "code", "id": "a", "execution_count": 17, "metadata": {"execution": {"iopub.status.busy": "2026"}, "tags": ["check"]},
  "source": ["import \"fmt\"\n", "%%\n", "fmt.Println(1)"],
  "outputs": [
   {"output_type": "stream", "name": "stderr", "text": "[[ Cell [2] Line 3 ]] /x/y/prl-kernel-1-2/gonb_0a1b2c3d/main.go:9 +0x1d\n"},
   {"output_type": "display_data", "data": {"text/html": "<b>x</b>\n<i>y</i>", "text/plain": ["x"], "application/json": {"b": 1.50, ` +
	`"a": "<"}}, "metadata": {}, "transient": {"display_id": "1"}},
   {"output_type": "stream", "name": "stdout", "text": "one\n"},
   {"output_type": "stream", "name": "stdout", "text": "two /clone/prl/x.go:3"},
   {"output_type": "error", "ename": "ERROR", "evalue": "failed to run \"/go/bin/go build -o /t/gonb_0a1b2c3d/gonb_0a1b2c3d\"", ` +
	`"traceback": ["goroutine 7 [running]:", "f(0xc000012345)"]}
  ]},
 {"cell_type": "code", "id": "a", "execution_count": 3, "metadata": {}, "source": "  \n", "outputs": []},
 {"cell_type": "code", "id": "b", "execution_count": 18, "metadata": {}, "source": "x := \"\u2028\\u2028 <&>\"", "outputs": []}
], "metadata": {"kernelspec": {"name": "other"}, "language_info": {"name": "go", "version": "go1.26.8"}, "widgets": {}}, ` +
	`"nbformat": 4, "nbformat_minor": 4}`

func parse(t *testing.T, text string) *Notebook {
	t.Helper()
	n, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNormalise(t *testing.T) {
	n := parse(t, executed)
	n.Normalise("/clone")
	data, err := n.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, noise := range []string{
		"iopub", "go1.26.8", "gonb_0a1b2c3d", "/x/y", "/clone/", "0xc000012345", "goroutine 7", "transient",
		"widgets", "collapsed",
	} {
		if strings.Contains(text, noise) {
			t.Errorf("%q is left", noise)
		}
	}
	for _, kept := range []string{
		"\"execution_count\": 1,", "\"execution_count\": 2,", "\"execution_count\": null,", "\"check\"", "main.go:9 +0x1d", "\"b\": 1.50",
		"\"# Title\\n\",\n    \"Text\"", "\"one\\n\",\n      \"two prl/x.go:3\"", "\"<b>x</b>\\n\",\n       \"<i>y</i>\"",
		"\"\u2028\\\\u2028 <&>\\\"",
	} {
		if !strings.Contains(text, strings.ReplaceAll(kept, "\"\u2028", "\u2028")) {
			t.Errorf("%q is missing in\n%s", kept, text)
		}
	}
	var kinds []string
	for _, output := range n.Cells[1].Outputs() {
		kinds = append(kinds, output["output_type"].(string))
	}
	if got := strings.Join(kinds, " "); got != "stream stream display_data error" {
		t.Errorf("order of outputs: %s", got)
	}
	ids := map[string]bool{}
	for _, c := range n.Cells {
		if c.ID() == "" || ids[c.ID()] {
			t.Errorf("id %q is empty or not unique", c.ID())
		}
		ids[c.ID()] = true
	}

	again := parse(t, text)
	again.Normalise("/clone")
	if data2, _ := again.Bytes(); !bytes.Equal(data, data2) {
		t.Error("normalising twice gives other bytes")
	}
	if d := Compare(n, again); len(d) != 0 {
		t.Errorf("equal notebooks differ: %v", d)
	}
}

func TestCompareNamesTheCellAndThePlace(t *testing.T) {
	before, now := parse(t, executed), parse(t, strings.Replace(executed, `"one\n"`, `"ONE\n"`, 1))
	before.Normalise("/clone")
	now.Normalise("/clone")
	d := Compare(before, now)
	if len(d) != 1 || d[0].Cell != 2 || d[0].ID != "a" || !strings.Contains(d[0].Detail, "one") || !strings.Contains(d[0].Detail, "ONE") {
		t.Errorf("got %+v", d)
	}
	empty := parse(t, executed)
	for _, c := range empty.Cells {
		delete(c.raw, "outputs")
	}
	if d := Compare(empty, now); len(d) != 1 || !strings.Contains(d[0].Detail, "is new") {
		t.Errorf("without outputs: %+v", d)
	}
}

func TestWriteIsWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.ipynb")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := parse(t, executed).Write(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files, want 1", len(entries))
	}
	if _, err := Read(path); err != nil {
		t.Error(err)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "not a notebook",
		"{\n\"cells\": [\n}":                "line 3: not a notebook",
		`{"nbformat": 3, "worksheets": []}`: "open and save it in JupyterLab",
		`{"nbformat": 4}`:                   "no list of cells",
		`{"nbformat": 4, "cells": [1]}`:     "cell 1 is not an object",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestParseTellsWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "the file is empty",
		`{"cells": [{`:                  "ends in the middle",
		"[1, 2]":                        "a value of kind array and no object",
		"\n{,":                          "line 2: not a notebook",
		`{"nbformat": 3}`:               "nbformat is 3",
		`{"nbformat": 4}`:               "no list of cells",
		`{"nbformat": 4, "cells": [1]}`: "cell 1 is not an object",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestFacts reads what tools ask of a notebook, from one that has it and from one in which other things stand there.
func TestFacts(t *testing.T) {
	n, err := Parse(
		[]byte(
			`{"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "gonb"}}, "cells": [{"cell_type": "code", "id": "a", ` +
				`"source": "",
		"metadata": {"tags": ["check", 7], "prl": {"items": ["A-1", "A-2"]}},
		"outputs": [{"output_type": "display_data", "data": {"text/html": ["<p>\n", "x</p>"], "text/plain": "x", "application/json": {"a": ` +
				`1}}}]}]}`,
		),
	)
	if err != nil {
		t.Fatal(err)
	}
	major, minor := n.Format()
	c := n.Cells[0]
	data := Data(c.Outputs()[0])
	if major != 4 || minor != 5 || n.Kernel() != "gonb" || strings.Join(c.Tags(), " ") != "check" ||
		strings.Join(c.Items(), " ") != "A-1 A-2" ||
		len(data) != 2 ||
		data["text/html"] != "<p>\nx</p>" {
		t.Errorf("format %d.%d, kernel %q, tags %q, items %q, data %q", major, minor, n.Kernel(), c.Tags(), c.Items(), data)
	}
	n, err = Parse([]byte(`{"nbformat": 4, "metadata": [], "cells": [{"cell_type": "code", "metadata": {"tags": "check", "prl": 3}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if major, minor := n.Format(); major != 4 || minor != 0 || n.Kernel() != "" || n.Cells[0].Tags() != nil || n.Cells[0].Items() != nil ||
		len(Data(nil)) != 0 {
		t.Error("a notebook with other things in these places has facts")
	}
}
