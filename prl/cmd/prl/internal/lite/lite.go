// Package lite builds a JupyterLite with the course: a folder of static files in which JupyterLab, the chapters and a kernel for Go run in
// the reader's browser.
package lite

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/copies"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground/cells"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

//go:embed requirements.txt
var requirements string

// A Site is a JupyterLite that was built.
type Site struct {
	Folder    string
	Notebooks int
	Files     int
	Bytes     int64
}

// extension is the name of the kernel's extension.
const extension = "@prlab/go"

// still is what a live figure says to its reader as long as nothing in the page computes it. The runtime of figures asks a lab's server for
// the program of a figure; here a file answers, the same for all.
const still = "Run the cells of this notebook from the first to this one: then its figure computes."

// Build builds the site with students' copies of the notebooks in the folder from, and puts it into the folder out, in place of one that
// was built there before; other things in that folder stay.
func Build(ctx context.Context, lab *setup.Lab, from, out string) (*Site, error) {
	if err := free(out); err != nil {
		return nil, err
	}
	packages, err := lab.Beside(ctx, "lite", requirements)
	if err != nil {
		return nil, err
	}
	step := lab.Console.Step("Go for the page", 1)
	toolchain, err := playground.Build(ctx, lab.Checkout, lab.Python(), step.Say)
	if err != nil {
		step.Fail()
		return nil, err
	}
	step.Done("")
	step = lab.Console.Step("JupyterLite", 1)
	site, err := build(ctx, lab, step, packages, toolchain.Path, from, out)
	if err != nil {
		step.Fail()
		return nil, err
	}
	step.Done(fmt.Sprintf("%d notebooks, %d files of %.0f MB in %s", site.Notebooks, site.Files, float64(site.Bytes)/1e6, out))
	return site, nil
}

// mark is a file that each JupyterLite has.
const mark = "jupyter-lite.json"

// free reports why a site must not be put into a folder.
func free(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == mark {
			return nil
		}
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") { // a new folder of Git's
			return fmt.Errorf("%s holds other things than a site of JupyterLite, such as %s; name another folder with -o", out, e.Name())
		}
	}
	return nil
}

func build(ctx context.Context, lab *setup.Lab, step *console.Step, packages, toolchain, from, out string) (*Site, error) {
	work, err := process.TempDir(process.LiteFolder)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	in := func(names ...string) string { return filepath.Join(append([]string{work}, names...)...) }
	step.Say("copies the notebooks")
	report, err := copies.Sync(from, in("contents"), copies.Options{})
	if err != nil {
		return nil, err
	}
	if err := writeKernel(in("extensions", extension), toolchain, lab.Go.Version); err != nil {
		return nil, err
	}
	for name, value := range settings(in) {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(in(name), text, 0o644); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(in("overrides.json"), setup.Overrides(), 0o644); err != nil {
		return nil, err
	}
	step.Say("builds the site")
	cmd := process.Command(ctx, lab.Python(), "-m", "jupyterlite_core", "build", "--lite-dir", work)
	cmd.Env = append(lab.JupyterEnv(os.Environ()), "PYTHONPATH="+packages)
	cmd.Dir = work
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("jupyterlite-core: %w\n%s", err, said)
	}
	if err := answerFigures(in("site")); err != nil {
		return nil, err
	}
	if err := addLicence(packages, in("site")); err != nil {
		return nil, err
	}
	if err := place(in("site"), out); err != nil {
		return nil, err
	}
	site := &Site{Folder: out, Notebooks: len(report.New)}
	return site, site.measure()
}

// settings are the files that jupyterlite-core reads.
func settings(in func(...string) string) map[string]any {
	return map[string]any{
		"jupyter_lite_config.json": map[string]any{
			"LiteBuildConfig": map[string]any{
				"apps": []string{"lab"}, "contents": []string{in("contents")}, "output_dir": in("site"), "cache_dir": in("cache"),
				"no_sourcemaps": true, "no_unused_shared_packages": true, "extra_ignore_contents": []string{`/\.`},
			},
			"FederatedExtensionAddon": map[string]any{"extra_labextensions_path": []string{in("extensions")}},
		},
		mark: map[string]any{
			"jupyter-lite-schema-version": 0,
			"jupyter-config-data": map[string]any{
				"appName": "Pattern Recognition Lab", "defaultKernelName": setup.KernelName, "exposeAppInBrowser": true,
			},
		},
	}
}

// writeKernel writes the extension with the kernel, and the toolchain beside it. Their addresses change with what they hold, or a browser
// would keep an old one.
func writeKernel(folder, toolchain, version string) error {
	kit, err := os.ReadFile(toolchain)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(kit)
	text := strings.NewReplacer(
		"TOOLCHAIN", fmt.Sprintf("%s?%x", playground.FileName, sum[:8]), "SUM", "sha256-"+base64.StdEncoding.EncodeToString(sum[:]),
		"KERNEL", setup.KernelName, "DISPLAY", setup.DisplayName, "GOVERSION", strings.TrimPrefix(version, "go"),
		"FIRST", copies.StartPage,
	).Replace(cells.Kernel)
	print := sha256.Sum256([]byte(text))
	load := fmt.Sprintf("static/kernel.%x.js", print[:16])
	about, err := json.MarshalIndent(map[string]any{
		"name": extension, "version": "1.0.0", "description": "A kernel for Go in the page", "license": "Apache-2.0",
		"jupyterlab": map[string]any{"extension": true, "outputDir": ".", "_build": map[string]any{"load": load, "extension": "./extension"}},
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, "static"), 0o755); err != nil {
		return err
	}
	for name, content := range map[string][]byte{"package.json": about, load: []byte(text), "static/" + playground.FileName: kit} {
		if err := os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// answerFigures writes what a lab's server would answer to a figure that asks for its program.
func answerFigures(site string) error {
	answer, err := json.Marshal(map[string]string{"why": still})
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(site, "prl"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(site, "prl", "module"), answer, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(site, ".nojekyll"), nil, 0o644) // GitHub Pages serves the files as they are
}

// addLicence puts JupyterLite's own licence into the site, which holds those of all other parts.
func addLicence(packages, site string) error {
	paths, err := filepath.Glob(filepath.Join(packages, "jupyterlite_core-*.dist-info", "licenses", "LICENSE"))
	if err != nil {
		return err
	}
	if len(paths) != 1 {
		return errors.New("jupyterlite-core has no licence that could go with the site")
	}
	return os.CopyFS(filepath.Join(site, "licences", "jupyterlite"), os.DirFS(filepath.Dir(paths[0])))
}

// place moves the parts of a site to where they replace those of the last one.
func place(site, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	parts, err := os.ReadDir(site)
	if err != nil {
		return err
	}
	for _, part := range parts {
		to := filepath.Join(out, part.Name())
		if err := os.RemoveAll(to); err != nil {
			return err
		}
		if err := move(filepath.Join(site, part.Name()), to); err != nil {
			return err
		}
	}
	return nil
}

// move moves a file or a folder, also to another disk.
func move(from, to string) error {
	if os.Rename(from, to) == nil {
		return nil
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

func (s *Site) measure() error {
	return filepath.WalkDir(s.Folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			s.Files++
			s.Bytes += info.Size()
		}
		return err
	})
}
