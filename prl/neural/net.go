package neural

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// most is the largest number of parameters of a net.
const most = 1 << 30

// A Net is a fully connected net. Its parameters may be set; Forward and Backward only read them.
type Net struct {
	// Theta are the parameters, layer by layer: M^(l-1) x M^(l) weights row by row, then M^(l) thresholds.
	Theta []float64

	sizes       []int
	hidden, out Activation
}

// Parameters returns the number of parameters of a net of layers of the given sizes, inputs first: the sum of M^(l) (M^(l-1) + 1).
// It is 0 where a size is below 1, where there are no two layers, and where there are more than 2^30 parameters.
func Parameters(sizes ...int) int {
	n := 0
	for l, m := range sizes {
		if m < 1 || m > most {
			return 0
		}
		if l > 0 {
			if sizes[l-1] >= most/m {
				return 0
			}
			if n += m * (sizes[l-1] + 1); n > most {
				return 0
			}
		}
	}
	return n
}

// New returns a net of layers of the given sizes, inputs first, with all parameters 0.
//
// Errors: fewer than two layers, a size below 1, more than 2^30 parameters, Softmax in hidden layers, unknown activations.
func New(hidden, out Activation, sizes ...int) (*Net, error) {
	const op = "neural.New"
	n := Parameters(sizes...)
	if n == 0 {
		return nil, fault.Argument(op, "sizes", sizes, "two sizes or more, of at least 1 each, with at most 2^30 parameters", "")
	}
	if hidden < ReLU || hidden >= Softmax {
		return nil, fault.Argument(op, "hidden", hidden, "ReLU, Tanh, Logistic, Softplus or Linear", "")
	}
	if out < ReLU || out > Softmax {
		return nil, fault.Argument(op, "out", out, "one of the activations", "")
	}
	return &Net{Theta: make([]float64, n), sizes: slices.Clone(sizes), hidden: hidden, out: out}, nil
}

// Sizes returns the numbers of units of the layers, inputs first.
func (n *Net) Sizes() []int { return slices.Clone(n.sizes) }

// Layers returns L, the number of layers with weights.
func (n *Net) Layers() int { return max(0, len(n.sizes)-1) }

// Activation returns the function of the units of layer l, from 1.
func (n *Net) Activation(l int) Activation {
	if l >= n.Layers() {
		return n.out
	}
	return n.hidden
}

// Layer returns the M^(l-1) x M^(l) weights, row by row, and the thresholds of layer l, from 1, as parts of Theta; nil for a layer that
// there is not.
func (n *Net) Layer(l int) (weights, thresholds []float64) {
	from := 0
	for k := 1; k <= n.Layers(); k++ {
		in, out := n.sizes[k-1], n.sizes[k]
		middle := from + in*out
		if k == l && middle+out <= len(n.Theta) {
			return n.Theta[from:middle:middle], n.Theta[middle : middle+out : middle+out]
		}
		from = middle + out
	}
	return nil, nil
}

// A Pass is what the units of a net answered to one input. Index 0 of the layers is the input.
type Pass struct {
	Net [][]float64 // net inputs of the units of layer l; none of layer 0
	Y   [][]float64 // their answers; Y[0] is the input
	// Delta are the derivatives of the loss with respect to Net, which Backward fills in. Delta[0] are those with respect to the input.
	Delta [][]float64
}

// Forward returns the answers of all units to the input x: net_j = sum_i y_i w_ij - w_0j and y_j = f(net_j), layer by layer.
//
// Errors: x of another length than the input, parameters of another number.
func (n *Net) Forward(x []float64) (*Pass, error) {
	const op = "neural.Net.Forward"
	if len(n.sizes) == 0 || len(x) != n.sizes[0] {
		return nil, fault.Argument(op, "x", fmt.Sprintf("%d numbers", len(x)), fmt.Sprintf("one for each of the inputs of %v", n.sizes), "")
	}
	if len(n.Theta) != Parameters(n.sizes...) {
		return nil, fault.Argument(op, "Theta", fmt.Sprintf("%d numbers", len(n.Theta)), fmt.Sprintf("%d", Parameters(n.sizes...)), "")
	}
	p := &Pass{Net: make([][]float64, len(n.sizes)), Y: make([][]float64, len(n.sizes)), Delta: make([][]float64, len(n.sizes))}
	p.Y[0] = slices.Clone(x)
	for l := 1; l < len(n.sizes); l++ {
		w, thresholds := n.Layer(l)
		net, y := make([]float64, n.sizes[l]), make([]float64, n.sizes[l])
		for j := range net {
			for i, v := range p.Y[l-1] {
				net[j] += v * w[i*len(net)+j]
			}
			net[j] -= thresholds[j]
			y[j] = n.Activation(l).Value(net[j])
		}
		if n.Activation(l) == Softmax {
			copy(y, net)
			softmax(y)
		}
		p.Net[l], p.Y[l] = net, y
	}
	return p, nil
}

// A Loss measures how far the answers of the last layer are from their targets t.
type Loss int

