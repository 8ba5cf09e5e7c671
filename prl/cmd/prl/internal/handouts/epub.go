package handouts

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"html/template"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	texttemplate "text/template"
	"time"

	"golang.org/x/net/html"
)

// epubName is the file with all notebooks as a book for readers of EPUB 3.
const epubName = "reader.epub"

// The parts of a book that are no chapters. They are written as XML, with every text escaped by the function x.
var bookParts = texttemplate.Must(texttemplate.New("").Funcs(texttemplate.FuncMap{"x": template.HTMLEscapeString}).Parse(`
{{- define "container.xml"}}<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="EPUB/book.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>
{{end}}
{{- define "book.opf"}}<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:{{.ID}}</dc:identifier>
<dc:title>{{x .Course.Title}}</dc:title>
<dc:language>en</dc:language>
{{with .Course.Lecturer}}<dc:creator>{{x .}}</dc:creator>
{{end}}<dc:rights>{{x .Course.Licence}}</dc:rights>
<meta property="dcterms:modified">{{.Modified}}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessMode">visual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">MathML</meta>
<meta property="schema:accessibilityFeature">alternativeText</meta>
<meta property="schema:accessibilityFeature">structuralNavigation</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">Formulas are MathML with their TeX as alternative text; every figure has a description.</meta>
</metadata>
<manifest>
<item id="style" href="style.css" media-type="text/css"/>
<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav{{if .NavMath}} mathml{{end}}"/>
{{range .Chapters}}<item id="{{.ID}}" href="{{.File}}" media-type="application/xhtml+xml"{{if .Math}} properties="mathml"{{end}}/>
{{end}}{{range .Pictures}}<item id="{{.ID}}" href="{{.File}}" media-type="{{.Kind}}"/>
{{end}}</manifest>
<spine>
<itemref idref="title"/>
<itemref idref="nav"/>
{{range .Chapters}}<itemref idref="{{.ID}}"/>
{{end}}</spine>
</package>
{{end}}
{{- define "head"}}<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
<head><title>{{x .}}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
{{end}}
{{- define "title.xhtml"}}{{template "head" .Course.Title}}<body class="title-page">
<h1>{{x .Course.Title}}</h1>
{{range .Course.Lines}}<p>{{x .}}</p>
{{end}}<p>Text, figures and code: {{x .Course.Licence}}.</p>
</body>
</html>
{{end}}
{{- define "nav.xhtml"}}{{template "head" "Contents"}}<body>
<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc" role="doc-toc"><h1>Contents</h1>
<ol>
{{range .Chapters}}{{$file := .File}}<li><a href="{{.File}}">{{x .Title}}</a>{{if .Entries}}
<ol>
{{range .Entries}}<li><a href="{{$file}}#{{.ID}}">{{.HTML}}</a></li>
{{end}}</ol>{{end}}</li>
{{end}}</ol></nav>
</body>
</html>
{{end}}
{{- define "chapter"}}{{template "head" .Title}}<body>
{{.Body}}
</body>
</html>
{{end}}`))

// bookStyle leaves to the reader of the book what is the reader's: fonts, sizes and colours.
const bookStyle = `h1, h2, h3, h4, summary { line-height: 1.25; break-after: avoid; }
p { margin: 0.4em 0; }
img { display: block; max-width: 100%; height: auto; margin: 0.6em auto; background: #fff; break-inside: avoid; }
.formula { display: block; margin: 0.6em 0; overflow-x: auto; }
.formula.numbered { display: flex; align-items: center; } .formula.numbered math { flex: 1; } .formula-number { text-align: right; }
.figure-name { font-size: 0.9em; text-align: center; margin-bottom: 1em; }
table { border-collapse: collapse; margin: 0.6em 0; break-inside: avoid; }
td, th { padding: 0.15em 0.6em; border-bottom: 1px solid #999; text-align: left; }
pre { font-size: 0.8em; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.6em 0; padding-left: 0.6em; border-left: 2px solid #999; }
.output { font-size: 0.9em; }
.solution { padding-left: 0.8em; border-left: 2px solid #0062a3; }
.solution-name, .spoilt-name, .proofs b { font-weight: bold; }
.code-note { font-size: 0.8em; font-style: italic; text-align: right; }
.chapter-name { margin: 0; }
.title-page { text-align: center; }
`

