package sufficient

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/mixture"
)

// An EMRound is what one M-step of a Gaussian mixture needs to know of the rows: the moments of each component, every row counted by its
// responsibilities. Make it with NewEMRound, take in all rows, and go on with a round from the mixture that Next returns, until
// LogLikelihood rises no more.
type EMRound struct {
	model     *mixture.GMM
	from      []byte // the model, encoded: parts of one round are of one model
	component []state
	logLik    float64
	weight    float64
}

// NewEMRound returns a round from a mixture, such as mixture.FitGMM of a sample of the rows or mixture.NewGMM returns.
func NewEMRound(model *mixture.GMM) (*EMRound, error) {
	const function = "sufficient.NewEMRound"
	if model == nil || model.Dim() == 0 {
		return nil, estimator.Unfitted(function)
	}
	bare, err := bare(model)
	if err != nil {
		return nil, fault.In(function, err)
	}
	r := &EMRound{model: bare, component: make([]state, model.K())}
	diagonal := model.Kind() == mixture.Diagonal || model.Kind() == mixture.Spherical
	for c := range r.component {
		r.component[c] = newState(model.Dim(), diagonal)
	}
	r.from, err = bare.MarshalBinary()
	return r, fault.In(function, err)
}

// bare returns the mixture without the traces of a fit, which a part need not carry.
func bare(m *mixture.GMM) (*mixture.GMM, error) {
	b, err := mixture.NewGMM(mixture.GMMParameters{Weights: m.Weights(), Means: m.Means(), Covariances: m.Covariances(), Kind: m.Kind()})
	if err == nil {
		b.Remember(m.Names)
	}
	return b, err
}

// Add takes in the rows of X (n x d), row i as weights[i] rows; nil weights count each once.
//
// Errors, which leave r as it was: those of Moments.Add.
func (r *EMRound) Add(X mat.Matrix, weights []float64) error {
	const function = "sufficient.EMRound.Add"
	if r.model == nil {
		return estimator.Unfitted(function)
	}
	d := r.model.Dim()
	x, n, err := rowsOf(function, X, weights, d)
	if err != nil {
		return err
	}
	dense := mat.NewDense(n, d, x)
	shares, err := r.model.Proba(dense)
	if err != nil {
		return fault.In(function, err)
	}
	logs, err := r.model.LogDensities(dense)
	if err != nil {
		return fault.In(function, err)
	}
	parts, rows, share := make([]state, len(r.component)), all(n), make([]float64, n)
	for c := range parts {
		for i := range share {
			share[i] = shares.At(i, c)
			if weights != nil {
				share[i] *= weights[i]
			}
		}
		parts[c] = r.component[c].clone()
		if err := parts[c].add(x, rows, share); err != nil {
			return fault.In(function, err)
		}
	}
	r.component = parts
	for i, v := range logs {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w > 0 {
			r.logLik += w * v
			r.weight += w
		}
	}
	return nil
}

// Merge takes in all that other has seen. It fails when that began from another mixture.
func (r *EMRound) Merge(other *EMRound) error {
	const function = "sufficient.EMRound.Merge"
	if r.model == nil || other.model == nil {
		return estimator.Unfitted(function)
	}
	if !slices.Equal(r.from, other.from) {
		return fault.Argument(function, "the other", "a round from another mixture", "a part of the same round", "begin both from one model")
	}
	for c := range r.component {
		r.component[c].merge(&other.component[c])
	}
	r.logLik += other.logLik
	r.weight += other.weight
	return nil
}

// LogLikelihood returns the log-likelihood of the rows under the mixture of the round, in nats.
func (r *EMRound) LogLikelihood() float64 { return r.logLik }

