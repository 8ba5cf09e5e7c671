//go:build unix

package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// labKernel is a kernel in which the lab can be imported.
func labKernel(t *testing.T) (*kernel, checkout.Checkout) {
	t.Helper()
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	k := newKernel(t)
	mod, err := os.ReadFile(root.Path("go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(root.Path("go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(mod), "\n")
	k.write("go.mod", "module gonb_x\n"+rest+"\nrequire "+checkout.Module+" v0.0.0\n\nreplace "+checkout.Module+" => "+string(root)+"\n")
	k.write("go.sum", string(sums))
	return k, root
}

// linked tells of packages whether the program has functions of them, which its table of functions names.
func (k *kernel) linked(paths ...string) (found []string) {
	k.t.Helper()
	program, err := os.ReadFile(filepath.Join(k.dir, "program"))
	if err != nil {
		k.t.Fatal(err)
	}
	for _, path := range paths {
		if strings.Contains(string(program), path+".") {
			found = append(found, strings.TrimPrefix(path, checkout.Module+"/"))
		}
	}
	return found
}

// TestSlim looks that a cell links of the lab what it needs, and that it says and shows what it would with all of it.
func TestSlim(t *testing.T) {
	k, _ := labKernel(t)
	const svm, live, plot = checkout.Module + "/prl/svm", checkout.Module + "/prl/live", checkout.Module + "/plotting"
	imports := "\t\"fmt\"\n\t\"" + checkout.Module + "/plotting\"\n\t\"" + checkout.Module + "/prl\"\n\t\"gonum.org/v1/gonum/mat\"\n"
	earlier := "func drawn() *plotting.Figure { return prl.Rings(40, 0.1, 1).Scatter() }\n\n" +
		"func fitted() float64 { return prl.SVM().Fit(prl.Rings(40, 0.1, 1)).Accuracy(prl.Rings(40, 0.1, 2)) }\n\n" +
		"var eye = mat.NewDense(2, 2, []float64{1, 0, 0, 1})\n"
	all := earlier + "\nfunc main2() { fmt.Println(drawn(), fitted(), eye) }\n"
	k.build(Cell{}, imports, all, "\tfmt.Println(drawn() != nil, fitted(), mat.Sum(eye))") // compiles the packages
	if _, out := k.build(Cell{}, imports, all, "\tfmt.Println(drawn() != nil, fitted() > 0.2, mat.Sum(eye))"); out != "true true 2\n" {
		t.Fatalf("got %q", out)
	}
	for name, c := range map[string]struct {
		cell    Cell
		body    string
		out     string // a part of it
		linked  []string
		refused string
	}{
		"arithmetic": {Cell{}, "\tfmt.Println(6 * 7)", "42\n", nil, ""},
		"check":      {Cell{}, "\tprl.Check(\"\", \"one and one\").Equal(1+1, 2)", "one and one", nil, ""},
		"numbers":    {Cell{}, "\tfmt.Println(len(prl.Range(0, 1, 0.25)))", "5\n", nil, ""},
		"value":      {Cell{Value: true}, "\tprlShowValue(6 * 7)", "42", nil, ""},
		"matrix":     {Cell{Value: true}, "\tprlShowValue(eye)", "1", nil, ""},
		"model": {Cell{}, "\tfmt.Println(prl.SVM().Fit(prl.Rings(40, 0.1, 1)).Accuracy(prl.Rings(40, 0.1, " +
			"2)) > 0.2)", "true\n", []string{"prl/svm", "prl/live", "plotting"}, ""},
		"figure":      {Cell{}, "\tfmt.Println(plotting.New().Title(\"a\") != nil)", "true\n", []string{"prl/live", "plotting"}, ""},
		"unknown":     {Cell{}, "\tprl.SWM()", "", nil, "undefined: prl.SWM"},
		"wrong type":  {Cell{}, "\tprl.Check(1, 2)", "", nil, "cannot use 1 (untyped int constant) as string value in argument to prl.Check"},
		"other names": {Cell{}, "\tprl := 1\n\tfmt.Println(prl)", "1\n", nil, ""},
	} {
		r, out := k.build(c.cell, imports, all, c.body)
		if c.refused != "" {
			if !r.Failed || len(r.Messages) == 0 || !strings.Contains(r.Messages[0].Text, c.refused) {
				t.Errorf("%s: %+v, want %q", name, r, c.refused)
			}
			continue
		}
		if r.Failed || !strings.Contains(out, c.out) {
			t.Errorf("%s: %q, %+v", name, out, r)
		}
		if linked := k.linked(svm, live, plot); !slices.Equal(linked, c.linked) {
			t.Errorf("%s: links %v, want %v", name, linked, c.linked)
		}
	}
	packages, _ := filepath.Glob(filepath.Join(k.store, "packages", "*.a"))
	if len(packages) < 4 {
		t.Errorf("%d packages are kept", len(packages))
	}
}

// TestIdle looks that packages whose import may be dropped register nothing but models.
func TestIdle(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-f", "{{$p := .}}{{range .GoFiles}}{{$p.ImportPath}} "+
		"{{$p.Dir}}/{{.}}\n{{end}}", "./prl/...", "./plotting/...", "./datasets/...")
	cmd.Dir = string(root)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"prl/kernel", "prl/boost", "prl/live", "prl/sufficient/prlbeam", "plotting/echartsx", "plotting/gonumx"}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		path = strings.TrimPrefix(path, checkout.Module+"/")
		if strings.Contains(path, "/cmd/") || strings.HasPrefix(path, "prl/sufficient/prlbeam/") || slices.Contains(allowed, path) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc init() {") {
			t.Errorf("%s: import %s does something; say whether a cell that names nothing of it may go without (idle)", file, path)
		}
	}
}
