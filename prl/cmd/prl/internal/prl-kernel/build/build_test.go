//go:build unix

package build

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
)

// rootVar names the clone to the program go of a test.
const rootVar = "PRL_TEST_ROOT"

// The test's own program is the program go, as the launcher is.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "go" {
		Main(checkout.Checkout(os.Getenv(rootVar)), os.Args[1:])
	}
	os.Exit(m.Run())
}

// kernel is a folder as GoNB makes it.
type kernel struct {
	t                *testing.T
	dir, talk, store string
	program          string
	environment      []string
}

func newKernel(t *testing.T) *kernel {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	goProgram, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	k := &kernel{t: t, dir: t.TempDir(), talk: t.TempDir(), store: t.TempDir(), program: filepath.Join(t.TempDir(), "go")}
	if err := os.Symlink(self, k.program); err != nil {
		t.Fatal(err)
	}
	k.write("go.mod", "module gonb_x\n\ngo 1.26\n")
	k.environment = append(
		goenv.Without(os.Environ(), "GOFLAGS", "GOPROXY", "GOWORK", "PRL_*"),
		goenv.GoVar+"="+goProgram,
		DirVar+"="+k.talk,
		StoreVar+"="+k.store,
		"GOFLAGS=-ldflags=-s",
		"GOPROXY=off",
		"GOTOOLCHAIN=local",
	)
	return k
}

func (k *kernel) write(name, text string) {
	k.t.Helper()
	if err := os.WriteFile(filepath.Join(k.dir, name), []byte(text), 0o644); err != nil {
		k.t.Fatal(err)
	}
}

// archives are those of the packages that cells have imported.
func (k *kernel) archives() map[string]string {
	k.t.Helper()
	files, _ := filepath.Glob(filepath.Join(k.store, "imports", "*.json"))
	if len(files) != 1 {
		k.t.Fatalf("%d files about imports", len(files))
	}
	var known kept
	text, err := os.ReadFile(files[0])
	if err != nil || json.Unmarshal(text, &known) != nil {
		k.t.Fatalf("%v, %s", err, text)
	}
	return known.archives()
}

// build builds main.go with the body and runs it.
func (k *kernel) build(cell Cell, imports, declarations, body string) (Report, string) {
	k.t.Helper()
	text, _ := json.Marshal(cell)
	if err := os.WriteFile(filepath.Join(k.talk, "cell.json"), text, 0o644); err != nil {
		k.t.Fatal(err)
	}
	k.write(
		"main.go",
		"package main\n\nimport (\n\t\"flag\"\n"+imports+")\n\n"+declarations+"\n\nfunc main() {\n\tflag.Parse()\n"+body+"\n}\n",
	)
	output := filepath.Join(k.dir, "program")
	cmd := exec.Command(k.program, "build", "-o", output)
	cmd.Dir, cmd.Env = k.dir, k.environment
	out, err := cmd.CombinedOutput()
	var r Report
	report, readErr := os.ReadFile(filepath.Join(k.talk, "build.json"))
	if readErr != nil || json.Unmarshal(report, &r) != nil {
		k.t.Fatalf("no report: %v, %s", readErr, out)
	}
	if (err != nil) != r.Failed {
		k.t.Fatalf("%v, but the report says %+v\n%s", err, r, out)
	}
	if r.Failed {
		return r, string(out)
	}
	run := exec.Command(output)
	run.Dir, run.Env = k.dir, append(k.environment, "GONB_TMP_DIR="+k.dir)
	out, _ = run.CombinedOutput()
	return r, string(out)
}

func TestBuild(t *testing.T) {
	k := newKernel(t)
	imports := "\t\"fmt\"\n"
	if _, out := k.build(Cell{}, imports, "", "\tfmt.Println(1)"); out != "1\n" {
		t.Fatalf("got %q", out)
	}
	kept, _ := filepath.Glob(filepath.Join(k.store, "imports", "*.json"))
	if len(kept) != 1 {
		t.Fatalf("%d configurations are kept", len(kept))
	}
	if _, out := k.build(Cell{}, imports, "", "\tfmt.Println(2)"); out != "2\n" {
		t.Errorf("got %q", out)
	}
	k.build(Cell{}, imports, "", "\tfmt.Println(3")
	if known, err := os.ReadFile(filepath.Join(k.talk, KnownFile)); err != nil || !strings.Contains(string(known), "Println(2)") {
		t.Errorf("%v; remembered is not what was built last:\n%s", err, known)
	}
	programs, _ := filepath.Glob(filepath.Join(k.store, "programs", "*"))
	if len(programs) != 1 {
		t.Errorf("%d programs are kept", len(programs))
	}
	if _, out := k.build(Cell{}, imports, "", "\tfmt.Println(2)"); out != "2\n" {
		t.Errorf("a kept program: %q", out)
	}
	if again, _ := filepath.Glob(filepath.Join(k.store, "programs", "*")); len(again) != 1 {
		t.Errorf("the same program is kept %d times", len(again))
	}
	// A place in the program is one of main.go, without the folder of the kernel.
	if _, out := k.build(Cell{}, imports, "", "\tvar m map[string]int\n\tm[fmt.Sprint(1)] = 1"); !strings.Contains(out, "\tmain.go:13 ") {
		t.Errorf("got %q", out)
	}
}

