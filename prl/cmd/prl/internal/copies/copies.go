// Package copies gives a reader copies of the chapters to work in, and brings new versions of chapters into them without losing what the
// reader wrote.
package copies

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/internal/atomicfile"
	"github.com/prlab/prlab/prl/notebook"
)

// kept is the folder, beside the copies and not shown by Jupyter, with the chapters as they were copied and with copies from before a
// merge.
const kept = ".chapters"

// A Report says what has become of the chapters.
type Report struct {
	New     []string // copied for the first time
	Updated []string // replaced by a new version, because the reader had not changed them
	Merged  []string // new versions that the reader's cells were taken into
	Waiting []string // chapters with a new version that the reader has changed
	Foreign []string // files of the reader's own that have the name of a chapter
	Reset   []string // begun again, because the reader asked for it
}

// Options say how copies are made.
type Options struct {
	Merge bool     // take new versions into copies that the reader has changed; the copy as it was before is kept
	Reset []string // chapters, named by how they begin, that begin again; the copy as it was before is kept
	// copies are the chapters byte by byte, with solutions, without folded checks and the map of the chapters, and what lies beside them
	// comes too
	Verbatim bool
	Stay     bool // a copy that the reader has thrown away does not come again
}

// errSaved is why a copy was left alone: another lab, or the reader, has saved it in the meantime.
var errSaved = errors.New("it was saved in the meantime")

// Sync copies the chapters in from to the folder, and brings new versions of them into the copies.
func Sync(from, folder string, options Options) (r Report, err error) {
	names, err := fs.Glob(os.DirFS(from), "*.ipynb")
	if err != nil {
		return r, err
	}
	for _, wanted := range options.Reset {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, wanted) }) || wanted == "" {
			return r, fmt.Errorf("no chapter begins with %q, so none can begin again", wanted)
		}
	}
	if err := os.MkdirAll(filepath.Join(folder, kept), 0o777); err != nil {
		return r, fmt.Errorf("the copies of the chapters cannot be made: %w", err)
	}
	for _, name := range names {
		err := sync(filepath.Join(from, name), folder, name, options, &r)
		if errors.Is(err, errSaved) {
			r.Waiting = append(r.Waiting, strings.TrimSuffix(name, ".ipynb"))
		} else if err != nil {
			return r, err
		}
	}
	if options.Verbatim {
		return r, others(from, folder)
	}
	return r, nil
}

// others brings what lies beside the chapters, such as the look of handouts: what is new comes, and what the reader has not changed is
// replaced.
func others(from, folder string) error {
	return fs.WalkDir(os.DirFS(from), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Dir(name) == "." && filepath.Ext(name) == ".ipynb" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		copied, base := filepath.Join(folder, name), filepath.Join(folder, kept, name)
		own, err := os.ReadFile(copied)
		gone := errors.Is(err, os.ErrNotExist)
		if err != nil && !gone {
			return err
		}
		old, err := os.ReadFile(base)
		based := err == nil
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if based && (gone || !bytes.Equal(own, old) || bytes.Equal(old, text)) || !based && !gone && !bytes.Equal(own, text) {
			return nil
		}
		for _, path := range []string{copied, base} {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return err
			}
		}
		if gone || based {
			if err := atomicfile.Write(copied, text, 0o666); err != nil {
				return err
			}
		}
		return atomicfile.Write(base, text, 0o666)
	})
}

// fresh is a chapter as a copy begins: a student's.
func fresh(chapter, name string, options Options) ([]byte, *notebook.Notebook, error) {
	text, err := os.ReadFile(chapter)
	if err != nil {
		return nil, nil, err
	}
	n, err := notebook.Parse(text)
	if err != nil || options.Verbatim {
		return text, n, err
	}
	n.ForStudents()
	n.Fold("check", "hide-input")
	if name == StartPage {
		draw(n, filepath.Dir(chapter))
	}
	text, err = n.Bytes()
	return text, n, err
}

