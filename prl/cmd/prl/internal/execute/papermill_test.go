//go:build unix

package execute_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// TestPapermill executes a notebook with papermill's own command, which is put beside the lab's Python for this: values of every kind come
// after those of the cell with the tag parameters.
func TestPapermill(t *testing.T) {
	if testing.Short() {
		t.Skip("installs papermill")
	}
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	lab := &setup.Lab{Checkout: root, Machine: setup.ThisMachine(), Console: console.New(os.Stderr)}
	if err := lab.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	python, folder, packages := lab.Python(), t.TempDir(), t.TempDir()
	run := func(name string, arguments ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, arguments...)
		cmd.Dir, cmd.Env = folder, append(lab.JupyterEnv(os.Environ()), "PYTHONPATH="+packages)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
		return string(out)
	}
	run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", packages, "papermill==2.7.0")
	cell := func(id, source string, tags ...string) map[string]any {
		return map[string]any{
			"cell_type": "code", "id": id, "metadata": map[string]any{"tags": append([]string{}, tags...)}, "source": source, "outputs": []any{},
			"execution_count": nil,
		}
	}
	text, err := json.Marshal(map[string]any{
		"nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": setup.KernelName, "display_name": "Go", "language": "go"}},
		"cells": []any{
			cell(
				"given", "var gamma = 1.0\nvar rounds = 3\nvar name = \"iris\"\nvar plot = false\nvar widths = []float64{1, 2}\nvar prior = "+
					"map[string]float64{}",
				"parameters",
			),
			cell("said", "%%\nfmt.Println(gamma/2, rounds, name, plot, widths, prior[\"a\"])"),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "in.ipynb"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	given := "{gamma: 2.5, rounds: 7, name: \"a \\\"b\\\" é 😀\", plot: true, widths: [1, 0.5], prior: {a: 0.25}}"
	run(python, "-m", "papermill", "in.ipynb", "out.ipynb", "-y", given)
	written, err := os.ReadFile(filepath.Join(folder, "out.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Cells []struct{ Outputs []struct{ Text any } }
	}
	if err := json.Unmarshal(written, &out); err != nil {
		t.Fatal(err)
	}
	last := out.Cells[len(out.Cells)-1].Outputs
	const want = "1.25 7 a \"b\" é 😀 true [1 0.5] 0.25\n"
	if len(last) != 1 {
		t.Fatalf("outputs %v", last)
	}
	said := ""
	switch text := last[0].Text.(type) {
	case string:
		said = text
	case []any:
		for _, line := range text {
			said += line.(string)
		}
	}
	if said != want {
		t.Errorf("the cell prints %q, not %q", said, want)
	}
	for value, says := range map[string]string{
		"{gamma: .nan}": "must be finite", "{gamma: null}": "needs a value",
		"{widths: [1, a]}": "numbers only",
	} {
		cmd := exec.CommandContext(t.Context(), python, "-m", "papermill", "in.ipynb", "no.ipynb", "-y", value)
		cmd.Dir, cmd.Env = folder, append(lab.JupyterEnv(os.Environ()), "PYTHONPATH="+packages)
		if said, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(said), says) {
			t.Errorf("%s: %v, %s", value, err, said)
		}
	}
}
