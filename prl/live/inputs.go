package live

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
)

// Inputs are what the reader sets. Each method asks for one input: it says what the input is and where it begins, and returns what the
// reader has set, or the beginning. Whatever the page says, the values are of the promised form and inside the promised limits. An argument
// that makes no sense fails the cell. The zero Inputs give every input as it begins.
type Inputs struct {
	asked []input
	given []value         // by the page, one an input, null for the beginning; may be shorter
	stage *plotting.Stage // where points stand; may be nil
	draft bool
}

// Draft reports whether the hand of the reader moves, so that the next picture is soon there: a function may then look at fewer cases, and
// the picture at rest looks at all. It asks for the same inputs in both.
func (in *Inputs) Draft() bool { return in.draft }

// kinds of input
const (
	slider  = "slider"
	choice  = "choice"
	toggle  = "toggle"
	point   = "point"
	points  = "points"
	ellipse = "ellipse"
	values  = "values"
	table   = "table"
	text    = "text"
	seed    = "seed"
	predict = "predict"
)

// An input as the function describes it. Fields belong to the kinds named.
type input struct {
	kind, name string

	lo, hi  float64 // slider, values, table
	value   float64 // slider: the beginning
	placed  bool
	log     bool
	step    float64
	stepped bool
	words   []string     // choice, predict
	on      bool         // toggle
	xy      [][2]float64 // point, points, ellipse
	panel   int          // point, points, ellipse
	axis    string       // point: "x", "y" or ""
	class   []int        // points; nil without classes
	classes []string     // points
	grow    bool         // points
	turn    bool         // points
	labels  []string     // values
	heights []float64    // values
	sum     float64      // values, table
	summed  bool
	limited bool
	rows    []string    // table
	columns []string    // table
	cells   [][]float64 // table
	text    string      // text
	seed    uint64      // seed

	is any // what the method has returned
}

// Limits of what a page can ask for.
const (
	mostRows  = 500  // of a set that grows
	mostText  = 1000 // characters
	mostValue = 1e9  // size of a number without other limits
	lastSeed  = 1 << 53
)

// ask notes an input and returns what the reader has set for it, or null.
func (in *Inputs) ask(i input) value {
	i.need(strings.TrimSpace(i.name) != "", "name", strconv.Quote(i.name), "a name that tells the reader what moves", "")
	for _, before := range in.asked {
		i.need(before.name != i.name, "name", strconv.Quote(i.name), "a name of its own", "the figure has another input of this name")
	}
	in.asked = append(in.asked, i)
	if k := len(in.asked) - 1; k < len(in.given) {
		return in.given[k]
	}
	return value{}
}

// gave notes what an input returns, and returns it.
func gave[T any](in *Inputs, v T) T {
	in.asked[len(in.asked)-1].is = v
	return v
}

// Slider returns a number from [lo, hi], which begins in the middle. Options: Log, At, Step; with Log and Step(1) it stops at whole
// numbers, ever farther apart.
func (in *Inputs) Slider(name string, lo, hi float64, options ...Option) float64 {
	i := input{kind: slider, name: name, lo: lo, hi: hi}
	i.take(options)
	i.need(number(lo) && number(hi) && lo < hi, "lo, hi", fmt.Sprintf("%v, %v", lo, hi), "two finite numbers with lo < hi", "")
	i.need(!i.log || lo > 0, "lo", lo, "a positive number on a logarithmic scale", "leave live.Log out")
	i.need(!i.stepped || i.step > 0 && i.step <= hi-lo, "step", i.step, "positive and at most hi - lo", "")
	i.need(!i.placed || lo <= i.value && i.value <= hi, "At", i.value, fmt.Sprintf("a number from %v to %v", lo, hi), "")
	if !i.placed {
		i.value = lo/2 + hi/2
		if i.log {
			i.value = math.Sqrt(lo) * math.Sqrt(hi)
		}
	}
	i.value = i.stop(i.value)
	if g := in.ask(i); g.kind == isNumber {
		return gave(in, i.stop(g.number))
	}
	return gave(in, i.value)
}

