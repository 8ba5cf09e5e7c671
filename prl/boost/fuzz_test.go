package boost

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/tree"
)

// models returns empty models.
func models() []fuzztest.Stored {
	return []fuzztest.Stored{new(Model), new(GradientClassifier), new(GradientRegressor)}
}

// use asks a model that was read for all its answers.
func use(stored fuzztest.Stored) {
	switch m := stored.(type) {
	case *GradientClassifier:
		m.First(1)
		m.Importances()
		m.Tree(0, 0)
		if d := m.Dim(); d <= 1000 {
			row := mat.NewDense(1, d, nil)
			m.Class(row.RawRowView(0)...)
			m.Proba(row)
			m.Decision(row)
			m.Losses(ctx, row, []int{1}, nil)
		}
	case *GradientRegressor:
		m.First(1)
		m.Importances()
		m.Tree(0)
		if d := m.Dim(); d <= 1000 {
			row := mat.NewDense(1, d, nil)
			m.Value(row.RawRowView(0)...)
			m.Predict(row)
			m.Losses(ctx, row, []float64{1}, nil)
		}
	case *Model:
		useVotes(m)
	}
}

func useVotes(m *Model) {
	m.Alphas()
	m.Bounds()
	m.Reason()
	m.First(1)
	m.MarginBound(0.1)
	if m.Dim() > 1000 {
		return
	}
	row := mat.NewDense(1, m.Dim(), nil)
	m.Class(row.RawRowView(0)...)
	m.Score(row.RawRowView(0))
	m.Predict(row)
	m.Proba(row)
	m.Decision(row)
	m.Margins(row, []int{1})
}

// stored returns boosted stumps and boosted trees as bytes.
func stored() [][]byte {
	x, y := ten()
	stumps, trees, depth := Options{}, Options{}, tree.Options{}
	depth.MaxDepth = 2
	stumps.Rounds, trees.Rounds, trees.Learner = 3, 3, Trees(depth)
	small := GradientOptions{Rounds: 2, MinLeaf: 2, Leaves: 3}
	many := []int{1, 1, 2, 0, 0, 2, 1, 1, 2, 0}
	return [][]byte{
		fuzztest.Sound(Fit(ctx, x, y, stumps)), fuzztest.Sound(Fit(ctx, x, y, trees)), fuzztest.Sound(Fit(ctx, x, many, stumps)),
		fuzztest.Sound(Fit(ctx, x, many, trees)), fuzztest.Sound(FitGradient(ctx, x, y, small)), fuzztest.Sound(FitGradient(ctx, x, many, small)),
		fuzztest.Sound(FitGradientRegression(ctx, x, []float64{0, 1, 2, 3, 4, 9, 8, 7, 7, 7}, small)),
	}
}

// FuzzUnmarshal reads bytes as a boosted model.
func FuzzUnmarshal(f *testing.F) { fuzztest.Unmarshal(f, stored(), models, use) }

// FuzzDamage reads sound models with a few wrong numbers inside, one of them the feature of a stump.
func FuzzDamage(f *testing.F) {
	good := stored()[:4]
	f.Fuzz(func(t *testing.T, which byte, script []byte, feature int, rounds byte) {
		fuzztest.Read(t, fuzztest.Damaged[state](t, good[int(which)%len(good)], "boost.Model", modelVersion, script), new(Model), use)
		s := state{D: 2, K: 2 + int(rounds%3), Learner: "stumps"}
		for range rounds % 4 {
			s.Rounds = append(s.Rounds, Round{Hypothesis: tree.Stump{Feature: feature, Left: int(which)}, Error: 0.25, Alpha: Alpha(0.25), Z: 1})
		}
		fuzztest.Read(t, fuzztest.Sound(&Model{state: s}, nil), new(Model), use)
	})
}

// FuzzGrowthPart reads parts of a growth with a few wrong numbers inside, and lets what is read take in a row and a part.
func FuzzGrowthPart(f *testing.F) {
	x, y := ten()
	target := make([]float64, len(y))
	for i, c := range y {
		target[i] = float64(c)
	}
	var good [][]byte
	for _, classes := range []int{0, 2} {
		g, err := NewGrowth(ctx, x, classes, GradientOptions{Rounds: 2, MinLeaf: 2, Leaves: 3})
		if err != nil {
			f.Fatal(err)
		}
		for !g.Done() {
			p := g.Part()
			if err := p.Add(x, target, nil); err != nil {
				f.Fatal(err)
			}
			data, err := p.MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			good = append(good, data)
			if err := g.Take(p); err != nil {
				f.Fatal(err)
			}
		}
	}
	for i := range good {
		f.Add(byte(i), []byte{})
		f.Add(byte(i), []byte{1, 2, 3, 200, 40, 7})
	}
	f.Fuzz(func(t *testing.T, which byte, script []byte) {
		sound := good[int(which)%len(good)]
		var p, q GrowthPart
		if err := q.UnmarshalBinary(sound); err != nil {
			t.Fatal(err)
		}
		if p.UnmarshalBinary(fuzztest.Damaged[partState](t, sound, "boost.GrowthPart", 1, script)) != nil {
			return
		}
		if d := p.s.Task.State.D; d <= 1000 {
			p.Add(mat.NewDense(1, d, nil), []float64{1}, nil)
		}
		p.Merge(&q)
		q.Merge(&p)
	})
}
