package handouts

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// standardKinds are the structure types of PDF 1.7 (ISO 32000-1, 14.8.4) and what may stand directly in them, where the standard says so.
var standardKinds = map[pdfName]string{
	"Document": "", "Part": "", "Art": "", "Sect": "", "Div": "", "BlockQuote": "", "Caption": "", "TOC": "", "TOCI": "", "Index": "",
	"NonStruct": "", "Private": "", "P": "", "H": "", "H1": "", "H2": "", "H3": "", "H4": "", "H5": "", "H6": "",
	"L": "LI Caption", "LI": "Lbl LBody", "Lbl": "", "LBody": "",
	"Table": "TR THead TBody TFoot Caption", "THead": "TR", "TBody": "TR", "TFoot": "TR", "TR": "TH TD", "TH": "", "TD": "",
	"Span": "", "Quote": "", "Note": "", "Reference": "", "BibEntry": "", "Code": "", "Link": "", "Annot": "", "Ruby": "", "Warichu": "",
	"Figure": "", "Formula": "", "Form": "",
}

// mustStandIn are the structure types that stand nowhere else.
var mustStandIn = map[pdfName]string{
	"LI": "L", "LBody": "LI", "TR": "Table THead TBody TFoot", "TH": "TR", "TD": "TR", "THead": "Table", "TBody": "Table", "TFoot": "Table",
}

// uaFaults lists what keeps a file from being PDF/UA-1, as far as a program can tell: the conditions of ISO 14289-1 on the catalogue and
// the metadata (7.1), on content that is neither tagged nor an artifact (7.1), on the kinds and places of elements, tables and lists (7.2,
// 7.5, 7.6), words for figures and formulas (7.3, 7.7), the order of headings (7.4), attached files (7.11), annotations (7.18), and fonts
// (7.21). Whether the words for a figure are the right ones is not for a program to say.
func uaFaults(f *pdfFile) (faults []string) {
	fault := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(faults, text) {
			faults = append(faults, text)
		}
	}
	c := f.catalogue()
	if lang, _ := c.get("Lang").(pdfText); lang == "" {
		fault("7.2: the catalogue names no language")
	}
	if f.dict(c.get("MarkInfo")).get("Marked") != pdfWord("true") {
		fault("7.1: the file is not marked as tagged")
	}
	if f.dict(c.get("ViewerPreferences")).get("DisplayDocTitle") != pdfWord("true") {
		fault("7.1: the title is not shown")
	}
	if f.trailer.get("Encrypt") != nil {
		fault("7.16: the file is encrypted")
	}
	metadata := ""
	if ref, is := c.get("Metadata").(pdfRef); is {
		b, err := f.content(ref)
		if metadata = string(b); err != nil {
			fault("7.1: the metadata: %v", err)
		}
	}
	if !strings.Contains(metadata, "<dc:title><rdf:Alt><rdf:li") {
		fault("7.1: the metadata has no title")
	}
	if !strings.Contains(metadata, "<pdfuaid:part>1<") {
		fault("5: the metadata does not name the standard")
	}
	top, err := structureOf(f)
	if err != nil {
		fault("7.1: %v", err)
		return faults
	}
	contents := map[pdfRef]*pageContent{}
	pages := f.pages()
	for i, page := range pages {
		ref, _ := f.dict(page).get("Contents").(pdfRef)
		operators, err := f.content(ref)
		if err != nil {
			fault("page %d: %v", i+1, err)
			continue
		}
		contents[page] = readContent(operators)
		if contents[page].nested {
			fault("7.1: page %d: a marked piece stands in another", i+1)
		}
		if n := len(contents[page].loose); n > 0 {
			fault("7.1: page %d: %d pieces are neither tagged nor artifacts", i+1, n)
		}
	}
	uaStructure(f, top, pages, contents, fault)
	uaFonts(f, pages, contents, fault)
	return faults
}

