package selection

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// Settings are the places of a search: the function that builds a plan asks them for its numbers, and thereby says what is searched.
type Settings struct {
	axes []axis
	at   []int // which value of each axis; nil: the first
	next int
	err  error
}

type axis struct {
	name   string
	values []float64
}

// Over returns one of the values of a setting. The function that builds the plan asks for the same settings in the same order, with the
// same values, whenever it is called.
func (s *Settings) Over(name string, values ...float64) float64 {
	k := s.next
	s.next++
	if len(values) == 0 {
		s.fail(fault.Argument("Over", name, "without values", "at least one", ""))
		return math.NaN()
	}
	if s.at == nil {
		for _, a := range s.axes {
			if a.name == name {
				s.fail(fault.Argument("Over", "the name", fmt.Sprintf("%q twice", name), "a name of its own for each setting", ""))
			}
		}
		s.axes = append(s.axes, axis{name, slices.Clone(values)})
		return values[0]
	}
	if k >= len(s.axes) || s.axes[k].name != name || len(s.axes[k].values) != len(values) {
		s.fail(
			fault.Argument(
				"Over",
				name,
				"not among the settings of the first call",
				"the same settings at every call",
				"ask for all of them before any if",
			),
		)
		return values[0]
	}
	return s.axes[k].values[s.at[k]]
}

func (s *Settings) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// build calls f at a place.
func build[P plan.Trainable](f func(*Settings) P, axes []axis, at []int) (P, []axis, error) {
	s := &Settings{axes: axes, at: at}
	p := f(s)
	if s.err == nil && at != nil && s.next != len(axes) {
		s.fail(
			fault.Argument(
				"Over",
				"the settings",
				fmt.Sprintf("%d of %d", s.next, len(axes)),
				"the same at every call",
				"ask for all of them before any if",
			),
		)
	}
	if s.err == nil && any(p) == nil {
		s.fail(fault.Argument("Grid", "the plan", "nil", "a plan", ""))
	}
	if s.err == nil {
		s.fail(plan.Settled(p))
	}
	return p, s.axes, s.err
}

// A Grid is a search over settings: the plan that does best in a cross-validation.
//
//	PlanGrid(func(g *Settings) svm.Plan { return svm.PlanSVM().RBF(g.Over("gamma", 0.1, 1, 10)).C(g.Over("C", 1, 10)) }).Fit(iris)
type Grid[P plan.Trainable] struct {
	plan.Plan[*Search, searching[P]]
}

type searching[P plan.Trainable] struct {
	dealing
	Random  int
	Nested  int
	Trained bool
	build   func(*Settings) P
}

// A Search is what became of each place of a grid.
type Search struct {
	Names  []string    // of the settings
	Values [][]float64 // of each setting, what is tried
	Places [][]int     // which value of each setting, a row for each place tried
	Scores []float64   // mean over the folds, of each place; NaN of one that failed
	Spread []float64   // standard deviation over the folds, of each place
	Failed []error     // why a place failed, nil for one that did not
	Best   int         // the place of the best mean, of those that did not fail
	Score  string      // what Scores are
	Outer  []float64   // with Nested, the scores of the whole search on rows it has not seen

	Training, TrainingSpread []float64 // with Training, Scores and Spread of the training rows themselves

	train int // rows to train and to test on in an outer fold
	test  int
	set   string
}

