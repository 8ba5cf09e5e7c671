// Package prl is what a notebook cell imports: the constructors of every model, the data sets, and the few words in which a cell shows a
// picture, proves a claim or keeps a result. It only gathers; the mathematics is in the packages below it, one a family, each of use by
// itself.
//
//	import "github.com/prlab/prlab/prl"
//
//	var iris = prl.Iris().Classes("versicolor", "virginica").Features("petal length", "petal width")
//	var lda = prl.LDA().Fit(iris)
//
// Every cell is a program that is compiled and run again, so values like these are plans: they cost nothing until something asks for a
// number or a picture, and are computed at most once in a cell. Every step of a chain returns a new plan. An error waits in the chain and
// is reported once, with the step that caused it, by the method that ends the chain:
//
//	lda.Regions().Show()                                             // a picture
//	lda.Confusion().Show()                                           // a table
//	prl.Check("", "resubstitution accuracy").AtLeast(lda.Accuracy(), 0.9) // a claim, proved or the cell fails
//	model, err := lda.Fitted()                                       // for programs
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
