package datasets

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cell"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Sizes and column means. Iris and faithful: R 4.2.2, colMeans(iris[1:4]), colMeans(faithful). Wine, breast cancer and digits: scikit-learn
// 1.2.1, load_*().data.mean(axis=0)[0] and [-1]. Penguins: R, colMeans of palmerpenguins with na.rm = TRUE. Vowels:
// R, colMeans of phonTools 0.2-2.2, pb52.
func TestEmbedded(t *testing.T) {
	for _, c := range []struct {
		set         Set
		n, d        int
		counts      []int
		first, last float64 // means of the first and the last column
		tol         float64
	}{
		{Iris(), 150, 4, []int{50, 50, 50}, 5.843333333333334, 1.199333333333333, 1e-12},
		{Wine(), 178, 13, []int{59, 71, 48}, 13.00061797752809, 746.8932584269663, 1e-9},
		{BreastCancer(), 569, 30, []int{212, 357}, 14.127291739894552, 0.08394581722319859, 1e-9},
		{Faithful(), 272, 2, []int{}, 3.487783088235294, 70.8970588235294, 1e-9},
		{Digits(), 1797, 64, []int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}, 0, 0.3644963828603228, 1e-12},
		{Pearson(), 10, 2, []int{}, 3.82, 3.7, 1e-14}, // sums of the printed numbers by hand
		{Penguins(), 342, 4, []int{151, 68, 123}, 43.9219298245614, 4201.754385964912, 1e-9},
		{Vowels(), 1520, 4, []int{152, 152, 152, 152, 152, 152, 152, 152, 152, 152}, 191.2953947368421, 2707.813815789474, 1e-9},
	} {
		s := c.set
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
		if s.N() != c.n || s.D() != c.d || !slices.Equal(s.Counts(), c.counts) || len(s.FeatureNames) != c.d {
			t.Errorf("%v: want %d x %d with %v", s, c.n, c.d, c.counts)
		}
		for j, want := range map[int]float64{0: c.first, c.d - 1: c.last} {
			if got := stat.Mean(mat.Col(nil, j, s.X), nil); math.Abs(got-want) > c.tol {
				t.Errorf("%s: mean of column %d is %v, want %v", s.Name, j, got, want)
			}
		}
		if s.Source == "" || s.Licence == "" || s.Citation == "" {
			t.Errorf("%s: source, licence or citation is missing", s.Name)
		}
		if s.Describe().Err() != nil || s.Head(3).Err() != nil || s.Scatter().Err() != nil {
			t.Errorf("%s: a table or figure fails", s.Name)
		}
	}
}

// The parser of embedded files trusts its input; the public reader does not. Both have to see the same numbers.
func TestEmbeddedAgreesWithReadCSV(t *testing.T) {
	for _, c := range []struct {
		text string
		set  Set
	}{
		{irisCSV, Iris()},
		{wineCSV, Wine()},
		{unzip(breastCancerGZ), BreastCancer()},
		{faithfulCSV, Faithful()},
		{penguinsCSV, Penguins()},
		{unzip(vowelsGZ), Vowels()},
	} {
		var options []Option
		if c.set.Y == nil {
			options = append(options, Unlabelled())
		}
		got, err := ReadCSV(strings.NewReader(c.text), c.set.Name, options...)
		if err != nil {
			t.Fatal(err)
		}
		if c.set.Y != nil {
			got = got.Classes(c.set.ClassNames...)
		}
		if !mat.Equal(got.X, c.set.X) || !slices.Equal(got.Y, c.set.Y) || !slices.Equal(got.FeatureNames, c.set.FeatureNames) {
			t.Errorf("%s: ReadCSV and the embedded reader differ", c.set.Name)
		}
	}
	digits, err := ReadIDX(strings.NewReader(digitImagesGZ), strings.NewReader(digitLabelsGZ), "digits")
	if err != nil {
		t.Fatal(err)
	}
	if want := Digits(); !mat.Equal(digits.X, want.X) || !slices.Equal(digits.Y, want.Y) || digits.shape != want.shape {
		t.Error("digits: ReadIDX and the embedded reader differ")
	}
}

func TestSetsDoNotShareMemory(t *testing.T) {
	a, b := Digits(), Digits()
	a.X.Set(0, 0, 99)
	a.Y[0] = 5
	if b.X.At(0, 0) == 99 || b.Y[0] == 5 {
		t.Error("two calls share memory")
	}
	i := Iris()
	j := i.Rows(0, 1)
	j.X.Set(0, 0, 99)
	k := i.Classes("setosa")
	k.X.Set(0, 0, 98)
	k.Y[0] = 7
	if i.X.At(0, 0) != 5.1 || i.Y[0] != 0 {
		t.Error("a derived set writes into its origin")
	}
}