func TestAdditions(t *testing.T) {
	k := newKernel(t)
	imports := "\t\"fmt\"\n"
	for name, c := range map[string]struct {
		cell                        Cell
		imports, declarations, body string
		out                         string
	}{
		"unused": {Cell{}, imports, "", "\ta, b := 1, 2\n\tfor i, v := range []int{3} {\n\t}\n\tif c := 1; true {\n" +
			"\t}\n\tvar d int\n\tfmt.Println(b)", "2\n"},
		"unused in a switch": {Cell{}, imports, "", "\tswitch {\n\tcase true:\n\t\tx := 1\n\t\tfmt.Println(2)\n\t}", "2\n"},
		"unused in Greek":    {Cell{}, imports, "", "\tσ, b := 1, 2\n\tfmt.Println(b)", "2\n"},
		"unused with a dot":  {Cell{}, imports + "\t. \"math\"\n", "", "\ta := 1\n\tfmt.Println(2)", "2\n"},
		"value":              {Cell{Value: true}, "", "", "\tprlShowValue(1 + 1)", "2\n"},
		"values":             {Cell{Value: true}, "\t\"strconv\"\n", "", "\tprlShowValue(strconv.Atoi(\"7\"))", "7\n"},
		"no value":           {Cell{Value: true}, imports, "func f() { fmt.Println(\"f\") }", "\tprlShowValue(f())", "f\n"},
		"function": {Cell{Value: true}, "", "func f() {}", "\tprlShowValue(f)", "a function; to call it, put its " +
			"arguments in brackets behind it: func()\n"},
		"initialiser": {
			Cell{Names: []string{"v"}},
			imports, "func f() int { fmt.Println(\"f\"); return 1 }\n\nvar v = f()",
			"\tfmt.Println(v)", "f\n1\n",
		},
		"initialiser of another cell": {
			Cell{},
			imports, "func f() int { fmt.Println(\"f\"); return 1 }\n\nvar v, w float64 = float64(f()), 2",
			"\tfmt.Println(v)", "1\n",
		},
		"initialiser with two results": {
			Cell{},
			imports, "func f() (int, error) { return 1, nil }\n\nvar v, err = f()", "\tfmt.Println(v, err)",
			"1 <nil>\n",
		},
		"no keyboard": {Cell{}, imports, "", "\tvar s string\n\t_, err := fmt.Scanln(&s)\n\tfmt.Println(err)", "EOF\n"},
	} {
		if r, out := k.build(c.cell, c.imports, c.declarations, c.body); r.Failed || out != c.out {
			t.Errorf("%s: %q, %+v", name, out, r)
		}
	}
}

func TestMessages(t *testing.T) {
	k := newKernel(t)
	r, _ := k.build(
		Cell{Value: true},
		"\t\"fmt\"\n\t\"strings\"\n",
		"type T struct{ Width int }\n\nfunc (T) Regions() int { return 0 }\n\nvar t = T{}",
		"\tunused := 1\n\tfmt.Println(strings.ToUper(\"a\"))\n\tfmt.Println(tt)\n\tprlShowValue(t.Regons())",
	)
	if len(r.Messages) != 3 {
		t.Fatalf("got %+v", r)
	}
	for i, want := range []Message{
		{Line: 18, Column: 22, Missing: "ToUper", Of: "strings", Near: []string{"ToUpper"}},
		{Line: 19, Column: 14, Missing: "tt", Near: []string{"T"}},
		{Line: 20, Missing: "Regons", Of: "T", Near: []string{"Regions"}},
	} {
		m := r.Messages[i]
		if m.Line != want.Line || want.Column != 0 && m.Column != want.Column || m.Missing != want.Missing || m.Of != want.Of ||
			len(m.Near) == 0 ||
			m.Near[0] != want.Near[0] {
			t.Errorf("got %+v, want %+v", m, want)
		}
	}
}

