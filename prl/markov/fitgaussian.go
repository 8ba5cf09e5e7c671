package markov

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/mixture"
)

// GaussianOptions set the learning of a Gaussian HMM from scratch.
type GaussianOptions struct {
	BaumWelchOptions
	States     []string           // names; nil gives s1 ... sK
	Covariance mixture.Covariance // default mixture.Full
	Components int                // Gaussians in the mixture of each state, default 1
	// Above 0 the states are passed from the left to the right: the first state is the first, and a step leads at most so many states
	// onwards and never back. 1 visits all states in turn up to the last one reached. Default 0: every step is possible
	LeftRight int
	Restarts  int    // starts of which the likeliest end counts, default 3
	Seed      uint64 // default 1
}

// filled returns o with defaults in the place of zeros.
func (o GaussianOptions) filled() GaussianOptions {
	o.BaumWelchOptions = o.BaumWelchOptions.filled()
	o.Covariance, o.Components = cmp.Or(o.Covariance, mixture.Full), cmp.Or(o.Components, 1)
	o.Restarts, o.Seed = cmp.Or(o.Restarts, 3), cmp.Or(o.Seed, 1)
	return o
}

// check reports settings that no data could make right.
func (o GaussianOptions) check(function string, k int) error {
	if err := estimator.CheckCount(function, "k", k, 1, maxStates); err != nil {
		return err
	}
	if err := o.Covariance.Check(function); err != nil {
		return err
	}
	for _, count := range []struct {
		name          string
		v, least, max int
	}{
		{"Components", o.Components, 1, maxStates / k},
		{"LeftRight", o.LeftRight, 0, math.MaxInt},
		{"Restarts", o.Restarts, 1, math.MaxInt},
	} {
		if err := estimator.CheckCount(function, count.name, count.v, count.least, count.max); err != nil {
			return err
		}
	}
	if o.LeftRight > 0 && o.Smoothing > 0 {
		return fault.Argument(function, "Smoothing", o.Smoothing, "0 in a left-right model", "added counts would allow every step")
	}
	_, err := names(function, "States", o.States, k, "s")
	return err
}

// FitGaussian learns a Gaussian HMM of k states from sequences (each T x d) by Baum-Welch from several starts and returns the likeliest
// end.
//
// A start puts each row into a state, and each state's rows into components, by k-means. The states of left-right models (R. Bakis 1976;
// Rabiner 1989, section IV.C) are segments of each sequence instead, of equal length in the first start and of random lengths in the
// others. From these come the means, the covariances, shrunk towards the one within all groups as if d + 1 more rows had shown it, the
// weights, and the transitions, each possible one counted once more than it occurs. Nothing tells the states of k-means apart: they come
// in any order.
//
// Starts that fail, as a component shrinks onto fewer points than its covariance needs, are dropped; the error of the first one is returned
// when all do.
func FitGaussian(ctx context.Context, sequences []mat.Matrix, k int, o GaussianOptions) (*Learned[*GaussianHMM], error) {
	return fitGaussian(ctx, sequences, k, o.filled())
}

func fitGaussian(ctx context.Context, sequences []mat.Matrix, k int, o GaussianOptions) (*Learned[*GaussianHMM], error) {
	const function = "markov.FitGaussian"
	if err := o.check(function, k); err != nil {
		return nil, err
	}
	data, err := series(function, sequences, 0)
	if err != nil {
		return nil, err
	}
	if err := o.BaumWelchOptions.check(function, len(sequences)); err != nil {
		return nil, err
	}
	rows, err := newGrouping(function, data, k, o)
	if err != nil {
		return nil, err
	}
	var best *Learned[*GaussianHMM]
	var first error
	for r := range o.Restarts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: stopped before start %d: %w", function, r+1, err)
		}
		start, err := rows.start(ctx, function, r)
		var got *Learned[*GaussianHMM]
		if err == nil {
			got, err = baumWelchGaussian(ctx, function, start, data, o.BaumWelchOptions)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, fmt.Errorf("%s: stopped in start %d: %w", function, r+1, ctx.Err())
		case err != nil:
			first = cmp.Or(first, fault.In(function, err))
		case best == nil || last(got.LogLik) > last(best.LogLik):
			best = got
		}
	}
	if best == nil {
		return nil, first
	}
	return best, nil
}

