package handouts

import (
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	prlcell "github.com/prlab/prlab/prl/cell"
)

// A Course chooses notebooks and says what stands on the title page.
type Course struct {
	Title     string     `toml:"title"`
	Lecturer  string     `toml:"lecturer"`
	Date      string     `toml:"date"`
	Term      string     `toml:"term"`
	Accent    string     `toml:"accent"`  // the colour of links and rules, #rrggbb
	Logo      string     `toml:"logo"`    // an SVG or PNG file, beside the course file
	Paper     string     `toml:"paper"`   // A4 or letter
	Code      Code       `toml:"code"`    // on paper: all, short or none
	Address   string     `toml:"address"` // where the pages will stand, https://…/; for search engines
	Lab       string     `toml:"lab"`     // the address of a running lab, which pages lead into
	Licence   string     `toml:"licence"` // of the text
	Notebooks []string   `toml:"notebooks"`
	Weeks     [][]string `toml:"weeks"` // the notebooks of each week, instead of all in one list

	picture string // the logo as a data URI
	pages   []link // about the whole course
}

// DefaultCourse is what holds without a course file.
func DefaultCourse() *Course {
	return &Course{Title: "Pattern Recognition Lab", Paper: "A4", Code: ShortCode, Licence: "Apache License 2.0"}
}

var (
	courseKeys = []string{
		"title", "lecturer", "date", "term", "accent", "logo", "paper", "code", "address", "lab", "licence", "notebooks", "weeks",
	}
	hexColour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
)

// ReadCourse reads a course file. The names of notebooks are resolved in the file's folder first, then in the folder notebooks.
func ReadCourse(path, notebooks string) (*Course, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := DefaultCourse()
	meta, err := toml.Decode(string(data), c)
	if err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			key := ""
			if parse.LastKey != "" {
				key = fmt.Sprintf("key %q: ", parse.LastKey)
			}
			return nil, fmt.Errorf("%s, line %d: %s%s", path, parse.Position.Line, key, parse.Message)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	fault := func(key, format string, args ...any) error {
		return fmt.Errorf("%s, line %d: key %q: %s", path, lineOf(string(data), key), key, fmt.Sprintf(format, args...))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		hint := "the keys are " + strings.Join(courseKeys, ", ")
		if meant := prlcell.Suggest(unknown[0].String(), courseKeys); meant != "" {
			hint = meant
		}
		return nil, fault(unknown[0].String(), "there is no such key (%s)", hint)
	}
	if c.Accent != "" && !hexColour.MatchString(c.Accent) {
		return nil, fault("accent", "%q is not a colour of the form #0072b2", c.Accent)
	}
	if c.Paper != "A4" && c.Paper != "letter" {
		return nil, fault("paper", "%q is neither A4 nor letter", c.Paper)
	}
	if _, err := ParseCode(string(c.Code)); err != nil {
		return nil, fault("code", "%v", err)
	}
	if u, err := url.Parse(c.Address); c.Address != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
		return nil, fault("address", "%q is not the address of a site, as https://example.org/course/", c.Address)
	}
	if err := CheckLab(c.Lab); err != nil {
		return nil, fault("lab", "%v", err)
	}
	if meta.IsDefined("logo") {
		file := filepath.FromSlash(c.Logo)
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(path), file)
		}
		if c.picture, err = readLogo(file); err != nil {
			return nil, fault("logo", "%v", err)
		}
	}
	list := "notebooks"
	if meta.IsDefined("weeks") {
		if meta.IsDefined("notebooks") {
			return nil, fault("weeks", "a course lists its notebooks or its weeks, not both")
		}
		list, c.Notebooks = "weeks", slices.Concat(c.Weeks...)
	}
	for i, name := range c.Notebooks {
		found := ""
		for _, dir := range []string{filepath.Dir(path), notebooks} {
			for _, pattern := range []string{name, name + ".ipynb", name + "-*.ipynb"} {
				if matches, _ := filepath.Glob(filepath.Join(dir, pattern)); len(matches) == 1 && filepath.Ext(matches[0]) == ".ipynb" && found == "" {
					found = matches[0]
				}
			}
		}
		if found == "" {
			return nil, fault(list, "there is no notebook %q", name)
		}
		c.Notebooks[i] = found
	}
	return c, nil
}

// lineOf is the line on which a key stands.
func lineOf(text, key string) int {
	key = key[strings.LastIndex(key, ".")+1:]
	for i, line := range strings.Split(text, "\n") {
		if name, _, found := strings.Cut(line, "="); found && strings.Trim(strings.TrimSpace(name), `"'`) == key ||
			strings.TrimSpace(line) == "["+key+"]" {
			return i + 1
		}
	}
	return 1
}

func (c *Course) css() string {
	if c.Accent == "" {
		return ""
	}
	dark := "--accent: color-mix(in srgb, " + c.Accent + " 45%, white) } }"
	return ":root { --accent: " + c.Accent + " }\n@media screen and (prefers-color-scheme: dark) { :root:not([data-theme=light]) { " + dark +
		"\n@media screen { :root[data-theme=dark] { " + dark
}

// address is where a page of the course will stand, or nothing if nobody said.
func (c *Course) address(page string) string {
	if c.Address == "" {
		return ""
	}
	return strings.TrimSuffix(c.Address, "/") + "/" + page
}

// week is the number of the week that begins with the at-th notebook, or 0.
func (c *Course) week(at int) int {
	for i, notebooks := range c.Weeks {
		if at == 0 && len(notebooks) > 0 {
			return i + 1
		}
		at -= len(notebooks)
	}
	return 0
}

// Lines are what stands below the title.
func (c *Course) Lines() []string {
	return slices.DeleteFunc([]string{c.Lecturer, c.Term, c.Date}, func(line string) bool { return line == "" })
}

// Byline is the same in one line.
func (c *Course) Byline() string { return strings.Join(c.Lines(), " · ") }

// Pages are those about the whole course.
func (c *Course) Pages() []link { return c.pages }

// Picture is the logo as a data URI, or nothing.
func (c *Course) Picture() template.URL { return template.URL(c.picture) }
