package kernel_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/kernel"
)

var square = mat.NewDense(4, 2, []float64{-1, -1, -1, 1, 1, -1, 1, 1})

func ExampleGram() {
	G, err := kernel.Gram(kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}, square)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mat.Formatted(G))
	// Output:
	// ⎡9  1  1  1⎤
	// ⎢1  9  1  1⎥
	// ⎢1  1  9  1⎥
	// ⎣1  1  1  9⎦
}

func ExampleRows() {
	r, err := kernel.NewRows(kernel.Linear{}, square, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	row := make([]float64, r.Len())
	r.Fill(row, 0, 0, r.Len())
	fmt.Println(row)
	// Output:
	// [2 0 0 -2]
}

func ExampleFeatures() {
	phi, err := kernel.Features(kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := phi.At([]float64{1, 2}), phi.At([]float64{3, 4})
	fmt.Println(phi.Names())
	fmt.Printf("%.0f\n", mat.Dot(mat.NewVecDense(6, a), mat.NewVecDense(6, b)))
	// Output:
	// [x1^2 1.414 x1 x2 1.414 x1 x2^2 1.414 x2 1]
	// 144
}

func ExamplePSD() {
	G, _ := kernel.Gram(kernel.Difference(kernel.Linear{}, kernel.RBF{Gamma: 1}), square)
	d, err := kernel.PSD(G, 1e-12)
	fmt.Printf("smallest eigenvalue %.4f, semi-definite: %v, %v\n", d.Min, d.SemiDefinite, err)
	// Output:
	// smallest eigenvalue -1.0370, semi-definite: false, <nil>
}

func ExampleSum() {
	k := kernel.Sum(kernel.Scale(2, kernel.Linear{}), kernel.Product(kernel.Linear{}, kernel.RBF{Gamma: 1}))
	fmt.Println(k, "=", k.Eval([]float64{1, 0}, []float64{1, 0}))
	// Output:
	// (2 linear) + (linear * RBF(gamma=1)) = 3
}

func ExampleNormalize() {
	k := kernel.Normalize(kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1})
	fmt.Println(k.Eval([]float64{1, 2}, []float64{1, 2}))
	// Output:
	// 1
}

func ExamplePolynomial() {
	k := kernel.Polynomial(kernel.Linear{}, 1, 0, 2) // 1 + 2 <a, b>^2
	fmt.Println(k.Eval([]float64{1, 2}, []float64{3, 4}))
	// Output:
	// 243
}

func ExampleExp() {
	fmt.Printf("%.4f\n", kernel.Exp(kernel.Linear{}).Eval([]float64{1}, []float64{1}))
	// Output:
	// 2.7183
}

func ExampleWidth() {
	fmt.Println(kernel.Width(0.5))
	// Output:
	// RBF(gamma=2)
}

func ExampleFunc() {
	k := kernel.Func("min", func(a, b []float64) float64 { return min(a[0], b[0]) })
	fmt.Println(k, k.Eval([]float64{0.2}, []float64{0.7}))
	// Output:
	// min 0.2
}

func ExampleCentre() {
	G, _ := kernel.Gram(kernel.Linear{}, mat.NewDense(3, 1, []float64{1, 2, 3}))
	fmt.Println(mat.Formatted(kernel.Centre(G)))
	// Output:
	// ⎡ 1   0  -1⎤
	// ⎢ 0   0   0⎥
	// ⎣-1   0   1⎦
}

func ExampleDistance() {
	fmt.Printf("%.4f\n", kernel.Distance(kernel.Poly{Degree: 2, Gamma: 1, Coef0: 1}, []float64{0, 0}, []float64{1, 0}))
	// Output:
	// 1.7321
}

func ExampleGramOf() {
	G, _ := kernel.GramOf([]string{"banana", "ananas"}, kernel.KGrams(2))
	fmt.Println(mat.Formatted(G))
	// Output:
	// ⎡9  8⎤
	// ⎣8  9⎦
}

func ExamplePlanKernel() {
	plan := kernel.PlanKernel(kernel.Linear{}).Fit(datasets.New("square", square, nil))
	fmt.Println(plan, plan.PSD().Rank)
	// Output:
	// Kernel(linear).Fit(square) 2
}

func ExampleSubsequences() {
	k := kernel.Cosine(kernel.Subsequences(2, 0.5))
	fmt.Printf("%.4f\n", k("cat", "car"))
	// Output:
	// 0.4444
}

func ExampleRandomWalks() {
	ethanol := kernel.Graph{Labels: []string{"C", "C", "O"}, Edges: [][2]int{{0, 1}, {1, 2}}}
	ether := kernel.Graph{Labels: []string{"C", "O", "C"}, Edges: [][2]int{{0, 1}, {1, 2}}}
	fmt.Printf("%.4f\n", kernel.Cosine(kernel.RandomWalks(0.2))(ethanol, ether))
	// Output:
	// 0.8494
}

func ExampleShortestPaths() {
	ethanol := kernel.Graph{Labels: []string{"C", "C", "O"}, Edges: [][2]int{{0, 1}, {1, 2}}}
	ether := kernel.Graph{Labels: []string{"C", "O", "C"}, Edges: [][2]int{{0, 1}, {1, 2}}}
	fmt.Println(kernel.ShortestPaths()(ethanol, ether))
	// Output:
	// 2
}

func ExampleWitness() {
	v, value, err := kernel.Witness(mat.NewSymDense(3, []float64{1, 1, 0, 1, 1, 1, 0, 1, 1}))
	fmt.Printf("%.4f has the squared length %.4f, %v\n", v, value, err)
	// Output:
	// [-0.5000 0.7071 -0.5000] has the squared length -0.4142, <nil>
}

func ExampleEmbed() {
	Z, err := kernel.Embed(mat.NewSymDense(2, []float64{5, 5, 5, 5}), 1e-12)
	fmt.Printf("%.4f %v\n", Z.RawMatrix().Data, err)
	// Output:
	// [2.2361 2.2361] <nil>
}
