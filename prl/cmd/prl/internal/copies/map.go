package copies

import (
	"encoding/base64"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/notebook"
)

// StartPage is the page that a lab opens with, and mapCell the id of its cell for the map of the chapters.
const (
	StartPage = "00-start.ipynb"
	mapCell   = "map"
)

// columns is the number of chapters side by side.
const columns = 3

// draw puts the chapters that there are into the map: each with its first picture, its title and the question that it begins with.
func draw(page *notebook.Notebook, from string) {
	names, err := fs.Glob(os.DirFS(from), "[0-9][0-9]-*.ipynb")
	if err != nil {
		return
	}
	var b strings.Builder
	count := 0
	for _, name := range names {
		n, err := notebook.Read(filepath.Join(from, name))
		if err != nil || name == StartPage {
			continue
		}
		title, question := opening(n)
		if count%columns == 0 {
			b.WriteString("<tr>")
		}
		fmt.Fprintf(&b, `<td width="33%%" valign="top" align="left"><a href="%s">`, html.EscapeString(name))
		if picture := picture(n); picture != "" {
			fmt.Fprintf(&b, `<img src="%s" height="150" alt=""><br>`, picture)
		}
		fmt.Fprintf(&b, "<b>%s&ensp;%s</b></a><br>%s</td>", name[:2], html.EscapeString(title), html.EscapeString(question))
		if count++; count%columns == 0 {
			b.WriteString("</tr>\n")
		}
	}
	if count == 0 {
		return
	}
	if count%columns != 0 {
		b.WriteString("</tr>\n")
	}
	for _, c := range page.Cells {
		if c.ID() == mapCell {
			c.SetSource(strings.TrimRight(c.Source(), "\n") + "\n\n<table>\n" + b.String() + "</table>" + about(from, names))
		}
	}
}

var (
	heading = regexp.MustCompile(`(?m)^# +(.+)$`)
	still   = regexp.MustCompile(`<img class="prl-figure"[^>]* src="(data:image/svg\+xml;base64,[A-Za-z0-9+/=]+)"`)
	marks   = regexp.MustCompile("[*_`]|\\$[^$]*\\$|\\[([^\\]]*)\\]\\([^)]*\\)")
)

// opening is the title of a chapter, and the beginning of its first paragraph up to a question mark, or its first sentence.
func opening(n *notebook.Notebook) (title, question string) {
	for _, c := range n.Cells {
		m := heading.FindStringSubmatchIndex(c.Source())
		if c.IsCode() || m == nil {
			continue
		}
		title = c.Source()[m[2]:m[3]]
		paragraph, _, _ := strings.Cut(strings.TrimSpace(c.Source()[m[1]:]), "\n\n")
		paragraph = marks.ReplaceAllString(strings.ReplaceAll(paragraph, "\n", " "), "$1")
		const longest = 160
		if i := strings.IndexByte(paragraph, '?'); i >= 0 && i < longest {
			return title, paragraph[:i+1]
		}
		if i := strings.Index(paragraph, ". "); i >= 0 && i < longest {
			return title, paragraph[:i+1]
		}
		return title, ""
	}
	return title, ""
}

// picture is the still of the chapter's first figure that is no tall strip of frames, or of its first figure.
func picture(n *notebook.Notebook) string {
	first := ""
	for _, c := range n.Cells {
		for _, out := range c.Outputs() {
			m := still.FindStringSubmatch(notebook.Data(out)["text/html"])
			if m == nil {
				continue
			}
			if !tall(m[1]) {
				return m[1]
			}
			if first == "" {
				first = m[1]
			}
		}
	}
	return first
}

// tall reports whether a still is nearly as high as it is wide, or higher.
func tall(address string) bool {
	_, data, _ := strings.Cut(address, ",")
	text, err := base64.StdEncoding.DecodeString(data)
	size := viewBox.FindSubmatch(text)
	if err != nil || size == nil {
		return false
	}
	width, _ := strconv.ParseFloat(string(size[1]), 64)
	height, _ := strconv.ParseFloat(string(size[2]), 64)
	return height > 0.8*width
}

var viewBox = regexp.MustCompile(`^<svg[^>]* width="([\d.]+)" height="([\d.]+)"`)
