package notebook

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/fuzztest"
)

// written is n as a file, within bounds. Every value stands on a line of its own, indented by a blank for each of the levels above it.
func written(t *testing.T, n *Notebook, size int) []byte {
	t.Helper()
	var data []byte
	var err error
	fuzztest.Bounded(t, deepest*size, fuzztest.Allowance, func() { data, err = n.Bytes() })
	if err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(data) || !json.Valid(data) || !bytes.HasSuffix(data, []byte("}\n")) {
		t.Fatalf("no JSON file: %s", data)
	}
	return data
}

// parsed reads text within bounds. A list or an object of two bytes becomes a header, a slice or map and an interface.
func parsed(t *testing.T, text string) *Notebook {
	t.Helper()
	var n *Notebook
	var err error
	fuzztest.Bounded(
		t,
		len(text)+3*strings.Count(text, "{")+3*strings.Count(text, "["),
		fuzztest.Allowance,
		func() { n, err = Parse([]byte(text)) },
	)
	if err != nil {
		if !strings.Contains(err.Error(), "not a notebook") && !strings.HasPrefix(err.Error(), "cell ") {
			t.Errorf("the error says neither what nor where: %v", err)
		}
		return nil
	}
	return n
}

// FuzzParse reads a notebook, writes it, normalises it, and compares it with itself.
func FuzzParse(f *testing.F) {
	f.Add(executed)
	f.Fuzz(func(t *testing.T, text string) {
		n := parsed(t, text)
		if n == nil {
			return
		}
		first := written(t, n, len(text))
		same, err := Parse(first)
		if err != nil {
			t.Fatalf("%v in %s", err, first)
		}
		if second := written(t, same, len(text)); !bytes.Equal(first, second) {
			t.Fatalf("reading and writing changes it:\n%s\n%s", first, second)
		}
		for _, c := range n.Cells {
			c.ID()
			c.Tags()
			c.Runs()
		}
		fuzztest.Quick(func() { n.Normalise("/clone") })
		data := written(t, n, len(text)+1000*(1+len(n.Cells)))
		again, err := Parse(data)
		if err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if d := Compare(n, again); len(d) > 0 {
			t.Fatalf("it differs from itself: %v", d)
		}
		again.Normalise("/clone")
		if data2 := written(t, again, len(data)); !bytes.Equal(data, data2) {
			t.Fatalf("normalising twice is not normalising once:\n%s\n%s", data, data2)
		}
	})
}

// FuzzCompare compares two notebooks: no difference if and only if the outputs are written alike.
func FuzzCompare(f *testing.F) {
	f.Add(executed, strings.Replace(executed, "one", "two", 1))
	f.Fuzz(func(t *testing.T, a, b string) {
		m, n := parsed(t, a), parsed(t, b)
		if m == nil || n == nil || len(m.Cells) != len(n.Cells) {
			return
		}
		var all []Difference
		fuzztest.Quick(func() { all = Compare(m, n) })
		differ := map[int]bool{}
		for _, d := range all {
			differ[d.Cell-1] = true
			if len(d.Detail) > 4000 {
				t.Errorf("%d bytes about a difference", len(d.Detail))
			}
		}
		for i := range m.Cells {
			was, _ := json.Marshal(m.Cells[i].Outputs())
			is, _ := json.Marshal(n.Cells[i].Outputs())
			if bytes.Equal(was, is) == differ[i] {
				t.Errorf("cell %d: %s and %s, a difference is reported: %v", i, was, is, differ[i])
			}
		}
	})
}

// FuzzClean cleans printed text twice.
func FuzzClean(f *testing.F) {
	f.Fuzz(func(t *testing.T, text, root string) {
		var once string
		fuzztest.Bounded(t, len(text)*(1+len(root)), fuzztest.Allowance, func() { once = Clean(text, root) })
		if len(once) > 2*len(text) {
			t.Errorf("%d bytes became %d", len(text), len(once))
		}
	})
}
