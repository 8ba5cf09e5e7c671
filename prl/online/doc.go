// Package online decides round by round when nobody promises that tomorrow resembles yesterday.
//
// With experts, every round shows what each of N advisers would have cost, and the loss is compared
// with that of the best adviser in hindsight (the regret). WeightedMajority answers yes or no; a
// Forecaster spreads one unit of weight, and Play lets it meet a table of losses or an adversary
// who has read its program:
//
//	run, err := online.Play(online.NewHedge(3, 0.5), losses)       // losses is n x 3, in [0, 1]
//	fmt.Println(run.Regret(), online.HedgeBound(n, 3, 0.5))
//
// With bandits, a round shows only the gain of the arm that was pulled. A Player chooses arms, and
// Pull lets it meet a World.
//
// WorstMistakes, ExactExp3 and CoinGame compute exact values of small games by recursion, so that a
// bound can be shown to be tight or loose.
//
// Sources: N. Cesa-Bianchi & G. Lugosi (2006), Prediction, learning, and games; P. Auer, N.
// Cesa-Bianchi, Y. Freund & R. Schapire (2002), The nonstochastic multiarmed bandit problem, SIAM
// J. Comput. 32; T. Lattimore & C. Szepesvári (2020), Bandit algorithms.
package online
