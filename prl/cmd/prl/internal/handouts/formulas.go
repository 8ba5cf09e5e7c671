package handouts

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// KaTeX writes its classes and lengths again in every formula, which are a fifth of a page with many. A page writes them short: a class has
// one or two letters, in the style sheet as in the formulas, one that no rule names is left out, and lengths that come back become a class
// of their own. What formulas look like stays as it is.

var (
	styleRule  = regexp.MustCompile(`([^{}]*)(\{[^{}]*\})`)
	styleClass = regexp.MustCompile(`\.([A-Za-z][A-Za-z0-9_-]*)`)
	shortClass = regexp.MustCompile(` class="([A-Z][a-z]?|_[0-9a-z]+)"`)
)

// formulaName reports whether a class names a whole formula or its number, which other style sheets know too.
func formulaName(class string) bool {
	switch class {
	case "katex", "katex-display", "katex-html", "katex-mathml", "katex-tag", "leqno", "fleqn":
		return true
	}
	return false
}

// shortNames are the classes of a style sheet with their short names, and the style sheet in these.
func shortNames(sheet string) (names map[string]string, short string) {
	names = map[string]string{}
	name := func(class string) string {
		if formulaName(class) {
			return class
		}
		if names[class] == "" {
			const letters = 26
			n := len(names)
			s := string(rune('A' + n%letters))
			if n >= letters {
				s += string(rune('a' + n/letters - 1))
			}
			names[class] = s
		}
		return names[class]
	}
	return names, styleRule.ReplaceAllStringFunc(sheet, func(rule string) string {
		selectors, block, _ := strings.Cut(rule, "{")
		if strings.HasPrefix(strings.TrimSpace(selectors), "@") {
			return rule
		}
		return styleClass.ReplaceAllStringFunc(selectors, func(class string) string { return "." + name(class[1:]) }) + "{" + block
	})
}

// shorten writes the formulas of a page short, and returns the style sheet for them.
func shorten(page *html.Node, sheet string) string {
	if sheet == "" {
		return ""
	}
	names, sheet := shortNames(sheet)
	var parts []*html.Node
	times, order := map[string]int{}, []string{}
	for formula := range elements(page, tag("span", "katex-html")) {
		for part := range elements(formula, tag("span", "")) {
			parts = append(parts, part)
			if style := attr(part, "style"); style != "" {
				if times[style] == 0 {
					order = append(order, style)
				}
				times[style]++
			}
		}
	}
	var rules strings.Builder
	own := map[string]string{} // the classes of styles
	for _, style := range order {
		const often = 3 // a rule is longer than two attributes
		if times[style] < often {
			continue
		}
		own[style] = "_" + strconv.FormatInt(int64(len(own)), 36)
		rules.WriteString(".katex ." + own[style] + "{")
		for declaration := range strings.SplitSeq(strings.TrimSuffix(style, ";"), ";") {
			rules.WriteString(declaration + "!important;") // as an attribute, it precedes all rules
		}
		rules.WriteString("}")
	}
	for _, part := range parts {
		var classes []string
		for class := range strings.FieldsSeq(attr(part, "class")) {
			switch {
			case formulaName(class):
				classes = append(classes, class)
			case names[class] != "":
				classes = append(classes, names[class])
			}
		}
		if class := own[attr(part, "style")]; class != "" {
			classes = append(classes, class)
			dropAttr(part, "style")
		}
		dropAttr(part, "class")
		if len(classes) > 0 {
			setAttr(part, "class", strings.Join(classes, " "))
		}
	}
	return sheet + rules.String()
}

// unquote leaves out the quotes around one short class.
func unquote(body string) string { return shortClass.ReplaceAllString(body, " class=$1") }
