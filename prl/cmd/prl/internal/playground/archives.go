package playground

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/notebook"
)

// packages are the packages that cells of the lab's notebooks import, and that of live figures.
func packages(root checkout.Checkout) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(root.Notebooks(), "*.ipynb"))
	if err != nil {
		return nil, err
	}
	var list []string
	for _, path := range paths {
		n, err := notebook.Read(path)
		if err != nil {
			return nil, err
		}
		list = append(list, live.Imports(live.Cells(n, false))...)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// An archive is what the compiler made of a package.
type archive struct {
	path     string
	content  []byte
	imported bool // by cells
	pieces   []piece
	rest     []byte // behind the last piece
}

// archives builds the packages and all that they import, as the linker of the page takes them, and returns the notices of their modules
// with them.
func archives(ctx context.Context, root checkout.Checkout, packages []string) (list []archive, notices string, err error) {
	args := []string{
		"list", "-export", "-deps", "-trimpath", "-buildvcs=false", noDebug, "-f",
		`{{if .Export}}{{.ImportPath}}{{"\t"}}{{.Export}}{{"\t"}}` +
			`{{with .Module}}{{if not .Main}}{{.Path}}{{"\t"}}{{.Dir}}{{end}}{{end}}{{end}}`,
	}
	out, err := output(live.Go(ctx, root, append(args, packages...)...))
	if err != nil {
		return nil, "", fmt.Errorf("packages for pages: %w", err)
	}
	var said strings.Builder
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		content, err := os.ReadFile(fields[1])
		if err != nil {
			return nil, "", fmt.Errorf("package %s: %w", fields[0], err)
		}
		list = append(list, archive{path: fields[0], content: content, imported: slices.Contains(packages, fields[0])})
		if module := fields[2]; module != "" && !seen[module] {
			seen[module] = true
			if err := notice(&said, module, fields[3]); err != nil {
				return nil, "", err
			}
		}
	}
	return list, said.String(), nil
}

// notice writes the licences in the folder of a module.
func notice(to *strings.Builder, module, folder string) error {
	var paths []string
	for _, name := range []string{"LICENSE*", "LICENCE*", "COPYING*", "NOTICE*"} {
		found, err := filepath.Glob(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		return fmt.Errorf("module %s has no licence that could go with its packages", module)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(to, "\n%s, %s:\n\n%s\n", module, filepath.Base(path), text)
	}
	return nil
}
