package cell_test

import (
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cell"
)

func TestMatrixTable(t *testing.T) {
	at := func(i, j int) float64 { return float64(10*i + j) }
	text := cell.MatrixTable(2, 3, at, []string{"a", "b"}, []string{"x", "y", "z"}).String()
	for _, want := range []string{"a", "b", "x", "z", "12"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	if err := cell.MatrixTable(2, 3, at, []string{"a"}, nil).Err(); err == nil ||
		!strings.Contains(err.Error(), "1 names, but the matrix has 2 rows") {
		t.Error(err)
	}
}
