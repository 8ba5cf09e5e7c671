// Package mixture finds groups in data without labels: k-means, and mixtures of distributions fitted by expectation maximisation (EM).
//
// A mixture has the density p(x) = sum_k pi_k p(x | k). Which component a point came from is hidden; the responsibilities
//
//	r_ik = P(k | x_i) = pi_k p(x_i | k) / sum_l pi_l p(x_i | l)
//
// are the posterior of that hidden label. EM alternates the E-step, which computes them, and the M-step, which fits each component to the
// data weighted with them (Dempster, Laird and Rubin 1977). The log-likelihood never falls. k-means is its limit for spherical components
// whose common variance tends to zero.
//
// Data matrices are n x d, row = observation. Log-likelihoods are in nats and summed over the observations. Models do not change after they
// are fitted and may be used from many goroutines at once.
package mixture
