package tree

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// Graph draws the model as nodes and edges: the tree, each inner node with its test, each leaf with its class and number of rows.
func (p Plan) Graph() *plotting.Figure {
	return plan.Figure(p, "Graph", func(t *Classifier) (*plotting.Figure, error) {
		return graph(&t.nodes, func(n Node) (label, class, note string) {
			c := estimator.Argmax(n.Value)
			name := t.ClassName(c)
			return fmt.Sprintf("%s (%d)", name, n.Rows), name, fmt.Sprintf("%s %.4g\nclass weights %.4g", t.criterion, n.Impurity, n.Value)
		}).Title(t.String()), nil
	})
}

// graph places leaves at equal distances and each parent over the middle of its children.
func graph(t *nodes, describe func(Node) (label, class, note string)) *plotting.Figure {
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
		name, x, y := strconv.Itoa(i), at[i], -float64(n.Depth)
		text := plotting.Text(x, y, label).Anchor("middle", "top").Offset(0, 9).Size(11).Halo()
		if !n.Leaf() {
			class = ""
			text = plotting.Text(x, y, t.test(n)).Anchor("middle", "bottom").Offset(0, -9).Size(11).Halo()
			edges = append(edges, plotting.Edge{From: name, To: strconv.Itoa(n.Left)}, plotting.Edge{From: name, To: strconv.Itoa(n.Right)})
		}
		nodes = append(nodes, plotting.Node{Name: name, Label: " ", X: x, Y: y, Class: class, Note: note, Size: 13})
		texts = append(texts, text)
	}
	return plotting.New(plotting.Graph(nodes, edges).Directed()).Add(texts...).NoAxes().Caption("A row goes left where the test holds.")
}

// above returns the tree cut at depth d: every node there is a leaf.
func (t *Classifier) above(d int) *Classifier {
	leaf := make([]bool, t.list.len())
	for i, n := range t.list.all() {
		leaf[i] = n.Depth >= d
	}
	return &Classifier{t.part(leaf), t.classes, t.criterion}
}

