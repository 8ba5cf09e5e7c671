package svm_test

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/svm"
)

var (
	and     = mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	andTrue = []int{0, 0, 0, 1}
)

func ExampleFit() {
	o := svm.Options{}
	o.Slack = svm.HardMargin
	m, err := svm.Fit(context.Background(), and, andTrue, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, _ := m.Weights()
	fmt.Printf("w = %.4f, b = %.4f, alpha = %.4f\n", w[0], m.Bias(), m.Alpha())
	fmt.Printf("margin %.6f\n", m.Margin())
	// Output:
	// w = [2.0000 2.0000], b = -3.0000, alpha = [0.0000 2.0000 2.0000 4.0000]
	// margin 0.353553
}

// XOR with the kernel (1 + <a, b>)^2: all four multipliers are 1/8.
func ExampleFit_kernel() {
	o := svm.Options{}
	o.Slack, o.Kernel = svm.HardMargin, kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}
	X := mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})
	m, err := svm.Fit(context.Background(), X, []int{0, 1, 1, 0}, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("alpha = %.3f, |w|^2 = %.3f, f(1, -2) = %.3f\n", m.Alpha(), m.Norm2(), m.Value(1, -2))
	// Output:
	// alpha = [0.125 0.125 0.125 0.125], |w|^2 = 0.500, f(1, -2) = 2.000
}

func ExampleFit_notSeparable() {
	o := svm.Options{}
	o.Slack = svm.HardMargin
	_, err := svm.Fit(context.Background(), and, []int{0, 1, 1, 0}, o)
	fmt.Println(err)
	// Output:
	// svm.Fit: Slack is a hard margin, but needs to be soft, since with the linear kernel a hyperplane does not separate classes 0 and 1 by more than 1e-6 of the largest feature vector; allow slack (C = 1, say), or take a richer kernel
}

func ExampleFitLinear() {
	m, err := svm.FitLinear(context.Background(), and, andTrue, svm.LinearOptions{C: 10, Tol: 1e-9, MaxSweeps: 1000, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("w = %.3f, b = %.3f\n", m.W[0], m.B[0])
	// Output:
	// w = [2.000 2.000], b = -3.000
}

func ExamplePlanSVM() {
	set := datasets.New("AND", and, andTrue, "false", "true")
	plan := svm.PlanSVM().Linear().HardMargin().Fit(set)
	fmt.Println(plan)
	fmt.Printf("%.3f %.3f\n", plan.Weights(), plan.Bias())
	fmt.Println(svm.PlanSVM().RBF(-1).Fit(set).Err())
	// Output:
	// SVM().Linear().HardMargin().Fit(AND)
	// [2.000 2.000] -3.000
	// RBF: RBF gamma is -1, but needs to be a positive number; 1/d for standardised data with d columns is a fair start
}

func ExampleEnumerateDual() {
	K, _ := kernel.Gram(kernel.Linear{}, and)
	alpha, b, err := svm.EnumerateDual(K, []int{-1, -1, -1, 1}, nil, true)
	fmt.Printf("%.3f %.3f %v\n", alpha, b, err)
	// Output:
	// [0.000 2.000 2.000 4.000] -3.000 <nil>
}

func ExampleTwoPoints() {
	alpha, w, b := svm.TwoPoints([]float64{3, 1}, []float64{1, 1})
	fmt.Println(alpha, w, b)
	// Output:
	// 0.5 [1 0] -2
}

func ExampleCanonical() {
	w, b, err := svm.Canonical(and, andTrue, []float64{1, 1}, -1.5)
	fmt.Println(w, b, err)
	g, _ := svm.GeometricMargin(and, andTrue, w, b)
	fmt.Printf("%.6f\n", g)
	// Output:
	// [2 2] -3 <nil>
	// 0.353553
}

func ExampleFunctionalMargins() {
	m, _ := svm.FunctionalMargins(and, andTrue, []float64{2, 2}, -3)
	fmt.Println(m)
	// Output:
	// [3 1 1 1]
}

func ExampleSeparable() {
	h, err := svm.Separable(context.Background(), and, []int{0, 1, 1, 0}, kernel.Linear{}, false)
	fmt.Println(h.Separable, err)
	// Output:
	// false <nil>
}

func ExampleLeaveOneOutErrors() {
	o := svm.Options{}
	o.Slack = svm.HardMargin
	X := mat.NewDense(6, 2, []float64{2, 2, 4, 4, 4, 0, 0, 0, 2, 0, 0, 2})
	r, err := svm.LeaveOneOutErrors(context.Background(), X, []int{1, 1, 1, 0, 0, 0}, o, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Errors, "errors of", r.N)
	// Output:
	// 2 errors of 6
}

func ExampleSmallestBall() {
	K, _ := kernel.Gram(kernel.Linear{}, and)
	b, err := svm.SmallestBall(context.Background(), K, 1e-9)
	fmt.Printf("%.4f %v\n", b.R2, err)
	// Output:
	// 0.5000 <nil>
}

func ExamplePlatt() {
	A, B := svm.Platt([]float64{-2, -1, 1, 2}, []int{-1, -1, 1, 1})
	fmt.Printf("A = %.3f, |B| < 1e-9: %v\n", A, math.Abs(B) < 1e-9)
	// Output:
	// A = -0.674, |B| < 1e-9: true
}

func ExampleCouple() {
	p := svm.Couple([][]float64{{0, 0.6, 0.8}, {0.4, 0, 0.75}, {0.2, 0.25, 0}})
	fmt.Printf("%.3f\n", p)
	// Output:
	// [0.523 0.352 0.125]
}

func ExampleTrace() {
	var t svm.Trace
	o := svm.Options{}
	o.Slack, o.Trace = svm.HardMargin, t.Add
	if _, err := svm.Fit(context.Background(), mat.NewDense(2, 1, []float64{-1, 1}), []int{0, 1}, o); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Duals(), t.Primals())
	// Output:
	// [0.5] [0.5]
}

func ExampleFitPath() {
	iris := datasets.Iris().Classes("versicolor", "virginica").Features("sepal length", "sepal width")
	path, err := svm.FitPath(context.Background(), iris.X, iris.Y, []float64{0.1, 1, 10}, svm.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range path {
		machine := m.Pairs()[0]
		fmt.Printf("C = %g: %d support vectors, margin %.3f\n", m.C, machine.Certificate.Support, machine.Margin())
	}
	// Output:
	// C = 0.1: 82 support vectors, margin 0.900
	// C = 1: 69 support vectors, margin 0.559
	// C = 10: 67 support vectors, margin 0.559
}

func ExampleOptions_nu() {
	iris := datasets.Iris().Classes("versicolor", "virginica")
	m, err := svm.Fit(context.Background(), iris.X, iris.Y, svm.Options{Kernel: kernel.RBF{Gamma: 0.5}, Nu: 0.2})
	if err != nil {
		fmt.Println(err)
		return
	}
	below := 0
	for _, s := range m.Pairs()[0].Slacks() {
		if s > 1e-6 {
			below++
		}
	}
	fmt.Printf("%d margin errors <= 20 <= %d support vectors, C = %.3f\n", below, len(m.SupportRows()), m.Price())
	// Output: 17 margin errors <= 20 <= 26 support vectors, C = 1.760
}

func ExampleFitRegression() {
	X := mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})
	target := []float64{1, 3, 50, 7, 9} // the third one is wrong
	m, err := svm.FitRegression(context.Background(), X, target, svm.RegressionOptions{C: 10, Epsilon: 0.5, Tol: 1e-10})
	if err != nil {
		fmt.Println(err)
		return
	}
	w, _ := m.Weights()
	fmt.Printf("slope %.4f, f(10) = %.4f\n%v\n", w[0], m.Value(10), m)
	// Output:
	// slope 2.0000, f(10) = 21.5000
	// svm regression: linear, C = 10, epsilon = 0.5, 3 of 5 rows are support vectors
}

