package grammar_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/prlab/prlab/prl/grammar"
)

func Example() {
	ctx := context.Background()
	g, err := grammar.Read(
		"S -> NP VP",
		"NP -> NP PP [0.4] | astronomers [0.1] | ears [0.18] | saw [0.04] | stars [0.28]",
		"VP -> V NP [0.7] | VP PP [0.3]",
		"PP -> P NP", "P -> with", "V -> saw",
	)
	if err != nil {
		log.Fatal(err)
	}
	p, err := g.Parse(ctx, strings.Fields("astronomers saw stars with ears"))
	if err != nil {
		log.Fatal(err)
	}
	trees, err := p.Trees(ctx, 2)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range trees {
		fmt.Printf("%.3f %v\n", p.Posterior(t), t)
	}
	// Output:
	// 0.571 (S (NP astronomers) (VP (V saw) (NP (NP stars) (PP (P with) (NP ears)))))
	// 0.429 (S (NP astronomers) (VP (VP (V saw) (NP stars)) (PP (P with) (NP ears))))
}

func ExampleExpression() {
	a, err := grammar.Expression("(a|b)*abb")
	if err != nil {
		log.Fatal(err)
	}
	m := a.Minimal()
	fmt.Println(a.States(), m.States(), m.Accepts(strings.Split("babb", "")), m.Accepts([]string{"a"}))
	// Output: 6 4 true false
}

func ExampleGrammar_Earley() {
	g, err := grammar.Read("S -> S + M | M", "M -> M * T | T", "T -> number")
	if err != nil {
		log.Fatal(err)
	}
	e, err := g.Earley(context.Background(), strings.Fields("number + number"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Accepted, e.Next())
	// Output: true [* +]
}
