package svm

import (
	"context"
	"math"

	"github.com/prlab/prlab/prl/internal/tile"
)

// A rounded minimises the primal of a linear machine whose hinges are rounded over a band of width 2h,
//
//	1/2 |w|^2 + sum_k C_k H(1 - y_k f_k),  H(m) = 0 up to -h, (m + h)^2/(4h) up to h, m beyond,
//
// by Newton's method, for one narrower band after the other. Only the rows inside the band bend the function, and these are ever fewer. At
// the minimum w = sum_k alpha_k y_k x_k with alpha_k = C_k H'(1 - y_k f_k), which lie between their bounds and have projected gradients of
// at most h. With few columns a step takes little longer than a sweep. Source: O. Chapelle (2007), Training a support vector machine in
// the primal, Neural Computation 19, 1155-1178.
type rounded struct {
	*descent
	compact
	f, along           []float64 // values, and how they change along a step
	alpha, upper, y    []float64
	w, v, step, uphill []float64 // of width numbers; v = sum_k alpha_k y_k x_k
	drift              []float64 // by how much v grows, for values as they stand, as h shrinks
	system, scaled     []float64
	h                  float64 // half the width of the band
	moved              int     // rows that have come into the band or gone
}

const (
	roundedWidest = 160 // columns up to which it is quick
	roundedVisits = 8   // of each row, on average, after which it begins
	roundedMost   = 80  // steps
	narrower      = 0.1
)

// roundable reports whether rounding is worth a try: whether the rows take longer than the system.
func (p *descent) roundable(rows int) bool {
	deep := 60 // rows for each column
	if p.thin != nil {
		deep = 30
	}
	return p.o.Slack == LinearSlack && p.d < roundedWidest && rows > deep*p.d
}

// rounded goes on from w and reports whether it has come to an end, and alpha and w are the ones that it has found.
func (p *descent) rounded(ctx context.Context, index []int, upper, w []float64) (bool, error) {
	rows := p.compact(index, len(w))
	m, width := len(rows.order), len(w)
	room := make([]float64, 5*m+5*width)
	take := func(n int) []float64 {
		part := room[:n:n]
		room = room[n:]
		return part
	}
	q := &rounded{descent: p, compact: rows}
	q.f, q.along, q.alpha, q.upper, q.y = take(m), take(m), take(m), take(m), take(m)
	q.w, q.v, q.step, q.uphill, q.drift = take(width), take(width), take(width), take(width), take(width)
	q.system, q.scaled = make([]float64, width*width), make([]float64, scaledRows*width)
	for k, i := range rows.order {
		q.upper[k], q.y[k] = upper[i], p.y[i]
	}
	copy(q.w, w)
	q.products(q.f, q.w)
	done, err := q.run(ctx)
	if !done || err != nil {
		return false, err
	}
	for k, i := range rows.order {
		p.alpha[i] = q.alpha[k]
	}
	clear(w)
	for k, a := range q.alpha {
		rows.add(w, k, a*q.y[k])
	}
	return true, nil
}

// run narrows the band.
func (q *rounded) run(ctx context.Context) (bool, error) {
	last := q.o.Tol / 10
	for k, f := range q.f {
		q.h += math.Abs(1-q.y[k]*f) / float64(len(q.f)) // their mean
	}
	q.h = max(q.h, last)
	q.bend()
	settled := false // near the minimum for this band: the next step leads to that for a narrower one
	for range roundedMost {
		if err := ctx.Err(); err != nil {
			return false, q.stopped(err)
		}
		if q.sweeps >= q.o.MaxSweeps {
			return false, nil
		}
		q.sweeps++
		for j := range q.step {
			q.step[j] = q.v[j] - q.w[j]
			q.uphill[j] = -q.step[j]
		}
		next := q.h
		if settled {
			next = max(narrower*q.h, last)
			tile.AddScaled(q.step, q.h-next, q.drift)
		}
		if !tile.Cholesky(q.system, q.width, 0) {
			return false, nil
		}
		tile.Solve(q.system, q.step)
		q.products(q.along, q.step)
		greatest := 0.0
		for _, s := range q.along {
			greatest = larger(greatest, math.Abs(s))
		}
		length := 1.0
		if !settled && greatest > last/100 { // less is rounding
			length = q.search(tile.Dot(q.uphill, q.step))
		}
		tile.AddScaled(q.w, length, q.step)
		for k, s := range q.along {
			q.f[k] += length * s
		}
		before := q.h
		q.h = next
		q.bend()
		whole := length == 1
		if before <= last && whole && (q.moved == 0 || greatest < last/100) {
			return true, nil
		}
		settled = q.h > last && whole && (q.moved == 0 || before == next && greatest < before/3)
	}
	return false, nil
}

// bend sets alpha, its sum v and the system for the values as they stand.
func (q *rounded) bend() {
	half, rows := 0.5/q.h, 0
	clear(q.system)
	for j := range q.width {
		q.system[j*q.width+j] = 1
	}
	clear(q.drift)
	q.moved = 0
	for k, f := range q.f {
		upper, before := q.upper[k], q.alpha[k]
		share := min(max((1-q.y[k]*f+q.h)*half, 0), 1)
		a := upper * share
		if a == before && (share == 0 || share == 1) {
			continue
		}
		q.compact.add(q.v, k, (a-before)*q.y[k])
		q.alpha[k] = a
		in := share > 0 && share < 1
		if in != (before > 0 && before < upper) {
			q.moved++
		}
		if !in {
			continue
		}
		q.compact.add(q.drift, k, (2*share-1)*upper*half*q.y[k])
		if q.sparse != nil {
			q.addOuter(q.system, k, upper*half)
			continue
		}
		row := q.X[k*q.width : (k+1)*q.width]
		to, root := q.scaled[rows*q.width:][:len(row)], math.Sqrt(upper*half)
		for j, v := range row {
			to[j] = root * v
		}
		if rows++; rows == scaledRows {
			tile.AddGram(q.system, q.scaled, rows, q.width)
			rows = 0
		}
	}
	tile.AddGram(q.system, q.scaled[:rows*q.width], rows, q.width)
}

// slope returns the derivative at a length of the step.
func (q *rounded) slope(length float64) float64 {
	half, sum := 0.5/q.h, 0.0
	for k, s := range q.along {
		s *= q.y[k]
		share := min(max((1+q.h-q.y[k]*q.f[k]-length*s)*half, 0), 1)
		sum += q.upper[k] * share * s
	}
	return tile.Dot(q.w, q.step) + length*tile.Dot(q.step, q.step) - sum
}

// search returns 1 where the function still falls there, or rises little, and else about where along the step it is least; start is the
// slope at 0.
func (q *rounded) search(start float64) float64 {
	enough := 0.3 * math.Abs(start)
	lo, hi, atLo, atHi := 0.0, 1.0, start, q.slope(1)
	if atHi <= enough {
		return 1
	}
	side := 0
	for range 30 {
		length := lo + (hi-lo)*atLo/(atLo-atHi)
		at := q.slope(length)
		if math.Abs(at) <= enough {
			return length
		}
		if at < 0 {
			lo, atLo = length, at
			if side == -1 {
				atHi /= 2
			}
			side = -1
		} else {
			hi, atHi = length, at
			if side == 1 {
				atLo /= 2
			}
			side = 1
		}
	}
	return lo
}
