package optim

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"
	"testing"
)

// A residual returns what is squared and summed, at a place with imaginary parts: f(x + ih) / h has the exact derivative as its imaginary
// part for a tiny h.
type residual func(x []complex128) []complex128

func (r residual) value(x []float64) (sum float64) {
	z := make([]complex128, len(x))
	for i, v := range x {
		z[i] = complex(v, 0)
	}
	for _, v := range r(z) {
		sum += real(v) * real(v)
	}
	return sum
}

func (r residual) gradient(grad, x []float64) {
	const h = 1e-100
	z := make([]complex128, len(x))
	for i, v := range x {
		z[i] = complex(v, 0)
	}
	for i := range x {
		z[i] += complex(0, h)
		grad[i] = 0
		for _, v := range r(z) {
			grad[i] += 2 * real(v) * (imag(v) / h)
		}
		z[i] = complex(x[i], 0)
	}
}

// curve is the residual y_i - model(x, i), i from 1.
func curve(y []float64, model func(x []complex128, i float64) complex128) residual {
	return func(x []complex128) (out []complex128) {
		for i, v := range y {
			out = append(out, complex(v, 0)-model(x, float64(i+1)))
		}
		return out
	}
}

func freudenstein(x []complex128) []complex128 {
	return []complex128{x[0] - 13 + ((5-x[1])*x[1]-2)*x[1], x[0] - 29 + ((x[1]+1)*x[1]-14)*x[1]}
}

func jennrich(x []complex128) (out []complex128) {
	for i := range 10 {
		t := complex(float64(i+1), 0)
		out = append(out, 2+2*t-cmplx.Exp(t*x[0])-cmplx.Exp(t*x[1]))
	}
	return out
}

var (
	bard = curve([]float64{.14, .18, .22, .25, .29, .32, .35, .39, .37, .58, .73, .96, 1.34, 2.10, 4.39},
		func(x []complex128, i float64) complex128 {
			return x[0] + complex(i, 0)/(complex(16-i, 0)*x[1]+complex(min(i, 16-i), 0)*x[2])
		})
	meyer = curve([]float64{34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872},
		func(x []complex128, i float64) complex128 { return x[0] * cmplx.Exp(x[1]/(complex(45+5*i, 0)+x[2])) })
	kowalik = curve([]float64{.1957, .1947, .1735, .1600, .0844, .0627, .0456, .0342, .0323, .0235, .0246},
		func(x []complex128, i float64) complex128 {
			u := complex([]float64{4, 2, 1, .5, .25, .167, .125, .1, .0833, .0714, .0625}[int(i)-1], 0)
			return x[0] * (u*u + u*x[1]) / (u*u + u*x[2] + x[3])
		})
	osborne1 = curve([]float64{
		.844, .908, .932, .936, .925, .908, .881, .850, .818, .784, .751, .718, .685, .658, .628, .603, .580, .558, .538, .522, .506, .490,
		.478, .467, .457, .448, .438, .431, .424, .420, .414, .411, .406,
	}, func(x []complex128, i float64) complex128 {
		t := complex(10*(i-1), 0)
		return x[0] + x[1]*cmplx.Exp(-t*x[3]) + x[2]*cmplx.Exp(-t*x[4])
	})
	osborne2 = curve([]float64{
		1.366, 1.191, 1.112, 1.013, .991, .885, .831, .847, .786, .725, .746, .679, .608, .655, .616, .606, .602, .626, .651, .724, .649, .649,
		.694, .644, .624, .661, .612, .558, .533, .495, .500, .423, .395, .375, .372, .391, .396, .405, .428, .429, .523, .562, .607, .653, .672,
		.708, .633, .668, .645, .632, .591, .559, .597, .625, .739, .710, .729, .720, .636, .581, .428, .292, .162, .098, .054,
	}, func(x []complex128, i float64) complex128 {
		t := complex((i-1)/10, 0)
		bell := func(height, width, middle complex128) complex128 {
			return height * cmplx.Exp(-(t-middle)*(t-middle)*width)
		}
		return x[0]*cmplx.Exp(-t*x[4]) + bell(x[1], x[5], x[8]) + bell(x[2], x[6], x[9]) + bell(x[3], x[7], x[10])
	})
)

func brownAlmostLinear(x []complex128) (out []complex128) {
	sum, product := complex(-float64(len(x)+1), 0), complex(1, 0)
	for _, v := range x {
		sum, product = sum+v, product*v
	}
	for _, v := range x[1:] {
		out = append(out, v+sum)
	}
	return append(out, product-1)
}

// grid is t_i = i / (n+1).
func grid(i, n int) float64 { return float64(i+1) / float64(n+1) }

func bent(n int) (x []float64) {
	for i := range n {
		x = append(x, grid(i, n)*(grid(i, n)-1))
	}
	return x
}

