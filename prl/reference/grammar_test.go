package reference

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/grammar"
)

func TestGrammars(t *testing.T) { run(t, "grammar") }

// grammarInput is what the cases give.
type grammarInput struct {
	Inline struct {
		Rules    []string
		Sentence string
		Word     string
		Tokens   []string
	}
}

func grammarData(c *check) (in grammarInput) {
	if err := json.Unmarshal(c.Data, &in); err != nil {
		c.Fatal(err)
	}
	return in
}

// rulesOf returns the grammar of a case, whose rules are lines.
func rulesOf(c *check, change func(string) string) *grammar.Grammar {
	var lines []string
	for _, line := range grammarData(c).Inline.Rules {
		lines = append(lines, change(line))
	}
	return must(grammar.Read(lines...))
}

// says compares a verdict.
func (c *check) says(name string, got bool) {
	if got != c.want(name) {
		c.Errorf("%s = %v", name, got)
	}
}

// spaced parts the letters of rules such as S->AB.
func spaced(line string) string {
	left, right, _ := strings.Cut(line, "->")
	return left + " -> " + strings.Join(strings.Split(right, ""), " ")
}

func parsed(g *grammar.Grammar, words ...string) *grammar.Parse {
	return must(g.Parse(context.Background(), words))
}

var grammarCases = runners{
	"pcfg-astronomers": func(c *check) {
		g := rulesOf(c, func(s string) string { return s })
		p := parsed(g, strings.Fields(grammarData(c).Inline.Sentence)...)
		var probs []float64
		for _, t := range must(p.Trees(context.Background(), 3)) {
			probs = append(probs, math.Exp(g.LogP(t)))
		}
		c.near("tree_probs", probs)
		c.near("inside", p.P())
		c.near("viterbi", math.Exp(p.BestLogP("S", 0, 5)))
		c.near("n_parses", float64(must(p.Count(context.Background())).Int64()))
		c.near("inside_NP_3_5", math.Exp(p.LogInside("NP", 2, 5)))
		c.near("inside_VP_2_5", math.Exp(p.LogInside("VP", 1, 5)))
	},
	"cyk-hopcroft-baaba": func(c *check) {
		g := rulesOf(c, spaced)
		p := parsed(g, strings.Split(grammarData(c).Inline.Word, "")...)
		c.says("accept", p.Accepted())
		for i := range 5 {
			for n := 1; i+n <= 5; n++ {
				cell := append([]string{}, p.Cell(i, i+n)...)
				slices.Sort(cell)
				c.near(fmt.Sprintf("table.%d,%d", i+1, n), cell)
			}
		}
		c.near("parses_from_S", float64(must(p.Count(context.Background())).Int64()))
		c.says("accept_bbb", parsed(g, "b", "b", "b").Accepted())
		c.says("accept_aabab", parsed(g, "a", "a", "b", "a", "b").Accepted())
	},
	"pcfg-inconsistent": func(c *check) {
		g := rulesOf(c, func(s string) string {
			fields := strings.Fields(strings.Replace(s, "->", " -> ", 1))
			return strings.Join(fields[:len(fields)-1], " ") + " [" + fields[len(fields)-1] + "]"
		})
		c.near("termination", g.Termination()[0])
		c.near("spectral_radius", g.Radius())
	},
	"earley-wikipedia": func(c *check) {
		g := rulesOf(c, func(s string) string {
			return strings.NewReplacer("->", " -> ", "+", " + ", "*", " * ").Replace(s)
		})
		e := must(g.Earley(context.Background(), []string{"number", "+", "number", "*", "number"}))
		c.near("items_per_set", e.Sizes())
		c.says("accepted", e.Accepted)
	},
}
