package verb

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// Notebooks turns arguments into files: none means all notebooks of the lab, a folder means those in it, and what is neither file nor
// folder is the beginning of the name of a notebook of the lab.
func Notebooks(lab *setup.Lab, args []string) ([]string, error) {
	if len(args) == 0 {
		args = []string{lab.Notebooks()}
	}
	var paths []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			path, err := named(lab, arg)
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
		case !info.IsDir():
			if filepath.Ext(arg) != ".ipynb" {
				return nil, fmt.Errorf("%s is not a notebook (.ipynb)", arg)
			}
			paths = append(paths, arg)
		default:
			inside, err := NotebooksIn(arg)
			if err != nil {
				return nil, err
			}
			if len(inside) == 0 {
				lab.Console.Line("%s holds no notebooks.", arg)
			}
			paths = append(paths, inside...)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(paths, func(path string) bool { // two executions of a notebook would write one file
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		again := seen[path]
		seen[path] = true
		return again
	}), nil
}

// named is the one notebook of the lab whose name begins so.
func named(lab *setup.Lab, beginning string) (string, error) {
	all, err := NotebooksIn(lab.Notebooks())
	if err != nil {
		return "", err
	}
	var known, fitting []string
	found := ""
	for _, path := range all {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		known = append(known, name)
		if strings.HasPrefix(name, beginning) {
			found, fitting = path, append(fitting, name)
		}
	}
	switch {
	case len(fitting) == 1:
		return found, nil
	case len(fitting) > 1:
		return "", fmt.Errorf("%q is the beginning of %d notebooks: %s", beginning, len(fitting), strings.Join(fitting, ", "))
	}
	meant := cell.Suggest(strings.TrimSuffix(filepath.Base(beginning), ".ipynb"), known)
	if meant != "" {
		meant = " (" + meant + ")"
	}
	return "", fmt.Errorf("%s: there is no such notebook or folder%s", beginning, meant)
}

// NotebooksIn lists the notebooks of a folder by name. The folder's own name may have any characters.
func NotebooksIn(folder string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(folder), "*.ipynb")
	for i, name := range names {
		names[i] = filepath.Join(folder, name)
	}
	return names, err
}
