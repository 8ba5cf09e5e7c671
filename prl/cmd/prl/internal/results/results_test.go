package results

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/slim"
)

func TestWords(t *testing.T) {
	w := words{imported: map[string]bool{}, named: map[string]bool{}}
	w.add("!*rm 'x\n%env A=1\nimport (\n\tp \"a/b\"\n\t\"c\"\n)\nimport \"d\"\n%%\nfmt.Println(mat.NewDense(1, 1, nil).At(0, 0)) // no.word " +
		"\"e\"\nprl.SVM().C(2).Fit(prl.Iris())\nprl.\n\tShow(1)")
	if got := strings.Join(slices.Sorted(maps.Keys(w.imported)), " "); got != "a/b c d" {
		t.Errorf("imported %q", got)
	}
	for _, name := range []string{"fmt", "mat", "prl"} {
		if !w.named[name] {
			t.Errorf("%s is not named, only %v", name, w.named)
		}
	}
	if w.named["no"] {
		t.Error("a comment names a package")
	}
	if got := strings.Join(w.library, " "); got != "SVM Iris Show" {
		t.Errorf("names of package prl: %q", got)
	}
	for source, renamed := range map[string]bool{
		"import \"" + slim.Library + "\"\n%%\nprl.Show(1)":              false,
		"import (\n\t\"fmt\"\n\t\"" + slim.Library + "\"\n)":            false,
		"import (\"" + slim.Library + "\"; \"fmt\")":                    false,
		"import \"fmt\"; import \"" + slim.Library + "\"":               false,
		"import lab \"" + slim.Library + "\"":                           true,
		"import . \"" + slim.Library + "\"":                             true,
		"import (\n\t\"fmt\"\n\t_ \"" + slim.Library + "\"\n)":          true,
		"%%\nfmt.Println(\"" + slim.Library + "\", `prl`)\nprl.Show(1)": false,
	} {
		w := words{imported: map[string]bool{}, named: map[string]bool{}}
		if w.add(source); w.renamed != renamed {
			t.Errorf("%q: renamed %v, want %v", source, w.renamed, renamed)
		}
	}
}

