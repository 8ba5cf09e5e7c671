package learn

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"
)

func TestTailsAgainstIncompleteBeta(t *testing.T) {
	for _, n := range []int{50, 3000, 100000} {
		for _, p := range []float64{0.01, 0.3, 0.5, 0.97} {
			sd := math.Sqrt(float64(n) * p * (1 - p))
			for _, z := range []float64{-4, -1, 0, 0.3, 2, 5} {
				k := int(float64(n)*p + z*sd)
				if k < 0 || k >= n {
					continue
				}
				want := mathext.RegIncBeta(float64(n-k), float64(k)+1, 1-p)
				if got := ok(LowerTail(k, n, p)); math.Abs(got-want) > 1e-9*want {
					t.Errorf("n %d, p %v, k %d: %v, want %v", n, p, k, got, want)
				}
				if sum := ok(LowerTail(k, n, p)) + ok(UpperTail(k+1, n, p)); math.Abs(sum-1) > 1e-12 {
					t.Errorf("tails of n %d, p %v, k %d sum to %v", n, p, k, sum)
				}
			}
		}
	}
	// Far below the smallest float64: log P(X >= n) = n log p.
	if got, want := ok(LogUpperTail(100000, 100000, 0.5)), -100000*math.Ln2; math.Abs(got-want) > 1e-6 {
		t.Error(got, want)
	}
	for _, p := range []float64{0, 1} {
		if ok(UpperTail(0, 5, p)) != 1 || ok(LowerTail(5, 5, p)) != 1 || ok(UpperTail(5, 5, p)) != p || ok(LowerTail(0, 5, p)) != 1-p {
			t.Error("p =", p)
		}
	}
}

func TestTailsAreMonotone(t *testing.T) {
	for _, p := range []float64{0.05, 0.5, 0.8} {
		before := 2.0
		for k := -1; k <= 41; k++ {
			u := ok(UpperTail(k, 40, p))
			if u > before {
				t.Fatalf("P(X >= %d) = %v rises", k, u)
			}
			before = u
		}
	}
	for k := 1; k < 40; k += 7 {
		before := -1.0
		for i := range 101 {
			u := ok(UpperTail(k, 40, float64(i)/100))
			if u < before {
				t.Fatalf("P(X >= %d) falls with p", k)
			}
			before = u
		}
	}
}

// The exact tail never exceeds Chernoff, and Chernoff never Hoeffding, for all n <= 200.
func TestBoundsHold(t *testing.T) {
	for _, p := range []float64{0.02, 0.1, 0.5, 0.7, 0.99} {
		for _, e := range []float64{0.01, 0.1, 0.25, 0.6} {
			for n := 1; n <= 200; n++ {
				exact := ok(DeviationTail(n, p, e, false))
				up, down := ok(Chernoff(n, p, e)), ok(Chernoff(n, 1-p, e))
				bound := ok(Hoeffding{}.Bound(n, e))
				if exact > (up+down)*(1+1e-12) || up+down > bound*(1+1e-12) {
					t.Fatalf("n %d, p %v, eps %v: exact %v, Chernoff %v, Hoeffding %v", n, p, e, exact, up+down, bound)
				}
				if strict := ok(DeviationTail(n, p, e, true)); strict > exact {
					t.Fatal("> is more than >=")
				}
			}
		}
	}
	for _, p := range []float64{0, 0.01, 0.3, 0.5, 1} {
		for s := -6.0; s <= 6; s += 0.25 {
			if m, b, err := HoeffdingMGF(p, s); err != nil || m > b*(1+1e-14) {
				t.Errorf("Hoeffding's lemma fails at p %v, s %v: %v > %v", p, s, m, b)
			}
		}
	}
	// n(p + eps) a whole number: 0.5 + 0.1 of 10 is 6, in >= but not in >.
	at, above := ok(DeviationTail(10, 0.5, 0.1, false)), ok(DeviationTail(10, 0.5, 0.1, true))
	if math.Abs(at-above-2*ok(PMF(6, 10, 0.5))) > 1e-14 {
		t.Error(at, above)
	}
}

