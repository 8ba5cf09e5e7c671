package handouts

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	prlcell "github.com/prlab/prlab/prl/cell"
)

// What Chromium prints has a structure: headings, paragraphs, lists, tables, figures with what they show in words. It is brought here into
// the form of PDF/UA-1 (ISO 14289-1): formulas are formulas, with their source in words and their MathML beside them; what stands around
// the text is marked as such; the parts of lists and links say what they are; the file tells its title, its author and its licence.

// facts are what a file tells of itself, and what its structure needs from the page that was printed.
type facts struct {
	Title, Author, Subject, Licence string
	Keywords                        []string
	TitlePage                       bool              // the first page has no number
	Formulas                        []formulaSource   // by the number in their description
	Links                           map[string]string // the words of links by where they lead
	Numbers                         map[string]string // of chapters, by their titles
}

// A formulaSource is a formula as it was written, and as MathML has it.
type formulaSource struct{ TeX, MathML string }

// formulaLabel is what a formula is called on the page that is printed, before its number.
const formulaLabel = "formula "

// An element is a part of the structure of a file.
type element struct {
	kind   pdfName
	ref    pdfRef
	dict   *pdfDict
	parent *element
	kids   []kid
}

// A kid of an element is another, a piece of the content of a page, or an annotation.
type kid struct {
	element *element
	page    pdfRef
	piece   int
	link    pdfRef
}

// descendants calls do for an element and all below it, the lower ones last.
func (e *element) descendants(do func(e *element)) {
	do(e)
	for _, k := range e.kids {
		if k.element != nil {
			k.element.descendants(do)
		}
	}
}

// structureOf reads the structure of a file.
func structureOf(f *pdfFile) (*element, error) {
	root := f.dict(f.catalogue().get("StructTreeRoot"))
	if root == nil {
		return nil, fmt.Errorf("the PDF that Chromium wrote has no structure")
	}
	var read func(ref pdfRef, parent *element, page pdfRef) *element
	read = func(ref pdfRef, parent *element, page pdfRef) *element {
		d := f.dict(ref)
		e := &element{ref: ref, dict: d, parent: parent}
		e.kind, _ = d.get("S").(pdfName)
		if own, is := d.get("Pg").(pdfRef); is {
			page = own
		}
		for _, value := range f.list(d.get("K")) {
			switch v := value.(type) {
			case pdfRef:
				if f.dict(v) != nil {
					e.kids = append(e.kids, kid{element: read(v, e, page)})
				}
			case pdfWord:
				n, _ := strconv.Atoi(string(v))
				e.kids = append(e.kids, kid{page: page, piece: n})
			case int:
				e.kids = append(e.kids, kid{page: page, piece: v})
			case *pdfDict:
				on, is := v.get("Pg").(pdfRef)
				if !is {
					on = page
				}
				if of, is := v.get("Obj").(pdfRef); is {
					e.kids = append(e.kids, kid{page: on, link: of})
				} else {
					n, _ := strconv.Atoi(fmt.Sprint(v.get("MCID")))
					e.kids = append(e.kids, kid{page: on, piece: n})
				}
			}
		}
		return e
	}
	tops := f.list(root.get("K"))
	if len(tops) != 1 {
		return nil, fmt.Errorf("the structure of the PDF that Chromium wrote has %d roots", len(tops))
	}
	top, is := tops[0].(pdfRef)
	if !is || f.dict(top) == nil {
		return nil, fmt.Errorf("the structure of the PDF that Chromium wrote has no root")
	}
	return read(top, nil, 0), nil
}

// roleMap has what Chromium takes from PDF 2.0 by its name in PDF 1.7.
var roleMap = map[pdfName]pdfName{
	"Em": "Span", "Strong": "Span", "Sub": "Span", "Title": "P", "Aside": "Div", "FENote": "Note", "DocumentFragment": "Div",
}

// inLine tells which elements stand in a line of text; figures may.
func inLine(k kid) bool {
	if k.element == nil {
		return true
	}
	switch k.element.kind {
	case "Span", "Em", "Strong", "Sub", "Code", "Link", "Formula", "Figure", "Quote", "Reference", "NonStruct":
		return true
	}
	return false
}

// holdsText tells which elements hold text themselves. Others hold paragraphs.
func holdsText(kind pdfName) bool {
	switch kind {
	case "Document", "Part", "Art", "Sect", "Div", "BlockQuote", "NonStruct", "Aside", "L", "Table", "THead", "TBody", "TFoot", "TR":
		return false
	}
	return true
}

