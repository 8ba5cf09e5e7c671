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
// Whoever reads the source finds the layers here, one a file, and picture.go, where they become marks. The marks and everything decided
// about them are internal/scene; internal/live and internal/still draw it, the one for the browser, with runtime/, the other on paper, with
// internal/svg.
package plotting
