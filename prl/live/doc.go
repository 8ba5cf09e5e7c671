// Package live holds figures that recompute: the reader drags points, turns sliders, edits a table or types a sentence, and the function
// that draws the figure runs again with what the reader has set. In a notebook it makes the picture as it begins; in a page the same
// function, compiled to WebAssembly, runs at every move of the hand.
//
//	prl.Live(func(in *live.Inputs) *plotting.Figure {
//		c := in.Slider("C", 0.1, 1000, live.Log, live.At(10))
//		set := in.Points("points", rings)
//		m := prl.SVM().RBF(0.5).C(c).Fit(set)
//		prl.Check("", "primal and dual meet").AtMost(m.Certificate().Gap, 1e-2)
//		return m.Regions()
//	}).Show()
//
// The function asks for each of its inputs by a name, and gets an ordinary value of Go. It asks for the same inputs in the same order
// whenever it is called: never inside an if, or in a loop whose length an input decides. What it shows, tables and checks, stands below the
// figure and is renewed with it; a check that does not hold is shown, and the figure moves on. Pictures come in the figure that the
// function returns, several as a plotting.Row.
//
// What a reader can bring about is proved in every state: States draws the figure at both ends of each slider, in each choice and so on,
// and a State tells what is drawn there (see Drawn of package plotting), what is set, and which tables stand below:
//
//	fig.Show()
//	prl.Check("CS-5.4-05", "f is 0 on the boundary").Tol(1e-3).Every(fig.States(func(s live.State) (got, want any) {
//		f := prl.SVM().RBF(0.5).C(s.Slider("C")).Fit(s.Points("points"))
//		return s.Drawn("boundary").Values(func(x, y float64) float64 { return f.Value(x, y) }), 0
//	}))
//
// A function that draws depends on its inputs alone: what it draws at random takes a seed, and it writes to no variable outside of it.
package live
