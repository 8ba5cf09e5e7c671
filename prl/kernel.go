package prl

import "github.com/prlab/prlab/prl/kernel"

// Kernel begins a look at a kernel: Kernel(RBFKernel(0.5)).Fit(set).Heat(). [kernel.Plan] has its steps and answers.
func Kernel(k kernel.Kernel) kernel.Plan { return kernel.PlanKernel(k) }

// LinearKernel returns <a, b>.
func LinearKernel() kernel.Linear { return kernel.Linear{} }

// PolyKernel returns (<a, b> + c)^degree.
func PolyKernel(degree int, c float64) kernel.Poly {
	return kernel.Poly{Degree: degree, Gamma: 1, Coef0: c}
}

// RBFKernel returns exp(-gamma |a - b|^2).
func RBFKernel(gamma float64) kernel.RBF { return kernel.RBF{Gamma: gamma} }

// SigmoidKernel returns tanh(gamma <a, b> + c).
func SigmoidKernel(gamma, c float64) kernel.Sigmoid { return kernel.Sigmoid{Gamma: gamma, Coef0: c} }
