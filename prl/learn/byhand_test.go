package learn

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

// The values of this file are worked out by hand, or follow from a formula that the package does not use.

// The size of a space is C(n, k) 2^k, which math/big knows exactly.
func TestConjunctionsOfAgainstIntegers(t *testing.T) {
	for _, c := range [][2]int{
		{0, 5},
		{5, 5},
		{1, 1},
		{3, 10},
		{7, 10},
		{5, 70},
		{20, 70},
		{70, 70},
		{30, 1000},
		{999, 1000},
		{500, 1 << 20},
		{1, 1 << 40},
		{2, 1 << 40},
		{30, 1 << 40},
	} {
		h := ok(ConjunctionsOf(c[0], c[1]))
		size := new(big.Int).Binomial(int64(c[1]), int64(c[0]))
		size.Lsh(size, uint(c[0]))
		mantissa := new(big.Float)
		exponent := new(big.Float).SetInt(size).MantExp(mantissa)
		m, _ := mantissa.Float64()
		want := math.Log(m) + float64(exponent)*math.Ln2
		near(t, fmt.Sprintf("log of C(%d, %d) 2^%d", c[1], c[0], c[0]), h.LogSize, want, 1e-14*max(want, 1))
		if size.BitLen() < 40 && h.Size() != float64(size.Int64()) {
			t.Errorf("%v: size %v, want %v", c, h.Size(), size)
		}
	}
	if ok(Conjunctions(2, false)).Size() != 9 || ok(Conjunctions(2, true)).Size() != 10 || FiniteOf(7).Size() != 7 {
		t.Error("sizes")
	}
}

func TestBoundsByHand(t *testing.T) {
	h := FiniteOf(10)
	power, exponential, err := h.ConsistentBound(5, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "power", power, 10*0.9*0.9*0.9*0.9*0.9, 1e-14)
	near(t, "exponential", exponential, 10*math.Exp(-0.5), 1e-14)
	near(t, "uniform", ok(h.UniformBound(50, 0.2)), 20*math.Exp(-4), 1e-14)
	near(t, "survival", ok(Survival(3, 0.2)), 0.512, 1e-15)
	near(t, "survival of nothing", ok(Survival(0, 0.2)), 1, 0)
	near(t, "error", ok(h.ConsistentError(100, 0.1)), math.Log(100)/100, 1e-15)
	near(t, "deviation", ok(h.Deviation(50, 0.2)), math.Sqrt(math.Log(100)/100), 1e-15)
	near(t, "threshold", ok(h.ConsistentThreshold(0.5, 0.1)), 2*math.Log(100), 1e-14)
	near(t, "uniform threshold", ok(h.UniformThreshold(0.5, 0.2)), 2*math.Log(100), 1e-14)
	if n := ok(FiniteOf(8).ConsistentSampleSizePower(0.5, 0.25)); n != 5 { // 8 / 2^n <= 1/4, a whole number that rounding must not raise
		t.Errorf("n = %d", n)
	}
	if n := ok(FiniteOf(1).ConsistentSampleSize(0.9, 0.9)); n != 1 {
		t.Errorf("n = %d", n)
	}
	// One of two independent hypotheses with p = 1/2: |X/2 - 1/2| > 0.4 when both tosses agree.
	near(t, "independent", ok(FiniteOf(2).IndependentDeviation(2, 0.5, 0.4)), 0.75, 1e-15)

	near(t, "at least", ok(DeviationTail(4, 0.5, 0.25, false)), 10.0/16, 1e-15)
	near(t, "more than", ok(DeviationTail(4, 0.5, 0.25, true)), 2.0/16, 1e-15)
	near(t, "any", ok(DeviationTail(4, 0.5, 0, false)), 1, 0)
	near(t, "impossible", ok(DeviationTail(4, 0.5, 0.6, false)), 0, 0)
	near(t, "log upper", ok(LogUpperTail(3, 4, 0.5)), math.Log(5.0/16), 1e-15)
	near(t, "log lower", ok(LogLowerTail(0, 4, 0.5)), math.Log(1.0/16), 1e-15)

	near(t, "Chernoff", ok(Chernoff(10, 0.5, 0.5)), math.Pow(2, -10), 1e-17) // all ten, for which the bound is exact
	near(t, "Chernoff beyond 1", ok(Chernoff(10, 0.5, 0.6)), 0, 0)
	near(t, "Chernoff at p", ok(Chernoff(10, 0.3, 0)), 1, 0)
	near(t, "Chernoff of nothing", ok(Chernoff(10, 0, 0.1)), 0, 0)
	near(t, "Chernoff", ok(Chernoff(2, 0.25, 0.25)), math.Pow(0.5/0.25, -1)*math.Pow(0.5/0.75, -1), 1e-15)
	moment, bound, err := HoeffdingMGF(0.5, 2)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "moment", moment, math.Cosh(1), 1e-15)
	near(t, "bound", bound, math.Exp(0.5), 1e-15)
	near(t, "union", ok(UnionBound(0.25, 0.5)), 0.75, 0)
	near(t, "union", ok(UnionBound(0.75, 0.5)), 1, 0)
	near(t, "union of nothing", ok(UnionBound()), 0, 0)
	lo, hi, err := ClopperPearson(2, 2, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Clopper-Pearson of all", lo, math.Sqrt(0.05), 1e-15)
	near(t, "upper end", hi, 1, 0)
}