func TestInverses(t *testing.T) {
	for _, size := range []float64{1, 2, 325, 1e6, 1e300} {
		h := FiniteOf(size)
		for _, e := range []float64{0.01, 0.1, 0.3} {
			for _, d := range []float64{0.001, 0.05, 0.5} {
				n := ok(h.ConsistentSampleSize(e, d))
				_, b, _ := h.ConsistentBound(n, e)
				if b > d*(1+1e-9) {
					t.Errorf("consistent: n %d is not enough (%v > %v)", n, b, d)
				}
				if n > 1 {
					if _, b, _ := h.ConsistentBound(n-1, e); b <= d*(1-1e-9) {
						t.Errorf("consistent: %d would do", n-1)
					}
				}
				if m := ok(h.ConsistentSampleSizePower(e, d)); m > n {
					t.Error("the sharper bound needs more")
				}
				n = ok(h.UniformSampleSize(e, d))
				if b := ok(h.UniformBound(n, e)); b > d*(1+1e-9) {
					t.Errorf("uniform: n %d is not enough", n)
				}
				if n > 1 && ok(h.UniformBound(n-1, e)) <= d*(1-1e-9) {
					t.Errorf("uniform: %d would do", n-1)
				}
				if dev := ok(h.Deviation(n, d)); dev > e*(1+1e-9) {
					t.Error("deviation and sample size disagree")
				} else if dev < 1 && dev > 0 && math.Abs(ok(h.UniformBound(n, dev))/d-1) > 1e-9 {
					t.Error("deviation is not the inverse of the bound")
				}
				if b := ok(h.ConsistentError(ok(h.ConsistentSampleSize(e, d)), d)); b > e*(1+1e-9) {
					t.Error("error and sample size disagree")
				}
			}
		}
	}
	g := Psychic{173, 0.3}
	for bits := 9; bits < 30; bits += 4 {
		if back := ok(g.Bits(ok(g.Some(bits)))); math.Abs(back-float64(bits)) > 1e-6 {
			t.Error("Bits is not the inverse of Some:", bits, back)
		}
		if ok(g.Union(bits)) < ok(g.Some(bits)) {
			t.Error("union bound")
		}
	}
}

// SciPy 1.17.1: beta.ppf(0.025, k, n-k+1), beta.ppf(0.975, k+1, n-k).
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{
		{0, 10, 0, 0.3084971078187607},
		{10, 10, 0.6915028921812392, 1},
		{5, 10, 0.18708602844739855, 0.8129139715526015},
		{10, 500, 0.009631429586433347, 0.03647240829220973},
		{3, 40, 0.01574217985104153, 0.20386474873289895},
	} {
		lo, hi, err := ClopperPearson(c.k, c.n, 0.95)
		if err != nil || math.Abs(lo-c.lo) > 1e-10 || math.Abs(hi-c.hi) > 1e-10 {
			t.Errorf("%d of %d: %.7f %.7f %v, want %.7f %.7f", c.k, c.n, lo, hi, err, c.lo, c.hi)
		}
		if c.k > 0 && c.k < c.n {
			if u := ok(UpperTail(c.k, c.n, lo)); math.Abs(u-0.025) > 1e-9 {
				t.Error("lower end", u)
			}
		}
	}
	// It covers every p at least as often as it says, by exact summation.
	const n = 25
	for p := 0.01; p < 1; p += 0.0173 {
		covered := 0.0
		for k := range n + 1 {
			if lo, hi, _ := ClopperPearson(k, n, 0.9); lo <= p && p <= hi {
				covered += ok(PMF(k, n, p))
			}
		}
		if covered < 0.9-1e-9 {
			t.Errorf("p = %v is covered with %v", p, covered)
		}
	}
}

func TestPsychicSimulation(t *testing.T) {
	g := Psychic{173, 0.5}
	for _, bits := range []int{0, 6, 9, 12} {
		e := ok(g.Simulate(bits, 4000, 1))
		if want := ok(g.Some(bits)); math.Abs(e.Value-want) > 4*e.SE {
			t.Errorf("%d bits: %v, exact %v", bits, e, want)
		}
		if again := ok(g.Simulate(bits, 4000, 1)); again != e {
			t.Error("not reproducible")
		}
	}
}

