//go:build unix || js

package assist

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// links are those of Markdown.
var links = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// formulas sets the formulas of a documentation with Greek letters, indices, exponents and signs. Blocks in fences and indented blocks that
// are Go stay as they are; in a sentence only names with an index or an exponent change, and signs, for sigma may be the name of an
// argument.
func formulas(markdown string) string {
	lines := strings.Split(markdown, "\n")
	fenced := false
	for i := 0; i < len(lines); i++ {
		switch {
		case strings.HasPrefix(lines[i], "```"):
			fenced = !fenced
		case fenced:
		case indented(lines[i]):
			end := i
			for end < len(lines) && (indented(lines[end]) || lines[end] == "" && end+1 < len(lines) && indented(lines[end+1])) {
				end++
			}
			if !isGo(strings.Join(lines[i:end], "\n")) {
				for j := i; j < end; j++ {
					lines[j] = attached.ReplaceAllStringFunc(signs.Replace(greekWord.ReplaceAllStringFunc(lines[j], letter)), raise)
				}
			}
			i = end - 1
		default:
			lines[i] = attached.ReplaceAllStringFunc(greekIndex.ReplaceAllStringFunc(signs.Replace(lines[i]), letter), raise)
		}
	}
	return strings.Join(lines, "\n")
}

func indented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

// isGo reports whether a block is a piece of a program: statements that Go reads, and more than names and signs alone.
func isGo(block string) bool {
	if !strings.ContainsAny(block, "\"`:{") {
		return false
	}
	for _, text := range []string{"package p\nfunc _() {\n" + block + "\n}", "package p\n" + block} {
		if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution); err == nil {
			return true
		}
	}
	return false
}

const greek = "alpha|beta|gamma|delta|epsilon|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega|" +
	"Gamma|Delta|Theta|Lambda|Sigma|Phi|Psi|Omega"

var (
	signs = strings.NewReplacer(
		"<->", "↔", "<-", "←", "->", "→", ">=", "≥", "<=", "≤", "!=", "≠", " +- ", " ± ", "~=", "≈",
	)
	// attached is a name with an index, or something with an exponent that is a number or a letter.
	attached   = regexp.MustCompile(`([\pL\d)\]|'∑∏∫])((?:[_^](?:-?\d+|\pL)\b)+)`)
	part       = regexp.MustCompile(`[_^](?:-?\d+|\pL)`)
	greekWord  = regexp.MustCompile(`\b(?:` + greek + `|sum|prod|sqrt|integral|infinity)(?:\b|[_^])`)
	greekIndex = regexp.MustCompile(`\b(?:` + greek + `)[_^]`)
	letters    = map[string]string{
		"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ",
		"nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
		"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
		"sum": "∑", "prod": "∏", "sqrt": "√", "integral": "∫", "infinity": "∞",
	}
	low = map[rune]rune{
		'-': '₋', '0': '₀', '1': '₁', '2': '₂', '3': '₃', '4': '₄', '5': '₅', '6': '₆', '7': '₇', '8': '₈', '9': '₉', 'a': 'ₐ', 'e': 'ₑ',
		'h': 'ₕ',
		'i': 'ᵢ', 'j': 'ⱼ', 'k': 'ₖ', 'l': 'ₗ', 'm': 'ₘ', 'n': 'ₙ', 'o': 'ₒ', 'p': 'ₚ', 'r': 'ᵣ', 's': 'ₛ', 't': 'ₜ', 'u': 'ᵤ', 'v': 'ᵥ',
		'x': 'ₓ',
	}
	high = map[rune]rune{
		'-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹', 'T': 'ᵀ', 'i': 'ⁱ',
		'j': 'ʲ',
		'k': 'ᵏ', 'm': 'ᵐ', 'n': 'ⁿ', 'p': 'ᵖ', 't': 'ᵗ', 'd': 'ᵈ',
	}
)

// letter sets a word, with the sign of an index or exponent behind it if there is one.
func letter(word string) string {
	name := strings.TrimRight(word, "_^")
	return letters[name] + word[len(name):]
}

// raise sets the indices and exponents behind a name, those that Unicode has small letters for.
func raise(s string) string {
	return part.ReplaceAllStringFunc(s, func(s string) string {
		small := low
		if s[0] == '^' {
			small = high
		}
		var b strings.Builder
		for _, r := range s[1:] {
			if small[r] == 0 {
				return s
			}
			b.WriteRune(small[r])
		}
		return b.String()
	})
}

// example is the first example of a name of the package in a folder, with what it prints, as Markdown; "" if it has none.
func example(from, name string) string {
	want := strings.ReplaceAll(name, ".", "_")
	paths, _ := filepath.Glob(filepath.Join(from, "*_test.go"))
	files := token.NewFileSet()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("func Example"+want)) {
			continue
		}
		file, err := parser.ParseFile(files, path, text, parser.ParseComments)
		if err != nil {
			continue
		}
		for _, e := range doc.Examples(file) {
			if rest, ok := strings.CutPrefix(e.Name, want); ok && (rest == "" || rest[0] == '_' && len(rest) > 1 && 'a' <= rest[1] &&
				rest[1] <= 'z') {
				return shown(files, e)
			}
		}
	}
	return ""
}

// shown is the body of an example, and what it prints.
func shown(files *token.FileSet, e *doc.Example) string {
	block, ok := e.Code.(*ast.BlockStmt)
	if !ok {
		return ""
	}
	var comments []*ast.CommentGroup
	for _, c := range e.Comments {
		if text := strings.TrimSpace(c.Text()); !strings.HasPrefix(text, "Output:") && !strings.HasPrefix(text, "Unordered output:") {
			comments = append(comments, c)
		}
	}
	var b bytes.Buffer
	if err := format.Node(&b, files, &printer.CommentedNode{Node: block, Comments: comments}); err != nil {
		return ""
	}
	body := strings.Split(strings.Trim(b.String(), "{}\n"), "\n")
	for i := range body {
		body[i] = strings.TrimPrefix(body[i], "\t")
	}
	text := "\n\n**Example**\n\n```go\n" + strings.Join(body, "\n") + "\n```"
	if e.Output != "" {
		text += "\n\nprints\n\n```text\n" + strings.TrimSpace(e.Output) + "\n```"
	}
	return text
}