func TestPsychicByHand(t *testing.T) {
	g := Psychic{3, 0.5}
	near(t, "one", ok(g.One(4)), 1.0/16, 1e-16)
	near(t, "union", ok(g.Union(4)), 3.0/16, 1e-16)
	near(t, "none", ok(g.None(4)), 15*15*15/4096.0, 1e-15)
	near(t, "some", ok(g.Some(4)), 1-15*15*15/4096.0, 1e-15)
	near(t, "no bits", ok(g.Some(0)), 1, 0)
	near(t, "bits", ok(g.Bits(1-15*15*15/4096.0)), 4, 1e-12)
	near(t, "other odds", ok(Psychic{2, 0.25}.One(2)), 9.0/16, 1e-15)
}

// The explicit solutions satisfy the equations that define them.
func TestVCBounds(t *testing.T) {
	growth := PolynomialGrowth(3)
	const n, delta = 1000, 0.05
	near(t, "growth", growth(10), math.Log(1000), 1e-14)
	near(t, "Vapnik", ok(VapnikBound(growth, n, delta)), math.Sqrt(0.008*math.Log(4*8e9/0.05)), 1e-14)
	near(
		t,
		"Rademacher",
		ok(RademacherBound(growth, n, delta)),
		math.Sqrt(0.002*math.Log(2000*1e9))+math.Sqrt(0.002*math.Log(20))+0.001,
		1e-14,
	)
	e := ok(ParrondoBound(growth, n, delta))
	near(t, "Parrondo", e, math.Sqrt((2*e+math.Log(6*8e9/0.05))/n), 1e-14)
	e = ok(DevroyeBound(growth, n, delta))
	near(t, "Devroye", e, math.Sqrt((4*e*(1+e)+math.Log(4e18/0.05))/(2*n)), 1e-14)
	for m, want := range map[float64]float64{2: math.Log(4), 3: math.Log(8), 4: math.Log(15), 6: math.Log(42)} {
		near(t, "Sauer", SauerGrowth(3)(m), want, 1e-14)
	}
}

func TestSimulationByHand(t *testing.T) {
	s := &Simulation{
		MaxDeviation: []float64{0.3, 0.1, 0.4, 0.2},
		TrainError:   []float64{0, 0.1, 0.25, 0.5},
		TrueError:    []float64{0.25, 0.1, 0.5, 0.25},
	}
	for q, want := range map[float64]float64{0: 0.1, 0.25: 0.1, 0.26: 0.2, 0.5: 0.2, 0.75: 0.3, 0.76: 0.4, 1: 0.4} {
		near(t, fmt.Sprintf("quantile %v", q), ok(s.Quantile(q)), want, 0)
	}
	for deviation, want := range map[float64]float64{0: 0.5, 0.125: 0.5, 0.25: 1} {
		c := s.Covered(deviation)
		near(t, "covered", c.Value, want, 0)
		if c.Trials != 4 {
			t.Error(c)
		}
	}
	near(t, "standard error", proportion(1, 4).SE, math.Sqrt(0.25*0.75/4), 1e-16)
	near(t, "standard error of none", proportion(0, 4).SE, math.Sqrt(0.125*0.875/4), 1e-16)
	near(t, "standard error of all", proportion(4, 4).SE, math.Sqrt(0.125*0.875/4), 1e-16)

	// Hypothesis 1 is wrong with probability 1/4, hypothesis 2 with 3/4, never both and always one.
	space := ok(NewSpace([][]bool{{true, false, true}, {true, true, true}, {false, false, false}}))
	p := ok(NewProblem(space, []bool{true, false, true}, []float64{1, 1, 2}, 0))
	for _, c := range []struct {
		n       int
		epsilon float64
		want    float64
	}{{0, 0.2, 1}, {1, 0.2, 1}, {2, 0.25, 10.0 / 16}, {3, 0.2, 28.0 / 64}, {2, 0.26, 1.0 / 16}, {2, 0.75, 1.0 / 16}, {2, 0.76, 0}} {
		near(t, fmt.Sprintf("n = %d, epsilon = %v", c.n, c.epsilon), ok(p.SomeBadExact(c.n, c.epsilon)), c.want, 1e-15)
	}
	if !p.Realizable() || ok(NewProblem(space, []bool{false, true, true}, nil, 0)).Realizable() {
		t.Error("realizable")
	}
	noisy := ok(NewProblem(space, []bool{true, false, true}, []float64{1, 1, 2}, 0.25))
	estimatortest.NearAll(t, "errors with noise", noisy.TrueErrors(), []float64{0.25, 0.375, 0.625}, 1e-15)
}

