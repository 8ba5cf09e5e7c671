package svm

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
)

// The machines of a model of three classes are those of fits to two of them, with all that a Machine tells, before and after storage.
func TestPairsAreMachinesOfTwoClasses(t *testing.T) {
	const n = 60
	X, y := cloud(random(60), n, 2, 1)
	weights := make([]float64, n)
	for i := range y {
		y[i] = i % 3
		weights[i] = float64(i % 5) // every fifth row is absent
	}
	factors := []float64{1, 2, 0.5}
	for _, slack := range []Slack{LinearSlack, QuadraticSlack} {
		set := func(o *Options) {
			o.Kernel, o.Slack, o.C, o.Weights, o.ClassWeights = kernel.RBF{Gamma: 0.7}, slack, 2, weights, factors
		}
		m := fit(t, X, y, set)
		data, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var back Model
		if err := back.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		pairs := m.Pairs()
		if !reflect.DeepEqual(pairs, back.Pairs()) {
			t.Errorf("%v: storage changed the machines", slack)
		}
		if len(pairs) != 3 {
			t.Fatalf("%d machines", len(pairs))
		}
		for _, got := range pairs {
			var rows, signs []int
			var w []float64
			for i, c := range y {
				if c == got.Negative || c == got.Positive {
					rows, w = append(rows, i), append(w, weights[i])
					sign := 0
					if c == got.Positive {
						sign = 1
					}
					signs = append(signs, sign)
				}
			}
			some := mat.NewDense(len(rows), 2, nil)
			for k, r := range rows {
				some.SetRow(k, X.RawRowView(r))
			}
			alone := fit(t, some, signs, func(o *Options) {
				set(o)
				o.Weights, o.ClassWeights = w, []float64{factors[got.Negative], factors[got.Positive]}
			})
			want := alone.Pairs()[0]
			if len(want.Margins) != len(want.Rows) || got.Margins != nil {
				t.Errorf("%v: %d margins of %d rows for two classes, %d for three", slack, len(want.Margins), len(want.Rows), len(got.Margins))
			}
			for k := range want.Rows {
				want.Rows[k] = rows[want.Rows[k]]
			}
			want.Negative, want.Positive, want.Margins = got.Negative, got.Positive, nil
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v: classes %d and %d among three: %+v\nalone: %+v", slack, got.Negative, got.Positive, got, want)
			}
			for k := range got.Rows {
				if got.Alpha[k] > got.Upper[k] || (got.Role(k) == Idle) != (got.Alpha[k] == 0) || weights[got.Rows[k]] == 0 {
					t.Errorf("%v: row %d has alpha %g, at most %g, role %v", slack, got.Rows[k], got.Alpha[k], got.Upper[k], got.Role(k))
				}
			}
		}
	}
}
