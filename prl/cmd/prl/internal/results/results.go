// Package results remembers which notebooks were executed and found equal to their files, as go test remembers packages: a result counts
// for as long as nothing it depends on has changed.
package results

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/slim"
	"github.com/prlab/prlab/prl/internal/atomicfile"
	"github.com/prlab/prlab/prl/notebook"
)

// A Store knows what results depend on at one moment: the packages of the library as the Go command would build them now, the versions of
// other modules, Go, the kernel's programs, the files beside the notebooks, the processors and the environment.
type Store struct {
	dir      string
	common   string          // of all notebooks
	packages map[string]pack // of the library, by import path
	files    []*slim.File    // of package prl; nil where it cannot be parted
}

// A pack is a package of the library.
type pack struct {
	name, id string
	deps     []string
}

// A Result is what is remembered of a notebook.
type Result struct {
	Key   string `json:"key"`
	Cells int    `json:"cells"`
}

// Open asks the Go command for the packages of the clone, which it compiles if it has not done so yet.
func Open(ctx context.Context, lab *setup.Lab) (*Store, error) {
	s := &Store{dir: lab.Own("results"), packages: map[string]pack{}}
	list := func(args ...string) (string, error) {
		return lab.Machine.Output(ctx, string(lab.Checkout), lab.Go.Program, append([]string{"list"}, args...)...)
	}
	all, err := list("./prl/...", "./plotting/...", "./datasets/...")
	if err != nil {
		return nil, fmt.Errorf("the packages of the library cannot be listed: %w", err)
	}
	said, err := list(append([]string{
		"-export", "-deps", "-f", `{{with .Module}}{{if .Main}}{{$.ImportPath}} {{$.Name}} {{$.BuildID}} {{join $.Deps ","}}{{end}}{{end}}`,
	}, needed(strings.Fields(all))...)...)
	if err != nil {
		return nil, fmt.Errorf("the packages of the library cannot be listed: %w", err)
	}
	for line := range strings.Lines(said) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		p := pack{name: fields[1], id: fields[2]}
		if len(fields) > 3 {
			p.deps = slices.DeleteFunc(strings.Split(fields[3], ","), func(path string) bool { return !strings.HasPrefix(path, checkout.Module) })
		}
		s.packages[fields[0]] = p
	}
	s.files, _ = slim.Read(lab.Path("prl"))
	common := sha256.New()
	fmt.Fprintln(common, lab.Go.Version)
	for _, path := range []string{
		lab.Path("go.mod"), lab.Path("go.sum"), lab.Path("notebooks", "kernel", "requirements.txt"), lab.Bin("gonb"), lab.Bin("prl-kernel"),
		lab.Bin("goimports"),
		lab.State("shim", "go"), lab.State("shim", "goimports"),
		lab.State("python", "share", "jupyter", "kernels", setup.KernelName, "kernel.json"),
	} {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(common, "%s %x\n", path, sha256.Sum256(data))
	}
	// What stands beside the notebooks may be read by their cells, but for the templates of handouts, which no cell knows.
	err = filepath.WalkDir(lab.Notebooks(), func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != lab.Notebooks() && (strings.HasPrefix(name, ".") || name == "handouts" || name == "kernel"):
			return fs.SkipDir
		case !d.Type().IsRegular() || strings.HasSuffix(name, ".ipynb") || strings.HasSuffix(name, ".go"):
			return nil
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(common, "%s %x\n", path, sha256.Sum256(data))
		return err
	})
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(common, runtime.GOARCH, runtime.NumCPU())
	// The program that executes and compares.
	for _, path := range executing {
		fmt.Fprintln(common, s.packages[path].id)
	}
	for _, entry := range slices.Sorted(slices.Values(os.Environ())) {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "PRL_") || name == "GODEBUG" || name == "GOMAXPROCS" || name == "TZ" {
			fmt.Fprintln(common, entry)
		}
	}
	s.common = hex.EncodeToString(common.Sum(nil))
	return s, nil
}

// executing are the packages of the program that executes notebooks and compares them.
var executing = []string{
	checkout.Module + "/prl/cmd/prl/internal/execute", checkout.Module + "/prl/cmd/prl/internal/goenv",
	checkout.Module + "/prl/cmd/prl/internal/setup", checkout.Module + "/prl/notebook",
}

