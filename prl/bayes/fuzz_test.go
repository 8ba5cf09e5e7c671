package bayes

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fuzztest"
)

// models returns an empty classifier.
func models() []fuzztest.Stored { return []fuzztest.Stored{new(Classifier)} }

// use asks a classifier that was read for all its answers.
func use(m fuzztest.Stored) {
	c := m.(*Classifier)
	x := make([]float64, c.Dim())
	c.Class(x...)
	c.Proba(mat.NewDense(1, len(x), x))
	c.Decision(mat.NewDense(1, len(x), x))
	c.Linear()
	c.Coordinates(1)
	c.Priors()
	c.Pooled()
	c.Law()
}

// stored returns a classifier of each kind as bytes.
func stored(f *testing.F) [][]byte {
	X, y := iris(f)
	return [][]byte{
		fuzztest.Sound(FitLDA(f.Context(), X, y, Options{})), fuzztest.Sound(FitQDA(f.Context(), X, y, Options{})),
		fuzztest.Sound(FitGaussianNB(f.Context(), X, y, Options{})), fuzztest.Sound(FitNearestMean(f.Context(), X, y, Options{})),
	}
}

// FuzzUnmarshal reads bytes as a classifier.
func FuzzUnmarshal(f *testing.F) { fuzztest.Unmarshal(f, stored(f), models, use) }

// FuzzDamage reads sound classifiers with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	good := stored(f)
	f.Fuzz(func(t *testing.T, which byte, script []byte) {
		fuzztest.Read(
			t,
			fuzztest.Damaged[classifierState](t, good[int(which)%len(good)], "bayes.Classifier", classifierVersion, script),
			new(Classifier),
			use,
		)
	})
}

// FuzzNominal fits a table of small whole numbers and asks for the class of its first row.
func FuzzNominal(f *testing.F) {
	f.Fuzz(func(t *testing.T, cells []byte, width byte, alpha float64) {
		d := int(width)%4 + 1
		var rows [][]int
		var y []int
		for len(cells) > d && len(rows) < 100 {
			row := make([]int, d)
			for j := range row {
				row[j] = int(int8(cells[j]))
			}
			rows, y, cells = append(rows, row), append(y, int(int8(cells[d]))%5), cells[d+1:]
		}
		var m *Nominal
		var err error
		fuzztest.Bounded(t, 8*len(rows)*(d+1), fuzztest.Allowance, func() { m, err = FitNominal(rows, y, alpha) })
		if err != nil {
			return
		}
		p, err := m.Posterior(rows[0]...)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, v := range p {
			sum += v
		}
		if !(sum > 1-1e-9 && sum < 1+1e-9) {
			t.Errorf("the posterior %v sums to %v", p, sum)
		}
	})
}