// PlanGrid begins a search over all places of the grid that the function asks for, each judged by a cross-validation of 5 folds.
func PlanGrid[P plan.Trainable](f func(*Settings) P) Grid[P] {
	o := searching[P]{dealing: dealing{Folds: 5, Repeats: 1, Seed: 1}, build: f}
	spec := plan.Spec[*Search, searching[P]]{
		Name: "Grid", Options: o, Needs: plan.Rows, Raw: true,
		Check: func(step string, o searching[P]) error {
			if f == nil {
				return fault.Argument(step, "the function", "nil", "a function that builds a plan", "")
			}
			if o.Random < 0 {
				return fault.Argument(step, "places", o.Random, "at least 1", "")
			}
			if o.Nested != 0 && o.Nested < 2 {
				return fault.Argument(step, "folds", o.Nested, "at least 2", "")
			}
			return o.check(step)
		},
		Fit: func(ctx context.Context, set datasets.Set, o searching[P]) (*Search, error) {
			_, axes, err := build(o.build, nil, nil)
			if err != nil {
				return nil, err
			}
			fits, err := o.fits(axes)
			if err != nil {
				return nil, err
			}
			bar := cell.NewProgress("fits of "+set.Name, fits*(o.Nested+1)+o.Nested)
			defer bar.Done()
			s, err := search(ctx, set, o, axes, bar)
			if err != nil || o.Nested == 0 {
				return s, err
			}
			outer := o.dealing
			outer.Folds = o.Nested
			splits, err := outer.splits(set)
			if err != nil {
				return nil, err
			}
			s.train, s.test = len(splits[0].Train), len(splits[0].Test)
			for i, part := range splits {
				train := set.Rows(part.Train...)
				inside := o
				if o.Groups != nil {
					inside.Groups = picked(o.Groups, part.Train, nil)
				}
				inner, err := search(ctx, train, inside, axes, bar)
				if err != nil {
					return nil, fmt.Errorf("outer split %d: %w", i+1, err)
				}
				p, _, err := build(o.build, inner.axes(), inner.Places[inner.Best])
				if err != nil {
					return nil, err
				}
				v, err := validate(ctx, p, set, splits[i:i+1], o.dealing, false, bar)
				if err != nil {
					return nil, err
				}
				s.Outer = append(s.Outer, v.Scores[0])
			}
			return s, nil
		},
	}
	return Grid[P]{plan.New(spec)}
}

func (s *Search) axes() []axis {
	out := make([]axis, len(s.Names))
	for i := range out {
		out[i] = axis{s.Names[i], s.Values[i]}
	}
	return out
}

const mostPlaces = 1e5

// fits is how many fits a search makes on one set.
func (o searching[P]) fits(axes []axis) (int, error) {
	places := 1.0
	for _, a := range axes {
		places *= float64(len(a.values))
	}
	if places > mostPlaces {
		return 0, fault.Argument(
			"Grid",
			"the grid",
			fmt.Sprintf("of %.0f places", places),
			"at most 100,000",
			"try fewer values, or draw places with Random",
		)
	}
	n := int(places)
	if o.Random > 0 {
		n = min(n, o.Random)
	}
	return n * o.Folds * o.Repeats, nil
}

// search tries the places of a grid on the folds of a set.
func search[P plan.Trainable](ctx context.Context, set datasets.Set, o searching[P], axes []axis, bar *cell.Progress) (*Search, error) {
	s := &Search{set: set.Name}
	for _, a := range axes {
		s.Names, s.Values = append(s.Names, a.name), append(s.Values, a.values)
	}
	s.Places = [][]int{{}}
	for _, a := range axes {
		var longer [][]int
		for _, at := range s.Places {
			for v := range a.values {
				longer = append(longer, append(at[:len(at):len(at)], v))
			}
		}
		s.Places = longer
	}
	if o.Random > 0 && o.Random < len(s.Places) {
		random := rand.New(rand.NewPCG(o.Seed, 0x9e1d))
		random.Shuffle(len(s.Places), func(i, j int) { s.Places[i], s.Places[j] = s.Places[j], s.Places[i] })
		s.Places = s.Places[:o.Random]
		slices.SortFunc(s.Places, slices.Compare)
	}
	splits, err := o.splits(set)
	if err != nil {
		return nil, err
	}
	plans := make([]plan.Trainable, len(s.Places))
	var judge score
	for i, at := range s.Places {
		p, _, err := build(o.build, axes, at)
		if err != nil {
			return nil, err
		}
		by, err := judgeOf(p, set, splits, o.dealing)
		if err == nil && i > 0 && by.name != judge.name {
			err = fault.Argument("Grid", "the plan", plan.Settings(p), "plans of one kind, all classifiers or all regressions", "")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plan.Settings(p), err)
		}
		judge = by
		plans[i] = p
	}
	scores, trained := make([][]float64, len(plans)), make([][]float64, len(plans))
	for i := range plans {
		scores[i], trained[i] = make([]float64, len(splits)), make([]float64, len(splits))
	}
	failed, err := trials(ctx, plans, set, splits, judge, o.Trained, bar, func(p, split int, t tried) {
		scores[p][split], trained[p][split] = t.score, t.trained
	})
	if err != nil {
		return nil, err
	}
	s.Score, s.Best = judge.name, -1
	for i := range plans {
		err := firstOf(failed[i])
		m := mean(scores[i])
		if err != nil {
			m = math.NaN()
		}
		s.Scores, s.Spread, s.Failed = append(s.Scores, m), append(s.Spread, spread(scores[i])), append(s.Failed, err)
		if err == nil && (s.Best < 0 || better(judge, m, s.Scores[s.Best])) {
			s.Best = i
		}
		if o.Trained {
			s.Training, s.TrainingSpread = append(s.Training, mean(trained[i])), append(s.TrainingSpread, spread(trained[i]))
		}
	}
	if s.Best < 0 {
		return nil, fmt.Errorf("%s: %w", plan.Settings(plans[0]), s.Failed[0])
	}
	return s, nil
}

