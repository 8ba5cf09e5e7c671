package neural

import "math"

// An Activation is the function f with which a unit answers its net input.
type Activation int

const (
	ReLU     Activation = iota // max(0, s)
	Tanh                       // tanh s
	Logistic                   // 1/(1 + exp(-s))
	Softplus                   // log(1 + exp s)
	Linear                     // s
	Softmax                    // exp(s_k) / sum_j exp(s_j) over the units of the last layer
)

// String returns the name of the function.
func (a Activation) String() string {
	if a < ReLU || a > Softmax {
		return "unknown"
	}
	return [...]string{"ReLU", "tanh", "logistic", "softplus", "linear", "softmax"}[a]
}

// Value returns f(s). Softmax is no function of one number: it is NaN here.
func (a Activation) Value(s float64) float64 {
	switch a {
	case ReLU:
		return max(0, s)
	case Tanh:
		return math.Tanh(s)
	case Logistic:
		return logistic(s)
	case Softplus:
		return softplus(s)
	case Linear:
		return s
	}
	return math.NaN()
}

// Slope returns f'(s). For ReLU at 0, where there is none, it is 0.
func (a Activation) Slope(s float64) float64 {
	switch a {
	case ReLU:
		if s > 0 {
			return 1
		}
		return 0
	case Tanh:
		t := math.Tanh(s)
		return 1 - t*t
	case Logistic:
		return logistic(s) * logistic(-s)
	case Softplus:
		return logistic(s)
	case Linear:
		return 1
	}
	return math.NaN()
}

func logistic(s float64) float64 {
	if s < 0 {
		e := math.Exp(s)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-s))
}

func softplus(s float64) float64 { return max(s, 0) + math.Log1p(math.Exp(-math.Abs(s))) }

// softmax replaces scores by their shares exp(s_k) / sum_j exp(s_j), and returns the logarithm of the sum.
func softmax(s []float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for _, v := range s {
		top = max(top, v)
	}
	for k, v := range s {
		s[k] = math.Exp(v - top)
		sum += s[k]
	}
	for k := range s {
		s[k] /= sum
	}
	return top + math.Log(sum)
}
