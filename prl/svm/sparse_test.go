package svm

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/sparse"
)

// thin has n rows of which a tenth of the numbers are not zero, and classes on the sides of a plane with noise.
func thin(seed uint64, n, d, classes int) (*mat.Dense, []int) {
	r := random(seed)
	X, y, w := mat.NewDense(n, d, nil), make([]int, n), make([]float64, d)
	for j := range w {
		w[j] = r.NormFloat64()
	}
	for i := range n {
		f := 0.5 * r.NormFloat64()
		for j := range d {
			if r.IntN(10) == 0 {
				v := r.NormFloat64()
				X.Set(i, j, v)
				f += v * w[j]
			}
		}
		if y[i] = i % classes; f > 0 {
			y[i] = (y[i] + 1) % classes
		}
	}
	return X, y
}

// Rows without their zeros have the machine of the dense rows: every sum is rounded in another order, and nothing else differs.
func TestLinearOfSparseRows(t *testing.T) {
	for _, classes := range []int{2, 3} {
		X, y := thin(30, 300, 40, classes)
		for _, o := range []LinearOptions{
			{Tol: 1e-9}, {Slack: QuadraticSlack, Tol: 1e-9}, {NoBias: true, C: 0.3, Tol: 1e-9, ClassWeights: []float64{2, 1, 1}[:classes]},
		} {
			dense, err := FitLinear(t.Context(), X, y, o)
			if err != nil {
				t.Fatal(err)
			}
			m, err := FitLinear(t.Context(), sparse.Of(X), y, o)
			if err != nil {
				t.Fatal(err)
			}
			for c, w := range m.Weights() {
				for j, v := range w {
					near(t, "w", v, dense.W[c][j], 1e-8) // both stop within 1e-9 of the optimum
				}
				a, b := m.Certificates()[c], dense.Certificates()[c]
				near(t, "primal", a.Primal, b.Primal, a.Gap+b.Gap+1e-12*b.Primal) // each is above the optimum by its gap at most
				near(t, "dual", a.Dual, b.Dual, 1e-12*b.Primal)
				near(t, "gap", a.Gap, 0, 1e-6)
			}
			// The same model says the same of both forms.
			F, err := m.Decision(X)
			if err != nil {
				t.Fatal(err)
			}
			G, err := m.Decision(sparse.Of(X))
			if err != nil || !mat.EqualApprox(F, G, 1e-12) {
				t.Error("decisions differ", err)
			}
		}
	}
}

// A row of zeros is half a margin error whatever w is; without a bias nothing can help it, and the fit ends all the same.
func TestLinearRowOfZeros(t *testing.T) {
	X := mat.NewDense(4, 2, []float64{1, 0, 0, 1, 0, 0, -1, -1})
	y := []int{1, 1, 1, 0}
	for _, x := range []mat.Matrix{X, sparse.Of(X)} {
		m, err := FitLinear(t.Context(), x, y, LinearOptions{NoBias: true, Tol: 1e-10})
		if err != nil {
			t.Fatal(err)
		}
		c := m.Certificates()[0]
		near(t, "gap", c.Gap, 0, 1e-9)
		if c.Bounded < 1 {
			t.Error(c)
		}
		none, err := FitLinear(t.Context(), mat.NewDense(2, 1, nil), []int{0, 1}, LinearOptions{NoBias: true, C: 3})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "primal", none.Certificates()[0].Primal, 6, 0)
		near(t, "gap", none.Certificates()[0].Gap, 0, 0)
	}
}

