// Package playground builds what a page needs to compile and run cells of Go without a kernel: Go's own compiler and linker, the lab's
// maker of programs, and the archives of all packages that the notebooks' cells use, in one script.
package playground

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/lock"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/internal/atomicfile"
)

// FileName is the name of the script, beside the pages that share it.
const FileName = "go-toolchain.js"

var (
	//go:embed page/files.js
	filesScript string
	//go:embed page/shelf.js
	shelfScript string
	//go:embed page/toolchain.js
	toolchainScript string
)

// lettersScript is what follows the toolchain in the script, before its parts. A part is the text of a function, of which a browser makes
// nothing else, and letters are the parts as bytes: as strings they would stay in the memory of the page.
const lettersScript = `prlToolchain.letters = function letters() {
  const bytes = (text) => new TextEncoder().encode(text.slice(text.indexOf('/*') + 2, text.lastIndexOf('*/')));
  return Object.fromEntries(Object.entries(this.parts).map(([name, part]) => [name, bytes(String(part))]));
};
prlToolchain.parts = {
`

// A Part is one of the things that the script holds, with its bytes before and after it was packed as LZMA. In the script they are base64,
// a third longer.
type Part struct {
	Name        string
	Raw, Packed int
}

// A Toolchain is a script that was built.
type Toolchain struct {
	Path  string // of the file
	Parts []Part
}

// String is a table of the parts.
func (t *Toolchain) String() string {
	var b strings.Builder
	const million = 1e6
	var sum Part
	for _, p := range append(t.Parts, sum) {
		if p.Name == "" {
			p = Part{"all", sum.Raw, sum.Packed}
		}
		sum.Raw, sum.Packed = sum.Raw+p.Raw, sum.Packed+p.Packed
		fmt.Fprintf(&b, "%-10s %6.1f MB, packed %5.1f MB\n", p.Name, float64(p.Raw)/million, float64(p.Packed)/million)
	}
	return b.String()
}

// noDebug leaves out what only a debugger reads.
const noDebug = "-gcflags=all=-dwarf=false"

// Build builds the script, or finds the one that was built before of the same Go, the same library and the same packages; the last is kept
// in the folder playground of the state. say is told each step, since a build takes minutes. The archives only fit the compiler beside
// them, so one hash names all. The script begins with the licences of what is in it. It needs a Python with LZMA, as the lab's is.
func Build(ctx context.Context, root checkout.Checkout, python string, say func(step string)) (*Toolchain, error) {
	say("reads the notebooks")
	packages, err := packages(root)
	if err != nil {
		return nil, err
	}
	hash, err := hashOf(root, packages)
	if err != nil {
		return nil, err
	}
	t := &Toolchain{Path: root.Own("playground", hash, FileName)}
	about := filepath.Join(filepath.Dir(t.Path), "parts.json") // written last
	built := func() bool {
		text, err := os.ReadFile(about)
		return err == nil && json.Unmarshal(text, &t.Parts) == nil
	}
	if built() {
		return t, nil
	}
	if err := os.MkdirAll(root.Own(), 0o755); err != nil {
		return nil, err
	}
	held, err := lock.Take(ctx, root.Own("playground.lock"), func(string) { say("waits for the process that builds it") })
	if err != nil {
		return nil, err
	}
	defer held.Release()
	held.Say("Go for pages")
	if built() {
		return t, nil
	}
	script, err := t.script(ctx, root, python, packages, say)
	if err != nil {
		return nil, err
	}
	others, err := filepath.Glob(root.Own("playground", "*"))
	if err != nil {
		return nil, err
	}
	for _, path := range others { // of another library; each is large
		if err := os.RemoveAll(path); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Dir(t.Path), 0o755); err != nil {
		return nil, err
	}
	if err := atomicfile.Write(t.Path, script, 0o644); err != nil {
		return nil, err
	}
	text, err := json.Marshal(t.Parts)
	if err != nil {
		return nil, err
	}
	return t, atomicfile.Write(about, text, 0o644)
}

// hashOf is a hash of all that the script depends on: Go, the library, the packages, and the sources of the maker, of this package and of
// the unpacker.
func hashOf(root checkout.Checkout, packages []string) (string, error) {
	sum := sha256.New()
	patterns := []string{"plotting/runtime/lzma.js"}
	for _, folder := range []string{
		"playground", "playground/maker", "playground/page", "clean", "live", "prl-kernel/source", "prl-kernel/assist",
	} {
		patterns = append(patterns, "prl/cmd/prl/internal/"+folder+"/*.*")
	}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(root.Path(filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			if !strings.HasSuffix(path, "_test.go") {
				fmt.Fprintf(sum, "%s\x00%d\x00%s", filepath.Base(path), len(text), text)
			}
		}
	}
	planned, err := live.Plan(root, fmt.Sprintf("%x %q", sum.Sum(nil), packages))
	return planned.Hash, err
}

