// Package handouts turns executed notebooks into course material: self-contained HTML pages, PDF files and an index.
package handouts

import (
	"archive/zip"
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

	"github.com/prlab/prlab/prl/cmd/prl/internal/playground"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
	"github.com/prlab/prlab/prl/internal/atomicfile"
	"github.com/prlab/prlab/prl/notebook"
)

// Options say what is made of the notebooks.
type Options struct {
	HTML, PDF, Reader, Slides, EPUB, Sheet bool
	Playground                             bool // cells of HTML pages can be edited and run
	Versions                               []Version
	Out                                    string
	Course                                 *Course
	AllowFailed                            bool
	Timeout                                time.Duration // for each PDF file
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
	about, err := syllabus.Read(lab.Notebooks())
	if err != nil {
		return err
	}
	items, err := itemTitles(about.Items, math)
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
		return fmt.Errorf(
			"no handout is made of a notebook that fails (--allow-failed makes it all the same and marks the cells in red):\n%w",
			errors.Join(problems...),
		)
	}
	works, err := readWorks(lab.Notebooks(), chapters)
	if err == nil {
		err = errors.Join(number(chapters), cite(chapters, works))
	}
	if err != nil {
		step.Fail()
		return err
	}
	step.Done(fmt.Sprintf("%d read", len(chapters)))
	course := *o.Course
	course.pages = pagesOf(about, chapters)
	o.Course = &course
	var kit *toolchain
	if o.HTML && o.Playground {
		if kit, err = readToolchain(ctx, lab); err != nil {
			return err
		}
	}
	var press *printer
	defer func() {
		if press != nil {
			press.close()
		}
	}()
	for _, v := range o.Versions {
		if o.HTML {
			if err := addPrograms(ctx, lab, chapters, v); err != nil {
				return err
			}
		}
		if err := o.build(ctx, lab, &whole{v, d, math, o.Course, about, items, works, chapters, nil, kit}, &press); err != nil {
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
	owner := map[string]string{
		"index.html": "the index", referencesName: "the list of references", readerName: "the reader", epubName: "the reader",
		coverageName: "the coverage", notationName: "the notation", glossaryName: "the glossary", methodsName: "the methods",
		rivalsName: "the rivals",
	}
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
		for _, file := range []string{c.name() + ".html", c.slidesName(), c.name() + ".pdf", c.sheetName()} {
			if other, taken := owner[strings.ToLower(file)]; taken {
				return nil, fmt.Errorf(
					"%s and %s would both be written to %s: rename the notebook, or make the handouts of each into a folder of its own with -o",
					other,
					path,
					file,
				)
			}
			owner[strings.ToLower(file)] = path
		}
		kept = append(kept, path)
	}
	return kept, nil
}

