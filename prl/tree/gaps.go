package tree

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/tile"
)

// CheckX reports, in the name of a function, data that a tree with these options cannot take: infinities, NaN without Gaps, and numbers
// that are no words of theirs.
func (o Options) CheckX(name string, X mat.Matrix) error {
	if err := estimator.CheckX(name, X); o.Words == nil && (err == nil || !o.Gaps) {
		return err
	}
	if err := estimator.CheckSize(name, X); err != nil {
		return err
	}
	n, d := X.Dims()
	if o.Words != nil && len(o.Words) != d {
		return fault.Argument(name, "Words", fmt.Sprintf("%d numbers", len(o.Words)), fmt.Sprintf("one for each of the %d features", d), "")
	}
	for i := range n {
		for j := range d {
			v := X.At(i, j)
			at := func() string { return fmt.Sprintf("X[%d, %d]", i, j) }
			switch {
			case v != v && !o.Gaps:
				return fault.Argument(name, at(), v, "a finite number", "set Gaps, drop the row, or fill the gap before fitting")
			case math.IsInf(v, 0):
				return fault.Argument(name, at(), v, "a finite number, or NaN for a gap", "")
			case v == v && o.words(j) > 0 && !(v >= 0 && v < float64(o.Words[j]) && v == math.Trunc(v)):
				return fault.Argument(name, at(), v, fmt.Sprintf("a word from 0 to %d", o.Words[j]-1), "Words says how many there are")
			}
		}
	}
	return nil
}

// words returns the number of words of feature j, 0 for a feature of numbers.
func (o Options) words(j int) int {
	if o.Words == nil {
		return 0
	}
	return o.Words[j]
}

// gaps reports whether a matrix of finite numbers and NaN has a NaN.
func gaps(X mat.Matrix) bool { return estimator.CheckX("", X) != nil }

// canonical returns x with every NaN the same, which sorts behind all numbers.
func canonical(x *mat.Dense) *mat.Dense {
	if !gaps(x) {
		return x
	}
	out := mat.DenseCopyOf(x)
	out.Apply(func(_, _ int, v float64) float64 {
		if v != v {
			return math.NaN()
		}
		return v
	}, out)
	return out
}

// unordered is what splits on features with gaps or of words need beside the sorted rows: their rows have no order of their own, so that
// one is made for each node.
type unordered[R row] struct {
	words     []int
	high, low [][]float64 // of a feature of numbers with gaps: its column with +Inf, and with -Inf, in the gaps
	ranks     [][]float64 // n places for each worker
	lists     [][]R       // n rows for each worker
}

// newUnordered returns nil when the options ask for none of it.
func newUnordered[R row](s *sorted[R], o Options) *unordered[R] {
	if !o.Gaps && o.Words == nil {
		return nil
	}
	u := &unordered[R]{
		words: make([]int, s.d), high: make([][]float64, s.d), low: make([][]float64, s.d), ranks: make([][]float64, s.d),
		lists: make([][]R, s.d),
	}
	for j := range s.d {
		u.words[j] = o.words(j)
		column := s.column(j)
		if last := column.at(int(s.order[j][s.grown-1])); u.words[j] > 0 || last == last {
			continue
		}
		u.high[j], u.low[j] = make([]float64, s.n), make([]float64, s.n)
		for i := range s.n {
			u.high[j][i], u.low[j][i] = column.at(i), column.at(i)
			if v := column.at(i); v != v {
				u.high[j][i], u.low[j][i] = math.Inf(1), math.Inf(-1)
			}
		}
	}
	return u
}

// has reports whether feature j needs an order made for the node.
func (u *unordered[R]) has(j int) bool { return u != nil && (u.words[j] > 0 || u.high[j] != nil) }

// list returns room for n rows that belongs to a worker.
func (u *unordered[R]) list(worker, n int) []R {
	if u.lists[worker] == nil {
		u.lists[worker] = make([]R, 0, n)
	}
	return u.lists[worker][:0]
}

// groups cuts the rows of a node, of which those of one word stand side by side, where the word changes. A gap is one more word.
func groups[R row](rows []R, column feature) (starts []int) {
	for i, r := range rows {
		a, b := column.at(int(r)), math.Inf(-1)
		if i > 0 {
			b = column.at(int(rows[i-1]))
		}
		if a != b && (a == a || b == b) {
			starts = append(starts, i)
		}
	}
	return starts
}

