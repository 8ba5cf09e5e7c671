package prose

import (
	"strings"
	"testing"
)

// TestFormulas evaluates every bound formula and number of the chapters beside the code. Run it with -v for what each chapter binds, and
// for the planted mistakes that a formula does not notice.
func TestFormulas(t *testing.T) {
	root, all := chapters(t)
	var texts []bound
	for _, c := range all {
		formulas, values, err := read(c.Notebook)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		texts = append(texts, bound{c, formulas, values})
	}
	results := evaluate(t, root, texts)
	mistakes, noticed := 0, 0
	for _, b := range texts {
		shown := 0
		for _, c := range b.Cells {
			if !c.IsCode() {
				shown += strings.Count(c.Source(), "$$") / 2
			}
		}
		t.Logf("%-24s %2d formulas bound, %d displayed; %d numbers", b.name, len(b.formulas), shown, len(b.values))
		for i, f := range b.formulas {
			r := results[b.formulaName(i)]
			if r.Failed != "" {
				t.Errorf("%s, cell %s: %s\n%s", b.name, f.cell, f.tex, r.Failed)
				continue
			}
			mistakes += len(r.planted)
			noticed += len(r.planted) - len(r.Survived)
			for _, k := range r.Survived {
				t.Logf("   not noticed in %s, %s: part %d, %s", f.cell, f.tex, r.planted[k].part+1, r.planted[k].what)
			}
			if f.holds != "false" && len(r.planted) == 0 || len(r.Survived)*2 > len(r.planted) {
				t.Errorf("%s, cell %s: %s\nof %d planted mistakes %d are not noticed", b.name, f.cell, f.tex, len(r.planted), len(r.Survived))
			}
		}
		for i, v := range b.values {
			if r := results[b.valueName(i)]; r.Failed != "" {
				t.Errorf("%s, cell %s: %s", b.name, v.cell, r.Failed)
			}
		}
	}
	t.Logf("%d mistakes were planted in formulas, %d noticed", mistakes, noticed)
}
