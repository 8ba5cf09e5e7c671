package prl

import "github.com/prlab/prlab/prl/reduce"

// PCA begins principal component analysis with k components: PCA(2).Fit(set). PCA() keeps all, and PCA().Share(0.95) as few as keep this
// share of the variance. [reduce.PCAPlan] has its steps and answers, [reduce.FitPCA] the formula.
func PCA(k ...int) reduce.PCAPlan { return reduce.PlanPCA(k...) }

// PPCA begins probabilistic principal component analysis with k latent variables, a density of the rows: PPCA(2).Fit(set).
// [reduce.PPCAPlan] has its steps and answers, [reduce.FitPPCA] the formula.
func PPCA(k int) reduce.PPCAPlan { return reduce.PlanPPCA(k) }

// KernelPCA begins principal component analysis in the feature space of a kernel, with k components: KernelPCA(2).RBF(3).Fit(set).
// KernelPCA() keeps all. [reduce.KernelPCAPlan] has its steps and answers, [reduce.FitKernelPCA] the formula.
func KernelPCA(k ...int) reduce.KernelPCAPlan { return reduce.PlanKernelPCA(k...) }

// FisherLDA begins Fisher's linear discriminant for two classes: FisherLDA().Fit(set). [reduce.FisherPlan] has its steps and answers.
func FisherLDA() reduce.FisherPlan { return reduce.PlanFisher() }

// MDA begins multiple discriminant analysis with k discriminants: MDA(2).Fit(set). MDA() keeps all K-1. [reduce.MDAPlan] has its steps and
// answers, [reduce.FitMDA] the formula.
func MDA(k ...int) reduce.MDAPlan { return reduce.PlanMDA(k...) }

// Whiten begins a whitening of the data: Whiten().Fit(set), or Whiten().Within().Fit(set) for the LDA transform. [reduce.WhitenPlan] has
// its steps and answers.
func Whiten() reduce.WhitenPlan { return reduce.PlanWhiten() }

// MDS begins multidimensional scaling, a map of k dimensions that keeps distances: MDS(2).Fit(set), or of a table of dissimilarities
// MDS(2).Precomputed().Fit(roads). MDS() draws in the plane. [reduce.MDSPlan] has its steps and answers, [reduce.FitMDS] the formula.
func MDS(k ...int) reduce.MDSPlan { return reduce.PlanMDS(k...) }

// Isomap begins a map of k dimensions that keeps distances along a sheet: Isomap(2).Neighbours(10).Fit(roll). Isomap() draws in the plane.
// [reduce.IsomapPlan] has its steps and answers, [reduce.FitIsomap] the formula.
func Isomap(k ...int) reduce.IsomapPlan { return reduce.PlanIsomap(k...) }

// LLE begins locally linear embedding, a map of q dimensions that keeps of which neighbours each row is made up:
// LLE(2).Neighbours(12).Fit(roll). LLE() draws in the plane. [reduce.LLEPlan] has its steps and answers, [reduce.FitLLE] the formula.
func LLE(q ...int) reduce.LLEPlan { return reduce.PlanLLE(q...) }