// A finisher brings the structure of a file into form.
type finisher struct {
	*pdfFile
	facts    facts
	contents map[pdfRef]*pageContent
	attached map[string]pdfRef // MathML, by itself
}

// accessible brings a PDF that Chromium wrote into form. It calls itself PDF/UA-1 only if nothing is found that keeps it from being that.
func accessible(data []byte, about facts) ([]byte, error) {
	f, err := readPDF(data)
	if err != nil {
		return nil, err
	}
	top, err := structureOf(f)
	if err != nil {
		return nil, err
	}
	s := &finisher{f, about, map[pdfRef]*pageContent{}, map[string]pdfRef{}}
	for _, page := range f.pages() {
		ref, is := f.dict(page).get("Contents").(pdfRef)
		if !is {
			return nil, fmt.Errorf("a page of the PDF that Chromium wrote has no content")
		}
		operators, err := f.content(ref)
		if err != nil {
			return nil, err
		}
		s.contents[page] = readContent(operators)
	}
	var before []pdfRef
	top.descendants(func(e *element) { before = append(before, e.ref) })
	s.name(top)
	artifacts := s.decoration(top)
	s.arrange(top)
	s.write(top, before)
	for page, content := range s.contents {
		f.setContent(f.dict(page).get("Contents").(pdfRef), content.marking(artifacts[page]))
	}
	s.catalogued()
	s.outlined(before)
	s.describe(true)
	if len(uaFaults(f)) > 0 {
		s.describe(false)
	}
	return f.bytes(), nil
}

// name gives formulas and pieces of text with a description their kind, and figures of figures one name.
func (s *finisher) name(top *element) {
	top.descendants(func(e *element) {
		if e.kind != "Figure" {
			return
		}
		alt, _ := e.dict.get("Alt").(pdfText)
		if number, is := strings.CutPrefix(alt.text(), formulaLabel); is {
			if n, err := strconv.Atoi(number); err == nil && n < len(s.facts.Formulas) {
				source := s.facts.Formulas[n]
				e.kind = "Formula"
				e.dict.set("Alt", textString(source.TeX))
				if source.MathML != "" {
					e.dict.set("AF", []any{s.attach(source.MathML)})
				}
				return
			}
		}
		text, drawn, figures := false, false, 0
		e.descendants(func(part *element) {
			if part != e && part.kind == "Figure" {
				figures++
				if alt != "" {
					part.kind = "NonStruct"
				}
			}
			for _, k := range part.kids {
				if piece := s.piece(k); piece != nil {
					text, drawn = text || piece.text, drawn || piece.drawn
				}
			}
		})
		switch {
		case alt == "" && figures > 0:
			e.kind = "Div"
		case text && !drawn:
			e.kind = "Span"
		case text && alt == "": // the name of a sound and the frame around it
			e.kind = "Div"
		}
	})
}

// attach is the file of a formula in MathML, which stands in the PDF once.
func (s *finisher) attach(mathML string) pdfRef {
	if ref, found := s.attached[mathML]; found {
		return ref
	}
	stream := s.addStream(dict("Type", pdfName("EmbeddedFile"), "Subtype", pdfName("application/mathml+xml")), []byte(mathML), false)
	name := pdfText(fmt.Sprintf("formula%d.mml", len(s.attached)+1))
	s.attached[mathML] = s.add(dict("Type", pdfName("Filespec"), "F", name, "UF", name, "AFRelationship", pdfName("Supplement"),
		"Desc", pdfText("MathML"), "EF", dict("F", stream, "UF", stream)))
	return s.attached[mathML]
}

func (s *finisher) piece(k kid) *marked {
	if k.element != nil || k.link != 0 || s.contents[k.page] == nil {
		return nil
	}
	return s.contents[k.page].pieces[k.piece]
}

// decoration takes from the structure what shows no words outside of figures and formulas: grounds, rules and boxes. They become artifacts.
func (s *finisher) decoration(top *element) map[pdfRef]map[int]bool {
	artifacts := map[pdfRef]map[int]bool{}
	var walk func(e *element)
	walk = func(e *element) {
		if e.kind == "Figure" || e.kind == "Formula" {
			return
		}
		e.kids = slices.DeleteFunc(e.kids, func(k kid) bool {
			piece := s.piece(k)
			if piece == nil || piece.text {
				return false
			}
			if artifacts[k.page] == nil {
				artifacts[k.page] = map[int]bool{}
			}
			artifacts[k.page][k.piece] = true
			return true
		})
		for _, k := range e.kids {
			if k.element != nil {
				walk(k.element)
			}
		}
	}
	walk(top)
	return artifacts
}

