package handouts

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// KaTeX writes its classes and lengths again in every formula, which are a fifth of a page with many. A page writes them short: a class has
// one or two letters, in the style sheet as in the formulas; a class that no rule names is left out, and so is a rule for classes that the
// page does not have; lengths that come back become a class of their own. What formulas look like stays as it is.

var (
	styleRule  = regexp.MustCompile(`([^{}]*)(\{[^{}]*\})`)
	styleClass = regexp.MustCompile(`\.([A-Za-z][A-Za-z0-9_-]*)`)
	plainValue = regexp.MustCompile(`^[A-Za-z_][0-9a-z]*"[ >]`)
	notClass   = regexp.MustCompile(`:not\([^)]*\)`) // what an element must not have
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
		rules.WriteString(".katex ." + own[style] + "{" + important(style) + "}")
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
	return onlyUsed(page, sheet) + rules.String()
}

// onlyUsed leaves out of a style sheet the selectors with a class that nothing in a page has, and rules without any selector.
func onlyUsed(page *html.Node, sheet string) string {
	used := map[string]bool{}
	for n := range elements(page, func(n *html.Node) bool { return n.Type == html.ElementNode }) {
		for class := range strings.FieldsSeq(attr(n, "class")) {
			used[class] = true
		}
	}
	return styleRule.ReplaceAllStringFunc(sheet, func(rule string) string {
		selectors, block, _ := strings.Cut(rule, "{")
		if strings.HasPrefix(strings.TrimSpace(selectors), "@") {
			return rule
		}
		kept := slices.DeleteFunc(strings.Split(selectors, ","), func(selector string) bool {
			needed := styleClass.FindAllStringSubmatch(notClass.ReplaceAllString(selector, ""), -1)
			return slices.ContainsFunc(needed, func(m []string) bool { return !used[m[1]] })
		})
		if len(kept) == 0 {
			return ""
		}
		return strings.Join(kept, ",") + "{" + block
	})
}

// shareStyles makes classes of the styles that come back in a page outside its formulas, as those of proofs and tables do, and returns
// their rules. The styles of pictures stay where they are, since they change.
func shareStyles(page *html.Node) string {
	users, order := map[string][]*html.Node{}, []string{}
	for n := range elements(page, func(n *html.Node) bool { return n.Type == html.ElementNode && n.Namespace == "" }) {
		style := attr(n, "style")
		switch n.Data {
		case "caption", "dd", "div", "dl", "dt", "details", "p", "span", "summary", "table", "td", "th":
			if strings.Count(style, ":") > 0 && !strings.ContainsAny(style, `"'\{}`) {
				if users[style] == nil {
					order = append(order, style)
				}
				users[style] = append(users[style], n)
			}
		}
	}
	var rules strings.Builder
	classes := 0
	for _, style := range order {
		const often = 3
		if len(users[style]) < often {
			continue
		}
		class := "z" + strconv.FormatInt(int64(classes), 36)
		classes++
		rules.WriteString("." + class + "{" + important(style) + "}")
		for _, n := range users[style] {
			setAttr(n, "class", strings.TrimSpace(attr(n, "class")+" "+class))
			dropAttr(n, "style")
		}
	}
	return rules.String()
}

// important writes declarations that precede all rules, as those of an attribute do.
func important(style string) string {
	var rule strings.Builder
	for declaration := range strings.SplitSeq(strings.TrimSuffix(style, ";"), ";") {
		rule.WriteString(declaration + "!important;")
	}
	return rule.String()
}

// unquote leaves out the quotes around attributes of one word that come back often, and writes quotes in a text as they are.
func unquote(body string) string {
	var attributes strings.Builder
	for rest := body; rest != ""; {
		before, value, found := strings.Cut(rest, `="`)
		attributes.WriteString(before)
		if rest = value; !found {
			break
		}
		name := before[strings.LastIndexAny(before, " \n")+1:]
		if end := len(plainValue.FindString(value)); end > 0 && slices.Contains(unquoted, name) {
			attributes.WriteString("=" + value[:end-2])
			rest = value[end-1:]
		} else {
			attributes.WriteString(`="`)
		}
	}
	var all strings.Builder
	for part := range strings.SplitAfterSeq(attributes.String(), "<") {
		tag := strings.LastIndexByte(part, '>') + 1
		all.WriteString(part[:tag])
		asWritten.WriteString(&all, part[tag:])
	}
	return all.String()
}

// unquoted are attributes whose values need no quotes if they are plain.
var unquoted = strings.Fields("class role aria-hidden aria-label mathvariant separator stretchy")

// asWritten writes quotes as they are.
var asWritten = strings.NewReplacer("&#34;", `"`, "&#39;", "'")
