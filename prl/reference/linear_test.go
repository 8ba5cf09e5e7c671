package reference

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/prlab/prlab/datasets"
	regress "github.com/prlab/prlab/prl/linear"
)

// longley is the data of Longley (1967) as NIST has them: prices, product, unemployment, forces, population, year.
var longley = [][]float64{
	{83.0, 234289, 2356, 1590, 107608, 1947},
	{88.5, 259426, 2325, 1456, 108632, 1948},
	{88.2, 258054, 3682, 1616, 109773, 1949},
	{89.5, 284599, 3351, 1650, 110929, 1950},
	{96.2, 328975, 2099, 3099, 112075, 1951},
	{98.1, 346999, 1932, 3594, 113270, 1952},
	{99.0, 365385, 1870, 3547, 115094, 1953},
	{100.0, 363112, 3578, 3350, 116219, 1954},
	{101.2, 397469, 2904, 3048, 117388, 1955},
	{104.6, 419180, 2822, 2857, 118734, 1956},
	{108.4, 442769, 2936, 2798, 120445, 1957},
	{110.8, 444546, 4681, 2637, 121950, 1958},
	{112.6, 482704, 3813, 2552, 123366, 1959},
	{114.2, 502601, 3931, 2514, 125368, 1960},
	{115.7, 518173, 4806, 2572, 127852, 1961},
	{116.9, 554894, 4007, 2827, 130081, 1962},
}

var longleyEmployed = []float64{
	60323, 61122, 60171, 61187, 63221, 63639, 64989, 63761, 66019, 67857, 68169, 66513, 68655, 69564, 69331, 70551,
}

// longleyR is the same in R's units, with the prices in front and employment at the end.
var longleyR = [][]float64{
	{83, 234.289, 235.6, 159, 107.608, 1947, 60.323},
	{88.5, 259.426, 232.5, 145.6, 108.632, 1948, 61.122},
	{88.2, 258.054, 368.2, 161.6, 109.773, 1949, 60.171},
	{89.5, 284.599, 335.1, 165, 110.929, 1950, 61.187},
	{96.2, 328.975, 209.9, 309.9, 112.075, 1951, 63.221},
	{98.1, 346.999, 193.2, 359.4, 113.27, 1952, 63.639},
	{99, 365.385, 187, 354.7, 115.094, 1953, 64.989},
	{100, 363.112, 357.8, 335, 116.219, 1954, 63.761},
	{101.2, 397.469, 290.4, 304.8, 117.388, 1955, 66.019},
	{104.6, 419.18, 282.2, 285.7, 118.734, 1956, 67.857},
	{108.4, 442.769, 293.6, 279.8, 120.445, 1957, 68.169},
	{110.8, 444.546, 468.1, 263.7, 121.95, 1958, 66.513},
	{112.6, 482.704, 381.3, 255.2, 123.366, 1959, 68.655},
	{114.2, 502.601, 393.1, 251.4, 125.368, 1960, 69.564},
	{115.7, 518.173, 480.6, 257.2, 127.852, 1961, 69.331},
	{116.9, 554.894, 400.7, 282.7, 130.081, 1962, 70.551},
}

func TestLinear(t *testing.T) { run(t, "ridge-lasso") }

func stackedRows(rows [][]float64) *mat.Dense {
	X := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		X.SetRow(i, r)
	}
	return X
}

var linearCases = runners{
	"nist-longley": func(c *check) {
		m := must(regress.LeastSquares(c.Context(), stackedRows(longley), longleyEmployed, regress.Options{}))
		c.near("coef", m.Theta())
		c.near("residual_sd", m.Sigma())
		c.near("rss", m.RSS())
		c.near("r_squared", m.R2())
	},
	"nist-wampler1": func(c *check) {
		X, y := mat.NewDense(21, 5, nil), make([]float64, 21)
		for i := range y {
			v := 1.0
			for j := range 5 {
				y[i] += v
				v *= float64(i)
				X.Set(i, j, v)
			}
			y[i] += v
		}
		m := must(regress.LeastSquares(c.Context(), X, y, regress.Options{}))
		c.near("coef", m.Theta())
		c.near("residual_sd", m.Sigma())
	},
	"ridge-longley-lmridge": func(c *check) {
		all := stackedRows(longleyR)
		var lambdas []float64
		for i := range 101 {
			lambdas = append(lambdas, float64(i)/1000)
		}
		p := must(regress.RidgePath(c.Context(), all.Slice(0, 16, 1, 7), mat.Col(nil, 0, all), lambdas, regress.RidgeOptions{Standardize: true}))
		c.near("kHKB", p.HoerlKennardBaldwin)
		c.near("kLW", p.LawlessWang)
		c.near("gcv_argmin", p.At(p.Best()).Lambda())
		m := p.At(10)
		c.near("coef_at_0_01", append([]float64{m.Intercept()}, m.Coefficients()...))
	},
	"lasso-ridge-regS": func(c *check) {
		all := read(c, "reg_S.csv")
		X, y := all.Slice(0, 200, 0, 10), mat.Col(nil, 10, all)[:200]
		l := must(regress.Lasso(c.Context(), X, y, regress.LassoOptions{Lambda: 0.1}))
		c.near("lasso_objective", l.Objective()/200)
		c.near("lasso_coef", l.Coefficients())
		r := must(regress.Ridge(c.Context(), X, y, regress.RidgeOptions{Lambda: 10}))
		c.near("ridge_objective", r.RSS()+10*squared(r.Coefficients()))
		c.near("ridge_coef", r.Coefficients())
	},
	"glmnet-wine-alcohol": func(c *check) {
		all, _ := set(c, datasets.Wine())
		y := mat.Col(nil, 0, all)
		_, sd := stat.PopMeanStdDev(y, nil)
		floats.Scale(1/sd, y)
		for name, share := range map[string]float64{"lasso": 1, "elastic_net": 0.5} {
			o := regress.LassoOptions{L1: share, Standardize: true}
			p := must(regress.LassoPath(c.Context(), all.Slice(0, len(y), 1, 13), y, []float64{0.5, 0.2, 0.05, 0.01, 0.001}, o))
			var coef, objective []float64
			for i := range p.Len() {
				coef = append(append(coef, p.At(i).Intercept()), p.At(i).Coefficients()...)
				objective = append(objective, p.At(i).Objective()/float64(len(y)))
			}
			c.near(name+"_coef", coef)
			c.near(name+"_objective", objective)
		}
	},
}
