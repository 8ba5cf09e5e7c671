package assess_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/assess"
)

// Every row is tested once in a deal of parts, never trained and tested on in one split, and the parts are even.
func TestSplitsArePartitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		k := rapid.IntRange(2, n).Draw(t, "k")
		seed := rapid.Uint64().Draw(t, "seed")
		y := make([]int, n)
		for i := range y {
			y[i] = rapid.IntRange(0, 3).Draw(t, "class")
		}
		for name, deal := range map[string]func() ([]assess.Split, error){
			"KFold":           func() ([]assess.Split, error) { return assess.KFold(n, k, seed) },
			"StratifiedKFold": func() ([]assess.Split, error) { return assess.StratifiedKFold(y, k, seed) },
		} {
			splits, err := deal()
			if err != nil {
				t.Fatal(name, err)
			}
			again, _ := deal()
			tested, class := make([]int, n), make([][4]int, len(splits))
			for i, s := range splits {
				if len(s.Train)+len(s.Test) != n || !slices.IsSorted(s.Train) || !slices.IsSorted(s.Test) {
					t.Fatalf("%s: split %d is %v", name, i, s)
				}
				if len(s.Test) < n/k || len(s.Test) > (n+k-1)/k {
					t.Fatalf("%s: part %d of %d has %d of %d rows", name, i, k, len(s.Test), n)
				}
				for _, r := range s.Test {
					tested[r]++
					class[i][y[r]]++
					if slices.Contains(s.Train, r) {
						t.Fatalf("%s: row %d is trained and tested on", name, r)
					}
				}
				if !slices.Equal(s.Test, again[i].Test) {
					t.Fatalf("%s: the same seed gave other parts", name)
				}
			}
			for r, c := range tested {
				if c != 1 {
					t.Fatalf("%s: row %d is tested %d times", name, r, c)
				}
			}
			if name == "KFold" {
				continue
			}
			for c := range 4 {
				least, most := n, 0
				for i := range class {
					least, most = min(least, class[i][c]), max(most, class[i][c])
				}
				if most-least > 1 {
					t.Fatalf("the parts have between %d and %d rows of class %d", least, most, c)
				}
			}
		}
	})
}

func TestGroupsStayTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := rapid.SliceOfN(rapid.IntRange(0, 9), 12, 40).Draw(t, "groups")
		distinct := slices.Compact(slices.Sorted(slices.Values(groups)))
		if len(distinct) < 3 {
			t.Skip("too few groups")
		}
		splits, err := assess.GroupKFold(groups, 3, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range splits {
			for _, r := range s.Test {
				for _, q := range s.Train {
					if groups[r] == groups[q] {
						t.Fatalf("group %d is trained and tested on", groups[r])
					}
				}
			}
		}
	})
}

func TestTimeGoesForward(t *testing.T) {
	splits, err := assess.TimeSeries(10, 3)
	if err != nil {
		t.Fatal(err)
	}
	next := splits[0].Test[0]
	for _, s := range splits {
		if s.Test[0] != next || s.Train[len(s.Train)-1] != next-1 || len(s.Train) != next {
			t.Fatalf("%v", splits)
		}
		next += len(s.Test)
	}
	if next != 10 {
		t.Errorf("the last row tested is %d", next-1)
	}
}

// No rule "positive where score >= threshold" costs less than the best place, which lies on the hull, and the hull lies above the curve.
func TestBestLiesOnTheHull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 40).Draw(t, "n")
		truth, scores := make([]int, n), make([]float64, n)
		for i := range n {
			truth[i], scores[i] = rapid.IntRange(0, 1).Draw(t, "class"), float64(rapid.IntRange(0, 9).Draw(t, "score"))
		}
		truth[0], truth[1] = 0, 1
		r, err := assess.NewROC(truth, scores, nil)
		if err != nil {
			t.Fatal(err)
		}
		prior := rapid.Float64Range(0.05, 0.95).Draw(t, "prior")
		miss, alarm := rapid.Float64Range(0.1, 5).Draw(t, "miss"), rapid.Float64Range(0.1, 5).Draw(t, "alarm")
		best, err := r.Best(prior, miss, alarm)
		if err != nil {
			t.Fatal(err)
		}
		cost := func(i int) float64 { return prior*(1-r.TPR[i])*miss + (1-prior)*r.FPR[i]*alarm }
		hull := r.Hull()
		onHull := math.Inf(1)
		for _, i := range hull {
			onHull = min(onHull, cost(i))
		}
		if onHull > cost(best)+1e-12 {
			t.Fatalf("the hull costs at least %v, the best place %v", onHull, cost(best))
		}
		if hull[0] != 0 || hull[len(hull)-1] != len(r.FPR)-1 {
			t.Fatalf("the hull is %v of %d places", hull, len(r.FPR))
		}
		for h := 1; h < len(hull); h++ {
			a, b := hull[h-1], hull[h]
			for i := a; i <= b; i++ {
				if (r.TPR[b]-r.TPR[a])*(r.FPR[i]-r.FPR[a]) < (r.TPR[i]-r.TPR[a])*(r.FPR[b]-r.FPR[a])-1e-12 {
					t.Fatalf("place %d lies above the hull", i)
				}
			}
		}
	})
}

