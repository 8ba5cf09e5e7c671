package online

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The trace of the lecture, in which the third weight stays 1.
func TestTrace(t *testing.T) {
	m, err := WeightedMajority([][]int{{1, 1, -1}, {-1, 1, -1}}, []int{-1, -1}, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Predictions, []int{1, -1}) || m.Mistakes != 1 || !slices.Equal(m.Weights(2), []float64{0.5, 0.25, 1}) || m.Best() != 0 {
		t.Errorf("%+v, weights %v", m, m.Weights(2))
	}
}

// Halving by the version space itself, without weights.
func TestHalvingIsBetaZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n, experts := 1+rng.IntN(8), 1+rng.IntN(9)
		votes, truth := make([][]int, n), make([]int, n)
		for i := range votes {
			votes[i] = make([]int, experts)
			for j := range votes[i] {
				votes[i][j] = 2*rng.IntN(2) - 1
			}
			truth[i] = votes[i][0] // expert 0 is perfect
		}
		m, err := WeightedMajority(votes, truth, 0)
		if err != nil {
			t.Fatal(err)
		}
		alive := make([]bool, experts)
		for i := range alive {
			alive[i] = true
		}
		for i, row := range votes {
			up, down := 0, 0
			for j, v := range row {
				if alive[j] && v > 0 {
					up++
				} else if alive[j] {
					down++
				}
			}
			want := -1
			if up > down {
				want = 1
			}
			if m.Predictions[i] != want {
				t.Fatalf("round %d: %d, want %d", i, m.Predictions[i], want)
			}
			for j, v := range row {
				alive[j] = alive[j] && v == truth[i]
			}
		}
		if float64(m.Mistakes) > math.Floor(math.Log2(float64(experts))) {
			t.Fatalf("%d mistakes of %d experts", m.Mistakes, experts)
		}
	}
	if _, err := WeightedMajority([][]int{{1}, {1}}, []int{-1, -1}, 0); err == nil {
		t.Error("halving goes on without experts")
	}
}

// The worst sequences, tried one by one: every vote and truth of up to four rounds.
func TestWorstMistakesByBruteForce(t *testing.T) {
	for _, c := range []struct{ experts, best, rounds int }{{2, 0, 4}, {2, 1, 5}, {3, 0, 4}, {3, 1, 4}} {
		want := 0
		var try func(votes [][]int, truth []int)
		try = func(votes [][]int, truth []int) {
			if len(votes) > 0 {
				m, err := WeightedMajority(votes, truth, 0.5)
				if err != nil {
					t.Fatal(err)
				}
				if m.Best() > c.best {
					return
				}
				want = max(want, m.Mistakes)
			}
			if len(votes) == c.rounds {
				return
			}
			for code := range 1 << c.experts {
				row := make([]int, c.experts)
				for i := range row {
					row[i] = 2*(code>>i&1) - 1
				}
				for _, y := range []int{-1, 1} {
					try(append(slices.Clone(votes), row), append(slices.Clone(truth), y))
				}
			}
		}
		try(nil, nil)
		got, err := WorstMistakes(c.experts, c.best, 0.5)
		if err != nil || got != want {
			t.Errorf("%+v: %d, by brute force %d (%v)", c, got, want, err)
		}
	}
}

// Values of the catalogue: of halving for 1 to 16 experts, and of beta = 1/2 for two, five and six.
func TestWorstMistakes(t *testing.T) {
	for n := 1; n <= 16; n++ {
		if got, err := WorstMistakes(n, 0, 0); err != nil || got != int(math.Log2(float64(n))) {
			t.Errorf("%d experts: %d mistakes of halving (%v)", n, got, err)
		}
	}
	for n, want := range map[int][]int{2: {1, 3, 5, 7, 9, 11}, 5: {3, 6, 8, 10}, 6: {4, 6, 9}} {
		for best, w := range want {
			if got, err := WorstMistakes(n, best, 0.5); err != nil || got != w || float64(got) > MistakeBound(n, best, 0.5) {
				t.Errorf("N = %d, best %d: %d, want %d (%v)", n, best, got, w, err)
			}
		}
	}
	if _, err := WorstMistakes(17, 0, 0.5); err == nil {
		t.Error("17 experts are taken")
	}
}

// The adversary of half of every column nears 1/log2(4/3) and makes the program itself err in every round.
func TestCrowd(t *testing.T) {
	for bits, want := range map[int]float64{3: 11.0 / 7, 10: 137.0 / 65, 100: 2.375, 500: 6131.0 / 2553} {
		c, err := NewCrowd(bits)
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for range 14 * bits {
			c.Step()
			most = max(most, c.Ratio())
		}
		if math.Abs(most-want) > 1e-12 || most >= 1/math.Log2(4.0/3) {
			t.Errorf("2^%d experts: %v, want %v", bits, most, want)
		}
	}
	c, err := NewCrowd(4)
	if err != nil {
		t.Fatal(err)
	}
	wrong, votes, truth := make([]int, 16), [][]int{}, []int{}
	for range 20 {
		row, seen := make([]int, 16), map[int]int{}
		count := map[int]int{}
		for _, s := range wrong {
			count[s]++
		}
		for i, s := range wrong {
			row[i] = 1
			if seen[s] < count[s]/2 {
				row[i] = -1 // right
			}
			seen[s]++
		}
		votes, truth = append(votes, row), append(truth, -1)
		for i, v := range row {
			if v == 1 {
				wrong[i]++
			}
		}
		c.Step()
	}
	m, err := WeightedMajority(votes, truth, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	// A tie is decided as -1, which the adversary would call wrong by turning the round over; only such rounds differ.
	if m.Best() != c.Best() || m.Mistakes > c.Mistakes || m.Mistakes < c.Mistakes-5 {
		t.Errorf("%d mistakes and best %d; the crowd says %d and %d", m.Mistakes, m.Best(), c.Mistakes, c.Best())
	}
}

func TestVotesAreChecked(t *testing.T) {
	for name, call := range map[string]func() (*Majority, error){
		"no votes":    func() (*Majority, error) { return WeightedMajority(nil, nil, 0.5) },
		"truths":      func() (*Majority, error) { return WeightedMajority([][]int{{1}}, []int{1, 1}, 0.5) },
		"a zero vote": func() (*Majority, error) { return WeightedMajority([][]int{{1, 0}}, []int{1}, 0.5) },
		"widths":      func() (*Majority, error) { return WeightedMajority([][]int{{1}, {1, 1}}, []int{1, 1}, 0.5) },
		"beta":        func() (*Majority, error) { return WeightedMajority([][]int{{1}}, []int{1}, math.NaN()) },
	} {
		if m, err := call(); err == nil || m != nil {
			t.Errorf("%s: no error", name)
		}
	}
}
