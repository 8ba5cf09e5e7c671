package handouts

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

const someWorks = `Works of this test.

@article{cortes1995,
  author = {Cortes, C. and Vapnik, V.}, year = 1995,
  title = "Support-vector networks", journal = {Machine Learning}, volume = {20}, pages = {273–297},
}
@book{duda2001, author={Duda, R. O. and Hart, P. E. and Stork, D. G.}, year={2001}, title={Pattern Classification}, edition={2nd}, ` +
	`publisher={Wiley}}
@incollection{cave1980, author={Cave, R. L. and Neuwirth, L. P.}, year={1980}, title={What is {English}?},
 booktitle={Hidden \emph{Models}}, editor={Ferguson, J. D.}, publisher={IDA-CRD, Princeton}}
@techreport{commission1986, author={{Commission on Ships and Seas}}, year={1986}, title={On \emph{Argo}}, institution={London, TR-1}, ` +
	`note={Two parts}}
`

func TestReadBibTeX(t *testing.T) {
	works, err := readBibTeX("works.bib", someWorks)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"cortes1995": "Cortes, C., Vapnik, V. (1995). Support-vector networks. *Machine Learning* 20, 273–297.",
		"duda2001":   "Duda, R. O., Hart, P. E., Stork, D. G. (2001). *Pattern Classification*, 2nd ed. Wiley.",
		"cave1980": `Cave, R. L., Neuwirth, L. P. (1980). What is English? In *Hidden \emph{Models}* (Ferguson, J. D., ed.). IDA-CRD, ` +
			`Princeton.`,
		"commission1986": "Commission on Ships and Seas (1986). On *Argo*. London, TR-1. Two parts.",
	} {
		if works[key] == nil || works[key].markdown() != want {
			t.Errorf("%s is %q, want %q", key, works[key].markdown(), want)
		}
	}
	for text, said := range map[string]string{
		"\n@book{a, title = {b}":                         "line 2: in a a comma or the closing } is missing",
		"@book{a, title {b}}":                            `in a a = is missing behind "title"`,
		"@book{a, title = {b}}\n\n@book{a, title = {b}}": "line 3: the key a is there twice",
		"@book{a, title = {b":                            "a value is not closed",
		"@book{a, title = }":                             "in {braces} or in quotes",
		"@book title = {b}":                              "after @book a { is missing",
		"@book{, title = {b}}":                           "@book has no key",
		"@book{a, title = {b} year":                      "a comma or the closing",
	} {
		_, err := readBibTeX("works.bib", text)
		if err == nil || !strings.Contains(err.Error(), said) || !strings.HasPrefix(err.Error(), "works.bib, line ") {
			t.Errorf("%q: the error does not say %q: %v", text, said, err)
		}
	}
}

func TestCitations(t *testing.T) {
	works, err := readBibTeX("references.bib", someWorks)
	if err != nil {
		t.Fatal(err)
	}
	const list = `<ul><li><a id="cite-cortes1995"></a>Cortes, C., Vapnik, V. (1995). Support-vector networks. <em>Machine Learning</em> ` +
		`20, 273–297. Section 2.</li></ul>`
	alone := func(prose string) *chapter {
		return &chapter{Path: "21-svm.ipynb", Cells: []cell{formulaCell("here", prose)}}
	}
	c := alone(`<p>(<a href="#cite-cortes1995">Cortes and Vapnik, 1995</a>)</p>` + list)
	if err := cite([]*chapter{c}, works); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<a href="#cite-cortes1995" class="ref">Cortes and Vapnik, 1995</a>`, `<li id="cite-cortes1995">Cortes, C.`,
	} {
		if !strings.Contains(c.Cells[0].HTML, want) {
			t.Errorf("the chapter lacks %s:\n%s", want, c.Cells[0].HTML)
		}
	}
	page, err := wholeOf(t, design{}, works, c).references()
	if want := `<em>Machine Learning</em> 20, 273–297. <span class="where">Chapter <a href="21-svm.html#cite-cortes1995">21</a>, cited ` +
		`in <a href="21-svm.html">21-svm</a></span></li>`; err != nil ||
		!strings.Contains(page, want) || strings.Contains(page, "Duda") {
		t.Errorf("the page of references lacks %s, or has what nobody cites (%v):\n%s", want, err, page)
	}
	for prose, said := range map[string]string{
		list + `<a href="#cite-cortes1996">Cortes, 1996</a>`:  `has no entry "cortes1996": add the work there, or did you mean "cortes1995"?`,
		list + `<a href="#cite-duda2001">Duda and others</a>`: "add to it\n* <a id=\"cite-duda2001\"></a>Duda, R. O.",
		list + `<a href="#cite-cortes1995">Duda, 2001</a>`:    `"Duda, 2001" names neither an author of cortes1995 nor its year`,
		strings.Replace(list, "273", "272", 1): "says of cortes1995 something else; write\n* <a id=\"cite-cortes1995\"></a>" +
			"Cortes, C.",
		strings.Replace(list, "cortes1995", "cortez1995", 1): `has no entry "cortez1995"`,
		list + list: `"cortes1995" is in the list of references twice`,
	} {
		if err := cite([]*chapter{alone(prose)}, works); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("the error does not say %q: %v", said, err)
		}
	}
}

// The chapters cite what the file of works holds, as it holds it, and the file holds nothing that no chapter names.
func TestChaptersCiteWorks(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "..", "notebooks")
	data, err := os.ReadFile(filepath.Join(folder, bibName))
	if err != nil {
		t.Fatal(err)
	}
	works, err := readBibTeX(bibName, string(data))
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(folder, "[0-9]*.ipynb"))
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d notebooks: %v", len(paths), err)
	}
	point := regexp.MustCompile(`(?m)^\* <a id="cite-([a-z0-9]+)"></a>(.*)$`)
	link := regexp.MustCompile(`\[([^\]]+)\]\(#cite-([a-z0-9]+)\)`)
	used, chapters := map[string]bool{}, 0
	for _, path := range paths {
		n, err := notebook.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, c := range n.Cells {
			if !c.IsCode() {
				text.WriteString(c.Source() + "\n")
			}
		}
		listed := map[string]bool{}
		for _, m := range point.FindAllStringSubmatch(text.String(), -1) {
			w := works[m[1]]
			if w == nil {
				t.Errorf("%s: %s", path, unknownWork(m[1], works))
			} else if !strings.HasPrefix(m[2], w.markdown()) {
				t.Errorf("%s: write\n%s", path, w.point())
			}
			listed[m[1]], used[m[1]] = true, true
		}
		for _, m := range link.FindAllStringSubmatch(text.String(), -1) {
			w := works[m[2]]
			if w == nil || !listed[m[2]] {
				t.Errorf("%s: %s is not in the list of references", path, m[0])
				continue
			}
			named := func(s string) bool { return s != "" && strings.Contains(m[1], s) }
			if !slices.ContainsFunc(append(w.surnames(), w.fields["year"]), named) {
				t.Errorf("%s: %s names neither an author nor the year", path, m[0])
			}
		}
		if len(listed) > 0 {
			chapters++
		}
	}
	if chapters < 20 {
		t.Errorf("%d chapters have lists of references", chapters)
	}
	for key := range works {
		if !used[key] {
			t.Errorf("%s: no chapter names %s", bibName, key)
		}
	}
}
