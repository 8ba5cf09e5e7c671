package assess_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/assess"
)

// values are figures of scikit-learn and SciPy; testdata/values.py makes them.
type values struct {
	AUC []struct {
		Truth                  []int
		A, B                   []float64
		AUC, SD, Difference, P float64
	}
	Loss []struct {
		Truth            []int
		Proba            [][]float64
		Weights          []float64
		Log, LogW, Brier float64
	}
	Calibration []struct {
		Truth               []int
		P                   []float64
		Bins                int
		Observed, Predicted []float64
	}
	Partition []struct {
		A, B              []int
		ARI, MI, NMI, AMI float64
	}
	Silhouette []struct {
		X      [][]float64
		Labels []int
		Want   []float64
	}
	Wilcoxon []struct {
		D []float64
		P float64
	}
	McNemar, Wilson [][]float64
	T               []struct {
		D               []float64
		Mean, Lo, Hi, P float64
	}
	F []struct {
		D [5][2]float64
		P float64
	}
	Confusion []struct {
		Y, P                  []int
		F1, Precision, Recall float64
	}
	Weighted []struct {
		Truth               []int
		P, W                []float64
		Bins                int
		Observed, Predicted []float64
	}
	Areas []struct {
		Truth       []int
		P           [][]float64
		W           []float64
		Want, WantW []float64
	}
	Fbeta []struct {
		Y, P      []int
		Two, Half []float64
	}
	Regression []struct {
		Y, P, W                 []float64
		MSE, MAE, R2, MSEW, R2W float64
	}
}

func rows(x [][]float64) *mat.Dense {
	m := mat.NewDense(len(x), len(x[0]), nil)
	for i, r := range x {
		m.SetRow(i, r)
	}
	return m
}