// arrange returns the rows of the node being split with its words in the order in which the best cut between two of them is the best of all
// subsets: by the share of the second of two classes, or by the mean target. Source: W. Fisher, On grouping for maximum homogeneity, JASA
// 53,
// 1958; Breiman, Friedman, Olshen, Stone, 1984, theorem 4.5 and section 8.8. The order by the first principal component of the shares of
// more than two classes finds a good subset, not always the best: D. Coppersmith, S. Hong, J. Hosking, Partitioning nominal attributes in
// decision trees, Data Mining and Knowledge Discovery 3, 1999. The column holds the place of each row's word in the order.
func (g *grower[R]) arrange(worker, j int) (list []R, column feature) {
	u, rows, values := g.odd, g.s.order[j][g.job.lo:g.job.hi], g.s.column(j)
	starts := groups(rows, values)
	word := func(k int) float64 {
		if v := values.at(int(rows[starts[k]])); v == v {
			return v
		}
		return math.Inf(1) // a gap comes last of equals
	}
	scores, order := g.task.scores(rows, starts), make([]int, len(starts))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[a], scores[b]), cmp.Compare(word(a), word(b))) })
	if u.ranks[worker] == nil {
		u.ranks[worker] = make([]float64, g.s.n)
	}
	list, column = u.list(worker, g.s.n), feature{u.ranks[worker], 1}
	for rank, k := range order {
		end := len(rows)
		if k+1 < len(starts) {
			end = starts[k+1]
		}
		for _, r := range rows[starts[k]:end] {
			column.values[r] = float64(rank)
			list = append(list, r)
		}
	}
	return list, column
}

// known returns how many of the rows of feature j in a node have a value; those with a gap stand behind them.
func (g *grower[R]) known(rows []R, j int) int {
	column := g.s.column(j)
	k, _ := slices.BinarySearchFunc(rows, true, func(r R, _ bool) int {
		if v := column.at(int(r)); v == v {
			return -1
		}
		return 1
	})
	return k
}

// gapsFirst returns the rows with those of a gap before the others.
func (g *grower[R]) gapsFirst(worker int, rows []R, known int) []R {
	return append(append(g.odd.list(worker, g.s.n), rows[known:]...), rows[:known]...)
}

// scanUnordered finds the best cut of feature j, which has gaps or words. The gaps of numbers are tried on the right side, which holds the
// question whether there is a value at all, and on the left.
func (g *grower[R]) scanUnordered(worker, j int, margin float64) cut {
	rows := g.s.order[j][g.job.lo:g.job.hi]
	if g.odd.words[j] > 0 {
		list, column := g.arrange(worker, j)
		if column.at(int(list[0])) == column.at(int(list[len(list)-1])) {
			return cut{at: -1}
		}
		return g.task.scan(list, column, g.node, g.opts.MinLeaf, margin)
	}
	known, column := g.known(rows, j), feature{g.odd.high[j], 1}
	if known == 0 || column.at(int(rows[0])) == column.at(int(rows[len(rows)-1])) {
		return cut{at: -1}
	}
	right := g.task.scan(rows, column, g.node, g.opts.MinLeaf, margin)
	if known == len(rows) {
		return right
	}
	left := g.task.scan(g.gapsFirst(worker, rows, known), feature{g.odd.low[j], 1}, g.node, g.opts.MinLeaf, margin)
	if left.at >= 0 && (right.at < 0 || left.cost < right.cost-margin) {
		left.gapsLeft = true
		return left
	}
	return right
}

