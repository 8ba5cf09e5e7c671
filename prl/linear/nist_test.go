package linear

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A certified set is one of the linear sets of NIST's Statistical Reference Datasets (www.itl.nist.gov/div898/strd, in the public domain)
// with its certified values.
type certified struct {
	name          string
	x             [][]float64
	degree        int // of the polynomial in x; 0 for the columns as they are
	noIntercept   bool
	y             []float64
	coefficients  []float64
	errors        []float64
	sigma, r2     float64
	digits, inner float64 // log relative errors that the coefficients and the standard errors must reach
}

func line(x ...float64) (rows [][]float64) {
	for _, v := range x {
		rows = append(rows, []float64{v})
	}
	return rows
}

var (
	norrisX = line(0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9, 338.0, 447.5, 11.6,
		556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1, 118.3, 229.2, 669.1, 448.9, 0.5)
	norrisY = []float64{
		0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8, 339.3, 448.9, 10.8,
		557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2, 117.6, 228.9, 668.4, 449.2, 0.2,
	}
	pontiusY = []float64{
		.11019, .21956, .32949, .43899, .54803, .65694, .76562, .87487, .98292, 1.09146, 1.20001, 1.30822, 1.41599, 1.52399,
		1.63194, 1.73947, 1.84646, 1.95392, 2.06128, 2.16844, .11052, .22018, .32939, .43886, .54798, .65739, .76596, .87474, .98300,
		1.09150, 1.20004, 1.30818, 1.41613, 1.52408, 1.63159, 1.73965, 1.84696, 1.95445, 2.06177, 2.16829,
	}
	longleyX = [][]float64{
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
	longleyY = []float64{
		60323, 61122, 60171, 61187, 63221, 63639, 64989, 63761, 66019, 67857, 68169, 66513, 68655, 69564, 69331, 70551,
	}
	wampler3 = []float64{
		760, -2042, 2111, -1684, 3888, 1858, 11379, 17560, 39287, 64382, 113159, 175108, 273291, 400186, 581243, 811568, 1121004,
		1506550, 2002767, 2611612, 3369180,
	}
	filipX = line(-6.860120914, -4.324130045, -4.358625055, -4.358426747, -6.955852379, -6.661145254, -6.355462942, -6.118102026,
		-7.115148017, -6.815308569, -6.519993057, -6.204119983, -5.853871964, -6.109523091, -5.79832982, -5.482672118, -5.171791386,
		-4.851705903, -4.517126416, -4.143573228, -3.709075441, -3.499489089, -6.300769497, -5.953504836, -5.642065153, -5.031376979,
		-4.680685696, -4.329846955, -3.928486195, -8.56735134, -8.363211311, -8.107682739, -7.823908741, -7.522878745, -7.218819279,
		-6.920818754, -6.628932138, -6.323946875, -5.991399828, -8.781464495, -8.663140179, -8.473531488, -8.247337057, -7.971428747,
		-7.676129393, -7.352812702, -7.072065318, -6.774174009, -6.478861916, -6.159517513, -6.835647144, -6.53165267, -6.224098421,
		-5.910094889, -5.598599459, -5.290645224, -4.974284616, -4.64454848, -4.290560426, -3.885055584, -3.408378962, -3.13200249,
		-8.726767166, -8.66695597, -8.511026475, -8.165388579, -7.886056648, -7.588043762, -7.283412422, -6.995678626, -6.691862621,
		-6.392544977, -6.067374056, -6.684029655, -6.378719832, -6.065855188, -5.752272167, -5.132414673, -4.811352704, -4.098269308,
		-3.66174277, -3.2644011)
	filipY = []float64{
		0.8116, 0.9072, 0.9052, 0.9039, 0.8053, 0.8377, 0.8667, 0.8809, 0.7975, 0.8162, 0.8515, 0.8766, 0.8885, 0.8859, 0.8959,
		0.8913, 0.8959, 0.8971, 0.9021, 0.909, 0.9139, 0.9199, 0.8692, 0.8872, 0.89, 0.891, 0.8977, 0.9035, 0.9078, 0.7675, 0.7705, 0.7713,
		0.7736, 0.7775, 0.7841, 0.7971, 0.8329, 0.8641, 0.8804, 0.7668, 0.7633, 0.7678, 0.7697, 0.77, 0.7749, 0.7796, 0.7897, 0.8131, 0.8498,
		0.8741, 0.8061, 0.846, 0.8751, 0.8856, 0.8919, 0.8934, 0.894, 0.8957, 0.9047, 0.9129, 0.9209, 0.9219, 0.7739, 0.7681, 0.7665, 0.7703,
		0.7702, 0.7761, 0.7809, 0.7961, 0.8253, 0.8602, 0.8809, 0.8301, 0.8664, 0.8834, 0.8898, 0.8964, 0.8963, 0.9074, 0.9119, 0.9228,
	}
)

func certifiedSets() []certified {
	var pontiusX, wamplerX [][]float64
	for i := range 40 {
		pontiusX = append(pontiusX, []float64{150000 * float64(i%20+1)})
	}
	var wampler1, wampler2, wampler4, wampler5 []float64
	for i := range 21 {
		x := float64(i)
		wamplerX = append(wamplerX, []float64{x})
		one, two, unit := 0.0, 0.0, 1.0
		for range 6 { // the second in units of 1e-5, in which all its terms are whole
			one, two = one*x+1, two*x+unit
			unit *= 10
		}
		wampler1, wampler2 = append(wampler1, one), append(wampler2, two/1e5)
		noise := wampler3[i] - one
		wampler4, wampler5 = append(wampler4, one+100*noise), append(wampler5, one+10000*noise)
	}
	ones := []float64{1, 1, 1, 1, 1, 1}
	return []certified{
		{
			"Norris", norrisX, 0, false, norrisY,
			[]float64{-0.262323073774029, 1.00211681802045},
			[]float64{0.232818234301152, 0.429796848199937e-03},
			0.884796396144373, 0.999993745883712, 12, 13,
		},
		{
			"Pontius", pontiusX, 2, false, pontiusY,
			[]float64{0.673565789473684e-03, 0.732059160401003e-06, -0.316081871345029e-14},
			[]float64{0.107938612033077e-03, 0.157817399981659e-09, 0.486652849992036e-16},
			0.205177424076185e-03, 0.999999900178537, 12, 13,
		},
		{
			"NoInt1", line(60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70), 0, true,
			[]float64{130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140},
			[]float64{2.07438016528926},
			[]float64{0.165289256198347e-01},
			3.56753034006338, 0.999365492298663, 14, 14,
		},
		{
			"NoInt2", line(4, 5, 6), 0, true,
			[]float64{3, 4, 4},
			[]float64{0.727272727272727},
			[]float64{0.420827318078432e-01},
			0.369274472937998, 0.993348115299335, 14, 14,
		},
		{
			"Filip", filipX, 10, false, filipY,
			[]float64{
				-1467.48961422980, -2772.17959193342, -2316.37108160893, -1127.97394098372, -354.478233703349, -75.1242017393757,
				-10.8753180355343, -1.06221498588947, -0.670191154593408e-01, -0.246781078275479e-02, -0.402962525080404e-04,
			},
			[]float64{
				298.084530995537, 559.779865474950, 466.477572127796, 227.204274477751, 71.6478660875927, 15.2897178747400,
				2.23691159816033, 0.221624321934227, 0.142363763154724e-01, 0.535617408889821e-03, 0.896632837373868e-05,
			},
			0.334801051324544e-02, 0.996727416185620, 7, 7,
		},
		{
			"Longley", longleyX, 0, false, longleyY,
			[]float64{
				-3482258.63459582, 15.0618722713733, -0.358191792925910e-01, -2.02022980381683, -1.03322686717359, -0.511041056535807e-01,
				1829.15146461355,
			},
			[]float64{
				890420.383607373, 84.9149257747669, 0.334910077722432e-01, 0.488399681651699, 0.214274163161675, 0.226073200069370,
				455.478499142212,
			},
			304.854073561965, 0.995479004577296, 14, 13,
		},
		{"Wampler1", wamplerX, 5, false, wampler1, ones, make([]float64, 6), 0, 1, 14, 8},
		{"Wampler2", wamplerX, 5, false, wampler2, []float64{1, 0.1, 0.01, 0.001, 0.0001, 0.00001}, make([]float64, 6), 0, 1, 12, 8},
		{
			"Wampler3", wamplerX, 5, false, wampler3, ones,
			[]float64{2152.32624678170, 2363.55173469681, 779.343524331583, 101.475507550350, 5.64566512170752, 0.112324854679312},
			2360.14502379268, 0.999995559025820, 13, 13,
		},
		{
			"Wampler4", wamplerX, 5, false, wampler4, ones,
			[]float64{215232.624678170, 236355.173469681, 77934.3524331583, 10147.5507550350, 564.566512170752, 11.2324854679312},
			236014.502379268, 0.957478440825662, 13, 13,
		},
		{
			"Wampler5", wamplerX, 5, false, wampler5, ones,
			[]float64{21523262.4678170, 23635517.3469681, 7793435.24331583, 1014755.07550350, 56456.6512170752, 1123.24854679312},
			23601450.2379268, 0.224668921574940e-02, 11, 13,
		},
	}
}

// rows returns the columns of the set's model.
func (c certified) rows() *mat.Dense {
	if c.degree == 0 {
		X := mat.NewDense(len(c.x), len(c.x[0]), nil)
		for i, row := range c.x {
			X.SetRow(i, row)
		}
		return X
	}
	X := mat.NewDense(len(c.x), c.degree, nil)
	for i, row := range c.x {
		v := 1.0
		for j := range c.degree {
			v *= row[0]
			X.Set(i, j, v)
		}
	}
	return X
}

// agreement is the number of digits that agree, -log10 of the relative error, of the absolute one where zero is wanted, 15 at most.
func agreement(got, want []float64) float64 {
	least := 15.0
	for i, w := range want {
		off := math.Abs(got[i] - w)
		if w != 0 {
			off /= math.Abs(w)
		}
		if off != off {
			return math.Inf(-1)
		}
		least = min(least, -math.Log10(off))
	}
	return least
}

// The eleven linear sets of NIST, with the digits to which coefficients and standard errors agree with the certified values. The powers of
// Filip's x do not fit into float64: rounding them alone leaves eight digits.
//
// The digits of the worst coefficient, here and by lm of R 4.2.2, which drops a column of Filip unless its tolerance is 1e-12:
//
//	Norris   12.8  12.5    Filip    7.9   7.1    Wampler3  15.0  9.3
//	Pontius  13.0  12.7    Longley  14.6 13.0    Wampler4  15.0  7.5
//	NoInt1   14.7  14.7    Wampler1 15.0  9.8    Wampler5  15.0  5.5
//	NoInt2   15.0  15.0    Wampler2 13.2 13.6
//
// Stata 9 completes all sets except Filip, as its own certification says (stata.com/support/cert/nist9).
func TestCertified(t *testing.T) {
	for _, c := range certifiedSets() {
		m, err := LeastSquares(t.Context(), c.rows(), c.y, Options{Rows: Rows{NoIntercept: c.noIntercept}})
		if err != nil {
			t.Fatal(c.name, err)
		}
		theta, errors := agreement(m.Theta(), c.coefficients), agreement(m.StandardErrors(), c.errors)
		sigma, r2 := agreement([]float64{m.Sigma()}, []float64{c.sigma}), agreement([]float64{m.R2()}, []float64{c.r2})
		t.Logf("%-9s coefficients %5.1f  standard errors %5.1f  sigma %5.1f  R2 %5.1f", c.name, theta, errors, sigma, r2)
		if theta < c.digits || errors < c.inner || sigma < min(c.inner, 12) || r2 < 10 {
			t.Errorf("%s: coefficients %.1f, standard errors %.1f, sigma %.1f, R2 %.1f digits", c.name, theta, errors, sigma, r2)
		}
	}
}
