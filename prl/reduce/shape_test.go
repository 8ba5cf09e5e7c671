package reduce_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/reduce"
)

// synthesise returns one row.
func synthesise(p *reduce.PCA, b ...float64) ([]float64, error) {
	rows, err := p.Synthesise(mat.NewDense(1, len(b), b))
	if err != nil {
		return nil, err
	}
	return rows.RawRowView(0), nil
}

// What is synthesised has the scores that were asked for, and nothing else; a score of zero gives the mean.
func TestSynthesise(t *testing.T) {
	for _, scale := range []bool{false, true} {
		p, err := reduce.FitPCA(context.Background(), datasets.Wine().X, reduce.PCAOptions{Components: 4, Scale: scale})
		if err != nil {
			t.Fatal(err)
		}
		want := []float64{1.5, -2, 0.25}
		row, err := synthesise(p, want...)
		if err != nil {
			t.Fatal(err)
		}
		z, err := p.Transform(mat.NewDense(1, len(row), row))
		if err != nil {
			t.Fatal(err)
		}
		for j, b := range append(want, 0) {
			if got := z.At(0, j) / math.Sqrt(p.Variances()[j]); math.Abs(got-b) > 1e-9 {
				t.Errorf("scale %v: score %d is %v standard deviations, want %v", scale, j, got, b)
			}
		}
		mean, err := synthesise(p, 0)
		if err != nil || !mat.EqualApprox(mat.NewVecDense(13, mean), mat.NewVecDense(13, p.Mean()), 1e-12) {
			t.Errorf("of a score of zero: %v, %v", mean, err)
		}
		if _, err := synthesise(p, 0, 0, 0, 0, 0); err == nil {
			t.Error("five scores for four axes were no error")
		}
		if _, err := p.Synthesise(nil); err == nil {
			t.Error("no score was no error")
		}
		if _, err := synthesise(p, math.NaN()); err == nil {
			t.Error("NaN was no error")
		}
	}
	if _, err := synthesise(new(reduce.PCA), 1); err == nil {
		t.Error("a model without a fit was no error")
	}
}

// The plausible row is in the box, and no other row of the box is nearer; a row of the box is its own plausible row.
func TestPlausible(t *testing.T) {
	p, err := reduce.FitPCA(context.Background(), datasets.FishOutlines(40, 1).X, reduce.PCAOptions{Components: 5})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	distance := func(a, b []float64) float64 {
		s := 0.0
		for j := range a {
			s += (a[j] - b[j]) * (a[j] - b[j])
		}
		return s
	}
	box := func(scale float64) []float64 {
		b := make([]float64, 5)
		for j := range b {
			b[j] = scale * (2*r.Float64() - 1)
		}
		row, err := synthesise(p, b...)
		if err != nil {
			t.Fatal(err)
		}
		return row
	}
	cut := 0
	for range 200 {
		x := box(4)
		for j := range x {
			x[j] += 0.05 * r.NormFloat64()
		}
		best, err := p.Plausible(x, 2)
		if err != nil {
			t.Fatal(err)
		}
		z, _ := p.Transform(mat.NewDense(1, len(best), best))
		for j := range 5 {
			b := math.Abs(z.At(0, j)) / math.Sqrt(p.Variances()[j])
			if b > 2+1e-9 {
				t.Fatalf("score %d is %v standard deviations", j, b)
			}
			if b > 2-1e-9 {
				cut++
			}
		}
		for range 20 {
			if other := box(2); distance(x, other) < distance(x, best) {
				t.Fatal("another row of the box is nearer")
			}
		}
		inside := box(2)
		if again, _ := p.Plausible(inside, 2); distance(inside, again) > 1e-20 {
			t.Fatal("a plausible row has moved")
		}
	}
	if cut < 100 {
		t.Errorf("the limit was met %d times only", cut)
	}
	for _, limit := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := p.Plausible(box(1), limit); err == nil {
			t.Errorf("a limit of %v was no error", limit)
		}
	}
	for _, x := range [][]float64{nil, {1, 2}} {
		if _, err := p.Plausible(x, 3); err == nil {
			t.Errorf("%d numbers were no error", len(x))
		}
	}
	if _, err := new(reduce.PCA).Plausible([]float64{1}, 3); err == nil {
		t.Error("a model without a fit was no error")
	}
}

