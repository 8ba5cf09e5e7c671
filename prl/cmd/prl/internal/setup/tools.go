package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/internal/atomicfile"
)

// makeTools builds the programs that the module in notebooks/kernel pins, with the flags of go tool, which has compiled most of the
// standard library already.
func (l *Lab) makeTools(ctx context.Context, step *console.Step) error {
	built := 0
	return l.build(ctx, l.Path("notebooks", "kernel"), func(line string) {
		built++
		step.Say(fmt.Sprintf("%d packages, %s", built, line))
	}, "-v", "github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports")
}

// makeLauncher builds prl-kernel and writes the folder that comes first in the kernel's PATH.
func (l *Lab) makeLauncher(ctx context.Context, _ *console.Step) error {
	if err := l.build(ctx, string(l.Checkout), nil, "./prl/cmd/prl/internal/prl-kernel"); err != nil {
		return err
	}
	if err := atomicfile.Folder(l.State("shim"), 0o755); err != nil {
		return err
	}
	for _, name := range []string{"go", "goimports"} {
		if err := replaceLink(filepath.Join("..", "bin", launcher), l.State("shim", name)); err != nil {
			return err
		}
	}
	return nil
}

// build builds programs into .prl/bin. Each takes the place of its predecessor in one step, because a kernel may be about to start it.
func (l *Lab) build(ctx context.Context, dir string, each func(line string), args ...string) error {
	fresh := l.State("bin.new")
	if err := os.RemoveAll(fresh); err != nil { // of a set-up that was killed
		return err
	}
	defer os.RemoveAll(fresh)
	args = append([]string{"build", "-buildvcs=false", "-ldflags=-s", "-o", fresh + string(filepath.Separator)}, args...)
	if _, err := l.runEnv(ctx, goenv.Many(goenv.Pinned(os.Environ())), dir, each, l.Go.Program, args...); err != nil {
		return err
	}
	programs, err := os.ReadDir(fresh)
	if err != nil {
		return err
	}
	if err := atomicfile.Folder(l.State("bin"), 0o755); err != nil {
		return err
	}
	for _, program := range programs {
		if err := os.Rename(filepath.Join(fresh, program.Name()), l.Bin(program.Name())); err != nil {
			return err
		}
	}
	return nil
}

// replaceLink makes a symbolic link in the place of what is there.
func replaceLink(to, link string) error {
	fresh := link + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Symlink(to, fresh); err != nil {
		return err
	}
	return os.Rename(fresh, link)
}

// makeModules downloads every module a cell, a test or a tool of the clone can need, so that nothing is fetched later.
func (l *Lab) makeModules(ctx context.Context, step *console.Step) error {
	each := func(line string) { step.Say(line) }
	_, err := l.runEnv(ctx, goenv.Pinned(os.Environ()), string(l.Checkout), each, l.Go.Program, "mod", "download", "-x")
	if err != nil {
		return fmt.Errorf("the Go modules could not be downloaded: %w", err)
	}
	return nil
}

// warmCaches compiles what the chapters import of the library and links a cell under the kernel's own environment. A library that does not
// compile does not stop the lab, since a notebook may need another part of it; then the step is done again at the next start.
func (l *Lab) warmCaches(ctx context.Context, step *console.Step) error {
	notebooks, err := filepath.Glob(filepath.Join(l.Notebooks(), "*.ipynb"))
	if err == nil {
		err = l.warm(ctx, goenv.Cells(os.Environ(), l.State(), l.Go.Program), step, notebooks)
	}
	if err == nil {
		step.Say("figures that compute in pages")
		err = live.Warm(ctx, l.Checkout)
	}
	if err != nil && ctx.Err() == nil {
		return &unwarmed{err}
	}
	return err
}

