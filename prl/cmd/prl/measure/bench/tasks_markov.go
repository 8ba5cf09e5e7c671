package bench

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/mixture"
)

// sequence turns the column of symbols into numbers.
func sequence(in *input) []int {
	m := in.more["hmm"]
	obs := make([]int, m.rows)
	for t, v := range m.v {
		obs[t] = int(v)
	}
	return obs
}

// model reads the hidden Markov model of a parameter file.
func model(m matrix) (*markov.HMM, error) {
	k := m.rows
	p := markov.Parameters{}
	for i := range k {
		row := m.row(i)
		p.Start = append(p.Start, row[0])
		p.Transitions = append(p.Transitions, row[1:1+k])
		p.Emissions = append(p.Emissions, row[1+k:])
	}
	return markov.NewHMM(p)
}

// short cuts a sequence into ones of 20 to 40 symbols.
func short(obs []int) (all [][]int) {
	for i := 0; len(obs) > 0; i++ {
		length := min(len(obs), 20+7*i%21)
		all, obs = append(all, obs[:length]), obs[length:]
	}
	return all
}

// baumWelch makes a task of twenty iterations on what cut makes of the sequence.
func baumWelch(cut func(obs []int) [][]int) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		start, err := model(in.more["hmmstart"])
		if err != nil {
			return nil, err
		}
		sequences := cut(sequence(in))
		o := markov.BaumWelchOptions{}
		o.MaxIter, o.Tol = 20, estimator.None
		var learned *markov.Learned[*markov.HMM]
		return &job{n: in.more["hmm"].rows, d: start.K(), run: func() (err error) {
			learned, err = markov.BaumWelch(context.Background(), start, sequences, o)
			return err
		}, quality: func() (map[string]float64, error) {
			sum := 0.0
			for _, one := range sequences {
				l, err := learned.Model.LogLikelihood(one)
				if err != nil {
					return nil, err
				}
				sum += l
			}
			return only("log-likelihood", sum), nil
		}}, nil
	}
}

// hmmJob makes a task on the sequence, with the true model.
func hmmJob(work func(m *markov.HMM, obs []int) (run func() error, quality func() map[string]float64)) func(*input) (*job, error) {
	return func(in *input) (*job, error) {
		m, err := model(in.more["hmmtrue"])
		if err != nil {
			return nil, err
		}
		obs := sequence(in)
		run, quality := work(m, obs)
		return &job{n: len(obs), d: m.K(), run: run, quality: func() (map[string]float64, error) { return quality(), nil }}, nil
	}
}

func gaussianHMM(in *input, kind mixture.Covariance) (*markov.GaussianHMM, error) {
	k, d := in.groups(4, 8, 16), in.d()
	p := markov.GaussianParameters{Means: rowsOf(in.X, k), Kind: kind}
	for range k {
		move := make([]float64, k)
		for j := range move {
			move[j] = 1 / float64(k)
		}
		identity := make([][]float64, d)
		for j := range identity {
			identity[j] = make([]float64, d)
			identity[j][j] = 1
		}
		p.Start, p.Transitions, p.Covariances = append(p.Start, 1/float64(k)), append(p.Transitions, move), append(p.Covariances, identity)
	}
	return markov.NewGaussianHMM(p)
}

var (
	logLikelihood = []Gauge{{"log-likelihood", Higher, same}}
	hmmPeers      = []string{"scaling", "log"}
	gaussianRows  = [3]int{200, 5000, 20000}
)

