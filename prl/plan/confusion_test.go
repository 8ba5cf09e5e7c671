package plan_test

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/plan"
)

// The numbers are those of classification_report and matthews_corrcoef of scikit-learn 1.9.1.
func TestRates(t *testing.T) {
	var truth, got []int
	for i, row := range [][]int{{8, 1, 1}, {2, 4, 0}, {0, 1, 3}} {
		for j, n := range row {
			for range n {
				truth, got = append(truth, i), append(got, j)
			}
		}
	}
	c, err := assess.NewConfusion(truth, got, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	text := plan.NewConfusion(c, []string{"a", "b", "c"}, "three", nil).Rates().String()
	for _, want := range []string{
		"a 0.8 0.8 0.8 10", "b 0.6667 0.6667 0.6667 6", "mean of the classes 0.7389 0.7389 0.7389 20",
		"accuracy 0.75, 95 % interval 0.5313 to 0.8881; balanced 0.7389, Matthews 0.5968",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
	if text := prl.LDA().Confusion().Rates().String(); !strings.Contains(text, "append .Fit(set)") {
		t.Error(text)
	}
}

// The figure of precision and recall names each class with its average precision; a model without data reports that.
func TestPrecisionRecall(t *testing.T) {
	fig := prl.LDA().Fit(prl.Iris()).PrecisionRecall()
	if err := fig.Err(); err != nil {
		t.Fatal(err)
	}
	if err := prl.LDA().PrecisionRecall().Err(); err == nil || !strings.Contains(err.Error(), "append .Fit(set)") {
		t.Error(err)
	}
}
