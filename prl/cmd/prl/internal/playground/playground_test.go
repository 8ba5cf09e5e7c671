package playground

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground/trial"
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

// parting takes archives apart that are given as JSON, in base64, and prints them in the order of the list.
const parting = `const { data, blocks, list } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const tell = (p, archive) => console.log(Buffer.from(archive).toString("base64"));
archives(Uint8Array.from(Buffer.from(data, "base64")), blocks, list, tell);`

// whole is an archive put together again from its pieces.
func whole(a archive) (all []byte) {
	for _, p := range a.pieces {
		all = slices.Concat(all, p.before, bytes.Join(p.blocks, nil))
	}
	return append(all, a.rest...)
}

// The page takes apart what is joined: archives of real packages, some with objects of the assembler. Those that are damaged are refused.
func TestJoined(t *testing.T) {
	list, notices, err := archives(t.Context(), root(t), []string{"fmt", "gonum.org/v1/gonum/floats"})
	if err != nil {
		t.Fatal(err)
	}
	for _, owner := range []string{"The Gonum Authors", "gonum.org/v1/gonum, LICENSE:"} {
		if !strings.Contains(notices, owner) {
			t.Errorf("the notices do not name %s", owner)
		}
	}
	goroot, err := live.GoRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	debug, err := debugKinds(goroot)
	if want := []byte{12, 13, 14, 15, 16, 17, 18, 19, 20, 21}; err != nil || !bytes.Equal(debug, want) { // of Go 1.26
		t.Fatalf("the kinds of symbols for debuggers: %v, %v", debug, err)
	}
	var want [][]byte
	before := 0
	for i := range list {
		before += len(list[i].content)
		list[i].imported = i%2 == 0
	}
	if err := apart(list, debug); err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		want = append(want, whole(a))
	}
	damaged := list[len(list)-1].content
	all, entries := joined(list)
	if len(all) >= before {
		t.Errorf("%d bytes are %d without what debuggers and importers read", before, len(all))
	}
	given, err := json.Marshal(map[string]any{"data": base64.StdEncoding.EncodeToString(all), "blocks": forms(), "list": entries})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "-e", toolchainScript+parting)
	cmd.Stdin = bytes.NewReader(given)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Fields(string(out)) {
		if line != base64.StdEncoding.EncodeToString(want[i]) {
			t.Errorf("package %s comes back as another", entries[i].Path)
		}
	}
	if n := len(strings.Fields(string(out))); n != len(want) || n < 40 {
		t.Errorf("%d of %d packages come back", n, len(want))
	}
	for n := range 2000 { // none panics
		_, _, err := pieces(damaged[:n*len(damaged)/2000], true, debug)
		if n < 100 && err == nil && n > 0 {
			t.Errorf("the first %d of 2000 parts of an archive pass for one", n)
		}
	}
	err = apart([]archive{{path: "some/path", content: []byte("text")}}, debug)
	if err == nil || !strings.Contains(err.Error(), "some/path: it is no archive") {
		t.Errorf("a text: %v", err)
	}
}