// TestChangedPackage looks that a package that has changed is compiled again.
func TestChangedPackage(t *testing.T) {
	k := newKernel(t)
	own := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/own\n\ngo 1.26\n")
	write("own.go", "package own\n\nconst N = 1\n")
	k.write("go.work", "go 1.26\n\nuse (\n\t.\n\t"+own+"\n)\n")
	for i, want := range []string{"1\n", "1\n", "2\n", "3\n"} {
		switch i {
		case 2:
			write("own.go", "package own\n\nconst N = 2\n")
		case 3:
			write("more.go", "package own\n\nvar more = 1\n\nfunc init() { M++ }\n\nvar M = N + more - 1\n")
		}
		name := "own.N"
		if i == 3 {
			name = "own.M"
		}
		if _, out := k.build(Cell{}, "\t\"fmt\"\n\t\"example.org/own\"\n", "", "\tfmt.Println("+name+")"); out != want {
			t.Errorf("build %d: %q, want %q", i, out, want)
		}
	}
}

// TestKeptPrograms counts programs: one stays of use though other cells import other packages, and in another kernel, but not when what is
// behind one of its imports changes.
func TestKeptPrograms(t *testing.T) {
	k := newKernel(t)
	own := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Join(own, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/own\n\ngo 1.26\n")
	write("own.go", "package own\n\nimport \"example.org/own/deep\"\n\nfunc N() int { return deep.N() }\n")
	write("deep/deep.go", "package deep\n\nimport \"example.org/own/deeper\"\n\n//go:noinline\nfunc N() int { return deeper.N() }\n")
	write("deeper/deeper.go", "package deeper\n\n//go:noinline\nfunc N() int { return 1 }\n")
	k.write("go.work", "go 1.26\n\nuse (\n\t.\n\t"+own+"\n)\n")
	expect := func(when, imports, body, want string, programs int) {
		t.Helper()
		if _, out := k.build(Cell{}, "\t\"fmt\"\n"+imports, "", "\tfmt.Println("+body+")"); out != want+"\n" {
			t.Errorf("%s: %q, want %q", when, out, want)
		}
		if kept, _ := filepath.Glob(filepath.Join(k.store, "programs", "*")); len(kept) != programs {
			t.Errorf("%s: %d programs are kept, want %d", when, len(kept), programs)
		}
	}
	const imports = "\t\"example.org/own\"\n"
	expect("with packages that are compiled for it", imports, "own.N()", "1", 0)
	expect("built by the command go", imports, "own.N()", "1", 0)
	expect("kept", imports, "own.N()", "1", 1)
	expect("more packages", "\t\"strings\"\n\t\"encoding/xml\"\n", `strings.ToUpper("a"), xml.Header != ""`, "A true", 1)
	expect("of use after that", imports, "own.N()", "1", 1)
	k.write("go.mod", "module gonb_y\n\ngo 1.26\n")
	expect("of use in another kernel", imports, "own.N()", "1", 1)
	write("deeper/deeper.go", "package deeper\n\n//go:noinline\nfunc N() int { return 2 }\n")
	expect("changed behind the import", imports, "own.N()", "2", 1)
	expect("changed behind the import, built by the command go", imports, "own.N()", "2", 1)
	expect("changed behind the import, kept", imports, "own.N()", "2", 2)
}

func TestOtherCalls(t *testing.T) {
	k := newKernel(t)
	tells := filepath.Join(t.TempDir(), "tells")
	if err := os.WriteFile(tells, []byte("#!/bin/sh\necho \"$* GOGC=$GOGC GOPROXY=$GOPROXY\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, env, want string
		fails           bool
	}{
		{"test -c", "", "test -c GOGC=off GOPROXY=off\n", false},
		{"list ./...", "", "list ./... GOGC= GOPROXY=off\n", false},
		{"build ./...", "", "build ./... GOGC=off GOPROXY=off\n", false},
		{"get", "", "", false},
		{"get", "PRL_FETCH=1", "get GOGC= GOPROXY=\n", false},
		{"get example.org/x", "", "go get: nothing is fetched, because the lab works without the network. To allow it, run a cell with the " +
			"line\n" +
			"    %env PRL_FETCH=1\nand then this one again. It holds until the kernel is restarted.\n", true},
	} {
		cmd := exec.Command(k.program, strings.Fields(c.args)...)
		cmd.Env = append(goenv.Without(k.environment, "GOGC"), goenv.GoVar+"="+tells, c.env)
		out, err := cmd.CombinedOutput()
		if string(out) != c.want || (err != nil) != c.fails {
			t.Errorf("go %s (%s): got %q, %v; want %q", c.args, c.env, out, err, c.want)
		}
	}
}