func TestSelect(t *testing.T) {
	s := Iris().Classes("virginica", "versicolor").Features("petal_width", "Petal.Length")
	if s.Err() != nil || s.N() != 100 || s.D() != 2 || s.K() != 2 {
		t.Fatal(s)
	}
	if s.ClassNames[0] != "virginica" || s.Y[0] != 1 || s.Y[99] != 0 || s.X.At(0, 0) != 1.4 || s.X.At(0, 1) != 4.7 {
		t.Errorf("wrong rows: %v %v", s, mat.Formatted(s.X.Slice(0, 2, 0, 2)))
	}
	if s.Units[1] != "cm" || s.featureLabel(0) != "petal width (cm)" {
		t.Error("units are lost")
	}
	if got := Iris().Class("setosa"); got.RawMatrix().Rows != 50 {
		t.Error("Class")
	}
	if got := Iris().Column("sepal width"); got[0] != 3.5 || len(got) != 150 {
		t.Error("Column")
	}
	if got := s.Signs(); got[0] != 1 || got[99] != -1 {
		t.Error("Signs")
	}
	m := Iris().Merge("other", "setosa", "virginica")
	if !slices.Equal(m.Counts(), []int{100, 50}) || m.ClassNames[0] != "other" {
		t.Error(m)
	}
	if r := Iris().Rows(149, 0, 0); r.N() != 3 || r.Y[0] != 2 || r.X.At(1, 0) != 5.1 {
		t.Error(r)
	}
	one := Iris().Features("petal length")
	if x, y := one.Points(); len(x) != 150 || y[3] != 0 {
		t.Error("Points of one feature")
	}
	if one.Scatter().Err() != nil || Iris().Pairs().Err() != nil || Digits().Images().Err() != nil || Digits().Pairs().Err() == nil {
		t.Error("figures")
	}
	z, err := Digits().Image(0)
	if err != nil || len(z) != 8 || z[0][3] != 13 {
		t.Error(z, err)
	}
}

