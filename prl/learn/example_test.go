package learn_test

import (
	"fmt"

	"github.com/prlab/prlab/prl/learn"
)

func ExamplePlanPAC() {
	pac := learn.PlanPAC().Epsilon(0.1).Delta(0.05).ConjunctionsOf(3, 10)
	fmt.Println(pac.SampleSize(), pac.Agnostic().SampleSize())
	fmt.Printf("%.6f\n", pac.Agnostic().Examples(528).Bound())
	// Output:
	// 99 528
	// 0.049791
}

func ExampleFiniteOf() {
	h := learn.FiniteOf(325)
	n, err := h.ConsistentSampleSize(0.1, 0.05)
	fmt.Println(h, n, err)
	// Output: |H| = 325 88 <nil>
}

func ExamplePsychic() {
	g := learn.Psychic{Students: 173, Miss: 0.5}
	some, _ := g.Some(4)
	bits, _ := g.Bits(0.05)
	fmt.Printf("%.8f %.4f\n", some, bits)
	// Output: 0.99998584 11.7199
}

func ExampleLowerTail() {
	p, err := learn.LowerTail(10, 500, 0.1) // ten errors or fewer in 500, if the true rate is a tenth
	fmt.Printf("%.5g %v\n", p, err)
	// Output: 1.1357e-12 <nil>
}

func ExampleClopperPearson() {
	lo, hi, err := learn.ClopperPearson(0, 10, 0.95)
	fmt.Printf("%.4f %.4f %v\n", lo, hi, err)
	// Output: 0.0000 0.3085 <nil>
}

func ExampleDomain_Eliminate() {
	d, _ := learn.Booleans(3)
	a, _ := d.Instance("1", "0", "1")
	b, _ := d.Instance("1", "1", "1")
	c, _ := d.Instance("0", "1", "1")
	h, steps, err := d.Eliminate([]int{a, c, b}, []bool{true, false, true})
	for _, s := range steps {
		fmt.Println(d.Name(s))
	}
	fmt.Println(d.Name(h), err)
	// Output:
	// (1, 0, 1)
	// (1, 0, 1)
	// (1, ?, 1)
	// (1, ?, 1) <nil>
}

func ExampleNewSpace() {
	rays, _ := learn.Rays(4)
	d, _ := rays.VCDimension()
	fmt.Println(rays, "VC dimension", d)
	// Output: 5 hypotheses on 4 instances VC dimension 1
}

func ExampleWorldOf() {
	d, _ := learn.Booleans(4)
	space, _ := d.Conjunctions()
	world, _ := learn.WorldOf(space, space.Index("(1, ?, 0, ?)"))
	s, _ := world.Draw(12, 1)
	consistent, err := world.VersionSpace(s)
	fmt.Println(space, len(consistent) > 0, err)
	// Output: 82 hypotheses on 16 instances true <nil>
}

func ExampleNewDomain() {
	d, err := learn.NewDomain(
		learn.Attribute{Name: "correct", Values: []string{"complete", "partial", "guess"}},
		learn.Attribute{Name: "binder", Values: []string{"yes", "no"}},
	)
	space, _ := d.Conjunctions()
	fmt.Println(d.Size(), d.Functions(), space, err)
	// Output: 6 64 13 hypotheses on 6 instances <nil>
}

func ExampleHalfPlanes() {
	square, err := learn.HalfPlanes([][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}})
	fmt.Println(square.Size(), err) // all but the two of XOR
	// Output: 14 <nil>
}

func ExampleNewProblem() {
	rays, _ := learn.Rays(4)
	noisy, err := learn.NewProblem(rays, []bool{false, false, true, true}, nil, 0.1)
	fmt.Printf("%.2f %v\n", noisy.TrueErrors(), err)
	// Output: [0.50 0.30 0.10 0.30 0.50] <nil>
}

func ExampleVapnikBound() {
	e, err := learn.VapnikBound(learn.PolynomialGrowth(50), 10000, 0.05)
	fmt.Printf("%.3f %v\n", e, err)
	// Output: 0.632 <nil>
}