func ExamplePlanSVR() {
	iris := datasets.Iris()
	petals := iris.Features("petal length").WithTarget("petal width", iris.Column("petal width"))
	svr := svm.PlanSVR().Nu(0.3).C(5).Fit(petals)
	fmt.Printf("%v: tube of %.3f, R2 %.4f, RMSE %.3f\n", svr, svr.Tube(), svr.R2(), svr.RMSE())
	// Output:
	// SVR().Nu(0.3).C(5).Fit(iris): tube of 0.189, R2 0.9265, RMSE 0.206
}

func ExampleFitOneClass() {
	setosa := datasets.Iris().Classes("setosa")
	m, err := svm.FitOneClass(context.Background(), setosa.X, svm.OneClassOptions{Nu: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	others, _ := m.Predict(datasets.Iris().Classes("versicolor", "virginica").X)
	inside := 0
	for _, c := range others {
		inside += c
	}
	fmt.Printf("%d of %d others are inside\n", inside, len(others))
	// Output:
	// 0 of 100 others are inside
}

func ExamplePlanOneClass() {
	setosa := datasets.Iris().Classes("setosa")
	one := svm.PlanOneClass().RBF(0.5).Nu(0.1).Fit(setosa)
	fmt.Println(one.Flagged(), one.Class(6, 3, 4.5, 1.5) == svm.Novel)
	fmt.Println(one.Model())
	// Output:
	// [13 14 15 41] true
	// one-class svm: RBF(gamma=0.5), nu = 0.1, 8 of 50 rows are support vectors
}

// Rows most of whose numbers are zero are read, split and learned without the zeros.
func ExampleFitLinear_sparse() {
	text := "+1 2:1 7:1 40000:1\n-1 3:1 7:1 40001:1\n+1 2:1 9:1\n-1 3:1 9:1 40000:1\n"
	set, err := datasets.ReadSparseLIBSVM(strings.NewReader(text), "tiny")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := svm.FitLinear(context.Background(), set.X, set.Y, svm.LinearOptions{C: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	classes, err := m.Predict(set.X)
	fmt.Println(set)
	fmt.Println(classes, err)
	// Output:
	// tiny: 4 x 40001 with 11 numbers, 0.00687 % of all, 2 classes
	// [1 0 1 0] <nil>
}