// series returns sequences as dense matrices of one width: d, or with d = 0 that of the first.
func series(function string, sequences []mat.Matrix, d int) ([]*mat.Dense, error) {
	if len(sequences) == 0 {
		return nil, fault.Argument(function, "sequences", "empty", "at least one sequence", "")
	}
	data := make([]*mat.Dense, len(sequences))
	for s, X := range sequences {
		var err error
		if d == 0 {
			err = estimator.CheckX(function, X)
		} else {
			err = estimator.CheckWidth(function, X, d)
		}
		if err != nil {
			return nil, ofSequence(s, err)
		}
		data[s] = estimator.Dense(X)
		_, d = data[s].Dims()
	}
	return data, nil
}

// A grouping puts the rows of all sequences, one below the other, into states and components for the start of Baum-Welch.
type grouping struct {
	k, d    int
	o       GaussianOptions
	lengths []int
	x       *mat.Dense
	weights []float64 // of the rows
}

// newGrouping takes the sequences of positive weight.
func newGrouping(function string, data []*mat.Dense, k int, o GaussianOptions) (*grouping, error) {
	_, d := data[0].Dims()
	g := &grouping{k: k, d: d, o: o}
	var x []float64
	for s, X := range data {
		w := weight(o.Weights, s)
		if w == 0 {
			continue
		}
		n, _ := X.Dims()
		x = append(x, X.RawMatrix().Data[:n*d]...)
		g.lengths = append(g.lengths, n)
		g.weights = append(g.weights, slices.Repeat([]float64{w}, n)...)
	}
	if n := len(g.weights); n < k {
		return nil, fault.Argument(function, "sequences", fmt.Sprintf("%d rows", n), fmt.Sprintf("at least %d rows, one for each state", k), "")
	}
	g.x = mat.NewDense(len(g.weights), d, x)
	return g, nil
}

// start returns the model that start r begins with.
func (g *grouping) start(ctx context.Context, function string, r int) (*GaussianHMM, error) {
	seed := g.o.Seed + uint64(r)
	states, err := g.segments(r, generator(seed)), error(nil)
	if g.o.LeftRight == 0 {
		if states, err = g.clusters(ctx, g.x, g.weights, g.k, seed); err != nil {
			return nil, err
		}
	}
	p := GaussianParameters{States: g.o.States, Kind: g.o.Covariance}
	p.Start, p.Transitions = g.chain(states)
	components := make([]int, len(states)) // the numbers of the Gaussians
	for i := range g.k {
		var at []int
		for t, s := range states {
			if s == i {
				at = append(at, t)
			}
		}
		part := make([]int, len(at))
		if c := min(g.o.Components, len(at)); c > 1 {
			rows, weights := mat.NewDense(len(at), g.d, nil), make([]float64, len(at))
			for r, t := range at {
				rows.SetRow(r, g.x.RawRowView(t))
				weights[r] = g.weights[t]
			}
			if part, err = g.clusters(ctx, rows, weights, c, seed); err != nil {
				return nil, err
			}
		}
		for r, t := range at {
			components[t] = i*g.o.Components + part[r]
		}
	}
	p.Weights, p.Means, p.Covariances = g.gaussians(components)
	m, err := NewGaussianHMM(p)
	return m, fault.In(function, err)
}

// clusters returns the clusters of one run of k-means.
func (g *grouping) clusters(ctx context.Context, rows *mat.Dense, weights []float64, k int, seed uint64) ([]int, error) {
	m, err := mixture.FitKMeans(ctx, rows, mixture.KMeansOptions{K: k, Restarts: 1, Seed: seed, Weights: weights})
	if err != nil {
		return nil, err
	}
	return m.Labels(), nil
}

