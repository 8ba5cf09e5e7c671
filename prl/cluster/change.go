package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/prlab/prlab/prl/fault"
)

// A Change is the most likely place at which the mean of a series changes.
type Change struct {
	At            int       // the first part has the values 0 ... At-1
	Before, After float64   // the means of both parts
	Profile       []float64 // Profile[k] is the fall of the sum of squares for a split before value k; 0 for k = 0
	Gain          float64   // the largest of them
	Squares       float64   // the sum of squares about one mean
}

// FindChange splits a series of n values into two parts of one variance and two means. The maximum of the likelihood over means and
// variance is where the sum of squares falls most, by
//
//	n/(k (n-k)) S_k^2,  S_k = sum of x_i - mean over i < k,
//
// the cumulative sum (CUSUM). Of equal places the first counts. Errors: fewer than two values, values that are not finite or whose squares
// overflow.
func FindChange(x []float64) (Change, error) {
	const name = "cluster.FindChange"
	if len(x) < 2 {
		return Change{}, fault.Argument(name, "x", fmt.Sprintf("%d values", len(x)), "at least 2", "")
	}
	n, mean := float64(len(x)), 0.0
	for i, v := range x {
		if !(math.Abs(v) <= math.Sqrt(math.MaxFloat64)/4/n) {
			return Change{}, fault.Argument(name, fmt.Sprintf("x[%d]", i), v, "a finite number whose square is finite", "")
		}
		mean += v / n
	}
	c := Change{Profile: make([]float64, len(x))}
	sum, best := 0.0, -1.0
	for i, v := range x {
		c.Squares += (v - mean) * (v - mean)
		if k := float64(i); i > 0 {
			c.Profile[i] = n / (k * (n - k)) * sum * sum
			if c.Profile[i] > best {
				best, c.At = c.Profile[i], i
			}
		}
		sum += v - mean
	}
	c.Gain = best
	for i, v := range x {
		if i < c.At {
			c.Before += v / float64(c.At)
		} else {
			c.After += v / (n - float64(c.At))
		}
	}
	return c, nil
}

// LogRatio returns twice the logarithm of the ratio of likelihoods, n ln(Squares / (Squares - Gain)). Its law where nothing changes is that
// of a maximum over places, not chi-square: see ChangePValue.
func (c Change) LogRatio() float64 {
	return float64(len(c.Profile)) * math.Log(c.Squares/(c.Squares-c.Gain))
}

// ChangePValue shuffles the series so many times and returns the share of shuffles, the series itself among them, whose gain is at least
// its own: a test of "no change" that needs no law of the values, only that their order tells nothing. Errors: those of FindChange,
// shuffles below 1.
func ChangePValue(x []float64, shuffles int, seed uint64) (float64, error) {
	own, err := FindChange(x)
	if err != nil {
		return 0, err
	}
	if shuffles < 1 {
		return 0, fault.Argument("cluster.ChangePValue", "shuffles", shuffles, "at least 1", "")
	}
	r, y, more := rand.New(rand.NewPCG(seed, 0)), append([]float64(nil), x...), 1.0
	for range shuffles {
		r.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
		if c, err := FindChange(y); err == nil && c.Gain >= own.Gain*(1-1e-12) {
			more++
		}
	}
	return more / float64(shuffles+1), nil
}

// A Page watches a stream for a rise of its mean, or for a fall, by the sums
//
//	up <- max(0, up + x - Target - Slack),  down <- max(0, down + Target - x - Slack),
//
// and alarms when one of them exceeds Limit (E. S. Page, Biometrika 41, 1954). All are in the unit of x; Slack is half of the change that
// one wants to see soon.
type Page struct{ Target, Slack, Limit float64 }

// Watch returns the sums after each value, which begin again at 0 after an alarm, and the places of the alarms. Errors: a setting or a
// value that is not finite, a slack below 0, a limit that is not positive.
func (p Page) Watch(x []float64) (up, down []float64, alarms []int, err error) {
	const name = "cluster.Page.Watch"
	if p.Target-p.Target != 0 || !(p.Slack >= 0) || math.IsInf(p.Slack, 0) || !(p.Limit > 0) {
		return nil, nil, nil, fault.Argument(name, "the settings", fmt.Sprintf("%+v", p),
			"a finite target, a slack of at least 0, a positive limit", "")
	}
	a, b := 0.0, 0.0
	for i, v := range x {
		if v-v != 0 {
			return nil, nil, nil, fault.Argument(name, fmt.Sprintf("x[%d]", i), v, "a finite number", "")
		}
		a, b = max(0, a+v-p.Target-p.Slack), max(0, b+p.Target-v-p.Slack)
		up, down = append(up, a), append(down, b)
		if a > p.Limit || b > p.Limit {
			alarms = append(alarms, i)
			a, b = 0, 0
		}
	}
	return up, down, alarms, nil
}
