package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/tile"
)

// plattBlock is the number of values whose exponentials are taken together; 2^512 is a finite number.
const plattBlock = 512

// Platt fits P(y = +1 | f) = 1/(1 + exp(A f + B)) to decision values f with labels y = +1 or -1, by Newton's method with backtracking on
// the cross-entropy in nats, with Platt's targets (n+ + 1)/(n+ + 2) and 1/(n- + 2) in place of 1 and 0. A is at most 0, so that P never
// falls as f rises: where the cross-entropy would be least at A > 0, because the values rank the classes the wrong way round, A is 0 and P
// is the mean of the targets, about the share of the rows with y = +1. Slices of unequal lengths give NaN.
//
// Source: H.-T. Lin, C.-J. Lin and R. Weng (2007), A note on Platt's probabilistic outputs for support vector machines, algorithm 1.
func Platt(f []float64, y []int) (A, B float64) {
	if len(f) != len(y) {
		return math.NaN(), math.NaN()
	}
	positives, negatives := 0.0, 0.0
	for _, v := range y {
		if v > 0 {
			positives++
		} else {
			negatives++
		}
	}
	high, low := (positives+1)/(positives+2), 1/(negatives+2)
	targets := [2]float64{low, high}
	var z, e [plattBlock]float64
	// at returns the cross-entropy at A and B with its derivatives. With exp(-|z|), which does not overflow, exponentials serve both signs of
	// z = A f + B; what depends on the sign is looked up, for of many values no branch foretells it.
	at := func(A, B float64) (s plattSums) {
		s.h11, s.h22 = 1e-12, 1e-12
		for from := 0; from < len(f); from += plattBlock {
			block := f[from:min(from+plattBlock, len(f))]
			for i, v := range block {
				z[i] = v*A + B
				e[i] = -math.Abs(z[i])
			}
			tile.Exp(e[:len(block)])
			product := 1.0 // of 1 + exp(-|z|), each at most 2: one logarithm for the block
			for i, v := range block {
				side := 0
				if y[from+i] > 0 {
					side = 1
				}
				t, negative := targets[side], math.Float64bits(z[i])>>63
				s.value += (t - [2]float64{0, 1}[negative]) * z[i]
				product *= 1 + e[i]
				p := 1 / (1 + e[i])
				w := p * (e[i] * p)
				r := t - p*[2]float64{e[i], 1}[negative]
				s.h11 += v * v * w
				s.h22 += w
				s.h21 += v * w
				s.g1 += v * r
				s.g2 += r
			}
			s.value += math.Log(product)
		}
		return s
	}
	A, B = 0, math.Log((negatives+1)/(positives+1))
	now := at(A, B)
	for range 100 {
		if math.Abs(now.g1) < 1e-5 && math.Abs(now.g2) < 1e-5 {
			break
		}
		det := now.h11*now.h22 - now.h21*now.h21
		dA, dB := -(now.h22*now.g1-now.h21*now.g2)/det, -(now.h11*now.g2-now.h21*now.g1)/det
		slope := now.g1*dA + now.g2*dB
		step := 1.0
		for step >= 1e-10 {
			if next := at(A+step*dA, B+step*dB); next.value < now.value+1e-4*step*slope {
				A, B, now = A+step*dA, B+step*dB, next
				break
			}
			step /= 2
		}
		if step < 1e-10 {
			break
		}
	}
	if A > 0 { // the cross-entropy is convex: its least value at A <= 0 lies on the border
		return 0, math.Log((positives*(1-high) + negatives*(1-low)) / (positives*high + negatives*low))
	}
	return A, B
}

// plattSums are the cross-entropy, its second derivatives and its first ones.
type plattSums struct{ value, h11, h22, h21, g1, g2 float64 }

// logistic returns 1/(1 + exp(z)) without overflow.
func logistic(z float64) float64 {
	if z >= 0 {
		e := math.Exp(-z)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(z))
}

// crossValidate returns decision values of all rows from machines that have not seen them: five stratified folds, fewer when a class has
// fewer rows. A fold that leaves one class only gets +1 or -1 throughout. With an *IterationError the values are those of the machines
// reached.
func crossValidate(
	ctx context.Context,
	X *mat.Dense,
	class []int32,
	rows, y []int,
	negative, positive int,
	o *Options,
	work *workspace,
) ([]float64, error) {
	random := rand.New(rand.NewPCG(o.Seed, 0x706c617474))
	fold := make([]int, len(rows))
	for _, sign := range []int{-1, 1} {
		var places []int
		for i, v := range y {
			if v == sign {
				places = append(places, i)
			}
		}
		random.Shuffle(len(places), func(a, b int) { places[a], places[b] = places[b], places[a] })
		for k, i := range places {
			fold[i] = k % 5
		}
	}
	f := make([]float64, len(rows))
	var exhausted *IterationError
	for k := range 5 {
		var in, sign, out []int
		sum := 0
		for i, r := range rows {
			if fold[i] == k {
				out = append(out, i)
			} else {
				in, sign = append(in, r), append(sign, y[i])
				sum += y[i]
			}
		}
		if len(out) == 0 {
			continue
		}
		if len(in) == 0 || sum == len(in) || sum == -len(in) {
			for _, i := range out {
				if len(in) > 0 {
					f[i] = float64(sum / len(in))
				}
			}
			continue
		}
		m, err := train(ctx, X, in, sign, negative, positive, o.feasible(in, sign, negative, positive), work)
		var late *IterationError
		if err != nil && !errors.As(err, &late) {
			return nil, err
		}
		exhausted = worse(exhausted, late)
		d, err := newModel(X, class, 2, []pair{m}, o)
		if err != nil {
			return nil, err
		}
		value := make([]float64, 1)
		scratch := d.scratch()
		for k, i := range out {
			if k%patience(len(m.Support)*(1+X.RawMatrix().Cols/16)) == 0 {
				if err := ctx.Err(); err != nil {
					return nil, fmt.Errorf("svm.Fit: stopped in the cross-validation of probabilities: %w", err)
				}
			}
			d.decide(value, X.RawRowView(rows[i]), scratch)
			f[i] = value[0]
		}
	}
	if exhausted != nil {
		return f, exhausted
	}
	return f, nil
}
