package tree

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Plan is a tree described step by step: New().Entropy().Depth(3).Fit(iris). It is an immutable value.
type Plan struct {
	cell.Chain
	opts  Options
	alpha float64
}

// New begins a plan with the settings of DefaultOptions: Gini index, grown until the leaves are pure.
func New() Plan { return Plan{Chain: cell.Start("Tree"), opts: DefaultOptions()} }

// NewRegression begins a plan of a regression tree.
func NewRegression() Plan {
	return Plan{Chain: cell.Start("RegressionTree"), opts: DefaultOptions()}
}

func (p Plan) step(change func(*Options), name string, args ...any) Plan {
	p.Chain = p.Chain.Step(name, args...)
	change(&p.opts)
	o := p.opts
	o.MaxFeatures = All // checked by the fit, which knows the number of features
	p.Chain = p.Chain.Break(o.check(name, 1))
	return p
}

// Gini splits by the Gini index, the default.
func (p Plan) Gini() Plan { return p.step(func(o *Options) { o.Criterion = Gini }, "Gini") }

// Entropy splits by the information gain.
func (p Plan) Entropy() Plan { return p.step(func(o *Options) { o.Criterion = Entropy }, "Entropy") }

// Error splits by the weighted error of the majority label.
func (p Plan) Error() Plan { return p.step(func(o *Options) { o.Criterion = Error }, "Error") }

// Depth limits the length of a path from the root.
func (p Plan) Depth(n int) Plan { return p.step(func(o *Options) { o.MaxDepth = n }, "Depth", n) }

// MinLeaf sets the least number of rows in a leaf.
func (p Plan) MinLeaf(n int) Plan { return p.step(func(o *Options) { o.MinLeaf = n }, "MinLeaf", n) }

// MinSplit sets the least number of rows in a node that is split.
func (p Plan) MinSplit(n int) Plan {
	return p.step(func(o *Options) { o.MinSplit = n }, "MinSplit", n)
}

// MinGain sets the least decrease of the tree's impurity by a split.
func (p Plan) MinGain(g float64) Plan {
	return p.step(func(o *Options) { o.MinGain = g }, "MinGain", g)
}

// Features draws n features at random for each node.
func (p Plan) Features(n int) Plan {
	return p.step(func(o *Options) { o.MaxFeatures = n }, "Features", n)
}

// Seed sets the seed of the draw of features.
func (p Plan) Seed(seed uint64) Plan { return p.step(func(o *Options) { o.Seed = seed }, "Seed", seed) }

// Weights sets a sample weight for each row.
func (p Plan) Weights(w []float64) Plan {
	w = append([]float64(nil), w...)
	return p.step(func(o *Options) { o.Weights = w }, "Weights", w)
}

// Prune cuts the grown tree back by cost complexity: the subtree that minimises R(T) + alpha |leaves|, with R the tree's own impurity.
func (p Plan) Prune(alpha float64) Plan {
	p.Chain, p.alpha = p.Chain.Step("Prune", alpha).Break(checkAlpha("Prune", alpha)), alpha
	return p
}

// Fit names the data, with classes for New and a target for NewRegression. They are used when a result is asked for.
func (p Plan) Fit(set datasets.Set) Fitted {
	chain := p.Chain.Step("Fit", set).Break(set.CheckClasses("Fit"))
	return Fitted{cell.NewOutcome(chain, func() (*Classifier, error) {
		t, err := Fit(context.Background(), set.X, set.Y, p.opts)
		if err != nil || p.alpha == 0 {
			return t, err
		}
		return t.Prune(p.alpha, p.opts.Criterion)
	}), set, p.opts}
}

// FitTarget names the data of a regression tree; the set needs a numeric target.
func (p Plan) FitTarget(set datasets.Set) FittedRegression {
	chain := p.Chain.Step("FitTarget", set).Break(set.Check("FitTarget"))
	if set.Target == nil {
		chain = chain.Break(fault.Argument("FitTarget", "the data set "+set.Name, "without a target", "a set with a numeric target", "give one with .WithTarget(name, values)"))
	}
	return FittedRegression{cell.NewOutcome(chain, func() (*Regressor, error) {
		t, err := FitRegression(context.Background(), set.X, set.Target, p.opts)
		if err != nil || p.alpha == 0 {
			return t, err
		}
		return t.Prune(p.alpha)
	}), set}
}