// uaStructure looks at the elements of a file, at the pieces of content that they own, and at its annotations.
func uaStructure(f *pdfFile, top *element, pages []pdfRef, contents map[pdfRef]*pageContent, fault func(string, ...any)) {
	roles := f.dict(f.dict(f.catalogue().get("StructTreeRoot")).get("RoleMap"))
	role := func(e *element) pdfName {
		if mapped, is := roles.get(e.kind).(pdfName); is {
			return mapped
		}
		return e.kind
	}
	owned := map[pdfRef]map[int]bool{}
	links := map[pdfRef]bool{}
	level := 0
	top.descendants(func(e *element) {
		kind := role(e)
		holds, standard := standardKinds[kind]
		if !standard {
			fault("7.1: %s is no structure type of PDF 1.7", e.kind)
		}
		if in := mustStandIn[kind]; in != "" && (e.parent == nil || !slices.Contains(strings.Fields(in), string(role(e.parent)))) {
			fault("7.2: a %s does not stand in a %s", kind, in)
		}
		for _, k := range e.kids {
			switch {
			case k.element != nil:
				if holds != "" && !slices.Contains(strings.Fields(holds), string(role(k.element))) {
					fault("7.2: a %s holds a %s", kind, role(k.element))
				}
			case k.link != 0:
				links[k.link] = kind == "Link"
			default:
				if holds != "" {
					fault("7.2: a %s holds content", kind)
				}
				if owned[k.page] == nil {
					owned[k.page] = map[int]bool{}
				}
				if owned[k.page][k.piece] {
					fault("7.1: piece %d of a page belongs to two elements", k.piece)
				}
				owned[k.page][k.piece] = true
			}
		}
		alt, _ := e.dict.get("Alt").(pdfText)
		if (kind == "Figure" || kind == "Formula") && strings.TrimSpace(alt.text()) == "" {
			fault("7.3: a %s is not described", kind)
		}
		if len(kind) == 2 && kind[0] == 'H' && kind[1] >= '1' && kind[1] <= '6' {
			if now := int(kind[1] - '0'); now > level+1 {
				fault("7.4.2: a heading of level %d follows one of level %d", now, level)
			}
			level = int(kind[1] - '0')
		}
		if _, scoped := attributes(f, e, "Scope").(pdfName); kind == "TH" && !scoped {
			fault("7.5: a head of a table does not say what it is the head of")
		}
		if kind == "Table" {
			if problem := irregular(f, e, role); problem != "" {
				fault("7.2: a table %s", problem)
			}
		}
		for _, attached := range f.list(e.dict.get("AF")) {
			if d := f.dict(attached); d.get("F") == nil || d.get("UF") == nil {
				fault("7.11: an attached file has no name")
			}
		}
	})
	for i, page := range pages {
		d := f.dict(page)
		for number := range contents[page].pieces {
			if !owned[page][number] {
				fault("7.1: page %d: a piece belongs to no element", i+1)
			}
		}
		annotations := f.list(d.get("Annots"))
		if len(annotations) > 0 && d.get("Tabs") != pdfName("S") {
			fault("7.18.3: page %d: annotations are not in the order of the structure", i+1)
		}
		for _, annotation := range annotations {
			ref, _ := annotation.(pdfRef)
			if words, _ := f.dict(annotation).get("Contents").(pdfText); words == "" {
				fault("7.18.5: page %d: a link is not described", i+1)
			}
			if !links[ref] {
				fault("7.18.5: page %d: an annotation does not stand in a link", i+1)
			}
		}
	}
}

// attributes is the value of an attribute of an element, in whichever of its lists of them it stands.
func attributes(f *pdfFile, e *element, key pdfName) any {
	for _, each := range f.list(e.dict.get("A")) {
		if value := f.dict(each).get(key); value != nil {
			return value
		}
	}
	return nil
}

// irregular says what is wrong with the shape of a table: its rows must have as many cells, counting what reaches over several.
func irregular(f *pdfFile, table *element, role func(*element) pdfName) string {
	span := func(e *element, key pdfName) int {
		n, err := strconv.Atoi(fmt.Sprint(attributes(f, e, key)))
		if err != nil {
			return 1
		}
		return max(n, 1)
	}
	var rows []*element
	table.descendants(func(e *element) {
		if role(e) == "TR" {
			rows = append(rows, e)
		}
	})
	wide := -1
	hanging := map[int]int{} // rows that a cell above still takes in a column
	for i, row := range rows {
		at := 0
		skip := func() {
			for hanging[at] > 0 {
				hanging[at]--
				at++
			}
		}
		for _, k := range row.kids {
			if k.element == nil {
				continue
			}
			skip()
			high := span(k.element, "RowSpan")
			if high > len(rows)-i {
				return "has a cell that reaches below its last row"
			}
			for range span(k.element, "ColSpan") {
				hanging[at] = high - 1
				at++
			}
		}
		skip()
		if wide >= 0 && at != wide {
			return fmt.Sprintf("has rows of %d and of %d cells", wide, at)
		}
		wide = at
	}
	return ""
}

