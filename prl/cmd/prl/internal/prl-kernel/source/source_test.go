package source

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for name, c := range map[string]struct{ text, code string }{
		"as GoNB wants it":          {"var x = 1\n%%\nfmt.Println(x)", "var x = 1\n%%\nfmt.Println(x)"},
		"declarations alone":        {"var x = 1\n\nfunc f() {}", "var x = 1\n\nfunc f() {}"},
		"statements alone":          {"y := 1\nfmt.Println(y)", "%%\ny := 1\nfmt.Println(y)"},
		"statements below":          {"var x = 1\nfmt.Println(x)", "var x = 1\n%%\nfmt.Println(x)"},
		"a var below a statement":   {"y := 1\nvar z = y\nfmt.Println(z)", "%%\ny := 1\nvar z = y\nfmt.Println(z)"},
		"a function below":          {"%%\nfmt.Println(f())\nfunc f() int { return 1 }", "func f() int { return 1 }\n%%\nfmt.Println(f())"},
		"an import below":           {"%%\nfmt.Println(1)\nimport \"fmt\"", "import \"fmt\"\n%%\nfmt.Println(1)"},
		"a method":                  {"func (p P) F() {}\nfmt.Println(1)", "func (p P) F() {}\n%%\nfmt.Println(1)"},
		"a function without a name": {"func() { fmt.Println(1) }()", "%%\nfunc() { fmt.Println(1) }()"},
		"statements above":          {"x := 1\n%%\nfmt.Println(x)", "%%\nx := 1\nfmt.Println(x)"},
		"time":                      {"%%time\nfmt.Println(1)", "%%\nfmt.Println(1)"},
		"time of a line":            {"%time fmt.Println(1)", "%%\nfmt.Println(1)"},
		"commands":                  {"x := 1\n!ls\n%env A=1\nfmt.Println(x)", "!ls\n%env A=1\n%%\nx := 1\nfmt.Println(x)"},
		"what crashes GoNB":         {"% \n! \n%%\nfmt.Println(1)", "%%\nfmt.Println(1)"},
		"commands in a comment":     {"/*\n!ls\n%reset\n*/\nf();", "%%\n/*\n !ls\n %reset\n*/\nf();"},
		"arguments above":           {"%args --n=3\n%%\nf();", "%args --n=3\n%% --n=3\nf();"},
		"arguments":                 {"%% --n=3\nfmt.Println(1)", "%% --n=3\nfmt.Println(1)"},
		"a value":                   {"var x = 1\nx + 1", "var x = 1\n%%\n" + ShowValue + "(x + 1)"},
		"a value kept quiet":        {"%%\nf();", "%%\nf();"},
		"what shows itself":         {"%%\nm.Fit(x).Show()", "%%\nm.Fit(x).Show()"},
		"a check":                   {"%%\nprl.Check(\"\", \"a\").Near(1, 1, 0)", "%%\nprl.Check(\"\", \"a\").Near(1, 1, 0)"},
		"another language":          {"%%bash\nif true; then echo; fi", "%%bash\nif true; then echo; fi"},
		"a raw string":              {"%%\nfmt.Println(`a\n%b`)", "%%\nfmt.Println(\"a\\n\" +\n\"%b\")"},
		"a comment": {
			"// f doubles.\nfunc f() {}\nf()\n// the end",
			"// f doubles.\nfunc f() {}\n%%\n" + ShowValue + "(f())\n// the end",
		},
	} {
		got := Read(c.text)
		if got.Problem != nil {
			t.Errorf("%s: %+v", name, got.Problem)
			continue
		}
		if got.Code != c.code {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got.Code, c.code)
		}
		if n := len(strings.Split(got.Code, "\n")); len(got.Lines) != n {
			t.Errorf("%s: %d places for %d lines", name, len(got.Lines), n)
		}
		for i, line := range strings.Split(got.Code, "\n") { // each line comes from the one it says
			from := strings.Split(c.text, "\n")[got.Lines[i]]
			if plain := strings.TrimSuffix(strings.TrimPrefix(line, ShowValue+"("), ")"); line != from && plain != from && line != "%%" &&
				!strings.HasPrefix(from, "%") &&
				name != "a raw string" && name != "commands in a comment" {
				t.Errorf("%s: line %d is %q and comes from %q", name, i, line, from)
			}
		}
	}
}

