package plan

import (
	"slices"
	"testing"

	"github.com/prlab/prlab/prl/assess"
)

// Each row stands in the cell of its true and its predicted class, and one that was not judged in none.
func TestConfusionKnowsRows(t *testing.T) {
	counts, err := assess.NewConfusion([]int{0, 0, 1, 1}, []int{0, 1, 1, 0}, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	c := NewConfusion(counts, []string{"a", "b"}, "t", nil).Of([]int{0, 0, 1, 1, 1}, []int{0, 1, 1, -1, 0})
	for k, row := range [][][]int{{{0}, {1}}, {{4}, {2}}} {
		for p, want := range row {
			if got := c.rows[k][p]; !slices.Equal(got, want) || float64(len(got)) != c.Counts[k][p] {
				t.Errorf("rows of class %d called %d: %v, not %v", k, p, got, want)
			}
		}
	}
	if err := c.Heat().Link("rows").Err(); err != nil {
		t.Error(err)
	}
}
