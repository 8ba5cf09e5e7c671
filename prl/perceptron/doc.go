// Package perceptron holds linear machines that learn from their mistakes, one card at a time: Rosenblatt's perceptron in its primal, dual
// and kernel forms, with the last weights, their average, their vote or the best of them (pocket); passive-aggressive learning; and
// balanced Winnow. MistakeBound follows a run between the two inequalities of Novikoff's theorem.
//
// A card is a row x with a side y, +1 for class 1 and -1 for class 0. All machines score s(x) = b + <w, x> = <theta, (1, x)> and answer
// class 1 where s > 0. While learning, a score of exactly 0 is a mistake. Of more than two classes, one machine for each separates it from
// the rest, and the largest score wins.
//
// References: F. Rosenblatt (1958), The perceptron, Psychological Review 65; A. Novikoff (1962), On convergence proofs for perceptrons;
// S. Gallant (1990), Perceptron-based learning algorithms; Y. Freund and R. Schapire (1999), Large margin classification using the
// perceptron algorithm, Machine Learning 37.
package perceptron