// Instances are drawn by their weights, labels turned round at the rate of the noise, and an instance without weight never comes.
func TestDraw(t *testing.T) {
	const n = 20000
	space := ok(AllFunctions(3))
	p := ok(NewProblem(space, []bool{true, false, true}, []float64{1, 3, 0}, 0.2))
	s := ok(p.Draw(n, 5))
	counts, flips := make([]float64, 3), 0.0
	for i, x := range s.Instances {
		counts[x]++
		if s.Flipped[i] {
			flips++
		}
	}
	near(t, "first instance", counts[0]/n, 0.25, 5*math.Sqrt(0.25*0.75/n))
	near(t, "instance without weight", counts[2], 0, 0)
	near(t, "flips", flips/n, 0.2, 5*math.Sqrt(0.16/n))
	// Each hypothesis errs as often as its true error says.
	train := ok(p.TrainingErrors(s))
	for h, e := range p.TrueErrors() {
		near(t, "training error", train[h], e, 5*math.Sqrt(e*(1-e)/n)+1e-12)
	}
	other := ok(p.Draw(n, 6))
	if slices.Equal(s.Instances, other.Instances) || !slices.Equal(s.Instances, ok(p.Draw(n, 5)).Instances) {
		t.Error("the seed does not fix the sample")
	}
}

