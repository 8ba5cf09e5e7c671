// Package collect reads what students hand in, executes it again in a sandbox, and tables who has solved what.
package collect

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/notebook"
)

// A Chapter is a notebook with exercises, as the teacher has it.
type Chapter struct {
	Name      string
	Exercises []string // ids, in their order

	cells map[string]string // of an exercise the id of its cell
	seals string
	text  *notebook.Notebook // without solutions
}

var asks = regexp.MustCompile(`prl\.Exercise\(\s*"([^"]+)"`)

// exercisesOf lists the exercises that a notebook asks, with the id of the cell of each.
func exercisesOf(n *notebook.Notebook) (ids []string, cells map[string]string) {
	cells = map[string]string{}
	for _, c := range n.Cells {
		if !c.IsCode() {
			continue
		}
		for _, match := range asks.FindAllStringSubmatch(c.Source(), -1) {
			if _, twice := cells[match[1]]; !twice {
				ids, cells[match[1]] = append(ids, match[1]), c.ID()
			}
		}
	}
	return ids, cells
}

// Chapters reads the notebooks of a folder that have exercises.
func Chapters(folder string) ([]*Chapter, error) {
	names, err := fs.Glob(os.DirFS(folder), "*.ipynb")
	if err != nil {
		return nil, err
	}
	var all []*Chapter
	for _, name := range names {
		n, err := notebook.Read(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		n.RemoveTagged("solution")
		c := &Chapter{Name: strings.TrimSuffix(name, ".ipynb"), text: n}
		if c.Exercises, c.cells = exercisesOf(n); len(c.Exercises) == 0 {
			continue
		}
		for _, cell := range n.Cells {
			if slices.Contains(cell.Tags(), "seals") {
				c.seals += cell.Source() + "\n"
			}
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s holds no notebook with exercises", folder)
	}
	return all, nil
}

// A HandIn is one notebook of a student.
type HandIn struct {
	Student string
	Chapter *Chapter
	Path    string
	Folder  string // with files of the student that belong to it; empty where the folder holds hand-ins of others too

	text *notebook.Notebook
	when time.Time
}

// largestHandIn is the size up to which a notebook is read.
const largestHandIn = 32 << 20

// Find reads the hand-ins in a folder. Their names may lie in it in four ways:
//
//	STUDENT/01-name.ipynb                        a folder for each student
//	submitted/STUDENT/ASSIGNMENT/01-name.ipynb   as nbgrader collects them; the folder submitted itself may be named too
//	Name_123_assignsubmission_file_/...ipynb     as Moodle packs them
//	STUDENT_01-name.ipynb                        all in one folder
//
// Which chapter a notebook answers is told by its exercises. Links are not followed. What is no hand-in is told in remarks.
func Find(dir string, chapters []*Chapter) (found []*HandIn, remarks []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if hidden := strings.HasPrefix(entry.Name(), ".") && path != dir; hidden && entry.IsDir() {
			return fs.SkipDir
		} else if hidden || filepath.Ext(path) != ".ipynb" || entry.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		remark := func(format string, args ...any) {
			remarks = append(remarks, plain(rel)+": "+fmt.Sprintf(format, args...))
		}
		info, err := entry.Info()
		switch {
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			remark("is no file of its own, and is left out")
			return nil
		case info.Size() > largestHandIn:
			remark("has %d MB, more than %d, and is left out", info.Size()>>20, largestHandIn>>20)
			return nil
		}
		text, err := notebook.Read(path)
		if err != nil {
			remark("cannot be read: %s", plain(strings.TrimPrefix(err.Error(), path+": ")))
			return nil
		}
		chapter := chapterOf(text, chapters)
		if chapter == nil {
			remark("has no exercise of a chapter, and is left out")
			return nil
		}
		h := &HandIn{Chapter: chapter, Path: path, text: text, when: info.ModTime()}
		h.Student, h.Folder = owner(dir, rel, chapter)
		if h.Student == "" {
			remark("tells no student: put it into a folder with the student's name, or put the name before that of the notebook")
			return nil
		}
		found = append(found, h)
		return nil
	})
	slices.SortStableFunc(found, func(a, b *HandIn) int {
		return cmp.Or(cmp.Compare(a.Student, b.Student), cmp.Compare(a.Chapter.Name, b.Chapter.Name), b.when.Compare(a.when))
	})
	last := func(a, b *HandIn) bool { return a.Student == b.Student && a.Chapter == b.Chapter }
	for i := 1; i < len(found); i++ {
		if last(found[i-1], found[i]) {
			remarks = append(remarks, fmt.Sprintf("%s: %s has handed in a newer one, %s", plain(found[i].Path), found[i].Student,
				plain(found[i-1].Path)))
			found = slices.Delete(found, i, i+1)
			i--
		}
	}
	return found, remarks, err
}

// chapterOf is the chapter most of whose exercises a notebook asks, or nil.
func chapterOf(n *notebook.Notebook, chapters []*Chapter) (best *Chapter) {
	_, cells := exercisesOf(n)
	most := 0
	for _, c := range chapters {
		common := 0
		for _, id := range c.Exercises {
			if _, asked := cells[id]; asked {
				common++
			}
		}
		if common > most {
			best, most = c, common
		}
	}
	return best
}

var moodle = regexp.MustCompile(`_\d+_assignsubmission_file_?$`)

// owner tells the student from the path of a hand-in, and the folder that is this student's alone.
func owner(dir, rel string, c *Chapter) (student, folder string) {
	parts := strings.Split(filepath.ToSlash(rel), "/")
	at := 0
	if parts[0] == "submitted" && len(parts) > 2 {
		at = 1
	}
	if at < len(parts)-1 {
		return plain(moodle.ReplaceAllString(parts[at], "")), filepath.Join(dir, filepath.Dir(rel))
	}
	name := strings.TrimSuffix(parts[at], ".ipynb")
	for _, known := range []string{c.Name, c.Name[:min(2, len(c.Name))]} {
		if before, _, found := strings.Cut(name, known); found {
			name = before
			break
		}
	}
	return plain(strings.Trim(name, " _-.")), ""
}

// plain is text of somebody else on one line, without what a terminal would take for an order.
func plain(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, text))
}
