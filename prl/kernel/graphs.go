package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Graph has nodes with labels, and edges without direction between nodes numbered from 0.
type Graph struct {
	Labels []string
	Edges  [][2]int
}

// adjacent returns the matrix that tells which nodes are joined, and whether all edges join nodes of the graph.
func (g Graph) adjacent() ([][]bool, bool) {
	joined := make([][]bool, len(g.Labels))
	for i := range joined {
		joined[i] = make([]bool, len(g.Labels))
	}
	for _, e := range g.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(g.Labels) {
			return nil, false
		}
		joined[e[0]][e[1]], joined[e[1]][e[0]] = true, true
	}
	return joined, true
}

// RandomWalks returns the kernel on graphs whose features are the walks of all lengths, told apart by the labels they pass; a common walk
// of l edges counts decay^l. Common walks are walks in the product graph, whose nodes are the pairs of nodes with one label, so with its
// adjacency matrix A
//
//	K(a, b) = 1' (I + decay A + decay^2 A^2 + ...) 1 = 1' (I - decay A)^-1 1.
//
// The series converges for 0 <= decay < 1/(largest eigenvalue of A), and surely below 1/(product of the largest degrees); where it does
// not, and for an edge to no node, the value is NaN. It goes into GramOf, with one decay that serves all pairs.
//
// Source: T. Gärtner, P. Flach and S. Wrobel (2003), On graph kernels: hardness results and efficient alternatives, COLT.
func RandomWalks(decay float64) func(a, b Graph) float64 {
	return func(a, b Graph) float64 {
		ja, oka := a.adjacent()
		jb, okb := b.adjacent()
		if !oka || !okb || !(decay >= 0) || math.IsInf(decay, 0) {
			return math.NaN()
		}
		var pairs [][2]int
		for i, u := range a.Labels {
			for j, v := range b.Labels {
				if u == v {
					pairs = append(pairs, [2]int{i, j})
				}
			}
		}
		if len(pairs) == 0 {
			return 0
		}
		M := mat.NewSymDense(len(pairs), nil)
		ones := mat.NewVecDense(len(pairs), nil)
		for p, u := range pairs {
			ones.SetVec(p, 1)
			M.SetSym(p, p, 1)
			for q := p; q < len(pairs); q++ {
				if v := pairs[q]; ja[u[0]][v[0]] && jb[u[1]][v[1]] {
					M.SetSym(p, q, M.At(p, q)-decay)
				}
			}
		}
		var c mat.Cholesky
		if !c.Factorize(M) { // I - decay A is positive definite just where the series converges
			return math.NaN()
		}
		var x mat.VecDense
		if err := c.SolveVecTo(&x, ones); err != nil {
			return math.NaN()
		}
		return mat.Dot(ones, &x)
	}
}

// ShortestPaths returns the kernel on graphs whose features count the pairs of nodes by the labels at both ends and the number of edges of
// the shortest path between them; pairs without a path do not count. For an edge to no node the value is NaN. It goes into GramOf.
//
// Source: K. Borgwardt and H.-P. Kriegel (2005), Shortest-path kernels on graphs, ICDM.
func ShortestPaths() func(a, b Graph) float64 {
	return func(a, b Graph) float64 {
		ca, oka := a.paths()
		cb, okb := b.paths()
		if !oka || !okb {
			return math.NaN()
		}
		sum := 0
		for path, count := range ca {
			sum += count * cb[path]
		}
		return float64(sum)
	}
}

// A path is what the shortest-path kernel sees of two nodes.
type path struct {
	from, to string // in alphabetical order
	length   int
}

// paths counts the shortest paths of a graph, one for each pair of different nodes (Floyd and Warshall).
func (g Graph) paths() (map[path]int, bool) {
	joined, ok := g.adjacent()
	if !ok {
		return nil, false
	}
	n := len(g.Labels)
	length := make([][]int, n)
	for i := range length {
		length[i] = make([]int, n)
		for j := range length[i] {
			length[i][j] = n // longer than any path
			if joined[i][j] {
				length[i][j] = 1
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				length[i][j] = min(length[i][j], length[i][k]+length[k][j])
			}
		}
	}
	counts := map[path]int{}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if length[i][j] < n {
				from, to := g.Labels[i], g.Labels[j]
				counts[path{min(from, to), max(from, to), length[i][j]}]++
			}
		}
	}
	return counts, true
}
