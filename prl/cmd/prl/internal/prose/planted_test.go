package prose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// planted are false statements: in a cell of a chapter, what is there and what is put in its place. The first six were planted by a reader
// from outside, and nothing noticed them.
var planted = []struct{ chapter, cell, is, put string }{
	{"07-bayes-learning", "random-md", `\frac{p(\theta)\,p(x\mid\theta)}{p(x)}`, `\frac{p(x)\,p(x\mid\theta)}{p(\theta)}`},
	{
		"07-bayes-learning", "springs-md", `\frac{\sigma^2\mu_0+N\sigma_0^2\bar x}{\sigma^2+N\sigma_0^2}`,
		`\frac{\sigma_0^2\mu_0+N\sigma^2\bar x}{\sigma_0^2+N\sigma^2}`,
	},
	{"07-bayes-learning", "narrow-md", `a\,(3s+2)<s^2`, `a\,(3s+2)>s^2`},
	{"07-bayes-learning", "predict-md", `\frac{k+1}{n+2}`, `\frac{k+1}{n+1}`},
	{
		"07-bayes-learning", "births-md", "251,527<!-- = boys --> boys and 241,945<!-- = girls --> girls",
		"241,945<!-- = boys --> boys and 251,527<!-- = girls --> girls",
	},
	{"07-bayes-learning", "recursive-md", "$1.276$", "$0.784$"},
	{"01-bayes-decision", "bayes-rule", `\qquad p(x)=\sum_{y'}p(y')\,p(x\mid y')`, `\qquad p(x)=\sum_{y'}p(y)\,p(x\mid y')`},
	{"03-roc-and-pr", "slope-md", `\frac{d'-t}{\sigma}`, `\frac{t-d'}{\sigma}`},
	{"03-roc-and-pr", "pr-md", `\frac{FP_B-FP_A}{TP_B-TP_A}`, `\frac{TP_B-TP_A}{FP_B-FP_A}`},
	{"06-maximum-likelihood", "divisors-md", "0.342<", "0.343<"},
	{"08-parzen-and-knn", "errors-md", `\frac{144\,f}{n\,f''^2}`, `\frac{144\,f''^2}{n\,f}`},
	{"08-parzen-and-knn", "width-md", `-\frac2n\sum_ip_{-i}(x_i)`, `-\frac1n\sum_ip_{-i}(x_i)`},
	{"14-kernels", "digits-md", "11,238,513", "11,239,513"},
	{"16-regression-and-norms", "earth-md", "1/329<", "1/348<"},
	{"16-regression-and-norms", "lasso-md", `\max(0,|z|-t)`, `\min(0,|z|-t)`},
	{"17-optimisation", "crowd-md", `2RK_nR`, `RK_nR`},
	{"17-optimisation", "thousand-md", "519<", "321<"},
	{"18-logistic-regression", "hill-md", `\log\bigl(1+e^{z_i}\bigr)`, `\log\bigl(1+e^{-z_i}\bigr)`},
	{"22-soft-margin", "choose-md", "212<", "357<"},
	{"24-decision-trees", "game", `2^{20}=1\,048\,576`, `2^{20}=1\,048\,567`},
	{"26-adaboost", "normaliser", `\frac12\log\frac{1-\epsilon_t}{\epsilon_t}`, `\log\frac{1-\epsilon_t}{\epsilon_t}`},
	{"29-viterbi", "forward", `P(x)=\sum_y\alpha_y(l)`, `P(x)=\sum_y\beta_y(l)`},
	{"32-pac-learning", "ex8-solution", "1.0202", "1.0201"},
}

// TestPlanted plants each false statement in a copy of its chapter and looks for a test that notices it.
func TestPlanted(t *testing.T) {
	root, all := chapters(t)
	var texts []bound
	noticed := make([]string, len(planted))
	type place struct {
		chapter, from, to, values, lastValue int
	}
	places := make([]place, len(planted))
	for _, c := range all {
		here := bound{chapter: c}
		formulas, values, err := read(c.Notebook)
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, f := range formulas {
			known[f.cell+f.tex+f.lines] = true
		}
		for _, v := range values {
			known[fmt.Sprint(v.cell, v.printed.digits, v.code)] = true
		}
		parts := sections(c.Notebook)
		for i, p := range planted {
			if p.chapter != c.name {
				continue
			}
			copied, err := spoiled(c.Notebook, p.cell, p.is, p.put)
			if err != nil {
				t.Fatalf("%s, cell %s: %v", p.chapter, p.cell, err)
			}
			places[i] = place{len(texts), len(here.formulas), 0, len(here.values), 0}
			formulas, values, err := read(copied)
			if err != nil {
				noticed[i] = err.Error()
			}
			for _, f := range formulas {
				if !known[f.cell+f.tex+f.lines] {
					here.formulas = append(here.formulas, f)
				}
			}
			for _, v := range values {
				if !known[fmt.Sprint(v.cell, v.printed.digits, v.code)] {
					here.values = append(here.values, v)
				}
			}
			places[i].to, places[i].lastValue = len(here.formulas), len(here.values)
			changed := find(copied, p.cell)
			for _, e := range equations(changed) {
				if e.failed != "" {
					noticed[i] = e.text + ": " + e.failed
				}
			}
			for _, s := range parts {
				for _, cell := range s.cells {
					if cell.ID() != p.cell {
						continue
					}
					if now := s.loose(changed); len(now) > len(s.loose(cell)) {
						noticed[i] = "nothing computes a number: " + strings.Join(now, "; ")
					}
				}
			}
		}
		texts = append(texts, here)
	}
	results := evaluate(t, root, texts)
	for i, p := range planted {
		at := places[i]
		for k := at.from; k < at.to; k++ {
			if said := results[texts[at.chapter].formulaName(k)].Failed; said != "" {
				noticed[i] = said
			}
		}
		for k := at.values; k < at.lastValue; k++ {
			if said := results[texts[at.chapter].valueName(k)].Failed; said != "" {
				noticed[i] = said
			}
		}
		if noticed[i] == "" {
			t.Errorf("%s, cell %s: nothing notices %s in place of %s", p.chapter, p.cell, p.put, p.is)
			continue
		}
		t.Logf("%s, cell %s, %s: %s", p.chapter, p.cell, p.put, noticed[i])
	}
}

// spoiled copies a notebook with another text in one cell.
func spoiled(n *notebook.Notebook, cell, is, put string) (*notebook.Notebook, error) {
	data, err := n.Bytes()
	if err != nil {
		return nil, err
	}
	copied, err := notebook.Parse(data)
	if err != nil {
		return nil, err
	}
	c := find(copied, cell)
	if c == nil || !strings.Contains(c.Source(), is) {
		return nil, fmt.Errorf("%s does not stand there", is)
	}
	c.SetSource(strings.Replace(c.Source(), is, put, 1))
	return copied, nil
}

// find returns the cell with an id, or nil.
func find(n *notebook.Notebook, id string) *notebook.Cell {
	for _, c := range n.Cells {
		if c.ID() == id {
			return c
		}
	}
	return nil
}
