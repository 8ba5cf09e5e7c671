// Package tile has the inner loops of dense work: products, squared distances, sums of outer products, min-plus products and exponentials.
//
// Each entry of a result is one sum over the inner index from 0 upwards, with every product rounded before it is added. The fast forms, written
// in assembly for processors with AVX2, work on several entries side by side and leave the order within each alone. So they give, bit for
// bit, what the plain loops in plain.go give, on every machine; the tests hold them to that.
// Step and Partner are the loops of support vector machines, a Recursion those of hidden Markov models; they say themselves in what order they go.
package tile