var markovTasks = []Task{
	{
		Name: "hmm likelihood", Data: "hmm hmmtrue", Peers: hmmPeers, Gauges: []Gauge{{"log-likelihood", Equal, same}},
		Settings: "forward recursion", make: hmmJob(func(m *markov.HMM, obs []int) (func() error, func() map[string]float64) {
			var l float64
			return func() (err error) { l, err = m.LogLikelihood(obs); return err }, func() map[string]float64 { return only("log-likelihood", l) }
		}),
	},
	{
		Name: "hmm posterior", Data: "hmm hmmtrue", Peers: hmmPeers, Gauges: []Gauge{{"sum of largest", Equal, same}},
		Settings: "forward-backward", make: hmmJob(func(m *markov.HMM, obs []int) (func() error, func() map[string]float64) {
			var p *mat.Dense
			return func() (err error) { p, err = m.Posterior(obs); return err },
				func() map[string]float64 { return only("sum of largest", largest(p)) }
		}),
	},
	{
		Name: "hmm viterbi", Data: "hmm hmmtrue", Peers: []string{"log"}, Gauges: []Gauge{{"log-probability", Higher, same}},
		Settings: "most probable states", make: hmmJob(func(m *markov.HMM, obs []int) (func() error, func() map[string]float64) {
			var p markov.Path
			return func() (err error) { p, err = m.Viterbi(obs); return err }, func() map[string]float64 {
				return only("log-probability",
					p.LogProb)
			}
		}),
	},
	{
		Name: "hmm baum-welch", Data: "hmm hmmtrue hmmstart", Peers: hmmPeers, Rivals: []string{"numba"}, Gauges: logLikelihood,
		Settings: "20 iterations from given start", make: baumWelch(func(obs []int) [][]int { return [][]int{obs} }),
	},
	{
		Name: "hmm baum-welch of short sequences", Data: "hmm hmmtrue hmmstart", Peers: hmmPeers,
		Rivals: []string{"numba"}, Gauges: logLikelihood,
		Settings: "20 iterations from given start, sequences of 20 to 40 symbols", make: baumWelch(short),
	},
	{
		Name: "hmm viterbi of short sequences", Data: "hmm hmmtrue", Peers: []string{"log"}, Gauges: []Gauge{{"log-probability", Higher, same}},
		Settings: "most probable states of sequences of 20 to 40 symbols",
		make: hmmJob(func(m *markov.HMM, obs []int) (func() error, func() map[string]float64) {
			sequences, sum := short(obs), 0.0
			return func() error {
				sum = 0
				for _, one := range sequences {
					p, err := m.Viterbi(one)
					if err != nil {
						return err
					}
					sum += p.LogProb
				}
				return nil
			}, func() map[string]float64 { return only("log-probability", sum) }
		}),
	},
	{
		Name:     "gaussian hmm viterbi",
		Data:     "mix",
		Rows:     gaussianRows,
		Peers:    []string{"scaling"},
		Blas:     true,
		Gauges:   []Gauge{{"log-probability", Higher, same}},
		Settings: "full covariances",
		make: func(in *input) (*job, error) {
			m, err := gaussianHMM(in, mixture.Full)
			if err != nil {
				return nil, err
			}
			var p markov.Path
			return &job{
				n: in.n(), d: in.d(), run: func() (err error) { p, err = m.Viterbi(in.X); return err },
				quality: func() (map[string]float64, error) { return only("log-probability", p.LogProb), nil },
			}, nil
		},
	},
	{
		Name: "gaussian hmm baum-welch", Data: "mix", Rows: gaussianRows, Peers: hmmPeers, Blas: true, Gauges: logLikelihood,
		Settings: "10 iterations from given start, full covariances", make: gaussianBaumWelch(mixture.Full),
	},
	{
		Name: "gaussian hmm diagonal", Data: "mix", Rows: gaussianRows, Peers: hmmPeers, Blas: true, Gauges: logLikelihood,
		Settings: "10 iterations from given start, diagonal covariances", make: gaussianBaumWelch(mixture.Diagonal),
	},
}

// gaussianBaumWelch makes a task of ten iterations from the given start.
func gaussianBaumWelch(kind mixture.Covariance) func(in *input) (*job, error) {
	return func(in *input) (*job, error) {
		start, err := gaussianHMM(in, kind)
		if err != nil {
			return nil, err
		}
		o := markov.BaumWelchOptions{}
		o.MaxIter, o.Tol, o.Reg = 10, estimator.None, estimator.None
		var learned *markov.Learned[*markov.GaussianHMM]
		return &job{n: in.n(), d: in.d(), run: func() (err error) {
			learned, err = markov.BaumWelchGaussian(context.Background(), start, []mat.Matrix{in.X}, o)
			return err
		}, quality: func() (map[string]float64, error) {
			l, err := learned.Model.LogLikelihood(in.X)
			return only("log-likelihood", l), err
		}}, nil
	}
}
