package datasets_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
)

// text opens a file of bytes.
func text(data string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil }
}

// together reads all batches into a set, and where each ended.
func together(t *testing.T, r *datasets.Rows, size int) (s datasets.Set, ends []datasets.Position) {
	t.Helper()
	var values []float64
	for b, err := range r.Batches(t.Context(), size) {
		if err != nil {
			t.Fatal(err)
		}
		rows, d := b.X.Dims()
		if rows > size {
			t.Fatalf("a batch of %d rows, want %d at most", rows, size)
		}
		values = append(values, mat.DenseCopyOf(b.X).RawMatrix().Data[:rows*d]...)
		s.Y, s.Target = append(s.Y, b.Y...), append(s.Target, b.Target...)
		ends = append(ends, b.Next)
	}
	if d := len(r.FeatureNames); len(values) > 0 {
		s.X = mat.NewDense(len(values)/d, d, values)
	}
	return s, ends
}

func same(t *testing.T, what string, have, want datasets.Set) {
	t.Helper()
	if have.X == nil || !mat.Equal(have.X, want.X) || !slices.Equal(have.Y, want.Y) || !slices.Equal(have.Target, want.Target) {
		t.Errorf("%s: the rows differ", what)
	}
}

// Rows in batches are the rows of the file read whole, with the same names and numbers of classes; and reading goes on from the end of any
// batch.
func TestRowsAreTheSet(t *testing.T) {
	var iris, thin bytes.Buffer
	if err := datasets.Iris().WriteCSV(&iris); err != nil {
		t.Fatal(err)
	}
	if err := datasets.Iris().WriteLIBSVM(&thin); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(iris.Bytes())
	z.Close()
	numbers := "1;2,5;10\n3;4;9\n5;6;10\n7;8,25;9\n"
	read := map[string]struct {
		csv     bool
		data    string
		options []datasets.Option
	}{
		"words":             {true, iris.String(), nil},
		"stated classes":    {true, iris.String(), []datasets.Option{datasets.Classes("setosa", "versicolor", "virginica")}},
		"a byte order mark": {true, "\ufeff" + iris.String(), nil},
		"carriage returns":  {true, strings.ReplaceAll(iris.String(), "\n", "\r\n"), nil},
		"gzip":              {true, packed.String(), nil},
		"a target":          {true, iris.String(), []datasets.Option{datasets.Target("petal width"), datasets.Skip("class")}},
		"no header":         {true, numbers, nil},
		"unlabelled":        {true, numbers, []datasets.Option{datasets.Unlabelled()}},
		"gaps":              {true, "a,b,c\n1,2,x\n3,,y\n4,5,y\n,,\n6,7,x\n8,9,\n10,11,y\n", []datasets.Option{datasets.DropMissing()}},
		"row names":         {true, "name,a,c\n\"two\nlines\",1,x\nu,2,y\nv,3,x\n", []datasets.Option{datasets.RowNames("name")}},
		"the first rows":    {true, numbers, []datasets.Option{datasets.FirstRows(3)}},
		"LIBSVM":            {false, thin.String(), nil},
		"LIBSVM, stated": {
			false, "# a comment\n+1 1:2\n\n-1 2:3 3:0\n-1\n+1 1:1 3:2\n",
			[]datasets.Option{datasets.Classes("-1", "+1"), datasets.Width(3)},
		},
		"LIBSVM, targets": {false, "0.5 1:2\n\n-1.25 2:3 3:1\n7", []datasets.Option{datasets.Target("")}},
	}
	for name, c := range read {
		whole := slices.DeleteFunc(slices.Clone(c.options), func(datasets.Option) bool { return strings.Contains(name, "stated") })
		var want datasets.Set
		var err error
		var rows *datasets.Rows
		if c.csv {
			want, err = datasets.ReadCSV(strings.NewReader(c.data), "x", whole...)
		} else {
			want, err = datasets.ReadLIBSVM(strings.NewReader(c.data), "x", whole...)
		}
		if err != nil {
			t.Fatal(name, err)
		}
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, file := range []bool{true, false} {
			switch {
			case c.csv && file:
				rows, err = datasets.CSVRows(path, c.options...)
			case c.csv:
				rows, err = datasets.ReadCSVRows(text(c.data), "x", c.options...)
			case file:
				rows, err = datasets.LIBSVMRows(path, c.options...)
			default:
				rows, err = datasets.ReadLIBSVMRows(text(c.data), "x", c.options...)
			}
			if err != nil {
				t.Fatal(name, err)
			}
			if classes := want.ClassNames; !slices.Equal(rows.ClassNames, classes) && !strings.Contains(name, "LIBSVM, stated") ||
				!slices.Equal(rows.FeatureNames, want.FeatureNames) || rows.TargetName != want.TargetName {
				t.Errorf("%s: %q, %q, %q", name, rows.ClassNames, rows.FeatureNames, rows.TargetName)
			}
			for _, size := range []int{2, 7, 1000} {
				got, ends := together(t, rows, size)
				same(t, fmt.Sprintf("%s in batches of %d", name, size), got, want)
				for _, at := range ends[:len(ends)-1] {
					rest, _ := together(t, rows.From(at), size)
					same(t, fmt.Sprintf("%s from %+v", name, at), rest, want.Rows(from(at.Rows, want.N())...))
				}
				if rest, _ := together(t, rows.From(ends[len(ends)-1]), size); rest.X != nil {
					t.Errorf("%s: rows behind the last", name)
				}
			}
		}
	}
}

