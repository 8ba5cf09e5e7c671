package plotting

import (
	"errors"
	"testing"

	"github.com/prlab/prlab/prl/fault"
)

func TestArgumentErrors(t *testing.T) {
	x3, x2 := []float64{1, 2, 3}, []float64{1, 2}
	tests := []struct {
		fig  *Figure
		want string
	}{
		{New(Points(x3, x2)), "plotting.Points: y is 2 numbers, but needs to be as long as x: 3"},
		{New(Points(x3, x3).By([]int{0, 1})), "plotting.Points.By: labels is 2 labels, but needs to be as long as x: 3"},
		{
			New(Points(x3, x3).By([]int{0, 1, 2}, "a", "b")),
			"plotting.Points.By: labels[2] is 2, but needs to be a class from 0 to 1; 2 names were given",
		},
		{New(Points(x3, x3).By([]int{0, -1, 2})), "plotting.Points.By: labels[1] is -1, but needs to be a class from 0 to K-1"},
		{
			New(Points(x3, x3).Marker("heart")),
			`plotting.Points.Marker: name is "heart", but needs to be one of circle, square, triangle, diamond, plus, cross, down, star`,
		},
		{New(Points(x3, x3).Opacity(2)), "plotting.Points.Opacity: o is 2, but needs to be more than 0 and at most 1"},
		{New(Line(x3, x2)), "plotting.Line: y is 2 numbers, but needs to be as long as x: 3"},
		{New(Curve(nil, 0, 1)), "plotting.Curve: f is nil, but needs to be a function"},
		{New(Band(x3, x3, x2)), "plotting.Band: hi is 2 numbers, but needs to be as long as x: 3"},
		{New(Regions(nil)), "plotting.Regions: f is nil, but needs to be a function (x, y) -> class"},
		{
			New(EllipseOf([]float64{1, 2, 3}, nil)),
			"plotting.Ellipse: mean is 3 numbers, but needs to be of length 2; project the model to two features first",
		},
		{New(EllipseOf(x2, [][]float64{{1, 2}, {2, 1}})), "plotting.Ellipse: cov is [[1 2] [2 1]], but needs to be positive semidefinite"},
		{New(Heat([][]float64{{1, 2}, {1}})), "plotting.Heat: z[1] is 1 number, but needs to be as long as z[0]: 2"},
		{
			New(Heat([][]float64{{1, 2}}).Members([][][]int{{{0}}})),
			"plotting.Heat.Members: rows[0] is 1 cell, but needs to be as long as z[0]: 2",
		},
		{
			New(Heat([][]float64{{1}}).Members([][][]int{{{0, -3}}})),
			"plotting.Heat.Members: rows[0][0] is a row -3, but needs to be numbers of rows from 0",
		},
		{
			New(BarGroups([]string{"a"}, BarSeries{"s", x2, nil, nil})),
			"plotting.BarGroups: values is 2 numbers, but needs to be as long as categories: 1",
		},
		{
			New(Graph([]Node{{Name: "a"}}, []Edge{{From: "a", To: "b"}})),
			`plotting.Graph: edges[0] is at "b", but needs to be between nodes of the graph`,
		},
		{
			New(Trellis([]string{"s"}, 2).Labels([][]string{nil, {"a", "b"}})),
			"plotting.Trellis.Labels: labels[1] is 2 texts, but needs to be as long as states: 1",
		},
		{New(Trellis([]string{"s"}, 2).Notes([][]string{{"a"}})), "plotting.Trellis.Notes: notes is 1 row, but needs to be as long as " +
			"columns: 2"},
		{New(Trellis([]string{"s"}, 2).Path([]int{0, 1})), "plotting.Trellis.Path: path[1] is 1, but needs to be from 0 to 0"},
		{
			New(Dendrogram([][4]float64{{0, 1, 1, 2}}).By([]int{0, 1, 1})),
			"plotting.Dendrogram.By: labels is 3 labels, but needs to be as long as the leaves: 2",
		},
		{
			New(Dendrogram([][4]float64{{0, 0, 1, 2}})),
			"plotting.Dendrogram: merges[0][1] is cluster 0 again, but needs to be a cluster that is not merged yet",
		},
		{New().XRange(2, 1), "plotting.XRange: lo, hi is 2, 1, but needs to be two finite numbers with lo < hi"},
		{New().Size(10, 10), "plotting.Size: width, height is 10, 10, but needs to be each from 80 to 4000 pixels"},
		{New().XTicks(x2, "a"), "plotting.XTicks: labels is 1 strings, but needs to be one a tick: 2"},
		{New().Start(1), "plotting.Start: figure is without frames, but needs to be one made by Slide"},
		{Slide("k", []int{1}, func(int) *Figure { return nil }), "plotting.Slide: draw(1) is nil, but needs to be a figure"},
		{Slide("k", nil, func(int) *Figure { return New() }), "plotting.Slide: values is empty, but needs to be at least one value"},
		{
			Slide("k", []int{1, 2}, func(int) *Figure { return New() }).Start(5),
			"plotting.Start: frame is 5, but needs to be from 0 to 1, for the figure has 2 frames",
		},
		{Row(New(), nil), "plotting.Row: figs[1] is nil, but needs to be a figure"},
		{Row(New(), New(Points(x3, x2))), "panel 2: plotting.Points: y is 2 numbers, but needs to be as long as x: 3"},
		{
			Slide("k", []int{1}, func(int) *Figure { return New(Points(x3, x2)) }),
			"k = 1: plotting.Points: y is 2 numbers, but needs to be as long as x: 3",
		},
		{New(nil), "plotting.New: layer is nil, but needs to be a layer such as Points or Line"},
		{Fault(errors.New("no model")), "no model"},
	}
	for _, c := range tests {
		err := c.fig.Err()
		if err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
			continue
		}
		if _, err := c.fig.SVG(); err == nil {
			t.Errorf("SVG of a figure with %v gave no error", c.want)
		}
	}
	var argument *fault.ArgumentError
	if err := New(Points(x3, x2)).Err(); !errors.As(err, &argument) || argument.Func != "plotting.Points" || argument.Argument != "y" {
		t.Errorf("not an ArgumentError: %v", err)
	}
}

func TestPanicsBecomeErrors(t *testing.T) {
	for _, f := range []*Figure{
		New(Regions(func(x, y float64) int { panic("boom") })),
		New(Contours(func(x, y float64) float64 { return []float64{}[0] })),
	} {
		if _, err := f.SVG(); err == nil {
			t.Error("no error")
		}
	}
}