// needed are the packages that a cell can import, and those that execute it: others of the command, and what tests with browsers share,
// would be compiled in vain.
func needed(paths []string) []string {
	return slices.DeleteFunc(paths, func(path string) bool {
		spare := command(path) || strings.Contains(path, "/browsertest")
		return spare && !slices.Contains(executing, path)
	})
}

// Key is the fingerprint of all that the result of a notebook depends on, with timeout for a cell.
func (s *Store) Key(path string, timeout time.Duration) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	n, err := notebook.Parse(data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	key := sha256.New()
	fmt.Fprintf(key, "%s\n%s\n%x\n", s.common, timeout, sha256.Sum256(data))
	used, files := s.uses(n)
	for _, path := range used {
		fmt.Fprintln(key, path, s.packages[path].id)
	}
	for _, f := range files {
		fmt.Fprintf(key, "%s %x\n", filepath.Base(f.Path), sha256.Sum256(f.Text))
	}
	return hex.EncodeToString(key.Sum(nil)), nil
}

// uses lists the packages of the library on which the cells depend: those they import, those whose name they use, since the kernel adds a
// missing import by itself, and what these depend on. In the place of package prl, which imports every family, stand those of its files of
// which the cells name something.
func (s *Store) uses(n *notebook.Notebook) (used []string, files []*slim.File) {
	all := words{imported: map[string]bool{}, named: map[string]bool{}}
	for _, c := range n.Cells {
		if c.IsCode() {
			all.add(c.Source())
		}
	}
	taken := map[string]bool{}
	take := func(path string) {
		if p, ok := s.packages[path]; ok {
			taken[path] = true
			for _, dep := range p.deps {
				taken[dep] = true
			}
		}
	}
	var others []string
	for path, p := range s.packages {
		if path != slim.Library && (all.imported[path] || all.named[p.name] && !command(path)) {
			take(path)
			others = append(others, path)
		}
	}
	if all.imported[slim.Library] || all.named["prl"] {
		chosen, ok := slim.Choose(s.files, append(all.library, "Show"), others)
		if !ok || all.renamed {
			take(slim.Library)
		} else {
			files = chosen
			for _, f := range files {
				for _, path := range f.Imports {
					take(path)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(taken)), files
}

// command tells whether a package is one of the command's own, which no cell can import.
func command(path string) bool { return strings.HasPrefix(path, checkout.Module+"/prl/cmd/") }

// words are what cells are made of.
type words struct {
	imported map[string]bool // import paths
	named    map[string]bool // names before a point
	library  []string        // names behind the point of prl
	renamed  bool            // package prl may have another name, or none
}

// add takes the words of a cell. It need not be correct Go: it may hold commands of the kernel.
func (w *words) add(source string) {
	var lines scanner.Scanner
	files := token.NewFileSet()
	lines.Init(files.AddFile("", files.Base(), len(source)), []byte(source), func(token.Position, string) {}, 0)
	before, point := "", false // the word before this one, and whether that was the point of prl
	for {
		_, kind, text := lines.Scan()
		if point && kind == token.IDENT {
			w.library = append(w.library, text)
		}
		point = kind == token.PERIOD && before == "prl"
		switch kind {
		case token.EOF:
			return
		case token.STRING: // no other string is the path of a package by chance, and if one were, it would do no harm
			path, err := strconv.Unquote(text)
			if err != nil {
				break
			}
			w.imported[path] = true
			w.renamed = w.renamed || path == slim.Library && !slices.Contains([]string{"import", "(", ";", "\n"}, before)
		case token.PERIOD:
			w.named[before] = true
		}
		if before = text; text == "" {
			before = kind.String()
		}
	}
}

// file holds the result of one notebook, the last.
func (s *Store) file(path string) string {
	return filepath.Join(s.dir, strings.TrimSuffix(filepath.Base(path), ".ipynb")+".json")
}

// Find is the result of a notebook that has this key. A damaged file is none.
func (s *Store) Find(path, key string) (r Result, found bool) {
	data, err := os.ReadFile(s.file(path))
	if err != nil || json.Unmarshal(data, &r) != nil || r.Key != key {
		return Result{}, false
	}
	return r, true
}

// Keep remembers the result of a notebook that was executed and found equal to its file.
func (s *Store) Keep(path string, r Result) error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return atomicfile.Write(s.file(path), append(data, '\n'), 0o644)
}