func from(a, b int) (rows []int) {
	for i := a; i < b; i++ {
		rows = append(rows, i)
	}
	return rows
}

func TestRowsMistakes(t *testing.T) {
	const file = "a,b,c\n1,2,x\n3,4,y\n5,6,x\n7,8,z\n9,q,x\n"
	last := func(r *datasets.Rows, err error) error {
		if err != nil {
			return err
		}
		for _, err := range r.Batches(t.Context(), 2) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	known := datasets.Classes("x", "y", "z")
	part, err := datasets.ReadCSVRows(text(file), "f", known)
	if err != nil {
		t.Fatal(err)
	}
	var second datasets.Position
	for b, err := range part.Batches(t.Context(), 2) {
		if err != nil {
			t.Fatal(err)
		}
		second = b.Next
		break
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"a number":         {last(datasets.ReadCSVRows(text(file), "f", known)), `f:6:3 (column "b"): "q"`},
		"after going on":   {last(part.From(second), nil), `f:6:3 (column "b"): "q"`},
		"an unknown class": {last(datasets.ReadCSVRows(text(file), "f", datasets.Classes("x", "y"))), `f:5:5: the label "z"`},
		"fractions":        {last(datasets.ReadCSVRows(text("a,b\n1,2.5\n2,3.5\n"), "f")), "do not look like classes"},
		"a sample":         {last(datasets.ReadCSVRows(text(file), "f", datasets.SampleRows(2, 1))), "SampleRows"},
		"one class":        {last(datasets.ReadCSVRows(text(file), "f", datasets.Classes("x"))), "two or more"},
		"classes of a set": {second2(datasets.ReadCSV(strings.NewReader(file), "f", known)), "rows in batches"},
		"bytes":            {last(datasets.ReadCSVRows(text(file), "f", known, datasets.Within(datasets.Limits{Bytes: 10}))), "longer than"},
		"columns":          {last(datasets.ReadCSVRows(text(file), "f", known, datasets.Within(datasets.Limits{Columns: 2}))), "3 columns"},
		"empty":            {last(datasets.ReadCSVRows(text(""), "f")), "empty"},
		"no file":          {last(datasets.CSVRows(filepath.Join(t.TempDir(), "none"))), "no such file"},
		"LIBSVM, a label": {
			last(datasets.ReadLIBSVMRows(text("1 1:1\n3 1:2\n"), "f", datasets.Classes("1", "2"), datasets.Width(1))), `the label "3"`,
		},
		"LIBSVM, a fraction": {last(datasets.ReadLIBSVMRows(text("1.5 1:1\n"), "f")), "not a whole number"},
		"LIBSVM, wide":       {last(datasets.ReadLIBSVMRows(text("1 1:1\n2 9:2\n"), "f", datasets.Width(3))), "Width says 3"},
	} {
		var read *datasets.ReadError
		if !errors.As(c.err, &read) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if err := last(part.From(datasets.Position{Rows: 9, Offset: 1 << 40}), nil); err == nil {
		t.Error("a position beyond the file was reached")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	batches := 0
	for b, err := range part.Batches(ctx, 2) {
		if err != nil {
			if !errors.Is(err, context.Canceled) || b != nil {
				t.Errorf("cancelled: %v", err)
			}
			break
		}
		batches++
		cancel()
	}
	if batches != 1 {
		t.Errorf("%d batches after the end of the context", batches)
	}
}

func second2[T any](_ T, err error) error { return err }
