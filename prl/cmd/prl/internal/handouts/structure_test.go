package handouts

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// printedSample prints a page with one of everything and reads the file.
func printedSample(t *testing.T) (data []byte, f *pdfFile) {
	t.Helper()
	l, _ := lab(t)
	press := testPress(t)
	d, err := readDesign(l)
	if err != nil {
		t.Fatal(err)
	}
	math := mustRenderer(t)
	drawing := svgData + base64.StdEncoding.EncodeToString(
		[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><path d="M0 0L90 40" stroke="black"/></svg>`),
	)
	text, err := finished(`<div class="prose"><h1 id="one">One (ä)</h1><p>It is <span class="tex">x^2</span> and <strong>more</strong>,
<a href="https://example.org/a">elsewhere</a>.</p><h2 id="two">Of <span class="tex">y_1</span></h2>
<p><span class="tex" data-display="1">\frac{a}{b}</span></p><ul><li>first<ul><li>deep</li></ul></li><li>second</li></ul>
<table><thead><tr><th>name</th><th>value</th></tr></thead><tbody><tr><td>a</td><td>1</td></tr><tr><td></td><td>2</td></tr></tbody></table>
<blockquote><p>said</p></blockquote></div><div class="output"><pre>words
of a program</pre><div>a line<b>!</b></div><img alt="a drawing" src="`+drawing+`"></div>`, math)
	if err != nil {
		t.Fatal(err)
	}
	course := DefaultCourse()
	course.Lecturer = "A. Lecturer"
	one := &chapter{Path: "01-one.ipynb", Cells: []cell{{ID: "a", Kind: "markdown", HTML: text}}}
	build, err := paper([]*chapter{one}, Plain, d, math, course, false)
	if err != nil {
		t.Fatal(err)
	}
	if data, err = press.filled(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	if f, err = readPDF(data); err != nil {
		t.Fatal(err)
	}
	return data, f
}

// A printed page is PDF/UA-1: every element has its kind, formulas their source and MathML, the file its title, author and licence.
func TestAccessible(t *testing.T) {
	data, f := printedSample(t)
	for _, fault := range uaFaults(f) {
		t.Error(fault)
	}
	top, err := structureOf(f)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	top.descendants(func(e *element) {
		name := string(e.kind)
		if e.parent != nil {
			name = string(e.parent.kind) + ">" + name
		}
		if alt, is := e.dict.get("Alt").(pdfText); is {
			name += " " + alt.text()
		}
		found[name] = true
		if e.kind == "Formula" && alike(e.dict.get("Alt"), `\frac{a}{b}`) {
			file := f.dict(f.list(e.dict.get("AF"))[0])
			mathML, err := f.content(f.dict(file.get("EF")).get("F").(pdfRef))
			if err != nil || !strings.Contains(string(mathML), `xmlns="http://www.w3.org/1998/Math/MathML"`) ||
				!strings.HasPrefix(string(mathML), "<math ") || !strings.Contains(string(mathML), "<mfrac>") {
				t.Errorf("the formula has the MathML %s (%v)", mathML, err)
			}
		}
		if e.kind == "Figure" && e.dict.get("A") == nil {
			t.Error("nothing says where the figure stands")
		}
	})
	for _, want := range []string{
		"Art>H1", "Art>H2", "P>Formula x^2", "H2>Formula y_1", `P>Formula \frac{a}{b}`, "P>Strong", "P>Link", "LI>LBody", "LBody>L",
		"TR>TH", "TR>TD", "BlockQuote>P", "Art>Figure a drawing",
	} {
		if !found[want] {
			t.Errorf("there is no %s among %v", want, found)
		}
	}
	metadata, err := f.content(f.catalogue().get("Metadata").(pdfRef))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">One (ä)</rdf:li>", "<rdf:li>A. Lecturer</rdf:li>",
		"<dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\">Apache License 2.0<", "<dc:language><rdf:Bag><rdf:li>en<", "<pdfuaid:part>1<",
	} {
		if !bytes.Contains(metadata, []byte(want)) {
			t.Errorf("the metadata has no %s: %s", want, metadata)
		}
	}
	file := filepath.Join(t.TempDir(), "one.pdf")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := exec.CommandContext(t.Context(), "pdfinfo", file).CombinedOutput()
	if err != nil || !strings.Contains(string(info), "Tagged:          yes") || strings.Contains(string(info), "Error") {
		t.Errorf("poppler says %s (%v)", info, err)
	}
}

func alike(value any, text string) bool {
	t, is := value.(pdfText)
	return is && t.text() == text
}

// What keeps a file from being PDF/UA-1 is found, each by breaking a good one.
func TestFaultsOfStructure(t *testing.T) {
	data, _ := printedSample(t)
	change := func(kind pdfName, do func(f *pdfFile, e *element)) func(f *pdfFile) {
		return func(f *pdfFile) {
			top, err := structureOf(f)
			if err != nil {
				t.Fatal(err)
			}
			done := false
			top.descendants(func(e *element) {
				if e.kind == kind && !done {
					do(f, e)
					done = true
				}
			})
			if !done {
				t.Errorf("there is no %s", kind)
			}
		}
	}
	set := func(key pdfName, value any) func(f *pdfFile, e *element) {
		return func(_ *pdfFile, e *element) { e.dict.set(key, value) }
	}
	content := func(old, by string) func(f *pdfFile) {
		return func(f *pdfFile) {
			ref := f.dict(f.pages()[0]).get("Contents").(pdfRef)
			operators, err := f.content(ref)
			if err != nil || !bytes.Contains(operators, []byte(old)) {
				t.Fatalf("no %s in the content (%v)", old, err)
			}
			f.setContent(ref, bytes.Replace(operators, []byte(old), []byte(by), 1))
		}
	}
	for want, spoil := range map[string]func(f *pdfFile){
		"names no language":         func(f *pdfFile) { f.catalogue().set("Lang", nil) },
		"not marked as tagged":      func(f *pdfFile) { f.catalogue().set("MarkInfo", nil) },
		"title is not shown":        func(f *pdfFile) { f.catalogue().set("ViewerPreferences", nil) },
		"metadata has no title":     func(f *pdfFile) { f.catalogue().set("Metadata", nil) },
		"neither tagged":            content("/Artifact BMC", "/Artifact BMC EMC /Artifact BMC EMC q 0 0 9 9 re f Q /Artifact BMC"),
		"stands in another":         content("/Artifact BMC", "/Artifact BMC /Artifact BMC EMC"),
		"belongs to no element":     content("/Artifact BMC", "/NonStruct <</MCID 999>> BDC EMC /Artifact BMC"),
		"no structure type":         change("P", set("S", pdfName("Words"))),
		"a Figure is not described": change("Figure", set("Alt", nil)),
		"a Formula is not":          change("Formula", set("Alt", nil)),
		"level 4 follows":           change("H2", set("S", pdfName("H4"))),
		"a L holds a P":             change("LI", set("S", pdfName("P"))),
		"a TR does not stand":       change("Table", set("S", pdfName("Div"))),
		"what it is the head of":    change("TH", set("A", nil)),
		"rows of 2 and of 1":        change("TD", func(f *pdfFile, e *element) { e.parent.dict.set("K", e.ref) }),
		"a link is not described": func(f *pdfFile) {
			for _, page := range f.pages() {
				for _, annotation := range f.list(f.dict(page).get("Annots")) {
					f.dict(annotation).set("Contents", nil)
				}
			}
		},
		"does not stand in a link": change("Link", set("S", pdfName("Span"))),
		"attached file has no": change("Formula", func(f *pdfFile, e *element) {
			f.dict(f.list(e.dict.get("AF"))[0]).set("UF", nil)
		}),
		"which character": func(f *pdfFile) {
			for _, o := range f.objects {
				if o != nil {
					if d, is := o.value.(*pdfDict); is && d.get("Subtype") == pdfName("Type0") {
						d.set("ToUnicode", nil)
					}
				}
			}
		},
		"is not in the file": func(f *pdfFile) {
			for _, o := range f.objects {
				if o != nil {
					if d, is := o.value.(*pdfDict); is && d.get("Type") == pdfName("FontDescriptor") {
						d.set("FontFile2", nil)
						d.set("FontFile3", nil)
					}
				}
			}
		},
	} {
		f, err := readPDF(data)
		if err != nil {
			t.Fatal(err)
		}
		spoil(f)
		again, err := readPDF(f.bytes())
		if err != nil {
			t.Fatal(err)
		}
		if faults := uaFaults(again); !slices.ContainsFunc(faults, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("want %q, got %q", want, faults)
		}
	}
}

// A file that is read and written is the same, whatever its strings hold.
func TestReadPDF(t *testing.T) {
	f := &pdfFile{trailer: dict("Root", pdfRef(1)), objects: []*pdfObject{nil}}
	f.add(dict("Type", pdfName("Catalog"), "A#B c",
		[]any{pdfWord("-1.5"), 7, pdfWord("true"), pdfRef(1), pdfText(`a(\)b`), pdfText("\xfe\xff\x01\x02")}))
	f.addStream(dict(), []byte("0 0 m 1 1 l S endobj"), false)
	f.addStream(dict(), []byte("plain"), true)
	first := f.bytes()
	again, err := readPDF(first)
	if err != nil {
		t.Fatal(err)
	}
	if second := again.bytes(); !bytes.Equal(first, second) {
		t.Errorf("%s\nbecame\n%s", first, second)
	}
	if text, err := again.content(2); err != nil || string(text) != "0 0 m 1 1 l S endobj" {
		t.Errorf("the stream says %q (%v)", text, err)
	}
	v := (&pdfScanner{data: []byte(`[(a\(b\)\\\101\n) <4 1 4> /N#20x 12 0 R 12 0 RG]`)}).value().([]any)
	want := []any{pdfText("a(b)\\A\n"), pdfText("A@"), pdfName("N x"), pdfRef(12), pdfWord("12"), pdfWord("0"), pdfWord("RG")}
	if !slices.Equal(v, want) {
		t.Errorf("got %q, want %q", v, want)
	}
	if s := textString("é – ω"); s.text() != "é – ω" {
		t.Errorf("text came back as %q", s.text())
	}
	for _, broken := range []string{
		"", "%PDF-1.4 startxref 3 %%EOF", string(first[:len(first)/2]), strings.Replace(string(first), "startxref\n", "startxref\n9", 1),
	} {
		if _, err := readPDF([]byte(broken)); err == nil {
			t.Errorf("%.40q was read", broken)
		}
	}
}
