package structured

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
)

// A Lattice holds the scores of all K^T taggings of a sentence of T words:
//
//	score(y) = Start[y_0] + sum_t Local[t][y_t] + sum_{t>0} Step[y_{t-1}][y_t]
//
// It is immutable.
type Lattice struct {
	k     int
	step  []float64 // k x k
	local []float64 // T x k, the start in row 0
}

// NewLattice returns the lattice of K start scores, K x K scores of tag j after tag i, and T x K scores of the tags at each word. A score
// of -Inf forbids a tag or a step.
//
// Errors: shapes that do not go together, NaN and +Inf.
func NewLattice(start []float64, step, local [][]float64) (*Lattice, error) {
	const op = "structured.NewLattice"
	l := &Lattice{k: len(start)}
	if l.k == 0 {
		return nil, fault.Argument(op, "start", "empty", "one score for each tag", "")
	}
	if len(step) != l.k {
		return nil, fault.Argument(op, "step", fmt.Sprintf("%d rows", len(step)), "one row of scores for each tag", "")
	}
	for _, rows := range [][][]float64{{start}, step, local} {
		for i, row := range rows {
			if len(row) != l.k {
				return nil, fault.Argument(op, "scores", fmt.Sprintf("a row of %d", len(row)), "one score for each tag in each row", "")
			}
			for j, v := range row {
				if math.IsNaN(v) || math.IsInf(v, 1) {
					return nil, fault.Argument(op, fmt.Sprintf("score [%d][%d]", i, j), v, "a number, or -Inf for what is forbidden", "")
				}
			}
		}
	}
	for _, row := range step {
		l.step = append(l.step, row...)
	}
	for _, row := range local {
		l.local = append(l.local, row...)
	}
	for j := range min(l.k, len(l.local)) {
		l.local[j] += start[j]
	}
	return l, nil
}

// Len returns T, the number of words.
func (l *Lattice) Len() int { return len(l.local) / l.k }

// Score returns the score of a tagging, and NaN for one of another length or with an unknown tag.
func (l *Lattice) Score(path []int) float64 {
	if len(path) != l.Len() {
		return math.NaN()
	}
	s := 0.0
	for t, j := range path {
		if j < 0 || j >= l.k {
			return math.NaN()
		}
		if s += l.local[t*l.k+j]; t > 0 {
			s += l.step[path[t-1]*l.k+j]
		}
	}
	return s
}

// Best returns the tagging of the largest score by the recursion of Viterbi, D_t(j) = max_i (D_{t-1}(i) + Step[i][j]) + Local[t][j], in
// (T-1) K^2 comparisons. Of equal predecessors, and of equal last tags, the first is taken. Where every tagging is forbidden the score is
// -Inf.
func (l *Lattice) Best() (path []int, score float64) {
	var v viterbi
	path = make([]int, l.Len())
	return path, v.best(path, l.k, l.step, l.local)
}

// A viterbi is the memory of one recursion after the other.
type viterbi struct {
	back     []int32
	now, old []float64
}

// best writes the tagging of the largest score into path. Row t of local has k scores, and k x k scores of steps are the same everywhere.
func (v *viterbi) best(path []int, k int, step, local []float64) float64 {
	n := len(path)
	if n == 0 {
		return 0
	}
	v.back = slices.Grow(v.back[:0], n*k)[:n*k]
	v.now = append(v.now[:0], local[:k]...)
	v.old = slices.Grow(v.old[:0], k)[:k]
	for t := 1; t < n; t++ {
		v.now, v.old = v.old, v.now
		now, back := v.now, v.back[t*k:t*k+k]
		for j := range now {
			now[j], back[j] = v.old[0]+step[j], 0
		}
		for i := 1; i < k; i++ {
			from, row := v.old[i], step[i*k:i*k+k]
			for j, s := range row {
				if s += from; s > now[j] {
					now[j], back[j] = s, int32(i)
				}
			}
		}
		for j, e := range local[t*k : t*k+k] {
			now[j] += e
		}
	}
	last := 0
	for j, s := range v.now {
		if s > v.now[last] {
			last = j
		}
	}
	score := v.now[last]
	for t := n - 1; t >= 0; t-- {
		path[t] = last
		last = int(v.back[t*k+last])
	}
	return score
}