// arrange dissolves the parts without meaning, so that paragraphs hold their words; words outside of any become one. Points of lists have a
// body, and what is empty goes.
func (s *finisher) arrange(e *element) {
	for _, k := range e.kids {
		if k.element != nil {
			s.arrange(k.element)
		}
	}
	var kids []kid
	for _, k := range e.kids {
		switch {
		case k.element == nil:
			kids = append(kids, k)
		case len(k.element.kids) == 0 && k.element.kind != "TD" && k.element.kind != "TH":
		case k.element.kind == "NonStruct":
			kids = append(kids, k.element.kids...)
		default:
			kids = append(kids, k)
		}
	}
	switch {
	case e.kind == "LI":
		at := 0
		for at < len(kids) && kids[at].element != nil && kids[at].element.kind == "Lbl" {
			at++
		}
		if at < len(kids) && (at+1 < len(kids) || kids[at].element == nil || kids[at].element.kind != "LBody") {
			kids = append(slices.Clone(kids[:at]), s.wrap("LBody", kids[at:]))
		}
	case !holdsText(e.kind) && e.kind != "NonStruct":
		var grouped []kid
		for i := 0; i < len(kids); {
			j := i
			words := false
			for j < len(kids) && inLine(kids[j]) {
				words = words || kids[j].element == nil || kids[j].element.kind != "Figure"
				j++
			}
			switch {
			case j == i:
				grouped = append(grouped, kids[i])
				j++
			case words:
				grouped = append(grouped, s.wrap("P", kids[i:j]))
			default:
				grouped = append(grouped, kids[i:j]...)
			}
			i = j
		}
		kids = grouped
	}
	e.kids = kids
	for _, k := range kids {
		if k.element != nil {
			k.element.parent = e
		}
	}
}

// wrap is a new element around some kids.
func (s *finisher) wrap(kind pdfName, kids []kid) kid {
	e := &element{kind: kind, dict: dict("Type", pdfName("StructElem"), "S", kind), kids: slices.Clone(kids)}
	e.ref = s.add(e.dict)
	for _, k := range kids {
		if k.element != nil {
			k.element.parent = e
		}
	}
	return kid{element: e}
}

// write puts the structure back into the file: its elements, and the tables by which a page and an annotation find theirs.
func (s *finisher) write(top *element, before []pdfRef) {
	root := s.catalogue().get("StructTreeRoot").(pdfRef)
	kept, roles := map[pdfRef]bool{}, map[pdfName]bool{}
	owners := map[pdfRef]map[int]pdfRef{}
	links := map[pdfRef]pdfRef{}
	top.descendants(func(e *element) {
		kept[e.ref] = true
		roles[e.kind] = true
		e.dict.set("S", e.kind)
		e.dict.set("P", root)
		if e.parent != nil {
			e.dict.set("P", e.parent.ref)
		}
		var on []pdfRef
		for _, k := range e.kids {
			if k.element == nil && k.link == 0 && !slices.Contains(on, k.page) {
				on = append(on, k.page)
			}
		}
		e.dict.set("Pg", nil)
		if len(on) == 1 {
			e.dict.set("Pg", on[0])
		}
		kids := []any{}
		for _, k := range e.kids {
			switch {
			case k.element != nil:
				kids = append(kids, k.element.ref)
			case k.link != 0:
				kids = append(kids, dict("Type", pdfName("OBJR"), "Obj", k.link, "Pg", k.page))
				links[k.link] = e.ref
			default:
				if owners[k.page] == nil {
					owners[k.page] = map[int]pdfRef{}
				}
				owners[k.page][k.piece] = e.ref
				if len(on) == 1 {
					kids = append(kids, k.piece)
				} else {
					kids = append(kids, dict("Type", pdfName("MCR"), "Pg", k.page, "MCID", k.piece))
				}
			}
		}
		switch len(kids) {
		case 0:
			e.dict.set("K", nil)
		case 1:
			e.dict.set("K", kids[0])
		default:
			e.dict.set("K", kids)
		}
		if e.kind == "Figure" || e.kind == "Formula" {
			s.bound(e)
		}
	})
	for _, ref := range before {
		if !kept[ref] {
			s.objects[ref] = nil
		}
	}
	var mapped []any
	for _, kind := range slices.Sorted(func(yield func(pdfName) bool) {
		for kind := range roles {
			if roleMap[kind] != "" && !yield(kind) {
				return
			}
		}
	}) {
		mapped = append(mapped, string(kind), roleMap[kind])
	}
	if len(mapped) > 0 {
		s.dict(root).set("RoleMap", dict(mapped...))
	}
	tree := s.dict(s.dict(root).get("ParentTree"))
	if tree == nil {
		return
	}
	of := map[string]any{}
	for _, page := range s.pages() {
		highest := -1
		for number := range owners[page] {
			highest = max(highest, number)
		}
		list := make([]any, highest+1)
		for i := range list {
			list[i] = pdfWord("null")
			if owner, found := owners[page][i]; found {
				list[i] = owner
			}
		}
		of[fmt.Sprint(s.dict(page).get("StructParents"))] = list
		for _, annotation := range s.list(s.dict(page).get("Annots")) {
			ref, is := annotation.(pdfRef)
			if is && s.dict(ref) != nil {
				of[fmt.Sprint(s.dict(ref).get("StructParent"))] = links[ref]
				s.dict(ref).set("Contents", textString(s.words(s.dict(ref))))
			}
		}
	}
	numbers := s.list(tree.get("Nums"))
	for i := 0; i+1 < len(numbers); i += 2 {
		value := of[fmt.Sprint(numbers[i])]
		if list, is := value.([]any); is {
			if ref, is := numbers[i+1].(pdfRef); is && s.objects[ref] != nil {
				s.objects[ref].value = list
				continue
			}
		}
		if value != nil {
			numbers[i+1] = value
		}
	}
	tree.set("Nums", numbers)
}

