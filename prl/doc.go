// Package prl is what a notebook cell imports: the constructors of every model, the data sets, and the few words in which a cell shows a
// picture, proves a claim or keeps a result. It only gathers; the mathematics is in the packages below it, one a family, each of use by
// itself.
//
//	import "github.com/prlab/prlab/prl"
//
//	var iris = prl.Iris().Classes("versicolor", "virginica").Features("petal length", "petal width")
//	var lda = prl.LDA().Fit(iris)
//
// Every cell is a program that is compiled and run anew, so values like these are plans: they cost nothing until something asks for a
// number or a picture, and are computed at most once in a cell. Every step of a chain returns a new plan. An error waits in the chain and
// is reported once, with the step that caused it, by the method that ends the chain:
//
//	lda.Regions().Show()                                             // a picture
//	lda.Confusion().Show()                                           // a table
//	prl.Check("", "resubstitution accuracy").AtLeast(lda.Accuracy(), 0.9) // a claim, proved or the cell fails
//	model, err := lda.Fitted()                                       // for programs
//
// # Words
//
// Every plan is a sentence of the same words: one word has one meaning and one signature in all of them. P is the plan itself, M its model,
// * what is the family's own. A set with dots before it may be left out, and then the data of the fit are meant.
//
//	Fit(*) P                       names the data: a Set, or sequences of names
//	Keep() P                       keeps the model on disk for later cells and sessions
//	SampleWeights([]float64) P     a weight for each row
//	ClassWeights(...float64) P     a factor for each class
//	Balanced() P                   makes the classes count alike, whatever their sizes
//	Priors(...float64) P           probabilities of the classes
//	Seed(uint64) P                 the seed of everything drawn at random
//	Model() M                      the fitted model; without one the cell ends with a message
//	Fitted() (M, error)            the same for programs
//	Err() error                    the first wrong step, or the error of the fit
//	String() string                the chain as it was written
//	Show()                         the picture or table that says most
//	Table() Table                  parameters and diagnostics
//	Predict(Set) []int | []float64 the class or cluster of each row, from 0; of a regression the target
//	Class(...float64) int          the class of one point
//	Proba(Set) *Dense              the n x K probabilities of the classes
//	R2(...Set) float64             the share of the variance of the target that a regression explains
//	RMSE(...Set) float64           the root of the mean squared error, in the unit of the target
//	LogProba(Set) *Dense           their natural logarithms, also of those that Proba rounds to zero
//	Accuracy(...Set) float64       the share of rows put into their class
//	Confusion(...Set) Confusion    true classes against predicted ones
//	ROC(...Set) *Figure            true against false positives, with the area below
//	PrecisionRecall(...Set) *Figure precision over recall, with the average precision
//	Regions() *Figure              data of two features over the regions of the classes
//	Transform(...Set) Set          the images of the rows
//	Inverse(Set) Set               the rows that Transform maps there, as near as the model comes
//	Labels() []int                 the cluster of each row of the fit
//	Sizes() []int                  the rows in each cluster
//	Silhouettes() *Figure          how much nearer each row is to its cluster than to the next
//	LogDensity(...float64) float64 log p(x) of a point, in nats
//	Curve() *Figure                what was fitted, over the data of one feature
//	Sample(int, uint64) *          so many rows or steps, drawn with a seed
//	Trace() *                      the model with every step of its fit
//	Iterations() *Figure           what the fit did, step by step
//	Curves(...Set) *Figure         errors on the data of the fit and on others
//	Scores() *Figure               the data as the model sees them
//	Clusters() *Figure             the data by cluster
//	Densities() *Figure            the densities of the classes over one feature
//	Graph(*) *Figure               the model as nodes and edges
//	Scree() *Figure                the share of each component
//	Turned(float64) *Figure        the projection on an axis turned by so many degrees
//	Cut(*) *                       where a projection or a tree is cut
//	Heat() *Figure                 the matrix of numbers as colours
//	C(float64) P                   the price of slack, or of errors beyond a tube
//	Epsilon(float64) P             the error that is allowed: by a bound, or without a price in a regression
//	Nu(float64) P                  the share of rows that may break a margin or lie outside, in the place of a price or a width
//	SupportVectors() []int         the rows on which the fit rests
//	Certificate() *                the proof that the fit is optimal
//	Weights() []float64            w of a linear function
//	Bias() float64                 b of a function <w, phi(x)> + b
//	Value(...float64) float64      f(x), the number on which the answer for a point rests
//	Flagged() []int                the rows that lie outside
//	Margins() []float64            y f(x) of each row of the fit
//	From(*) P                      the numbers that the fit starts from
//	Neighbours(int) P              the nearest rows that a row is linked with or made up of
//	Start(...float64) P            probabilities of the first state
//	Transitions(...[]float64) P    a row of probabilities for each state
//	Depth(int) P                   the longest path of a tree
//	MinLeaf(int) P                 the least number of rows in a leaf
//	MinSplit(int) P                the least number of rows in a node that is split
//	Prune(float64) P               the price of a leaf
//	Restarts(int) P                the number of starts, of which the best counts
//	MaxIter(int) P                 the limit on iterations
//	Tol(float64) P                 the change at which a fit stops
//	Regularise(float64) P          what is added to variances
//	Smoothing(float64) P           what is added to counts
//	Kernel(kernel.Kernel) P        inner products of a feature space in place of those of the rows
//	Linear() P                     the kernel <a, b>
//	Poly(int, ...float64) P        the kernel (gamma <a, b> + c)^degree: degree, c, gamma
//	RBF(float64) P                 the kernel exp(-gamma |a - b|^2)
//	Sigmoid(float64, float64) P    the function tanh(gamma <a, b> + c), in general no kernel
//	Variances() []float64          the variance of each component, the largest first
//	Ratios() []float64             the variances as shares of their sum
//	Full() P                       a covariance matrix for each component
//	Tied() P                       one covariance matrix for all components
//	Diagonal() P                   variances for each component, without correlation
//	Spherical() P                  one variance for each component
//	LogLikelihood(*) float64       log p of sequences, in nats
//	StatePosteriors(*) *Figure     the probabilities of the states over time
//	Population() P                 divides by n instead of n-1
//
// # Pictures are claims
//
// Every figure can be asked what is drawn, and a check at the end of its cell proves it by a second route, in one line:
//
//	fig := prl.Live(func(in *live.Inputs) *plotting.Figure { ... })
//	fig.Show()
//	prl.Check("CS-2-04", "the point on the curve is the risk of the knife").Every(fig.States(func(s live.State) (got, want any) {
//		return s.Drawn("risk of a knife at t").At(s.Slider("knife")), risk(s.Slider("knife"))
//	}))
//
// States are all choices, both ends of all sliders, all buttons and dragged points. Package plotting has examples for curves, bars,
// regions, points, films and instruments. A table t answers t.Number(row, "column"), a State what is set and the Tables below the figure.
//
// Slide draws a picture for each value of a setting and gives the reader a slider; the pictures are computed in advance, so the slider
// works in a handout too, where no kernel runs. Keep stores a costly result on disk from one cell to the next.
package prl
