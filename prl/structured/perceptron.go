package structured

import (
	"context"
	"math/rand/v2"
	"slices"
)

// A difference collects entries of phi.
type difference map[int32]float64

// add adds by times phi of a tagged sentence.
func (d *difference) add(k, features int, attributes []int32, tags []int, by float64) {
	if *d == nil {
		*d = difference{}
	}
	for t, y := range tags {
		if t == 0 {
			(*d)[int32(y)] += by
		} else {
			(*d)[int32(k+tags[t-1]*k+y)] += by
		}
		for _, a := range attributes[t*features : (t+1)*features] {
			if a >= 0 {
				(*d)[int32(k+k*k)+a*int32(k)+int32(y)] += by
			}
		}
	}
}

// sorted returns the places and values that are not zero.
func (d difference) sorted() (at []int32, values []float64) {
	for a, v := range d {
		if v != 0 {
			at = append(at, a)
		}
	}
	slices.Sort(at)
	for _, a := range at {
		values = append(values, d[a])
	}
	return at, values
}

// fitPerceptron goes over the sentences in a new order each round. The average of the weights after every sentence is w - u/n, where u sums
// the updates, each times the number of the sentence at which it was made: an update costs the places that change, and not all weights.
func fitPerceptron(ctx context.Context, c *corpus, o TaggerOptions) ([]float64, Certificate, error) {
	w, u := make([]float64, c.size()), make([]float64, c.size())
	order := make([]int, len(c.sentences))
	for i := range order {
		order[i] = i
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0x7065726365707472))
	var cert Certificate
	var v viterbi
	var scores []float64
	var path []int
	n, base := 0, c.k+c.k*c.k
	for range o.Rounds {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		mistakes := 0
		for _, i := range order {
			if err := ctx.Err(); err != nil {
				return nil, cert, err
			}
			s := &c.sentences[i]
			scores = slices.Grow(scores[:0], len(s.tags)*c.k)[:len(s.tags)*c.k]
			path = slices.Grow(path[:0], len(s.tags))[:len(s.tags)]
			local(scores, w, c.k, c.features, s.attributes)
			v.best(path, c.k, w[c.k:base], scores)
			if !slices.Equal(path, s.tags) {
				mistakes++
				update := func(at int, by float64) {
					w[at] += by
					u[at] += by * float64(n)
				}
				for t, y := range s.tags {
					z := path[t]
					if t == 0 && y != z {
						update(y, 1)
						update(z, -1)
					} else if t > 0 && (y != z || s.tags[t-1] != path[t-1]) {
						update(c.k+s.tags[t-1]*c.k+y, 1)
						update(c.k+path[t-1]*c.k+z, -1)
					}
					if y != z {
						for _, a := range s.attributes[t*c.features : (t+1)*c.features] {
							update(base+int(a)*c.k+y, 1)
							update(base+int(a)*c.k+z, -1)
						}
					}
				}
			}
			n++
		}
		cert.Mistakes = append(cert.Mistakes, mistakes)
		if mistakes == 0 && o.Last {
			break
		}
	}
	if cert.Rounds = len(cert.Mistakes); !o.Last {
		for i := range w {
			w[i] -= u[i] / float64(n)
		}
	}
	return w, cert, nil
}
