package live

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// TestStates draws every live figure of every notebook in all of its states (see States of package live): its checks hold, it has a title,
// nothing leaves its panel, and no nodes and texts overlap, at its own width, which is that of paper too, and on a screen of 360 pixels.
// Light and dark pages share their geometry. One chapter alone: go test -run TestStates/08.
func TestStates(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles every notebook with live figures")
	}
	paths, err := filepath.Glob(filepath.Join(root(t).Notebooks(), "*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d notebooks, %v", len(paths), err)
	}
	for _, path := range paths {
		chapter := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		t.Run(chapter, func(t *testing.T) { testStates(t, path) })
	}
}

func testStates(t *testing.T, path string) {
	n, err := notebook.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	program, ids, err := Program(Cells(n, false))
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) == 0 {
		return
	}
	machine := startMachine(t, program)
	found := map[string][]string{}
	for _, id := range ids {
		for k := 0; ; k++ {
			answer := machine.ask(t, fmt.Sprintf("%s %d states 0,360", id, k))
			var faults []string
			if err := json.Unmarshal([]byte(answer), &faults); err != nil {
				t.Fatalf("%s: %v: %s", id, err, answer)
			}
			if faults == nil {
				if k == 0 {
					t.Errorf("%s shows no live figure", id)
				}
				break
			}
			for _, f := range faults {
				_, kind, _ := strings.Cut(f, ": ")
				kind, _, _ = strings.Cut(kind, ": ")
				name := id + " " + strconv.Itoa(k) + " " + kind
				found[name] = append(found[name], f)
			}
		}
	}
	const some = 6
	for name, faults := range found {
		t.Errorf("%s, in %d states:\n\t%s", name, len(faults), strings.Join(faults[:min(len(faults), some)], "\n\t"))
	}
}