func TestErrorsNameStepAndRemedy(t *testing.T) {
	for _, c := range []struct {
		err  error
		want []string
	}{
		{Iris().Classes("versicolour", "setosa").Err(), []string{
			"Classes: ", `no class "versicolour"`, `did you mean "versicolor"?`,
			"virginica",
		}},
		{Iris().Features("petal lenght").Err(), []string{"Features", `did you mean "petal length"?`}},
		{Iris().Features("petal length", "petal length").Err(), []string{"twice"}},
		{Iris().Classes().Err(), []string{"no class is named", "setosa"}},
		{Iris().Rows(150).Err(), []string{"there is no row 150", "0 ... 149"}},
		{Faithful().Classes("a").Err(), []string{"have no class"}},
		{Iris().Sample(151, 1).Err(), []string{"151", "150"}},
		{second(Iris().Split(1.5, 1)).Err(), []string{"1.5", "between 0 and 1"}},
		{second(Iris().Rows(0, 50, 51).Split(0.5, 1)).Err(), []string{`class "setosa"`, "1 row"}},
		{Iris().StandardizeBy(Wine()).Err(), []string{"150 x 4", "13"}},
		{Iris().Classes("x").Standardize().Err(), []string{`no class "x"`}},
		{New("mine", nil, nil).Err(), []string{"X is nil"}},
		{New("mine", mat.NewDense(2, 1, []float64{1, math.NaN()}), nil).Err(), []string{"X[1, 0]", "NaN"}},
		{New("mine", mat.NewDense(2, 1, nil), []int{0}).Err(), []string{"1 labels", "2 rows"}},
		{New("mine", mat.NewDense(2, 1, nil), []int{0, 2}, "a", "b").Err(), []string{"y[1] is 2", "2 class names"}},
		{New("mine", mat.NewDense(2, 1, nil), []int{0, 1 << 40}).Err(), []string{"y[1]"}},
		{New("mine", mat.NewDense(2, 1, nil), []int{0, 1}, "a", "a").Err(), []string{`"a" twice`}},
		{Set{}.Classes("a").Err(), []string{"no rows", "datasets.New"}},
		{
			Set{X: mat.NewDense(2, 1, nil), Y: []int{0, 9}, ClassNames: []string{"a"}, FeatureNames: []string{"x"}}.Classes("a").Err(),
			[]string{"Y[1] is 9"},
		},
		{Iris().Named("a").Err(), []string{"1 names for 4 features"}},
		{Iris().WithTarget("t", []float64{1}).Err(), []string{"1 targets for 150 rows"}},
		{Iris().Shaped(3, 3).Err(), []string{"3 x 3", "4 pixels"}},
		{Moons(10, -1, 1).Err(), []string{"noise is -1"}},
		{Moons(0, 0.1, 1).Err(), []string{"n is 0"}},
		{XOR(4, math.NaN(), 1).Err(), []string{"noise is NaN"}},
		{Gaussians(5, nil, nil, nil, 1).Err(), []string{"means is empty"}},
		{Gaussians(5, [][]float64{{0, 0}, {1}}, nil, nil, 1).Err(), []string{"means[1]"}},
		{Gaussians(5, [][]float64{{0, 0}}, [][][]float64{{{1, 2}, {2, 1}}}, nil, 1).Err(), []string{"not positive semi-definite"}},
		{Gaussians(5, [][]float64{{0, 0}}, [][][]float64{{{1, 2}, {1, 9}}}, nil, 1).Err(), []string{"not symmetric"}},
		{Gaussians(5, [][]float64{{0}, {1}}, nil, []float64{0.5, 0.6}, 1).Err(), []string{"sum"}},
		{Sentences(0, 5, 1).Err(), []string{"n is 0"}},
		{HMM(1, 5, []float64{1}, [][]float64{{0.5}}, [][]float64{{1}}, 1).Err(), []string{"transition[0]"}},
		{CocktailParty(100, 5, 1).Err(), []string{"k is 5"}},
		{CocktailParty(100, 2, 1).Mix([][]float64{{1, 2}, {2, 4}}).Err(), []string{"singular"}},
	} {
		if c.err == nil {
			t.Errorf("no error, want %q", c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(c.err.Error(), w) {
				t.Errorf("%q does not say %q", c.err, w)
			}
		}
	}
	bad := Iris().Classes("x")
	if bad.N() != 0 || bad.D() != 0 || bad.Scatter().Err() == nil || bad.Head(3).Err() == nil || bad.Describe().Err() == nil {
		t.Error("a broken set gives something away")
	}
}

func second(_, b Set) Set { return b }

func TestSplitIsStratified(t *testing.T) {
	s := Penguins()
	train, test := s.Split(0.7, 3)
	if train.N()+test.N() != 342 || train.N() != 239 {
		t.Error(train, test)
	}
	for c, n := range s.Counts() {
		if got, want := float64(train.Counts()[c]), 0.7*float64(n); math.Abs(got-want) >= 1 {
			t.Errorf("class %d: %v of %d rows in training", c, got, n)
		}
	}
	again, _ := s.Split(0.7, 3)
	other, _ := s.Split(0.7, 4)
	if !mat.Equal(train.X, again.X) || mat.Equal(train.X, other.X) {
		t.Error("the seed does not decide")
	}
	// Both sides together are the whole: the sums of all columns agree.
	for j := range s.D() {
		if d := mat.Sum(s.X.ColView(j)) - mat.Sum(train.X.ColView(j)) - mat.Sum(test.X.ColView(j)); math.Abs(d) > 1e-6 {
			t.Error("rows are lost or doubled")
		}
	}
	for _, f := range []float64{0.001, 0.999} {
		a, b := Iris().Split(f, 1)
		if slices.Min(a.Counts()) < 1 || slices.Min(b.Counts()) < 1 {
			t.Errorf("fraction %v leaves a class out: %v %v", f, a, b)
		}
	}
}

func TestStandardize(t *testing.T) {
	s := Wine().Standardize()
	for j := range s.D() {
		mean, sd := stat.PopMeanStdDev(mat.Col(nil, j, s.X), nil)
		if math.Abs(mean) > 1e-12 || math.Abs(sd-1) > 1e-12 {
			t.Errorf("column %d has mean %v, sd %v", j, mean, sd)
		}
	}
	train, test := Wine().Split(0.5, 1)
	st := train.Standardizer()
	z := test.StandardizeBy(train)
	want, _ := st.Transform(test.X)
	back, _ := st.Inverse(z.X)
	if !mat.Equal(z.X, want) || !mat.EqualApprox(back, test.X, 1e-9) {
		t.Error("StandardizeBy is not the training set's standardizer")
	}
	flat, err := FitStandardizer(mat.NewDense(3, 2, []float64{7, 1e300, 7, -1e300, 7, 0}))
	if err != nil || flat.Scale[0] != 1 || math.IsInf(flat.Scale[1], 0) || math.Abs(flat.Scale[1]/1e300-math.Sqrt(2.0/3)) > 1e-12 {
		t.Error(flat, err)
	}
}

func TestFingerprint(t *testing.T) {
	a, b := Iris(), Iris()
	if a.Fingerprint() != b.Fingerprint() || a.Key() != b.Key() {
		t.Error("equal data, different fingerprints")
	}
	seen := map[uint64]string{a.Fingerprint(): "iris"}
	b.X.Set(149, 3, 1.8000000000000003)
	c := Iris()
	c.Y[0] = 1
	for name, s := range map[string]Set{
		"a digit": b, "a label": c, "features": a.Features("petal length"), "order": a.Rows(1, 0),
		"moons": Moons(10, 0.1, 1), "moons 2": Moons(10, 0.1, 2),
	} {
		if other, ok := seen[s.Fingerprint()]; ok {
			t.Errorf("%s has the fingerprint of %s", name, other)
		}
		seen[s.Fingerprint()] = name
	}
}

func TestRoundTrips(t *testing.T) {
	for _, s := range []Set{Iris(), Faithful(), Penguins(), Moons(50, 0.2, 1), SwissRoll(20, 0.1, 1), Digits().Rows(0, 5, 9, 100)} {
		var b bytes.Buffer
		if err := s.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		option := Label("class")
		switch {
		case s.Target != nil:
			option = Target(s.TargetName)
		case s.Y == nil:
			option = Unlabelled()
		}
		got, err := ReadCSV(&b, s.Name, option)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.X, s.X) || !reflect.DeepEqual(got.FeatureNames, s.FeatureNames) || !slices.Equal(got.Target, s.Target) ||
			!sameClasses(got, s) {
			t.Errorf("%s: CSV round trip", s.Name)
		}
		b.Reset()
		if err := s.WriteLIBSVM(&b); err != nil {
			t.Fatal(err)
		}
		options := []Option{Width(s.D())}
		if s.Target != nil {
			options = append(options, Target(""))
		}
		got, err = ReadLIBSVM(&b, s.Name, options...)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.X, s.X) || s.Y != nil && !slices.Equal(got.Counts(), nonEmpty(s.Counts())) || !slices.Equal(got.Target, s.Target) {
			t.Errorf("%s: LIBSVM round trip", s.Name)
		}
		b.Reset()
		var labels bytes.Buffer
		if s.Y == nil {
			err = s.WriteIDX(&b, nil)
			got, _ = ReadIDX(&b, nil, s.Name)
		} else {
			err = s.WriteIDX(&b, &labels)
			got, _ = ReadIDX(&b, &labels, s.Name)
		}
		if err != nil || !mat.Equal(got.X, s.X) || got.shape != s.shape || s.Y != nil && !slices.Equal(got.Counts(), nonEmpty(s.Counts())) {
			t.Errorf("%s: IDX round trip: %v", s.Name, err)
		}
	}
}