// ask writes the test of a split into node at, divides the rows, and returns how many go left. Where the rows of the fit do not say to
// which side a gap or a word goes, it goes with most of them.
func (g *grower[R]) ask(b job, at, j int, c cut) int {
	n, rows, size := g.list.at(at), g.s.order[j][b.lo:b.hi], c.at+1
	n.Feature = j
	heavier := g.odd != nil && 2*size > len(rows)
	switch {
	case !g.odd.has(j):
		col := g.s.column(j)
		n.Threshold = between(col.at(int(rows[c.at])), col.at(int(rows[size])))
		n.GapsLeft = g.opts.Gaps && heavier
		g.partition(b, j, c.at)
	case g.odd.words[j] > 0:
		list, _ := g.arrange(0, j)
		copy(rows, list)
		if v := g.s.column(j).at(int(rows[0])); v != v && size == len(rows)-g.present(rows, j) { // gaps alone are on the right side
			slices.Reverse(rows)
			size = len(rows) - size
			heavier = 2*size > len(rows)
		}
		side := make([]int, g.odd.words[j]+1) // 0: not here, 1: left, 2: right; the last for gaps
		for i, r := range rows {
			k := len(side) - 1
			if v := g.s.column(j).at(int(r)); v == v {
				k = int(v)
			}
			side[k] = 2
			if i < size {
				side[k] = 1
			}
		}
		left := func(k int) bool { return side[k] == 1 || side[k] == 0 && heavier }
		for k := range g.odd.words[j] {
			if left(k) {
				n.Words = append(n.Words, k)
			}
		}
		n.GapsLeft = left(len(side) - 1)
		g.partition(b, j, size-1)
	default:
		column, known := g.odd.high[j], g.known(rows, j)
		n.GapsLeft = heavier && known == len(rows)
		if c.gapsLeft {
			column, n.GapsLeft = g.odd.low[j], true
			copy(rows, g.gapsFirst(0, rows, known))
		}
		lo, hi := column[rows[c.at]], column[rows[size]]
		n.Threshold = between(max(lo, -math.MaxFloat64), hi)
		if math.IsInf(hi, 1) {
			n.Threshold = math.MaxFloat64
		}
		g.partition(b, j, c.at)
		if c.gapsLeft { // behind the values again
			copy(rows[:size], g.gapsFirst(0, rows[:size], len(rows)-known))
		}
	}
	return size
}

// present returns how many of the rows have a word.
func (g *grower[R]) present(rows []R, j int) (n int) {
	for _, r := range rows {
		if v := g.s.column(j).at(int(r)); v == v {
			n++
		}
	}
	return n
}

// scores returns the share of the second of two classes in each group of rows, or of more classes the first principal component of the
// shares.
func (t *classes[R]) scores(rows []R, starts []int) []float64 {
	shares, weights, out := make([][]float64, len(starts)), make([]float64, len(starts)), make([]float64, len(starts))
	mean, all := make([]float64, t.k), 0.0
	for g, from := range starts {
		end := len(rows)
		if g+1 < len(starts) {
			end = starts[g+1]
		}
		p := make([]float64, t.k)
		for _, r := range rows[from:end] {
			p[t.y[r]] += t.weight(r)
			weights[g] += t.weight(r)
		}
		all += weights[g]
		for c := range p {
			mean[c] += p[c]
			p[c] /= weights[g]
		}
		shares[g] = p
	}
	axis := []float64{0, 1}
	if t.k > 2 {
		for c := range mean {
			mean[c] /= all
		}
		axis = principal(shares, weights, mean)
	}
	for g, p := range shares {
		for c, a := range axis {
			out[g] += a * p[c]
		}
	}
	return out
}

// principal returns the first principal axis of weighted points, by the power method.
func principal(points [][]float64, weights, mean []float64) []float64 {
	k := len(mean)
	S := make([][]float64, k)
	top := 0
	for a := range S {
		S[a] = make([]float64, k)
		for b := range S[a] {
			for i, p := range points {
				S[a][b] += weights[i] * (p[a] - mean[a]) * (p[b] - mean[b])
			}
		}
		if S[a][a] > S[top][top] {
			top = a
		}
	}
	axis := slices.Clone(S[top])
	for range 100 {
		next, length := make([]float64, k), 0.0
		for a, row := range S {
			for b, v := range row {
				next[a] += v * axis[b]
			}
			length = max(length, math.Abs(next[a]))
		}
		if !(length > 0) {
			break
		}
		for a := range next {
			axis[a] = next[a] / length
		}
	}
	return axis
}