func TestEliminationFindsTheMostSpecific(t *testing.T) {
	d := ok(Booleans(5))
	space := ok(d.Conjunctions())
	all := d.All()
	if want := 3*3*3*3*3 + 1; len(all) != want || space.Size() != want || space.Distinct().Size() != want {
		t.Fatal("3^n + 1", len(all), space)
	}
	if h := ok(Conjunctions(5, true)); h.Size() != float64(space.Size()) {
		t.Error(h)
	}
	rng := generator(3, 3)
	for range 300 {
		target := rng.IntN(space.Size())
		world := ok(WorldOf(space, target))
		s := ok(world.Draw(1+rng.IntN(20), rng.Uint64()))
		labels := make([]bool, len(s.Instances))
		for i, x := range s.Instances {
			labels[i] = space.Label(target, x)
		}
		c, steps, err := d.Eliminate(s.Instances, labels)
		if err != nil || len(steps) != len(labels) {
			t.Fatal(err)
		}
		vs := ok(world.VersionSpace(s))
		member := false
		for _, h := range vs {
			member = member || space.Hypothesis(h) == d.Name(c)
			for x := range d.Size() { // every consistent hypothesis is at least as general
				if d.Covers(c, x) && !space.Label(h, x) {
					t.Fatalf("%s is not the most specific: %s", d.Name(c), space.Hypothesis(h))
				}
			}
		}
		if !member {
			t.Fatal("the learned conjunction is not in the version space")
		}
	}
	if _, _, err := d.Eliminate([]int{0, 31, 5}, []bool{true, true, false}); err == nil ||
		!strings.Contains(err.Error(), "no conjunction is consistent") {
		t.Error(err)
	}
}

func TestSimulationAgreesWithExactAndBounds(t *testing.T) {
	// Rays over 12 points: the version space is an interval, few hypotheses are bad.
	rays := ok(Rays(12))
	world := ok(WorldOf(rays, 6))
	if !world.Realizable() {
		t.Fatal("the target is in the space")
	}
	for _, n := range []int{3, 8, 15} {
		s := ok(world.Simulate(n, 0.2, 4000, uint64(n)))
		exact := ok(world.SomeBadExact(n, 0.2))
		if math.Abs(s.SomeBad.Value-exact) > 4*s.SomeBad.SE {
			t.Errorf("n %d: %v, exact %v", n, s.SomeBad, exact)
		}
		power, _, _ := rays.Finite().ConsistentBound(n, 0.2)
		if exact > power || s.Failed.Value > s.SomeBad.Value || s.Empty.Value != 0 {
			t.Errorf("n %d: bound %v, exact %v, learner %v", n, power, exact, s.Failed)
		}
	}
	// The conjunctions of the lecture: the bounds hold at the size they ask for, with and without noise.
	d := ok(
		NewDomain(
			Attribute{"a", []string{"1", "2", "3"}},
			Attribute{"b", []string{"1", "2"}},
			Attribute{"c", []string{"1", "2"}},
			Attribute{"d", []string{"1", "2"}},
			Attribute{"e", []string{"1", "2"}},
		),
	)
	space := ok(d.Conjunctions())
	target := space.Index("(1, ?, 1, ?, ?)")
	world = ok(WorldOf(space, target))
	n := ok(space.Finite().ConsistentSampleSize(0.1, 0.05))
	s := ok(world.Simulate(n, 0.1, 500, 1))
	if s.SomeBad.Value > 0.05 {
		t.Error("the consistent bound fails", s.SomeBad)
	}
	noisy := ok(NewProblem(space, space.Labels(target), nil, 0.2))
	if noisy.Realizable() || math.Abs(noisy.TrueErrors()[target]-0.2) > 1e-12 {
		t.Error("noise")
	}
	const m = 100
	s = ok(noisy.Simulate(m, 0.1, 500, 1))
	dev := ok(space.Finite().Deviation(m, 0.05))
	if c := s.Covered(dev); c.Value < 0.95 {
		t.Error("coverage", c)
	}
	if q := ok(s.Quantile(0.95)); q > dev {
		t.Errorf("the 95 %% quantile %v exceeds the bound %v", q, dev)
	}
	if s.Deviated.Value > ok(space.Finite().UniformBound(m, 0.1)) {
		t.Error("uniform bound")
	}
	again := ok(noisy.Simulate(m, 0.1, 500, 1))
	if again.MaxDeviation[499] != s.MaxDeviation[499] || again.SomeBad != s.SomeBad {
		t.Error("not reproducible")
	}
}