// TestAgainstScikitLearnAndSciPy holds the numbers to those of other programs within 1e-12, relative above 1.
func TestAgainstScikitLearnAndSciPy(t *testing.T) {
	text, err := os.ReadFile("testdata/values.json")
	if err != nil {
		t.Fatal(err)
	}
	var v values
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	compared := 0
	near := func(what string, i int, got, want float64) {
		t.Helper()
		compared++
		if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
			t.Errorf("%s %d: %v, want %v", what, i, got, want)
		}
	}
	no := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const z = 1.959963984540054
	for i, c := range v.AUC {
		a, err := assess.AUC(c.Truth, c.A, 0.95)
		no(err)
		near("AUC", i, a.Estimate, c.AUC)
		near("its lower end", i, a.Lo, max(0, c.AUC-z*c.SD))
		near("its upper end", i, a.Hi, min(1, c.AUC+z*c.SD))
		d, p, err := assess.CompareAUC(c.Truth, c.A, c.B, 0.95)
		no(err)
		near("difference", i, d.Estimate, c.Difference)
		near("its p", i, p, c.P)
	}
	for i, c := range v.Loss {
		loss, err := assess.LogLoss(c.Truth, rows(c.Proba), nil)
		no(err)
		near("log loss", i, loss, c.Log)
		loss, err = assess.LogLoss(c.Truth, rows(c.Proba), c.Weights)
		no(err)
		near("weighted log loss", i, loss, c.LogW)
		loss, err = assess.Brier(c.Truth, rows(c.Proba), nil)
		no(err)
		near("Brier", i, loss, c.Brier)
	}
	for i, c := range v.Calibration {
		curve, err := assess.NewCalibration(c.Truth, c.P, nil, c.Bins)
		no(err)
		if len(curve.Observed) != len(c.Observed) {
			t.Fatalf("calibration %d has %d bins, want %d", i, len(curve.Observed), len(c.Observed))
		}
		for b := range c.Observed {
			near("observed", i, curve.Observed[b], c.Observed[b])
			near("predicted", i, curve.Predicted[b], c.Predicted[b])
		}
	}
	for i, c := range v.Weighted {
		curve, err := assess.NewCalibration(c.Truth, c.P, c.W, c.Bins)
		no(err)
		if len(curve.Observed) != len(c.Observed) {
			t.Fatalf("weighted calibration %d has %d bins, want %d", i, len(curve.Observed), len(c.Observed))
		}
		for b := range c.Observed {
			near("weighted observed", i, curve.Observed[b], c.Observed[b])
			near("weighted predicted", i, curve.Predicted[b], c.Predicted[b])
		}
	}
	for i, c := range v.Areas {
		for by, want := range c.Want {
			a, err := assess.AreaOfClasses(c.Truth, rows(c.P), nil, assess.Averaging(by))
			no(err)
			near("area "+assess.Averaging(by).String(), i, a, want)
		}
		for by, want := range c.WantW {
			a, err := assess.AreaOfClasses(c.Truth, rows(c.P), c.W, assess.Averaging(by))
			no(err)
			near("weighted area "+assess.Averaging(by).String(), i, a, want)
		}
	}
	for i, c := range v.Fbeta {
		m, err := assess.NewConfusion(c.Y, c.P, nil, 0)
		no(err)
		for k := range c.Two {
			near("F2", i, m.F(k, 2), c.Two[k])
			near("F1/2", i, m.F(k, 0.5), c.Half[k])
			near("F1", i, m.F(k, 1), m.F1(k))
		}
	}
	for i, c := range v.Partition {
		p, err := assess.NewPartition(c.A, c.B)
		no(err)
		near("adjusted Rand", i, p.AdjustedRand(), c.ARI)
		near("mutual information", i, p.MutualInformation(), c.MI)
		near("normalised", i, p.NormalizedMutualInformation(), c.NMI)
		near("adjusted", i, p.AdjustedMutualInformation(), c.AMI)
	}
	for i, c := range v.Silhouette {
		s, err := assess.Silhouette(t.Context(), rows(c.X), c.Labels)
		no(err)
		for j := range s {
			near("silhouette", i, s[j], c.Want[j])
		}
	}
	for i, c := range v.Wilcoxon {
		p, err := assess.Wilcoxon(c.D)
		no(err)
		near("Wilcoxon", i, p, c.P)
	}
	for i, c := range v.McNemar {
		p, err := assess.McNemar(int(c[0]), int(c[1]))
		no(err)
		near("McNemar", i, p.Exact, c[2])
	}
	for i, c := range v.Wilson {
		w, err := assess.Wilson(int(c[0]), int(c[1]), 0.9)
		no(err)
		near("Wilson's lower end", i, w.Lo, c[2])
		near("Wilson's upper end", i, w.Hi, c[3])
	}
	for i, c := range v.T {
		d, p, err := assess.CorrectedT(c.D, 90, 10, 0.95)
		no(err)
		near("mean", i, d.Estimate, c.Mean)
		near("lower end", i, d.Lo, c.Lo)
		near("upper end", i, d.Hi, c.Hi)
		near("p", i, p, c.P)
	}
	for i, c := range v.F {
		near("5x2", i, assess.FiveByTwo(c.D), c.P)
	}
	for i, c := range v.Confusion {
		m, err := assess.NewConfusion(c.Y, c.P, nil, 0)
		no(err)
		near("macro F1", i, m.MacroF1(), c.F1)
		near("macro precision", i, m.MacroPrecision(), c.Precision)
		near("macro recall", i, m.MacroRecall(), c.Recall)
	}
	for i, c := range v.Regression {
		m, err := assess.NewRegression(c.Y, c.P, nil)
		no(err)
		near("MSE", i, m.MSE, c.MSE)
		near("MAE", i, m.MAE, c.MAE)
		near("R2", i, m.R2, c.R2)
		m, err = assess.NewRegression(c.Y, c.P, c.W)
		no(err)
		near("weighted MSE", i, m.MSE, c.MSEW)
		near("weighted R2", i, m.R2, c.R2W)
	}
	if compared < 150 {
		t.Errorf("only %d figures were compared", compared)
	}
}