// segments cuts each sequence into k parts, of equal length when r is 0 and of random lengths otherwise.
func (g *grouping) segments(r int, rng *rand.Rand) []int {
	states, ends := make([]int, 0, len(g.weights)), make([]float64, g.k)
	for _, n := range g.lengths {
		for i := range ends {
			if ends[i] = 1; r > 0 {
				ends[i] = 1 + rng.ExpFloat64()
			}
		}
		floats.CumSum(ends, ends)
		at := 0
		for t := range n {
			for at < g.k-1 && (float64(t)+0.5)/float64(n)*ends[g.k-1] > ends[at] {
				at++
			}
			states = append(states, at)
		}
	}
	return states
}

// chain counts starts and transitions of the states of the rows, and every possible one once more.
func (g *grouping) chain(states []int) (start []float64, transitions [][]float64) {
	start, transitions = make([]float64, g.k), make([][]float64, g.k)
	jump := g.o.LeftRight
	for i := range transitions {
		transitions[i] = make([]float64, g.k)
		if start[i] = 1; jump > 0 && i > 0 {
			start[i] = 0
		}
		for j := range g.k {
			if jump == 0 || j >= i && j-i <= jump {
				transitions[i][j] = 1
			}
		}
	}
	t := 0
	for _, n := range g.lengths {
		if jump == 0 {
			start[states[t]] += g.weights[t]
		}
		for end := t + n - 1; t < end; t++ {
			if i, j := states[t], states[t+1]; transitions[i][j] > 0 {
				transitions[i][j] += g.weights[t]
			}
		}
		t++
	}
	for i, row := range transitions {
		transitions[i] = renew(row, nil, 0)
	}
	return renew(start, nil, 0), transitions
}

// gaussians returns the weights, means and covariances of the components that the rows belong to. A component without rows gets the mean of
// its state, a state without rows that of all.
func (g *grouping) gaussians(components []int) (weights, means [][]float64, covs [][][]float64) {
	c, d, n := g.o.Components, g.d, floats.Sum(g.weights)
	m := &GaussianHMM{kind: g.o.Covariance, d: d}
	origin, reg := make([]float64, d), ridge(g.o.Reg, []*mat.Dense{g.x}, nil)
	for t, w := range g.weights {
		floats.AddScaled(origin, w/n, g.x.RawRowView(t))
	}
	var levels [3]moments // of the components, of the states, of all
	for level, count := range []int{g.k * c, g.k, 1} {
		m.means = make([][]float64, count)
		levels[level] = newMoments(m)
	}
	for t, j := range components {
		for level, at := range []int{j, j / c, 0} {
			levels[level][at].Add(g.weights[t], g.x.RawRowView(t), origin)
		}
	}
	within := square(d)
	for j := range levels[0] {
		centre := levels[2][0]
		for _, of := range []moment{levels[1][j/c], levels[0][j]} {
			if of.Sum(); of.Weight() > 0 {
				centre = of
			}
		}
		centre.Sum()
		mean, cov := slices.Clone(origin), square(d)
		for a := range mean {
			mean[a] += centre.Shift(a) / centre.Weight()
		}
		if levels[0][j].Weight() > 0 {
			levels[0].spread(j, cov)
		}
		for a, row := range cov {
			floats.AddScaled(within[a], 1/n, row)
		}
		means, covs = append(means, mean), append(covs, cov)
	}
	for j, cov := range covs {
		own, shared := levels[0][j].Weight(), float64(d+1)
		if m.kind == mixture.Tied {
			cov, own, shared = square(d), 0, 1
		}
		for a, row := range within {
			floats.AddScaled(cov[a], shared, row)
		}
		m.divide(cov, own+shared, reg)
		covs[j] = cov
	}
	for i := range g.k {
		row := make([]float64, c)
		for j := range row {
			row[j] = 1 + levels[0][i*c+j].Weight()
		}
		weights = append(weights, renew(row, nil, 0))
	}
	return weights, means, covs
}
