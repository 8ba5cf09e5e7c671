package svm

import "slices"

// absent is the class of a row of weight zero.
const absent = -1

// A pair is what a model keeps of a Machine: for each training row its margin only, and the rest for support vectors.
type pair struct {
	Negative, Positive int
	Margins            []float64 // y_i f(x_i) of the rows of both classes, in their order; nil in a model of more than two classes
	Support            []int32   // the support vectors, ascending: rows of X while training, places in state.Rows in a model
	Coef               []float64 // their alpha_i y_i
	B                  float64
	Norm2              float64
	Certificate        Certificate
	PlattA, PlattB     float64
}

// clone returns the pair with slices of its own.
func (p pair) clone() pair {
	p.Margins, p.Support, p.Coef = slices.Clone(p.Margins), slices.Clone(p.Support), slices.Clone(p.Coef)
	return p
}

// size returns the number of rows of both classes.
func (p *pair) size(class []int32) (n int) {
	for _, c := range class {
		if p.sign(c) != 0 {
			n++
		}
	}
	return n
}

// sign returns -1 and 1 for the classes of the pair, 0 for others and for absent rows.
func (p *pair) sign(class int32) int {
	switch int(class) {
	case p.Negative:
		return -1
	case p.Positive:
		return 1
	}
	return 0
}
