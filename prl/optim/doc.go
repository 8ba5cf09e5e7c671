// Package optim minimises functions, and shows the way that each method took.
//
// A Problem is a function with its gradient and its Hessian; central differences stand in for those that are not given. Minimise
// follows a Method from a start and says why it stopped; Walk takes so many moves and no fewer:
//
//	valley := optim.Quadratic([]float64{10, 1}, []float64{4, 2})
//	r, err := optim.Minimise(ctx, valley, optim.Momentum{Step: 0.1, Mu: 0.5}, []float64{0, 0}, optim.Options{})
//	fmt.Println(r.X, r.Reason)
//
// Some methods take the length of their moves as it is given: Descent, Steps, Momentum, Nesterov, AdaGrad, RMSprop, Adam and
// Quickprop. The others search along a ray: Steepest in a norm, Conjugate, Newton, BFGS and LBFGS. LeastSquares fits residuals by
// Gauss-Newton and Levenberg-Marquardt. A Stepper moves by gradients that come from outside, such as those of batches of rows. LMS,
// NLMS, RLS and Kalman learn from one example at a time.
//
// For quadratic functions theory is exact: Chebyshev returns the best steps, Factors what is left of an error, MomentumRadius and
// NesterovRadius how fast momentum is, and MeanSquare the second moments of the errors of LMS.
//
// Sources: J. Nocedal & S. Wright (2006), Numerical Optimization; S. Boyd & L. Vandenberghe (2004), Convex Optimization, chapter 9;
// S. Haykin (2002), Adaptive Filter Theory.
package optim