// A Fitted is a classification tree with data. Its figures and numbers are computed when they are asked for, and the tree once.
type Fitted struct {
	cell.Outcome[*Classifier]
	set  datasets.Set
	opts Options
}

func (f Fitted) figure(step string, draw func(t *Classifier) (*plotting.Figure, error), args ...any) *plotting.Figure {
	fig, err := cell.End(f.Outcome, draw, step, args...)
	if err != nil {
		return plotting.Fault(err)
	}
	return fig
}

// Predict returns the class index of each row of another set.
func (f Fitted) Predict(set datasets.Set) []int {
	return cell.Must(cell.End(f.Outcome, datasets.On(set, (*Classifier).Predict), "Predict", set))
}

// Accuracy returns the share of the rows of set that are classified right.
func (f Fitted) Accuracy(set datasets.Set) float64 {
	return cell.Must(cell.End(f.Outcome, datasets.Accuracy(set, "Accuracy", (*Classifier).Predict), "Accuracy", set))
}

// Graph draws the tree: each inner node with its test, each leaf with its class and number of rows.
func (f Fitted) Graph() *plotting.Figure {
	return f.figure("Graph", func(t *Classifier) (*plotting.Figure, error) {
		return graph(&t.nodes, f.set, func(n Node) (label, class, note string) {
			c := majority(n.Value)
			name := strconv.Itoa(c)
			if c < len(f.set.ClassNames) {
				name = f.set.ClassNames[c]
			}
			return fmt.Sprintf("%s (%d)", name, n.Rows), name, fmt.Sprintf("%s %.4g\nclass weights %.4g", t.criterion, n.Impurity, n.Value)
		}).Title(t.String()), nil
	})
}

// graph places leaves at equal distances and each parent over the middle of its children.
func graph(t *nodes, set datasets.Set, describe func(Node) (label, class, note string)) *plotting.Figure {
	list := t.list
	at, next := make([]float64, list.len()), 0.0
	for i, n := range list.all() { // preorder visits the leaves from left to right
		if n.Leaf() {
			at[i] = next
			next++
		}
	}
	for i := list.len() - 1; i >= 0; i-- {
		if n := list.at(i); !n.Leaf() {
			at[i] = (at[n.Left] + at[n.Right]) / 2
		}
	}
	var nodes []plotting.Node
	var edges []plotting.Edge
	var texts []plotting.Layer
	for i, n := range list.all() {
		label, class, note := describe(n)
		text := plotting.Text(at[i], -float64(n.Depth), label).Anchor("middle", "top").Offset(0, 9).Size(11).Halo()
		if !n.Leaf() {
			class = ""
			text = plotting.Text(at[i], -float64(n.Depth), fmt.Sprintf("%s ≤ %.4g", set.FeatureNames[n.Feature], n.Threshold)).Anchor("middle", "bottom").Offset(0, -9).Size(11).Halo()
			edges = append(edges, plotting.Edge{From: strconv.Itoa(i), To: strconv.Itoa(n.Left)}, plotting.Edge{From: strconv.Itoa(i), To: strconv.Itoa(n.Right)})
		}
		nodes = append(nodes, plotting.Node{Name: strconv.Itoa(i), Label: " ", X: at[i], Y: -float64(n.Depth), Class: class, Note: note, Size: 13})
		texts = append(texts, text)
	}
	return plotting.New(plotting.Graph(nodes, edges).Directed()).Add(texts...).NoAxes().Caption("A row goes left where the test holds.")
}

// Regions draws data of two features with the decision regions, which are boxes.
func (f Fitted) Regions() *plotting.Figure {
	return f.figure("Regions", func(t *Classifier) (*plotting.Figure, error) {
		return regions("Regions", f.set, t, fmt.Sprintf("%d leaves, training error %.3g", t.Leaves(), 1-f.Accuracy(f.set)))
	})
}

