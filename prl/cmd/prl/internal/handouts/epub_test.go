package handouts

import (
	"archive/zip"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// epubcheck is where Debian's package epubcheck has it.
const epubcheck = "/usr/share/java/epubcheck.jar"

// checkBook lists what is wrong with an EPUB: by its own rules, and by those of EPUBCheck where that is installed.
func checkBook(t *testing.T, file string) (faults []string) {
	t.Helper()
	r, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if f := r.File[0]; f.Name != "mimetype" || f.Method != zip.Store || len(f.Extra) > 0 || f.Flags&8 != 0 {
		faults = append(faults, "the kind of the file does not stand first and bare")
	}
	ids, links, held := map[string]bool{}, map[string]string{}, map[string]string{}
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		held[f.Name] = string(data)
		if e := path.Ext(f.Name); e != ".xhtml" && e != ".opf" && e != ".svg" && e != ".xml" {
			continue
		}
		ids[f.Name] = true
		d := xml.NewDecoder(strings.NewReader(string(data)))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				faults = append(faults, f.Name+": "+err.Error())
				break
			}
			start, is := token.(xml.StartElement)
			if !is {
				continue
			}
			alt := start.Name.Local != "img" && start.Name.Local != "math"
			for _, a := range start.Attr {
				switch name := a.Name.Local; {
				case path.Ext(f.Name) == ".svg":
				case name == "id":
					if ids[f.Name+"#"+a.Value] {
						faults = append(faults, f.Name+": two elements are called "+a.Value)
					}
					ids[f.Name+"#"+a.Value] = true
				case (name == "href" || name == "src") && !strings.Contains(a.Value, "://") && !strings.HasPrefix(a.Value, "mailto:"):
					to, fragment, is := strings.Cut(a.Value, "#")
					target := f.Name
					if to != "" {
						target = path.Join(path.Dir(f.Name), to)
					}
					if is {
						target += "#" + fragment
					}
					links[target] = f.Name
				case name == "alt" || name == "alttext":
					alt = true
				case strings.HasPrefix(name, "on") || name == "srcset":
					faults = append(faults, f.Name+": "+name)
				}
			}
			if !alt {
				faults = append(faults, f.Name+": a "+start.Name.Local+" without words")
			}
			if start.Name.Local == "script" {
				faults = append(faults, f.Name+": a script")
			}
		}
	}
	for target, from := range links {
		if strings.Contains(target, "#") && !ids[target] || !strings.Contains(target, "#") && held[target] == "" {
			faults = append(faults, from+" leads to "+target+", which is not there")
		}
	}
	for name := range held {
		if inside, is := strings.CutPrefix(name, "EPUB/"); is && inside != "book.opf" && !strings.Contains(held["EPUB/book.opf"],
			`href="`+inside+`"`) {
			faults = append(faults, "the package does not name "+inside)
		}
	}
	if _, err := os.Stat(epubcheck); err == nil {
		said, err := exec.CommandContext(t.Context(), "java", "-jar", epubcheck, file).CombinedOutput()
		if err != nil {
			faults = append(faults, "EPUBCheck: "+err.Error()+"\n"+string(said))
		}
	} else {
		t.Log("EPUBCheck is not installed (Debian: apt install epubcheck); the book is checked by the rules of this test alone")
	}
	slices.Sort(faults)
	return faults
}

// A book of a notebook with formulas, figures, links, a solution and what a stranger writes is an EPUB, the same each time.
func TestEPUB(t *testing.T) {
	math := mustRenderer(t)
	text := func(name, source string) cell {
		shown, err := finished(`<div class="prose">`+source+`</div>`, math)
		if err != nil {
			t.Fatal(err)
		}
		return cell{ID: name, Kind: "markdown", HTML: shown}
	}
	tex := func(s string) string { return `<span class="tex" data-display="1">` + s + `</span>` }
	svg := base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" viewBox="0 0 9 9">` +
		`<linearGradient id="a"><stop stop-color="#fff"/><stop offset="1" stop-color="#000"/></linearGradient><text paint-order="stroke" ` +
		`x="1" y="5">a</text></svg>`))
	solution := text("s", `<p><strong>Solution.</strong> A zebra.</p>`)
	solution.Tags = []string{"solution"}
	chapters := []*chapter{
		{Path: "01-one.ipynb", Cells: []cell{
			text("a", `<h1 id="one">One &amp; only</h1><p>It is `+tex(`\lambda_{\min} \overset{(1)}{=} \frac{a}{b}`)+
				` <a href="02-two.ipynb#2-two">there</a>, <a href="#one">here</a>, <a href="../README.md">outside</a>, <a href="#lost">lost</a>.</p>`+
				`<h2 id="two">Formulas `+tex(`x < y`)+`</h2>`+tex(`\begin{aligned}a&=b\\c&=d\end{aligned}`)+tex(`\max_i\log x\tag{1}`)),
			{ID: "b", Kind: "code", Runs: true, Executed: true, HTML: `<div class="output"><div class="display"><img alt="A dot." ` +
				`class="prl-figure" src="data:image/svg+xml;base64,` + svg + `"/></div>` +
				`<details class="prl-proofs" data-prl-proofs="1"><summary style="x:y"><span role="img" aria-label="proved">✓</span> <b>1 ` +
				`proved</b> it holds</summary><div><div data-prl-check="X">twice</div></div></details></div>`},
			text("h", `<p id="one" onclick="x()">again<script>alert(1)</script><br>`+"a\u0001b"+
				`<b>bold</p><table align="center"><tr><td align="right" colspan="1">x</td></tr></table>`), solution,
		}},
		{Path: "02-two.ipynb", Cells: []cell{text("a", `<h1 id="two">Two</h1><h2 id="2-two">It begins with a number</h2><p>And ends.</p>`)}},
	}
	course := DefaultCourse()
	course.Title, course.Lecturer, course.Date = `Decisions <under> "doubt"`, "A. & B.", "2026-11-21"
	made, err := epub(chapters, Plain, course)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "book.epub")
	if err := os.WriteFile(file, []byte(made), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, fault := range checkBook(t, file) {
		t.Error(fault)
	}
	if again, err := epub(chapters, Plain, course); err != nil || again != made {
		t.Errorf("the same notebooks give another book (%v)", err)
	}
	r, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	read := func(name string) string {
		f, err := r.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	one := read("EPUB/01-one.xhtml")
	for _, want := range []string{
		`href="02-two.xhtml#i-2-two"`, `href="#i-one"`,
		`<math xmlns="http://www.w3.org/1998/Math/MathML" alttext="\lambda`, `display="block"`,
		`src="pictures/p1.svg"`, "A zebra", "<b>1 proved</b> it holds",
	} {
		if !strings.Contains(one, want) {
			t.Errorf("the chapter has no %s", want)
		}
	}
	for _, no := range []string{"README", "lost\"", "katex", "twice", "onclick", "alert"} {
		if strings.Contains(one, no) {
			t.Errorf("the chapter has %s", no)
		}
	}
	if opf := read("EPUB/book.opf"); !strings.Contains(opf, `<meta property="dcterms:modified">2026-11-21T00:00:00Z</meta>`) ||
		strings.Count(opf, `properties="mathml"`) != 1 {
		t.Errorf("the package is %s", opf)
	}
	student, err := epub(chapters, Student, course)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(student), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := zip.OpenReader(file); err != nil {
		t.Fatal(err)
	} else {
		r.Close()
		r = again
	}
	if strings.Contains(read("EPUB/01-one.xhtml"), "zebra") {
		t.Error("a student's book has the solution")
	}
}