func TestSparseRowsRefused(t *testing.T) {
	X, y := thin(31, 20, 5, 2)
	X.Set(3, 2, math.NaN())
	var argument *fault.ArgumentError
	if _, err := FitLinear(t.Context(), sparse.Of(X), y, LinearOptions{}); !errors.As(err, &argument) ||
		!strings.Contains(err.Error(), "X[3, 2]") {
		t.Error(err)
	}
	X.Set(3, 2, 1e200)
	if _, err := FitLinear(t.Context(), sparse.Of(X), y, LinearOptions{}); !errors.As(err, &argument) ||
		!strings.Contains(err.Error(), "row 3 of X") {
		t.Error(err)
	}
	X.Set(3, 2, 1)
	if _, err := FitLinear(t.Context(), sparse.Of(X), y[1:], LinearOptions{}); !errors.As(err, &argument) {
		t.Error(err)
	}
	m, err := FitLinear(t.Context(), sparse.Of(X), y, LinearOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wide, _ := thin(31, 20, 6, 2)
	if _, err := m.Predict(sparse.Of(wide)); !errors.As(err, &argument) {
		t.Error(err)
	}
}

// The program liblinear-train, where it is installed, finds the same weights: -s 3 minimises 1/2 |w|^2 + b^2/2 + C sum xi, and -s 1
// the same with xi^2, which is quadratic slack of twice the price.
func TestSparseAgainstLIBLINEAR(t *testing.T) {
	program, err := exec.LookPath("liblinear-train")
	if err != nil {
		t.Skip("liblinear-train is not installed")
	}
	X, y := thin(32, 400, 60, 2)
	y[0] = 1 // the program's first label becomes its +1
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	file, err := os.Create(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := datasets.New("thin", X, y).WriteLIBSVM(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	for solver, o := range map[string]LinearOptions{
		"3": {C: 0.7, Tol: 1e-9}, "1": {C: 1.4, Slack: QuadraticSlack, Tol: 1e-9},
	} {
		output := filepath.Join(folder, "model"+solver)
		if text, err := exec.Command(program, "-q", "-s", solver, "-c", "0.7", "-B", "1", "-e", "1e-8", data,
			output).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		text, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		_, numbers, found := strings.Cut(string(text), "\nw\n")
		fields := strings.Fields(numbers)
		if !found || len(fields) != 61 {
			t.Fatalf("%d weights", len(fields))
		}
		m, err := FitLinear(t.Context(), sparse.Of(X), y, o)
		if err != nil {
			t.Fatal(err)
		}
		// Half the squared distance of its weights from the best ones is at most what its objective is above the dual, as the objective is
		// strongly convex; and no objective is below the dual.
		theirs, far, power := 0.0, 0.0, 1.0
		if o.Slack == QuadraticSlack {
			power = 2
		}
		w := make([]float64, 61)
		for j, own := range append(m.Weights()[0], m.Bias()[0]) {
			if w[j], err = strconv.ParseFloat(fields[j], 64); err != nil {
				t.Fatal(err)
			}
			theirs += w[j] * w[j] / 2
			far += (w[j] - own) * (w[j] - own)
		}
		for i, class := range y {
			f := w[60]
			for j, v := range X.RawRowView(i) {
				f += v * w[j]
			}
			theirs += 0.7 * math.Pow(max(0, 1-float64(2*class-1)*f), power)
		}
		c := m.Certificates()[0]
		t.Logf("-s %s: objective %.9g, %v, weights %.1e apart", solver, theirs, c, math.Sqrt(far))
		if theirs < c.Dual-1e-9 || theirs > c.Primal*(1+1e-4) || far > 2*(theirs-c.Dual)+1e-9 {
			t.Errorf("-s %s: objective %.9g, %v, weights %.1e apart", solver, theirs, c, math.Sqrt(far))
		}
	}
}

// Codes of words are columns that depend on each other, on which coordinate descent creeps; the steps along the free rows do not.
func TestLinearOfDependentColumns(t *testing.T) {
	r := random(33)
	X, y := mat.NewDense(800, 60, nil), make([]int, 800)
	w := make([]float64, 60)
	for j := range w {
		w[j] = r.NormFloat64()
	}
	for i := range y {
		f := r.NormFloat64()
		for j := range 10 {
			k := 6*j + r.IntN(6)
			X.Set(i, k, 1)
			f += w[k]
		}
		if f > 0 {
			y[i] = 1
		}
	}
	for _, x := range []mat.Matrix{X, sparse.Of(X)} {
		m, err := FitLinear(t.Context(), x, y, LinearOptions{C: 10, Tol: 1e-6, MaxSweeps: 15_000})
		if err != nil {
			t.Fatal(err)
		}
		c := m.Certificates()[0]
		t.Log(c)
		near(t, "gap", c.Gap, 0, 1e-4*c.Primal)
	}
}