// The intervals cover the truth as often as they say: of 2000 samples, within 3 standard deviations.
func TestIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("2000 bootstraps take 3 s")
	}
	random := rand.New(rand.NewPCG(5, 8))
	const trials, level = 2000, 0.9
	covered := map[string]int{}
	count := func(name string, i assess.Interval, err error, truth float64) {
		if err != nil {
			t.Fatal(err)
		}
		if i.Lo <= truth && truth <= i.Hi {
			covered[name]++
		}
	}
	for range trials {
		truth, scores, x := make([]int, 80), make([]float64, 80), make([]float64, 60)
		for i := range truth {
			truth[i] = i % 2
			scores[i] = random.NormFloat64() + float64(truth[i])
		}
		a, err := assess.AUC(truth, scores, level)
		count("DeLong", a, err, 0.5*math.Erfc(-1/2.0)) // Phi(1/sqrt 2)
		k := 0
		for range 50 {
			if random.Float64() < 0.3 {
				k++
			}
		}
		w, err := assess.Wilson(k, 50, level)
		count("Wilson", w, err, 0.3)
		for i := range x {
			x[i] = random.NormFloat64()
		}
		b, err := assess.Bootstrap(len(x), 200, random.Uint64(), level, func(rows []int) float64 {
			s := 0.0
			for _, r := range rows {
				s += x[r]
			}
			return s / float64(len(rows))
		})
		count("bootstrap", b, err, 0)
	}
	for name, slack := range map[string]float64{
		"DeLong": 0.02, "Wilson": 0.02,
		"bootstrap": 0.03,
	} { // what each is known to be off by here, and chance
		if share := float64(covered[name]) / trials; math.Abs(share-level) > slack {
			t.Errorf("%s covers %v, said %v", name, share, level)
		}
	}
}

// Without a relation between score and classes the p-value is uniform: P(p <= 1/10) is 1/10.
func TestPermutationIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	low := 0
	const trials = 3000
	for range trials {
		y, x := make([]int, 20), make([]float64, 20)
		for i := range y {
			y[i], x[i] = i%2, random.NormFloat64()
		}
		p, err := assess.Permutation(y, 19, random.Uint64(), func(y []int) (float64, error) {
			r, err := assess.NewROC(y, x, nil)
			return r.AUC(), err
		})
		if err != nil {
			t.Fatal(err)
		}
		if p <= 0.1 {
			low++
		}
	}
	if share := float64(low) / trials; math.Abs(share-0.1) > 0.02 {
		t.Errorf("p <= 0.1 in %v of the trials", share)
	}
	broken := errors.New("broken")
	if _, err := assess.Permutation([]int{0, 1}, 1, 0, func([]int) (float64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestBadArguments(t *testing.T) {
	splits := func(s []assess.Split, err error) error { return err }
	interval := func(i assess.Interval, err error) error { return err }
	number := func(v float64, err error) error { return err }
	for name, err := range map[string]error{
		"one fold":         splits(assess.KFold(5, 1, 0)),
		"too many folds":   splits(assess.KFold(5, 6, 0)),
		"negative class":   splits(assess.StratifiedKFold([]int{0, -1, 1}, 2, 0)),
		"one group":        splits(assess.GroupKFold([]int{3, 3, 3}, 2, 0)),
		"one row":          splits(assess.LeaveOneOut(1)),
		"no past":          splits(assess.TimeSeries(3, 3)),
		"no times":         splits(assess.Repeated(0, 1, nil)),
		"confidence":       interval(assess.Wilson(1, 2, 1)),
		"count":            interval(assess.Wilson(3, 2, 0.9)),
		"no draws":         interval(assess.Bootstrap(5, 0, 0, 0.9, nil)),
		"NaN statistic":    interval(assess.Bootstrap(5, 20, 0, 0.9, func([]int) float64 { return math.NaN() })),
		"lone positive":    interval(assess.AUC([]int{0, 0, 1}, []float64{1, 2, 3}, 0.9)),
		"zero differences": number(assess.Wilcoxon([]float64{0, 0})),
		"NaN difference":   number(assess.Wilcoxon([]float64{math.NaN()})),
		"negative count":   second(assess.McNemar(-1, 2)),
		"sum":              number(assess.LogLoss([]int{0}, rows([][]float64{{0.5, 0.4}}), nil)),
		"true class":       number(assess.Brier([]int{2}, rows([][]float64{{0.5, 0.5}}), nil)),
		"no weight":        number(assess.Brier([]int{1}, rows([][]float64{{0.5, 0.5}}), []float64{0})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if v, err := assess.LogLoss([]int{1}, rows([][]float64{{1, 0}}), nil); err != nil || !math.IsInf(v, 1) {
		t.Errorf("an impossible class costs %v, %v", v, err)
	}
}

func second[T any](_ T, err error) error { return err }