func TestIndependentDeviationsFollowTheirDistribution(t *testing.T) {
	const trials = 4000
	v := ok(IndependentDeviations(960, 400, 0.5, trials, 1))
	k := 0
	for _, d := range v {
		if d > 0.1+1e-12 {
			k++
		}
	}
	e := proportion(k, trials)
	if want := ok(FiniteOf(960).IndependentDeviation(400, 0.5, 0.1)); math.Abs(e.Value-want) > 4*e.SE {
		t.Error(e, want)
	}
}

func TestTrainingErrorsByHand(t *testing.T) {
	space := ok(NewSpace([][]bool{{true, false, true}, {true, true, true}, {false, false, false}}, "target", "always", "never"))
	p := ok(NewProblem(space, []bool{true, false, true}, []float64{1, 1, 2}, 0))
	for h, want := range []float64{0, 0.25, 0.75} {
		near(t, "true error", p.TrueErrors()[h], want, 1e-15)
	}
	s := Sample{[]int{0, 0, 1, 2, 1}, []bool{false, true, false, false, false}}
	train := ok(p.TrainingErrors(s))
	for h, want := range []float64{0.2, 0.6, 0.4} {
		near(t, "training error", train[h], want, 1e-15)
	}
	clean := Sample{[]int{0, 2}, []bool{false, false}}
	if vs := ok(p.VersionSpace(clean)); len(vs) != 2 || vs[1] != 1 {
		t.Error(vs)
	}
}

func TestErrors(t *testing.T) {
	bad := func(_ any, err error) error { return err }
	for _, c := range []struct {
		err  error
		want string
	}{
		{bad(FiniteOf(0.5).ConsistentSampleSize(0.1, 0.1)), "at least 1 hypothesis"},
		{bad(FiniteOf(10).ConsistentSampleSize(0, 0.1)), "epsilon is 0"},
		{bad(FiniteOf(10).UniformSampleSize(0.1, 1)), "delta is 1"},
		{bad(FiniteOf(10).Deviation(0, 0.1)), "n is 0"},
		{bad(FiniteOf(math.NaN()).Deviation(5, 0.1)), "|H| is NaN"},
		{bad(UpperTail(1, 0, 0.5)), "n is 0"},
		{bad(UpperTail(1, 5, 1.5)), "p is 1.5"},
		{bad(DeviationTail(5, 0.5, math.NaN(), false)), "epsilon is NaN"},
		{bad(Psychic{0, 0.5}.Some(3)), "Students is 0"},
		{bad(Psychic{5, 0}.Some(3)), "Miss is 0"},
		{bad(Psychic{1 << 40, 0.5}.Simulate(3, 1000, 1)), "at most 1e10"},
		{bad(NewSpace(nil)), "labels is empty"},
		{bad(NewSpace([][]bool{{true}, {true, false}})), "labels[1]"},
		{bad(AllFunctions(30)), "m is 30"},
		{bad(NewDomain()), "attributes is empty"},
		{bad(NewDomain(Attribute{"a", nil})), `"a" without values`},
		{bad(ok(Booleans(2)).Pattern("0", "yes")), "there are 0, 1"},
		{bad(NewProblem(nil, nil, nil, 0)), "space is nil"},
		{bad(NewProblem(ok(Rays(3)), []bool{true}, nil, 0)), "1 labels"},
		{bad(NewProblem(ok(Rays(3)), make([]bool, 3), nil, 0.5)), "noise is 0.5"},
		{bad(WorldOf(ok(Rays(3)), 9)), "target is 9"},
		{bad(ok(WorldOf(ok(Rays(3)), 1)).TrainingErrors(Sample{[]int{7}, []bool{false}})), "instance is 7"},
		{bad(UnionBound(0.5, 2)), "p[1] is 2"},
		{bad(VapnikBound(nil, 5, 0.1)), "growth is nil"},
		{PlanPAC().Epsilon(2).Err(), "Epsilon: "},
		{PlanPAC().Table().Err(), ".Hypotheses(960)"},
		{PlanPAC().Examples(0).Err(), "Examples: "},
		{PlanPAC().Hypotheses(0.5).Err(), "Hypotheses: "},
		{PlanPAC().ConjunctionsOf(4, 3).Err(), "ConjunctionsOf: k is 4"},
		{PlanPAC().In(nil).Table().Err(), "space is nil"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v does not say %q", c.err, c.want)
		}
	}
	for _, k := range []int{-1, 6} {
		if _, _, err := ClopperPearson(k, 5, 0.95); err == nil {
			t.Error("k =", k)
		}
	}
}

