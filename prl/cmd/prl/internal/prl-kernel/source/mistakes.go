package source

import (
	"errors"
	"go/scanner"
	"regexp"
	"strings"
)

// misread turns the first error of the parser into a problem of the cell.
func (c *Cell) misread(err error, place func(int) int) *Problem {
	p := &Problem{Title: err.Error(), Line: -1, Column: -1}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		at := place(list[0].Pos.Line - 1)
		p.Title, p.Line, p.Column = list[0].Msg, c.Lines[at], list[0].Pos.Column-1
		if list[0].Pos.Line == 1 {
			p.Column -= prefix
		}
		if at == c.Statements-1 { // the line that opens main
			p.Column = -1
		}
	}
	if python := c.python(p.Line); python != nil {
		return python
	}
	p.Title = "This line is not Go: " + p.Title + "."
	p.Remedy = remedies(p, strings.Split(c.Text, "\n"))
	return p
}

// habits are lines as Python writes them, and how Go says the same.
var habits = []struct {
	line   *regexp.Regexp
	remedy string
}{
	{
		regexp.MustCompile(`^\s*def\s+(\w+)\s*\(.*\)\s*(->.*)?:`),
		"A function is written\n    func $1(x float64) float64 {\n        return x\n    }",
	},
	{regexp.MustCompile(`^\s*class\s+(\w+).*:`), "A type is written\n    type $1 struct {\n        Name string\n    }"},
	{regexp.MustCompile(`^\s*for\s+(\w+)\s+in\s+range\((\w+)\)\s*:`), "A loop is written\n    for $1 := range $2 {\n        …\n    }"},
	{regexp.MustCompile(`^\s*for\s+(\w+)\s+in\s+(.+):`), "A loop is written\n    for _, $1 := range $2 {\n        …\n    }"},
	{regexp.MustCompile(`^\s*while\s+(.+):`), "A loop is written\n    for $1 {\n        …\n    }"},
	{regexp.MustCompile(`^\s*(?:el)?if\s+(.+):\s*$`), "A condition is written\n    if $1 {\n        …\n    }"},
	{regexp.MustCompile(`^\s*else\s*:`), "The other branch is written\n    } else {\n        …\n    }"},
	{
		regexp.MustCompile(`^\s*(?:try|except.*|finally)\s*:`),
		"Go returns errors as values:\n    v, err := f()\n    if err != nil {\n        …\n    }",
	},
	{regexp.MustCompile(`^\s*with\s+.+:`), "Open and close are two steps:\n    f, err := os.Open(name)\n    defer f.Close()"},
	{
		regexp.MustCompile(`^\s*from\s+\S+\s+import\s`),
		"A package is imported by its path, in quotes:\n    import \"github.com/prlab/prlab/prl\"",
	},
	{
		regexp.MustCompile(`^\s*import\s+[a-zA-Z_.]+(\s+as\s+\w+)?\s*$`),
		"A package is imported by its path, in quotes:\n    import \"github.com/prlab/prlab/prl\"",
	},
	{regexp.MustCompile(`^\s*#`), "A comment begins with //."},
	{regexp.MustCompile(`\bprint\s*\(?f["']`), "Text with numbers in it:\n    fmt.Printf(\"x = %v\\n\", x)"},
	{regexp.MustCompile(`^\s*print\s+\S`), "To print, write fmt.Println(…)."},
	{regexp.MustCompile(`\blambda\b`), "A function without a name is written\n    func(x float64) float64 { return x * x }"},
	{
		regexp.MustCompile(`=\s*\[.*\bfor\b.*\bin\b.*\]`),
		"A list is filled in a loop:\n    var ys []float64\n    for _, x := range xs {\n        ys = append(ys, x*x)\n    }",
	},
	{regexp.MustCompile(`[^*]\*\*[^*]`), "A power is math.Pow(x, 2), or x * x."},
	{regexp.MustCompile(`=\s*\[[^\]]*\]\s*$`), "A list of numbers is written\n    xs := []float64{1, 2, 3}"},
	{regexp.MustCompile(`=\s*\{\s*["'].*:.*\}\s*$`), "A table of names is written\n    m := map[string]float64{\"a\": 1}"},
	{regexp.MustCompile(`\bnot\s+\w|\w\s+(?:and|or)\s+\w`), "and, or and not are written  &&  ||  !"},
	{regexp.MustCompile(`\bis\s+None\b|\bNone\b`), "None is nil."},
	{
		regexp.MustCompile(`\[\s*-?\d*\s*:\s*-?\d*\s*(?::\s*-?\d*)?\s*\]|\[-\d+\]`),
		"Parts of a slice are x[1:3]; the last element is x[len(x)-1].",
	},
	{regexp.MustCompile(`^\s*%?(?:pip3?|conda)\s+install\b`), "pip installs Python packages; this kernel runs Go."},
}

