// Package plotting draws the figures of pattern recognition: scatters by class, decision regions, contours, densities, trellises and more.
//
// A figure is a list of layers over one pair of axes, and both are values that never change: each method returns a changed copy.
//
//	fig := plotting.New(
//		plotting.Regions(lda.Class, "setosa", "versicolor"),
//		plotting.Points(x, y).By(labels, "setosa", "versicolor"),
//	).Title("Fisher's discriminant").X("petal length (cm)").Y("petal width (cm)")
//	fig.Show()
//
// Everything is decided once, in Go: domains, ticks, margins, legend, colours and markers, and the polygons of regions and contours. Two
// back ends draw the result. In a notebook that is trusted the figure is live; everywhere else, and in print, the still picture stands in
// its place. SVG returns the still; package plotting/save writes it as PDF or PNG.
//
// A class has one colour and one marker wherever its name is used: Points(x, y).By(labels, "a", "b") and Ellipse(m, s).Class("b") agree, in
// all panels of a Row and all frames of a Slide. A layer with only a Name takes the next free colour.
//
// Wrong arguments never panic. The figure remembers the first one, Err returns it, and Show reports it. Values that cannot be drawn, such
// as NaN, are left out and counted in a notice below the picture.
//
// Regions, Contours and Curve call the function they are given while the figure is drawn, Regions and Contours from several goroutines at
// once: the function must not change what it shares with others.
//
// # Reading a figure back
//
// A picture is a claim, and a check can be about it: Drawn returns what the reader sees under a name, at the places and in the colours that
// are drawn. The name is an entry of the legend or a class, a text, the label of a rule or arrow, a level of contours, a node or an edge;
// Layer(i) finds layers without a name. A name that is not there fails the cell and lists those that are. One line proves a figure:
//
//	// a curve: every vertex that is drawn lies on the graph of f
//	prl.Check(id, "the curve is the risk").Near(fig.Drawn("risk").Minus(risk), 0, 1e-9)
//	prl.Check(id, "the tangent touches at 2").Near(fig.Drawn("tangent").At(2), f(2), 1e-9)
//
//	// bars, their errors, and areas
//	prl.Check(id, "the bars are the shares").Near(fig.Drawn("share").Bars(), shares, 1e-12)
//	prl.Check(id, "the tail is the error").Near(fig.Drawn("salmon").Area(), tail, 1e-3)
//	prl.Check(id, "it is the right tail").True(fig.Drawn("salmon").Covers(3, 0.01), "")
//
//	// regions and level lines
//	prl.Check(id, "the origin is decided for A").Equal(fig.Region(0, 0), "A")
//	prl.Check(id, "the boundary is where both are equal").Near(fig.Drawn("boundary").Values(difference), 0, 1e-3)
//
//	// points, in their order, with colour and marker
//	prl.Check(id, "the mistakes are marked").Near(fig.Drawn("mistakes").Points(), places, 0)
//	prl.Check(id, "they have the colour of their class").Equal(fig.Drawn("mistakes").Colour(), fig.Drawn("A").Colour())
//
//	// a film, frame by frame; Panel chooses a panel of a Row
//	prl.Check(id, "the film begins at the start").Near(film.Frame(0).Panel(0).Drawn("means").Points(), start, 0)
//	prl.Check(id, "log L is that of the means").Tol(1e-3).Every(film.Frames(func(i int, v plotting.View) (got, want any) {
//		return v.Panel(1).Drawn("log L").At(float64(i)), logL(v.Panel(0).Drawn("means").Points())
//	}))
//
//	// an instrument, in every choice and at both ends of every slider
//	prl.Check(id, "the point is on the curve").Every(knife.States(func(s live.State) (got, want any) {
//		return s.Drawn("risk of the knife").Points()[0][1], risk(s.Slider("knife"))
//	}))
//
// Other questions: Integral, Intervals (error bars), Bar (of a category), Ellipse, Arrows, Rules, Texts, Sizes, Marker, Dashed, Span and
// Paths of what is Drawn; Title, Subtitle, Caption, Legend, XTicks, YTicks, Cell and Shade (heat maps, filled contours) and Edges of a
// View, which is the figure, a panel or a frame. Tables and sounds answer Number, Text and Heard. Vertices and points are exact. Lines
// between vertices are straight, and areas and level lines are thinned: they are good to a thousandth of an axis, so these claims want a
// Tol of 1e-3.
//
// If you read the source, you find the layers here, one a file, and picture.go, where they become marks. The marks and everything decided
// about them are internal/scene; internal/live and internal/still draw it, the one for the browser, with runtime/, the other on paper, with
// internal/svg.
package plotting
