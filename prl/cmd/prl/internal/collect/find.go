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

	"golang.org/x/text/unicode/norm"

	"github.com/prlab/prlab/prl/internal/seal"
	"github.com/prlab/prlab/prl/notebook"
)

// A Chapter is a notebook with exercises, as the teacher has it.
type Chapter struct {
	Name      string
	Exercises []string // ids, in their order

	cells    map[string]string // of an exercise the id of its cell
	seals    string
	text     *notebook.Notebook // without solutions and seals
	full     *notebook.Notebook
	judged   []*asked          // the cells that a program judges
	withheld map[string]string // of an exercise whose answer is withheld the id of its solution's cell
}

// judgeOf is what judges the answers of a cell, or nil where its seals do.
func (c *Chapter) judgeOf(cell string) *asked {
	for _, a := range c.judged {
		if a.cell == cell {
			return a
		}
	}
	return nil
}

var solves = regexp.MustCompile(`prl\.Solution\(\s*"([^"]+)"`)

// noSeals stands in the place of the seals where a hand-in is executed, which so cannot search them there.
const noSeals = "var _ = prl.Seals(``)"

// rule says how each exercise is judged.
func (c *Chapter) rule() error {
	c.withheld = map[string]string{}
	for _, id := range c.Exercises {
		s, sealed := seal.Find(c.seals, id)
		switch at := slices.IndexFunc(c.text.Cells, func(n *notebook.Cell) bool { return n.ID() == c.cells[id] }); {
		case !sealed && c.judgeOf(c.cells[id]) == nil:
			a, err := askOf(c.text.Cells[at])
			if err != nil {
				return fmt.Errorf("%s, cell %s: exercise %s has no seal and cannot be judged by a program: %w", c.Name, c.cells[id], id, err)
			}
			c.judged = append(c.judged, a)
		case sealed && s.Withheld:
			for _, n := range c.full.Cells {
				for _, m := range solves.FindAllStringSubmatch(n.Source(), -1) {
					if n.IsCode() && m[1] == id {
						c.withheld[id] = n.ID()
					}
				}
			}
		}
	}
	return nil
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
		full, err := notebook.Read(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		n.ForStudents()
		c := &Chapter{Name: strings.TrimSuffix(name, ".ipynb"), text: n, full: full}
		if c.Exercises, c.cells = exercisesOf(n); len(c.Exercises) == 0 {
			continue
		}
		for _, cell := range n.Cells {
			if slices.Contains(cell.Tags(), "seals") {
				c.seals += cell.Source() + "\n"
				cell.SetSource(noSeals)
			}
		}
		if err := c.rule(); err != nil {
			return nil, err
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

	rel  string
	text *notebook.Notebook
	when time.Time
}

// largestHandIn is the size up to which a notebook is read.
const largestHandIn = 32 << 20

// Find reads the hand-ins in a folder. Their names may lie in it in five ways:
//
//	STUDENT/01-name.ipynb                        a folder for each student
//	submitted/STUDENT/ASSIGNMENT/01-name.ipynb   as nbgrader collects them; the folder submitted itself may be named too
//	Name_123_assignsubmission_file_/...ipynb     as Moodle packs them
//	STUDENT_01-name.ipynb                        several in one folder, of whatever name
//	student_LATE_12_345_01-name.ipynb            as Canvas packs them
//
// A folder that holds notebooks of one chapter with several names before that of the chapter is no student's, nor is one whose notebooks
// begin with names of the class. Which chapter a notebook answers is told by its exercises. Links are not
// followed. What is no hand-in is told in remarks.
func Find(dir string, chapters []*Chapter, class *Class) (found []*HandIn, remarks []string, err error) {
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
		found = append(found, &HandIn{Chapter: chapter, Path: path, rel: rel, text: text, when: info.ModTime()})
		return nil
	})
	shared := sharedFolders(found, class)
	found = slices.DeleteFunc(found, func(h *HandIn) bool {
		h.Student, h.Folder = owner(dir, h, shared)
		h.Student = class.Member(h.Student)
		if h.Student == "" {
			remarks = append(remarks, plain(h.rel)+": tells no student: put it into a folder with the student's name, or put the name before "+
				"that of the notebook")
		}
		return h.Student == ""
	})
	for _, h := range found {
		if h.Folder != "" && slices.ContainsFunc(found, func(o *HandIn) bool { return o.Student != h.Student && within(o.Path, h.Folder) }) {
			h.Folder = "" // what lies there is not this student's alone
		}
		if class != nil && !class.has(h.Student) {
			remarks = append(remarks, fmt.Sprintf("%s: %s is not in the roster", plain(h.rel), h.Student))
		}
	}
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

// What learning platforms put behind the name of a student.
var (
	moodle = regexp.MustCompile(`_\d+_assignsubmission_file_?$`)
	canvas = regexp.MustCompile(`(?:_LATE)?_\d+_\d+$`)
)

// before is the name that stands in the name of a hand-in before that of its chapter.
func (h *HandIn) before() string {
	name := strings.TrimSuffix(filepath.Base(h.rel), ".ipynb")
	for _, known := range []string{h.Chapter.Name, h.Chapter.Name[:min(2, len(h.Chapter.Name))]} {
		if before, _, found := strings.Cut(name, known); found {
			return studentName(canvas.ReplaceAllString(strings.Trim(before, " _-."), ""))
		}
	}
	if filepath.Dir(h.rel) == "." {
		return studentName(name)
	}
	return ""
}

// sharedFolders are the folders whose hand-ins are told apart by their own names.
func sharedFolders(all []*HandIn, class *Class) map[string]bool {
	shared := map[string]bool{".": true, "submitted": true}
	first := map[string]string{} // name, by folder and chapter
	for _, h := range all {
		folder, name := filepath.Dir(h.rel), h.before()
		key := folder + "\x00" + h.Chapter.Name
		if other, known := first[key]; known && name != "" && name != other && other != "" {
			shared[folder] = true
		} else if name != "" {
			first[key] = name
		}
		if name != "" && class.has(name) && !class.has(byFolder(h.rel)) {
			shared[folder] = true
		}
	}
	return shared
}

// byFolder is the student that the folders of a hand-in tell.
func byFolder(rel string) string {
	parts := strings.Split(filepath.ToSlash(rel), "/")
	if parts[0] == "submitted" && len(parts) > 2 {
		parts = parts[1:]
	}
	return studentName(moodle.ReplaceAllString(parts[0], ""))
}

// owner tells the student of a hand-in, and the folder that is this student's.
func owner(dir string, h *HandIn, shared map[string]bool) (student, folder string) {
	if shared[filepath.Dir(h.rel)] {
		return h.before(), ""
	}
	return byFolder(h.rel), filepath.Join(dir, filepath.Dir(h.rel))
}

func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// studentName is a name as it is compared: on one line, and an accent written with its letter, which file systems do in two ways.
func studentName(text string) string { return norm.NFC.String(plain(text)) }

// plain is text of somebody else on one line, without what a terminal would take for an order.
func plain(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, text))
}
