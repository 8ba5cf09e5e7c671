// Package estimatortest is the contract suite: the checks that every fitted model of the library must pass, whatever its method. A Case
// says how one estimator is fitted; Run runs all Checks on a list of cases. What a model can do, and what its options offer, is found by
// reflection, so that a case is one line:
//
//	estimatortest.Classifier("bayes.FitLDA", bayes.FitLDA, bayes.Options{}).ScaleFree()
//
// # The contract
//
// Let fit(X, y, w) be the model fitted to rows x_1 ... x_n with labels y and weights w, and f_M(X) any of its batch methods (Predict,
// Proba, Decision, Transform and every other exported method that takes an observation and may fail). With rtol the tolerance of the case:
//
//	rows       f_M(X)_i = f_M(x_i): a batch is its rows one by one, to the bit
//	order      fit(PX, Py, Pw) = fit(X, y, w) for every permutation P, within rtol
//	weights    fit(X, y, w) = fit of w_i copies of row i, within rtol; weight 0 is no row
//	labels     fit(X, pi(y)) predicts pi(y) for every renumbering pi of the classes
//	scale      fit(cX, y) predicts on cX what fit(X, y) predicts on X, for methods without a unit, from c = 1e-150 to 1e150
//	origin     fit(X + a, y) predicts on X + a what fit(X, y) predicts on X, for the same methods
//	threads    fit is the same function on one processor and on two, to the bit, and twice the same
//	storage    decode(encode(M)) = M, to the bit; damaged bytes are an error or a model that works
//	ownership  neither fit nor f_M writes to what it is given, and nothing the caller does later to arguments or results changes M
//
// An answer to unusable input (nil, empty, another width, NaN, infinity, labels with gaps, ...) is an *fault.ArgumentError whose Func
// names the exported function that was called. Nothing panics. The list follows scikit-learn's check_estimator (Buitinck et al. 2013, API
// design for machine learning software).
//
// # Exceptions
//
// A case that is known to break a rule says so with Except and gives the reason. Run then demands that the check fails: an exception that
// is no longer needed is an error too.
//
// # Expectations
//
// Refused and NearAll serve the tests that each package has of its own.
package estimatortest