// python says that a cell, or the line where the parser stopped, is written in Python.
func (c *Cell) python(at int) *Problem {
	lines := strings.Split(c.Text, "\n")
	try := func(i int) *Problem {
		for _, h := range habits {
			if m := h.line.FindStringSubmatchIndex(lines[i]); m != nil {
				return &Problem{
					Title:  "This is Python; cells of this notebook are Go.",
					Line:   i,
					Column: m[0] + len(lines[i][m[0]:]) - len(strings.TrimLeft(lines[i][m[0]:], " \t")),
					Remedy: []string{string(h.line.ExpandString(nil, h.remedy, lines[i], m))},
				}
			}
		}
		return nil
	}
	if at >= 0 && at < len(lines) {
		if p := try(at); p != nil {
			return p
		}
	}
	for i := 0; i < at && i < len(lines); i++ { // a block whose head is Python fails in its body or at its end
		if strings.HasSuffix(strings.TrimSpace(lines[i]), ":") {
			if p := try(i); p != nil {
				return p
			}
		}
	}
	return nil
}

// remedies are what to do about a message of the parser.
func remedies(p *Problem, lines []string) []string {
	line := ""
	if p.Line >= 0 && p.Line < len(lines) {
		line = strings.TrimSpace(lines[p.Line])
	}
	has := func(s string) bool { return strings.Contains(p.Title, s) }
	switch {
	case strings.HasPrefix(line, "else"):
		return []string{"else stands on the line of the brace before it:  } else {"}
	case has("expected '{', found newline"),
		has("unexpected newline, expected { after"),
		has("expected '{'") && strings.HasPrefix(line, "{"),
		has("unexpected semicolon or newline before {"):
		return []string{"The opening brace stands at the end of the line:  if x > 0 {"}
	case has("missing ',' before newline in argument list"), has("missing ',' before newline in parameter list"):
		return []string{"A closing bracket ) is missing; or, in a list over several lines, the comma at the end of the line."}
	case has("missing ',' before newline"):
		return []string{"In a list over several lines each line ends with a comma, the last one too."}
	case has("expected '}', found 'EOF'"), has("expected '}'") && p.Line >= len(lines)-1:
		return []string{"A closing brace } is missing: there are more { than } in the cell."}
	case has("expected ')'"), has("missing ')'"), has("expected ']'"):
		return []string{"A bracket that was opened is not closed, or a comma is missing."}
	case has("string literal not terminated"), has("string not terminated"):
		return []string{"The text lacks its closing quote. A text over several lines stands in backquotes: `…`."}
	case has("rune literal"), has("more than one character"):
		return []string{"Text stands in double quotes: \"text\". Single quotes hold one character."}
	case has("non-declaration statement"), has("expected declaration"):
		return []string{"Put the line %% above the first statement."}
	case strings.HasPrefix(line, "=") || has("expected operand, found '='"), has("assignment") && strings.Contains(line, "="):
		return []string{"Two values are compared with ==; = gives a variable its value."}
	case has("illegal character"), has("quotation mark"):
		return []string{"Take the character out; quotes must be straight ones: \" and not “ ”."}
	case has("expected ';'"):
		return []string{"Two statements stand on one line, or an operator or comma is missing between two words."}
	}
	return []string{"Compare the line with a cell of the chapter that works."}
}
