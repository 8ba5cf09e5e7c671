package assess

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// A Partition compares two ways to part the same n rows, such as clusters and classes. The names of the parts do not matter.
type Partition struct {
	counts     [][]float64 // rows that are in part k of one and in part l of the other
	rows, cols []float64
	n          float64
}

// NewPartition compares two lists of n labels. Errors: lengths that differ, no rows, negative labels.
func NewPartition(a, b []int) (Partition, error) {
	const name = "assess.NewPartition"
	if len(a) != len(b) || len(a) == 0 {
		return Partition{}, fault.Argument(
			name,
			"the labels",
			fmt.Sprintf("%d and %d", len(a), len(b)),
			"two lists of one length, at least 1",
			"",
		)
	}
	first, second := dense(a), dense(b)
	k, l := 0, 0
	for i := range a {
		if a[i] < 0 || b[i] < 0 {
			return Partition{}, fault.Argument(
				name,
				fmt.Sprintf("row %d", i),
				min(a[i], b[i]),
				"labels of at least 0",
				"leave the rows without a cluster out",
			)
		}
		k, l = max(k, first[i]+1), max(l, second[i]+1)
	}
	p := Partition{make([][]float64, k), make([]float64, k), make([]float64, l), float64(len(a))}
	for i := range p.counts {
		p.counts[i] = make([]float64, l)
	}
	for i := range a {
		p.counts[first[i]][second[i]]++
		p.rows[first[i]]++
		p.cols[second[i]]++
	}
	return p, nil
}

// dense numbers the labels that occur from 0 in the order of their first row.
func dense(labels []int) []int {
	number := map[int]int{}
	out := make([]int, len(labels))
	for i, v := range labels {
		if _, ok := number[v]; !ok {
			number[v] = len(number)
		}
		out[i] = number[v]
	}
	return out
}

// AdjustedRand returns the share of pairs of rows on which both agree (together in both, or apart in both), less what chance gives, over
// the most it could be: 1 for equal partitions, about 0 for independent ones. Source: Hubert and Arabie, Journal of Classification 2
// (1985).
func (p Partition) AdjustedRand() float64 {
	pairs := func(v float64) float64 { return v * (v - 1) / 2 }
	together, first, second := 0.0, 0.0, 0.0
	for i, row := range p.counts {
		first += pairs(p.rows[i])
		for _, v := range row {
			together += pairs(v)
		}
	}
	for _, v := range p.cols {
		second += pairs(v)
	}
	if p.n < 2 || first == second && (first == 0 || first == pairs(p.n)) {
		return 1 // both have all rows apart, or all together
	}
	expected := first * second / pairs(p.n)
	return (together - expected) / ((first+second)/2 - expected)
}

// Rand returns the share of pairs of rows on which both agree, from 0 to 1; for independent partitions it is not 0. Source: W. M. Rand,
// JASA 66 (1971).
func (p Partition) Rand() float64 {
	pairs := func(v float64) float64 { return v * (v - 1) / 2 }
	if p.n < 2 {
		return 1
	}
	agree := pairs(p.n)
	for i, row := range p.counts {
		agree -= pairs(p.rows[i])
		for _, v := range row {
			agree += 2 * pairs(v)
		}
	}
	for _, v := range p.cols {
		agree -= pairs(v)
	}
	return agree / pairs(p.n)
}

// MutualInformation returns sum p(k, l) ln(p(k, l) / (p(k) p(l))) in nats.
func (p Partition) MutualInformation() float64 {
	sum := 0.0
	for i, row := range p.counts {
		for j, v := range row {
			if v > 0 {
				sum += v / p.n * math.Log(v*p.n/(p.rows[i]*p.cols[j]))
			}
		}
	}
	return max(0, sum)
}

// NormalizedMutualInformation returns the mutual information over the mean of both entropies, from 0 to 1; 1 when both have one part only.
func (p Partition) NormalizedMutualInformation() float64 {
	h := (entropy(p.rows, p.n) + entropy(p.cols, p.n)) / 2
	if h == 0 {
		return 1
	}
	return p.MutualInformation() / h
}