// At returns the value of each setting at a place.
func (s *Search) At(place int) []float64 {
	out := make([]float64, len(s.Names))
	for i, v := range s.Places[place] {
		out[i] = s.Values[i][v]
	}
	return out
}

// Generalisation returns the mean score of the whole search on rows it has not seen, with its interval. Errors: a search without Nested.
func (s *Search) Generalisation(confidence float64) (assess.Interval, error) {
	if s.Outer == nil {
		return assess.Interval{}, fault.Argument(
			"Generalisation",
			"the search",
			"not nested",
			"a search with outer folds",
			"append .Nested(5) to the grid",
		)
	}
	i, err := assess.Mean(s.Outer, s.train, s.test, confidence)
	i.Lo, i.Hi = max(i.Lo, s.judge().lo), min(i.Hi, s.judge().hi)
	return i, err
}

// Fit names the data.
func (p Grid[P]) Fit(set datasets.Set) Grid[P] { return plan.Fit(p, set) }

// Folds sets the number of folds; the default is 5.
func (p Grid[P]) Folds(k int) Grid[P] {
	return plan.With(p, "Folds", func(o *searching[P]) { o.Folds = k }, k)
}

// Repeats deals the rows so many times again for each place.
func (p Grid[P]) Repeats(times int) Grid[P] {
	return plan.With(p, "Repeats", func(o *searching[P]) { o.Repeats = times }, times)
}

// Seed sets the seed of everything drawn at random: by which rows are dealt to folds, and places drawn; the default is 1.
func (p Grid[P]) Seed(seed uint64) Grid[P] {
	return plan.With(p, "Seed", func(o *searching[P]) { o.Seed = seed }, seed)
}

// Score judges by another score, as CrossValidation.Score does.
func (p Grid[P]) Score(name string) Grid[P] {
	return plan.With(p, "Score", func(o *searching[P]) { o.Score = name }, name)
}

// Loss sets the loss of each answer (row) for each true class (column): the places are judged by their mean, the score "cost".
func (p Grid[P]) Loss(rows ...[]float64) Grid[P] {
	return plan.With(p, "Loss", func(o *searching[P]) { o.Loss = rows }, fault.Args(rows)...)
}

// Random tries only so many places, drawn without replacement. Source: Bergstra and Bengio, Journal of Machine Learning Research 13 (2012).
func (p Grid[P]) Random(places int) Grid[P] {
	return plan.With(p, "Random", func(o *searching[P]) { o.Random = places }, places)
}

// Nested judges the search itself: in each of k outer folds the whole search is done on the training rows, and its best plan scored on the
// test rows. The score of the best place is too good to be believed, as it was chosen for it; this one is not.
func (p Grid[P]) Nested(k int) Grid[P] {
	return plan.With(p, "Nested", func(o *searching[P]) { o.Nested = k }, k)
}