func sync(chapter, folder, name string, options Options, r *Report) error {
	text, next, err := fresh(chapter, name, options)
	if err != nil {
		return nil // a chapter that cannot be read has no copy; its author learns that elsewhere
	}
	copied, base := filepath.Join(folder, name), filepath.Join(folder, kept, name)
	title := strings.TrimSuffix(name, ".ipynb")
	var ownText []byte
	gone := false
	write := func(own []byte) error {
		now, err := os.ReadFile(copied)
		if nowGone := errors.Is(err, os.ErrNotExist); nowGone != gone || err == nil && !bytes.Equal(now, ownText) {
			return errSaved
		}
		if err := atomicfile.Write(copied, own, 0o666); err != nil {
			return err
		}
		return atomicfile.Write(base, text, 0o666)
	}
	ownText, err = os.ReadFile(copied)
	gone = errors.Is(err, os.ErrNotExist)
	if err != nil && !gone {
		return err
	}
	oldText, err := os.ReadFile(base)
	based := err == nil
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	switch {
	case slices.ContainsFunc(options.Reset, func(wanted string) bool { return strings.HasPrefix(name, wanted) }):
		if !gone {
			if err := keep(folder, title, ownText); err != nil {
				return err
			}
		}
		r.Reset = append(r.Reset, title)
		return write(text)
	case gone && based && options.Stay:
		return nil
	case gone:
		r.New = append(r.New, title)
		return write(text)
	case !based && bytes.Equal(ownText, text):
		return atomicfile.Write(base, text, 0o666)
	case !based:
		r.Foreign = append(r.Foreign, title)
		return nil
	case bytes.Equal(oldText, text):
		return nil
	}
	old, err1 := notebook.Parse(oldText)
	own, err2 := notebook.Parse(ownText)
	switch {
	case err1 == nil && err2 == nil && notebook.SameSource(old, own):
		r.Updated = append(r.Updated, title)
		return write(text)
	case err1 != nil || err2 != nil || !options.Merge:
		r.Waiting = append(r.Waiting, title)
		return nil
	}
	if err := keep(folder, title, ownText); err != nil {
		return err
	}
	merged, err := notebook.Merge(old, own, next).Bytes()
	if err != nil {
		return err
	}
	r.Merged = append(r.Merged, title)
	return write(merged)
}

// keep puts a copy aside as it is.
func keep(folder, title string, text []byte) error {
	before := filepath.Join(folder, kept, "before", title+time.Now().Format("-2006-01-02-150405.000")+".ipynb")
	if err := os.MkdirAll(filepath.Dir(before), 0o777); err != nil {
		return err
	}
	to, err := free(before, text) // the clock may have shown this time before
	if err != nil || to == "" {
		return err
	}
	return atomicfile.Write(to, text, 0o666)
}

// Tell is what a person wants to know of the report, in lines. take is the command that takes new versions that wait.
func (r Report) Tell(take string) (lines []string) {
	list := func(names []string) string { slices.Sort(names); return strings.Join(names, ", ") }
	before := " Your copies from before are in " + filepath.Join(kept, "before") + "."
	if len(r.Updated) > 0 {
		lines = append(lines, "New versions: "+list(r.Updated)+".")
	}
	if len(r.Merged) > 0 {
		lines = append(lines, "New versions with your cells in them: "+list(r.Merged)+"."+before)
	}
	if len(r.Reset) > 0 {
		lines = append(lines, "Begun again: "+list(r.Reset)+"."+before)
	}
	if len(r.Waiting) > 0 {
		lines = append(lines, "There are new versions of "+list(r.Waiting)+", which you have changed. To take them"+take)
	}
	if len(r.Foreign) > 0 {
		lines = append(lines, "Files of yours have the names of chapters, and stay: "+list(r.Foreign)+". Rename them to get the chapters.")
	}
	return lines
}
