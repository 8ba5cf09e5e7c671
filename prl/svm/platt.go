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
// the cross-entropy in nats, with Platt's targets (n+ + 1)/(n+ + 2) and 1/(n- + 2) in place of 1 and 0. Slices of unequal lengths give NaN.
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
	target := func(i int) float64 {
		side := 0
		if y[i] > 0 {
			side = 1
		}
		return targets[side]
	}
	// each calls visit with z = A f + B and exp(-|z|) of a block of values. An exponential that does not overflow serves both signs of z.
	var buffers [2][plattBlock]float64
	each := func(A, B float64, visit func(from int, z, e []float64)) {
		for from := 0; from < len(f); from += plattBlock {
			block := f[from:min(from+plattBlock, len(f))]
			z, e := buffers[0][:len(block)], buffers[1][:len(block)]
			for i, v := range block {
				z[i] = v*A + B
				e[i] = -math.Abs(z[i])
			}
			tile.Exp(e)
			visit(from, z, e)
		}
	}
	value := func(A, B float64) float64 {
		sum := 0.0
		each(A, B, func(from int, z, e []float64) {
			product := 1.0 // of 1 + exp(-|z|), each at most 2: one logarithm for the block
			for i, v := range z {
				t := target(from + i)
				if v < 0 {
					t--
				}
				sum += t * v
				product *= 1 + e[i]
			}
			sum += math.Log(product)
		})
		return sum
	}
	A, B = 0, math.Log((negatives+1)/(positives+1))
	now := value(A, B)
	for range 100 {
		h11, h22, h21, g1, g2 := 1e-12, 1e-12, 0.0, 0.0, 0.0
		each(A, B, func(from int, z, e []float64) {
			for i, v := range f[from : from+len(z)] {
				p := 1 / (1 + e[i])
				w := p * (e[i] * p)
				if z[i] >= 0 {
					p *= e[i]
				}
				r := target(from+i) - p
				h11 += v * v * w
				h22 += w
				h21 += v * w
				g1 += v * r
				g2 += r
			}
		})
		if math.Abs(g1) < 1e-5 && math.Abs(g2) < 1e-5 {
			break
		}
		det := h11*h22 - h21*h21
		dA, dB := -(h22*g1-h21*g2)/det, -(h11*g2-h21*g1)/det
		slope := g1*dA + g2*dB
		step := 1.0
		for step >= 1e-10 {
			if next := value(A+step*dA, B+step*dB); next < now+1e-4*step*slope {
				A, B, now = A+step*dA, B+step*dB, next
				break
			}
			step /= 2
		}
		if step < 1e-10 {
			break
		}
	}
	return A, B
}

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
