package boost

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/tree"
)

// use asks a model that was read for all its answers.
func (m *Model) use() {
	m.Alphas()
	m.Bounds()
	m.Reason()
	m.First(1)
	m.MarginBound(0.1)
	if m.Dim() > 1000 {
		return
	}
	row := mat.NewDense(1, m.Dim(), nil)
	m.Score(row.RawRowView(0))
	m.Predict(row)
	m.Proba(row)
	m.Decision(row)
	m.Margins(row, []int{1})
}

// stored returns boosted stumps and boosted trees as bytes.
func stored(f *testing.F) [][]byte {
	x, y := ten()
	trees := DefaultOptions()
	o := tree.DefaultOptions()
	o.MaxDepth = 2
	trees.Learner = Trees(o)
	var all [][]byte
	for _, o := range []Options{DefaultOptions(), trees} {
		o.Rounds = 3
		m, err := Fit(ctx, x, y, o)
		if err != nil {
			f.Fatal(err)
		}
		data, err := m.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

// FuzzUnmarshal reads bytes as a boosted model.
func FuzzUnmarshal(f *testing.F) {
	for _, data := range stored(f) {
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var m, m2 Model
		if fuzztest.Model(t, data, &m, &m2) {
			fuzztest.Quick(m.use)
		}
	})
}

// FuzzDamage reads sound models with a few wrong numbers inside, one of them the feature of a stump.
func FuzzDamage(f *testing.F) {
	good := stored(f)
	f.Fuzz(func(t *testing.T, which byte, script []byte, feature int, rounds byte) {
		data := fuzztest.Damaged[state](t, good[int(which)%len(good)], "boost.Model", 1, script)
		var m, m2 Model
		if fuzztest.Model(t, data, &m, &m2) {
			fuzztest.Quick(m.use)
		}
		s := state{D: 2, Learner: "stumps"}
		for range rounds % 4 {
			s.Rounds = append(s.Rounds, Round{Hypothesis: tree.Stump{Feature: feature}, Error: 0.25, Alpha: Alpha(0.25), Z: 1})
		}
		data, err := (&Model{s}).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var h, h2 Model
		if fuzztest.Model(t, data, &h, &h2) {
			fuzztest.Quick(h.use)
		}
	})
}