// stop returns the place of a slider nearest to v.
func (i *input) stop(v float64) float64 {
	v = math.Max(i.lo, math.Min(i.hi, v))
	if !i.stepped {
		return v
	}
	k := math.Round((v - i.lo) / i.step)
	if i.lo+k*i.step > i.hi*(1+1e-12) {
		k--
	}
	v = i.lo + k*i.step
	if r := math.Round(v*1e9) / 1e9; math.Abs(r-v) <= 4e-16*math.Max(math.Abs(i.lo), math.Abs(i.hi)) {
		v = r // 0.3 rather than 0.30000000000000004
	}
	return math.Min(v, i.hi)
}

// Choice returns one of the words, the first to begin with.
func (in *Inputs) Choice(name string, words ...string) string {
	i := input{kind: choice, name: name, words: words}
	i.need(len(words) > 0, "words", "none", "at least one word", "")
	if k, ok := in.ask(i).index(len(words)); ok {
		return gave(in, words[k])
	}
	return gave(in, words[0])
}

// Toggle returns whether a box is ticked; on says how it begins.
func (in *Inputs) Toggle(name string, on bool) bool {
	if g := in.ask(input{kind: toggle, name: name, on: on}); g.kind == isBool {
		return gave(in, g.bool)
	}
	return gave(in, on)
}

// Point returns a point of the plane, which begins at x, y and stays inside its panel. Options: In, Horizontal, Vertical.
func (in *Inputs) Point(name string, x, y float64, options ...Option) (float64, float64) {
	i := input{kind: point, name: name, xy: [][2]float64{{x, y}}}
	i.take(options)
	i.need(number(x) && number(y), "x, y", fmt.Sprintf("%v, %v", x, y), "two finite numbers", "")
	i.need(i.panel >= 0, "In", i.panel, "the number of a panel, from 0", "")
	if at, ok := in.ask(i).numbers(2); ok {
		at[0], at[1] = in.inside(i.panel, at[0], at[1])
		if i.axis != "y" {
			x = at[0]
		}
		if i.axis != "x" {
			y = at[1]
		}
	}
	gave(in, [2]float64{x, y})
	return x, y
}

// inside returns the point of a panel nearest to x, y.
func (in *Inputs) inside(panel int, x, y float64) (float64, float64) {
	if in.stage != nil {
		if xLo, xHi, yLo, yHi, ok := in.stage.Bounds(panel); ok {
			return math.Max(xLo, math.Min(xHi, x)), math.Max(yLo, math.Min(yHi, y))
		}
	}
	return limit(x), limit(y)
}

// limit returns the number nearest to v among those that are not too large.
func limit(v float64) float64 { return math.Max(-mostValue, math.Min(mostValue, v)) }

// Points returns set with its first two features as the reader has dragged its points; all else of the rows stays. Options: In; Turn, to
// change classes; Grow, to add and delete points of a set with two features, whose names of rows are then lost.
func (in *Inputs) Points(name string, set datasets.Set, options ...Option) datasets.Set {
	i := input{kind: points, name: name}
	i.take(options)
	if err := set.Check("Points"); err != nil {
		cell.Fail(err)
	}
	i.need(set.D() >= 2, "set", strconv.Itoa(set.D())+" feature", "at least two features", "")
	i.need(!i.grow || set.D() == 2 && set.Target == nil, "set", "a set of "+strconv.Itoa(set.D())+" features",
		"two features and no target where points are added", "pick two with .Features(a, b), or leave live.Grow out")
	i.need(!i.turn || set.K() > 0, "set", "without classes", "a set whose rows have a class", "leave live.Turn out")
	i.need(i.panel >= 0, "In", i.panel, "the number of a panel, from 0", "")
	x, y := set.Points()
	for k := range x {
		i.xy = append(i.xy, [2]float64{x[k], y[k]})
	}
	i.class, i.classes = set.Y, set.ClassNames
	g := in.ask(i)
	gave(in, set)
	if g.kind != isList || len(g.list) == 0 || !i.grow && len(g.list) != len(x) || len(g.list) > max(mostRows, len(x)) {
		return set
	}
	xy, class := make([]float64, 0, 2*len(g.list)), make([]int, 0, len(g.list))
	for k, p := range g.list {
		turned := value{}
		if p.kind == isList && len(p.list) == 3 {
			p.list, turned = p.list[:2], p.list[2]
		}
		at, ok := p.numbers(2)
		if !ok {
			return set
		}
		px, py := in.inside(i.panel, at[0], at[1])
		if k < len(x) && at[0] == x[k] && at[1] == y[k] {
			px, py = x[k], y[k] // a point that nobody has touched may stand outside
		}
		xy = append(xy, px, py)
		if set.Y == nil {
			continue
		}
		c := 0
		if k < len(set.Y) {
			c = set.Y[k]
		}
		if to, ok := turned.index(set.K()); ok && (i.turn || i.grow) {
			c = to
		}
		class = append(class, c)
	}
	if i.grow {
		set.X = mat.NewDense(len(g.list), 2, xy)
		if len(g.list) != len(x) {
			set.RowNames = nil
		}
	} else {
		set.X = mat.DenseCopyOf(set.X)
		for k := range x {
			set.X.Set(k, 0, xy[2*k])
			set.X.Set(k, 1, xy[2*k+1])
		}
	}
	if set.Y != nil {
		set.Y = class
	}
	return gave(in, set)
}

