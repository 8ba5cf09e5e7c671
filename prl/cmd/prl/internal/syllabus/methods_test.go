package syllabus_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/cmd/prl/internal/syllabus"
)

var update = flag.Bool("update", false, "write how each method does on the digits into notebooks/methods.json")

// onDigits lets the classifiers of the chapters learn one half of the digits and answer the other.
func onDigits() syllabus.Methods {
	train, test := prl.Digits().Split(0.5, 1)
	all := syllabus.Methods{Set: "digits", Train: train.N(), Test: test.N()}
	for _, m := range []struct {
		chapter string
		fitted  prl.Classifier
	}{
		{"04", prl.NearestMean().Fit(train)},
		{"04", prl.LDA().Shrinkage(0.1).Fit(train)},
		{"04", prl.QDA().Shrinkage(0.1).Fit(train)},
		{"05", prl.MultinomialNB().Fit(train)},
		{"08", prl.KNN(1).Fit(train)},
		{"08", prl.KNN(5).Fit(train)},
		{"08", prl.PNN(8).Fit(train)},
		{"11", prl.Pipeline(prl.PCA(10)).Then(prl.KNN(1)).Fit(train)},
		{"12", prl.Pipeline(prl.PCA(40), prl.MDA(9)).Then(prl.NearestMean()).Fit(train)},
		{"18", prl.Logistic().L2(1).Fit(train)},
		{"19", prl.Perceptron().Fit(train)},
		{"20", prl.MLP(32).Fit(train)},
		{"22", prl.SVM().Fit(train)},
		{"14", prl.SVM().RBF(0.001).Fit(train)},
		{"24", prl.Tree().Fit(train)},
		{"25", prl.Forest().Fit(train)},
		{"26", prl.AdaBoost().Fit(train)},
		{"28", prl.GradientBoosting().Fit(train)},
	} {
		name, _, _ := strings.Cut(fmt.Sprint(m.fitted), ".Fit(")
		right := 0
		for i, class := range m.fitted.Predict(test) {
			if class == test.Y[i] {
				right++
			}
		}
		all.Results = append(all.Results, syllabus.Result{Chapter: m.chapter, Method: name, Right: right})
	}
	return all
}

// TestMethods computes again what notebooks/methods.json says; go test -update writes it. Exponentials of other processors may differ in
// their last bit, which moves an answer now and then.
func TestMethods(t *testing.T) {
	got := onDigits()
	folder := filepath.Join("..", "..", "..", "..", "..", "notebooks")
	if *update {
		data, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "methods.json"), append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := syllabus.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	want, most := b.Methods, 0
	if runtime.GOARCH != "amd64" {
		most = 5
	}
	if want.Set != got.Set || want.Train != got.Train || want.Test != got.Test || len(want.Results) != len(got.Results) {
		t.Fatalf("the file says %+v, computed is %+v", want, got)
	}
	for i, r := range got.Results {
		w := want.Results[i]
		if r.Chapter != w.Chapter || r.Method != w.Method || max(r.Right-w.Right, w.Right-r.Right) > most {
			t.Errorf("the file says %+v, computed is %+v", w, r)
		}
	}
}
