package markov

import (
	"math"
	"strings"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Stationary returns the distribution pi with pi P = pi.
//
// It uses the elimination of Grassmann, Taksar and Heyman (Operations Research 33, 1985), which never subtracts and so keeps the full
// relative accuracy of each entry. Transient states have probability 0. It fails when the chain has more than one closed class of
// states, because then the stationary distribution is not unique.
func (c *Chain) Stationary() ([]float64, error) {
	if len(c.start) == 0 {
		return nil, estimator.Unfitted("markov.Chain.Stationary")
	}
	var closed [][]int
	for _, class := range c.Classes() {
		if c.closed(class) {
			closed = append(closed, class)
		}
	}
	if len(closed) > 1 {
		var text []string
		for _, class := range closed {
			text = append(text, "{"+list(c.pick(class))+"}")
		}
		return nil, fault.Argument(
			"markov.Chain.Stationary",
			"the chain",
			"made of the closed classes "+strings.Join(text, " and "),
			"a chain with one closed class, so that the stationary distribution is unique",
			"link the classes, or take one of them",
		)
	}
	class := closed[0]
	n := len(class)
	a := make([][]float64, n)
	for i, s := range class {
		a[i] = make([]float64, n)
		for j, t := range class {
			a[i][j] = c.p[s][t]
		}
	}
	for m := n - 1; m > 0; m-- {
		leave := 0.0
		for j := range m {
			leave += a[m][j]
		}
		for i := range m {
			a[i][m] /= leave
			for j := range m {
				a[i][j] += a[i][m] * a[m][j]
			}
		}
	}
	x := make([]float64, n)
	x[0] = 1
	sum := 1.0
	for m := 1; m < n; m++ {
		for i := range m {
			x[m] += x[i] * a[i][m]
		}
		sum += x[m]
	}
	pi := make([]float64, len(c.start))
	for i, s := range class {
		pi[s] = x[i] / sum
	}
	return pi, nil
}

// Classes returns the communicating classes of states, each in increasing order: i and j are in one class when each can be reached from
// the other. Classes are ordered by their smallest state.
func (c *Chain) Classes() [][]int {
	reach := c.reachable()
	k := len(c.start)
	placed := make([]bool, k)
	var classes [][]int
	for i := range k {
		if placed[i] {
			continue
		}
		var class []int
		for j := i; j < k; j++ {
			if reach[i][j] && reach[j][i] {
				class = append(class, j)
				placed[j] = true
			}
		}
		classes = append(classes, class)
	}
	return classes
}

// reachable[i][j] says whether j can follow i after zero or more steps (Warshall).
func (c *Chain) reachable() [][]bool {
	k := len(c.start)
	r := make([][]bool, k)
	for i := range r {
		r[i] = make([]bool, k)
		for j := range r[i] {
			r[i][j] = i == j || c.p[i][j] > 0
		}
	}
	for m := range k {
		for i := range k {
			if r[i][m] {
				for j := range k {
					r[i][j] = r[i][j] || r[m][j]
				}
			}
		}
	}
	return r
}

func (c *Chain) closed(class []int) bool {
	in := make([]bool, len(c.start))
	for _, s := range class {
		in[s] = true
	}
	for _, s := range class {
		for j, v := range c.p[s] {
			if v > 0 && !in[j] {
				return false
			}
		}
	}
	return true
}

func (c *Chain) pick(class []int) []string {
	out := make([]string, len(class))
	for i, s := range class {
		out[i] = c.states[s]
	}
	return out
}

// Irreducible says whether every state can be reached from every other.
func (c *Chain) Irreducible() bool { return len(c.Classes()) == 1 }

// Period returns the greatest common divisor of the lengths of all ways from the state back to itself: 1 means aperiodic, 0 that there is
// no way back.
func (c *Chain) Period(state int) (int, error) {
	if err := estimator.CheckCount("markov.Chain.Period", "state", state, 0, len(c.start)-1); err != nil {
		return 0, err
	}
	reach := c.reachable()
	level := make([]int, len(c.start))
	for i := range level {
		level[i] = -1
	}
	level[state] = 0
	g := 0
	for queue := []int{state}; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		for j, v := range c.p[i] {
			if v == 0 || !reach[j][state] {
				continue
			}
			if level[j] < 0 {
				level[j] = level[i] + 1
				queue = append(queue, j)
			} else {
				g = gcd(g, int(math.Abs(float64(level[i]+1-level[j]))))
			}
		}
	}
	return g, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Ergodic says whether the chain is irreducible and aperiodic, so that P^n tends to a matrix whose rows all are the stationary
// distribution.
func (c *Chain) Ergodic() bool {
	period, err := c.Period(0)
	return err == nil && c.Irreducible() && period == 1
}