// script builds all parts and writes the script.
func (t *Toolchain) script(
	ctx context.Context, root checkout.Checkout, python string, packages []string, say func(string),
) ([]byte, error) {
	goroot, err := live.GoRoot(ctx)
	if err != nil {
		return nil, err
	}
	folder, err := process.TempDir(process.LiveFolder)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	changes, err := overlay(goroot, folder, slices.Concat(edits, piecewise))
	if err != nil {
		return nil, err
	}
	parts := map[string][]byte{}
	pack := func(name string, data []byte) error {
		say("packs " + name)
		packed, err := live.Pressed(ctx, python, data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		parts[name] = packed
		t.Parts = append(t.Parts, Part{name, len(data), len(packed)})
		return nil
	}
	for _, c := range []struct{ name, source string }{
		{"compile", "cmd/compile"},
		{"link", "cmd/link"},
		{"maker", checkout.Module + "/prl/cmd/prl/internal/playground/maker"},
	} {
		say("builds " + c.name)
		path := filepath.Join(folder, c.name)
		args := []string{"build", "-overlay", changes, "-trimpath", "-buildvcs=false", noDebug, "-ldflags=-s -w", "-o", path, c.source}
		if _, err := output(live.Go(ctx, root, args...)); err != nil {
			return nil, fmt.Errorf("%s for pages: %w", c.source, err)
		}
		module, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if module, err = live.Shrink(module); err != nil {
			return nil, fmt.Errorf("%s for pages: %w", c.source, err)
		}
		if err := pack(c.name, module); err != nil {
			return nil, err
		}
	}
	say(fmt.Sprintf("builds %d packages", len(packages)))
	archives, notices, err := archives(ctx, root, packages)
	if err != nil {
		return nil, err
	}
	debug, err := debugKinds(goroot)
	if err != nil {
		return nil, err
	}
	marks, err := relocMarks(goroot)
	if err != nil {
		return nil, err
	}
	if err := apart(archives, debug); err != nil {
		return nil, err
	}
	if err := prune(archives, debug, marks); err != nil {
		return nil, err
	}
	all, list := joined(archives)
	if err := pack("packages", all); err != nil {
		return nil, err
	}
	return t.written(ctx, root, goroot, notices, parts, list)
}

// written is the script: the licences, and an object prlToolchain with the parts, the list of packages, and the texts of two programs for
// workers: run defines the functions files and run, which the worker of a cell needs, and tools, to stand behind it, the function
// toolchain.
func (t *Toolchain) written(
	ctx context.Context, root checkout.Checkout, goroot, notices string, parts map[string][]byte, list []entry,
) ([]byte, error) {
	loader, err := live.Exec(ctx)
	if err != nil {
		return nil, err
	}
	unpacker, err := os.ReadFile(root.Path("plotting", "runtime", "lzma.js"))
	if err != nil {
		return nil, err
	}
	licence, err := os.ReadFile(filepath.Join(goroot, "LICENSE"))
	if err != nil {
		return nil, fmt.Errorf("the licence of Go, which goes with its compiler: %w", err)
	}
	notices = "Go's compiler, linker and packages, LICENSE:\n\n" + string(licence) + notices
	text, err := json.Marshal(map[string]any{
		"blocks": forms(), "list": list,
		"run":   filesScript + string(loader),
		"tools": strings.ReplaceAll(string(unpacker), "export function", "function") + shelfScript + toolchainScript,
	})
	if err != nil {
		return nil, err
	}
	script := fmt.Appendf(nil, "/*\n%s*/\nglobalThis.prlToolchain = %s;\n%s", strings.ReplaceAll(notices, "*/", "* /"), text, lettersScript)
	for _, p := range t.Parts {
		script = append(base64.StdEncoding.AppendEncode(fmt.Appendf(script, "  %s() {/*", p.Name), parts[p.Name]), "*/},\n"...)
	}
	return append(script, "};\n"...), nil
}

// output runs a command of Go and returns what it prints; an error says what Go said.
func output(cmd *exec.Cmd) ([]byte, error) {
	out, err := cmd.Output()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return nil, fmt.Errorf("%w\n%s", err, ended.Stderr)
	}
	return out, err
}