// Next returns the mixture of the M-step, of the kind of the mixture of the round: with the weights N_k / n and the means and covariances
// of the components, pooled for Tied and averaged over the features for Spherical. reg (at least 0) times the variance of each column over
// all rows is added to its variances, as mixture.GMMOptions.Reg says.
//
// Errors: no rows; a component that no row belongs to, or whose covariance is singular.
func (r *EMRound) Next(reg float64) (*mixture.GMM, error) {
	const function = "sufficient.EMRound.Next"
	if r.model == nil || r.weight == 0 {
		return nil, fault.Argument(function, "the rows", "none", "at least one", "take in the rows first")
	}
	if !(reg >= 0) || math.IsInf(reg, 0) {
		return nil, fault.Argument(function, "reg", reg, "a finite number of at least 0", "1e-6 is usual")
	}
	k, d, kind := len(r.component), r.model.Dim(), r.model.Kind()
	p := mixture.GMMParameters{Kind: kind}
	total := 0.0
	pooled := make([]float64, d*d)
	for c := range r.component {
		s := &r.component[c]
		if !(s.Weight > 0) {
			return nil, &mixture.CollapseError{Component: c, Empty: true, Model: r.model}
		}
		total += s.Weight
		cov := make([][]float64, d)
		for i := range cov {
			cov[i] = make([]float64, d)
			for j := range cov[i] {
				cov[i][j] = s.square(i, j) / s.Weight
				pooled[i*d+j] += s.square(i, j)
			}
		}
		p.Means, p.Covariances = append(p.Means, slices.Clone(s.Mean)), append(p.Covariances, cov)
	}
	added := r.ridge(reg, total)
	for c, cov := range p.Covariances {
		p.Weights = append(p.Weights, r.component[c].Weight/total)
		mean := 0.0
		for i := range d {
			mean += (cov[i][i] + added[i]) / float64(d)
		}
		for i := range d {
			for j := range d {
				if kind == mixture.Tied {
					cov[i][j] = pooled[i*d+j] / total
				}
			}
			if kind == mixture.Spherical {
				cov[i][i] = mean
				continue
			}
			cov[i][i] += added[i]
		}
	}
	sum := 0.0
	for _, w := range p.Weights[:k-1] {
		sum += w
	}
	p.Weights[k-1] = max(0, 1-sum)
	m, err := mixture.NewGMM(p)
	if err != nil {
		return nil, fault.In(function, err)
	}
	m.Remember(r.model.Names)
	return m, nil
}

// ridge returns what a share of the variances of the columns of all rows adds to those of the components.
func (r *EMRound) ridge(share, total float64) []float64 {
	d := r.model.Dim()
	mean, variance := make([]float64, d), make([]float64, d)
	for c := range r.component {
		s := &r.component[c]
		for j, v := range s.Mean {
			mean[j] += s.Weight / total * v
		}
	}
	for c := range r.component {
		s := &r.component[c]
		for j, v := range s.Mean {
			v -= mean[j]
			variance[j] += s.square(j, j)/total + s.Weight/total*v*v
		}
	}
	return gauss.NewRidge(share, mean, variance).Add
}

// String returns a line such as "a round of 3 components in 2 dimensions".
func (r *EMRound) String() string {
	return "a round of " + sizes("components", r.component)
}

type emRoundState struct {
	Model          *mixture.GMM
	Component      []state
	LogLik, Weight float64
}

// MarshalBinary encodes the round with its mixture.
func (r *EMRound) MarshalBinary() ([]byte, error) {
	return estimator.Encode("sufficient.EMRound", 1, emRoundState{r.model, r.component, r.logLik, r.weight})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (r *EMRound) UnmarshalBinary(data []byte) error {
	const kind = "sufficient.EMRound"
	var s emRoundState
	if err := estimator.Decode(data, kind, 1, &s); err != nil {
		return err
	}
	if s.Model == nil || len(s.Component) != s.Model.K() || !(s.Weight >= 0) ||
		!sound(s.Component, s.Model.Dim(), s.Model.Kind() == mixture.Diagonal || s.Model.Kind() == mixture.Spherical) {
		return damage(kind)
	}
	from, err := s.Model.MarshalBinary()
	if err != nil {
		return err
	}
	*r = EMRound{s.Model, from, s.Component, s.LogLik, s.Weight}
	return nil
}