// The overlay leaves one back end in the compiler and the linker of the Go that is installed, and refuses sources of another form.
func TestOverlay(t *testing.T) {
	goroot, err := live.GoRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	all := slices.Concat(edits, piecewise)
	if _, err := overlay(goroot, folder, all); err != nil {
		t.Fatal(err)
	}
	other := regexp.MustCompile(`(?:` + others + `)\.Init|rewriteValueAMD64\b`)
	for _, e := range all {
		name := e.file
		text, err := os.ReadFile(filepath.Join(folder, strings.ReplaceAll(name, "/", "-")))
		if err != nil {
			t.Fatal(err)
		}
		if found := other.Find(text); found != nil {
			t.Errorf("%s still has %s", name, found)
		}
		if !regexp.MustCompile(`wasm\.Init|rewriteValueWasm|part of the library that pages leave out|go:wasmimport prl`).Match(text) {
			t.Errorf("%s has lost WebAssembly", name)
		}
		path := filepath.Join(folder, "other", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("package main\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := overlay(filepath.Join(folder, "other"), folder, all); err == nil || !strings.Contains(err.Error(), "is not as in Go 1.26") {
		t.Errorf("sources of another form: %v", err)
	}
}

// own hands a matrix to a method of its own: the library compares an interface that the cell has made with one of its own making.
const own = `import "gonum.org/v1/gonum/mat"
%%
s := mat.NewSymDense(1, []float64{1})
s.SymRankOne(s, 1, mat.NewVecDense(1, []float64{2}))
fmt.Println(s.At(0, 0))`

// The toolchain compiles, links and runs cells as the lab does: small ones, and one of each of five notebooks (the verb bench page takes
// all). A mistake is told with the line of its cell, a program without an end is stopped, and what a page cannot import is named.
func TestCells(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Go's compiler")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(err)
	}
	toolchain, err := Build(t.Context(), root(t), python, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", toolchain)
	head, err := os.ReadFile(toolchain.Path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ = bytes.Cut(head, []byte("*/"))
	for _, notice := range []string{"Copyright 2009 The Go Authors", "Neither the name of Google", "The Gonum Authors"} {
		if !bytes.Contains(head, []byte(notice)) {
			t.Errorf("the script does not say %s", notice)
		}
	}
	node, err := trial.Start(t.Context(), toolchain.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	run := func(cells []live.Cell, id string, patience time.Duration) trial.End {
		end, err := node.Cell(cells, id, patience)
		if err != nil {
			t.Fatal(err)
		}
		return end
	}

	cells := []live.Cell{
		{ID: "f", Text: "import \"fmt\"\n\nfunc f() int { return 3 }"},
		{ID: "well", Text: "fmt.Println(f())"},
		{ID: "value", Text: "f() + 1"},
		{ID: "nothing", Text: "func h() { fmt.Println(f()) }\n%%\nh()"},
		{ID: "own", Text: own},
		{ID: "mistake", Text: "fmt.Println(f())\nfmt.Println(g())\n"},
		{ID: "ends", Text: "panic(\"no more\")"},
		{ID: "loop", Text: "for {\n}"},
		{ID: "absent", Text: "import \"net/http\"\n%%\nfmt.Println(http.MethodGet)"},
	}
	for id, want := range map[string]string{"well": "3\n", "value": "4\n", "nothing": "3\n", "own": "5\n"} {
		if end := run(cells, id, time.Minute); end.Said() != want || end.Code == nil || *end.Code != 0 {
			t.Errorf("cell %s: %+v, want %q", id, end, want)
		}
	}
	if end := run(cells, "mistake", time.Minute); end.Fault != "cell mistake, line 2: undefined: g" {
		t.Errorf("a mistake: %+v", end)
	}
	if end := run(cells, "ends", time.Minute); end.Code == nil || *end.Code != 2 || !strings.Contains(end.Said(), "cell-ends.go:1 ") {
		t.Errorf("a panic: %+v", end)
	}
	if end := run(cells, "loop", 5*time.Second); end.Fault != "" || end.Code != nil {
		t.Errorf("a program without an end: %+v", end)
	}
	if end := run(cells, "absent", time.Minute); !strings.Contains(end.Fault, "could not import net/http") {
		t.Errorf("a package that pages do not have: %+v", end)
	}

	for _, name := range []string{"00-start", "01-bayes-decision", "12-fisher-lda", "22-soft-margin", "30-grammars"} {
		n, err := notebook.Read(filepath.Join(root(t).Notebooks(), name+".ipynb"))
		if err != nil {
			t.Fatal(err)
		}
		cells := live.Cells(n, false)
		for _, c := range trial.Sample(cells, 1) {
			end := run(cells, c.ID, 2*time.Minute)
			for _, own := range n.Cells {
				if own.ID() != c.ID {
					continue
				}
				if why := end.Differs(own.Outputs()); why != "" {
					t.Errorf("%s, cell %s: %s", name, c.ID, why)
				}
			}
		}
	}
}
