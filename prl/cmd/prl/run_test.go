package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/results"
)

// texts is a memory whose keys are the texts of notebooks.
type texts struct {
	now, kept map[string]string
	full      bool // keeps nothing
}

func (m *texts) Key(path string, timeout time.Duration) (string, error) {
	return fmt.Sprint(m.now[path], timeout), nil
}

func (m *texts) Find(path, key string) (results.Result, bool) {
	return results.Result{Key: key, Cells: 3}, m.kept[path] == key
}

func (m *texts) Keep(path string, r results.Result) error {
	if m.full {
		return errors.New("the disk is full")
	}
	m.kept[path] = r.Key
	return nil
}

// TestRecall checks two notebooks of the lab and one that lies elsewhere, again and again, with one thing changed each time.
func TestRecall(t *testing.T) {
	lab, said := clone(t, "notebooks/01-one.ipynb", "notebooks/02-two.ipynb", "mine/01-one.ipynb")
	one, two, other := lab.Path("notebooks", "01-one.ipynb"), lab.Path("notebooks", "02-two.ipynb"), lab.Path("mine", "01-one.ipynb")
	m := &texts{map[string]string{one: "a", two: "b", other: "a"}, map[string]string{}, false}
	lost, failing, changing := false, "", "" // what goes wrong in a run
	check := func(fresh bool, want string) {
		t.Helper()
		said.Reset()
		var ran []string
		open := func() (memory, error) {
			if lost {
				return nil, errors.New("it does not compile")
			}
			return m, nil
		}
		o, err := recall(lab, open, []string{one, two, other}, runOptions{check: true, fresh: fresh, timeout: time.Minute},
			func(paths []string) (outcome, error) {
				o := outcome{results: make([]*execute.Result, len(paths))}
				for i, path := range paths {
					name, _ := strings.CutPrefix(path, lab.Path()+"/")
					ran = append(ran, strings.TrimSuffix(name, ".ipynb"))
					if path == changing {
						m.now[path] += "changed"
					}
					if path == failing {
						o.failed++
						continue
					}
					o.passed, o.cells, o.results[i] = o.passed+1, o.cells+3, &execute.Result{Cells: 3}
				}
				return o, nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(ran, " "); got != want {
			t.Errorf("run: %s, want %s", got, want)
		}
		if n := 3 - o.failed; o.passed != n || o.cells != 3*n || o.took <= 0 {
			t.Errorf("%d passed with %d cells in %s, %d failed", o.passed, o.cells, o.took, o.failed)
		}
		if n := strings.Count(said.String(), "(cached)  3 cells"); n != 3-len(ran) {
			t.Errorf("%d cached, want %d: %s", n, 3-len(ran), said)
		}
	}
	const all, elsewhere = "notebooks/01-one notebooks/02-two mine/01-one", "mine/01-one"
	check(false, all)
	check(false, elsewhere)
	check(true, all)
	m.now[two] = "c"
	failing = two
	check(false, "notebooks/02-two mine/01-one")
	check(false, "notebooks/02-two mine/01-one")
	failing, changing = "", two
	check(false, "notebooks/02-two mine/01-one")
	changing = ""
	check(false, "notebooks/02-two mine/01-one")
	check(false, elsewhere)
	lost = true
	check(false, all)
	if !strings.Contains(said.String(), "it does not compile") {
		t.Errorf("nothing says why: %s", said)
	}
	lost, m.full, m.kept = false, true, map[string]string{}
	check(false, all)
	if !strings.Contains(said.String(), "01-one.ipynb has passed, which cannot be remembered: the disk is full") {
		t.Errorf("nothing says that nothing was kept: %s", said)
	}
}