type bookChapter struct {
	ID, File, Title string
	Math            bool
	Entries         []heading
	Body            string
	tree            *html.Node
}

type bookPicture struct {
	ID, File, Kind string
	data           []byte
}

// A book is what an EPUB file is made of.
type book struct {
	Course   *Course
	ID       string
	Modified string
	NavMath  bool
	Chapters []bookChapter
	Pictures []bookPicture
	known    map[[sha256.Size]byte]string // the file of each picture
}

// epub is the course as a book, the same bytes for the same notebooks. Formulas are MathML, and figures stand still.
func epub(chapters []*chapter, v Version, course *Course) (string, error) {
	b := book{Course: course, Modified: modifiedOf(chapters, course), known: map[[sha256.Size]byte]string{}}
	identity := sha256.New()
	fmt.Fprintln(identity, course.Title, v)
	place, ids := map[string]int{}, make([]map[string]bool, len(chapters))
	for i, c := range chapters {
		place[c.name()] = i
		fmt.Fprintln(identity, c.name())
		body, err := c.body(v, course.Code)
		if err != nil {
			return "", err
		}
		fitStills(body)
		one := bookChapter{ID: fmt.Sprintf("c%d", i+1), File: c.name() + ".xhtml", Title: numbered(c, i+1), tree: body}
		if err := b.prepare(body); err != nil {
			return "", fmt.Errorf("%s: %w", c.Path, err)
		}
		ids[i] = uniqueIDs(body)
		b.Chapters = append(b.Chapters, one)
	}
	for i := range b.Chapters {
		one := &b.Chapters[i]
		relink(one.tree, func(name, fragment string) string {
			if j, found := place[name]; found {
				return "chapter:" + strconv.Itoa(j) + fragment
			}
			return ""
		})
		for a := range elements(one.tree, with("href")) {
			setAttr(a, "href", b.address(attr(a, "href"), i, ids))
			if attr(a, "href") == "" {
				dropAttr(a, "href")
			}
		}
		for _, h := range headings(one.tree) {
			if h.Level == 2 {
				var text strings.Builder
				for n := range parse(string(h.HTML)).ChildNodes() {
					writeXML(&text, n)
				}
				h.HTML = template.HTML(text.String())
				b.NavMath = b.NavMath || strings.Contains(text.String(), "<math")
				one.Entries = append(one.Entries, h)
			}
		}
		var text strings.Builder
		for n := range one.tree.ChildNodes() {
			writeXML(&text, n)
		}
		one.Body = text.String()
		one.Math = strings.Contains(one.Body, "<math")
	}
	b.ID = uuid(identity.Sum(nil))
	return b.zip()
}

// uuid is a name-based identifier: the same course has the same.
func uuid(sum []byte) string {
	const version, variant = 0x80, 0x80 // 8: made in a way of its own
	s := slices.Clone(sum[:16])
	s[6], s[8] = s[6]&0x0f|version, s[8]&0x3f|variant
	return fmt.Sprintf("%x-%x-%x-%x-%x", s[:4], s[4:6], s[6:8], s[8:10], s[10:])
}

// modifiedOf is the date of the course, or that of the newest notebook.
func modifiedOf(chapters []*chapter, course *Course) string {
	newest, err := time.Parse(time.DateOnly, course.Date)
	if err != nil {
		newest = time.Unix(0, 0)
		for _, c := range chapters {
			if info, err := os.Stat(c.Path); err == nil && info.ModTime().After(newest) {
				newest = info.ModTime()
			}
		}
	}
	return newest.UTC().Format("2006-01-02T15:04:05Z")
}

