package linear

import (
	"math"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
)

func sample() datasets.Table {
	var a, b, y []float64
	var w, v []string
	for i := range 20 {
		code := i * 5 % 3
		a = append(a, float64(i*7%20)/2)
		w = append(w, string("xyz"[code]))
		v = append(v, string("pq"[i*i%3%2]))
		b = append(b, math.Cos(float64(i)))
		y = append(y, 3+math.Sin(float64(i))+a[i]/5+float64(code+1)*0.3)
	}
	b[3] = math.NaN()
	return datasets.NewTable("sample").With("a", a).With("w", w).With("v", v).With("b", b).With("y", y)
}

// Coefficients of lm (R 4.2.2) for the same formulas, 0 where R has NA, which is the case for columns that depend on others.
func TestFormulas(t *testing.T) {
	for _, c := range []struct {
		text string
		rss  float64
		want []float64
	}{
		{"y ~ a*w", 8.83362239333943, []float64{
			3.40791261320417416, 0.09344403600556879, 2.77704869331376347, 1.05127041997540194, -0.20739993061278292, 0.00842721184862759,
		}},
		{"y ~ w - 1", 9.02420267975142, []float64{3.54807866721253, 5.24482517600842, 4.96853927245056}},
		{"y ~ w:v", 9.02420267975141, []float64{4.968539272450559, -1.420460605238031, 0, 0, 0, 0.276285903557863, 0}},
		{"y ~ v + w - 1", 9.02420267975142, []float64{3.548078667212530, 4.968539272450561, 0.276285903557862, 0}},
		{"y ~ poly(a,3)", 9.74730706503664, []float64{4.554263831684607, 3.023634761606416, -0.959090794851494, -0.603450241673493}},
		{"y ~ bs(a,5)", 9.69891313581072, []float64{
			3.401765791381654, -0.243246976670282, 1.040582845898701, 1.884044252726851, 2.085164455663756, 1.600700574940146,
		}},
		{"y ~ ns(a,4)", 9.72459571912547, nil},
		{"log(y) ~ I(a^2) + a:v + b", 0.39628462708953, []float64{
			1.21529592214757809, -0.00817920473857023, -0.00958980511400727, 0.04624488524528006, 0.11928528361156499,
		}},
		{"y ~ a + w + v + w:v", 8.98313858547361, []float64{
			3.4771684673666670, 0.0472734665639072, 1.3776506094895202,
			1.2550034722643555, 0, 0, 0,
		}},
		{"y ~ a:w", 9.53667078204826, []float64{3.59275728851217924, 0.00813110894033592, 0.19692017781261645, 0.26849158336715739}},
		// The same as a + w + v. R leaves out the row with a gap in b, too, which does not count here.
		{"y ~ . - b", 8.98313858547361, []float64{3.4771684673666670, 0.0472734665639072, 1.3776506094895202, 1.2550034722643555, 0}},
	} {
		f, err := ParseFormula(c.text)
		if err != nil {
			t.Fatal(err)
		}
		frame, set, err := f.Frame(sample())
		if err != nil {
			t.Error(c.text, err)
			continue
		}
		m, err := LeastSquares(t.Context(), set.X, set.Target, Options{Rows: Rows{NoIntercept: !frame.Intercept()}})
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.text+" RSS", []float64{m.RSS()}, []float64{c.rss}, 1e-12)
		if c.want != nil {
			near(t, c.text+" "+strings.Join(set.FeatureNames, ", "), m.Theta(), c.want, 1e-10)
		}
		again, err := frame.Set(sample().Rows(0, 1, 2, 4, 5))
		if err != nil {
			t.Error(c.text, err)
			continue
		}
		all, _ := m.Predict(set.X)
		some, _ := m.Predict(again.X)
		left := 0
		if set.N() == 19 {
			left = 1 // the row with the gap came before the last two
		}
		near(t, c.text+" again", some, []float64{all[0], all[1], all[2], all[4-left], all[5-left]}, 1e-12)
	}
}