func TestSpacesByHand(t *testing.T) {
	show := func(s *Space) string {
		var rows []string
		for h := range s.Size() {
			row := ""
			for _, v := range s.Labels(h) {
				row += map[bool]string{true: "+", false: "-"}[v]
			}
			rows = append(rows, row)
		}
		slices.Sort(rows)
		return strings.Join(rows, " ")
	}
	for want, s := range map[string]*Space{
		"+++ -++ --+ ---":                 ok(Rays(3)),
		"+++ ++- +-- -++ --+ ---":         ok(TwoSidedRays(3)),
		"+++ ++- +-- -++ -+- --+ ---":     ok(Intervals(3)),
		"+++ ++- +-+ +-- -++ -+- --+ ---": ok(AllFunctions(3)),
	} {
		if got := show(s); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	// E max over +, - of |sigma_1 + sigma_2|/2 is 1/2; one hypothesis has none; all functions have all.
	constant := ok(NewSpace([][]bool{{true, true}, {false, false}}))
	near(t, "constants", ok(constant.Rademacher()), 0.5, 0)
	near(t, "one", ok(ok(NewSpace([][]bool{{true, false}})).Rademacher()), 0, 0)
	near(t, "all", ok(ok(AllFunctions(4)).Rademacher()), 1, 0)
	near(t, "Massart", ok(Massart(8, 4)), math.Sqrt(math.Log(8)/2), 1e-15)
	d := ok(NewDomain(Attribute{"a", []string{"x", "y", "z"}}, Attribute{"b", []string{"0", "1"}}))
	for x := range 6 {
		if v := d.Values(x); !slices.Equal(v, []int{x / 2, x % 2}) {
			t.Errorf("instance %d has the values %v", x, v)
		}
	}
	if d.Size() != 6 || d.Functions() != 64 || ok(d.Instance("z", "0")) != 4 || len(d.All()) != 4*3+1 {
		t.Error("sizes of a domain")
	}
	// More than 64 instances take more than one word.
	wide := ok(Booleans(7))
	c := ok(wide.Conjunctions())
	all := wide.All()
	for _, h := range []int{0, 700, 1500, 2187} {
		for x := range wide.Size() {
			if c.Label(h, x) != wide.Covers(all[h], x) {
				t.Fatalf("%s at %s", c.Hypothesis(h), wide.Describe(x))
			}
		}
	}
	world := ok(WorldOf(c, c.Index("(1, ?, ?, ?, ?, ?, ?)")))
	near(t, "true error of Nothing", world.TrueErrors()[2187], 0.5, 1e-15)
	near(t, "true error of another literal", world.TrueErrors()[c.Index("(?, ?, ?, ?, ?, ?, 1)")], 0.5, 1e-15)
}

func TestChecks(t *testing.T) {
	bad := func(_ any, err error) error { return err }
	two := func(_, _ any, err error) error { return err }
	d := ok(Booleans(2))
	rays := ok(Rays(3))
	world := ok(WorldOf(rays, 1))
	far := make([][2]float64, 201)
	for want, err := range map[string]error{
		"Psychic.One: bits is -1":            bad(Psychic{5, 0.5}.One(-1)),
		"Psychic.One: Miss is 1":             bad(Psychic{5, 1}.Union(1)),
		"Psychic.Some: bits is -1":           bad(Psychic{5, 0.5}.Some(-1)),
		"Psychic.None: bits is -1":           bad(Psychic{5, 0.5}.None(-1)),
		"Psychic.Bits: delta is 1":           bad(Psychic{5, 0.5}.Bits(1)),
		"Psychic.Simulate: bits is -1":       bad(Psychic{5, 0.5}.Simulate(-1, 10, 1)),
		"Psychic.Simulate: trials is 0":      bad(Psychic{5, 0.5}.Simulate(1, 0, 1)),
		"labels is 1 labels":                 two(d.Eliminate([]int{0, 1}, []bool{true})),
		"labels is 2 labels":                 two(d.Eliminate([]int{0}, []bool{true, false})),
		"instances[1] is 4":                  two(d.Eliminate([]int{0, 4}, []bool{true, false})),
		"instances[0] is -1":                 two(d.Eliminate([]int{-1}, []bool{true})),
		"Pattern: 1 entries":                 bad(d.Pattern("0")),
		"Instance: 1 values":                 bad(d.Instance("0")),
		"value \"0\" twice":                  bad(NewDomain(Attribute{"a", []string{"0", "0"}})),
		"more than a million instances":      bad(NewDomain(Attribute{"a", values(1000)}, Attribute{"b", values(1001)})),
		"Booleans: n is 20":                  bad(Booleans(20)),
		"Draw: n is 0":                       bad(world.Draw(0, 1)),
		"Simulate: n is 0":                   bad(world.Simulate(0, 0.1, 10, 1)),
		"Simulate: epsilon is 1":             bad(world.Simulate(5, 1, 10, 1)),
		"Simulate: trials is 0":              bad(world.Simulate(5, 0.1, 0, 1)),
		"at most 1e11 steps":                 bad(world.Simulate(1<<20, 0.1, 1<<20, 1)),
		"1 instances and 2 flips":            bad(world.TrainingErrors(Sample{[]int{0}, []bool{true, false}})),
		"0 instances and 0 flips":            bad(world.VersionSpace(Sample{})),
		"instance is -1":                     bad(world.TrainingErrors(Sample{[]int{-1}, []bool{true}})),
		"SomeBadExact: n is -1":              bad(world.SomeBadExact(-1, 0.1)),
		"SomeBadExact: epsilon is 0":         bad(world.SomeBadExact(5, 0)),
		"noise is 0.25":                      bad(ok(NewProblem(rays, make([]bool, 3), nil, 0.25)).SomeBadExact(5, 0.1)),
		"the number of bad hypotheses is 31": bad(ok(WorldOf(ok(AllFunctions(5)), 0)).SomeBadExact(5, 0.1)),
		"noise is -0.1":                      bad(NewProblem(rays, make([]bool, 3), nil, -0.1)),
		"Weights is 2 numbers":               bad(NewProblem(rays, make([]bool, 3), []float64{1, 2}, 0)),
		"target is -1":                       bad(WorldOf(rays, -1)),
		"WorldOf: space is nil":              bad(WorldOf(nil, 0)),
		"Quantile: q is 1.5":                 bad((&Simulation{MaxDeviation: []float64{1}}).Quantile(1.5)),
		"IndependentDeviations: hypotheses":  bad(IndependentDeviations(0, 5, 0.5, 5, 1)),
		"IndependentDeviations: trials is 0": bad(IndependentDeviations(5, 5, 0.5, 0, 1)),
		"IndependentDeviations: p is 2":      bad(IndependentDeviations(5, 5, 2, 5, 1)),
		"trials is 1048577 and 1":            bad(IndependentDeviations(1, 1<<20+1, 0.5, 1, 1)),
		"trials is 5 and 1e+10":              bad(IndependentDeviations(1e5, 5, 0.5, 1e5, 1)),
		"the number of points is 201":        bad(HalfPlanes(far)),
		"the number of points is 0":          bad(HalfPlanes(nil)),
		"points[1] is [0 NaN]":               bad(HalfPlanes([][2]float64{{0, 0}, {0, math.NaN()}})),
		"points[0] is [+Inf 0]":              bad(HalfPlanes([][2]float64{{math.Inf(1), 0}})),
		"AllFunctions: m is 21":              bad(AllFunctions(21)),
		"Rays: m is 0":                       bad(Rays(0)),
		"Intervals: m is 1001":               bad(Intervals(1001)),
		"names is 1 names":                   bad(NewSpace([][]bool{{true}, {false}}, "a")),
		"On: instances is empty":             bad(rays.On()),
		"On: an instance is 3":               bad(rays.On(0, 3)),
		"Shatters: an instance is -1":        bad(rays.Shatters(-1)),
		"Rademacher: the number of":          bad(ok(Rays(21)).Rademacher()),
		"Massart: labelings is 0":            bad(Massart(0, 1)),
		"Massart: m is 0":                    bad(Massart(1, 0)),
		"LogUpperTail: n is 0":               bad(LogUpperTail(0, 0, 0.5)),
		"LogLowerTail: p is NaN":             bad(LogLowerTail(0, 1, math.NaN())),
		"LowerTail: p is -1":                 bad(LowerTail(0, 1, -1)),
		"PMF: n is 0":                        bad(PMF(0, 0, 0.5)),
		"DeviationTail: n is 0":              bad(DeviationTail(0, 0.5, 0.1, true)),
		"DeviationTail: epsilon is -1":       bad(DeviationTail(1, 0.5, -1, true)),
		"Chernoff: epsilon is -1":            bad(Chernoff(1, 0.5, -1)),
		"Chernoff: p is 2":                   bad(Chernoff(1, 2, 0.1)),
		"HoeffdingMGF: p is -1":              two(HoeffdingMGF(-1, 1)),
		"HoeffdingMGF: s is +Inf":            two(HoeffdingMGF(0.5, math.Inf(1))),
		"ClopperPearson: n is 0":             two(ClopperPearson(0, 0, 0.9)),
		"ClopperPearson: confidence is 1":    two(ClopperPearson(0, 1, 1)),
		"ClopperPearson: confidence is 0":    two(ClopperPearson(0, 1, 0)),
		"Survival: n is -1":                  bad(Survival(-1, 0.5)),
		"Survival: epsilon is 0":             bad(Survival(1, 0)),
		"Conjunctions: n is 0":               bad(Conjunctions(0, true)),
		"ConjunctionsOf: n is 0":             bad(ConjunctionsOf(0, 0)),
		"ConjunctionsOf: k is 3":             bad(ConjunctionsOf(3, 2)),
		"ConsistentBound: n is 0":            two(FiniteOf(2).ConsistentBound(0, 0.1)),
		"ConsistentBound: epsilon is 1":      two(FiniteOf(2).ConsistentBound(1, 1)),
		"ConsistentSampleSizePower: delta":   bad(FiniteOf(2).ConsistentSampleSizePower(0.1, 0)),
		"ConsistentError: n is 0":            bad(FiniteOf(2).ConsistentError(0, 0.1)),
		"UniformBound: epsilon is 0":         bad(FiniteOf(2).UniformBound(1, 0)),
		"IndependentDeviation: p is 2":       bad(FiniteOf(2).IndependentDeviation(1, 2, 0.1)),
		"Deviation: delta is 0":              bad(FiniteOf(2).Deviation(1, 0)),
		"Deviation: |H| is +Inf":             bad(Finite{math.Inf(1)}.Deviation(1, 0.1)),
		"VapnikBound: n is 0":                bad(VapnikBound(SauerGrowth(1), 0, 0.1)),
		"RademacherBound: delta is 1":        bad(RademacherBound(SauerGrowth(1), 5, 1)),
		"ParrondoBound: delta is 0":          bad(ParrondoBound(SauerGrowth(1), 5, 0)),
		"DevroyeBound: n is 2":               bad(DevroyeBound(SauerGrowth(1), 2, 0.1)),
		"DevroyeBound: growth is nil":        bad(DevroyeBound(nil, 5, 0.1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// values returns so many different values.
func values(n int) []string {
	v := make([]string, n)
	for i := range v {
		v[i] = fmt.Sprint(i)
	}
	return v
}
