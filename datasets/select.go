package datasets

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// Classes returns the rows of the named classes, which become the classes 0, 1, ... in the order given. Rows keep their order.
func (s Set) Classes(names ...string) Set {
	s, ok := s.step("Classes", fault.Args(names)...)
	if !ok {
		return s
	}
	if len(names) == 0 {
		return s.fail(fmt.Errorf("no class is named; %s has %s", s.Name, list(s.ClassNames)))
	}
	to := make([]int, s.K())
	for i := range to {
		to[i] = -1
	}
	chosen := make([]string, len(names))
	for i, name := range names {
		c, err := s.ClassIndex(name)
		if err != nil {
			return s.fail(err)
		}
		if to[c] >= 0 {
			return s.fail(fmt.Errorf("the class %q is named twice", s.ClassNames[c]))
		}
		to[c], chosen[i] = i, s.ClassNames[c]
	}
	var rows []int
	for i, c := range s.Y {
		if to[c] >= 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return s.fail(fmt.Errorf("no row is of class %s", strings.Join(chosen, " or ")))
	}
	s = s.take(rows)
	for i, c := range s.Y {
		s.Y[i] = to[c]
	}
	s.ClassNames = chosen
	return s
}

// Merge makes one class of several, under a new name: iris.Merge("other", "setosa", "virginica"). The new class stands where the first of
// them stood.
func (s Set) Merge(into string, classes ...string) Set {
	s, ok := s.step("Merge", append([]any{into}, fault.Args(classes)...)...)
	if !ok {
		return s
	}
	if len(classes) == 0 {
		return s.fail(fmt.Errorf("no class is named to go into %q", into))
	}
	merged := make([]bool, s.K())
	for _, name := range classes {
		c, err := s.ClassIndex(name)
		if err != nil {
			return s.fail(err)
		}
		merged[c] = true
	}
	to, target := make([]int, s.K()), -1
	var names []string
	for c, name := range s.ClassNames {
		switch {
		case !merged[c]:
			to[c], names = len(names), append(names, name)
		case target < 0:
			target = len(names)
			to[c], names = target, append(names, into)
		default:
			to[c] = target
		}
	}
	if twice := duplicate(names); twice != "" {
		return s.fail(fmt.Errorf("there is a class %q already", twice))
	}
	y := make([]int, len(s.Y))
	for i, c := range s.Y {
		y[i] = to[c]
	}
	s.Y, s.ClassNames = y, names
	return s
}

// Features returns the named columns, in the order given. Case and the difference of blank, dot, dash and underscore do not matter.
func (s Set) Features(names ...string) Set {
	s, ok := s.step("Features", fault.Args(names)...)
	if !ok {
		return s
	}
	if len(names) == 0 {
		return s.fail(fmt.Errorf("no feature is named; %s has %s", s.Name, list(s.FeatureNames)))
	}
	columns := make([]int, len(names))
	used := make([]bool, s.D())
	for i, name := range names {
		j, err := s.FeatureIndex(name)
		if err != nil {
			return s.fail(err)
		}
		if used[j] {
			return s.fail(fmt.Errorf("the feature %q is named twice", s.FeatureNames[j]))
		}
		used[j], columns[i] = true, j
	}
	X := mat.NewDense(s.N(), len(columns), nil)
	chosen, units := make([]string, len(columns)), make([]string, len(columns))
	for k, j := range columns {
		chosen[k] = s.FeatureNames[j]
		units[k] = s.unit(j)
		for i := range s.N() {
			X.Set(i, k, s.X.At(i, j))
		}
	}
	s.X, s.FeatureNames, s.shape = X, chosen, [2]int{}
	if s.Units != nil {
		s.Units = units
	}
	if s.Words != nil {
		words := make([][]string, len(columns))
		for k, j := range columns {
			words[k] = s.words(j)
		}
		s.Words = words
	}
	return s
}

// Rows returns the rows with the given indices (from 0), in the order given; an index may occur again.
func (s Set) Rows(idx ...int) Set {
	s, ok := s.step("Rows", fault.Args(idx)...)
	if !ok {
		return s
	}
	if len(idx) == 0 {
		return s.fail(fmt.Errorf("no row is named"))
	}
	for _, i := range idx {
		if i < 0 || i >= s.N() {
			return s.fail(fmt.Errorf("there is no row %d; the rows are 0 ... %d", i, s.N()-1))
		}
	}
	return s.take(idx)
}

