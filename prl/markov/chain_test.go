package markov

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// The powers of [1-a a; b 1-b] are known for every n: pi + (1-a-b)^n (I - pi), pi = (b, a)/(a+b). a and b are exact in binary.
func TestPowersOfTwoStates(t *testing.T) {
	for _, c := range []struct{ a, b float64 }{{0.25, 0.125}, {0x1p-30, 0x1p-31}, {0x1p-45, 0x1p-44}, {1, 1}, {0, 0x1p-40}} {
		chain, err := NewChain(ChainParameters{Start: []float64{0.75, 0.25}, Transitions: [][]float64{{1 - c.a, c.a}, {c.b, 1 - c.b}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 2, 1000, 1e9, 1e12, 1e15, math.MaxInt64 - 1, math.MaxInt64} {
			power, err := chain.Power(n)
			if err != nil {
				t.Fatal(err)
			}
			moved := -math.Expm1(float64(n)*math.Log1p(-c.a-c.b)) / (c.a + c.b) // (1 - (1-a-b)^n) / (a+b)
			switch {
			case c.a == 1: // there and back
				moved = float64(n % 2)
			case n == 0:
				moved = 0
			}
			near(t, "stays in the first state", power[0][0], 1-c.a*moved, 1e-13)
			near(t, "moves to the first state", power[1][0], c.b*moved, 1e-13)
			after, err := chain.After(n)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "first state after n steps", after[0], 0.75*power[0][0]+0.25*power[1][0], 1e-15)
			for _, row := range append(power, after) {
				near(t, "sum of a distribution", floats.Sum(row), 1, 4e-16)
			}
		}
	}
}

// A chain of ten states forgets its start: far powers have the stationary distribution in every row.
func TestFarPowersAreStationary(t *testing.T) {
	m := random(t, 10, 2, 3)
	chain, err := NewChain(ChainParameters{Start: m.Start(), Transitions: m.Transitions()})
	if err != nil {
		t.Fatal(err)
	}
	pi, err := chain.Stationary()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1e9, 1e12, 1e15, math.MaxInt64} {
		power, err := chain.Power(n)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range power {
			if d := floats.Distance(row, pi, math.Inf(1)); !(d < 1e-13) {
				t.Errorf("row %d of P^%d is %v, the stationary distribution %v", i, n, row, pi)
			}
		}
	}
}