// words are what a link is called.
func (s *finisher) words(annotation *pdfDict) string {
	target := ""
	switch to := annotation.get("Dest").(type) {
	case pdfName:
		target = "#" + string(to)
	case pdfText:
		target = "#" + to.text()
	}
	if address, is := s.dict(annotation.get("A")).get("URI").(pdfText); is {
		target = address.text()
	}
	if words := s.facts.Links[target]; words != "" {
		return words
	}
	return "To " + strings.TrimPrefix(target, "#")
}

// bound says where on its page a figure or formula stands.
func (s *finisher) bound(e *element) {
	around, on := emptyBox, pdfRef(0)
	several := false
	e.descendants(func(part *element) {
		for _, k := range part.kids {
			if piece := s.piece(k); piece != nil {
				several = several || on != 0 && on != k.page
				on = k.page
				around.join(piece.box)
			}
		}
	})
	if on == 0 || several || around[0] > around[2] {
		return
	}
	number := func(v float64) pdfWord { return pdfWord(strconv.FormatFloat(v, 'f', 1, 64)) }
	media := s.list(s.dict(on).get("MediaBox"))
	if len(media) == 4 {
		wide, _ := strconv.ParseFloat(fmt.Sprint(media[2]), 64)
		high, _ := strconv.ParseFloat(fmt.Sprint(media[3]), 64)
		around = box{max(around[0], 0), max(around[1], 0), min(around[2], wide), min(around[3], high)}
	}
	e.dict.set("A", dict("O", pdfName("Layout"), "BBox", []any{number(around[0]), number(around[1]), number(around[2]), number(around[3])}))
}

// catalogued says how the file is shown and how its pages are counted.
func (s *finisher) catalogued() {
	c := s.catalogue()
	c.set("Version", nil)
	c.set("Lang", pdfText("en"))
	c.set("MarkInfo", dict("Marked", pdfWord("true")))
	c.set("ViewerPreferences", dict("DisplayDocTitle", pdfWord("true")))
	decimal := pdfName("D")
	labels := []any{0, dict("S", decimal)}
	if s.facts.TitlePage {
		labels = []any{0, dict("P", pdfText("Title")), 1, dict("S", decimal, "St", 2)}
	}
	c.set("PageLabels", dict("Nums", labels))
	for _, page := range s.pages() {
		s.dict(page).set("Tabs", pdfName("S"))
	}
}