// AdjustedMutualInformation returns (I - E[I]) / (mean of both entropies - E[I]), where E[I] is the mean over all random partitions with
// parts of the same sizes: 1 for equal partitions, about 0 for independent ones, however many parts. Source: Vinh, Epps and Bailey, Journal
// of Machine Learning Research 11 (2010).
func (p Partition) AdjustedMutualInformation() float64 {
	if len(p.rows) == len(p.cols) && (len(p.rows) == 1 || len(p.rows) == int(p.n)) {
		return 1
	}
	expected := 0.0
	lf := func(v float64) float64 { g, _ := math.Lgamma(v + 1); return g }
	for _, a := range p.rows {
		for _, b := range p.cols {
			// The hypergeometric chances of v common rows follow from one another, here in both directions from the likeliest.
			lo, hi := max(0, a+b-p.n), min(a, b)
			mode := min(max(math.Floor((a+1)*(b+1)/(p.n+2)), lo), hi)
			top := math.Exp(lf(a) + lf(b) + lf(p.n-a) + lf(p.n-b) - lf(p.n) - lf(mode) - lf(a-mode) - lf(b-mode) - lf(p.n-a-b+mode))
			add := func(v, chance float64) {
				if v > 0 {
					expected += v / p.n * math.Log(v*p.n/(a*b)) * chance
				}
			}
			for v, chance := mode, top; v <= hi && chance > 0; v++ {
				add(v, chance)
				chance *= (a - v) * (b - v) / ((v + 1) * (p.n - a - b + v + 1))
			}
			for v, chance := mode, top; v > lo && chance > 0; v-- {
				chance *= v * (p.n - a - b + v) / ((a - v + 1) * (b - v + 1))
				add(v-1, chance)
			}
		}
	}
	top := p.MutualInformation() - expected
	bottom := (entropy(p.rows, p.n)+entropy(p.cols, p.n))/2 - expected
	if bottom <= 0 {
		return 0
	}
	return top / bottom
}

func entropy(counts []float64, n float64) float64 {
	h := 0.0
	for _, v := range counts {
		if v > 0 {
			h -= v / n * math.Log(v/n)
		}
	}
	return h
}

// Silhouette returns for each row of X (n x d) how much nearer it is to its own cluster than to the next one, (b - a)/max(a, b), with a the
// mean distance to the other rows of its cluster and b the least mean distance to the rows of another; from -1 to 1, and 0 for a row alone
// in its cluster. It takes n^2 d operations. Source: Rousseeuw, Journal of Computational and Applied Mathematics 20 (1987).
//
// Errors: another number of labels than rows, negative labels, fewer than two clusters; that of the context when it ends first.
func Silhouette(ctx context.Context, X mat.Matrix, labels []int) ([]float64, error) {
	cluster, size, err := clusters("assess.Silhouette", X, labels)
	if err != nil {
		return nil, err
	}
	n, d := X.Dims()
	x := scaled(X)
	sums := make([]float64, n*len(size)) // of distances to the rows of each cluster
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a := x.RawRowView(i)
		for j := range i {
			b := x.RawRowView(j)
			s := 0.0
			for k := range d {
				s += (a[k] - b[k]) * (a[k] - b[k])
			}
			s = math.Sqrt(s)
			sums[i*len(size)+cluster[j]] += s
			sums[j*len(size)+cluster[i]] += s
		}
	}
	out := make([]float64, n)
	for i, own := range cluster {
		if size[own] == 1 {
			continue
		}
		a, b := sums[i*len(size)+own]/(size[own]-1), math.Inf(1)
		for c, m := range size {
			if c != own {
				b = min(b, sums[i*len(size)+c]/m)
			}
		}
		if most := max(a, b); most > 0 {
			out[i] = (b - a) / most
		}
	}
	return out, nil
}