var (
	cmapChars  = regexp.MustCompile(`(?s)beginbfchar(.*?)endbfchar`)
	cmapRanges = regexp.MustCompile(`(?s)beginbfrange(.*?)endbfrange`)
)

// uaFonts looks whether fonts are in the file and tell the characters of all that is shown in them.
func uaFonts(f *pdfFile, pages []pdfRef, contents map[pdfRef]*pageContent, fault func(string, ...any)) {
	known := map[pdfRef]map[int]string{}
	wide := map[pdfRef]bool{}
	for i, page := range pages {
		fonts := f.dict(f.dict(f.dict(page).get("Resources")).get("Font"))
		for name, shown := range contents[page].codes {
			ref, is := fonts.get(name).(pdfRef)
			if !is {
				fault("7.21: page %d: there is no font %s", i+1, name)
				continue
			}
			if known[ref] == nil {
				known[ref] = characters(f, ref)
				font := f.dict(ref)
				wide[ref] = font.get("Subtype") == pdfName("Type0")
				if wide[ref] && !hasProgram(f, font) {
					fault("7.21.4: the font %v is not in the file", font.get("BaseFont"))
				}
			}
			step := 1
			if wide[ref] {
				step = 2
			}
			for _, code := range shown {
				for at := 0; at+step <= len(code); at += step {
					n := int(code[at])
					if wide[ref] {
						n = n<<8 | int(code[at+1])
					}
					if wide[ref] && n == 0 {
						fault("7.21.8: page %d: a character is missing in the font %v", i+1, f.dict(ref).get("BaseFont"))
					}
					if c := known[ref][n]; c == "" || strings.ContainsAny(c, "\x00\ufeff\ufffe") {
						fault("7.21.7: page %d: nothing says which character %d of the font %v is", i+1, n, f.dict(ref).get("BaseFont"))
					}
				}
			}
		}
	}
}

// hasProgram reports whether the program of a composite font is in the file, with the glyphs numbered as the text has them.
func hasProgram(f *pdfFile, font *pdfDict) bool {
	for _, each := range f.list(font.get("DescendantFonts")) {
		d := f.dict(each)
		descriptor := f.dict(d.get("FontDescriptor"))
		if descriptor.get("FontFile") == nil && descriptor.get("FontFile2") == nil && descriptor.get("FontFile3") == nil {
			return false
		}
		if d.get("Subtype") == pdfName("CIDFontType2") && d.get("CIDToGIDMap") == nil {
			return false
		}
	}
	return true
}

// characters are what the codes of a font stand for.
func characters(f *pdfFile, font pdfRef) map[int]string {
	all := map[int]string{}
	ref, is := f.dict(font).get("ToUnicode").(pdfRef)
	if !is {
		return all
	}
	cmap, err := f.content(ref)
	if err != nil {
		return all
	}
	number := func(value any) int {
		n := 0
		text, _ := value.(pdfText)
		for _, b := range []byte(text) {
			n = n<<8 | int(b)
		}
		return n
	}
	values := func(block []byte) (all []any) {
		s := &pdfScanner{data: block}
		for v := s.value(); v != nil; v = s.value() {
			all = append(all, v)
		}
		return all
	}
	character := func(value any, more int) string {
		text, _ := value.(pdfText)
		b := bytes.Clone([]byte(text))
		if n := len(b); n > 0 {
			b[n-1] += byte(more)
		}
		return pdfText("\xfe\xff" + string(b)).text()
	}
	for _, m := range cmapChars.FindAllSubmatch(cmap, -1) {
		for v := values(m[1]); len(v) >= 2; v = v[2:] {
			all[number(v[0])] = character(v[1], 0)
		}
	}
	for _, m := range cmapRanges.FindAllSubmatch(cmap, -1) {
		for v := values(m[1]); len(v) >= 3; v = v[3:] {
			from := number(v[0])
			list, several := v[2].([]any)
			for n := from; n <= number(v[1]); n++ {
				if !several {
					all[n] = character(v[2], n-from)
				} else if n-from < len(list) {
					all[n] = character(list[n-from], 0)
				}
			}
		}
	}
	return all
}
