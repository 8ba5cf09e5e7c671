package handouts

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

func TestReadCourse(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "01-one.ipynb"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	read := func(text string) (*Course, error) {
		path := filepath.Join(dir, "course.toml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return ReadCourse(path, dir)
	}
	for name, data := range map[string]string{
		"logo.svg": `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`, "text.svg": "no picture",
		"page.svg": "<html></html>", "text.png": "no picture", "logo.gif": "GIF89a", "big.svg": "<svg>" + strings.Repeat(" ", maxLogo) + "</svg>",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var wide, tiny bytes.Buffer
	if err := errors.Join(png.Encode(&wide, image.NewGray(image.Rect(0, 0, maxSide+1, 1))),
		png.Encode(&tiny, image.NewGray(image.Rect(0, 0, 2, 2))),
		os.WriteFile(filepath.Join(dir, "wide.png"), wide.Bytes(), 0o644), os.WriteFile(filepath.Join(dir, "tiny.png"), tiny.Bytes(),
			0o644)); err != nil {
		t.Fatal(err)
	}
	if c, err := read("logo = \"tiny.png\""); err != nil || !strings.HasPrefix(c.picture, "data:image/png;base64,") {
		t.Errorf("got %+v, %v", c, err)
	}
	logo, err := read("logo = \"logo.svg\"")
	if err != nil || !strings.HasPrefix(logo.picture, "data:image/svg+xml;base64,") {
		t.Errorf("got %+v, %v", logo, err)
	}
	c, err := read("title = \"T\"\nnotebooks = [\"01\"]\npaper = \"letter\"\n")
	if err != nil || c.Title != "T" || len(c.Notebooks) != 1 || filepath.Base(c.Notebooks[0]) != "01-one.ipynb" || c.Paper != "letter" ||
		c.Code != ShortCode {
		t.Errorf("got %+v, %v", c, err)
	}
	c, err = read("weeks = [[\"01\"], [], [\"01-one\", \"01\"]]\n")
	if err != nil || len(c.Notebooks) != 3 || c.week(0) != 1 || c.week(1) != 3 || c.week(2) != 0 {
		t.Errorf("got %+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"notebooks = [\"01\"]\nweeks = [[\"01\"]]": "line 2: key \"weeks\": a course lists its notebooks or its weeks",
		"weeks = [[\"99\"]]":                       `line 1: key "weeks": there is no notebook "99"`,
		"title = \"T\"\nlecturr = \"L\"":           `line 2: key "lecturr": there is no such key (did you mean "lecturer"?)`,
		"\naccent = \"blue\"":                      `line 2: key "accent": "blue" is not a colour`,
		"paper = \"A5\"":                           `line 1: key "paper"`,
		"title = \"T\"\ncode = \"some\"":           `line 2: key "code": "some" is none of all, short, none`,
		"title = \"T\"\nlogo = \"no.svg\"":         `line 2: key "logo": there is no file`,
		"logo = \"text.svg\"":                      `line 1: key "logo"`,
		"logo = \"page.svg\"":                      `its outermost element is "html"`,
		"logo = \"text.png\"":                      "is not a PNG picture",
		"logo = \"logo.gif\"":                      "is neither an .svg nor a .png file",
		"logo = \"big.svg\"":                       "is larger than 256 KB",
		"logo = \"wide.png\"":                      "is 4001 x 1 pixels",
		"logo = \".\"":                             "is not a file",
		"logo = \"\"":                              `line 1: key "logo"`,
		"title = \"T\"\n\ntitle = 3":               "line 3",
		"title = \"T\"\nnotebooks = [1]":           "line 2",
		"notebooks = [\"99\"]":                     `line 1: key "notebooks": there is no notebook "99"`,
		"title = \"T\nlecturer = \"L\"\n":          "line 1",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// TestPlans wants the reading plans accepted as course files, one week for each that their names promise, with every chapter once and after
// those that it needs. The longest reads all chapters.
func TestPlans(t *testing.T) {
	l, all := lab(t)
	b, err := syllabus.Read(l.Notebooks())
	if err != nil || len(b.Plans) != 3 {
		t.Fatalf("%d plans (%v)", len(b.Plans), err)
	}
	for i, weeks := range []int{4, 8, 14} {
		plan := b.Plans[i]
		c, err := ReadCourse(l.Path("notebooks", "handouts", plan.File), l.Notebooks())
		if err != nil {
			t.Fatal(err)
		}
		if plan.File != fmt.Sprintf("plan-%02d.toml", weeks) || len(c.Weeks) != weeks || c.Title != plan.Title {
			t.Errorf("%s: %d weeks, %q", plan.File, len(c.Weeks), c.Title)
		}
		if weeks == 14 && len(c.Notebooks) != len(all) {
			t.Errorf("%s: %d of %d chapters", plan.File, len(c.Notebooks), len(all))
		}
		read := map[string]bool{}
		for _, path := range c.Notebooks {
			number := filepath.Base(path)[:2]
			if read[number] {
				t.Errorf("%s reads %s twice", plan.File, number)
			}
			for _, n := range b.Needs {
				if n.Chapter == number && !read[n.Needs] {
					t.Errorf("%s reads %s before %s, which it needs", plan.File, number, n.Needs)
				}
			}
			read[number] = true
		}
	}
}

// TestFailedCheck wants a failed check named, and marked when it is let through.
func TestFailedCheck(t *testing.T) {
	bad := cell{
		ID:       "sum",
		Kind:     "code",
		Runs:     true,
		Executed: true,
		HTML:     `<div data-prl-check="X-1" data-prl-outcome="failed" style=""><span>✗</span> sums to one</div>`,
	}
	fine := cell{ID: "ok", Kind: "code", Runs: true, Executed: true, HTML: `<div data-prl-check="X-2" data-prl-outcome="passed"></div>`}
	solution := cell{ID: "sol", Kind: "markdown", Tags: []string{"solution"}, HTML: "<p>The answer.</p>"}
	seals := cell{ID: "seals", Kind: "code", Tags: []string{"seals"}, HTML: "<pre>26-1 w3xQ</pre>"}
	c := &chapter{Path: "n.ipynb", Cells: []cell{fine, bad, solution, seals}}
	problems := c.problems()
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), "n.ipynb, cell 2 (sum): a check failed: ✗ sums to one") {
		t.Errorf("got %v", problems)
	}
	if n := strings.Count(written(t, c, Plain, onScreen), "spoilt-name"); n != 1 {
		t.Errorf("%d cells marked", n)
	}
	if passed, failed, open, items := checks(c.Cells); passed != 1 || failed != 1 || open != 0 || strings.Join(items, " ") != "X-1 X-2" {
		t.Errorf("got %d %d %d %v", passed, failed, open, items)
	}
	if strings.Contains(written(t, c, Student, onScreen), "The answer") ||
		!strings.Contains(written(t, c, Teacher, onScreen), `<details class="solution" open="">`) {
		t.Error("solutions: not hidden from students, or not open for teachers")
	}
	for _, v := range []Version{Plain, Student, Teacher} {
		if strings.Contains(written(t, c, v, onScreen), "w3xQ") {
			t.Errorf("version %v shows the seals", v)
		}
	}
	c.Cells[1].Executed = false
	c.Cells[1].HTML = ""
	c.Path = "my course/n.ipynb"
	const remedy = "has not been executed: go tool prl run 'my course/n.ipynb', or --run"
	if p := c.problems(); len(p) != 1 || !strings.Contains(p[0].Error(), remedy) {
		t.Errorf("got %v", p)
	}
}

// written is the body of a chapter as text.
func written(t *testing.T, c *chapter, v Version, code Code) string {
	t.Helper()
	body, err := c.body(v, code)
	if err != nil {
		t.Fatal(err)
	}
	return inner(body)
}

func TestFormulas(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	set, err := r.render(`<p><span class="tex" data-display="1">\frac{a}{b} &lt; \mathcal N</span></p>`)
	// TeX stands where it is copied from, and nowhere else.
	if err != nil || !strings.Contains(set, `data-tex="\frac{a}{b} &lt; \mathcal N"`) || strings.Count(set, `\frac`) != 1 ||
		!strings.Contains(set, "katex-html") {
		t.Errorf("got %s, %v", set, err)
	}
	style, err := r.style(set)
	if err != nil || strings.Contains(style, "url(fonts") || !strings.Contains(style, "KaTeX_Caligraphic") ||
		strings.Contains(strings.Join(fontFace.FindAllString(style, -1), ""), "Fraktur") {
		t.Errorf("the style sheet is not self-contained (%v)", err)
	}
	if _, err := r.formula(`\frac{a`, false); err == nil || !strings.Contains(err.Error(), "cannot be set") {
		t.Errorf("got %v", err)
	}
}
