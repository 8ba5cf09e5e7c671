package prl

import "github.com/prlab/prlab/prl/reduce"

// PCA begins principal component analysis with k components: PCA(2).Fit(set). PCA() keeps all.
func PCA(k ...int) reduce.PCAPlan { return reduce.PlanPCA(k...) }

// KernelPCA begins principal component analysis in the feature space of a kernel, with k components: KernelPCA(2).RBF(3).Fit(set).
// KernelPCA() keeps all.
func KernelPCA(k ...int) reduce.KernelPCAPlan { return reduce.PlanKernelPCA(k...) }

// FisherLDA begins Fisher's linear discriminant for two classes: FisherLDA().Fit(set).
func FisherLDA() reduce.FisherPlan { return reduce.PlanFisher() }

// MDA begins multiple discriminant analysis with k discriminants: MDA(2).Fit(set). MDA() keeps all K-1.
func MDA(k ...int) reduce.MDAPlan { return reduce.PlanMDA(k...) }

// Whiten begins a whitening of the data: Whiten().Fit(set), or Whiten().Within().Fit(set) for the LDA transform.
func Whiten() reduce.WhitenPlan { return reduce.PlanWhiten() }