// prepare turns what a page has into what a book may have.
func (b *book) prepare(body *html.Node) error {
	for n := range elements(body, tag("audio", "")) {
		remove(n)
	}
	for n := range elements(body, tag("details", "")) { // nothing opens in a book: the line of proofs, and what else is folded, stands open
		if line := first(n, tag("summary", "")); hasClass(n, "prl-proofs") && line != nil {
			for _, other := range children(n) {
				if other != line {
					remove(other)
				}
			}
			n.Data, n.Attr = "p", []html.Attribute{{Key: "class", Val: "proofs"}}
			replace(line, children(line)...)
		}
	}
	for n := range elements(body, tag("span", "katex")) {
		set := first(n, tag("math", ""))
		if set == nil {
			remove(n)
			continue
		}
		dropAttr(set, "xmlns")
		set.Attr = append(set.Attr, html.Attribute{Key: "xmlns", Val: "http://www.w3.org/1998/Math/MathML"})
		setAttr(set, "alttext", attr(n, "data-tex"))
		if outer := n.Parent; hasClass(outer, "katex-display") {
			class := "formula"
			if hasClass(outer, "numbered") {
				class += " numbered"
			}
			setAttr(outer, "class", class)
			setAttr(set, "display", "block")
		}
		remove(set)
		replace(n, set)
	}
	for n := range elements(body, tag("img", "")) {
		file, err := b.picture(attr(n, "src"))
		if err != nil {
			return err
		}
		setAttr(n, "src", file)
		setAttr(n, "alt", attr(n, "alt"))
	}
	return nil
}

var dataAddress = regexp.MustCompile(`(?s)^data:(image/[a-z+]+)(?:;charset=[^;,]*)?(;base64)?,(.*)$`)

// oldStops are beginnings of colour ramps without their place, 0, which SVG 1.1 wants to be said.
var oldStops = regexp.MustCompile(`<stop( stop-color="[^"]*"/?>)`)

// picture is the file of the book that holds a picture given as an address of data.
func (b *book) picture(src string) (string, error) {
	m := dataAddress.FindStringSubmatch(src)
	if m == nil {
		return "", fmt.Errorf("a picture is not in the notebook: %.40s", src)
	}
	var data []byte
	var err error
	if m[2] != "" {
		data, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(m[3]), ""))
	} else {
		var text string
		text, err = url.PathUnescape(m[3])
		data = []byte(text)
	}
	if err != nil {
		return "", errors.New("a picture is damaged: what it holds is not written as a picture is")
	}
	if m[1] == "image/svg+xml" {
		if data = cleanSVG(data); data == nil {
			return "", errors.New("a picture is damaged: it is no SVG")
		}
		text := strings.ReplaceAll(string(data), ` paint-order="stroke"`, ` style="paint-order:stroke"`)
		data = []byte(oldStops.ReplaceAllString(text, `<stop offset="0"$1`))
	}
	sum := sha256.Sum256(data)
	if file := b.known[sum]; file != "" {
		return file, nil
	}
	id := fmt.Sprintf("p%d", len(b.Pictures)+1)
	ending := strings.TrimSuffix(strings.TrimPrefix(m[1], "image/"), "+xml")
	p := bookPicture{ID: id, File: "pictures/" + id + "." + ending, Kind: m[1], data: data}
	b.Pictures = append(b.Pictures, p)
	b.known[sum] = p.File
	return p.File, nil
}

// bookID is an id that XML allows, which a number at the beginning and many signs are not.
func bookID(id string) string {
	return "i-" + strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, id)
}

// uniqueIDs gives elements ids of a book; one that came before keeps its own, and the later goes without.
func uniqueIDs(body *html.Node) map[string]bool {
	taken := map[string]bool{}
	for n := range elements(body, with("id")) {
		id := bookID(attr(n, "id"))
		if taken[id] {
			dropAttr(n, "id")
			continue
		}
		taken[id] = true
		setAttr(n, "id", id)
	}
	return taken
}

