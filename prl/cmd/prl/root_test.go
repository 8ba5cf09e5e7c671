package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/verb"
)

// TestWrongCalls has calls that end before anything is set up, and what each must say.
func TestWrongCalls(t *testing.T) {
	for call, want := range map[string]string{
		"run --chek":                        `unknown flag: --chek (did you mean "--check"?)`,
		"run -j x":                          "--jobs x: it needs a whole number",
		"run --timeout 5":                   "--timeout 5: it needs a time with its unit, such as 90s or 2m",
		"run --timeout -1s":                 "--timeout -1s: the shortest time for a cell is 1s",
		"run --fresh":                       "--fresh is of use with --check only",
		"test --jobs 0":                     "--jobs 0: at least one notebook",
		"kernel instal":                     `instal is no verb of go tool prl kernel (did you mean "install"?)`,
		"kernel install --user --prefix /x": "[prefix user]",
		"rum":                               `rum is no verb of go tool prl (did you mean "run"?)`,
		"help rum":                          `rum is no verb of go tool prl (did you mean "run"?)`,
		"help run more":                     "more is no verb of go tool prl run",
		"test more":                         "go tool prl test takes no arguments, such as more\nSee: go tool prl test --help",
		"run --check=perhaps":               "--check perhaps: it needs true or false",
		"kernel install --name ../gonb":     `--name "../gonb": a kernel's name consists of`,
		"kernel remove --name=":             `--name "": a kernel's name consists of`,
		"kernel remove --name ..":           `--name "..": a kernel's name consists of`,
	} {
		command := newRoot()
		command.SetArgs(strings.Fields(call))
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", call, err, want)
		}
	}
}

// TestLinksLittle wants the everyday command free of the models, which only the program measure needs, and of what prints.
func TestLinksLittle(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"cell", "fault", "internal/atomicfile", "internal/seal", "jsontext", "notebook", "number"}
	for path := range strings.FieldsSeq(string(out)) {
		rest, ours := strings.CutPrefix(path, checkout.Module+"/prl/")
		if ours && !strings.HasPrefix(rest, "cmd/") && !slices.Contains(allowed, rest) {
			t.Errorf("the command links %s", path)
		}
		if slices.Contains([]string{"github.com/dop251/goja", "github.com/chromedp/chromedp"}, path) {
			t.Errorf("the command links %s", path)
		}
	}
}

func TestDescribeIsPlain(t *testing.T) {
	said := describe(&execute.Failure{
		Notebook: "a.ipynb", Cell: 1, Cells: 2, ID: "c", Source: "f()", Value: "exit status 1",
		Printed: " \x1b[7m[[ Cell [1] Line 3 ]]\x1b[0m main.go:12: no",
	}, "/")
	if strings.Contains(said, "\x1b") || !strings.Contains(said, "[[ Cell [1] Line 3 ]] main.go:12: no") {
		t.Errorf("%q", said)
	}
}

func TestOutcome(t *testing.T) {
	o := outcome{passed: 1, cells: 1, took: 1234 * time.Millisecond}
	if got, want := o.String(), "1 notebook: 1 passed, 0 failed; 1 cell in 1.2s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// clone makes a folder with the files named in which the command takes itself to be called, and a lab of it.
func clone(t *testing.T, files ...string) (*setup.Lab, *strings.Builder) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "a [clone]")
	for _, name := range append(files, "go.mod") {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("module "+checkout.Module+"\n\ngo 1.26\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	said := &strings.Builder{}
	return &setup.Lab{Checkout: checkout.Checkout(root), Machine: setup.ThisMachine(), Console: console.New(said)}, said
}

func TestFindNotebooks(t *testing.T) {
	lab, said := clone(
		t,
		"notebooks/01-one.ipynb",
		"notebooks/10-ten.ipynb",
		"notebooks/11-eleven.ipynb",
		"notebooks/kernel/x",
		"mine/[a] b.ipynb",
		"mine/c.txt",
	)
	for _, c := range []struct {
		args string // with | between
		want string // with | between, or the error
	}{
		{"", "notebooks/01-one.ipynb|notebooks/10-ten.ipynb|notebooks/11-eleven.ipynb"},
		{"01", "notebooks/01-one.ipynb"},
		{"01-one", "notebooks/01-one.ipynb"},
		{"10-t|mine", "notebooks/10-ten.ipynb|mine/[a] b.ipynb"},
		{"01|notebooks/01-one.ipynb|./notebooks", "notebooks/01-one.ipynb|notebooks/10-ten.ipynb|notebooks/11-eleven.ipynb"},
		{"mine/[a] b.ipynb", "mine/[a] b.ipynb"},
		{"1", `"1" is the beginning of 2 notebooks: 10-ten, 11-eleven`},
		{"*", "*: there is no such notebook or folder"},
		{"01-on.ipynb", `01-on.ipynb: there is no such notebook or folder (did you mean "01-one"?)`},
		{"mine/c.txt", "mine/c.txt is not a notebook (.ipynb)"},
		{"notebooks/kernel", ""},
	} {
		var args []string
		if c.args != "" {
			args = strings.Split(c.args, "|")
		}
		paths, err := verb.Notebooks(lab, args)
		for i, path := range paths {
			paths[i] = checkout.Relative(lab.Path(), path)
			if !filepath.IsAbs(path) {
				paths[i] = filepath.Clean(path)
			}
		}
		got := strings.Join(paths, "|")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.args, got, c.want)
		}
	}
	if got := said.String(); got != "notebooks/kernel holds no notebooks.\n" {
		t.Errorf("said %q", got)
	}
}

// TestWrongNamesBeforeSetUp wants a wrong call told at once, and not after the minutes that a first set-up takes.
func TestWrongNamesBeforeSetUp(t *testing.T) {
	lab, _ := clone(t, "notebooks/kernel/x")
	for call, want := range map[string]string{
		"run nowhere":                  "nowhere: there is no such notebook or folder",
		"run notebooks":                "there are no notebooks to execute",
		"kernel install --name ../../": "a kernel's name consists of",
	} {
		command := newRoot()
		command.SetArgs(strings.Fields(call))
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", call, err, want)
		}
	}
	if _, err := os.Stat(lab.State()); err == nil {
		t.Error("set-up has begun")
	}
}