func regions(name string, set datasets.Set, t *Classifier, title string) (*plotting.Figure, error) {
	if err := estimator.CheckPlane(name, set.D()); err != nil {
		return nil, err
	}
	x, y := set.Points()
	return plotting.New(plotting.Regions(func(a, b float64) int { return t.Class([]float64{a, b}) }, set.ClassNames...),
		plotting.Points(x, y).By(set.Y, set.ClassNames...)).X(set.FeatureNames[0]).Y(set.FeatureNames[1]).Title(title), nil
}

// Depths returns a slider over the depth of the tree, with the decision regions of each, for data of two features.
func (f Fitted) Depths() *plotting.Figure {
	return f.figure("Depths", func(t *Classifier) (*plotting.Figure, error) {
		var depths []int
		for d := 1; d <= min(t.Depth(), 12); d++ {
			depths = append(depths, d)
		}
		if len(depths) == 0 {
			return regions("Depths", f.set, t, "one leaf")
		}
		return plotting.Slide("depth", depths, func(d int) *plotting.Figure {
			return f.figure("Depths", func(t *Classifier) (*plotting.Figure, error) {
				part := t.above(d)
				return regions("Depths", f.set, part, fmt.Sprintf("depth %d: %d leaves, impurity %.4g", d, part.Leaves(), part.Impurity()))
			})
		}), nil
	})
}

// above returns the tree cut at depth d: every node there is a leaf.
func (t *Classifier) above(d int) *Classifier {
	leaf := make([]bool, t.list.len())
	for i, n := range t.list.all() {
		leaf[i] = n.Depth >= d
	}
	return &Classifier{newNodes(t.d, t.cut(leaf)), t.classes, t.criterion}
}

// Gains draws the impurity decrease of every candidate threshold of every feature at the root.
func (f Fitted) Gains() *plotting.Figure {
	return f.figure("Gains", func(t *Classifier) (*plotting.Figure, error) {
		var figs []*plotting.Figure
		for j, name := range f.set.FeatureNames {
			list, err := t.criterion.Candidates(mat.Col(nil, j, f.set.X), f.set.Y, f.opts.Weights)
			if err != nil {
				return nil, err
			}
			var x, g []float64
			for _, c := range list {
				x, g = append(x, c.Threshold), append(g, c.Gain)
			}
			figs = append(figs, plotting.New(plotting.Line(x, g).Markers()).X(name).Y("gain ("+t.criterion.String()+")"))
		}
		return plotting.Grid(min(len(figs), 2), figs...).Title("Gain against threshold at the root"), nil
	})
}

// Importances draws the share of each feature in the decrease of impurity.
func (f Fitted) Importances() *plotting.Figure {
	return f.figure("Importances", func(t *Classifier) (*plotting.Figure, error) {
		return plotting.New(plotting.Bars(t.Importances()).Categories(f.set.FeatureNames...).Horizontal()).X("share of the impurity decrease").Title("Importance of the features"), nil
	})
}

// Pruning draws the impurity and the number of leaves of the nested subtrees against alpha.
func (f Fitted) Pruning() *plotting.Figure {
	return f.figure("Pruning", func(t *Classifier) (*plotting.Figure, error) {
		var alpha, risk, leaves []float64
		for _, s := range t.PruningPath(t.criterion) {
			alpha, risk, leaves = append(alpha, s.Alpha), append(risk, s.Risk), append(leaves, float64(s.Leaves))
		}
		return plotting.Row(plotting.New(plotting.Line(alpha, risk).Steps().Markers()).X("alpha").Y("R(T), "+t.criterion.String()).Title("Risk"),
			plotting.New(plotting.Line(alpha, leaves).Steps().Markers()).X("alpha").Y("leaves").Title("Size")), nil
	})
}

// Curves draws the error on the training set and on a test set against the depth.
func (f Fitted) Curves(test datasets.Set) *plotting.Figure {
	return f.figure("Curves", func(t *Classifier) (*plotting.Figure, error) {
		if test.Err() != nil {
			return nil, test.Err()
		}
		var depth, train, unseen []float64
		for d := 0; d <= t.Depth(); d++ {
			part := t.above(d)
			a, err := wrong(part, f.set)
			if err != nil {
				return nil, err
			}
			b, err := wrong(part, test)
			if err != nil {
				return nil, err
			}
			depth, train, unseen = append(depth, float64(d)), append(train, a), append(unseen, b)
		}
		return plotting.New(plotting.Line(depth, train).Markers().Name("training"), plotting.Line(depth, unseen).Markers().Name("test")).X("depth").Y("error").Title("Error against depth"), nil
	}, test)
}