func nonEmpty(counts []int) []int {
	return slices.DeleteFunc(slices.Clone(counts), func(n int) bool { return n == 0 })
}

func sameClasses(a, b Set) bool {
	if len(a.Y) != len(b.Y) {
		return false
	}
	for i := range a.Y {
		if a.ClassNames[a.Y[i]] != b.ClassNames[b.Y[i]] {
			return false
		}
	}
	return true
}

func TestKeepWorksWithSets(t *testing.T) {
	if one, other := cell.NewKey("plan", Iris()), cell.NewKey("plan", Iris()); one != other {
		t.Error("a key of equal sets differs")
	}
	if cell.NewKey("plan", Iris()) == cell.NewKey("plan", Wine()) {
		t.Error("a key does not see the data")
	}
}

func BenchmarkLoad(b *testing.B) {
	for name, load := range map[string]func() Set{
		"iris": Iris, "wine": Wine, "breast cancer": BreastCancer, "digits": Digits,
		"penguins": Penguins,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				load()
			}
		})
	}
	b.Run("unpack digits", func(b *testing.B) {
		for b.Loop() {
			unzip(digitImagesGZ)
		}
	})
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"rows":            {Iris().Check("Fit"), ""},
		"classes":         {Iris().CheckClasses("Fit"), ""},
		"no rows":         {Set{}.Check("Fit"), "empty"},
		"no classes":      {New("plain", Iris().X, nil).CheckClasses("Fit"), "without classes"},
		"a broken chain":  {Iris().Classes("rose").CheckClasses("Fit"), "rose"},
		"no rows for two": {Set{}.CheckClasses("Fit"), "empty"},
	} {
		if got := fmt.Sprint(c.err); c.want == "" && c.err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %v, want %q", name, c.err, c.want)
		}
	}
}

// The correlation is numpy's, 0.6437; the figure carries it, and a set of one row has none.
func TestCorrelations(t *testing.T) {
	fig := Wine().Features("alcohol", "proline").Correlations()
	svg, err := fig.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(svg), ">0.64<") || !strings.Contains(string(svg), ">1.00<") {
		t.Error("the figure lacks 0.64, or 1.00")
	}
	if err := Wine().Rows(0).Correlations().Err(); err == nil || !strings.Contains(err.Error(), "correlations need at least two") {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	if got := Iris().Names([]int{2, 0, 7, -1}); !slices.Equal(got, []string{"virginica", "setosa", "7", "-1"}) {
		t.Error(got)
	}
}