func readDesign(lab *setup.Lab) (d design, err error) {
	for name, to := range map[string]*string{
		"handout.css": &d.style, "print.css": &d.print, "handout.js": &d.script, "figures.js": &d.figures,
		"slides.css": &d.slideStyle, "slides.js": &d.slideScript, "theme.js": &d.theme, "search.js": &d.search,
		"sheet.css": &d.sheet, "spoil.css": &d.spoilStyle, "spoil.js": &d.spoilScript,
	} {
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

// A record remembers each file that was made: from what, so that it is made again only when that has changed, and with which bytes, so that
// a file that somebody else has put in its place is not taken for it.
type record map[string]made

type made struct {
	Key string `json:"key"`
	Sum string `json:"sum"`
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

const recordName = ".handouts.json"

func (o Options) build(
	ctx context.Context,
	lab *setup.Lab,
	w *whole,
	press **printer,
) error {
	v, d, math, chapters := w.version, w.design, w.math, w.chapters
	out := filepath.Join(o.Out, string(v))
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	known := record{}
	if data, err := os.ReadFile(filepath.Join(out, recordName)); err == nil {
		if json.Unmarshal(data, &known) != nil {
			known = record{}
		}
	}
	var mu sync.Mutex // of known, wanted and written, which the printers share
	var wanted []string
	same := func(name, text string) (key string, is bool) {
		key = sum([]byte(text))
		data, err := os.ReadFile(filepath.Join(out, name))
		mu.Lock()
		defer mu.Unlock()
		wanted = append(wanted, name)
		return key, err == nil && known[name] == made{key, sum(data)}
	}
	remember := func() error {
		record, err := json.MarshalIndent(known, "", " ")
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
		if _, is := known[name]; is { // nor does the record ever tell of a file what was true of its predecessor
			delete(known, name)
			if err := remember(); err != nil {
				return err
			}
		}
		if err := atomicfile.Write(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
		known[name] = made{key, sum(data)}
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
	var found []passage
	for _, c := range chapters {
		w.marks = append(w.marks, marksOf(c, v))
	}
	for i, c := range chapters {
		step.Say(c.name())
		if o.HTML {
			page, holds, err := w.chapterPage(i)
			if err != nil {
				return fail(err)
			}
			found = append(found, holds...)
			if c.program != "" && len(page) > mostPage {
				lab.Console.Line(
					"%s.html has %.1f MB, which is more than a page with live figures should have (%.0f MB)",
					c.name(),
					float64(len(page))/1e6,
					mostPage/1e6,
				)
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
	if o.EPUB {
		book, err := epub(chapters, v, o.Course)
		if err != nil {
			return fail(err)
		}
		if err := put(epubName, book); err != nil {
			return fail(err)
		}
	}
	var sheets []sheet
	shared := map[*chapter]*filling{}
	for _, c := range chapters {
		shared[c] = &filling{}
	}
	add := func(name string, of []*chapter, reader bool) error {
		build, err := paper(of, v, d, math, o.Course, reader)
		if err != nil {
			return err
		}
		for i, c := range of {
			build.fillings[i] = shared[c]
		}
		text, err := build.build(func(string) string { return "" })
		if err != nil {
			return err
		}
		if key, is := same(name, text); !is {
			sheets = append(sheets, sheet{name, key, func(ctx context.Context, press *printer) ([]byte, error) { return press.twice(ctx, build) }})
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
	for i, c := range chapters {
		if o.Sheet {
			build, all, about, err := sheetOf(c, i, v, d, math, o.Course)
			if err != nil {
				return fail(err)
			}
			text, err := build(all)
			if err != nil {
				return fail(err)
			}
			if key, is := same(c.sheetName(), text); !is {
				sheets = append(sheets, sheet{c.sheetName(), key, func(ctx context.Context, press *printer) ([]byte, error) {
					return press.sheetFits(ctx, build, all, about)
				}})
			}
		}
	}
	if len(sheets) > 0 && *press == nil {
		chromium, err := lab.Machine.Chromium()
		if err != nil {
			return fail(err)
		}
		if *press, err = openPrinter(ctx, chromium); err != nil {
			return fail(err)
		}
	}
	done := len(chapters)
	err := printAll(ctx, *press, sheets, o.Timeout, write, func(name string) { done++; step.Say(name); step.Count(done) })
	if err != nil {
		return fail(err)
	}
	if w.toolchain != nil {
		if err := put(playground.FileName, w.toolchain.text); err != nil {
			return fail(err)
		}
	}
	if o.HTML {
		if err := w.put(o, found, put); err != nil {
			return fail(err)
		}
		if o.Course.Address != "" {
			if err := put("sitemap.xml", sitemap(o.Course, chapters)); err != nil {
				return fail(err)
			}
		}
	}
	archive, err := pack(out, wanted)
	if err != nil {
		return fail(err)
	}
	if err := put(archiveName, archive); err != nil {
		return fail(err)
	}
	step.Done(fmt.Sprintf("%s new, in %s", count(written, "file"), out))
	var left []string
	for name := range known {
		if _, err := os.Stat(filepath.Join(out, name)); err == nil && name != archiveName && !slices.Contains(wanted, name) {
			left = append(left, name)
		}
	}
	if slices.Sort(left); len(left) > 0 {
		lab.Console.Line(
			"Of earlier calls %s there too, which this one was not asked for and which the archive leaves out: %s",
			are(len(left)),
			strings.Join(left, ", "),
		)
	}
	return nil
}

func are(n int) string {
	if n == 1 {
		return "1 file is"
	}
	return fmt.Sprintf("%d files are", n)
}

// A sheet is a PDF file to be printed.
type sheet struct {
	name, key string
	print     func(ctx context.Context, press *printer) ([]byte, error)
}

// printers is how many pages Chromium prints at once.
const printers = 2

// printAll prints in the given order, on several printers. A file that cannot be printed does not keep the others from it; limit is the
// time that each may take.
func printAll(
	ctx context.Context,
	press *printer,
	sheets []sheet,
	limit time.Duration,
	write func(name, key string, data []byte) error,
	printed func(name string),
) error {
	next, group := make(chan sheet), sync.WaitGroup{}
	var mu sync.Mutex
	var failed []error
	for range min(printers, len(sheets)) {
		group.Go(func() {
			for s := range next {
				limited, stop := context.WithTimeout(ctx, limit)
				data, err := s.print(limited, press)
				late := limited.Err() != nil && ctx.Err() == nil
				stop()
				if err == nil {
					err = write(s.name, s.key, data)
				}
				mu.Lock()
				switch {
				case err == nil:
					printed(s.name)
				case late:
					failed = append(failed, fmt.Errorf("%s was not printed within %s", s.name, limit))
				default:
					failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
				}
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
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(failed) > 0 {
		return fmt.Errorf(
			"%w\nWhat was printed is kept. The same call prints the rest; --timeout gives each file more time than %s",
			errors.Join(failed...),
			limit,
		)
	}
	return nil
}

// putNotebook writes the notebook of a version. A student's has no solutions and no parts for lecturers; its exercises wait as they did
// when it was executed.
func putNotebook(c *chapter, v Version, put func(name, text string) error) error {
	n, err := notebook.Read(c.Path)
	if err != nil {
		return err
	}
	if v == Student {
		n.ForStudents()
	}
	data, err := n.Bytes()
	if err != nil {
		return err
	}
	return put(c.name()+".ipynb", string(data))
}

// pack is an archive of the named files of a folder, the same bytes for the same files.
func pack(dir string, names []string) (string, error) {
	var archive strings.Builder
	w := zip.NewWriter(&archive)
	for _, name := range slices.Sorted(slices.Values(names)) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return "", err
		}
		if _, err := entry.Write(data); err != nil {
			return "", err
		}
	}
	err := w.Close()
	return archive.String(), err
}
