package reference

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/ensemble"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/tree"
)

func TestTrees(t *testing.T) { run(t, "trees") }

// playTennis is table 3.2 of T. M. Mitchell, Machine Learning, 1997 (J. R. Quinlan 1986): outlook, temperature, humidity, wind, play.
var playTennis = [][]string{
	{"sunny", "hot", "high", "weak", "no"},
	{"sunny", "hot", "high", "strong", "no"},
	{"overcast", "hot", "high", "weak", "yes"},
	{"rain", "mild", "high", "weak", "yes"},
	{"rain", "cool", "normal", "weak", "yes"},
	{"rain", "cool", "normal", "strong", "no"},
	{"overcast", "cool", "normal", "strong", "yes"},
	{"sunny", "mild", "high", "weak", "no"},
	{"sunny", "cool", "normal", "weak", "yes"},
	{"rain", "mild", "normal", "weak", "yes"},
	{"sunny", "mild", "normal", "strong", "yes"},
	{"overcast", "mild", "high", "strong", "yes"},
	{"overcast", "hot", "normal", "weak", "yes"},
	{"rain", "mild", "high", "strong", "no"},
}

// tables returns the counts of no and yes for each value of each attribute.
func tables() map[string][][]float64 {
	out := map[string][][]float64{}
	for j, name := range []string{"outlook", "temperature", "humidity", "wind"} {
		var values []string
		for _, r := range playTennis {
			v := slices.Index(values, r[j])
			if v < 0 {
				v = len(values)
				values, out[name] = append(values, r[j]), append(out[name], make([]float64, 2))
			}
			out[name][v][slices.Index([]string{"no", "yes"}, r[4])]++
		}
	}
	return out
}

func cars(c *check) (*mat.Dense, []float64) {
	X := read(c, "cars.csv")
	return mat.DenseCopyOf(X.Slice(0, 50, 0, 1)), mat.Col(nil, 1, X)
}