func TestNames(t *testing.T) {
	c := Read("var a, b = 1, 2\nfunc f() int { return g }\n%%\na = h\nx := a\nfor i := range 3 {\n\tx += i\n}\ny, z := f(), x\n_ = z")
	if c.Problem != nil {
		t.Fatal(c.Problem)
	}
	for _, name := range []string{"a", "b", "f"} {
		if _, found := c.Declares[name]; !found {
			t.Errorf("%s is not declared", name)
		}
	}
	if !c.Vars["a"] || c.Vars["f"] {
		t.Error("variables:", c.Vars)
	}
	if at, found := c.Sets["x"]; !found || at != 4 {
		t.Error("x is set in line", at)
	}
	if _, found := c.Assigns["a"]; !found || len(c.Assigns) != 1 {
		t.Error("assigned:", c.Assigns)
	}
	for name, want := range map[string]bool{"g": true, "h": true, "a": false, "x": false} {
		if _, reads := c.Reads[name]; reads != want {
			t.Errorf("%s is read: %v", name, reads)
		}
	}
}

func TestProblems(t *testing.T) {
	for text, want := range map[string]struct {
		line   int
		remedy string
	}{
		"def f(x):\n    return x":        {0, "func f("},
		"%%\nx := [1, 2":                 {1, ""},
		"%%\nif x {\n}\nelse {\n}":       {3, "} else {"},
		"%%\nfmt.Println('hello')":       {1, "double quotes"},
		"%unheard of":                    {0, "%help"},
		"%%script":                       {0, "%%bash"},
		"%%\nfor i := range 3\n{\n}":     {1, "opening brace"},
		"import numpy as np":             {0, "in quotes"},
		"%%\nfmt.Println(\"a)":           {1, "closing quote"},
		"%%\nfmt.Println(“a”)":           {1, "straight ones"},
		"%%\nxs := []int{\n\t1,\n\t2\n}": {3, "comma"},
		"%%\nfor {\n\tfmt.Println(1)":    {2, "brace } is missing"},
		"while x > 3:\n    x = x - 1":    {0, "for x > 3 {"},
		"%%\nys := [x**2 for x in xs]":   {1, "in a loop"},
		"!pip install pandas":            {0, "PRL_FETCH"},
		"%%\nx := 1\ny := x if x else 2": {2, ""},
		"class Point:\n    x = 1":        {0, "type Point struct"},
	} {
		c := Read(text)
		if c.Problem == nil {
			t.Errorf("%q: nothing is wrong", text)
			continue
		}
		if c.Problem.Line != want.line || !strings.Contains(strings.Join(c.Problem.Remedy, "\n"), want.remedy) || len(c.Problem.Remedy) == 0 {
			t.Errorf("%q: %+v", text, c.Problem)
		}
	}
}

// FuzzRead looks that no text makes Read fail, that lines have places, and that what is read again has the same meaning.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "%", "! ", "%%\n", "x := `a\n%%`", "func (", "/*\n%%", "a\r\nb", "%%time\n%%\nx", "%time x\nvar y = 1",
		"!a\\\nb", "'\n\"", "{}\n}{", "\x00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := Read(text)
		lines := strings.Count(text, "\n")
		for _, at := range c.Lines {
			if at < 0 || at > lines {
				t.Fatalf("%q: line %d of %d", text, at, lines)
			}
		}
		if c.Problem == nil && len(c.Lines) != strings.Count(c.Code, "\n")+1 {
			t.Fatalf("%q: %d places for %q", text, len(c.Lines), c.Code)
		}
	})
}
