package jsonlines_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets/jsonlines"
)

func TestRead(t *testing.T) {
	const text = `{"island": "Dream", "mass": 3800, "ringed": true}

{"mass": null, "island": "Biscoe", "egg": "2009-11-16"}
`
	table, err := jsonlines.Read(strings.NewReader(text), "birds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var csv bytes.Buffer
	if err := table.WriteCSV(&csv); err != nil || csv.String() != "island,mass,ringed,egg\nDream,3800,yes,\nBiscoe,,,2009-11-16\n" {
		t.Error(err, csv.String())
	}
	if table.String() != "birds: 2 x 4 (1 numbers, 2 words, 1 dates), 3 gaps" {
		t.Error(table)
	}
	for text, want := range map[string]string{
		`[1]`: `birds.jsonl:1: "[1]" is no JSON object; write one JSON object a line`,
		`{"a": {"b": 1}}`: `birds.jsonl:1: the value of "a" is an object or a list, but needs to be a number, a text, true, ` +
			`false or null; write one JSON object a line`,
		`{"a": 1, "a": 2}`:    `birds.jsonl:1: the key "a" stands twice; write one JSON object a line`,
		"{\"a\": 1}\n{\"a\":": `birds.jsonl:2: EOF; write one JSON object a line`,
		`{"a": 1} x`:          `birds.jsonl:1: something stands behind the object; write one JSON object a line`,
		"":                    `birds.jsonl: there is no row with a column in the file`,
	} {
		if _, err := jsonlines.Read(strings.NewReader(text), "birds.jsonl"); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// Long whole numbers stay apart, and "NA" is a word where null says that there is none.
func TestExact(t *testing.T) {
	const text = `{"id": 9007199254740993, "code": "NA", "x": 1}` + "\n" + `{"id": 9007199254740992, "code": null, "x": "NaN"}` + "\n"
	table, err := jsonlines.Read(strings.NewReader(text), "f")
	if err != nil {
		t.Fatal(err)
	}
	if ids := table.Words("id"); table.Label("id").Err() != nil || ids[0] != "9007199254740993" || ids[1] != "9007199254740992" {
		t.Error(ids)
	}
	if codes, x := table.Words("code"), table.Numbers("x"); codes[0] != "NA" || codes[1] != "" || x[0] != 1 || x[1] == x[1] {
		t.Error(codes, x)
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.jsonl")
	if err := os.WriteFile(path, []byte(`{"w": "u", "x": 1.5}`+"\n"+`{"w": "v", "x": 2.5}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if table := jsonlines.Open(path); table.Name != "b" || table.N() != 2 || table.Numbers("x")[1] != 2.5 {
		t.Error(table)
	}
	if err := jsonlines.Open("nowhere.jsonl").Err(); err == nil || !strings.Contains(err.Error(), "there is no such file") {
		t.Error(err)
	}
}

// Nothing that a file holds makes the reader panic.
func FuzzRead(f *testing.F) {
	f.Add("{\"a\": 1}\n{\"b\": \"x\"}\n")
	f.Add("{\"a\": \"\\ud800\"}")
	f.Fuzz(func(t *testing.T, text string) {
		if table, err := jsonlines.Read(strings.NewReader(text), "f"); err == nil && (table.Err() != nil || table.N() == 0) {
			t.Error(table, table.Err())
		}
	})
}
