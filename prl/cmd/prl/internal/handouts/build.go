// Package handouts turns executed notebooks into course material: self-contained HTML pages, PDF files and an index.
package handouts

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/notebook"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// Options say what is made of the notebooks.
type Options struct {
	HTML, PDF, Reader bool
	Versions          []Version
	Out               string
	Course            *Course
	AllowFailed       bool
}

// Chromium finds the browser that prints, or says how to get it.
func Chromium(m setup.Machine) (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := m.LookPath(name); err == nil {
			return path, nil
		}
	}
	mac := "/Applications/Chromium.app/Contents/MacOS/Chromium"
	if _, err := os.Stat(mac); m.OS == "darwin" && err == nil {
		return mac, nil
	}
	return "", &setup.Need{What: "PDF handouts are printed by Chromium or Chrome, which is not on the PATH; HTML handouts work without it", Remedy: m.Remedy("chromium")}
}

// Build makes the handouts of notebooks, and only those that have changed.
func Build(ctx context.Context, lab *setup.Lab, paths []string, o Options) error {
	d, err := readDesign(lab)
	if err != nil {
		return err
	}
	math, err := newRenderer()
	if err != nil {
		return err
	}
	step := lab.Console.Step("Notebooks to HTML", len(paths))
	chapters, err := convertAll(ctx, lab, paths, math, step.Count)
	if err != nil {
		step.Fail()
		return err
	}
	var problems []error
	for _, c := range chapters {
		problems = append(problems, c.problems()...)
	}
	if len(problems) > 0 && !o.AllowFailed {
		step.Fail()
		return fmt.Errorf("no handout is made of a notebook that fails (--allow-failed makes it all the same and marks the cells in red):\n%w", errors.Join(problems...))
	}
	step.Done(fmt.Sprintf("%d read", len(chapters)))
	var press *printer
	defer func() {
		if press != nil {
			press.close()
		}
	}()
	for _, v := range o.Versions {
		if err := o.build(ctx, lab, v, d, math, chapters, &press); err != nil {
			return err
		}
	}
	return nil
}

func readDesign(lab *setup.Lab) (d design, err error) {
	for name, to := range map[string]*string{"handout.css": &d.style, "print.css": &d.print, "handout.js": &d.script} {
		data, err := os.ReadFile(lab.Path("notebooks", "handouts", name))
		if err != nil {
			return d, err
		}
		*to = string(data)
	}
	return d, nil
}

// A record remembers from what each file was made, so that it is made again only when that has changed.
type record map[string]string

const recordName = ".handouts.json"

func (o Options) build(ctx context.Context, lab *setup.Lab, v Version, d design, math *renderer, chapters []*chapter, press **printer) error {
	out := filepath.Join(o.Out, string(v))
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	made := record{}
	if data, err := os.ReadFile(filepath.Join(out, recordName)); err == nil {
		if json.Unmarshal(data, &made) != nil {
			made = record{}
		}
	}
	same := func(name, text string) (key string, is bool) {
		sum := sha256.Sum256([]byte(text))
		key = hex.EncodeToString(sum[:])
		_, err := os.Stat(filepath.Join(out, name))
		return key, err == nil && made[name] == key
	}
	written := 0
	write := func(name, key string, data []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		written++
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
		made[name] = key
		record, err := json.MarshalIndent(made, "", " ")
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(out, recordName), record, 0o644)
	}
	put := func(name, text string) error {
		key, is := same(name, text)
		if is {
			return nil
		}
		return write(name, key, []byte(text))
	}

	title := "Handouts"
	if v != Plain {
		title = "Handouts for the " + string(v)
	}
	step := lab.Console.Step(title, 2*len(chapters)+1)
	fail := func(err error) error { step.Fail(); return err }
	pdfs := map[string]bool{}
	for i, c := range chapters {
		step.Say(c.name())
		if o.HTML {
			page, err := c.page(v, d, math, o.Course, chapters, i)
			if err != nil {
				return fail(err)
			}
			if err := put(c.name()+".html", page); err != nil {
				return fail(err)
			}
		}
		if v != Plain {
			if err := putNotebook(c, v, put); err != nil {
				return fail(err)
			}
		}
		step.Count(i + 1)
	}
	printTo := func(name string, of []*chapter, reader bool) error {
		build, err := paper(of, v, d, math, o.Course, reader)
		if err != nil {
			return err
		}
		key, is := same(name, build(func(string) string { return "" }))
		if is {
			return nil
		}
		if *press == nil {
			chromium, err := Chromium(lab.Machine)
			if err != nil {
				return err
			}
			if *press, err = openPrinter(ctx, chromium); err != nil {
				return err
			}
		}
		data, err := (*press).twice(build)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return write(name, key, data)
	}
	for i, c := range chapters {
		if o.PDF {
			step.Say(c.name() + ".pdf")
			if err := printTo(c.name()+".pdf", []*chapter{c}, false); err != nil {
				return fail(err)
			}
			pdfs[c.name()] = true
		}
		step.Count(len(chapters) + i + 1)
	}
	reader := ""
	if o.Reader {
		step.Say("reader.pdf")
		if err := printTo("reader.pdf", chapters, true); err != nil {
			return fail(err)
		}
		reader = "reader.pdf"
	}
	if o.HTML {
		if err := put("index.html", index(v, d, o.Course, chapters, pdfs, reader)); err != nil {
			return fail(err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "handouts.zip")); written > 0 || err != nil {
		if err := pack(out); err != nil {
			return fail(err)
		}
	}
	step.Done(fmt.Sprintf("%d files new, in %s", written, out))
	return nil
}

// putNotebook writes the notebook of a version. A student's has no solutions; its exercises wait as they did when it was executed.
func putNotebook(c *chapter, v Version, put func(name, text string) error) error {
	n, err := notebook.Read(c.Path)
	if err != nil {
		return err
	}
	if v == Student {
		n.Cells = slices.DeleteFunc(n.Cells, func(c *notebook.Cell) bool { return slices.Contains(c.Tags(), "solution") })
	}
	data, err := n.Bytes()
	if err != nil {
		return err
	}
	return put(c.name()+".ipynb", string(data))
}

// pack puts all handouts of a folder into one archive, the same bytes for the same files.
func pack(dir string) error {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || !slices.Contains([]string{".html", ".pdf", ".ipynb"}, filepath.Ext(e.Name())) {
			continue
		}
		data, err := fs.ReadFile(os.DirFS(dir), e.Name())
		if err != nil {
			return err
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: e.Name(), Method: zip.Deflate, Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return err
		}
		if _, err := entry.Write(data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "handouts.zip"), archive.Bytes(), 0o644)
}
