package reduce_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/reduce"
)

// Two classes whose means differ along the first axis, but whose rows vary together.
var (
	x = mat.NewDense(8, 2, []float64{0, 0, 1, 1, 2, 2, 3, 2, 2, 0, 3, 1, 4, 2, 5, 2})
	y = []int{0, 0, 0, 0, 1, 1, 1, 1}
)

func ExampleFitPCA() {
	p, err := reduce.FitPCA(context.Background(), x, reduce.PCAOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p)
	fmt.Printf("%.4f\n", p.Variances())
	// Output:
	// PCA: 2 of 2 components, 100 % of the variance
	// [3.0192 0.3380]
}

func ExampleFitPPCA() {
	p, err := reduce.FitPPCA(context.Background(), datasets.Iris().X, reduce.PPCAOptions{Components: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	logs, err := p.LogDensities(mat.NewDense(2, 4, []float64{5.8, 3, 3.8, 1.2, 5.8, 3, 3.8, 5}))
	fmt.Println(p)
	fmt.Printf("log p of a usual flower: %.1f, of one with too wide petals: %.1f, %v\n", logs[0], logs[1], err)
	// Output:
	// PPCA: 2 of 4 components, noise variance 0.05102
	// log p of a usual flower: -0.7, of one with too wide petals: -122.7, <nil>
}

// One hidden number moves the four lengths of a flower; what it leaves over is noise, alike in all.
func ExamplePPCAPlan_Loadings() {
	iris := datasets.Iris()
	p := reduce.PlanPPCA(1).Fit(iris)
	W := p.Loadings()
	for j, name := range iris.FeatureNames {
		fmt.Printf("%-12s %5.2f\n", name, W.At(j, 0))
	}
	fmt.Printf("variance of the noise %.3f\n", p.Noise())
	// Output:
	// sepal length  0.73
	// sepal width  -0.17
	// petal length  1.74
	// petal width   0.73
	// variance of the noise 0.115
}

func ExamplePPCARound() {
	S := mat.NewSymDense(2, []float64{2, 1, 1, 2}) // of variances 3 and 1
	W, noise := mat.NewDense(2, 1, []float64{1, 0}), 1.0
	for range 100 {
		var err error
		if W, noise, err = reduce.PPCARound(S, W, noise); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("W = (%.4f, %.4f), noise %.4f\n", W.At(0, 0), W.At(1, 0), noise)
	// Output:
	// W = (1.0000, 1.0000), noise 1.0000
}

func ExampleFitFisher() {
	f, err := reduce.FitFisher(context.Background(), x, y, reduce.FisherOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f)
	// Output:
	// Fisher LDA of 2 features: J = 3.667, threshold 0.5617 on w = (0.6178, -0.7863)
}

func ExampleFitFisher_singular() {
	_, err := reduce.FitFisher(context.Background(), mat.NewDense(4, 3, []float64{0, 1, 2, 1, 1, 0, 3, 2, 1, 4, 0, 1}), []int{0, 0, 1, 1},
		reduce.FisherOptions{})
	fmt.Println(err)
	// Output:
	// reduce.FitFisher: S_W is singular (some features are linear combinations of others), but needs to be positive definite; 4 rows in 2 classes span at most 2 of the 3 dimensions: set Regularise to 0.01, or reduce the data with PCA first
}

func ExampleFitMDA() {
	m, err := reduce.FitMDA(context.Background(), x, []int{0, 0, 0, 1, 1, 1, 2, 2}, reduce.MDAOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m)
	// Output:
	// MDA: 3 classes, 2 features to 2, eigenvalues 10.8, 0.158
}

func ExampleFitWhitening() {
	w, err := reduce.FitWhitening(context.Background(), x, reduce.WhitenOptions{Form: reduce.ZCA})
	if err != nil {
		fmt.Println(err)
		return
	}
	z, _ := w.Transform(x)
	fmt.Printf("%v; row 0 maps to %.3f\n", w, z.RawRowView(0))
	// Output:
	// whitening of 2 features (ZCA); row 0 maps to [-1.383 -0.844]
}

func ExampleScatters() {
	s, err := reduce.Scatters(x, y, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("tr S_W %v + tr S_B %v = tr S_T %v\n", mat.Trace(s.Within), mat.Trace(s.Between), mat.Trace(s.Total))
	// Output:
	// tr S_W 15.5 + tr S_B 8 = tr S_T 23.5
}

func ExamplePlanPCA() {
	plan := reduce.PlanPCA(2).Fit(datasets.Iris())
	fmt.Println(plan)
	fmt.Println(plan.Model())
	// Output:
	// PCA(2).Fit(iris)
	// PCA: 2 of 4 components, 97.8 % of the variance
}

func ExamplePlanFisher() {
	iris := datasets.Iris().Classes("versicolor", "virginica").Features("petal length", "petal width")
	fmt.Println(reduce.PlanFisher().Fit(iris).Model())
	fmt.Println(reduce.PlanFisher().Fit(datasets.Iris()).Err())
	// Output:
	// Fisher LDA of 2 features: J = 0.1027, threshold 3.007 on w = (0.2855, 0.9584)
	// Fit: the data set iris is of 3 classes, but needs to be a set of 2 classes; choose two with .Classes(a, b), or use MDA
}

func ExamplePlanMDA() {
	fmt.Println(reduce.PlanMDA(2).Fit(datasets.Iris()).Model())
	// Output:
	// MDA: 3 classes, 4 features to 2, eigenvalues 32.2, 0.285
}

func ExamplePlanWhiten() {
	fmt.Println(reduce.PlanWhiten().Within().Fit(datasets.Iris()).Model())
	// Output:
	// whitening of 4 features (axes)
}

func ExamplePCA_Synthesise() {
	p, err := reduce.FitPCA(context.Background(), x, reduce.PCAOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := p.Synthesise(mat.NewDense(2, 1, []float64{0, 2}))
	fmt.Printf("%.3f %v\n", mat.Formatted(rows, mat.Prefix("")), err)
	// Output:
	// ⎡2.500  1.250⎤
	// ⎣5.672  2.670⎦ <nil>
}

func ExamplePCA_Plausible() {
	p, err := reduce.FitPCA(context.Background(), x, reduce.PCAOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	near, _ := p.Plausible([]float64{100, 50}, 2)
	fmt.Printf("%.3f\n", near)
	// Output: [5.197 3.731]
}

func ExamplePCAPlan_Plausible() {
	fish := reduce.PlanPCA(3).Fit(datasets.FishOutlines(40, 1))
	near := fish.Plausible(datasets.FishOutline(2, 0.2, 0), 3) // twice as long as fish are
	fmt.Printf("the nose lies at %.2f, not at -1\n", near[0])
	// Output: the nose lies at -0.65, not at -1
}

func ExampleFitKernelPCA() {
	p, err := reduce.FitKernelPCA(context.Background(), x, reduce.KernelPCAOptions{Kernel: kernel.RBF{Gamma: 0.5}, Components: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p)
	fmt.Printf("%.4f\n", p.Variances())
	// Output:
	// kernel PCA: 2 components of RBF(gamma=0.5), 55.0 % of the variance
	// [0.2465 0.1928]
}

func ExamplePlanKernelPCA() {
	set := datasets.New("eight", x, y)
	fmt.Println(reduce.PlanKernelPCA(2).RBF(0.5).Fit(set).Transform().D())
	// Output:
	// 2
}
