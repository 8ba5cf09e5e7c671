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
}

// Sync copies the chapters in from to the folder. A copy that the reader has changed is left alone unless merge is set; the copy as it was
// before is kept then.
func Sync(from, folder string, merge bool) (r Report, err error) {
	names, err := fs.Glob(os.DirFS(from), "*.ipynb")
	if err != nil {
		return r, err
	}
	if err := os.MkdirAll(filepath.Join(folder, kept), 0o755); err != nil {
		return r, fmt.Errorf("the copies of the chapters cannot be made: %w", err)
	}
	for _, name := range names {
		if err := sync(filepath.Join(from, name), folder, name, merge, &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

func sync(chapter, folder, name string, merge bool, r *Report) error {
	next, err := notebook.Read(chapter)
	if err != nil {
		return nil // a chapter that cannot be read has no copy; whoever writes it learns that elsewhere
	}
	next.Fold("check", "hide-input")
	if name == startPage {
		draw(next, filepath.Dir(chapter))
	}
	fresh, err := next.Bytes()
	if err != nil {
		return err
	}
	copied, base := filepath.Join(folder, name), filepath.Join(folder, kept, name)
	title := strings.TrimSuffix(name, ".ipynb")
	write := func(text []byte) error {
		if err := atomicfile.Write(copied, text, 0o644); err != nil {
			return err
		}
		return atomicfile.Write(base, fresh, 0o644)
	}
	ownText, err := os.ReadFile(copied)
	switch {
	case errors.Is(err, os.ErrNotExist):
		r.New = append(r.New, title)
		return write(fresh)
	case err != nil:
		return err
	}
	oldText, err := os.ReadFile(base)
	if errors.Is(err, os.ErrNotExist) {
		r.Foreign = append(r.Foreign, title)
		return nil
	}
	if err != nil {
		return err
	}
	if bytes.Equal(oldText, fresh) {
		return nil
	}
	old, err1 := notebook.Parse(oldText)
	own, err2 := notebook.Parse(ownText)
	switch {
	case err1 == nil && err2 == nil && notebook.SameSource(old, own):
		r.Updated = append(r.Updated, title)
		return write(fresh)
	case err1 != nil || err2 != nil || !merge:
		r.Waiting = append(r.Waiting, title)
		return nil
	}
	before := filepath.Join(folder, kept, "before", title+time.Now().Format("-2006-01-02-150405.000")+".ipynb")
	if err := os.MkdirAll(filepath.Dir(before), 0o755); err != nil {
		return err
	}
	if err := atomicfile.Write(before, ownText, 0o644); err != nil {
		return err
	}
	merged, err := notebook.Merge(old, own, next).Bytes()
	if err != nil {
		return err
	}
	r.Merged = append(r.Merged, title)
	return write(merged)
}

// Tell is what a person wants to know of the report, in lines.
func (r Report) Tell() (lines []string) {
	list := func(names []string) string { slices.Sort(names); return strings.Join(names, ", ") }
	if len(r.Updated) > 0 {
		lines = append(lines, "New versions: "+list(r.Updated)+".")
	}
	if len(r.Merged) > 0 {
		lines = append(
			lines,
			"New versions with your cells in them: "+list(r.Merged)+". Your copies from before are in "+filepath.Join(kept, "before")+".",
		)
	}
	if len(r.Waiting) > 0 {
		lines = append(
			lines,
			"There are new versions of "+list(r.Waiting)+", which you have changed. To take them, with your cells kept:  go tool prl lab --update",
		)
	}
	if len(r.Foreign) > 0 {
		lines = append(lines, "Files of yours have the names of chapters, and stay: "+list(r.Foreign)+". Rename them to get the chapters.")
	}
	return lines
}
