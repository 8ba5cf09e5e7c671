package prl

import (
	"context"

	"github.com/prlab/prlab/prl/grammar"
)

// Grammar returns the stochastic grammar of rules such as "S -> S S [0.4] | a [0.6]"; [grammar.Read] says how they are written.
func Grammar(rules ...string) *grammar.Grammar { return Must(grammar.Read(rules...)) }

// Parse returns the chart of a sentence, with its probability and its trees.
func Parse(g *grammar.Grammar, words ...string) *grammar.Parse {
	return Must(g.Parse(context.Background(), words))
}

// Earley returns the item sets of Earley's algorithm for a sentence.
func Earley(g *grammar.Grammar, words ...string) *grammar.Earley {
	return Must(g.Earley(context.Background(), words))
}

// BestFirst parses a sentence with an agenda in the order that o describes.
func BestFirst(g *grammar.Grammar, o grammar.SearchOptions, words ...string) *grammar.Search {
	return Must(g.BestFirst(context.Background(), words, o))
}

// Automaton returns the automaton of a regular expression.
func Automaton(expression string) *grammar.Automaton { return Must(grammar.Expression(expression)) }
