package bench

import "github.com/prlab/prlab/prl/learn"

var learnTasks = []Task{
	{
		Name: "clopper-pearson", Data: "hmmtrue", Peers: []string{""}, Gauges: []Gauge{{"sum of ends", Equal, same}},
		Settings: "95 % intervals for k = 1 ... n-1 (peer: scipy.stats.beta)", make: func(in *input) (*job, error) {
			n := in.pick(100, 1000, 10000)
			var sum float64
			return &job{n: n - 1, d: 1, run: func() error {
				sum = 0
				for k := 1; k < n; k++ {
					lo, hi, err := learn.ClopperPearson(k, n, 0.95)
					if err != nil {
						return err
					}
					sum += lo + hi
				}
				return nil
			}, quality: func() (map[string]float64, error) { return only("sum of ends", sum), nil }}, nil
		},
	},
	{
		Name: "binomial tails", Data: "hmmtrue", Peers: []string{""}, Gauges: []Gauge{{"sum of tails", Equal, same}},
		Settings: "P(Bin(n, 0.3) >= k) for k = 1 ... n-1 (peer: scipy.stats.binom)", make: func(in *input) (*job, error) {
			n := in.pick(100, 1000, 10000)
			var sum float64
			return &job{n: n - 1, d: 1, run: func() error {
				sum = 0
				for k := 1; k < n; k++ {
					p, err := learn.UpperTail(k, n, 0.3)
					if err != nil {
						return err
					}
					sum += p
				}
				return nil
			}, quality: func() (map[string]float64, error) { return only("sum of tails", sum), nil }}, nil
		},
	},
}