var treeCases = runners{
	"gini-play-tennis": func(c *check) {
		c.near("gini", tree.Gini.Impurity(5, 9))
		for name, table := range tables() {
			c.near("decrease."+name, must(tree.Gini.Gain(table)))
		}
	},
	"gain-play-tennis": func(c *check) {
		c.near("entropy", tree.Entropy.Impurity(5, 9))
		for name, table := range tables() {
			c.near("gain."+name, must(tree.Entropy.Gain(table)))
			c.near("ratio."+name, must(tree.GainRatio(table)))
		}
	},
	"tree-gaps-wine": func(c *check) {
		X, y := set(c, datasets.Wine())
		Z := mat.DenseCopyOf(X)
		n, d := Z.Dims()
		for i := range n {
			for j := range d {
				if (7*i+5*j+i*j)%9 == 0 || j == 6 && i%3 == 0 {
					Z.Set(i, j, math.NaN())
				}
			}
		}
		for name, nodes := range map[string][]tree.Node{
			"gini": must(tree.Fit(c.Context(), Z, y, tree.Options{Gaps: true, MaxDepth: 2, MinLeaf: 5})).Nodes(),
			"entropy": must(tree.Fit(c.Context(), Z, y, tree.Options{Gaps: true, Criterion: tree.Entropy, MaxDepth: 3, MinLeaf: 5})).
				Nodes(),
			"regression": must(tree.FitRegression(c.Context(), Z.Slice(0, n, 1, d), mat.Col(nil, 0, X),
				tree.Options{Gaps: true, MaxDepth: 2, MinLeaf: 8})).
				Nodes(),
		} {
			var feature, threshold, gapsLeft, rows, impurity []float64
			for _, v := range nodes {
				left := 0.0
				if v.GapsLeft {
					left = 1
				}
				feature, threshold, gapsLeft = append(feature, float64(v.Feature)), append(threshold, v.Threshold), append(gapsLeft, left)
				rows, impurity = append(rows, float64(v.Rows)), append(impurity, v.Impurity)
			}
			c.near(name+".feature", feature)
			c.near(name+".threshold", threshold)
			c.near(name+".gaps_left", gapsLeft)
			c.near(name+".rows", rows)
			c.near(name+".impurity", impurity)
		}
	},
	"impurity-examples": func(c *check) {
		for name, criterion := range map[string]tree.Criterion{"entropy": tree.Entropy, "gini": tree.Gini, "error": tree.Error} {
			c.near(name, criterion.Impurity(.5, .25, .25))
		}
		a, b, other := [][]float64{{30, 10}, {10, 30}}, [][]float64{{20, 40}, {20, 0}}, [][]float64{{8, 2}, {2, 8}}
		c.near("gini_drops", []float64{must(tree.Gini.Gain(a)), must(tree.Gini.Gain(b))})
		c.near("error_drops", []float64{must(tree.Error.Gain(a)), must(tree.Error.Gain(b))})
		c.near("entropy_drop", must(tree.Entropy.Gain(other)))
		c.near("gini_drop", must(tree.Gini.Gain(other)))
	},
	"c45-threshold-mitchell": func(c *check) {
		x, y := []float64{40, 48, 60, 72, 80, 90}, []int{0, 0, 1, 1, 1, 0}
		gain := map[float64]float64{}
		var change []float64 // thresholds where the class changes
		for i, k := range must(tree.Entropy.Candidates(x, y, nil)) {
			gain[k.Threshold] = k.Gain
			if y[i] != y[i+1] {
				change = append(change, k.Threshold)
			}
		}
		c.near("candidates", change)
		c.near("gain.54", gain[54])
		c.near("gain.85", gain[85])
		o := tree.Options{}
		o.Criterion, o.MaxDepth = tree.Entropy, 1
		c.near("best", must(tree.Fit(c.Context(), column(x...), y, o)).Nodes()[0].Threshold)
	},
	"cart-cars-rpart": func(c *check) {
		x, y := cars(c)
		const root = 650.7796 // the mean squared error of the root, which rpart measures cp by
		o := tree.Options{}
		o.MinSplit, o.MinLeaf, o.MinGain = 20, 7, 0.01*root
		r := must(tree.FitRegression(c.Context(), x, y, o))
		var rows []int
		var sse, mean, splits []float64
		for _, n := range r.Nodes() {
			rows, sse, mean = append(rows, n.Rows), append(sse, n.Impurity*n.Weight), append(mean, n.Value[0])
			if !n.Leaf() {
				splits = append(splits, n.Threshold)
			}
		}
		c.near("splits", splits)
		c.near("node_n", rows)
		c.near("node_sse", sse)
		c.near("node_mean", mean)
		path := r.PruningPath()
		c.near("cp", []float64{path[2].Alpha / root, path[1].Alpha / root})
	},
	"ccp-path-cars": func(c *check) {
		x, y := cars(c)
		o := tree.Options{}
		o.MinLeaf = 5
		r := must(tree.FitRegression(c.Context(), x, y, o))
		var alphas, risks, pruned []float64
		path := r.PruningPath()
		for _, s := range path {
			p := must(r.Prune(s.Alpha))
			alphas, risks, pruned = append(alphas, s.Alpha), append(risks, s.Risk), append(pruned, p.Impurity())
			if p.Leaves() != s.Leaves {
				c.Errorf("pruned at %v: %d leaves, want %d", s.Alpha, p.Leaves(), s.Leaves)
			}
		}
		c.near("ccp_alphas", alphas)
		c.near("impurities", risks)
		c.near("impurities", pruned)
		c.near("leaves_full", path[0].Leaves)
	},
	"ccp-wine": func(c *check) {
		X, y := set(c, datasets.Wine())
		o := tree.Options{}
		o.MinLeaf = 5
		var alphas, risks []float64
		for _, s := range must(tree.Fit(c.Context(), X, y, o)).PruningPath(tree.Gini) {
			alphas, risks = append(alphas, s.Alpha), append(risks, s.Risk)
		}
		c.near("alphas", alphas)
		c.near("risks", risks)
	},
	"cart-iris-rpart": func(c *check) {
		X, y := set(c, datasets.Iris())
		o := tree.Options{}
		o.MinSplit, o.MinLeaf = 20, 7
		m := must(must(tree.Fit(c.Context(), X, y, o)).Prune(0.01*2/3, tree.Error)) // cp 0.01 of the error of the root
		var rows, errors []int
		var thresholds []float64
		for _, n := range m.Nodes() {
			rows, errors = append(rows, n.Rows), append(errors, int(n.Weight*tree.Error.Impurity(n.Value...)+0.5))
			if !n.Leaf() {
				thresholds = append(thresholds, n.Threshold)
			}
		}
		c.near("thresholds", thresholds)
		c.near("rows", rows)
		c.near("errors", errors)
		path := m.PruningPath(tree.Error)
		c.near("cp", []float64{path[len(path)-1].Alpha / (2. / 3), path[len(path)-2].Alpha / (2. / 3)})
	},
	"tree-depth-two-iris": func(c *check) {
		X, y := set(c, datasets.Iris())
		o := tree.Options{}
		o.MaxDepth = 2
		m := must(tree.Fit(c.Context(), X, y, o))
		var rows []int
		var gini []float64
		for _, n := range m.Nodes() {
			if n.Leaf() {
				rows, gini = append(rows, n.Rows), append(gini, n.Impurity)
			}
		}
		c.near("leaves_rows", rows)
		c.near("leaves_gini", gini)
		c.near("impurity", m.Impurity())
		c.near("training_errors", len(wrong(must(m.Predict(X)), y)))
	},
	"forest-iris-oob": func(c *check) {
		X, y := set(c, datasets.Iris())
		for seed := range uint64(5) {
			c.near("oob_error", must(ensemble.Fit(c.Context(), X, y, ensemble.Options{Trees: 500, MaxFeatures: 2, Seed: seed + 1})).OOBError())
		}
	},
	"forest-errors": func(c *check) {
		const seeds = 10
		mean := map[string]float64{}
		for _, s := range []struct {
			name string
			set  datasets.Set
		}{{"wine", datasets.Wine()}, {"cancer", datasets.BreastCancer()}} {
			var even, odd []int
			for i := range s.set.N() {
				if i%2 == 0 {
					even = append(even, i)
				} else {
					odd = append(odd, i)
				}
			}
			train, test := s.set.Rows(even...), s.set.Rows(odd...)
			for seed := range uint64(seeds) {
				o := ensemble.Options{Seed: seed + 1}
				mean[s.name+"_oob"] += must(ensemble.Fit(c.Context(), s.set.X, s.set.Y, o)).OOBError() / seeds
				for _, kind := range []string{"_test", "_extra"} {
					o.Extra = kind == "_extra"
					got := must(must(ensemble.Fit(c.Context(), train.X, train.Y, o)).Predict(test.X))
					mean[s.name+kind] += (1 - estimator.Accuracy(got, test.Y)) / seeds
				}
			}
		}
		X, _ := set(c, datasets.Wine())
		n, d := X.Dims()
		for seed := range uint64(seeds) {
			f := must(ensemble.FitRegression(c.Context(), X.Slice(0, n, 1, d), mat.Col(nil, 0, X), ensemble.Options{MaxFeatures: 4, Seed: seed + 1}))
			mean["regression_oob"] += f.OOBError() / seeds
		}
		for name, v := range mean {
			c.near(name, v)
		}
	},
	"stump-breast-cancer": func(c *check) {
		X, y := set(c, datasets.BreastCancer())
		s, e, err := tree.FitStump(c.Context(), X, y, nil)
		if err != nil {
			c.Fatal(err)
		}
		c.near("errors", int(e*float64(len(y))+0.5))
		c.near("feature", s.Feature)
		c.near("threshold", s.Threshold)
	},
}
