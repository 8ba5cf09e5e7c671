package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// bySubsets is the definition of Subsequences: it goes through all sets of n places.
func bySubsets(n int, decay float64) func(a, b string) float64 {
	features := func(s string) map[string]float64 {
		phi := map[string]float64{}
		for set := range 1 << len(s) {
			u, first, last := "", -1, 0
			for i := range len(s) {
				if set>>i&1 == 1 {
					u, last = u+s[i:i+1], i
					if first < 0 {
						first = i
					}
				}
			}
			if len(u) == n {
				phi[u] += math.Pow(decay, float64(last-first+1))
			}
		}
		return phi
	}
	return func(a, b string) float64 {
		pa, pb, sum := features(a), features(b), 0.0
		for u, v := range pa {
			sum += v * pb[u]
		}
		return sum
	}
}

func word(r *rand.Rand, length int) string {
	s := make([]byte, length)
	for i := range s {
		s[i] = "abc"[r.IntN(3)]
	}
	return string(s)
}

func TestSubsequences(t *testing.T) {
	// Lodhi et al. 2002, section 3: the pair "ca" is all that cat and car share.
	const l = 0.7
	near(t, "cat, car", Subsequences(2, l)("cat", "car"), math.Pow(l, 4), 1e-15)
	near(t, "cat, cat", Subsequences(2, l)("cat", "cat"), 2*math.Pow(l, 4)+math.Pow(l, 6), 1e-15)
	near(t, "cosine", Cosine(Subsequences(2, l))("cat", "car"), 1/(2+l*l), 1e-15)
	near(t, "cosine of nothing", Cosine(Subsequences(2, l))("a", "car"), 0, 0)
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n, decay := 1+r.IntN(4), 0.2+r.Float64()
		a, b := word(r, r.IntN(9)), word(r, r.IntN(9))
		near(t, fmt.Sprintf("%d letters of %q and %q", n, a, b), Subsequences(n, decay)(a, b), bySubsets(n, decay)(a, b), 1e-12)
	}
	if v := Subsequences(2, 0)("ab", "ab"); !math.IsNaN(v) {
		t.Errorf("decay 0 gives %v", v)
	}
}

// graph draws a graph of n nodes with two labels.
func graph(r *rand.Rand, n int) Graph {
	g := Graph{Labels: make([]string, n)}
	for i := range n {
		g.Labels[i] = string("CO"[r.IntN(2)])
		for j := range i {
			if r.IntN(3) == 0 {
				g.Edges = append(g.Edges, [2]int{i, j})
			}
		}
	}
	return g
}

// walks counts the common walks of l edges, step by step, from pairs of nodes to pairs of nodes.
func walks(a, b Graph, l int) float64 {
	joined := func(g Graph, i, j int) bool {
		for _, e := range g.Edges {
			if e == [2]int{i, j} || e == [2]int{j, i} {
				return true
			}
		}
		return false
	}
	count := map[[2]int]float64{}
	for i := range a.Labels {
		for j := range b.Labels {
			if a.Labels[i] == b.Labels[j] {
				count[[2]int{i, j}] = 1
			}
		}
	}
	for range l {
		next := map[[2]int]float64{}
		for p, c := range count {
			for i := range a.Labels {
				for j := range b.Labels {
					if a.Labels[i] == b.Labels[j] && joined(a, p[0], i) && joined(b, p[1], j) {
						next[[2]int{i, j}] += c
					}
				}
			}
		}
		count = next
	}
	sum := 0.0
	for _, c := range count {
		sum += c
	}
	return sum
}

func TestGraphs(t *testing.T) {
	edge := Graph{[]string{"C", "C"}, [][2]int{{0, 1}}}
	chain := Graph{[]string{"C", "C", "O"}, [][2]int{{0, 1}, {1, 2}}}
	near(t, "an edge with itself", RandomWalks(0.25)(edge, edge), 4/0.75, 1e-14) // 4 pairs, each has one neighbour: 4 (1 + d + d^2 ...)
	near(t, "paths", ShortestPaths()(chain, chain), 3, 0)
	near(t, "paths", ShortestPaths()(edge, chain), 1, 0)
	r := rand.New(rand.NewPCG(3, 4))
	var graphs []Graph
	for range 12 {
		graphs = append(graphs, graph(r, 1+r.IntN(5)))
	}
	const decay = 0.03 // a product of degrees is at most 16
	for _, a := range graphs {
		for _, b := range graphs {
			series := 0.0
			for l := range 25 {
				series += math.Pow(decay, float64(l)) * walks(a, b, l)
			}
			near(t, "walks", RandomWalks(decay)(a, b), series, 1e-7*(1+series))
		}
	}
	for name, k := range map[string]func(a, b Graph) float64{"walks": RandomWalks(decay), "paths": ShortestPaths()} {
		G, err := GramOf(graphs, k)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := PSD(G, 1e-12); err != nil || !d.SemiDefinite {
			t.Errorf("%s: smallest eigenvalue %g, %v", name, d.Min, err)
		}
		if v := k(edge, Graph{[]string{"C"}, [][2]int{{0, 1}}}); !math.IsNaN(v) {
			t.Errorf("%s: an edge to no node gives %v", name, v)
		}
	}
	if v := RandomWalks(1)(edge, edge); !math.IsNaN(v) {
		t.Errorf("a series that diverges gives %v", v)
	}
}

func TestEmbed(t *testing.T) {
	X := points(5, 12, 3)
	for _, k := range []Kernel{Linear{}, RBF{0.5}, Poly{2, 1, 1}} {
		K, err := Gram(k, X)
		if err != nil {
			t.Fatal(err)
		}
		Z, err := Embed(K, 1e-12)
		if err != nil {
			t.Fatal(err)
		}
		var back mat.Dense
		back.Mul(Z, Z.T())
		for i := range 12 {
			for j := range 12 {
				near(t, k.String(), back.At(i, j), K.At(i, j), 1e-10)
			}
		}
		_, r := Z.Dims()
		if want := map[string]int{"linear": 3}[k.String()]; want != 0 && r != want {
			t.Errorf("%s: rank %d, want %d", k, r, want)
		}
	}
	if Z, err := Embed(mat.NewSymDense(2, nil), 0); err != nil || mat.Norm(Z, 2) != 0 {
		t.Errorf("of zeros %v, %v", Z, err)
	}
}

// 0 is where 1 is, and 1 where 2 is, but 0 and 2 stand at right angles: no space has such points.
func TestWitness(t *testing.T) {
	K := mat.NewSymDense(3, []float64{1, 1, 0, 1, 1, 1, 0, 1, 1})
	v, value, err := Witness(K)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "smallest eigenvalue", value, 1-math.Sqrt2, 1e-15)
	near(t, "v'Kv", mat.Inner(mat.NewVecDense(3, v), K, mat.NewVecDense(3, v)), value, 1e-15)
	near(t, "its middle", v[1], math.Sqrt(0.5), 1e-15)
	if _, err := Embed(K, 1e-12); err == nil || !strings.Contains(err.Error(), "eigenvalue of -0.4142") {
		t.Error(err)
	}
	if _, _, err := Witness(nil); err == nil {
		t.Error("no matrix")
	}
	if _, err := Embed(nil, 1e-12); err == nil || !strings.Contains(err.Error(), "K is empty") {
		t.Error(err)
	}
}
