package reference

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

//go:embed references.json
var tableJSON []byte

type reference struct {
	ID, Area, Title string
	Data, Settings  json.RawMessage
	Expected        map[string]any
	Tolerance       map[string]any
	Source          map[string]string
	Compare, Notes  string
}

type withheldCase struct{ ID, Area, Title, Reason string }

type referenceTable struct {
	About    map[string]string
	Cases    []reference
	Withheld []withheldCase
}

// readTable reads references.json and refuses fields it does not know.
func readTable(t testing.TB) referenceTable {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(tableJSON)))
	d.DisallowUnknownFields()
	var table referenceTable
	if err := d.Decode(&table); err != nil {
		t.Fatal("references.json:", err)
	}
	return table
}

// A check is a case under test: it compares figures and remembers which ones were compared.
type check struct {
	reference
	*testing.T
	compared []string // names of figures, with a dot before each deeper level
	absent   bool     // the data are not on this machine
	worst    float64  // largest share of a tolerance that was used
	worstAt  string
}

type runners map[string]func(c *check)

// areas lists the cases that are run. TestCoverage compares it with the table.
var areas = map[string]runners{
	"boosting": boostingCases, "class-weights": weightCases, "estimation": estimationCases, "evaluation": evaluationCases,
	"fisher-pca": reduceCases, "gaussian": gaussianCases, "gmm": gmmCases,
	"hclust": clusterCases, "hmm": hmmCases, "kernels": kernelCases,
	"grammar": grammarCases,
	"kmeans":  kmeansCases, "knn": neighbourCases, "learning-theory": learnCases, "logistic": logisticCases, "manifold": manifoldCases,
	"mds": scalingCases, "mlp": neuralCases, "online": onlineCases, "parzen": parzenCases,
	"perceptron": perceptronCases, "ridge-lasso": linearCases,
	"svm":   svmCases,
	"trees": treeCases,
}

// run runs the cases of one area as sub-tests named by their ids.
func run(t *testing.T, area string) {
	table := readTable(t)
	ids := make([]string, 0, len(areas[area]))
	for id := range areas[area] {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			i := slices.IndexFunc(table.Cases, func(r reference) bool { return r.ID == id })
			if i < 0 || table.Cases[i].Area != area {
				t.Fatalf("the table has no case %q in area %q", id, area)
			}
			c := &check{reference: table.Cases[i], T: t}
			areas[area][id](c)
			if c.absent || t.Failed() {
				return
			}
			for _, leaf := range leaves("", c.Expected) {
				if !slices.ContainsFunc(c.compared, func(s string) bool { return leaf == s || strings.HasPrefix(leaf, s+".") }) {
					t.Errorf("figure %s was not compared", leaf)
				}
			}
			t.Logf("%s used %.2g of its tolerance", cmp.Or(c.worstAt, "no figure"), c.worst)
		})
	}
}

// leaves returns the names of all figures of a tree of objects; arrays are figures.
func leaves(prefix string, v any) []string {
	m, ok := v.(map[string]any)
	if !ok {
		return []string{strings.TrimPrefix(prefix, ".")}
	}
	var out []string
	for k, w := range m {
		out = append(out, leaves(prefix+"."+k, w)...)
	}
	return out
}

// want returns the figure of a name such as "after_1.means" and marks it as compared.
func (c *check) want(name string) any {
	c.Helper()
	c.compared = append(c.compared, name)
	var v any = c.Expected
	for part := range strings.SplitSeq(name, ".") {
		switch w := v.(type) {
		case map[string]any:
			x, ok := w[part]
			if !ok {
				c.Fatalf("the table has no figure %s", name)
			}
			v = x
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(w) {
				c.Fatalf("the table has no figure %s", name)
			}
			v = w[i]
		default:
			c.Fatalf("the table has no figure %s", name)
		}
	}
	return v
}

// number, numbers and rows return figures that steer a test or need a rearrangement before they can be compared.
func (c *check) number(name string) float64 {
	c.Helper()
	return c.parse(name, c.want(name))
}

func (c *check) numbers(name string) []float64 {
	c.Helper()
	return c.parseAll(name, c.want(name))
}

func (c *check) rows(name string) [][]float64 {
	c.Helper()
	var out [][]float64
	for _, v := range c.want(name).([]any) {
		out = append(out, c.parseAll(name, v))
	}
	return out
}

func (c *check) parseAll(name string, v any) []float64 {
	c.Helper()
	var out []float64
	for _, x := range v.([]any) {
		out = append(out, c.parse(name, x))
	}
	return out
}

// parse reads a number or an exact rational such as "1/14", rounded to the nearest double.
func (c *check) parse(name string, v any) float64 {
	c.Helper()
	switch w := v.(type) {
	case float64:
		return w
	case string:
		if r, ok := new(big.Rat).SetString(w); ok {
			f, _ := r.Float64()
			return f
		}
	}
	c.Fatalf("%s: %v is no number", name, v)
	return 0
}