// Ellipse returns a mean and a 2 x 2 covariance, which the reader moves by three handles: the centre, which takes all along, and the ends
// of the two half axes, which are sqrt(l) v with the eigenvalues l and eigenvectors v of the covariance. The first axis turns and stretches
// the ellipse, the second stretches it across. Half axes stay between a hundredth and a hundred times the longest they begin with. Options:
// In.
func (in *Inputs) Ellipse(name string, mean []float64, cov mat.Symmetric, options ...Option) ([]float64, *mat.SymDense) {
	i := input{kind: ellipse, name: name}
	i.take(options)
	i.need(len(mean) == 2 && number(mean[0]) && number(mean[1]), "mean", fmt.Sprint(mean), "two finite numbers", "")
	i.need(cov != nil && cov.SymmetricDim() == 2, "cov", "of another size", "2 x 2", "")
	i.need(i.panel >= 0, "In", i.panel, "the number of a panel, from 0", "")
	p, q, r := cov.At(0, 0), cov.At(0, 1), cov.At(1, 1)
	middle, half, turn := p/2+r/2, math.Hypot(p/2-r/2, q), 0.5*math.Atan2(2*q, p-r)
	i.need(number(p+q+r) && middle-half > 1e-12*(middle+half), "cov", fmt.Sprintf("(%v %v; %v %v)", p, q, q, r), "positive definite", "")
	a, b, c, s := math.Sqrt(middle+half), math.Sqrt(middle-half), math.Cos(turn), math.Sin(turn)
	i.xy = [][2]float64{{mean[0], mean[1]}, {mean[0] + a*c, mean[1] + a*s}, {mean[0] - b*s, mean[1] + b*c}}
	S := mat.NewSymDense(2, []float64{p, q, q, r})
	m := slices.Clone(mean)
	g := in.ask(i)
	gave(in, moments{m, S})
	if g.kind != isList || len(g.list) != 3 {
		return m, S
	}
	var at [3][]float64
	for k := range at {
		var ok bool
		if at[k], ok = g.list[k].numbers(2); !ok {
			return m, S
		}
		at[k][0], at[k][1] = limit(at[k][0]), limit(at[k][1])
	}
	least, most := a/100, 100*a
	u, v := at[1][0]-at[0][0], at[1][1]-at[0][1]
	if d := math.Hypot(u, v); d > 0 {
		c, s, a = u/d, v/d, math.Max(least, math.Min(most, d))
	}
	b = math.Max(least, math.Min(most, math.Abs(c*(at[2][1]-at[0][1])-s*(at[2][0]-at[0][0]))))
	m[0], m[1] = in.inside(i.panel, at[0][0], at[0][1])
	S.SetSym(0, 0, a*a*c*c+b*b*s*s)
	S.SetSym(0, 1, (a*a-b*b)*c*s)
	S.SetSym(1, 1, a*a*s*s+b*b*c*c)
	return m, S
}

// Values returns numbers that the reader changes by dragging bars, one for each label: priors, losses, a distribution. They run from 0, or
// from twice the least where that is negative, to twice the largest. Options: Sum, Within.
func (in *Inputs) Values(name string, labels []string, start []float64, options ...Option) []float64 {
	i := input{kind: values, name: name, labels: labels, heights: slices.Clone(start)}
	i.take(options)
	i.need(len(start) > 0, "values", "none", "at least one number", "")
	i.need(len(labels) == len(start), "labels", fmt.Sprintf("%d labels", len(labels)), fmt.Sprintf("one a value: %d", len(start)), "")
	if !i.limited {
		i.lo, i.hi = math.Min(0, 2*slices.Min(start)), math.Max(0, 2*slices.Max(start))
		if i.lo == i.hi {
			i.hi = 1
		}
	}
	i.bound("values", start)
	if v, ok := in.ask(i).numbers(len(start)); ok {
		return gave(in, i.fit(v, start))
	}
	return gave(in, slices.Clone(start))
}