func TestPlan(t *testing.T) {
	p := PlanPAC().Epsilon(0.1).Delta(0.05).ConjunctionsOf(3, 10)
	if p.SampleSize() != 99 || p.Agnostic().SampleSize() != 528 {
		t.Error(p.SampleSize(), p.Agnostic().SampleSize())
	}
	q := p.Agnostic().Examples(528)
	near(t, "bound", q.Bound(), 0.049791, 5e-7)
	near(t, "deviation", q.Deviation(), 0.099980, 5e-7)
	if n := p.Hypotheses(325).SampleSize(); n != 88 {
		t.Error("a later step does not replace the space:", n)
	}
	if got := p.Agnostic().String(); got != "PAC().Epsilon(0.1).Delta(0.05).ConjunctionsOf(3, 10).Agnostic()" {
		t.Error(got)
	}
	space := ok(ok(Booleans(3)).Conjunctions())
	if h := PlanPAC().In(space).Model(); h != space.Finite() {
		t.Errorf("%v of a space of %d", h, space.Size())
	}
	if p.Table().Err() != nil || q.Table().Err() != nil {
		t.Error("tables")
	}
}

// Sauer's lemma, with the VC dimension and the growth counted by hand: a space of VC dimension d labels m points in at most C(m,0) + ... +
// C(m,d) ways.
func TestSauer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 6).Draw(t, "m")
		codes := rapid.SliceOfN(rapid.IntRange(0, 1<<m-1), 1, 24).Draw(t, "hypotheses")
		labels := make([][]bool, len(codes))
		for h, code := range codes {
			for x := range m {
				labels[h] = append(labels[h], code>>x&1 == 1)
			}
		}
		space, err := NewSpace(labels)
		if err != nil {
			t.Fatal(err)
		}
		ways := func(set int) int { // in which the space labels the points of a bit set
			seen := map[int]bool{}
			for _, code := range codes {
				seen[code&set] = true
			}
			return len(seen)
		}
		vc := 0
		for set := range 1 << m {
			var points []int
			for x := range m {
				if set>>x&1 == 1 {
					points = append(points, x)
				}
			}
			shattered := ways(set) == 1<<len(points)
			if shattered {
				vc = max(vc, len(points))
			}
			if len(points) == 0 {
				continue
			}
			if got := ok(space.Shatters(points...)); got != shattered {
				t.Fatalf("shatters %v: %v, want %v", points, got, shattered)
			}
			if got := ok(space.On(points...)).Size(); got != ways(set) {
				t.Fatalf("%d labelings of %v, want %d", got, points, ways(set))
			}
		}
		d, set := space.VCDimension()
		if d != vc || len(set) != d || d > 0 && !ok(space.Shatters(set...)) {
			t.Fatalf("VC dimension %d by %v, want %d", d, set, vc)
		}
		all := space.Distinct().Size()
		bound := math.Exp(SauerGrowth(d)(float64(m)))
		if float64(all) > bound*(1+1e-12) {
			t.Fatalf("%d labelings of %d points exceed Sauer's bound %v for VC dimension %d", all, m, bound, d)
		}
		if sum, want := bound, sauer(m, d); math.Abs(sum-want) > 1e-9*want {
			t.Fatalf("Sauer's bound is %v, counted %v", sum, want)
		}
		if r, massart := ok(space.Rademacher()), ok(Massart(all, m)); r > massart+1e-12 {
			t.Fatalf("Rademacher complexity %v exceeds Massart's bound %v", r, massart)
		}
	})
}

// sauer returns C(m,0) + ... + C(m,d) by Pascal's triangle.
func sauer(m, d int) float64 {
	row := []float64{1}
	for range m {
		next := make([]float64, len(row)+1)
		for i, v := range row {
			next[i] += v
			next[i+1] += v
		}
		row = next
	}
	sum := 0.0
	for _, v := range row[:min(d, m)+1] {
		sum += v
	}
	return sum
}
