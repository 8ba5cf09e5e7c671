//go:build unix || js

// Package assist completes and explains the text of cells. It reads what a program means from the types that the compiler has left of each
// package in Go's cache, and its words from the sources. It works beside the cells: nothing here waits for a cell, and no cell waits for
// anything here.
package assist

import (
	"cmp"
	"context"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
)

// A Server answers questions about the programs of one kernel. It knows nothing before the first question, and afterwards holds the
// packages that cells import: ten megabytes for those of a chapter.
type Server struct {
	program string // the command go
	dir     string // GoNB's folder, in whose module cells are built
	env     []string
	held    map[string]library // by path: all that there is, and the command go is not asked

	mu       sync.Mutex
	modules  string              // the module files for which the rest holds
	stale    bool                // the rest holds no longer, as when a package has left Go's cache
	packages map[string]library  // by path
	named    map[string][]string // the paths of packages by name, the likeliest first; those of the standard library and of this module
	asked    map[string]bool     // the packages that the command go was asked about
	listing  chan struct{}       // closed when the answer is there; nil when it is at no work
	files    *token.FileSet      // of the packages
	importer types.Importer
	words    map[string]map[place]entry // of the packages, by folder
}

// library is a package as the command go describes it.
type library struct {
	name, dir string
	archive   string // what the compiler made of it, if that was asked for
}

// Patience is how long a reader waits for an answer.
const Patience = 950 * time.Millisecond

// New makes ready to answer about cells that GoNB builds in a folder.
func New(program, dir string, env []string) *Server {
	return &Server{program: program, dir: dir, env: env, stale: true}
}

// Hold makes ready to answer about cells in a page. They can import the packages of these archives, by path, and no others.
func Hold(archives map[string]string) *Server {
	s := &Server{stale: true, held: map[string]library{}}
	for path, archive := range archives {
		name := source.ImportName(&ast.ImportSpec{Path: &ast.BasicLit{Value: strconv.Quote(path)}})
		s.held[path] = library{name: name, archive: archive}
	}
	return s
}

// Wake begins to read what most cells import.
func (s *Server) Wake() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // the answer is for a later question
	s.need(ctx, importsOf(usual))
}

// need waits until the packages are known, as far as there are any of these paths.
func (s *Server) need(ctx context.Context, paths []string) error {
	for {
		s.mu.Lock()
		if modules := s.read(); s.listing == nil && (s.stale || modules != s.modules) {
			s.modules = modules
			s.forget()
		}
		if s.held != nil {
			s.mu.Unlock()
			return nil
		}
		missing := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return s.asked[path] || !importable(path) })
		if len(missing) == 0 {
			s.mu.Unlock()
			return nil
		}
		if s.listing == nil {
			s.listing = make(chan struct{})
			go s.list(missing, s.named == nil)
		}
		listing := s.listing
		s.mu.Unlock()
		select {
		case <-listing:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// importable reports whether the command go takes an import path for one package, and not for an option, a pattern, a folder or a file.
func importable(path string) bool {
	return importPath.MatchString(path) && !strings.Contains(path, "...") && !strings.HasSuffix(path, ".go") &&
		!slices.Contains([]string{"all", "std", "cmd", "tool", "work", "main", "C"}, path)
}

var importPath = regexp.MustCompile(`^\w[\w.~/+-]*$`)

// read is the text of the module files, on which it depends what a path stands for.
func (s *Server) read() (text string) {
	for _, name := range []string{"go.mod", "go.work"} {
		part, _ := os.ReadFile(filepath.Join(s.dir, name))
		text += string(part)
	}
	return text
}

func (s *Server) forget() {
	s.stale, s.packages, s.named, s.asked = false, map[string]library{}, nil, map[string]bool{}
	if s.held != nil {
		s.packages, s.named = s.held, byName(s.held)
	}
	s.files, s.words = token.NewFileSet(), map[string]map[place]entry{}
	s.importer = importer.ForCompiler(s.files, "gc", func(path string) (io.ReadCloser, error) {
		archive := s.packages[path].archive
		file, err := os.Open(archive)
		s.stale = s.stale || archive != "" && err != nil
		return file, err
	})
}

// list asks the command go about packages, and for the names of all that a cell may name without an import.
func (s *Server) list(paths []string, all bool) {
	found := s.ask(append([]string{"-export", "-deps"}, paths...))
	var named map[string][]string
	if all {
		more := s.ask([]string{"std", "builtin", checkout.Module + "/..."})
		named = byName(more)
		for path, p := range more {
			if _, known := found[path]; !known {
				found[path] = p
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, p := range found {
		if old := s.packages[path]; old.archive == "" {
			s.packages[path] = p
		}
	}
	for _, path := range paths {
		s.asked[path] = true
	}
	if all {
		s.named = named
	}
	close(s.listing)
	s.listing = nil
}

// ask runs go list. The launcher waits for all its children, so it may have taken the outcome: what counts is what was printed.
func (s *Server) ask(args []string) map[string]library {
	found := map[string]library{}
	cmd := exec.Command(s.program, append([]string{"list", "-e", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Dir}}\t{{.Export}}"}, args...)...)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, _ := cmd.Output()
	for line := range strings.Lines(string(out)) {
		if words := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(words) == 4 {
			found[words[0]] = library{words[1], words[2], words[3]}
		}
	}
	return found
}

// byName are the paths of packages that cells may import, by name, the shortest first.
func byName(all map[string]library) map[string][]string {
	named := map[string][]string{}
	for path, p := range all {
		parts := strings.Split(path, "/")
		if p.name != "" && p.name != "main" && !slices.Contains(parts, "internal") && parts[0] != "vendor" && parts[0] != "cmd" {
			named[p.name] = append(named[p.name], path)
		}
	}
	for _, paths := range named {
		slices.SortFunc(paths, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	}
	return named
}