func TestFormulaNamesAndGaps(t *testing.T) {
	f, err := ParseFormula("y ~ a * w + `b`")
	if err != nil {
		t.Fatal(err)
	}
	frame, set, err := f.Frame(sample())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(set.FeatureNames, ", "); got != "a, w = y, w = z, b, a:w = y, a:w = z" {
		t.Error(got)
	}
	if set.N() != 19 || !strings.Contains(set.Source, "1 of 20 rows left out") {
		t.Error(set.N(), set.Source)
	}
	other := datasets.NewTable("other").With("a", []float64{1}).With("w", []string{"u"}).With("b", []float64{2})
	if _, err := frame.Set(other); err == nil || !strings.Contains(err.Error(), "one of the words x, y, z") {
		t.Error(err)
	}
}

func TestFormulaErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a + b":        "a target and ~ are wanting",
		"y ~":          "something is wanting",
		"y ~ (a":       "a parenthesis is not closed",
		"y ~ log(a":    "the parenthesis of log is not closed",
		"y ~ a b":      `"b" stands where the formula should end`,
		"y ~ a / b":    `"/" stands between terms`,
		"y ~ 3":        "3 is no term",
		"y ~ `a":       "a backquote is not closed",
		"y ~ a + + * ": "stands where a name should",
		"y ~ a $ b":    `"$" stands where the formula should end`,
		"y ~ $":        `"$" stands where a name should`,
	} {
		if _, err := ParseFormula(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"y ~ c":          "c",
		"y ~ tan(a)":     "no function",
		"y ~ log(w)":     "holds words",
		"w ~ a":          "holds words",
		"y ~ log(a)":     "leave such rows out",
		"y ~ poly(a)":    "a whole number",
		"y ~ poly(a,50)": "degree",
		"y ~ 1":          "at least one feature",
	} {
		f, err := ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Frame(sample()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzFormula(f *testing.F) {
	for _, text := range []string{
		"y ~ a*w + poly(a,2)", "log(y) ~ I(a^2 - 1/b):v - 1", "y ~ . - (a + `b`)", "y~-+1~2",
		"y ~ ((((", "y ~ C(a):w*v",
	} {
		f.Add(text)
	}
	table := sample()
	f.Fuzz(func(_ *testing.T, text string) {
		if g, err := ParseFormula(text); err == nil && len(text) < 60 {
			_, _, _ = g.Frame(table) // must not panic
		}
	})
}

// Orthogonal polynomials have length 1 and no products; splines reproduce what they span.
func TestBases(t *testing.T) {
	var x []float64
	for i := range 30 {
		x = append(x, float64(i*i)/40+1e3)
	}
	b, err := Polynomials(x, 6)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 6 {
		for k := range j + 1 {
			s := 0.0
			for _, v := range x {
				u := b.Values(v)
				s += u[j] * u[k]
			}
			want := 0.0
			if j == k {
				want = 1
			}
			near(t, "product", []float64{s}, []float64{want}, 1e-12)
		}
	}
	for _, make := range []func() (Basis, error){
		func() (Basis, error) { return BSplines(x, 7, 3) },
		func() (Basis, error) { return NaturalSplines(x, 5) },
	} {
		b, err := make()
		if err != nil {
			t.Fatal(err)
		}
		// Beyond the range both go on without a jump in value or slope; natural splines are straight there.
		for _, end := range []float64{x[0], x[29]} {
			const h = 1e-4
			for k := range b.Dim() {
				at := func(d float64) float64 { return b.Values(end + d)[k] }
				near(t, "slope", []float64{(at(h) - at(0)) / h}, []float64{(at(0) - at(-h)) / h}, 1e-3)
				if b.name == "ns" {
					sign := 1.0
					if end == x[0] {
						sign = -1
					}
					near(t, "straight", []float64{at(sign*3) - at(sign*2)}, []float64{at(sign*2) - at(sign)}, 1e-9)
				}
			}
		}
	}
}