// TestOpen reads the packages of this clone, those that execute notebooks among them.
func TestOpen(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), &setup.Lab{Checkout: root, Machine: setup.ThisMachine(), Go: setup.Go{Program: "go"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(slices.Clone(executing), checkout.Module+"/prl/svm", checkout.Module+"/plotting") {
		if s.packages[path].id == "" {
			t.Errorf("%s is not read", path)
		}
	}
}

// TestPart changes files of a part, and others.
func TestPart(t *testing.T) {
	key := func(change, text string) string {
		t.Helper()
		root := t.TempDir()
		for name, text := range map[string]string{"image/a": "1", "image/deep/b": "2", "go.mod": "3", "other": "4", change: text} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		k, err := new(Store).Part(root, []string{"image", "go.mod"}, "chromium 1")
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	before := key("other", "4")
	if key("other", "x") != before {
		t.Error("a file that is none of the part's changes its key; or does the place of the clone?")
	}
	for _, name := range []string{"image/a", "image/deep/b", "image/new", "go.mod"} {
		if key(name, "x") == before {
			t.Errorf("%s has changed and the key has not", name)
		}
	}
}

// TestKey changes one thing at a time and wants another key for what a notebook depends on, and for nothing else.
func TestKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "01-one.ipynb")
	write := func(source string) {
		t.Helper()
		text := `{"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": "` + source +
			`"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	store := func() *Store {
		return &Store{dir: filepath.Dir(path), common: "go1", packages: map[string]pack{
			"lab/prl":      {name: "prl", id: "1", deps: []string{"lab/prl/tree"}},
			"lab/prl/tree": {name: "tree", id: "2"},
			"lab/prl/svm":  {name: "svm", id: "3"},
			"lab/save":     {name: "save", id: "4"},
		}}
	}
	key := func(s *Store, timeout time.Duration) string {
		t.Helper()
		k, err := s.Key(path, timeout)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	const source = `import \"lab/prl\"\nvar _ = save.To(1)`
	write(source)
	first := key(store(), time.Minute)
	for name, c := range map[string]struct {
		change func(s *Store)
		other  bool
	}{
		"nothing":                {func(*Store) {}, false},
		"Go":                     {func(s *Store) { s.common = "go2" }, true},
		"an import":              {func(s *Store) { s.packages["lab/prl"] = pack{name: "prl", id: "x", deps: []string{"lab/prl/tree"}} }, true},
		"what an import imports": {func(s *Store) { s.packages["lab/prl/tree"] = pack{name: "tree", id: "x"} }, true},
		"an import to be added":  {func(s *Store) { s.packages["lab/save"] = pack{name: "save", id: "x"} }, true},
		"another package":        {func(s *Store) { s.packages["lab/prl/svm"] = pack{name: "svm", id: "x"} }, false},
	} {
		s := store()
		c.change(s)
		if (key(s, time.Minute) != first) != c.other {
			t.Errorf("%s changed: another key is %v, want %v", name, !c.other, c.other)
		}
	}
	if key(store(), time.Hour) == first {
		t.Error("the timeout is not in the key")
	}
	s := store()
	if err := s.Keep(path, Result{Key: first, Cells: 7}); err != nil {
		t.Fatal(err)
	}
	if r, found := s.Find(path, first); !found || r.Cells != 7 {
		t.Errorf("%v, found %v", r, found)
	}
	write(source + " ")
	if changed := key(store(), time.Minute); changed == first {
		t.Error("another text has the same key")
	} else if _, found := s.Find(path, changed); found {
		t.Error("the result of another text is found")
	}
	if err := os.WriteFile(s.file(path), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, found := s.Find(path, first); found {
		t.Error("a damaged result is found")
	}
}

// TestFamilies changes one family and wants other keys for the notebooks that use it, and for no others.
func TestFamilies(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, "01-one.ipynb")
	key := func(source, family, text string) string {
		t.Helper()
		file("svm.go", "package prl\n\nimport \""+slim.Library+"/svm\"\n\nfunc SVM() { svm.F() }\n"+text)
		file("tree.go", "package prl\n\nimport \""+slim.Library+"/tree\"\n\nfunc Tree() { tree.F() }\n")
		file("show.go", "package prl\n\nfunc Show() {}\n")
		file("live.go", "package prl\n\nfunc Live() {}\n")
		s := &Store{packages: map[string]pack{
			slim.Library:           {name: "prl", id: family, deps: []string{slim.Library + "/svm", slim.Library + "/tree"}},
			slim.Library + "/svm":  {name: "svm", id: family, deps: []string{slim.Library + "/kernel"}},
			slim.Library + "/tree": {name: "tree", id: "1"},
		}}
		ok := false
		if s.files, ok = slim.Read(folder); !ok {
			t.Fatal("package prl cannot be parted")
		}
		cell, _ := json.Marshal(source)
		file(filepath.Base(path), `{"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "source": `+string(cell)+
			`}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`)
		k, err := s.Key(path, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	const begin = "import \"" + slim.Library + "\"\n%%\n"
	for source, uses := range map[string]bool{
		begin + "prl.SVM()":    true,
		begin + "prl.Tree()":   false,
		begin + "prl.Nobody()": true, // the message may speak of all that there is
		"import lab \"" + slim.Library + "\"\n%%\nlab.Tree()":                       true,
		begin + "prl.Tree()\nsvm.G()":                                               true,
		"import (\n\t\"" + slim.Library + "/svm\"\n)\n" + "%%\nprl.Tree()\nsvm.G()": true,
	} {
		before := key(source, "1", "")
		if key(source, "1", "") != before {
			t.Errorf("%q: the key changes by itself", source)
		}
		if changed := key(source, "2", "") != before; changed != uses {
			t.Errorf("%q: another key with another family: %v, want %v", source, changed, uses)
		}
	}
	if key(begin+"prl.SVM()", "1", "// another text\n") == key(begin+"prl.SVM()", "1", "") {
		t.Error("the file of package prl is not in the key")
	}
}
