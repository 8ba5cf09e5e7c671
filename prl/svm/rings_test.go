package svm_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/svm"
)

// A ring stands for the row of its support vector, so that pointing at it marks that row in linked figures.
func TestRingsHaveTheRowsOfTheSupportVectors(t *testing.T) {
	p := svm.PlanSVM().RBF(1).C(1).Fit(datasets.Iris().Classes("versicolor", "virginica").Features("petal length", "petal width"))
	m, err := p.Fitted()
	if err != nil {
		t.Fatal(err)
	}
	text, err := new(plotting.Stage).Spec(p.Regions(), false)
	if err != nil {
		t.Fatal(err)
	}
	var spec struct {
		Option struct {
			Series []struct {
				Mark struct {
					Key  string
					Rows []int `json:"rw"`
				} `json:"prl"`
			}
		}
	}
	if err := json.Unmarshal(text, &spec); err != nil {
		t.Fatal(err)
	}
	for _, s := range spec.Option.Series {
		if s.Mark.Key == "support vectors" {
			if !slices.Equal(s.Mark.Rows, m.Rows) {
				t.Errorf("the rings stand for the rows %v, the support vectors are %v", s.Mark.Rows, m.Rows)
			}
			return
		}
	}
	t.Error("no rings")
}