// tolerance returns abs and rel of a figure: the longest abs_NAME or rel_NAME that fits decides, else abs and rel of the case.
func (c *check) tolerance(name string) (abs, rel float64) {
	get := func(key string) (float64, bool) {
		v, ok := c.Tolerance[key].(float64)
		return v, ok
	}
	for p := name; p != ""; p = p[:max(0, strings.LastIndex(p, "."))] {
		a, okA := get("abs_" + p)
		r, okR := get("rel_" + p)
		if okA || okR {
			return a, r
		}
	}
	abs, _ = get("abs")
	rel, _ = get("rel")
	return abs, rel
}

// near compares a result with the figure of a name. The result is a number, a string, a slice, a matrix, or slices of them.
func (c *check) near(name string, got any) {
	c.Helper()
	c.compare(name, name, got, c.want(name))
}

// nearRow compares with a figure that the caller has taken from the table by number, numbers or rows and rearranged.
func (c *check) nearRow(name string, got, want []float64) {
	c.Helper()
	if len(got) != len(want) {
		c.Errorf("%s has %d numbers, want %d", name, len(got), len(want))
		return
	}
	for i := range want {
		c.compare(name, fmt.Sprintf("%s[%d]", name, i), got[i], want[i])
	}
}

// nearColumns compares matrices column by column, each up to its sign.
func (c *check) nearColumns(name string, got mat.Matrix) {
	c.Helper()
	want := c.rows(name)
	n, k := got.Dims()
	if n != len(want) || k < len(want[0]) {
		c.Fatalf("%s is %d x %d, want %d x %d", name, n, k, len(want), len(want[0]))
	}
	for j := range want[0] {
		big := 0
		for i := range n {
			if math.Abs(want[i][j]) > math.Abs(want[big][j]) {
				big = i
			}
		}
		sign := math.Copysign(1, got.At(big, j)*want[big][j])
		for i := range n {
			c.compare(name, fmt.Sprintf("%s[%d][%d]", name, i, j), sign*got.At(i, j), want[i][j])
		}
	}
}

func (c *check) compare(name, at string, got, want any) {
	c.Helper()
	if m, ok := got.(mat.Matrix); ok {
		n, k := m.Dims()
		list := make([][]float64, n)
		for i := range list {
			list[i] = make([]float64, k)
			for j := range k {
				list[i][j] = m.At(i, j)
			}
		}
		got = list
	}
	g := reflect.ValueOf(got)
	switch g.Kind() {
	case reflect.Slice, reflect.Array:
		w, ok := want.([]any)
		if !ok || len(w) != g.Len() {
			c.Errorf("%s has %d entries, want %v", at, g.Len(), want)
			return
		}
		for i := range w {
			c.compare(name, fmt.Sprintf("%s[%d]", at, i), g.Index(i).Interface(), w[i])
		}
	case reflect.String:
		if got != want {
			c.Errorf("%s = %q, want %q", at, got, want)
		}
	case reflect.Int:
		c.compareNumber(name, at, float64(g.Int()), c.parse(at, want))
	case reflect.Float64:
		c.compareNumber(name, at, g.Float(), c.parse(at, want))
	default:
		c.Fatalf("%s: cannot compare a %T", at, got)
	}
}

func (c *check) compareNumber(name, at string, got, want float64) {
	c.Helper()
	abs, rel := c.tolerance(name)
	allowed := abs + rel*math.Abs(want)
	d := math.Abs(got - want)
	if !(d <= allowed) {
		c.Errorf(
			"%s = %.17g, want %.17g: log10|difference| = %.1f, allowed %.1f (%s)",
			at,
			got,
			want,
			math.Log10(d),
			math.Log10(allowed),
			cmp.Or(c.Source["where"], c.Source["program"]),
		)
	} else if allowed > 0 && d/allowed > c.worst {
		c.worst, c.worstAt = d/allowed, at
	}
}

// LRE returns the log relative error of a result against a certified value, the number of digits that agree: -log10(|got - certified| /
// |certified|), or -log10|got| when 0 is certified; between 0 and 15, the number of digits that NIST certifies. Source: B. D. McCullough,
// Assessing the reliability of statistical software, The American Statistician 52 (1998).
func LRE(got, certified float64) float64 {
	d := math.Abs(got - certified)
	if certified != 0 {
		d /= math.Abs(certified)
	}
	if math.IsNaN(d) {
		return 0
	}
	return min(15, max(0, -math.Log10(d)))
}

func TestLRE(t *testing.T) {
	for _, c := range []struct{ got, certified, want float64 }{
		{1, 1, 15},
		{0, 0, 15},
		{1.001, 1, 3},
		{1e-4, 0, 4},
		{30, 1, 0},
		{math.NaN(), 1, 0},
		{-1e-9, 0, 9},
	} {
		if got := LRE(c.got, c.certified); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("LRE(%v, %v) = %v, want %v", c.got, c.certified, got, c.want)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// debian reports whether a file or program of a Debian package is there. On a machine with CI set it must be; elsewhere the case is then
// not run.
func (c *check) debian(pkg string, find func() error) bool {
	c.Helper()
	err := find()
	if err == nil {
		return true
	}
	c.absent = true
	if os.Getenv("CI") != "" {
		c.Errorf("the data are missing: install Debian package %s (%v)", pkg, err)
	} else {
		c.Logf("not run: the data are in Debian package %s, which is not installed here (%v)", pkg, err)
	}
	return false
}
