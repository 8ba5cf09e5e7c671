package reference

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/reduce"
)

func TestKernels(t *testing.T)  { run(t, "kernels") }
func TestManifold(t *testing.T) { run(t, "manifold") }

var kernelCases = runners{
	"brownian-series": func(c *check) {
		for name, terms := range map[string]int{"terms_1": 1, "terms_10": 10, "terms_1000": 1000} {
			c.near(name, kernel.BrownianSeries(0.3, 0.7, terms))
		}
		c.near("limit", kernel.Brownian{}.Eval([]float64{0.3}, []float64{0.7}))
	},
	"sigmoid-not-psd": func(c *check) {
		K := must(kernel.Gram(kernel.Sigmoid{Gamma: 1, Coef0: -1}, column(0, 1, 2)))
		c.near("eigenvalues", must(kernel.Spectrum(K)))
		if must(kernel.PSD(K, 1e-12)).SemiDefinite {
			c.Error("passes as positive semi-definite")
		}
	},
	"rbf-gram": func(c *check) {
		K := must(kernel.Gram(kernel.RBF{Gamma: 0.5}, column(0, 1, 2, 3)))
		c.near("spectrum", must(kernel.Spectrum(K)))
		c.near("centred", must(kernel.Spectrum(kernel.Centre(K)))[:3])
	},
	"kernel-monomials": func(c *check) {
		c.near("monomials", []int{kernel.Monomials(2, 4), kernel.Monomials(3, 5), kernel.Monomials(8, 6)})
		k := kernel.Poly{Degree: 4, Gamma: 1, Coef0: 1}
		x, y := []float64{1, 2, 3}, []float64{4, -1, 0.5}
		c.near("value", k.Eval(x, y))
		phi := must(kernel.Features(k, 3))
		c.near("value", mat.Dot(mat.NewVecDense(phi.Len(), phi.At(x)), mat.NewVecDense(phi.Len(), phi.At(y))))
	},
}

var manifoldCases = runners{
	"kpca-linear-iris": func(c *check) {
		X, _ := set(c, datasets.Iris())
		e := must(kernel.Spectrum(kernel.Centre(must(kernel.Gram(kernel.Linear{}, X)))))
		c.near("eig_K", e[:4])
		c.near("fifth", e[4])
	},
	"kpca-rbf-iris":  func(c *check) { kernelPCA(c, kernel.RBF{Gamma: 0.5}) },
	"kpca-poly-iris": func(c *check) { kernelPCA(c, kernel.Poly{Degree: 3, Gamma: 0.1, Coef0: 1}) },
	"kpca-swiss-200": func(c *check) {
		X, _ := labelled(c, "swiss_S.csv", 200)
		e := must(kernel.Spectrum(kernel.Centre(must(kernel.Gram(kernel.RBF{Gamma: 0.01}, X)))))
		sum := 0.0
		for _, v := range e[:10] {
			sum += v
		}
		c.near("eig10", e[:10])
		c.near("sum10", sum)
	},
	"lle-line-weights": lineWeights,
	"isomap-spiral":    isomapSpiral,
	"lle-spiral":       lleSpiral,
}

// kernelPCA compares eigenvalues, and the scores of two rows that the fit has not seen.
func kernelPCA(c *check, k kernel.Kernel) {
	X, _ := set(c, datasets.Iris())
	p := must(reduce.FitKernelPCA(c.Context(), X, reduce.KernelPCAOptions{Kernel: k, Components: 3}))
	c.near("eigenvalues", p.Eigenvalues())
	c.nearColumns("new", must(p.Transform(mat.NewDense(2, 4, []float64{5, 3, 4, 1, 6, 3, 2, 0.5}))))
}