// Groups keeps rows of one group in one fold.
func (p Grid[P]) Groups(groups []int) Grid[P] {
	groups = slices.Clone(groups)
	return plan.With(p, "Groups", func(o *searching[P]) { o.Groups = groups }, groups)
}

// Forward takes the rows in their order as time, and predicts no fold from its future.
func (p Grid[P]) Forward() Grid[P] {
	return plan.With(p, "Forward", func(o *searching[P]) { o.Ordered = true })
}

// Training scores each place on its training rows as well. Beside the score on the test rows it tells a model that is too stiff, where both
// are low, from one that learns its rows by heart, where they lie far apart: the curve of one setting is then a validation curve.
func (p Grid[P]) Training() Grid[P] {
	return plan.With(p, "Training", func(o *searching[P]) { o.Trained = true })
}

// Best returns the plan at the best place, with the data of the search.
func (p Grid[P]) Best() P {
	return plan.Value(p, "Best", func(s *Search) (P, error) {
		best, _, err := build(plan.Options(p).build, s.axes(), s.Places[s.Best])
		if err != nil {
			return best, err
		}
		return plan.On(best, plan.Data(p)), nil
	})
}

// Table lists parameters and diagnostics: the score of the places, the best first, at most fifty of them. A place that failed has a row
// with the reason, after the others.
func (p Grid[P]) Table() cell.Table {
	return plan.Table(p, "Table", func(s *Search) (cell.Table, error) {
		order := make([]int, len(s.Places))
		for i := range order {
			order[i] = i
		}
		by := s.judge()
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case s.Failed[a] == nil && (s.Failed[b] != nil || better(by, s.Scores[a], s.Scores[b])):
				return -1
			case s.Failed[b] == nil && (s.Failed[a] != nil || better(by, s.Scores[b], s.Scores[a])):
				return 1
			}
			return 0
		})
		heads := append(slices.Clone(s.Names), s.Score, "standard deviation")
		if s.Training != nil {
			heads = append(heads, s.Score+" on training rows")
		}
		t := cell.NewTable(heads...)
		for _, i := range order[:min(50, len(order))] {
			row := append(fault.Args(s.At(i)), s.Scores[i], s.Spread[i])
			if s.Training != nil {
				row = append(row, s.Training[i])
			}
			if s.Failed[i] != nil {
				row[len(s.Names)], row[len(s.Names)+1] = "failed: "+s.Failed[i].Error(), ""
			}
			t = t.Row(row...)
		}
		note := fmt.Sprintf("%d places on folds of %s", len(s.Places), s.set)
		if s.Outer != nil {
			g, err := s.Generalisation(0.95)
			if err != nil {
				return t, err
			}
			note += fmt.Sprintf("; the whole search on rows it has not seen: %s, 95 %% interval %s to %s",
				cell.Number(g.Estimate), cell.Number(g.Lo), cell.Number(g.Hi))
		}
		return t.Title(p.String()).Note(note), nil
	})
}

func (s *Search) judge() score {
	judge, _ := scoreOf("Grid", s.Score, slices.Concat(classifying, regressing)) // a name that the search has given itself
	return judge
}

// Heat draws the matrix of numbers as colours: the score over two settings, the first by row; of more settings it takes the best value of
// the others.
func (p Grid[P]) Heat() *plotting.Figure {
	return plan.Figure(p, "Heat", func(s *Search) (*plotting.Figure, error) {
		if len(s.Names) < 2 {
			return nil, fault.Argument("Heat", "the settings", fmt.Sprintf("%d", len(s.Names)), "at least 2", "draw one with Curve")
		}
		z := make([][]float64, len(s.Values[0]))
		for i := range z {
			z[i] = make([]float64, len(s.Values[1]))
			for j := range z[i] {
				z[i][j] = math.NaN()
			}
		}
		by := s.judge()
		for i, at := range s.Places {
			if old := &z[at[0]][at[1]]; math.IsNaN(*old) || better(by, s.Scores[i], *old) {
				*old = s.Scores[i]
			}
		}
		format := "" // of scores without a bound, such as errors
		if by.hi <= 2 && by.lo >= -1 {
			format = "%.3f"
		}
		heat := plotting.Heat(z).Rows(words(s.Values[0])...).Columns(words(s.Values[1])...).Values(format)
		if lo, hi, note, ok := s.contrast(by); ok {
			heat = heat.Range(lo, hi).Label(s.Score + note)
		} else {
			heat = heat.Label(s.Score)
		}
		return plotting.New(heat).
			Y(s.Names[0]).X(s.Names[1]).Title(p.title(s)), nil
	})
}