func wrong(t *Classifier, set datasets.Set) (float64, error) {
	if err := set.CheckClasses("Curves"); err != nil {
		return 0, err
	}
	got, err := t.Predict(set.X)
	if err != nil {
		return 0, err
	}
	bad := 0
	for i, c := range got {
		if c != set.Y[i] {
			bad++
		}
	}
	return float64(bad) / float64(len(got)), nil
}

// Rules returns the tree as text, one line a node.
func (f Fitted) Rules() string { return f.Model().Rules(f.set.FeatureNames...) }

// Table lists the nodes.
func (f Fitted) Table() cell.Table {
	t, err := f.Fitted()
	if err != nil {
		return cell.BrokenTable(err)
	}
	table := cell.NewTable("node", "test", "rows", t.criterion.String(), "class").Title(t.String())
	for i, n := range t.list.all() {
		test := "leaf"
		if !n.Leaf() {
			test = fmt.Sprintf("%s ≤ %.4g", f.set.FeatureNames[n.Feature], n.Threshold)
		}
		table = table.Row(i, test, n.Rows, n.Impurity, f.set.ClassNames[majority(n.Value)])
	}
	return table
}

// Show shows the tree, and beside it the regions for data of two features.
func (f Fitted) Show() {
	f.figure("Show", func(t *Classifier) (*plotting.Figure, error) {
		if f.set.D() == 2 {
			return plotting.Column(f.Graph(), f.Regions()), nil
		}
		return f.Graph(), nil
	}).Show()
}

// A FittedRegression is a regression tree with data. Its figures and numbers are computed when they are asked for, and the tree once.
type FittedRegression struct {
	cell.Outcome[*Regressor]
	set datasets.Set
}

// Graph draws the tree: each inner node with its test, each leaf with its mean target and number of rows.
func (f FittedRegression) Graph() *plotting.Figure {
	t, err := f.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	return graph(&t.nodes, f.set, func(n Node) (label, class, note string) {
		return fmt.Sprintf("%.4g (%d)", n.Value[0], n.Rows), "", fmt.Sprintf("mean squared error %.4g", n.Impurity)
	}).Title(t.String())
}

// Curve draws the step function of the tree over the data of one feature.
func (f FittedRegression) Curve() *plotting.Figure {
	t, err := f.Fitted()
	if err != nil {
		return plotting.Fault(err)
	}
	if f.set.D() != 1 {
		err := fault.Argument("Curve", "the data set", fmt.Sprintf("of %d features", f.set.D()), "a set of 1 feature", "choose one with .Features(a)")
		return plotting.Fault(f.Chain.Step("Curve").Break(err).Err())
	}
	x := mat.Col(nil, 0, f.set.X)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		lo, hi = min(lo, v), max(hi, v)
	}
	at, y := []float64{lo}, []float64{t.Value([]float64{lo})}
	for _, n := range t.list.all() { // an in-order walk would be sorted; sorting the cuts is simpler
		if !n.Leaf() {
			at = append(at, n.Threshold)
		}
	}
	at = sortedCopy(append(at, hi))
	var px, py []float64
	for i := 0; i+1 < len(at); i++ {
		v := t.Value([]float64{at[i+1]})
		px, py = append(px, at[i], at[i+1]), append(py, v, v)
	}
	if len(px) == 0 {
		px, py = at, y
	}
	return plotting.New(plotting.Points(x, f.set.Target).Opacity(0.6), plotting.Line(px, py).Accent()).X(f.set.FeatureNames[0]).Y(f.set.TargetName).Title(t.String())
}

// Show shows the tree, and the step function for data of one feature.
func (f FittedRegression) Show() {
	if f.Err() == nil && f.set.D() == 1 {
		plotting.Column(f.Graph(), f.Curve()).Show()
		return
	}
	f.Graph().Show()
}

func sortedCopy(v []float64) []float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v
}
