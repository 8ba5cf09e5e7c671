//go:build unix

package explain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/build"
)

// TestWords compares the names of Go in words.txt with what the library declares, so that no remedy leads to what is not there, and looks
// for every name of the README's table for readers of scikit-learn.
func TestWords(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	functions, methods := map[string]bool{}, map[string]bool{} // as prl.SVM, and as Fit
	err = filepath.WalkDir(string(root), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != string(root) && (strings.HasPrefix(name, ".") || name == "cmd" || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, isFunc := d.(*ast.FuncDecl); isFunc && f.Recv == nil {
				functions[file.Name.Name+"."+f.Name.Name] = true
			} else if isFunc {
				methods[f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	table := foreign()
	if len(table) < 200 {
		t.Errorf("only %d words", len(table))
	}
	call, function := regexp.MustCompile(`(\w+|\))?\.([A-Z]\w*)`), regexp.MustCompile(`\b(prl|datasets|excel|parquet)\.([A-Z]\w*)`)
	for word, says := range table {
		for _, m := range function.FindAllStringSubmatch(says, -1) {
			if !functions[m[1]+"."+m[2]] {
				t.Errorf("%s: there is no %s.%s", word, m[1], m[2])
			}
		}
		for _, m := range call.FindAllStringSubmatch(says, -1) {
			switch m[1] {
			case "prl", "datasets", "excel", "parquet", "math", "floats", "fmt", "time":
			default:
				if !methods[m[2]] {
					t.Errorf("%s: nothing has a method %s", word, m[2])
				}
			}
		}
		if functions["prl."+word] {
			t.Errorf("%s is a word of package prl, and needs no other", word)
		}
	}
	text, err := os.ReadFile(filepath.Join(string(root), "prl", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rows, found := strings.Cut(string(text), "| scikit-learn | here |\n|---|---|\n")
	if !found {
		t.Fatal("prl/README.md has no table for readers of scikit-learn")
	}
	rows, _, _ = strings.Cut(rows, "\n\n")
	name := regexp.MustCompile("[`(]([A-Za-z_]+)")
	for row := range strings.Lines(rows) {
		theirs := strings.Split(row, "|")[1]
		for _, code := range regexp.MustCompile("`[^`]+`").FindAllString(theirs, -1) {
			word := name.FindStringSubmatch(code)[1]
			if _, found := abroad(word); !found && word != "model" && !functions["prl."+word] {
				t.Errorf("%s stands in the README, but not in words.txt", word)
			}
		}
	}
}

// TestAbroad asks for words in the ways in which they stand in messages. A name of ours that differs in capitals alone comes first, as does
// one of the reader's own.
func TestAbroad(t *testing.T) {
	for name, want := range map[string]string{
		"prl.RandomForest": "prl.Forest()", "iloc": "t.Rows(0", "FitTransform": ".Transform()", "train_test_split": "set.Split(",
		"TrainTestSplit": "set.Split(", "Sort": `t.Sort("mass")`, "nothing_like_it": "",
	} {
		if got, found := abroad(name); found != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s leads to %q", name, got)
		}
	}
	h := NewHistory()
	for _, c := range []struct {
		text, of, missing, near string
		says, leaves            string
	}{
		{"t.Sort undefined (type T has no field or method Sort)", "T", "Sort", "Part", "t.Sort(", "Part"},
		{"undefined: prl.RandomForest", "prl", "RandomForest", "Range", "prl.Forest()", "Range"},
		{"undefined: means", "", "means", "mean", "Did you mean mean?", "Describe"},
		{"undefined: mean", "", "mean", "means", "Did you mean means?\nFigures of columns", "elsewhere"},
		{"undefined: Ridge", "", "Ridge", "prl.Ridge", "Did you mean prl.Ridge?", "Grid"},
	} {
		m := build.Message{Text: c.text, Of: c.of, Missing: c.missing, Near: []string{c.near}}
		if _, remedy := h.rephrase(1, m); !strings.Contains(remedy, c.says) || strings.Contains(remedy, c.leaves) {
			t.Errorf("%s: %s", c.text, remedy)
		}
	}
}