func cubed(x []complex128, i int) complex128 {
	v := x[i] + complex(grid(i, len(x))+1, 0)
	return v * v * v
}

func at(x []complex128, i int) complex128 {
	if i < 0 || i >= len(x) {
		return 0
	}
	return x[i]
}

func boundaryValue(x []complex128) (out []complex128) {
	h := complex(grid(0, len(x)), 0)
	for i, v := range x {
		out = append(out, 2*v-at(x, i-1)-at(x, i+1)+h*h*cubed(x, i)/2)
	}
	return out
}

func integralEquation(x []complex128) (out []complex128) {
	n := len(x)
	for i, v := range x {
		sum := complex(0, 0)
		for j := range x {
			low, high := min(i, j), max(i, j)
			sum += complex(grid(low, n)*(1-grid(high, n)), 0) * cubed(x, j)
		}
		out = append(out, v+sum*complex(grid(0, n)/2, 0))
	}
	return out
}

func broydenTridiagonal(x []complex128) (out []complex128) {
	for i, v := range x {
		out = append(out, (3-2*v)*v-at(x, i-1)-2*at(x, i+1)+1)
	}
	return out
}

func broydenBanded(x []complex128) (out []complex128) {
	for i, v := range x {
		f := v*(2+5*v*v) + 1
		for j := i - 5; j <= i+1; j++ {
			if j != i {
				f -= at(x, j) * (1 + at(x, j))
			}
		}
		out = append(out, f)
	}
	return out
}

func linearFull(x []complex128) (out []complex128) { // 20 functions of 10 variables
	sum := complex(0, 0)
	for _, v := range x {
		sum += v / 10
	}
	for i := range 20 {
		out = append(out, at(x, i)-sum-1)
	}
	return out
}

func linearOne(x []complex128) (out []complex128) {
	sum := complex(0, 0)
	for i, v := range x {
		sum += complex(float64(i+1), 0) * v
	}
	for i := range x {
		out = append(out, complex(float64(i+1), 0)*sum-1)
	}
	return out
}

func linearZeros(x []complex128) []complex128 {
	sum, n := complex(0, 0), len(x)
	for i := 1; i < n-1; i++ {
		sum += complex(float64(i+1), 0) * x[i]
	}
	out := make([]complex128, n)
	for i := range n - 1 {
		out[i] = complex(float64(i), 0)*sum - 1
	}
	out[n-1] = -1
	return out
}

// chebyquad has the means of the shifted Chebyshev polynomials less their integrals from 0 to 1.
func chebyquad(x []complex128) []complex128 {
	n := len(x)
	out := make([]complex128, n)
	for _, v := range x {
		last, now := complex(1, 0), 2*v-1
		for i := range out {
			out[i] += now / complex(float64(n), 0)
			last, now = now, 2*(2*v-1)*now-last
		}
	}
	for i := 1; i < n; i += 2 {
		out[i] += complex(1/float64((i+1)*(i+1)-1), 0)
	}
	return out
}

func ninths(n int) (x []float64) {
	for i := range n {
		x = append(x, grid(i, n))
	}
	return x
}

// the problems that gonum does not have
var moreClassics = []classic{
	{"Freudenstein and Roth", residual(freudenstein).value, residual(freudenstein).gradient, []float64{0.5, -2}, []float64{0, 48.9842}},
	{"Jennrich and Sampson", residual(jennrich).value, residual(jennrich).gradient, []float64{0.3, 0.4}, []float64{124.362}},
	{"Bard", bard.value, bard.gradient, []float64{1, 1, 1}, []float64{8.21487e-3, 17.4286}},
	{"Meyer", meyer.value, meyer.gradient, []float64{0.02, 4000, 250}, []float64{87.9458}},
	{"Kowalik and Osborne", kowalik.value, kowalik.gradient, []float64{0.25, 0.39, 0.415, 0.39}, []float64{3.07505e-4, 1.02734e-3}},
	{"Osborne 1", osborne1.value, osborne1.gradient, []float64{0.5, 1.5, -1, 0.01, 0.02}, []float64{5.46489e-5}},
	{
		"Osborne 2", osborne2.value, osborne2.gradient,
		[]float64{1.3, 0.65, 0.65, 0.7, 0.6, 3, 5, 7, 2, 4.5, 5.5},
		[]float64{4.01377e-2},
	},
	{
		"Brown almost linear, 10", residual(brownAlmostLinear).value, residual(brownAlmostLinear).gradient, repeat(10, 0.5),
		[]float64{0, 1},
	},
	{"boundary value, 10", residual(boundaryValue).value, residual(boundaryValue).gradient, bent(10), []float64{0}},
	{"integral equation, 10", residual(integralEquation).value, residual(integralEquation).gradient, bent(10), []float64{0}},
	{"Broyden tridiagonal, 10", residual(broydenTridiagonal).value, residual(broydenTridiagonal).gradient, repeat(10, -1), []float64{0}},
	{"Broyden banded, 10", residual(broydenBanded).value, residual(broydenBanded).gradient, repeat(10, -1), []float64{0}},
	{"linear of full rank", residual(linearFull).value, residual(linearFull).gradient, repeat(10, 1), []float64{10}},
	{"linear of rank 1", residual(linearOne).value, residual(linearOne).gradient, repeat(10, 1), []float64{10 * 9.0 / 42}},
	{"linear of rank 1, zeros", residual(linearZeros).value, residual(linearZeros).gradient, repeat(10, 1), []float64{124.0 / 34}},
	{"Chebyquad, 8", residual(chebyquad).value, residual(chebyquad).gradient, ninths(8), []float64{3.51687e-3}},
}

