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
	"sync"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/internal/atomicfile"
	"github.com/prlab/prlab/prl/notebook"
)

// Options say what is made of the notebooks.
type Options struct {
	HTML, PDF, Reader, Slides bool
	Versions                  []Version
	Out                       string
	Course                    *Course
	AllowFailed               bool
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
	paths, err := distinct(paths)
	if err != nil {
		return err
	}
	process.RemoveStale()
	d, err := readDesign(lab)
	if err != nil {
		return err
	}
	math, err := newRenderer()
	if err != nil {
		return err
	}
	items, err := readItems(lab, math)
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
		if err := o.build(ctx, lab, v, d, math, chapters, items, &press); err != nil {
			return err
		}
	}
	return nil
}

// distinct leaves out a notebook that was named twice. It refuses two notebooks whose handouts would overwrite each other; letters count
// alike in both cases, as they do on many disks.
func distinct(paths []string) ([]string, error) {
	var kept []string
	seen := map[string]bool{}
	owner := map[string]string{"index.html": "the index", readerName: "the reader"}
	for _, path := range paths {
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if seen[full] {
			continue
		}
		seen[full] = true
		c := chapter{Path: path}
		for _, file := range []string{c.name() + ".html", c.slidesName(), c.name() + ".pdf"} {
			if other, taken := owner[strings.ToLower(file)]; taken {
				return nil, fmt.Errorf("%s and %s would both be written to %s: rename the notebook, or make the handouts of each into a folder of its own with -o", other, path, file)
			}
			owner[strings.ToLower(file)] = path
		}
		kept = append(kept, path)
	}
	return kept, nil
}

func readDesign(lab *setup.Lab) (d design, err error) {
	for name, to := range map[string]*string{"handout.css": &d.style, "print.css": &d.print, "handout.js": &d.script,
		"slides.css": &d.slideStyle, "slides.js": &d.slideScript} {
		data, err := os.ReadFile(lab.Path("notebooks", "handouts", name))
		if err != nil {
			return d, err
		}
		*to = string(data)
	}
	return d, nil
}

const (
	readerName  = "reader.pdf"
	archiveName = "handouts.zip"
)

// A record remembers from what each file was made, so that it is made again only when that has changed.
type record map[string]string

const recordName = ".handouts.json"

func (o Options) build(ctx context.Context, lab *setup.Lab, v Version, d design, math *renderer, chapters []*chapter, items map[string]string, press **printer) error {
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
	var mu sync.Mutex // of made and written, which the printers share
	same := func(name, text string) (key string, is bool) {
		sum := sha256.Sum256([]byte(text))
		key = hex.EncodeToString(sum[:])
		_, err := os.Stat(filepath.Join(out, name))
		mu.Lock()
		defer mu.Unlock()
		return key, err == nil && made[name] == key
	}
	remember := func() error {
		record, err := json.MarshalIndent(made, "", " ")
		if err != nil {
			return err
		}
		return atomicfile.Write(filepath.Join(out, recordName), record, 0o644)
	}
	written := 0
	write := func(name, key string, data []byte) error {
		mu.Lock()
		defer mu.Unlock()
		if err := ctx.Err(); err != nil {
			return err
		}
		if written++; written == 1 { // an archive that is there holds what is there, at whatever moment this ends
			if err := os.Remove(filepath.Join(out, archiveName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if made[name] != "" { // nor does the record ever tell of a file what was true of its predecessor
			delete(made, name)
			if err := remember(); err != nil {
				return err
			}
		}
		if err := atomicfile.Write(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
		made[name] = key
		return remember()
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
		if o.Slides {
			page, err := c.slides(v, d, math, o.Course, chapters)
			if err != nil {
				return fail(err)
			}
			if err := put(c.slidesName(), page); err != nil {
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
	var sheets []sheet
	add := func(name string, of []*chapter, reader bool) error {
		build, err := paper(of, v, d, math, o.Course, reader)
		if err != nil {
			return err
		}
		if key, is := same(name, build(func(string) string { return "" })); !is {
			sheets = append(sheets, sheet{name, key, build})
		}
		return nil
	}
	if o.Reader { // the longest comes first, so that no printer waits for it
		if err := add(readerName, chapters, true); err != nil {
			return fail(err)
		}
	}
	for _, c := range chapters {
		if o.PDF {
			if err := add(c.name()+".pdf", []*chapter{c}, false); err != nil {
				return fail(err)
			}
		}
	}
	if len(sheets) > 0 && *press == nil {
		chromium, err := Chromium(lab.Machine)
		if err != nil {
			return fail(err)
		}
		if *press, err = openPrinter(ctx, chromium); err != nil {
			return fail(err)
		}
	}
	done := len(chapters)
	err := printAll(ctx, *press, sheets, write, func(name string) { done++; step.Say(name); step.Count(done) })
	if err != nil {
		return fail(err)
	}
	if o.HTML {
		page, err := index(v, d, math, o, chapters, items)
		if err != nil {
			return fail(err)
		}
		if err := put("index.html", page); err != nil {
			return fail(err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, archiveName)); written > 0 || err != nil {
		if err := pack(out); err != nil {
			return fail(err)
		}
	}
	step.Done(fmt.Sprintf("%d files new, in %s", written, out))
	return nil
}

// A sheet is a PDF file to be printed.
type sheet struct {
	name, key string
	build     func(number func(id string) string) string
}

// printers is how many pages Chromium prints at once.
const printers = 2

// printAll prints in the given order, on several printers, and stops at the first error.
func printAll(ctx context.Context, press *printer, sheets []sheet, write func(name, key string, data []byte) error, printed func(name string)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next, group = make(chan sheet), sync.WaitGroup{}
	var mu sync.Mutex
	for range min(printers, len(sheets)) {
		group.Go(func() {
			for s := range next {
				data, err := press.twice(ctx, s.build)
				if err == nil {
					err = write(s.name, s.key, data)
				}
				if err != nil {
					stop(fmt.Errorf("%s: %w", s.name, err))
					continue
				}
				mu.Lock()
				printed(s.name)
				mu.Unlock()
			}
		})
	}
	for _, s := range sheets {
		if ctx.Err() == nil {
			next <- s
		}
	}
	close(next)
	group.Wait()
	return context.Cause(ctx)
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
	return atomicfile.Write(filepath.Join(dir, archiveName), archive.Bytes(), 0o644)
}
