package assess_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/prlab/prlab/prl/assess"
)

// TestMcNemarPower holds values of R 4.2.2: up to n = 40 all tables in turn with binom.test and dmultinom, beyond sums of dbinom and
// pbinom.
func TestMcNemarPower(t *testing.T) {
	for _, c := range []struct {
		a, b  float64
		n     int
		alpha float64
		power float64
	}{
		{.1, .3, 30, .05, .307095781093512},
		{.3, .1, 30, .05, .307095781093512},
		{.05, .2, 40, .01, .142536944878002},
		{.4, .6, 25, .1, .154757175258513},
		{0, .2, 30, .05, .572487562409679},
		{.2, .2, 40, .05, .0285389537406873},
		{.01, .02, 1000, .05, .373480605736318},
		{.01, .02, 2500, .05, .801859256350296},
		{.09, .1, 20000, .05, .897868152473563},
		{.2, .3, 0, .05, 0},
		{0, 1, 5, .05, 0},
		{0, 1, 6, .05, 1},
	} {
		p, err := assess.McNemarPower(c.a, c.b, c.n, c.alpha)
		if err != nil || math.Abs(p-c.power) > 1e-10 {
			t.Errorf("McNemarPower(%v, %v, %d, %v) = %v, %v, not %v", c.a, c.b, c.n, c.alpha, p, err, c.power)
		}
	}
	random := rand.New(rand.NewPCG(12, 1947))
	for range 200 { // the size is at most alpha, and all tables agree with the test itself
		q, n, alpha := random.Float64()/2, random.IntN(25), 0.2*random.Float64()
		if p, err := assess.McNemarPower(q, q, n, alpha); err != nil || p > alpha {
			t.Errorf("size at %v, %d, %v: %v, %v", q, n, alpha, p, err)
		}
		a, b, want := q, random.Float64()/2, 0.0
		for i := range n + 1 {
			for j := range n + 1 - i {
				if m, _ := assess.McNemar(i, j); m.Exact <= alpha {
					want += math.Exp(lgamma(n)-lgamma(i)-lgamma(j)-lgamma(n-i-j)) * math.Pow(a, float64(i)) * math.Pow(b, float64(j)) *
						math.Pow(1-a-b, float64(n-i-j))
				}
			}
		}
		if p, err := assess.McNemarPower(a, b, n, alpha); err != nil || math.Abs(p-want) > 1e-12 {
			t.Errorf("power at %v, %v, %d, %v: %v, %v, not %v", a, b, n, alpha, p, err, want)
		}
	}
}

func lgamma(n int) float64 { g, _ := math.Lgamma(float64(n + 1)); return g }

// TestMcNemarTrials holds values of R 4.2.2 by the sums of TestMcNemarPower, and the definition.
func TestMcNemarTrials(t *testing.T) {
	for _, c := range []struct {
		a, b, power float64
		n           int
	}{{.1, .3, .8, 84}, {.02, .1, .9, 197}, {.01, .02, .8, 2489}, {.09, .1, .8, 15100}} {
		n, err := assess.McNemarTrials(c.a, c.b, .05, c.power)
		if err != nil || n != c.n {
			t.Errorf("McNemarTrials(%v, %v, 0.05, %v) = %d, %v, not %d", c.a, c.b, c.power, n, err, c.n)
		}
		at, _ := assess.McNemarPower(c.a, c.b, n, .05)
		if below, _ := assess.McNemarPower(c.a, c.b, n-1, .05); at < c.power || below >= c.power {
			t.Errorf("power %v at %d rows and %v at one less", at, n, below)
		}
	}
	power := func(a, b float64, n int, alpha float64) error {
		_, err := assess.McNemarPower(a, b, n, alpha)
		return err
	}
	trials := func(a, b, alpha, power float64) error {
		_, err := assess.McNemarTrials(a, b, alpha, power)
		return err
	}
	for name, err := range map[string]error{
		"negative":     power(-.1, .2, 5, .05),
		"sum above 1":  power(.6, .5, 5, .05),
		"no errors":    power(0, 0, 5, .05),
		"NaN":          power(math.NaN(), .1, 5, .05),
		"negative n":   power(.1, .2, -1, .05),
		"many rows":    power(.1, .2, 100_001, .05),
		"alpha":        power(.1, .2, 5, 1),
		"equal rules":  trials(.1, .1, .05, .8),
		"small gain":   trials(.1, .1001, .05, .8),
		"power":        trials(.1, .2, .05, 1),
		"alpha of NaN": trials(.1, .2, math.NaN(), .8),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestRankSum holds wilcox.test of R 4.2.2, exact without ties and normal with them, and a count of all choices for small samples.
func TestRankSum(t *testing.T) {
	span := func(from, to int, shift float64) (v []float64) {
		for i := from; i <= to; i++ {
			v = append(v, float64(i)+shift)
		}
		return v
	}
	var six, other []float64
	for range 5 {
		six, other = append(six, 1, 2, 3, 4, 5, 6), append(other, 2, 3, 5, 7, 8)
	}
	for _, c := range []struct {
		a, b []float64
		p    float64
	}{
		{[]float64{1.1, 2.2, 3.3, 4.4}, []float64{2.5, 5.5, 6.6, 7.7, 8.8}, .0634920634920635},
		{[]float64{.80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46}, []float64{1.15, .88, .90, .74, 1.21}, .254412254412254},
		{span(1, 30, .5), span(20, 45, 0), 1.02108019494388e-07},
		{six, other, .0187972874954377},
		{[]float64{3}, []float64{3, 3}, 1},
		{make([]float64, 30), make([]float64, 30), 1},
	} {
		for range 2 {
			if p, err := assess.RankSum(c.a, c.b); err != nil || math.Abs(p-c.p) > 1e-12 {
				t.Errorf("RankSum(%v, %v) = %v, %v, not %v", c.a, c.b, p, err, c.p)
			}
			c.a, c.b = c.b, c.a
		}
	}
	random := rand.New(rand.NewPCG(50, 1947))
	for range 300 {
		n := 2 + random.IntN(9)
		m := 1 + random.IntN(n-1)
		all := make([]float64, n)
		for i := range all {
			all[i] = float64(random.IntN(5))
		}
		want := choices(all, m)
		if p, err := assess.RankSum(all[:m], all[m:]); err != nil || math.Abs(p-want) > 1e-12 {
			t.Errorf("RankSum(%v, %v) = %v, %v, not %v", all[:m], all[m:], p, err, want)
		}
	}
	for name, err := range map[string]error{
		"empty": second(assess.RankSum(nil, []float64{1})), "NaN": second(assess.RankSum([]float64{math.NaN()}, []float64{1})),
		"infinite": second(assess.RankSum([]float64{1}, []float64{math.Inf(1)})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// choices returns the share of choices of m numbers whose wins over the others, ties half, are as far from half as those of the first m.
func choices(all []float64, m int) float64 {
	apart := func(set int) float64 {
		wins := 0.0
		for i, v := range all {
			for j, w := range all {
				switch {
				case set>>i&1 == 0 || set>>j&1 == 1:
				case v > w:
					wins++
				case v == w:
					wins += 0.5
				}
			}
		}
		return math.Abs(wins - float64(m*(len(all)-m))/2)
	}
	far, total := 0.0, 0.0
	for set := range 1 << len(all) {
		size := 0
		for i := range all {
			size += set >> i & 1
		}
		if size == m {
			total++
			if apart(set) >= apart(1<<m-1) {
				far++
			}
		}
	}
	return far / total
}