// The words of the plan do what the model does.
func TestPlanRebuilds(t *testing.T) {
	set := datasets.Digits().Rows(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	p := reduce.PlanPCA().Population().Fit(set)
	back, err := p.Model().Reconstruct(set.X, 3)
	if err != nil {
		t.Fatal(err)
	}
	var d mat.Dense
	d.Sub(set.X, back)
	if lost := mat.Norm(&d, 2) * mat.Norm(&d, 2) / 12; math.Abs(lost-p.Lost(3)) > 1e-9 {
		t.Errorf("lost %v, want %v", p.Lost(3), lost)
	}
	row := set.X.RawRowView(5)
	far, err := synthesise(p.Model(), 1, 2)
	near, err2 := p.Model().Plausible(row, 1)
	if err != nil || err2 != nil || !slices.Equal(p.Synthesise(1, 2), far) || !slices.Equal(p.Plausible(row, 1), near) {
		t.Errorf("the plan says otherwise than its model; %v, %v", err, err2)
	}
}

// Pearson's points; numpy.linalg.eigh of numpy.cov(x, y, bias=True) gives 0.06185728 and 7.29974272, and the axis the slope -0.5455611975.
func TestPearson(t *testing.T) {
	p := reduce.PlanPCA().Population().Fit(datasets.Pearson())
	v, u := p.Variances(), p.Axis(0)
	if math.Abs(v[0]-7.29974272) > 5e-9 || math.Abs(v[1]-0.06185728) > 5e-9 || math.Abs(u[1]/u[0]+0.5455611975) > 5e-11 {
		t.Errorf("variances %v, slope %v", v, u[1]/u[0])
	}
}

// A share keeps the least number of components that have it, with the axes that the same number would give, on every path and in a
// pipeline.
func TestShareOfVariance(t *testing.T) {
	wine := datasets.Wine()
	for _, path := range []reduce.Path{reduce.Auto, reduce.Covariance, reduce.SVD} {
		for _, scale := range []bool{false, true} {
			all, err := reduce.FitPCA(t.Context(), wine.X, reduce.PCAOptions{Path: path, Scale: scale})
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for k, ratio := range all.Ratios() {
				share := sum + ratio/2 // more than k components keep, less than k+1
				sum += ratio
				got, err := reduce.FitPCA(t.Context(), wine.X, reduce.PCAOptions{Path: path, Scale: scale, Share: share})
				if err != nil {
					t.Fatal(err)
				}
				want, err := reduce.FitPCA(t.Context(), wine.X, reduce.PCAOptions{Path: path, Scale: scale, Components: k + 1})
				if err != nil {
					t.Fatal(err)
				}
				if got.Components() != k+1 || !mat.EqualApprox(got.Axes(), want.Axes(), 1e-12) {
					t.Errorf("path %v, scaled %v: a share of %v keeps %d components, want %d", path, scale, share, got.Components(), k+1)
				}
				back := new(reduce.PCA)
				if data, err := got.MarshalBinary(); err != nil || back.UnmarshalBinary(data) != nil || back.Components() != k+1 {
					t.Errorf("stored and read: %v, %d components", err, back.Components())
				}
			}
		}
	}
	var cov mat.SymDense
	stat.CovarianceMatrix(&cov, wine.X, nil)
	known, err := reduce.PCAOf(make([]float64, 13), &cov, 178, reduce.PCAOptions{Scale: true, Share: 0.8})
	if err != nil || known.Components() != 5 {
		t.Errorf("of a covariance that is known: %v, %v", known, err)
	}
	p := reduce.PlanPCA().Scale().Share(0.8).Fit(wine)
	if k := p.Transform().D(); k != 5 || p.String() != "PCA().Scale().Share(0.8).Fit(wine)" {
		t.Errorf("%v keeps %d components, want 5", p, k)
	}
	for _, c := range []struct {
		plan reduce.PCAPlan
		want string
	}{
		{reduce.PlanPCA().Share(0), "Share: Share is 0, but needs to be a share of the variance above 0 and at most 1"},
		{reduce.PlanPCA().Share(1.5), "Share: Share is 1.5, but needs to be a share of the variance above 0 and at most 1"},
		{reduce.PlanPCA(2).Share(0.9), "Share: Share is 0.9, but needs to be left out beside a number of components; drop one of the two"},
		{reduce.PlanPCA().Share(0.9).Krylov(1e-6), "Krylov: Share is 0.9, but needs to be left out of Krylov"},
	} {
		if err := c.plan.Fit(wine).Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.plan, err, c.want)
		}
	}
}