const (
	// Squared is |y - t|^2 / 2.
	Squared Loss = iota
	// CrossEntropy is -sum_k t_k log y_k for Softmax, and -sum_k (t_k log y_k + (1 - t_k) log(1 - y_k)) for Logistic units, in nats.
	CrossEntropy
)

// String returns the name of the loss.
func (l Loss) String() string {
	switch l {
	case Squared:
		return "squared"
	case CrossEntropy:
		return "cross-entropy"
	}
	return "unknown"
}

// checkLoss reports a loss that the last layer cannot have, and targets of another number.
func (n *Net) checkLoss(op string, p *Pass, loss Loss, t []float64) error {
	logarithmic := n.out == Softmax || n.out == Logistic
	if loss != Squared && loss != CrossEntropy || loss == CrossEntropy && !logarithmic || loss == Squared && n.out == Softmax {
		return fault.Argument(op, "loss", fmt.Sprintf("%v of %v units", loss, n.out),
			"CrossEntropy of Softmax or Logistic units, or Squared of all but Softmax", "")
	}
	if p == nil || len(p.Y) != len(n.sizes) {
		return fault.Argument(op, "pass", "of another net", "what Forward of this net returned", "")
	}
	for l, m := range n.sizes {
		if len(p.Y[l]) != m || l > 0 && len(p.Net[l]) != m {
			return fault.Argument(op, "pass", "of another net", "what Forward of this net returned", "")
		}
	}
	if last := n.sizes[n.Layers()]; len(t) != last {
		return fault.Argument(op, "t", fmt.Sprintf("%d targets", len(t)), fmt.Sprintf("%d, one for each unit of the last layer", last), "")
	}
	return nil
}

// Loss returns the loss of a pass for the targets t. It is computed from net inputs, so that no logarithm of zero occurs.
//
// Errors: targets of another number, a loss that the units of the last layer do not have, a pass of another net.
func (n *Net) Loss(p *Pass, loss Loss, t []float64) (float64, error) {
	if err := n.checkLoss("neural.Net.Loss", p, loss, t); err != nil {
		return 0, err
	}
	net, y := p.Net[n.Layers()], p.Y[n.Layers()]
	sum := 0.0
	switch {
	case loss == Squared:
		for k, v := range y {
			sum += (v - t[k]) * (v - t[k]) / 2
		}
	case n.out == Logistic:
		for k, s := range net {
			sum += softplus(s) - t[k]*s
		}
	default:
		top := softmax(slices.Clone(net))
		for k, s := range net {
			if t[k] != 0 {
				sum += t[k] * (top - s)
			}
		}
	}
	return sum, nil
}

// Backward fills in the blame Delta of all units of a pass and returns the derivatives of the loss with respect to Theta:
//
//	delta_j = f'(net_j) sum_k w_jk delta_k    dE/dw_ij = y_i delta_j    dE/dw_0j = -delta_j
//
// from the last layer, where delta is (y - t) f'(net) for Squared and y - t sum_k t_k (Softmax) or y - t (Logistic) for CrossEntropy.
//
// Errors: those of Loss, and parameters of another number.
func (n *Net) Backward(p *Pass, loss Loss, t []float64) ([]float64, error) {
	const op = "neural.Net.Backward"
	if err := n.checkLoss(op, p, loss, t); err != nil {
		return nil, err
	}
	if len(n.Theta) != Parameters(n.sizes...) {
		return nil, fault.Argument(op, "Theta", fmt.Sprintf("%d numbers", len(n.Theta)), fmt.Sprintf("%d", Parameters(n.sizes...)), "")
	}
	last := n.Layers()
	p.Delta[last] = n.blame(p.Net[last], p.Y[last], loss, t)
	gradient := &Net{Theta: make([]float64, len(n.Theta)), sizes: n.sizes}
	for l := last; l > 0; l-- {
		w, _ := n.Layer(l)
		dw, d0 := gradient.Layer(l)
		below := make([]float64, n.sizes[l-1])
		for j, delta := range p.Delta[l] {
			d0[j] = -delta
			for i, y := range p.Y[l-1] {
				dw[i*len(d0)+j] = y * delta
				below[i] += w[i*len(d0)+j] * delta
			}
		}
		if l > 1 {
			for i, s := range p.Net[l-1] {
				below[i] *= n.hidden.Slope(s)
			}
		}
		p.Delta[l-1] = below
	}
	return gradient.Theta, nil
}

// blame returns the derivatives of the loss with respect to the net inputs of the last layer.
func (n *Net) blame(net, y []float64, loss Loss, t []float64) []float64 {
	delta, total := make([]float64, len(y)), 1.0
	if n.out == Softmax {
		total = 0
		for _, v := range t {
			total += v
		}
	}
	for k, v := range y {
		if loss == CrossEntropy {
			delta[k] = v*total - t[k]
		} else {
			delta[k] = (v - t[k]) * n.out.Slope(net[k])
		}
	}
	return delta
}

// finite reports whether there is neither a NaN nor an infinity.
func finite(v []float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