// address is where a link of the i-th chapter leads in the book, or nothing if that is not in it.
func (b *book) address(href string, i int, ids []map[string]bool) string {
	u, err := url.Parse(href)
	if err == nil && (u.Scheme == "mailto" || u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")) {
		return href
	}
	at, fragment, _ := strings.Cut(href, "#")
	file := ""
	if number, is := strings.CutPrefix(at, "chapter:"); is {
		if j, err := strconv.Atoi(number); err == nil && j < len(b.Chapters) {
			i, file = j, b.Chapters[j].File
		}
	} else if at != "" {
		return ""
	}
	switch {
	case fragment != "" && ids[i][bookID(fragment)]:
		return file + "#" + bookID(fragment)
	case fragment != "" && file == "":
		return ""
	}
	return file
}

// bookAttributes are those that the XHTML of a book keeps, for all elements or for some.
var bookAttributes = map[string][]string{
	"":   {"id", "class", "title", "dir", "role", "aria-label", "aria-hidden", "alt", "src", "href", "style"},
	"ol": {"start", "reversed", "type"}, "td": {"colspan", "rowspan", "headers"}, "th": {"colspan", "rowspan", "scope", "headers"},
	"col": {"span"}, "colgroup": {"span"},
}

var voidElement = map[string]bool{"br": true, "hr": true, "img": true, "col": true}

// writeXML writes a node as XHTML, which wants every element closed and every sign allowed.
func writeXML(b *strings.Builder, n *html.Node) {
	switch n.Type {
	case html.TextNode:
		xml.EscapeText(b, []byte(n.Data)) // a builder takes everything
	case html.ElementNode:
		b.WriteString("<" + n.Data)
		for _, a := range n.Attr {
			known := n.Namespace != "" || slices.Contains(bookAttributes[""], a.Key) || slices.Contains(bookAttributes[n.Data], a.Key)
			empty := (a.Key == "style" || a.Key == "class") && strings.TrimSpace(a.Val) == ""
			own := a.Key == "style" && strings.Contains(a.Val, "--") // of the style sheet of paper
			if !known || empty || own || a.Namespace != "" {
				continue
			}
			b.WriteString(" " + a.Key + `="`)
			xml.EscapeText(b, []byte(a.Val))
			b.WriteString(`"`)
		}
		if voidElement[n.Data] {
			b.WriteString("/>")
			return
		}
		b.WriteString(">")
		for child := range n.ChildNodes() {
			writeXML(b, child)
		}
		b.WriteString("</" + n.Data + ">")
	}
}

// zip packs the book: first of all its kind, as it is and without anything beside it.
func (b *book) zip() (string, error) {
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	const kind = "application/epub+zip"
	raw, err := w.CreateRaw(&zip.FileHeader{
		Name: "mimetype", Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(kind)),
		CompressedSize64: uint64(len(kind)), UncompressedSize64: uint64(len(kind)),
	})
	if err != nil {
		return "", err
	}
	if _, err := raw.Write([]byte(kind)); err != nil {
		return "", err
	}
	add := func(name string, data []byte) error {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err == nil {
			_, err = entry.Write(data)
		}
		return err
	}
	part := func(name, template string, data any) error {
		var text bytes.Buffer
		if err := bookParts.ExecuteTemplate(&text, template, data); err != nil {
			return err
		}
		return add(name, text.Bytes())
	}
	if err := part("META-INF/container.xml", "container.xml", nil); err != nil {
		return "", err
	}
	for _, name := range []string{"book.opf", "title.xhtml", "nav.xhtml"} {
		if err := part("EPUB/"+name, name, b); err != nil {
			return "", err
		}
	}
	if err := add("EPUB/style.css", []byte(bookStyle)); err != nil {
		return "", err
	}
	for _, c := range b.Chapters {
		if err := part("EPUB/"+c.File, "chapter", c); err != nil {
			return "", err
		}
	}
	for _, p := range b.Pictures {
		if err := add("EPUB/"+p.File, p.data); err != nil {
			return "", err
		}
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return file.String(), nil
}