// Table returns a matrix whose numbers the reader edits; rows and columns name its sides. Options: Rows, Within.
func (in *Inputs) Table(name string, rows, columns []string, start mat.Matrix, options ...Option) *mat.Dense {
	i := input{kind: table, name: name, rows: rows, columns: columns}
	i.take(options)
	i.need(start != nil, "values", "nil", "a matrix", "")
	n, d := start.Dims()
	i.need(n > 0 && d > 0 && len(rows) == n && len(columns) == d, "values", fmt.Sprintf("a %d x %d matrix", n, d),
		fmt.Sprintf("a number for each of the %d rows and %d columns", len(rows), len(columns)), "")
	if !i.limited {
		i.lo, i.hi = -mostValue, mostValue
	}
	for r := range n {
		i.cells = append(i.cells, mat.Row(nil, r, start))
		i.bound(fmt.Sprintf("row %d", r+1), i.cells[r])
	}
	m := mat.DenseCopyOf(start)
	g := in.ask(i)
	gave(in, m)
	if g.kind != isList || len(g.list) != n {
		return m
	}
	for r, row := range g.list {
		if v, ok := row.numbers(d); ok {
			m.SetRow(r, i.fit(v, i.cells[r]))
		}
	}
	return m
}

// bound checks that the numbers an input begins with are inside its limits, which a sum sets too.
func (i *input) bound(argument string, start []float64) {
	if i.summed {
		i.need(!i.limited, "options", "Within beside a sum", "one of both", "a sum sets the limits itself")
		i.need(number(i.sum) && i.sum > 0, "sum", i.sum, "a positive number", "")
		i.lo, i.hi = 0, i.sum
		total := 0.0
		for _, v := range start {
			total += v
		}
		i.need(math.Abs(total-i.sum) <= 1e-9*i.sum, argument, fmt.Sprintf("the sum %v", total), fmt.Sprintf("the sum %v", i.sum), "")
	}
	i.need(number(i.lo) && number(i.hi) && i.lo < i.hi, "Within", fmt.Sprintf("%v, %v", i.lo, i.hi), "two finite numbers with lo < hi", "")
	for k, v := range start {
		i.need(i.lo <= v && v <= i.hi, fmt.Sprintf("%s[%d]", argument, k), v, fmt.Sprintf("a number from %v to %v", i.lo, i.hi), "")
	}
}

// fit returns v inside the limits and with the sum that are promised; where all of v are 0, no factor makes that sum, and start stands.
func (i *input) fit(v, start []float64) []float64 {
	total := 0.0
	for k := range v {
		v[k] = math.Max(i.lo, math.Min(i.hi, v[k]))
		total += v[k]
	}
	if !i.summed || math.Abs(total-i.sum) <= 1e-12*i.sum {
		return v
	}
	if total < 1e-9*i.sum {
		return slices.Clone(start)
	}
	for k := range v {
		v[k] *= i.sum / total
	}
	return v
}

// Text returns a line of text that the reader types, at most a thousand characters.
func (in *Inputs) Text(name, start string) string {
	start = line(start)
	if g := in.ask(input{kind: text, name: name, text: start}); g.kind == isText {
		return gave(in, line(g.text))
	}
	return gave(in, start)
}

// line returns s as one line of valid text of bounded length.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if runes := []rune(s); len(runes) > mostText {
		return string(runes[:mostText])
	}
	return s
}

// Seed returns the seed of what is drawn at random: 1, and the next number each time the reader asks to draw again.
func (in *Inputs) Seed(name string) uint64 {
	const first = 1
	if k, ok := in.ask(input{kind: seed, name: name, seed: first}).index(lastSeed); ok {
		return gave(in, uint64(k))
	}
	return gave[uint64](in, first)
}

// number reports whether v is finite.
func number(v float64) bool { return v-v == 0 }
