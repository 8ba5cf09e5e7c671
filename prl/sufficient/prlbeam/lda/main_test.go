package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
)

func TestMain(m *testing.M) { ptest.Main(m) }

// The program, run by prism on seven files, finds the model that FitLDA finds on all rows.
func TestProgram(t *testing.T) {
	folder, wine := t.TempDir(), datasets.Wine()
	for part := range 7 {
		b := bytes.NewBufferString("a header\n")
		for i := part; i < wine.N(); i += 7 {
			for _, v := range wine.X.RawRowView(i) {
				fmt.Fprintf(b, "%v,", v)
			}
			fmt.Fprintln(b, wine.ClassNames[wine.Y[i]])
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("rows-%d.csv", part)), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	output := filepath.Join(folder, "lda.prl")
	p, s := beam.NewPipelineWithRoot()
	pipeline(s, filepath.Join(folder, "rows-*.csv"), output, "a header", wine.ClassNames)
	ptest.RunAndValidate(t, p)
	data, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	var have bayes.Classifier
	if err := have.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	want, err := bayes.FitLDA(context.Background(), wine.X, wine.Y, bayes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(have.ClassNames, wine.ClassNames) {
		t.Errorf("the classes are %q", have.ClassNames)
	}
	S, W := have.Pooled(), want.Pooled()
	for i := range wine.D() {
		for j := range wine.D() {
			if off := math.Abs(S.At(i, j)-W.At(i, j)) / math.Sqrt(W.At(i, i)*W.At(j, j)); off > 1e-12 {
				t.Errorf("covariance %d, %d: off by %g", i, j, off)
			}
		}
	}
	a, err := have.Proba(wine.X)
	if err != nil {
		t.Fatal(err)
	}
	b, err := want.Proba(wine.X)
	if err != nil || !mat.EqualApprox(a, b, 1e-9) {
		t.Errorf("the posteriors differ: %v", err)
	}
}
