package setup

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
)

func emptyLab(t *testing.T) (*Lab, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	return &Lab{Checkout: checkout.Checkout(t.TempDir()), Machine: ThisMachine(), Console: console.New(&out)}, &out
}

func TestStepIsDoneOnceAndAgainAfterAnInterrupt(t *testing.T) {
	lab, _ := emptyLab(t)
	product := lab.State("product")
	interrupted := errors.New("interrupted")
	runs, fail := 0, true
	s := step{name: "s", title: "Step", key: "1", there: []string{product}, make: func(context.Context, *console.Step) error {
		runs++
		if fail {
			return interrupted
		}
		return writeFile(product, nil, 0o644)
	}}
	if err := lab.do(t.Context(), s); err != interrupted || lab.done(s) {
		t.Fatalf("an interrupted step counts as done (%v)", err)
	}
	fail = false
	if err := lab.do(t.Context(), s); err != nil || !lab.done(s) {
		t.Fatalf("a finished step does not count as done (%v)", err)
	}
	if runs != 2 {
		t.Errorf("%d runs, want 2", runs)
	}
	s.key = "2"
	if lab.done(s) {
		t.Error("done although its inputs have changed")
	}
	s.key = "1"
	os.Remove(product)
	if lab.done(s) {
		t.Error("done although its product is gone")
	}
}

func TestLibraryThatDoesNotCompileIsToldAndDoesNotStopTheLab(t *testing.T) {
	lab, out := emptyLab(t)
	s := step{name: "caches", title: "Caches", make: func(context.Context, *console.Step) error {
		return &unwarmed{errors.New("x.go:1: syntax error")}
	}}
	if err := lab.do(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if lab.done(s) || !strings.Contains(out.String(), "x.go:1: syntax error") {
		t.Errorf("said %q", out.String())
	}
}

func TestKernelOfAnotherIsNeitherReplacedNorRemoved(t *testing.T) {
	lab, _ := emptyLab(t)
	dir := KernelDir(fake("linux", "", nil, nil), "/home/x", t.TempDir(), KernelName)
	if err := RemoveKernel(dir); err == nil || !strings.Contains(err.Error(), "no kernel is registered") {
		t.Errorf("remove without a kernel: %v", err)
	}
	other := []byte(`{"argv": ["/usr/bin/gonb", "--kernel", "{connection_file}"], "display_name": "Go (gonb)", "language": "go"}`)
	if err := writeFile(filepath.Join(dir, "kernel.json"), other, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := lab.InstallKernel(dir, false); err == nil || !strings.Contains(err.Error(), "kernel install --force") {
		t.Errorf("install over another kernel: %v", err)
	}
	if err := RemoveKernel(dir); err == nil || !strings.Contains(err.Error(), "it stays") {
		t.Errorf("remove another kernel: %v", err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "kernel.json")); !bytes.Equal(text, other) {
		t.Error("the other kernel was changed")
	}
	if err := lab.InstallKernel(dir, true); err != nil {
		t.Fatal(err)
	}
	if err := RemoveKernel(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("the kernel is still there")
	}
}

func TestKernelDir(t *testing.T) {
	plain := fake("linux", "", nil, nil)
	withVar := func(system, name, value string) Machine {
		m := fake(system, "", nil, nil)
		m.Getenv = func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}
		return m
	}
	for _, c := range []struct {
		m      Machine
		prefix string
		want   string
	}{
		{plain, "", "/home/x/.local/share/jupyter/kernels/gonb"},
		{plain, "/venv", "/venv/share/jupyter/kernels/gonb"},
		{fake("darwin", "", nil, nil), "", "/home/x/Library/Jupyter/kernels/gonb"},
		{withVar("linux", "XDG_DATA_HOME", "/data"), "", "/data/jupyter/kernels/gonb"},
		{withVar("linux", "JUPYTER_DATA_DIR", "/jup"), "", "/jup/kernels/gonb"},
		{withVar("linux", "JUPYTER_DATA_DIR", "/jup"), "/venv", "/venv/share/jupyter/kernels/gonb"},
	} {
		if got := KernelDir(c.m, "/home/x", c.prefix, "gonb"); got != c.want {
			t.Errorf("prefix %q: got %s, want %s", c.prefix, got, c.want)
		}
	}
}

func TestJupyterEnvKeepsOutOfThePersonsConfiguration(t *testing.T) {
	lab, _ := emptyLab(t)
	env := lab.JupyterEnv(
		[]string{"HOME=/home/x", "JUPYTER_CONFIG_DIR=/home/x/.jupyter", "JUPYTER_PATH=/p", "PYTHONPATH=/q", "JUPYTER_TOKEN=t"},
	)
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		switch name {
		case "HOME", "JUPYTER_TOKEN", "JUPYTER_PLATFORM_DIRS":
		default:
			if !strings.HasPrefix(value, lab.State()) {
				t.Errorf("%s is outside %s", entry, lab.State())
			}
		}
	}
}

// A clone may stand in a folder with blanks, which go.mod and go.work take in quotes only.
func TestCellOfACloneInAFolderWithBlanks(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a path with spaces, [1] and a 'quote'")
	for name, text := range map[string]string{
		"go.mod":     "module " + checkout.Module + "\n\ngo 1.26\n",
		"prl/prl.go": "package prl\n\nfunc F() {}\n",
	} {
		if err := writeFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	if err := WriteCell(dir, root, "package main\n\nimport \""+checkout.Module+"/prl\"\n\nfunc main() { prl.F() }\n"); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "cell"))
	build.Dir, build.Env = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=")
	if said, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestRequirementsAreLocked(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile(root.Path("notebooks", "kernel", "requirements.txt"))
	if err != nil {
		t.Fatal(err)
	}
	n := countRequirements(lock)
	if n < 40 || n > 120 {
		t.Errorf("%d requirements", n)
	}
	lines := strings.Split(string(lock), "\n")
	for i, line := range lines {
		if strings.Contains(line, "==") && !strings.HasPrefix(line, " ") && !strings.HasPrefix(lines[i+1], "    --hash=sha256:") {
			t.Errorf("line %d has no hash: %s", i+1, line)
		}
	}
	if strings.Contains(string(lock), "://") {
		t.Error("the lock names a host")
	}
}

// A doctor without Go must not take for damaged what it cannot look at.
func TestDoctorWithoutGo(t *testing.T) {
	lab, _ := emptyLab(t)
	lab.Machine = fake("linux", debian, nil, nil)
	self, err := os.ReadFile(os.Args[0]) // a Go program
	if err != nil {
		t.Fatal(err)
	}
	if err := writeFile(lab.Bin("gonb"), self, 0o755); err != nil {
		t.Fatal(err)
	}
	states := map[string]Finding{}
	for _, f := range lab.Examine(t.Context()) {
		states[f.Name] = f
	}
	if f := states["gonb"]; !f.Well || !strings.HasSuffix(f.State, lab.Bin("gonb")) {
		t.Errorf("gonb is there: %+v", f)
	}
	if f := states["goimports"]; f.Well || f.Remedy != setUp {
		t.Errorf("goimports is not there: %+v", f)
	}
	if f := states["Module cache"]; f.Well || f.State != "not known, because Go is missing" || f.Remedy != states["Go"].Remedy {
		t.Errorf("the module cache without Go: %+v", f)
	}
}
