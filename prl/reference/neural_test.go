package reference

import (
	"testing"

	"github.com/prlab/prlab/prl/neural"
)

func TestNeural(t *testing.T) { run(t, "mlp") }

var neuralCases = runners{
	"mlp-xor-fixed": func(c *check) {
		n := must(neural.New(neural.ReLU, neural.Linear, 2, 2, 1))
		copy(n.Theta, []float64{1, 1, 1, 1, 0, 1, 1, -2, 0}) // thresholds are minus c and b of the table
		var outputs []float64
		for _, x := range [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
			outputs = append(outputs, must(n.Forward(x)).Y[2][0])
		}
		c.near("outputs", outputs)
	},
	"mlp-softmax-grad": func(c *check) {
		at := func(t []float64, scores ...float64) (p *neural.Pass, loss float64) {
			n := must(neural.New(neural.Linear, neural.Softmax, 1, len(scores)))
			for k, s := range scores {
				n.Theta[len(scores)+k] = -s
			}
			p = must(n.Forward([]float64{0}))
			must(n.Backward(p, neural.CrossEntropy, t))
			return p, must(n.Loss(p, neural.CrossEntropy, t))
		}
		p, loss := at([]float64{1, 0, 0}, 2, 1, 0)
		c.near("p", p.Y[1])
		c.near("loss", loss)
		c.near("grad", p.Delta[1])
		_, loss = at([]float64{0, 1}, 1000, 0)
		c.near("loss_class1_at_1000_0", loss)
	},
}
