package reference

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/reduce"
)

func TestScaling(t *testing.T) { run(t, "mds") }

var scalingCases = runners{
	"cmds-eurodist": func(c *check) {
		m := scaled(c, func(o *reduce.MDSOptions) { o.Scaling = reduce.Classical })
		c.near("top2_eig", m.Values[:2])
		for i, want := range c.numbers("all_eig") {
			if math.Abs(m.Values[i]-want) > 1e-8*max(math.Abs(want), 1) {
				c.Errorf("eigenvalue %d is %v, want %v", i, m.Values[i], want)
			}
		}
		a, b := m.GOF()
		c.near("GOF", []float64{a, b})
		c.nearColumns("points_athens_barcelona_brussels", m.Y.Slice(0, 3, 0, 2))
	},
	"cmds-simplex": func(c *check) {
		D := mat.NewDense(5, 5, nil)
		D.Apply(func(i, j int, _ float64) float64 {
			if i == j {
				return 0
			}
			return 1
		}, D)
		o := reduce.MDSOptions{}
		o.Scaling = reduce.Classical
		c.near("eigenvalues", must(reduce.FitMDS(c.Context(), D, o)).Values)
	},
	"smacof-eurodist": func(c *check) {
		m := scaled(c, func(o *reduce.MDSOptions) { o.MaxIter, o.Tol = 20000, 1e-14 })
		scale := 0.0
		for _, v := range m.Delta {
			scale += v * v
		}
		c.near("initial_stress", m.Stresses[0]*scale)
		c.near("stress_after_1", m.Stresses[1]*scale)
		c.near("stress_after_10", m.Stresses[10]*scale)
		c.near("converged_stress", m.Stress()*scale)
		c.near("stress1", m.Stress1())
		rises := false
		for i, v := range m.Stresses[1:] {
			rises = rises || v > m.Stresses[i]*(1+1e-14)
		}
		if rises == c.want("monotone").(bool) {
			c.Error("the stress rises")
		}
	},
	"smacof-one-step": func(c *check) {
		D := mat.NewDense(3, 3, []float64{0, 3, 5, 3, 0, 4, 5, 4, 0})
		o := reduce.MDSOptions{}
		o.Start, o.MaxIter = mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1}), 1
		m := must(reduce.FitMDS(c.Context(), D, o))
		c.near("stress_before", 50*m.Stresses[0])
		c.near("Y1", m.Y)
		c.near("stress_after", 50*m.Stress())
		o.MaxIter = 10000
		c.near("limit_stress", must(reduce.FitMDS(c.Context(), D, o)).Stress())
	},
	"nonmetric-ekman": func(c *check) {
		o := reduce.MDSOptions{}
		o.Scaling, o.MaxIter, o.Tol = reduce.NonMetric, 20000, 1e-12
		// Every dissimilarity is made different, for equal ones are treated in two ways.
		D, at := mat.DenseCopyOf(datasets.Ekman().X), 0.0
		for j := range 14 {
			for i := j + 1; i < 14; i++ {
				at++
				D.Set(i, j, D.At(i, j)+1e-5*at)
				D.Set(j, i, D.At(i, j))
			}
		}
		m := must(reduce.FitMDS(c.Context(), D, o))
		c.near("stress1", m.Stress1())
	},
}

// scaled maps the roads with other settings than the usual ones.
func scaled(c *check, change func(*reduce.MDSOptions)) *reduce.MDS {
	o := reduce.MDSOptions{}
	change(&o)
	return must(reduce.FitMDS(c.Context(), datasets.Roads().X, o))
}

func lineWeights(c *check) {
	o := reduce.LLEOptions{Components: 1, Neighbours: 2, Regularise: 1e-9}
	m := must(reduce.FitLLE(c.Context(), column(0, 1, 2, 3, 4), o))
	c.near("W_row_interior", m.Weights[2])
	c.near("W_row_end", m.Weights[0])
}

func isomapSpiral(c *check) {
	m := must(reduce.FitIsomap(c.Context(), spiral(), reduce.IsomapOptions{Components: 2, Neighbours: 7}))
	c.near("places", magnitudes(m.Y, 0, 1, 50))
	c.near("path_0_50", m.Geodesics.At(0, 50))
	c.near("eigenvalues", m.Values[:2])
	c.near("new_places", magnitudes(must(m.Transform(mat.NewDense(2, 3, []float64{1, 5, 6, -4, 3, 2}))), 0, 1))
}

func lleSpiral(c *check) {
	o := reduce.LLEOptions{Components: 2, Neighbours: 9, Regularise: 1e-3}
	m := must(reduce.FitLLE(c.Context(), spiral(), o))
	c.near("places", magnitudes(m.Y, 0, 1, 50))
	_, phi := m.Errors()
	c.near("error", phi)
	c.near("new_places", magnitudes(must(m.Transform(mat.NewDense(2, 3, []float64{1, 5, 6, -4, 3, 2}))), 0, 1))
	o.Hessian, o.Neighbours = true, 6
	m = must(reduce.FitLLE(c.Context(), spiral(), o))
	c.near("hessian_places", magnitudes(m.Y, 0, 1, 50))
	_, phi = m.Errors()
	c.near("hessian_error", phi)
}

// spiral returns the 120 points of a rolled sheet that isomap-spiral describes.
func spiral() *mat.Dense {
	X := mat.NewDense(120, 3, nil)
	for i := range 120 {
		u, v := math.Mod(0.6180339887498949*float64(i), 1), math.Mod(0.7548776662466927*float64(i), 1)
		t := 1.5 * math.Pi * (1 + u)
		X.SetRow(i, []float64{t * math.Cos(t), 10 * v, t * math.Sin(t)})
	}
	return X
}

// magnitudes returns some rows of a map without signs, which are free.
func magnitudes(Y *mat.Dense, rows ...int) [][]float64 {
	var out [][]float64
	for _, i := range rows {
		var row []float64
		for _, v := range Y.RawRowView(i) {
			row = append(row, math.Abs(v))
		}
		out = append(out, row)
	}
	return out
}
