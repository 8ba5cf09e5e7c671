package handouts

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	prlcell "github.com/prlab/prlab/prl/cell"
)

// Works that chapters cite stand in one file of BibTeX, references.bib. A text cites one as [Cortes and Vapnik, 1995](#cite-cortes1995);
// the list at the end of the chapter has a point * <a id="cite-cortes1995"></a>Cortes, C., ... for each, as the file says it, so that the
// link works in JupyterLab as well. What is more behind the entry, "Chapter 9.", is the chapter's own remark.

const (
	bibName        = "references.bib"
	referencesName = "references.html" // the page with the works of all chapters
)

// readWorks reads the works of a course: those of the file beside the lab's notebooks, and those beside the notebooks given, if elsewhere.
func readWorks(notebooks string, chapters []*chapter) (map[string]*work, error) {
	all, seen := map[string]*work{}, map[string]bool{}
	folders := []string{notebooks}
	for _, c := range chapters {
		folders = append(folders, filepath.Dir(c.Path))
	}
	for _, folder := range folders {
		file := filepath.Join(folder, bibName)
		if seen[file] {
			continue
		}
		seen[file] = true
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		works, err := readBibTeX(file, string(data))
		if err != nil {
			return nil, err
		}
		maps.Copy(all, works)
	}
	return all, nil
}

const citePrefix = "cite-"

// cite checks the lists of references against the works, and the citations against the lists. It marks both.
func cite(chapters []*chapter, works map[string]*work) error {
	var problems []error
	for _, c := range chapters {
		c.works = nil
		problems = append(problems, c.listed(works)...)
	}
	for _, c := range chapters {
		problems = append(problems, c.citing(works)...)
	}
	return errors.Join(problems...)
}

func unknownWork(key string, works map[string]*work) string {
	text := fmt.Sprintf("%s has no entry %q: add the work there", bibName, key)
	if meant := prlcell.Suggest(key, slices.Sorted(maps.Keys(works))); meant != "" {
		text += ", or " + meant
	}
	return text
}

// point is the line of a list of references in a notebook.
func (w *work) point() string {
	return fmt.Sprintf(`* <a id="%s%s"></a>%s`, citePrefix, w.Key, w.markdown())
}

// listed reads the list of references of a chapter.
func (c *chapter) listed(works map[string]*work) (problems []error) {
	for i := range c.Cells {
		one := &c.Cells[i]
		if !strings.Contains(one.HTML, `id="`+citePrefix) {
			continue
		}
		where := fmt.Sprintf("%s, cell %d (%s)", c.Path, i+1, one.ID)
		root := parse(one.HTML)
		for a := range elements(root, tag("a", "")) {
			key, is := strings.CutPrefix(attr(a, "id"), citePrefix)
			if !is {
				continue
			}
			w := works[key]
			if w == nil {
				problems = append(problems, fmt.Errorf("%s: %s", where, unknownWork(key, works)))
				continue
			}
			if slices.Contains(c.works, key) {
				problems = append(problems, fmt.Errorf("%s: %q is in the list of references twice", where, key))
			}
			c.works = append(c.works, key)
			point := a.Parent
			if point.Data == "p" && point.Parent.Data == "li" { // of a list with space between its points
				point = point.Parent
			}
			if said := textOf(point); !strings.HasPrefix(said, plainOf(w.markdown())) {
				problems = append(problems, fmt.Errorf("%s: %s says of %s something else; write\n%s", where, bibName, key, w.point()))
			}
			remove(a)
			setAttr(point, "id", citePrefix+key)
		}
		one.HTML = inner(root)
	}
	return problems
}

// plainOf is the text of a line of Markdown that has no other marks than slanted words.
func plainOf(markdown string) string { return strings.ReplaceAll(markdown, "*", "") }

// citing checks the citations of a chapter.
func (c *chapter) citing(works map[string]*work) (problems []error) {
	for i := range c.Cells {
		one := &c.Cells[i]
		if !strings.Contains(one.HTML, `href="#`+citePrefix) {
			continue
		}
		where := fmt.Sprintf("%s, cell %d (%s)", c.Path, i+1, one.ID)
		root := parse(one.HTML)
		for a := range elements(root, tag("a", "")) {
			key, is := strings.CutPrefix(attr(a, "href"), "#"+citePrefix)
			if !is {
				continue
			}
			w, words := works[key], textOf(a)
			switch {
			case w == nil:
				problems = append(problems, fmt.Errorf("%s: %s", where, unknownWork(key, works)))
			case !slices.Contains(c.works, key):
				problems = append(problems, fmt.Errorf("%s: %q is not in the chapter's list of references; add to it\n%s", where, key, w.point()))
			case !slices.ContainsFunc(append(w.surnames(), w.fields["year"]), func(s string) bool { return s != "" && strings.Contains(words, s) }):
				problems = append(problems,
					fmt.Errorf("%s: %q names neither an author of %s nor its year: %s", where, words, key, plainOf(w.markdown())))
			}
			setAttr(a, "class", "ref")
		}
		one.HTML = inner(root)
	}
	return problems
}

var slanted = regexp.MustCompile(`\*([^*]+)\*`)

// references is the page with the works of all chapters, each with the sections that cite it.
func (w *whole) references() (string, error) {
	type place struct {
		File, Number string
		Cited        []link
	}
	type entry struct {
		Key   string
		HTML  template.HTML
		Where []place
		order string
	}
	by := map[string]*entry{}
	for i, c := range w.chapters {
		for _, key := range c.works {
			if by[key] == nil {
				text := html.EscapeString(w.works[key].markdown())
				by[key] = &entry{
					Key: key, HTML: template.HTML(slanted.ReplaceAllString(text, "<em>$1</em>")), order: strings.ToLower(text),
				}
			}
			by[key].Where = append(by[key].Where, place{c.name() + ".html", chapterNumber(c, i+1), w.marks[i].cited[key]})
		}
	}
	entries := slices.SortedFunc(maps.Values(by), func(a, b *entry) int { return strings.Compare(a.order, b.order) })
	return w.page(referencesName, "References", "", map[string]any{"Entries": entries})
}
