package notebook

import (
	"fmt"
	"strings"
	"testing"
)

// book makes a notebook of cells "id:text".
func book(t *testing.T, cells ...string) *Notebook {
	t.Helper()
	var list []string
	for _, c := range cells {
		id, text, _ := strings.Cut(c, ":")
		list = append(list, fmt.Sprintf(`{"cell_type":"code","id":%q,"metadata":{"tags":["check"]},"source":%q,"outputs":[]}`, id, text))
	}
	n, err := Parse([]byte(`{"cells":[` + strings.Join(list, ",") + `],"metadata":{},"nbformat":4,"nbformat_minor":5}`))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestMerge(t *testing.T) {
	for name, c := range map[string]struct{ old, own, next, want string }{
		"nothing of the reader's":  {"a:1 b:2", "a:1 b:2", "a:3 b:2 c:4", "a:3 b:2 c:4"},
		"a changed cell":           {"a:1 b:2", "a:1 b:9", "a:3 b:2", "a:3 b:9"},
		"an added cell":            {"a:1 b:2", "a:1 x:9 b:2", "a:3 b:2", "a:3 x:9 b:2"},
		"one added at the top":     {"a:1", "x:9 a:1", "a:2", "x:9 a:2"},
		"one added at the end":     {"a:1", "a:1 x:8 y:9", "a:2 b:3", "a:2 x:8 y:9 b:3"},
		"a removed cell":           {"a:1 b:2", "a:1", "a:3 b:2", "a:3"},
		"removed here, new there":  {"a:1 b:2", "a:1", "a:1 b:3", "a:1 b:3"},
		"both changed a cell":      {"a:1", "a:8", "a:9", "a:9 a-yours:8"},
		"the neighbour is gone":    {"a:1 b:2", "a:1 b:2 x:9", "a:1", "a:1 x:9"},
		"a changed cell that left": {"a:1 b:2", "a:1 b:7", "a:1", "a:1 b:7"},
		"an untouched one left":    {"a:1 b:2", "a:1 b:2", "a:1", "a:1"},
	} {
		merged := Merge(book(t, strings.Fields(c.old)...), book(t, strings.Fields(c.own)...), book(t, strings.Fields(c.next)...))
		var got []string
		for _, cell := range merged.Cells {
			got = append(got, cell.ID()+":"+cell.Source())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %s", name, got, c.want)
		}
		if _, err := merged.Bytes(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFold(t *testing.T) {
	n := book(t, "a:1", "b:2")
	n.Cells[1].raw["metadata"] = map[string]any{}
	n.Fold("check", "hide-input")
	data, err := n.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(data), `"source_hidden": true`) != 1 {
		t.Errorf("got %s", data)
	}
	if !SameSource(n, book(t, "a:1", "b:2")) || SameSource(n, book(t, "a:1", "b:3")) || SameSource(n, book(t, "a:1")) {
		t.Error("the comparison of sources is wrong")
	}
}