// Gains draws the impurity decrease of every candidate threshold of every feature at the root.
func (p Plan) Gains() *plotting.Figure {
	return plan.Figure(p, "Gains", func(t *Classifier) (*plotting.Figure, error) {
		set := plan.Data(p)
		if err := set.CheckNumbers("Gains"); err != nil {
			return nil, err
		}
		var figs []*plotting.Figure
		for j, name := range set.FeatureNames {
			list, err := t.criterion.Candidates(mat.Col(nil, j, set.X), set.Y, plan.Options(p).Weights)
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
func (p Plan) Importances() *plotting.Figure {
	return plan.Figure(p, "Importances", func(t *Classifier) (*plotting.Figure, error) {
		return plan.Importance(plan.Data(p).FeatureNames, t.Importances(), "share of the impurity decrease"), nil
	})
}

// Pruning draws the impurity and the number of leaves of the nested subtrees against alpha.
func (p Plan) Pruning() *plotting.Figure {
	return plan.Figure(p, "Pruning", func(t *Classifier) (*plotting.Figure, error) {
		var alpha, risk, leaves []float64
		for _, s := range t.PruningPath(t.criterion) {
			alpha, risk, leaves = append(alpha, s.Alpha), append(risk, s.Risk), append(leaves, float64(s.Leaves))
		}
		return plotting.Row(plotting.New(plotting.Line(alpha, risk).Steps().Markers()).X("alpha").Y("R(T), "+t.criterion.String()).Title("Risk"),
			plotting.New(plotting.Line(alpha, leaves).Steps().Markers()).X("alpha").Y("leaves").Title("Size")), nil
	})
}

// Curves draws errors on the data of the fit and on others: against the depth of the tree.
func (p Plan) Curves(test ...datasets.Set) *plotting.Figure {
	return plan.Figure(p, "Curves", func(t *Classifier) (*plotting.Figure, error) {
		fig := plotting.New()
		for i, set := range append([]datasets.Set{plan.Data(p)}, test...) {
			if err := set.CheckLabels("Curves"); err != nil {
				return nil, err
			}
			set, err := plan.Admitted(t, "Curves", set)
			if err != nil {
				return nil, err
			}
			var depth, errors []float64
			for d := 0; d <= t.Depth(); d++ {
				got, err := t.above(d).Predict(set.X)
				if err != nil {
					return nil, err
				}
				depth, errors = append(depth, float64(d)), append(errors, 1-estimator.Accuracy(got, set.Y))
			}
			name := "training error"
			if i > 0 {
				name = "test error"
			}
			if i > 1 {
				name += " " + strconv.Itoa(i)
			}
			fig = fig.Add(plotting.Line(depth, errors).Markers().Name(name))
		}
		return fig.X("depth").Y("error").Title("Error against depth"), nil
	}, fault.Args(test)...)
}

// Rules returns the tree as text, one line a node.
func (p Plan) Rules() string {
	return plan.Value(p, "Rules", func(t *Classifier) (string, error) { return t.Rules(plan.Data(p).FeatureNames...), nil })
}

// Table lists parameters and diagnostics: the nodes.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(t *Classifier) (cell.Table, error) {
		table := cell.NewTable("node", "test", "rows", t.criterion.String(), "class").Title(t.String())
		for i, n := range t.list.all() {
			table = table.Row(i, t.test(n), n.Rows, n.Impurity, t.ClassName(estimator.Argmax(n.Value)))
		}
		return table, nil
	})
}

// Show shows the picture or table that says most: the tree, and below it the regions for data of two features.
func (p Plan) Show() {
	if set := plan.Data(p); p.Err() == nil && set.D() == 2 && set.CheckNumbers("Show") == nil {
		plotting.Column(p.Graph(), p.Regions()).Show()
		return
	}
	p.Graph().Show()
}

// Graph draws the model as nodes and edges: the tree, each inner node with its test, each leaf with its mean target and number of rows.
func (p RegressionPlan) Graph() *plotting.Figure {
	return plan.Figure(p, "Graph", func(t *Regressor) (*plotting.Figure, error) {
		return graph(&t.nodes, func(n Node) (label, class, note string) {
			return fmt.Sprintf("%.4g (%d)", n.Value[0], n.Rows), "", fmt.Sprintf("mean squared error %.4g", n.Impurity)
		}).Title(t.String()), nil
	})
}

// Curve draws what was fitted, over the data of one feature: the step function of the tree.
func (p RegressionPlan) Curve() *plotting.Figure {
	return plan.Figure(p, "Curve", func(t *Regressor) (*plotting.Figure, error) {
		set := plan.Data(p)
		x, err := plan.Line(set, "Curve")
		if err != nil {
			return nil, err
		}
		at := []float64{slices.Min(x), slices.Max(x)}
		for _, n := range t.list.all() {
			if !n.Leaf() {
				at = append(at, n.Threshold)
			}
		}
		slices.Sort(at)
		var steps, values []float64
		for i, b := range at[1:] {
			v := t.Value(b)
			steps, values = append(steps, at[i], b), append(values, v, v)
		}
		return plotting.New(plotting.Points(x, set.Target).Opacity(0.6), plotting.Line(steps, values).Accent()).
			X(set.FeatureNames[0]).Y(set.TargetName).Title(t.String()), nil
	})
}

// Table lists parameters and diagnostics: the nodes.
func (p RegressionPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(t *Regressor) (cell.Table, error) {
		table := cell.NewTable("node", "test", "rows", "mean squared error", "mean").Title(t.String())
		for i, n := range t.list.all() {
			table = table.Row(i, t.test(n), n.Rows, n.Impurity, n.Value[0])
		}
		return table, nil
	})
}

// Show shows the picture or table that says most: the tree, and below it the step function for data of one feature.
func (p RegressionPlan) Show() {
	if set := plan.Data(p); p.Err() == nil && set.D() == 1 && set.CheckNumbers("Show") == nil {
		plotting.Column(p.Graph(), p.Curve()).Show()
		return
	}
	p.Graph().Show()
}
