// Package learn is the theory of learning from examples: how many are enough, and how far training and true error can lie apart.
//
// Three layers meet here. Bounds are formulas in |H|, epsilon, delta and n: [Finite] for a finite hypothesis space with and without
// training error, [Hoeffding] for a single mean, the VC bounds for growth functions. Exact values stand beside them: binomial tails, the
// Clopper-Pearson interval and the [Coverage] of any, the [Trials] that a test needs, the psychic game. And simulations on spaces small
// enough to hold in the hand ([Space], [Problem]) show how loose a bound is.
//
// Infinite spaces are counted by what they do to a sample: a [Shape] enumerates the labelings of points that
// lines, circles, boxes, triangles or intervals bring about, with a rule for each; [SauerSum], [Radon],
// [Space.ShatteredSets] and [ShatteringMargin] say what is possible, and [RealizableFloor] and
// [AgnosticFloor] what no learner avoids.
//
// [PlanPAC] begins a plan for cells: PlanPAC().Epsilon(0.1).Delta(0.05).Hypotheses(960).
//
// Notation: n examples, error epsilon, failure probability delta, |H| hypotheses; logarithms are natural. Sources: T. M. Mitchell (1997),
// Machine Learning, chapter 7; S. Shalev-Shwartz & S. Ben-David (2014), Understanding Machine Learning, chapters 2-6.
package learn