// contrast is the range of colours in which the good places differ, where a few bad ones would take up the ramp: those that are farther
// from the best than three times the median look alike.
func (s *Search) contrast(by score) (lo, hi float64, note string, ok bool) {
	v := slices.DeleteFunc(slices.Sorted(slices.Values(s.Scores)), math.IsNaN)
	best, middle := s.Scores[s.Best], v[len(v)/2]
	edge := best + 3*(middle-best)
	switch {
	case by.least && edge > best && edge < v[len(v)-1]:
		return best, edge, fmt.Sprintf(", alike above %.3g", edge), true
	case !by.least && edge < best && edge > v[0]:
		return edge, best, fmt.Sprintf(", alike below %.3g", edge), true
	}
	return 0, 0, "", false
}

func words(values []float64) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = cell.Number(v)
	}
	return out
}

func (p Grid[P]) title(s *Search) string {
	best := ""
	for i, v := range s.At(s.Best) {
		best += fmt.Sprintf(", %s = %s", s.Names[i], cell.Number(v))
	}
	return fmt.Sprintf("%s %s at best%s", s.Score, cell.Number(s.Scores[s.Best]), best)
}

// Curve draws what was fitted, over the data of one feature: the score over a setting, with the standard deviation over the folds, and
// after Training the score on the training rows.
func (p Grid[P]) Curve() *plotting.Figure {
	return plan.Figure(p, "Curve", func(s *Search) (*plotting.Figure, error) {
		if len(s.Names) != 1 {
			return nil, fault.Argument("Curve", "the settings", fmt.Sprintf("%d", len(s.Names)), "1", "draw two with Heat")
		}
		var x []float64
		tried := make([]int, 0, len(s.Places)) // the places that did not fail
		for i, err := range s.Failed {
			if err == nil {
				tried, x = append(tried, i), append(x, s.At(i)[0])
			}
		}
		curve := func(y, spread []float64, name string) []plotting.Layer {
			return banded(s.judge(), x, picked(y, tried, nil), picked(spread, tried, nil), name)
		}
		layers := curve(s.Scores, s.Spread, "on test rows")
		if s.Training != nil {
			layers = append(curve(s.Training, s.TrainingSpread, "on training rows"), layers...)
		}
		fig := plotting.New(layers...).
			Add(plotting.Points(s.At(s.Best), s.Scores[s.Best:s.Best+1]).Accent().Name("best")).
			X(s.Names[0]).
			Y(s.Score).
			Title(p.title(s)).Subtitle("mean and standard deviation of the folds")
		if multiplied(s.Values[0]) {
			fig = fig.LogX()
		}
		return fig, nil
	})
}

// multiplied reports whether positive values stand in steps of a factor rather than of a difference.
func multiplied(v []float64) bool {
	if len(v) < 3 || slices.Min(v) <= 0 {
		return false
	}
	lo, hi := slices.Min(v), slices.Max(v)
	return hi/lo >= 20
}

// Show shows the picture or table that says most: the heat map of two settings, the curve of one, and the table otherwise.
func (p Grid[P]) Show() {
	s, err := p.Fitted()
	switch {
	case err == nil && len(s.Names) == 1:
		p.Curve().Show()
	case err == nil && len(s.Names) == 2 && len(s.Places) == len(s.Values[0])*len(s.Values[1]):
		p.Heat().Show()
	default:
		p.Table().Show()
	}
}