// clusters returns labels numbered from 0 in the order of their first row, and the sizes.
func clusters(function string, X mat.Matrix, labels []int) (cluster []int, size []float64, err error) {
	n, _ := X.Dims()
	if len(labels) != n {
		return nil, nil, fault.Argument(function, "labels", fmt.Sprintf("%d numbers", len(labels)),
			fmt.Sprintf("one for each of the %d rows of X", n), "")
	}
	for i, v := range labels {
		if v < 0 {
			return nil, nil, fault.Argument(function, fmt.Sprintf("labels[%d]", i), v, "a number of at least 0",
				"leave the rows without a cluster out")
		}
	}
	cluster = dense(labels)
	for _, c := range cluster {
		if c == len(size) {
			size = append(size, 0)
		}
		size[c]++
	}
	if len(size) < 2 {
		return nil, nil, fault.Argument(function, "labels", "one cluster", "at least two clusters", "")
	}
	return cluster, size, nil
}

// centres returns the mean of each cluster.
func centres(X mat.Matrix, cluster []int, size []float64) [][]float64 {
	_, d := X.Dims()
	out := make([][]float64, len(size))
	for c := range out {
		out[c] = make([]float64, d)
	}
	for i, c := range cluster {
		for j := range d {
			out[c][j] += X.At(i, j) / size[c]
		}
	}
	return out
}

// CalinskiHarabasz returns the sum of squares between the K clusters over that within, each over its degrees of freedom,
//
//	(B / (K-1)) / (W / (n-K)),
//
// large for clusters that are tight and far apart, and +Inf where each is one point. Source: T. Calinski and J. Harabasz, Communications in
// Statistics 3 (1974). Errors: those of Silhouette, as many clusters as rows.
func CalinskiHarabasz(X mat.Matrix, labels []int) (float64, error) {
	const name = "assess.CalinskiHarabasz"
	cluster, size, err := clusters(name, X, labels)
	if err != nil {
		return 0, err
	}
	X = scaled(X)
	n, d := X.Dims()
	if len(size) == n {
		return 0, fault.Argument(name, "labels", fmt.Sprintf("%d clusters", n), "fewer clusters than rows", "")
	}
	means := centres(X, cluster, size)
	mean, between, within := make([]float64, d), 0.0, 0.0
	for c, m := range means {
		for j, v := range m {
			mean[j] += size[c] / float64(n) * v
		}
	}
	for c, m := range means {
		for j, v := range m {
			between += size[c] * (v - mean[j]) * (v - mean[j])
		}
	}
	for i, c := range cluster {
		for j, v := range means[c] {
			within += (X.At(i, j) - v) * (X.At(i, j) - v)
		}
	}
	k := float64(len(size))
	return between / (k - 1) / (within / (float64(n) - k)), nil
}

// DaviesBouldin returns the mean over the clusters of the worst (s_a + s_b) / d_ab, with s the mean distance of the rows of a cluster from
// their mean and d_ab the distance of two means: small for clusters that are tight and far apart, +Inf where two means are one. Source: D.
// L. Davies and D. W. Bouldin, IEEE Trans. PAMI 1 (1979). Errors: those of Silhouette.
func DaviesBouldin(X mat.Matrix, labels []int) (float64, error) {
	cluster, size, err := clusters("assess.DaviesBouldin", X, labels)
	if err != nil {
		return 0, err
	}
	X = scaled(X)
	means, spread := centres(X, cluster, size), make([]float64, len(size))
	for i, c := range cluster {
		sum := 0.0
		for j, v := range means[c] {
			sum += (X.At(i, j) - v) * (X.At(i, j) - v)
		}
		spread[c] += math.Sqrt(sum) / size[c]
	}
	total := 0.0
	for a := range means {
		worst := 0.0
		for b := range means {
			if a == b {
				continue
			}
			sum := 0.0
			for j, v := range means[a] {
				sum += (v - means[b][j]) * (v - means[b][j])
			}
			if both := spread[a] + spread[b]; sum == 0 {
				worst = math.Inf(1)
			} else {
				worst = max(worst, both/math.Sqrt(sum))
			}
		}
		total += worst / float64(len(size))
	}
	return total, nil
}
