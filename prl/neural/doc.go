// Package neural trains fully connected nets: multilayer perceptrons for classes and for numbers.
//
// A Net is a plain net with its two passes. Forward computes what every unit answers, Backward what every unit is to blame for, and the
// derivative of the loss with respect to every weight:
//
//	net, err := neural.New(neural.Tanh, neural.Logistic, 2, 3, 1)
//	pass, err := net.Forward([]float64{1, 2})
//	gradient, err := net.Backward(pass, neural.CrossEntropy, []float64{1})
//
// Fit and FitRegression train a net by random batches of rows with the methods of package optim, or on all rows at once with those that
// search along a ray. They scale features, weigh rows, drop units, hold rows out, and say why they stopped.
//
// # Layout
//
// Unit j of layer l takes net_j = sum_i y_i w_ij - w_0j from the units i of the layer before and answers y_j = f(net_j). The threshold
// w_0j has a minus. The parameters stand layer by layer in one slice: the weights w_ij row by row, then the thresholds w_0j.
//
// Sources: D. Rumelhart, G. Hinton & R. Williams (1986), Learning representations by back-propagating errors, Nature 323; X. Glorot & Y.
// Bengio (2010), AISTATS; K. He and others (2015), ICCV, for starts; N. Srivastava and others (2014), JMLR 15, for dropout.
package neural