var allClassics = slices.Concat(classics, moreClassics)

// scipyCalls are the values that BFGS and L-BFGS-B of scipy 1.17.1 compute until f has fallen by all but 1e-9 of what it can, from
// testdata/more.py; 0 where they do not get there.
var scipyCalls = map[string][2]int{
	"Rosenbrock":                    {38, 43},
	"Freudenstein and Roth":         {8, 17},
	"Powell badly scaled":           {153, 0},
	"Brown badly scaled":            {22, 21},
	"Beale":                         {15, 15},
	"Jennrich and Sampson":          {46, 0},
	"helical valley":                {32, 30},
	"Bard":                          {22, 22},
	"Gaussian":                      {6, 10},
	"Meyer":                         {398, 0},
	"Gulf":                          {43, 56},
	"Box":                           {26, 36},
	"Powell singular":               {34, 26},
	"Wood":                          {101, 108},
	"Kowalik and Osborne":           {33, 33},
	"Brown and Dennis":              {29, 14},
	"Osborne 1":                     {61, 124},
	"Biggs EXP6":                    {43, 41},
	"Osborne 2":                     {62, 85},
	"Watson, 6":                     {36, 53},
	"Watson, 9":                     {88, 197},
	"Rosenbrock, 50 variables":      {380, 311},
	"Powell singular, 40 variables": {92, 25},
	"penalty I, 4":                  {36, 32},
	"penalty I, 10":                 {22, 17},
	"penalty II, 4":                 {678, 363},
	"variably dimensioned, 10":      {17, 17},
	"trigonometric, 5":              {21, 22},
	"Brown almost linear, 10":       {9, 15},
	"boundary value, 10":            {22, 51},
	"integral equation, 10":         {11, 6},
	"Broyden tridiagonal, 10":       {26, 15},
	"Broyden banded, 10":            {38, 10},
	"linear of full rank":           {4, 3},
	"linear of rank 1":              {3, 3},
	"linear of rank 1, zeros":       {3, 3},
	"Chebyquad, 8":                  {30, 25},
}

// until returns how many values m computes before f has fallen by all but 1e-9 of the way to the nearest published minimum, to as many
// digits as are printed; 0 if it does not get there.
func (c classic) until(t *testing.T, m Method) int {
	var values []float64
	p := c.problem()
	f := p.Value
	p.Value = func(x []float64) float64 {
		values = append(values, f(x))
		return values[len(values)-1]
	}
	r, err := Minimise(t.Context(), p, m, c.start, Options{MaxIter: 3000})
	if err != nil {
		t.Fatal(c.name, err)
	}
	best := slices.MinFunc(c.least, func(a, b float64) int {
		return cmp.Compare(math.Abs(r.Value-a)/max(a, 1e-5), math.Abs(r.Value-b)/max(b, 1e-5))
	})
	goal := best*(1+1e-5) + 1e-9*(values[0]-best)
	return slices.IndexFunc(values[1:], func(v float64) bool { return v <= goal }) + 1 // the first value is the check of the start
}

// TestBesideSciPy counts the values that are computed. On the geometric mean of the problems that both sides solve, neither method may
// need more than scipy's, and there is no problem that scipy's solves and ours does not.
func TestBesideSciPy(t *testing.T) {
	for k, m := range []Method{BFGS{}, LBFGS{}} {
		sum, both := 0.0, 0
		for _, c := range allClassics {
			ours, theirs := c.until(t, m), scipyCalls[c.name][k]
			t.Logf("%-6s %-30s %4d, scipy %4d", m, c.name, ours, theirs)
			if ours == 0 {
				t.Errorf("%s does not solve %s", m, c.name)
			} else if theirs > 0 {
				sum, both = sum+math.Log(float64(ours)/float64(theirs)), both+1
			}
		}
		mean := math.Exp(sum / float64(both))
		t.Logf("%s: %.3f of scipy's values on %d problems", m, mean, both)
		if mean > 1 {
			t.Errorf("%s computes %.3f times as many values as scipy's", m, mean)
		}
	}
}
