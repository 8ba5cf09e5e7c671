package optim

import (
	"bufio"
	"context"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A certifiedSet is one of the 27 nonlinear sets of NIST's Statistical Reference Datasets (www.itl.nist.gov/div898/strd, in the public
// domain), as testdata/nist.txt has them: "set NAME residual sum of squares"; for each parameter "b" with the far and the near start, the
// certified value and its certified standard deviation; then the columns, y first.
type certifiedSet struct {
	name      string
	rss       float64
	starts    [2][]float64
	want      []float64
	deviation []float64
	y         []float64
	x         [][]float64
}

// nistSets reads all sets.
func nistSets(t *testing.T) (sets []*certifiedSet) {
	t.Helper()
	file, err := os.Open("testdata/nist.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var s *certifiedSet
	columns := map[string]int{"x": 0, "x1": 0, "x2": 1}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if words[0] == "set" {
			s = &certifiedSet{name: words[1]}
			sets, words = append(sets, s), words[1:]
		}
		var numbers []float64
		for _, w := range words[1:] {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, v)
		}
		switch {
		case words[0] == s.name:
			s.rss = numbers[0]
		case words[0] == "b":
			s.starts[0], s.starts[1] = append(s.starts[0], numbers[0]), append(s.starts[1], numbers[1])
			s.want, s.deviation = append(s.want, numbers[2]), append(s.deviation, numbers[3])
		case words[0] == "y":
			s.y = append(s.y, numbers...)
		default:
			c := columns[words[0]]
			if c == len(s.x) {
				s.x = append(s.x, nil)
			}
			s.x[c] = append(s.x[c], numbers...)
		}
	}
	return sets
}

func bells(b []float64, x float64) float64 {
	return b[0]*math.Exp(-b[1]*x) + b[2]*math.Exp(-math.Pow((x-b[3])/b[4], 2)) + b[5]*math.Exp(-math.Pow((x-b[6])/b[7], 2))
}

func decays(b []float64, x float64) float64 {
	return b[0]*math.Exp(-b[1]*x) + b[2]*math.Exp(-b[3]*x) + b[4]*math.Exp(-b[5]*x)
}

func cubics(b []float64, x float64) float64 {
	return (b[0] + x*(b[1]+x*(b[2]+x*b[3]))) / (1 + x*(b[4]+x*(b[5]+x*b[6])))
}

func saturation(b []float64, x float64) float64 { return b[0] * (1 - math.Exp(-b[1]*x)) }
func chwirut(b []float64, x float64) float64    { return math.Exp(-b[0]*x) / (b[1] + b[2]*x) }

// nistModels are the models of the sets of one variable; Nelson has two.
var nistModels = map[string]func(b []float64, x float64) float64{
	"Misra1a": saturation, "BoxBOD": saturation, "Chwirut1": chwirut, "Chwirut2": chwirut, "Hahn1": cubics, "Thurber": cubics,
	"Lanczos1": decays, "Lanczos2": decays, "Lanczos3": decays, "Gauss1": bells, "Gauss2": bells, "Gauss3": bells,
	"Misra1b":  func(b []float64, x float64) float64 { return b[0] * (1 - math.Pow(1+b[1]*x/2, -2)) },
	"Misra1c":  func(b []float64, x float64) float64 { return b[0] * (1 - 1/math.Sqrt(1+2*b[1]*x)) },
	"Misra1d":  func(b []float64, x float64) float64 { return b[0] * b[1] * x / (1 + b[1]*x) },
	"DanWood":  func(b []float64, x float64) float64 { return b[0] * math.Pow(x, b[1]) },
	"Kirby2":   func(b []float64, x float64) float64 { return (b[0] + x*(b[1]+x*b[2])) / (1 + x*(b[3]+x*b[4])) },
	"MGH09":    func(b []float64, x float64) float64 { return b[0] * (x*x + x*b[1]) / (x*x + x*b[2] + b[3]) },
	"MGH10":    func(b []float64, x float64) float64 { return b[0] * math.Exp(b[1]/(x+b[2])) },
	"MGH17":    func(b []float64, x float64) float64 { return b[0] + b[1]*math.Exp(-x*b[3]) + b[2]*math.Exp(-x*b[4]) },
	"Roszman1": func(b []float64, x float64) float64 { return b[0] - b[1]*x - math.Atan(b[2]/(x-b[3]))/math.Pi },
	"Rat42":    func(b []float64, x float64) float64 { return b[0] / (1 + math.Exp(b[1]-b[2]*x)) },
	"Rat43":    func(b []float64, x float64) float64 { return b[0] / math.Pow(1+math.Exp(b[1]-b[2]*x), 1/b[3]) },
	"Eckerle4": func(b []float64, x float64) float64 { return b[0] / b[1] * math.Exp(-math.Pow((x-b[2])/b[1], 2)/2) },
	"Bennett5": func(b []float64, x float64) float64 { return b[0] * math.Pow(b[1]+x, -1/b[2]) },
	"ENSO": func(b []float64, x float64) float64 {
		turn := func(period, c, s float64) float64 {
			sin, cos := math.Sincos(2 * math.Pi * x / period)
			return c*cos + s*sin
		}
		return b[0] + turn(12, b[1], b[2]) + turn(b[3], b[4], b[5]) + turn(b[6], b[7], b[8])
	},
}

func (s *certifiedSet) residuals(b []float64) []float64 {
	r := make([]float64, len(s.y))
	for i, y := range s.y {
		if model := nistModels[s.name]; model != nil {
			r[i] = model(b, s.x[0][i]) - y
		} else {
			r[i] = b[0] - b[1]*s.x[0][i]*math.Exp(-b[2]*s.x[1][i]) - math.Log(y)
		}
	}
	return r
}

// digits is the log relative error -log10(|got - want| / |want|), the worst of all, from 0 to the 11 digits that are certified.
func digits(got, want []float64) float64 {
	least := 11.0
	for i, w := range want {
		least = min(least, max(0, -math.Log10(math.Abs(got[i]/w-1))))
	}
	return least
}

// TestNIST fits all sets from both starts, without derivatives, and to at least 6.5 digits of the worst parameter. The sum of squares of
// Lanczos1 is what rounding leaves of zero. The log has a line for each start, to be compared with what others print.
func TestNIST(t *testing.T) {
	sets := nistSets(t)
	if len(sets) != 27 {
		t.Fatal(len(sets), "sets")
	}
	calls := 0
	for _, s := range sets {
		for k, start := range s.starts {
			r, err := LeastSquares(context.Background(), Residuals{Value: s.residuals}, start, Options{})
			if err != nil {
				t.Fatal(s.name, err)
			}
			calls += r.Values
			theta, rss := digits(r.X, s.want), digits([]float64{2 * r.Value}, []float64{s.rss})
			t.Logf("%-9s start %d: parameters %4.1f, sum of squares %4.1f digits, %4d values (%v)", s.name, k+1, theta, rss, r.Values, r.Reason)
			if theta < 6.5 || rss < 10 && s.name != "Lanczos1" || 2*r.Value > 1e-20 && s.name == "Lanczos1" {
				t.Errorf("%s from %v ends at %.12g, sum of squares %.12g (%v)", s.name, start, r.X, 2*r.Value, r.Reason)
			}
		}
	}
	if calls > 3600 {
		t.Errorf("%d values were computed, 3,220 are enough", calls)
	}
}
