// Package results remembers what has passed on this machine, as go test remembers packages: notebooks that were executed and found equal
// to their files, and other parts of the whole test. A result counts for as long as nothing it depends on has changed. What that is is told
// by contents, never by places or times, so a result also counts for another clone.
package results

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
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

// A Store knows what results depend on at one moment: the sources of the packages of the library, the versions of other modules, Go, the
// kernel, the files beside the notebooks, the processors and the environment.
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

// FreshVar is the variable that has nothing found of what is remembered, when it is set.
const FreshVar = "PRL_TEST_FRESH"

// Dir is where this machine remembers what has passed.
func Dir() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "prl", "passed"), err
}

// Open asks the Go command for the packages of the clone and reads their sources.
func Open(ctx context.Context, lab *setup.Lab) (*Store, error) {
	dir, err := Dir()
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, packages: map[string]pack{}}
	listed, err := lab.Machine.Output(ctx, string(lab.Checkout), lab.Go.Program, "list",
		"-json=ImportPath,Name,Dir,Deps,GoFiles,IgnoredGoFiles,SFiles,HFiles,EmbedFiles", "./prl/...", "./plotting/...", "./datasets/...")
	if err != nil {
		return nil, fmt.Errorf("the packages of the library cannot be listed: %w", err)
	}
	for list := json.NewDecoder(strings.NewReader(listed)); ; {
		var p struct {
			ImportPath, Name, Dir                                     string
			Deps, GoFiles, IgnoredGoFiles, SFiles, HFiles, EmbedFiles []string
		}
		if err := list.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("the packages of the library cannot be listed: %w", err)
		}
		id, err := digest(p.Dir, slices.Concat(p.GoFiles, p.IgnoredGoFiles, p.SFiles, p.HFiles, p.EmbedFiles))
		if err != nil {
			return nil, err
		}
		deps := slices.DeleteFunc(p.Deps, func(path string) bool { return !strings.HasPrefix(path, checkout.Module) })
		s.packages[p.ImportPath] = pack{name: p.Name, id: id, deps: deps}
	}
	s.files, _ = slim.Read(lab.Path("prl"))
	common := sha256.New()
	fmt.Fprintln(common, lab.Go.Version, runtime.GOARCH, runtime.NumCPU())
	// What stands beside the notebooks may be read by their cells, but for the templates of handouts, which no cell knows.
	var files []string
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
		name, err = filepath.Rel(lab.Path(), path)
		files = append(files, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	id, err := digest(lab.Path(), append(files, "go.mod", "go.sum", filepath.Join("notebooks", "kernel", "requirements.txt")))
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(common, id)
	for _, path := range slices.Sorted(maps.Keys(s.packages)) { // the programs that execute and compare
		if slices.Contains(executing, path) || strings.HasPrefix(path, checkout.Module+"/prl/cmd/prl/internal/prl-kernel") {
			fmt.Fprintln(common, s.packages[path].id)
		}
	}
	for _, entry := range slices.Sorted(slices.Values(os.Environ())) {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "PRL_") && name != FreshVar || name == "GODEBUG" || name == "GOMAXPROCS" || name == "TZ" {
			fmt.Fprintln(common, entry)
		}
	}
	s.common = hex.EncodeToString(common.Sum(nil))
	return s, nil
}

// digest is the fingerprint of files of a folder, by their names in it and what they hold.
func digest(folder string, names []string) (string, error) {
	all := sha256.New()
	for _, name := range slices.Sorted(slices.Values(names)) {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "%s %x\n", filepath.ToSlash(name), sha256.Sum256(data))
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// executing are the packages of the program that executes notebooks and compares them, beside those of the kernel.
var executing = []string{
	checkout.Module + "/prl/cmd/prl/internal/execute", checkout.Module + "/prl/cmd/prl/internal/goenv",
	checkout.Module + "/prl/cmd/prl/internal/setup", checkout.Module + "/prl/notebook",
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

// command reports whether a package is one of the command's own, which no cell can import.
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
	if err != nil || json.Unmarshal(data, &r) != nil || r.Key != key || os.Getenv(FreshVar) != "" {
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

// Part is the fingerprint of a part of the whole test that depends on all files of some folders and on single files, named from the root of
// the clone, and on what else is told.
func (s *Store) Part(root string, names []string, also ...string) (string, error) {
	var files []string
	for _, name := range names {
		err := filepath.WalkDir(filepath.Join(root, name), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				path, err = filepath.Rel(root, path)
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return "", err
		}
	}
	id, err := digest(root, files)
	key := sha256.Sum256(fmt.Appendln(nil, s.common, id, also))
	return hex.EncodeToString(key[:]), err
}
