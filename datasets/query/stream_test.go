package query_test

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/datasets/query"
)

func init() {
	answers["flowers"] = answer{[]string{"id", "width", "large", "kind"}, [][]driver.Value{
		{int64(1), 2.5, true, "rose"},
		{int64(2), int64(3), false, []byte("iris")},
		{int64(3), 1.5, true, "iris"},
		{int64(4), 4.0, true, "rose"},
		{int64(5), 0.5, false, "aster"},
	}, nil}
	answers["gap"] = answer{[]string{"width", "kind"}, [][]driver.Value{{1.0, "rose"}, {nil, "iris"}}, nil}
	answers["half"] = answer{[]string{"width", "kind"}, [][]driver.Value{{1.0, "rose"}, {2.0, "iris"}}, errors.New("the line is dead")}
}

func TestStream(t *testing.T) {
	db, err := sql.Open("fake", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	kinds := []string{"aster", "iris", "rose"}
	for _, c := range []query.Columns{{Label: "kind", Skip: []string{"id"}}, {Label: "kind", Skip: []string{"id"}, Classes: kinds}} {
		rows, err := query.Stream(t.Context(), db, c, "flowers")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(rows.ClassNames, kinds) || !slices.Equal(rows.FeatureNames, []string{"width", "large"}) {
			t.Errorf("%q, %q", rows.ClassNames, rows.FeatureNames)
		}
		var x []float64
		var y []int
		var first datasets.Position
		for b, err := range rows.Batches(t.Context(), 2) {
			if err != nil {
				t.Fatal(err)
			}
			x, y = append(x, mat.DenseCopyOf(b.X).RawMatrix().Data...), append(y, b.Y...)
			if first.Rows == 0 {
				first = b.Next
			}
		}
		if !slices.Equal(x, []float64{2.5, 1, 3, 0, 1.5, 1, 4, 1, 0.5, 0}) || !slices.Equal(y, []int{2, 1, 1, 2, 0}) {
			t.Errorf("%v %v", x, y)
		}
		y = nil
		for b, err := range rows.From(first).Batches(t.Context(), 2) {
			if err != nil {
				t.Fatal(err)
			}
			y = append(y, b.Y...)
		}
		if !slices.Equal(y, []int{1, 2, 0}) {
			t.Errorf("from row %d: %v", first.Rows, y)
		}
	}
	rows, err := query.Stream(t.Context(), db, query.Columns{Target: "width", Skip: []string{"kind"}}, "flowers")
	if err != nil {
		t.Fatal(err)
	}
	for b, err := range rows.Batches(t.Context(), 9) {
		if err != nil || !slices.Equal(b.Target, []float64{2.5, 3, 1.5, 4, 0.5}) || b.Y != nil {
			t.Errorf("%v %v", b, err)
		}
	}
	for _, c := range []struct {
		columns     query.Columns
		query, want string
	}{
		{query.Columns{Label: "kind"}, "nowhere", "no such table"},
		{query.Columns{Label: "sort"}, "flowers", `no column "sort"`},
		{query.Columns{Label: "kind", Target: "width"}, "flowers", "both"},
		{query.Columns{}, "flowers", `"rose" is not a number`},
		{query.Columns{Label: "kind", Classes: kinds[:2]}, "flowers", `"rose" is none of the 2`},
		{query.Columns{Label: "kind"}, "gap", "NULL"},
		{query.Columns{Label: "kind"}, "half", "the line is dead"},
		{query.Columns{}, "none", "no rows"},
	} {
		rows, err := query.Stream(t.Context(), db, c.columns, c.query)
		if err == nil {
			for _, err = range rows.Batches(t.Context(), 2) {
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.query, err, c.want)
		}
	}
}