// Each calls visit with every tagging, in the order of counting, and its score, until visit returns false: brute force for tests and small
// examples. The slice is reused.
//
// Errors: more than 10 million taggings.
func (l *Lattice) Each(visit func(path []int, score float64) bool) error {
	n := l.Len()
	if math.Pow(float64(l.k), float64(n)) > 1e7 {
		return fault.Argument("structured.Lattice.Each", "taggings", fmt.Sprintf("%d to the power %d", l.k, n), "at most 10 million", "")
	}
	path := make([]int, n)
	for {
		if !visit(path, l.Score(path)) {
			return nil
		}
		t := n - 1
		for ; t >= 0 && path[t] == l.k-1; t-- {
			path[t] = 0
		}
		if t < 0 {
			return nil
		}
		path[t]++
	}
}

// Augmented returns the lattice in which every tag j at word t scores cost[truth[t]] more where it is not truth[t]: its best tagging is
// the rival that breaks the margin most when each wrong tag costs so much. A nil cost counts wrong tags.
//
// Errors: a truth of another length or with an unknown tag, other than K costs, and costs that are negative or not finite.
func (l *Lattice) Augmented(truth []int, cost []float64) (*Lattice, error) {
	const op = "structured.Lattice.Augmented"
	if cost == nil {
		cost = slices.Repeat([]float64{1}, l.k)
	}
	if len(cost) != l.k {
		return nil, fault.Argument(op, "cost", fmt.Sprintf("%d numbers", len(cost)), fmt.Sprintf("one for each of the %d tags", l.k), "")
	}
	for i, c := range cost {
		if !(c >= 0 && c <= math.MaxFloat64) {
			return nil, fault.Argument(op, fmt.Sprintf("cost[%d]", i), c, "a finite number >= 0", "")
		}
	}
	if math.IsNaN(l.Score(truth)) {
		return nil, fault.Argument(op, "truth", truth, fmt.Sprintf("%d tags from 0 to %d", l.Len(), l.k-1), "")
	}
	out := &Lattice{k: l.k, step: l.step, local: slices.Clone(l.local)}
	augment(out.local, l.k, truth, cost)
	return out, nil
}

func augment(local []float64, k int, truth []int, cost []float64) {
	for t, y := range truth {
		for j := range k {
			if j != y {
				local[t*k+j] += cost[y]
			}
		}
	}
}

// LogSum returns log sum_y exp(score(y)) over all taggings, by the forward recursion on logarithms in T K^2 time.
func (l *Lattice) LogSum() float64 {
	if l.Len() == 0 {
		return 0
	}
	rows := l.sums(true)
	return gauss.LogSumExp(rows[len(rows)-l.k:])
}

// Marginals returns the T x K probabilities of the tags of each word when a tagging has the probability exp(score(y) - LogSum()), by the
// forward and the backward recursion. They are NaN where every tagging is forbidden.
func (l *Lattice) Marginals() [][]float64 {
	forward, backward, all := l.sums(true), l.sums(false), l.LogSum()
	out := make([][]float64, l.Len())
	for t := range out {
		out[t] = make([]float64, l.k)
		for j := range out[t] {
			out[t][j] = math.Exp(forward[t*l.k+j] + backward[t*l.k+j] - l.local[t*l.k+j] - all)
			if math.IsInf(l.local[t*l.k+j], -1) && !math.IsInf(all, -1) {
				out[t][j] = 0
			}
		}
	}
	return out
}

// sums returns for each word and tag the logarithm of the sum over all beginnings that end in it, or over all endings that begin in it.
func (l *Lattice) sums(forward bool) []float64 {
	k, n := l.k, l.Len()
	out, terms := slices.Clone(l.local), make([]float64, k)
	for t := 1; t < n; t++ {
		at, from := t, t-1
		if !forward {
			at, from = n-1-t, n-t
		}
		for j := range k {
			for i := range k {
				s := i*k + j
				if !forward {
					s = j*k + i
				}
				terms[i] = out[from*k+i] + l.step[s]
			}
			out[at*k+j] += gauss.LogSumExp(terms)
		}
	}
	return out
}
