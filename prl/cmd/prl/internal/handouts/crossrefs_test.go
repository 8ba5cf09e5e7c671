package handouts

import (
	"strings"
	"testing"
)

// A still as a cell shows it.
const aStill = `<div class="output"><div class="display"><img class="prl-figure" alt="Two bells. A curve; ` +
	`9 points." src="data:image/svg+xml,x"></div></div>`

func formulaCell(id, prose string) cell {
	return cell{ID: id, Kind: "markdown", HTML: `<div class="prose">` + prose + `</div>`}
}

const aFormula = `<span class="katex-display"><span class="katex">p</span></span>`

func TestNumbersOfFiguresAndFormulas(t *testing.T) {
	first := &chapter{Path: "03-first.ipynb", Cells: []cell{
		formulaCell("a", `<h1 id="first">First</h1><p>Said before it is shown: <a href="#fig-bells">Figure</a>, and <a href="#eq-rule">the `+
			`rule</a>.</p>`),
		{ID: "b", Kind: "code", HTML: aStill},
		formulaCell("c", `<p>Not named:</p>`+aFormula+`<p><a id="fig-bells"></a></p><p>Named <a id="eq-rule"></a>here:</p>`+aFormula),
		{ID: "d", Kind: "code", HTML: aStill},
		{ID: "e", Kind: "code", Tags: []string{"solution"}, HTML: strings.Replace(aStill, "Two bells. A", "Figure. A", 1)},
	}}
	second := &chapter{Path: "04-second.ipynb", Cells: []cell{
		formulaCell("a", `<p><a href="03-first.ipynb#eq-rule">Equation</a>, <a href="03-first.ipynb#fig-bells">two bells</a>, `+
			`<a href="05-else.ipynb#fig-x">Figure</a></p>`),
	}}
	if err := number([]*chapter{first, second}); err != nil {
		t.Fatal(err)
	}
	all := func(c *chapter) (text string) {
		for _, one := range c.Cells {
			text += one.HTML
		}
		return text
	}
	for _, want := range []string{
		"Said before it is shown: <a href=\"#fig-bells\" class=\"ref\">Figure\u00a03.2</a>", "the rule (3.1)</a>.",
		"<p class=\"figure-name\"><b>Figure\u00a03.1:</b> Two bells</p>", `<div class="display" id="fig-bells">`,
		"<p class=\"figure-name\"><b>Figure\u00a03.3</b></p>", // without a title
		`<p>Named here:</p><span id="eq-rule" class="katex-display numbered"><span class="katex">p</span><span class="formula-number">` +
			`(3.1)</span></span>`,
		`<p>Not named:</p>` + aFormula + `<p>Named`, // without a number, and the paragraph that held only a name is gone
	} {
		if !strings.Contains(all(first), want) {
			t.Errorf("the chapter lacks %s:\n%s", want, all(first))
		}
	}
	for _, want := range []string{"Equation\u00a0(3.1)</a>", "two bells (Figure\u00a03.2)</a>", `<a href="05-else.ipynb#fig-x">Figure</a>`} {
		if !strings.Contains(all(second), want) {
			t.Errorf("the other chapter lacks %s:\n%s", want, all(second))
		}
	}
	page := parse(all(second))
	second.addPreviews(page)
	for _, want := range []string{
		`<template id="03-first-eq-rule"><span class="katex-display ` +
			`numbered">`, `<template id="03-first-fig-bells"><img alt="Two bells. A curve; 9 points."`,
		`<p class="where">First</p>`,
	} {
		if !strings.Contains(inner(page), want) {
			t.Errorf("a preview lacks %s:\n%s", want, inner(page))
		}
	}
}

func TestReferencesThatLeadNowhere(t *testing.T) {
	for name, c := range map[string]struct {
		prose, said string
		more        []cell
	}{
		"unknown":      {prose: `<a href="#fig-bels">Figure</a><a id="fig-bells"></a>`, said: `did you mean "fig-bells"?`},
		"none at all":  {prose: `<a href="#eq-rule">it</a>`, said: `put <a id="eq-rule"></a> into the Markdown before it`},
		"nothing left": {prose: `<a id="eq-rule"></a>`, said: `"eq-rule" names the next formula, and none follows`},
		"two names":    {prose: `<a id="fig-a"></a><a id="fig-b"></a>`, said: `"fig-a" and "fig-b" name the same figure`},
		"taken":        {prose: `<a id="eq-a"></a>` + aFormula + `<a id="eq-a"></a>` + aFormula, said: `the name "eq-a" is taken`},
		"solution": {
			prose: `<a href="#fig-a">Figure</a>`, said: "students do not see",
			more: []cell{{ID: "s", Tags: []string{"solution"}, HTML: `<a id="fig-a"></a>` + aStill}},
		},
	} {
		cells := append([]cell{formulaCell("here", c.prose)}, c.more...)
		err := number([]*chapter{{Path: "03-first.ipynb", Cells: append(cells, cell{ID: "last", HTML: aStill})}})
		if err == nil || !strings.Contains(err.Error(), c.said) || !strings.Contains(err.Error(), "03-first.ipynb, cell ") {
			t.Errorf("%s: the error does not say %q: %v", name, c.said, err)
		}
	}
}