// scores returns the mean target of each group of rows.
func (t *squares[R]) scores(rows []R, starts []int) []float64 {
	out := make([]float64, len(starts))
	for g, from := range starts {
		end := len(rows)
		if g+1 < len(starts) {
			end = starts[g+1]
		}
		weight, mean := 0.0, 0.0
		for _, r := range rows[from:end] {
			w := t.weight(r)
			weight += w
			mean += (t.t[r] - mean) * (w / weight)
		}
		out[g] = mean
	}
	return out
}

// special is what a tree knows of features with gaps or of words.
type special struct {
	Gaps  bool       // rows may have gaps
	Seen  bool       // those of the fit had some
	Words []int      // of Options
	Names [][]string // the words themselves, where a data set told them
	Sides []side     // of the nodes that send gaps to the left or ask for words
}

type side struct {
	Node     int
	GapsLeft bool
	Words    []int
}

// plain reports whether thresholds alone lead the rows of x to their leaves.
func (s *special) plain(x []float64) bool { return s.Words == nil && (!s.Gaps || tile.Finite(x)) }

// goesLeft tells where node n sends a row.
func (t *nodes) goesLeft(n *Node, x []float64) bool {
	switch v := x[n.Feature]; {
	case v != v:
		return n.GapsLeft
	case n.Words == nil:
		return v <= n.Threshold
	case !(v >= 0 && v < float64(t.special.Words[n.Feature])): // a word that the fit has not seen
		return n.GapsLeft
	default:
		_, found := slices.BinarySearch(n.Words, int(v))
		return found
	}
}

// Columns returns the names of the features of the fit, and the words that their numbers stand for, nil for numbers.
func (t *nodes) Columns() (names []string, words [][]string) {
	names = make([]string, t.d)
	for j := range names {
		names[j] = t.FeatureName(j)
	}
	return names, t.special.Names
}

// sides lists what the stored form of a node leaves out.
func (t *nodes) sides() special {
	s := t.special
	for i, n := range t.list.all() {
		if n.GapsLeft || n.Words != nil {
			s.Sides = append(s.Sides, side{i, n.GapsLeft, n.Words})
		}
	}
	return s
}

// restore puts what sides listed into nodes that were read. It fails where the parts do not fit together.
func (s special) restore(d int, list []Node) (special, bool) {
	ok := (s.Words == nil || len(s.Words) == d) && len(s.Names) <= d
	for j, names := range s.Names {
		ok = ok && (names == nil || s.Words != nil && j < len(s.Words) && s.Words[j] == len(names))
	}
	for _, k := range s.Words {
		ok = ok && k >= 0
	}
	for _, v := range s.Sides {
		if !ok || v.Node < 0 || v.Node >= len(list) || list[v.Node].Leaf() || v.GapsLeft && !s.Gaps && s.Words == nil {
			return s, false
		}
		n := &list[v.Node]
		n.GapsLeft, n.Words = v.GapsLeft, v.Words
		for i, k := range v.Words {
			ok = ok && s.Words != nil && k >= 0 && k < s.Words[n.Feature] && (i == 0 || k > v.Words[i-1])
		}
	}
	for _, n := range list {
		ok = ok && (n.Leaf() || (s.Words != nil && s.Words[n.Feature] > 0) == (n.Words != nil))
	}
	s.Sides = nil
	return s, ok
}

// asked says what holds of the named feature in the left child of node n, or in the right one, with the sign of the threshold.
func (t *nodes) asked(n Node, name string, left bool, sign, format string) string {
	text := ""
	switch {
	case n.Words != nil:
		list := make([]string, len(n.Words))
		for i, k := range n.Words {
			list[i] = strconv.Itoa(k)
			if j := n.Feature; j < len(t.special.Names) && k < len(t.special.Names[j]) {
				list[i] = t.special.Names[j][k]
			}
		}
		in := " in {"
		if !left {
			in = " not in {"
		}
		text = name + in + strings.Join(list, ", ") + "}"
	case n.Threshold == math.MaxFloat64 && left:
		return name + " is known"
	case n.Threshold == math.MaxFloat64:
		return name + " is missing"
	default:
		text = fmt.Sprintf("%s %s "+format, name, sign, n.Threshold)
	}
	if t.special.Seen && n.GapsLeft == left {
		text += " or missing"
	}
	return text
}