// outlined gives the bookmarks of chapters their numbers, and takes from all of them what is no longer in the structure.
func (s *finisher) outlined(before []pdfRef) {
	gone := map[pdfRef]bool{}
	for _, ref := range before {
		gone[ref] = s.objects[ref] == nil
	}
	var walk func(value any)
	walk = func(value any) {
		for d := s.dict(value); d != nil; d = s.dict(d.get("Next")) {
			if ref, is := d.get("SE").(pdfRef); is && gone[ref] {
				d.set("SE", nil)
			}
			if title, is := d.get("Title").(pdfText); is {
				words := s.plain(title.text())
				if number := s.facts.Numbers[words]; number != "" {
					words = number + "  " + words
				}
				d.set("Title", textString(words))
			}
			walk(d.get("First"))
		}
	}
	if outlines := s.dict(s.catalogue().get("Outlines")); outlines != nil {
		walk(outlines.get("First"))
	}
}

// plain writes the formulas of a bookmark as they were written.
func (s *finisher) plain(title string) string {
	for n := len(s.facts.Formulas) - 1; n >= 0; n-- {
		if label := formulaLabel + strconv.Itoa(n); strings.Contains(title, label) {
			title = strings.ReplaceAll(title, label, s.facts.Formulas[n].TeX)
		}
	}
	return title
}

// describe writes what the file says of itself, twice as the format has it: in the dictionary of old and in XMP (ISO 16684-1).
func (s *finisher) describe(conforms bool) {
	info := s.dict(s.trailer.get("Info"))
	if info == nil {
		ref := s.add(dict())
		s.trailer.set("Info", ref)
		info = s.dict(ref)
	}
	tool := "Pattern Recognition Lab " + prlcell.Version
	for key, value := range map[pdfName]string{
		"Title": s.facts.Title, "Author": s.facts.Author, "Subject": s.facts.Subject, "Keywords": strings.Join(s.facts.Keywords, ", "),
		"Creator": tool,
	} {
		if value != "" {
			info.set(key, textString(value))
		}
	}
	slices.Sort(info.keys)
	var b bytes.Buffer
	x := html.EscapeString
	put := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "<%s>%s</%s>\n", name, x(value), name)
		}
	}
	said := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "<%s><rdf:Alt><rdf:li xml:lang=\"x-default\">%s</rdf:li></rdf:Alt></%s>\n", name, x(value), name)
		}
	}
	listed := func(name, kind string, values ...string) {
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
		if len(values) == 0 {
			return
		}
		fmt.Fprintf(&b, "<%s><rdf:%s>", name, kind)
		for _, v := range values {
			fmt.Fprintf(&b, "<rdf:li>%s</rdf:li>", x(v))
		}
		fmt.Fprintf(&b, "</rdf:%s></%s>\n", kind, name)
	}
	b.WriteString("<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n" +
		"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n" +
		"<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\"" +
		" xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" xmlns:pdfuaid=\"http://www.aiim.org/pdfua/ns/id/\"" +
		" xmlns:xmpRights=\"http://ns.adobe.com/xap/1.0/rights/\">\n")
	said("dc:title", s.facts.Title)
	listed("dc:creator", "Seq", s.facts.Author)
	said("dc:description", s.facts.Subject)
	listed("dc:subject", "Bag", s.facts.Keywords...)
	listed("dc:language", "Bag", "en")
	said("dc:rights", s.facts.Licence)
	put("dc:format", "application/pdf")
	said("xmpRights:UsageTerms", s.facts.Licence)
	put("pdf:Keywords", strings.Join(s.facts.Keywords, ", "))
	if producer, is := info.get("Producer").(pdfText); is {
		put("pdf:Producer", producer.text())
	}
	put("xmp:CreatorTool", tool)
	for _, each := range [][2]string{{"CreationDate", "xmp:CreateDate"}, {"ModDate", "xmp:ModifyDate"}} {
		if date, is := info.get(pdfName(each[0])).(pdfText); is && len(date) >= 16 { // D:20260102030405
			d := string(date[2:16])
			put(each[1], d[:4]+"-"+d[4:6]+"-"+d[6:8]+"T"+d[8:10]+":"+d[10:12]+":"+d[12:14]+"Z")
		}
	}
	if conforms {
		put("pdfuaid:part", "1")
	}
	b.WriteString("</rdf:Description>\n</rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>")
	of := dict("Type", pdfName("Metadata"), "Subtype", pdfName("XML"))
	if ref, is := s.catalogue().get("Metadata").(pdfRef); is {
		s.objects[ref] = &pdfObject{value: of, stream: b.Bytes(), has: true}
		return
	}
	s.catalogue().set("Metadata", s.addStream(of, b.Bytes(), true))
}
