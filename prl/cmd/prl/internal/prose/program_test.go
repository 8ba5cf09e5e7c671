package prose

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prose/holds"
	"github.com/prlab/prlab/prl/notebook"
)

// A chapter is a notebook of the course.
type chapter struct {
	*notebook.Notebook
	name string
}

// chapters reads the notebooks of the course, without the guides.
func chapters(t *testing.T) (root checkout.Checkout, all []chapter) {
	t.Helper()
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(root.Notebooks(), "[0-9][0-9]-*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasPrefix(filepath.Base(path), "00-") {
			continue
		}
		n, err := notebook.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, chapter{n, strings.TrimSuffix(filepath.Base(path), ".ipynb")})
	}
	if len(all) == 0 {
		t.Fatal("there are no chapters")
	}
	return root, all
}

// A bound chapter is one with the formulas and numbers that are evaluated for it.
type bound struct {
	chapter
	formulas []*formula
	values   []value
}

func (b bound) formulaName(i int) string { return fmt.Sprintf("%s formula %d", b.name, i) }
func (b bound) valueName(i int) string   { return fmt.Sprintf("%s number %d", b.name, i) }

// An evaluation is what came out for one formula or number.
type evaluation struct {
	holds.Result
	planted []mutant
}

// evaluate writes one package for each chapter, builds them as one program and runs it. The packages stand in an overlay, so that the go
// command takes those whose text is unchanged from its cache.
func evaluate(t *testing.T, root checkout.Checkout, all []bound) map[string]evaluation {
	t.Helper()
	results := map[string]evaluation{}
	dir := t.TempDir()
	overlay := map[string]string{}
	const home = checkout.Module + "/prl/cmd/prl/internal/prose"
	put := func(name, text string) {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay[root.Path("prl", "cmd", "prl", "internal", "prose", name)] = file
	}
	imports, calls := "", ""
	for i, b := range all {
		text, err := b.program(results)
		if err != nil {
			t.Fatalf("%s: %v", b.name, err)
		}
		if text == "" {
			continue
		}
		put(fmt.Sprintf("chapters/ch%d/chapter.go", i), text)
		imports += fmt.Sprintf("ch%d %q\n", i, fmt.Sprintf("%s/chapters/ch%d", home, i))
		calls += fmt.Sprintf("ch%d.Run(&h)\n", i)
	}
	put("chapters/main.go",
		"package main\nimport (\n\"os\"\n"+strconv.Quote(home+"/holds")+"\n"+imports+")\nfunc main() {\nvar h holds.Host\n"+
			calls+"if h.Write(os.Stderr) != nil { os.Exit(1) }\n}\n")
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "chapters")
	build := exec.Command("go", "build", "-overlay", list, "-trimpath", "-ldflags=-s -w", "-o", program,
		"./prl/cmd/prl/internal/prose/chapters")
	build.Dir = string(root)
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the formulas do not build: %v\n%s", err, said)
	}
	run := exec.Command(program)
	run.Dir = root.Notebooks()
	var out strings.Builder
	run.Stderr = &out
	if err := run.Run(); err != nil {
		t.Fatalf("the formulas do not run: %v\n%s", err, out.String())
	}
	var got []holds.Result
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, r := range got {
		e := results[r.Name]
		e.Result = r
		results[r.Name] = e
	}
	return results
}

// program writes the package of a chapter, "" when nothing of it is evaluated. The results get the planted mistakes of each formula, and
// what is wrong with those that cannot be written.
func (b bound) program(results map[string]evaluation) (string, error) {
	var body strings.Builder
	for i, f := range b.formulas {
		var one strings.Builder
		name := b.formulaName(i)
		planted, err := f.write(&one, name)
		if err != nil {
			results[name] = evaluation{Result: holds.Result{Name: name, Failed: err.Error()}}
			continue
		}
		results[name] = evaluation{planted: planted}
		body.WriteString(one.String())
	}
	for i, v := range b.values {
		fmt.Fprintf(&body, "prlHost.Number(%q, %g, %d, func() float64 { return float64(%s) })\n",
			b.valueName(i), v.printed.value, v.printed.decimals, v.code)
	}
	if body.Len() == 0 {
		return "", nil
	}
	imports, declarations, err := live.Slice(live.Cells(b.Notebook, false), body.String())
	if err != nil {
		return "", err
	}
	if !slices.Contains(imports, `"math"`) {
		imports = append(imports, `"math"`)
	}
	return "package chapter\n\nimport (\n" + strings.Join(imports, "\n") + "\nprlRand \"math/rand/v2\"\nprlHolds \"" + checkout.Module +
		"/prl/cmd/prl/internal/prose/holds\"\n)\n" + declarations + "\nvar _ = math.Pi\nvar _ *prlRand.Rand\n\n//line " + b.name +
		"-text.go:1\nfunc Run(prlHost *prlHolds.Host) {\n" + body.String() + "}\n", nil
}