// take returns the rows idx, which exist.
func (s Set) take(idx []int) Set {
	X := mat.NewDense(len(idx), s.D(), nil)
	var y []int
	if s.Y != nil {
		y = make([]int, len(idx))
	}
	var target []float64
	if s.Target != nil {
		target = make([]float64, len(idx))
	}
	var names []string
	if s.RowNames != nil {
		names = make([]string, len(idx))
	}
	for to, from := range idx {
		X.SetRow(to, s.X.RawRowView(from))
		if y != nil {
			y[to] = s.Y[from]
		}
		if target != nil {
			target[to] = s.Target[from]
		}
		if names != nil {
			names[to] = s.RowNames[from]
		}
	}
	s.X, s.Y, s.Target, s.RowNames = X, y, target, names
	return s
}

// ClassIndex returns the number of the class of that name. The error lists the classes and the likeliest one.
func (s Set) ClassIndex(name string) (int, error) {
	if s.K() == 0 {
		return 0, fmt.Errorf("the rows of %s have no class", s.Name)
	}
	return find("class", name, s.ClassNames)
}

// Names returns the names of classes, such as a model predicts: iris.Names(lda.Predict(rows)). A class that the set has not is its number.
func (s Set) Names(classes []int) []string {
	names := make([]string, len(classes))
	for i, k := range classes {
		if names[i] = strconv.Itoa(k); k >= 0 && k < len(s.ClassNames) {
			names[i] = s.ClassNames[k]
		}
	}
	return names
}

// FeatureIndex returns the column of the feature of that name. The error lists the features and the likeliest one.
func (s Set) FeatureIndex(name string) (int, error) { return find("feature", name, s.FeatureNames) }

func find(kind, name string, names []string) (int, error) {
	for i, n := range names {
		if n == name {
			return i, nil
		}
	}
	plain := plainName(name)
	for i, n := range names {
		if plainName(n) == plain {
			return i, nil
		}
	}
	text := fmt.Sprintf("there is no %s %q", kind, name)
	if hint := cell.Suggest(name, names); hint != "" {
		text += "; " + hint
	}
	return 0, fmt.Errorf("%s (there are %s)", text, list(names))
}

var blanks = strings.NewReplacer("_", " ", "-", " ", ".", " ")

func plainName(s string) string {
	return strings.Join(strings.Fields(blanks.Replace(strings.ToLower(s))), " ")
}

func list(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// Column returns a copy of the named feature's values, one for each row. A wrong name ends the cell with an explanation; a program can ask
// FeatureIndex first.
func (s Set) Column(name string) []float64 {
	s, ok := s.step("Column", name)
	if !ok {
		cell.Fail(s.Err())
		return nil
	}
	j, err := s.FeatureIndex(name)
	if err != nil {
		cell.Fail(s.fail(err).Err())
		return nil
	}
	return mat.Col(nil, j, s.X)
}

// Class returns the rows of one class. A wrong name ends the cell with an explanation; a program can use Classes and Err.
func (s Set) Class(name string) *mat.Dense {
	one, ok := s.step("Class", name)
	if !ok {
		cell.Fail(one.Err())
		return nil
	}
	c, err := one.ClassIndex(name)
	if err != nil {
		cell.Fail(one.fail(err).Err())
		return nil
	}
	var rows []int
	for i, label := range one.Y {
		if label == c {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		cell.Fail(one.fail(fmt.Errorf("no row is of class %q", name)).Err())
		return nil
	}
	return one.take(rows).X
}

// Points returns the first two columns, as a chart wants them; with one feature, y is all zero.
func (s Set) Points() (x, y []float64) {
	s, ok := s.step("Points")
	if !ok {
		cell.Fail(s.Err())
		return nil, nil
	}
	x = mat.Col(nil, 0, s.X)
	if s.D() == 1 {
		return x, make([]float64, len(x))
	}
	return x, mat.Col(nil, 1, s.X)
}

// Signs returns the classes of a two-class set as -1 (class 0) and +1 (class 1), as perceptrons and margins want them.
func (s Set) Signs() []float64 {
	s, ok := s.step("Signs")
	if ok && s.K() != 2 {
		s, ok = s.fail(fmt.Errorf("%d classes, but signs need 2; pick two with .Classes(a, b)", s.K())), false
	}
	if !ok {
		cell.Fail(s.Err())
		return nil
	}
	signs := make([]float64, len(s.Y))
	for i, c := range s.Y {
		signs[i] = float64(2*c - 1)
	}
	return signs
}

func (s Set) unit(j int) string {
	if j < len(s.Units) {
		return s.Units[j]
	}
	return ""
}

// featureLabel returns "petal length (cm)".
func (s Set) featureLabel(j int) string {
	if u := s.unit(j); u != "" {
		return s.FeatureNames[j] + " (" + u + ")"
	}
	return s.FeatureNames[j]
}