// WarmFor compiles what some notebooks import of the library into another cache of Go, as cells are compiled.
func (l *Lab) WarmFor(ctx context.Context, cache string, notebooks []string) error {
	env := append(goenv.Without(goenv.Cells(os.Environ(), l.State(), l.Go.Program), "GOCACHE"), "GOCACHE="+cache)
	step := l.Console.Step("The library, for hand-ins", 0)
	if err := l.warm(ctx, env, step, notebooks); err != nil {
		step.Fail()
		return err
	}
	step.Done("")
	return nil
}

// imports finds the packages of the clone that a notebook's cells import, in its JSON.
var imports = regexp.MustCompile(`\\"(` + regexp.QuoteMeta(checkout.Module) + `/[\w/]+)\\"`)

// imported are the packages of the clone that notebooks import. A reader of Parquet, say, brings 160 more packages, for which the first
// cell that imports it waits, and no first chapter.
func imported(notebooks []string) (map[string]bool, error) {
	found := map[string]bool{}
	for _, file := range notebooks {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range imports.FindAllSubmatch(text, -1) {
			found[string(m[1])] = true
		}
	}
	return found, nil
}

// warm compiles in the environment the packages of the clone that notebooks import, and links a cell.
func (l *Lab) warm(ctx context.Context, env []string, step *console.Step, notebooks []string) error {
	wanted, err := imported(notebooks)
	if err != nil {
		return err
	}
	listed, err := l.runEnv(ctx, env, string(l.Checkout), nil, l.Go.Program, "list", "-f", "{{if .GoFiles}}{{.ImportPath}}{{end}}",
		"./prl/...", "./plotting/...", "./datasets/...")
	if err != nil {
		return err
	}
	packages := slices.DeleteFunc(strings.Fields(listed), func(word string) bool {
		return !strings.HasPrefix(word, checkout.Module) || !wanted[word] // the Go command may say more than the list
	})
	if len(packages) == 0 {
		return l.buildCell(ctx, env)
	}
	built := 0
	each := func(line string) {
		built++
		step.Say(fmt.Sprintf("%d packages, %s", built, line))
	}
	args := append([]string{"build", "-v"}, packages...)
	if _, err := l.runEnv(ctx, goenv.Many(env), string(l.Checkout), each, l.Go.Program, args...); err != nil {
		return err
	}
	return l.buildCell(ctx, env)
}

// unwarmed says that the library does not build.
type unwarmed struct{ error }

// buildCell builds a program as GoNB would: in a workspace of a temporary module and the clone.
func (l *Lab) buildCell(ctx context.Context, env []string) error {
	dir, err := process.TempDir(process.WarmFolder)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := WriteCell(dir, string(l.Checkout), l.sampleCell()); err != nil {
		return err
	}
	_, err = l.runEnv(ctx, env, dir, nil, l.Go.Program, "build", "-o", filepath.Join(dir, "cell"))
	return err
}

// sampleCell imports what most cells import and the clone has.
func (l *Lab) sampleCell() string {
	var source strings.Builder
	source.WriteString("package main\n\nimport (\n\t\"flag\"\n\t_ \"fmt\"\n\t_ \"math\"\n")
	for _, name := range []string{"prl", "plotting", "datasets"} {
		if files, _ := fs.Glob(os.DirFS(l.Path(name)), "*.go"); len(files) > 0 {
			fmt.Fprintf(&source, "\t_ \"github.com/prlab/prlab/%s\"\n", name)
		}
	}
	source.WriteString(")\n\nfunc main() { flag.Parse() }\n")
	return source.String()
}

// WriteCell writes the program of a cell to dir in the way GoNB does, with a workspace that includes the clone at root.
func WriteCell(dir, root, source string) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	number := bytes.TrimPrefix([]byte(languageVersion(mod)), []byte("go"))
	for name, text := range map[string]string{
		"go.mod":  fmt.Sprintf("module gonb_cell\n\ngo %s\n\nreplace github.com/prlab/prlab => %q\n", number, root), // root may have blanks
		"go.work": fmt.Sprintf("go %s\n\nuse (\n\t.\n\t%q\n)\n", number, root),
		"main.go": source,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
