// Package markov models sequences: Markov chains over visible states, and hidden Markov models (HMM) whose states emit symbols, points of
// a Gaussian, or points of a mixture of Gaussians.
//
// A chain of K states has start probabilities P(y_1) and transition probabilities P(y_i | y_{i-1}); row i of the transition matrix holds
// the probabilities of leaving state i and sums to one. An HMM adds emission probabilities P(x_i | y_i), so that
//
//	P(x, y) = P(y_1) P(x_1|y_1) prod_{i=2}^{T} P(y_i|y_{i-1}) P(x_i|y_i).
//
// States and symbols are integers from 0; names are kept beside them for pictures and for Index and Encode. Time runs from 0 in
// slices. All logarithms are natural, log-likelihoods are in nats. Models do not change after they are made and may be used from
// many goroutines at once.
//
// The forward-backward algorithm and the Viterbi algorithm follow L. R. Rabiner, A Tutorial on Hidden Markov Models and Selected
// Applications in Speech Recognition, Proceedings of the IEEE 77 (1989), sections III and V, left-right models section IV.C.
package markov
