// Package grammar recognises patterns by how their parts nest: stochastic context-free grammars and
// their parsers, regular languages and automata, and rewriting systems.
//
// A Grammar is read from its rules. Parse fills the chart of a sentence for any context-free grammar,
// with empty right sides and chains of unit rules; the Parse answers whether the sentence belongs to
// the language, with which probability, by which trees and by how many:
//
//	g, err := grammar.Read("S -> S S [0.4] | a [0.6]")
//	p, err := g.Parse(ctx, []string{"a", "a", "a"})
//	fmt.Println(p.P(), p.Tree()) // 0.06912 (S (S a) (S (S a) (S a)))
//
// Earley reads from left to right and knows which words can follow; BestFirst searches with an
// agenda. FitTrees learns the probabilities from trees and Fit from sentences alone. Termination and
// Radius say whether a grammar loses probability to trees that never end.
//
// An Automaton accepts a regular language: it comes from a regular grammar or an expression, and is
// made deterministic, made minimal, and written as an expression again. Rewrite derives words by
// rules of any of Chomsky's four kinds, by search.
//
// Sources: C. D. Manning & H. Schütze (1999), Foundations of statistical natural language
// processing; J. E. Hopcroft & J. D. Ullman (1979), Introduction to automata theory, languages, and
// computation; M. Lange & H. Leiß (2009), To CNF or not to CNF?, Informatica Didactica 8; L. Huang &
// D. Chiang (2005), Better k-best parsing, IWPT; J. Earley (1970), An efficient context-free parsing
// algorithm, CACM 13; J. Aycock & R. N. Horspool (2002), Practical Earley parsing, Computer J. 45; D.
// E. Knuth (1977), A generalization of Dijkstra's algorithm, Inf. Proc. Letters 6; D. Klein & C. D.
// Manning (2003), A* parsing, NAACL; J. K. Baker (1979), Trainable grammars for speech recognition; Z.
// Chi & S. Geman (1998), Estimation of probabilistic context-free grammars, Comp. Linguistics 24; K.
// Etessami & M. Yannakakis (2009), Recursive Markov chains, JACM 56.
package grammar
