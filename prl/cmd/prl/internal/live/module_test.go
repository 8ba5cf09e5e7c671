package live

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/notebook"
)

func root(t *testing.T) checkout.Checkout {
	t.Helper()
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// write makes a notebook of the cells.
func write(t *testing.T, cells []Cell) string {
	t.Helper()
	n, err := notebook.Parse([]byte(`{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		one := notebook.NewCode(c.ID)
		one.SetSource(c.Text)
		n.Cells = append(n.Cells, one)
	}
	path := filepath.Join(t.TempDir(), "01-test.ipynb")
	if err := n.Write(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// A job is a step of a live figure, several times over; a result is what node says of it.
type job [5]any // cell, n, values, draft, times

type result struct {
	Opened        string
	Opening, Best float64 // milliseconds of CPU
	Answer        string
}

// run gives the module to node.
func run(t *testing.T, module []byte, jobs ...job) (results []result) {
	t.Helper()
	script, err := Exec(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	paths := []string{filepath.Join(folder, "wasm_exec.js"), filepath.Join(folder, "module.wasm.gz")}
	for i, text := range [][]byte{script, module} {
		if err := os.WriteFile(paths[i], text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", filepath.Join("testdata", "run.cjs"), paths[0], paths[1], string(list)).Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, out)
	}
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatalf("node: %v\n%s", err, out)
	}
	return results
}

// The module of a notebook answers in a page, and is built once.
func TestModule(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the library once more")
	}
	path := write(t, cells(imports, "func line(slope float64) *plotting.Figure {\n"+
		"\treturn plotting.New(plotting.Line([]float64{0, 1}, []float64{0, slope}))\n}",
		shows(`line(in.Slider("slope", 0, 2))`), "%%\npanic(1)\nprl.Live(nil).Show()"))
	module, err := Module(t.Context(), root(t), path, false)
	if err != nil {
		t.Fatal(err)
	}
	results := run(t, module, job{"c", 0, "[1.5]", true, 1}, job{"d", 0, "[]", true, 1})
	if r := results[0]; r.Opened != "" || !strings.Contains(r.Answer, `"name":"slope"`) || !strings.Contains(r.Answer, `"spec":`) {
		t.Errorf("cell c: %+v", r)
	}
	if r := results[1]; !strings.Contains(r.Opened, "the cell panics: 1") {
		t.Errorf("cell d: %+v", r)
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("PRL_GO", "")
	if _, err := Module(t.Context(), root(t), path, false); err == nil {
		t.Error("without a go program its version is known")
	}
}

func TestModuleOfNothing(t *testing.T) {
	module, err := Module(t.Context(), root(t), write(t, cells(imports, "%%\nprl.Show(1)")), false)
	if module != nil || err != nil {
		t.Errorf("%d bytes, error %v", len(module), err)
	}
}

// What the compiler says names the cell and its line.
func TestModuleDoesNotCompile(t *testing.T) {
	_, err := Module(t.Context(), root(t), write(t, cells(imports, "// a line\nvar a = nowhere", shows("draw(a)"))), false)
	if err == nil || !strings.Contains(err.Error(), "01-test.ipynb: ") ||
		!strings.Contains(err.Error(), "cell b, line 2: undefined: nowhere") {
		t.Error(err)
	}
}
