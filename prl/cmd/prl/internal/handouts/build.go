// Package handouts turns executed notebooks into course material: self-contained HTML pages, PDF files and an index.
package handouts

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/playground"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
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

// build makes the handouts of one version.
func (o Options) build(ctx context.Context, lab *setup.Lab, w *whole, press **printer) error {
	out, err := openFolder(ctx, filepath.Join(o.Out, string(w.version)))
	if err != nil {
		return err
	}
	title := "Handouts"
	if w.version != Plain {
		title = "Handouts for the " + string(w.version)
	}
	step := lab.Console.Step(title, 2*len(w.chapters)+1)
	if err := o.produce(ctx, lab, w, press, out, step); err != nil {
		step.Fail()
		return err
	}
	step.Done(fmt.Sprintf("%s new, in %s", count(out.written, "file"), out.path))
	if left := out.left(); len(left) > 0 {
		lab.Console.Line(
			"Of earlier calls %s there too, which this one was not asked for and which the archive leaves out: %s",
			are(len(left)),
			strings.Join(left, ", "),
		)
	}
	return nil
}

// produce puts all that is asked for into a folder.
func (o Options) produce(ctx context.Context, lab *setup.Lab, w *whole, press **printer, out *folder, step *console.Step) error {
	for _, c := range w.chapters {
		w.marks = append(w.marks, marksOf(c, w.version))
	}
	var done atomic.Int64
	parts, err := inOrder(len(w.chapters), func(i int) ([]passage, error) {
		found, err := o.screens(lab, w, i, out)
		step.Say(w.chapters[i].name())
		step.Count(int(done.Add(1)))
		return found, err
	})
	if err != nil {
		return err
	}
	found := slices.Concat(parts...)
	if o.EPUB {
		book, err := epub(w.chapters, w.version, o.Course)
		if err != nil {
			return err
		}
		if err := out.put(epubName, book); err != nil {
			return err
		}
	}
	sheets, err := o.papers(w, out)
	if err != nil {
		return err
	}
	if len(sheets) > 0 && *press == nil {
		chromium, err := lab.Machine.Chromium()
		if err != nil {
			return err
		}
		if *press, err = openPrinter(ctx, chromium); err != nil {
			return err
		}
	}
	err = printAll(ctx, *press, sheets, o.Timeout, out.write, func(name string) { step.Say(name); step.Count(int(done.Add(1))) })
	if err != nil {
		return err
	}
	if w.toolchain != nil {
		if err := out.put(playground.FileName, w.toolchain.text); err != nil {
			return err
		}
	}
	if o.HTML {
		if err := w.put(o, found, out.put); err != nil {
			return err
		}
		if o.Course.Address != "" {
			if err := out.put("sitemap.xml", sitemap(o.Course, w.chapters)); err != nil {
				return err
			}
		}
	}
	archive, err := pack(out.path, out.wanted)
	if err != nil {
		return err
	}
	return out.put(archiveName, archive)
}

// screens puts the page of a chapter, its slides and its notebook, and returns the passages of the page.
func (o Options) screens(lab *setup.Lab, w *whole, i int, out *folder) (found []passage, err error) {
	c := w.chapters[i]
	if o.HTML {
		var page string
		if page, found, err = w.chapterPage(i); err != nil {
			return nil, err
		}
		if c.program != "" && len(page) > mostPage {
			lab.Console.Line(
				"%s.html has %.1f MB, which is more than a page with live figures should have (%.0f MB)",
				c.name(),
				float64(len(page))/1e6,
				mostPage/1e6,
			)
		}
		if err := out.put(c.name()+".html", page); err != nil {
			return nil, err
		}
	}
	if o.Slides {
		page, err := c.slides(w.version, w.design, w.math, o.Course, w.chapters)
		if err != nil {
			return nil, err
		}
		if err := out.put(c.slidesName(), page); err != nil {
			return nil, err
		}
	}
	if w.version != Plain {
		return found, putNotebook(c, w.version, out.put)
	}
	return found, nil
}

// inOrder makes n things on all threads, and returns them in order.
func inOrder[T any](n int, one func(i int) (T, error)) ([]T, error) {
	made := make([]T, n)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		group.Go(func() (err error) {
			made[i], err = one(i)
			return err
		})
	}
	return made, group.Wait()
}

// papers are the PDF files to be printed: those that are not there.
func (o Options) papers(w *whole, out *folder) ([]sheet, error) {
	v, d, math, chapters := w.version, w.design, w.math, w.chapters
	shared := map[*chapter]*filling{}
	for _, c := range chapters {
		shared[c] = &filling{}
	}
	composed := func(name, text string, print func(context.Context, *printer) ([]byte, error)) sheet {
		key, there := out.same(name, text)
		return sheet{name, key, there, print}
	}
	var all []func() (sheet, error)
	add := func(name string, of []*chapter, reader bool) {
		all = append(all, func() (sheet, error) {
			build, err := paper(of, v, d, math, o.Course, reader)
			if err != nil {
				return sheet{}, err
			}
			for i, c := range of {
				build.fillings[i] = shared[c]
			}
			text, err := build.build(func(string) string { return "" })
			if err != nil {
				return sheet{}, err
			}
			return composed(name, text, func(ctx context.Context, press *printer) ([]byte, error) { return press.filled(ctx, build) }), nil
		})
	}
	if o.Reader { // the longest comes first, so that no printer waits for it
		add(readerName, chapters, true)
	}
	for _, c := range chapters {
		if o.PDF {
			add(c.name()+".pdf", []*chapter{c}, false)
		}
	}
	for i, c := range chapters {
		if o.Sheet {
			all = append(all, func() (sheet, error) {
				build, most, about, err := sheetOf(c, i, v, d, math, o.Course)
				if err != nil {
					return sheet{}, err
				}
				text, err := build(most)
				if err != nil {
					return sheet{}, err
				}
				return composed(c.sheetName(), text, func(ctx context.Context, press *printer) ([]byte, error) {
					return press.sheetFits(ctx, build, most, about)
				}), nil
			})
		}
	}
	sheets, err := inOrder(len(all), func(i int) (sheet, error) { return all[i]() })
	return slices.DeleteFunc(sheets, func(s sheet) bool { return s.there }), err
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
	there     bool // of the same text
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
