package prl

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
)

func TestRange(t *testing.T) {
	for _, c := range []struct{ lo, hi, step float64 }{{0, 180, 5}, {0, 1, 0.1}, {1, 0, -0.25}, {-3, 3, 0.5}, {0, 1, 0.3}, {2, 2, 1}} {
		v := Range(c.lo, c.hi, c.step)
		n := int(math.Floor((c.hi-c.lo)/c.step+1e-9)) + 1
		if len(v) != n || v[0] != c.lo {
			t.Errorf("Range(%v, %v, %v) = %v", c.lo, c.hi, c.step, v)
		}
	}
	if got := Range(0, 0.5, 0.1); !slices.Equal(got, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5}) {
		t.Errorf("got %v", got)
	}
}

func TestSpaces(t *testing.T) {
	if got := LinSpace(-1, 1, 5); !slices.Equal(got, []float64{-1, -0.5, 0, 0.5, 1}) {
		t.Errorf("got %v", got)
	}
	got := LogSpace(0.01, 100, 5)
	for i, want := range []float64{0.01, 0.1, 1, 10, 100} {
		if math.Abs(got[i]/want-1) > 1e-14 {
			t.Errorf("got %v", got)
		}
	}
}

func TestProse(t *testing.T) {
	want := "<p>a <strong>b</strong> &lt;i&gt; <code>x &lt; y</code></p><p>2 ** 3</p>"
	if got := prose("a **b** <i> `x < y`\n\n2 ** 3\n"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestShowReadsMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"one\n\ntwo":                          "<p>one</p><p>two</p>",
		"- a **b**\n- `c` < d":                "<ul><li>a <strong>b</strong></li><li><code>c</code> &lt; d</li></ul>",
		"| a | b |\n|---|:-:|\n| 1 | **2** |": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><strong>2</strong></td></tr></table>",
		"- a\nb":                              "<p>- a\nb</p>",
		"|x| is a length":                     "<p>|x| is a length</p>",
	} {
		b := cell.Capture(func() { Show(text) })
		if got := b.HTML(); !strings.Contains(got, want) {
			t.Errorf("%q gives %s", text, got)
		}
	}
}

// An error about a column names its feature, also behind other steps.
func TestErrorsNameFeatures(t *testing.T) {
	X := mat.NewDense(5, 3, []float64{1, 2, 3, 2, 1, 3, 3, 5, 8, 4, 1, 5, 1, 1, 2}) // the third column is the sum
	set := datasets.New("pets", X, []int{0, 1, 0, 1, 1}).Named("weight", "height", "sum")
	for name, err := range map[string]error{
		"alone":      Logistic().Fit(set).Err(),
		"in a chain": Pipeline(Standardize()).Then(Logistic()).Fit(set).Err(),
	} {
		if err == nil || strings.Contains(err.Error(), "column 0") || !strings.Contains(err.Error(), `X is the feature "`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of a table of words and numbers, whichever model finds that columns depend on one another says which.
func TestErrorsNameColumnsOfTables(t *testing.T) {
	var b strings.Builder
	b.WriteString("size,weight,twice,still,city,price,kind\n")
	for i := range 40 {
		size, weight := float64(i%7)+float64(i%3)/10, float64(i*i%11)
		fmt.Fprintf(&b, "%g,%g,%g,4,%c,%g,%c\n", size, weight, 2*size+weight, 'A'+i%3, size+weight+float64(i%5), 'a'+i*7%2)
	}
	houses, err := datasets.ReadTable(strings.NewReader(b.String()), "houses")
	if err != nil {
		t.Fatal(err)
	}
	still := houses.Drop("price", "city", "twice").Label("kind")
	twice := houses.Drop("price", "city", "still").Label("kind")
	for want, errs := range map[string][]error{
		`the feature "still"`: {
			QDA().Fit(still).Err(), LDA().Fit(still).Err(), FisherLDA().Fit(still).Err(), PCA(2).Scale().Fit(still).Err(),
			Logistic().Fit(still).Err(),
		},
		`the feature "twice"`: {
			QDA().Fit(twice).Err(), LDA().Fit(twice).Err(), FisherLDA().Fit(twice).Err(), Logistic().Fit(twice).Err(),
		},
		`the feature "city = `: {
			Pipeline(OneHot()).Then(Logistic()).Fit(houses.Drop("price", "still", "twice").Label("kind")).Err(),
		},
	} {
		for k, err := range errs {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, model %d: %v", want, k, err)
			}
		}
	}
	// Least squares leaves the column out, and says so below the table.
	note := fmt.Sprint(Linear().Fit(houses.Drop("kind", "city", "still").Target("price")).Table())
	if !strings.Contains(note, "twice depends on columns before it and was left out") {
		t.Error(note)
	}
}
