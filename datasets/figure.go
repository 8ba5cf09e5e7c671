package datasets

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/fault"
)

// Scatter draws the first two features against each other, coloured by class or by target; with one feature it draws a histogram of each
// class. Choose others with Features, see all pairs with Pairs.
func (s Set) Scatter() *plotting.Figure {
	s, ok := s.drawn("Scatter")
	if !ok {
		return plotting.Fault(s.Err())
	}
	if s.D() == 1 {
		return s.histogram(0).Title(s.Name)
	}
	f := s.pair(0, 1).Title(s.Name)
	if s.D() > 2 {
		f = f.Caption(fmt.Sprintf("The first two of %d features.", s.D()))
	}
	return f
}

// drawn is step for a figure of the features, which need to be numbers without gaps.
func (s Set) drawn(step string) (Set, bool) {
	s, ok := s.step(step)
	if ok {
		if err := s.CheckNumbers(step); err != nil {
			return s.fail(err), false
		}
	}
	return s, ok
}

// Pairs draws every feature against every other, up to five features, with histograms on the diagonal. Each column has one axis; rows
// selected in one panel are selected in all.
func (s Set) Pairs() *plotting.Figure {
	s, ok := s.drawn("Pairs")
	if !ok {
		return plotting.Fault(s.Err())
	}
	const most = 5
	if s.D() > most {
		return plotting.Fault(
			s.fail(fmt.Errorf("%d features make %d panels, but at most %d features can be read; choose some with .Features(a, b)", s.D(),
				s.D()*s.D(), most)).
				Err(),
		)
	}
	var panels []*plotting.Figure
	for i := range s.D() {
		for j := range s.D() {
			f := s.pair(j, i)
			if i == j {
				f = s.histogram(i)
			}
			if i < s.D()-1 { // names stand at the edges, once
				f = f.X("")
			}
			if j > 0 {
				f = f.Y("")
			}
			panels = append(panels, f)
		}
	}
	return plotting.Grid(s.D(), panels...).SharedX().Title(s.Name)
}

func (s Set) pair(i, j int) *plotting.Figure {
	points := plotting.Points(mat.Col(nil, i, s.X), mat.Col(nil, j, s.X))
	switch {
	case s.Y != nil:
		points = points.By(s.Y, s.ClassNames...)
	case s.Target != nil:
		points = points.Values(s.Target, s.targetLabel())
	}
	if s.RowNames != nil {
		points = points.Notes(s.RowNames...)
	}
	return plotting.New(points).X(s.featureLabel(i)).Y(s.featureLabel(j))
}

func (s Set) histogram(j int) *plotting.Figure {
	h := plotting.Histogram(mat.Col(nil, j, s.X))
	if s.Y != nil {
		h = h.By(s.Y, s.ClassNames...)
	}
	return plotting.New(h).X(s.featureLabel(j)).Y("rows")
}

// Correlations draws the correlation of each feature with each other as colours. A feature that does not vary has none.
func (s Set) Correlations() *plotting.Figure {
	s, ok := s.drawn("Correlations")
	if !ok {
		return plotting.Fault(s.Err())
	}
	if s.N() < 2 {
		return plotting.Fault(s.fail(fmt.Errorf("the set has one row, and correlations need at least two")).Err())
	}
	z := make([][]float64, s.D())
	for i := range z {
		z[i] = make([]float64, s.D())
		for j := range z[i] {
			z[i][j] = stat.Correlation(mat.Col(nil, i, s.X), mat.Col(nil, j, s.X), nil)
		}
	}
	heat := plotting.Heat(z).Rows(s.FeatureNames...).Columns(s.FeatureNames...).Diverging().Range(-1, 1).Label("correlation")
	if s.D() <= 10 {
		heat = heat.Values("%.2f")
	}
	return plotting.New(heat).Title(s.Name)
}

// Image returns row i as a picture: one slice for each line of pixels, from the top. It fails when the rows are not pictures, or when there
// is no row i.
func (s Set) Image(i int) ([][]float64, error) {
	s, ok := s.step("Image", i)
	if !ok {
		return nil, s.Err()
	}
	if s.shape[0]*s.shape[1] != s.D() {
		return nil, s.fail(fmt.Errorf("the rows of %s are not pictures; .Shaped(height, width) says that they are", s.Name)).Err()
	}
	if i < 0 || i >= s.N() {
		return nil, s.fail(fmt.Errorf("there is no row %d; the rows are 0 ... %d", i, s.N()-1)).Err()
	}
	row := s.X.RawRowView(i)
	z := make([][]float64, s.shape[0])
	for r := range z {
		z[r] = append([]float64(nil), row[r*s.shape[1]:(r+1)*s.shape[1]]...)
	}
	return z, nil
}

// Shaped returns s with each row understood as a picture of height x width pixels, line by line from the top.
func (s Set) Shaped(height, width int) Set {
	s, ok := s.step("Shaped", height, width)
	if !ok {
		return s
	}
	if height < 1 || width < 1 || s.D()%height != 0 || s.D()/height != width {
		return s.fail(fmt.Errorf("a picture of %d x %d does not have the %d pixels of a row", height, width, s.D()))
	}
	s.shape = [2]int{height, width}
	return s
}

// Shape returns height and width of the picture each row holds, or 0, 0.
func (s Set) Shape() (height, width int) { return s.shape[0], s.shape[1] }

// Images draws the given rows as pictures (the first twelve rows when none is given), with their classes.
func (s Set) Images(idx ...int) *plotting.Figure {
	s, ok := s.step("Images", fault.Args(idx)...)
	if !ok {
		return plotting.Fault(s.Err())
	}
	const most = 100
	if len(idx) > most {
		return plotting.Fault(s.fail(fmt.Errorf("%d pictures, but at most %d can be read", len(idx), most)).Err())
	}
	if len(idx) == 0 {
		for i := range min(12, s.N()) {
			idx = append(idx, i)
		}
	}
	var panels []*plotting.Figure
	for _, i := range idx {
		z, err := s.Image(i)
		if err != nil {
			return plotting.Fault(err)
		}
		f := plotting.New(plotting.Heat(z).Image()).NoAxes()
		var title []string
		if s.RowNames != nil {
			title = append(title, s.RowNames[i])
		}
		if s.Y != nil {
			title = append(title, s.ClassNames[s.Y[i]])
		}
		panels = append(panels, f.Title(strings.Join(title, ", ")))
	}
	return plotting.Grid(min(len(panels), 6), panels...).Title(s.Name)
}
