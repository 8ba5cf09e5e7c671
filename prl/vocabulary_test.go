package prl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/kernel"
)

// plans holds a plan of every constructor of the package, by its name, fitted to a set of two classes and two features where it takes one.
// TestPlansAreComplete finds what is missing.
var plans = map[string]func(two datasets.Set) any{
	"Bayes":         func(datasets.Set) any { return prl.Bayes() },
	"LDA":           func(two datasets.Set) any { return prl.LDA().Fit(two) },
	"QDA":           func(two datasets.Set) any { return prl.QDA().Fit(two) },
	"NearestMean":   func(two datasets.Set) any { return prl.NearestMean().Fit(two) },
	"GaussianNB":    func(two datasets.Set) any { return prl.GaussianNB().Fit(two) },
	"MultinomialNB": func(two datasets.Set) any { return prl.MultinomialNB().Fit(two) },
	"BernoulliNB":   func(two datasets.Set) any { return prl.BernoulliNB().Fit(two) },
	"ComplementNB":  func(two datasets.Set) any { return prl.ComplementNB().Fit(two) },
	"CategoricalNB": func(two datasets.Set) any { return prl.CategoricalNB().Fit(whole(two)) },
	"ChainNB":       func(two datasets.Set) any { return prl.ChainNB().Fit(whole(two)) },
	"TreeNB":        func(two datasets.Set) any { return prl.TreeNB().Fit(whole(two)) },
	"Logistic":      func(two datasets.Set) any { return prl.Logistic().Fit(two) },
	"SVM":           func(two datasets.Set) any { return prl.SVM().Probability().Fit(two) },
	"OneClassSVM":   func(two datasets.Set) any { return prl.OneClassSVM().Fit(two) },
	"SVR": func(two datasets.Set) any {
		return prl.SVR().Fit(two.WithTarget("width", two.Column("petal width")))
	},
	"Tree": func(two datasets.Set) any { return prl.Tree().Fit(two) },
	"RegressionTree": func(two datasets.Set) any {
		return prl.RegressionTree().Fit(two.WithTarget("width", two.Column("petal width")))
	},
	"AdaBoost":    func(two datasets.Set) any { return prl.AdaBoost().Rounds(3).Fit(two) },
	"KNN":         func(two datasets.Set) any { return prl.KNN(5).Fit(two) },
	"KNNDensity":  func(two datasets.Set) any { return prl.KNNDensity(5).Fit(two) },
	"Parzen":      func(two datasets.Set) any { return prl.Parzen().Fit(two) },
	"PNN":         func(two datasets.Set) any { return prl.PNN(0.5).Fit(two) },
	"GMM":         func(two datasets.Set) any { return prl.GMM(2).Fit(two) },
	"KMeans":      func(two datasets.Set) any { return prl.KMeans(2).Fit(two) },
	"Hierarchy":   func(two datasets.Set) any { return prl.Hierarchy().Fit(two) },
	"DBSCAN":      func(two datasets.Set) any { return prl.DBSCAN(0.3, 5).Fit(two) },
	"Outliers":    func(two datasets.Set) any { return prl.Outliers().Fit(two) },
	"PCA":         func(two datasets.Set) any { return prl.PCA().Fit(two) },
	"PPCA":        func(two datasets.Set) any { return prl.PPCA(1).Fit(two) },
	"KernelPCA":   func(two datasets.Set) any { return prl.KernelPCA().RBF(0.5).Fit(two) },
	"Whiten":      func(two datasets.Set) any { return prl.Whiten().Fit(two) },
	"ICA":         func(two datasets.Set) any { return prl.ICA().Fit(two) },
	"FisherLDA":   func(two datasets.Set) any { return prl.FisherLDA().Fit(two) },
	"MDA":         func(two datasets.Set) any { return prl.MDA().Fit(two) },
	"MDS":         func(two datasets.Set) any { return prl.MDS().Fit(two) },
	"Isomap":      func(two datasets.Set) any { return prl.Isomap(1).Neighbours(60).Fit(two) },
	"LLE":         func(two datasets.Set) any { return prl.LLE(1).Fit(two) },
	"Kernel":      func(two datasets.Set) any { return prl.Kernel(kernel.Linear{}).Fit(two) },
	"Standardize": func(two datasets.Set) any { return prl.Standardize().Fit(two) },
	"Impute":      func(two datasets.Set) any { return prl.Impute().Fit(two) },
	"OneHot":      func(two datasets.Set) any { return prl.OneHot().Fit(two) },
	"TFIDF":       func(two datasets.Set) any { return prl.TFIDF().Fit(two) },
	"Ordinal":     func(two datasets.Set) any { return prl.Ordinal().Fit(two) },
	"Chain":       func(datasets.Set) any { return prl.Chain("sun", "rain") },
	"HMM":         func(datasets.Set) any { return prl.HMM("hot", "cold") },
	"GaussianHMM": func(two datasets.Set) any { return prl.GaussianHMM(2).Fit(two) },
	"Tagging":     func(datasets.Set) any { return prl.Tagging() },
	"PAC":         func(datasets.Set) any { return prl.PAC() },
}

// whole rounds the features, for plans that count. A broken set stays as it is.
func whole(s datasets.Set) datasets.Set {
	if s.Err() != nil {
		return s
	}
	X := mat.DenseCopyOf(s.X)
	X.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, X)
	return datasets.New("whole", X, s.Y, s.ClassNames...).Named(s.FeatureNames...)
}

var two = prl.Iris().Classes("versicolor", "virginica").Features("petal length", "petal width")

// TestPlansAreComplete reads the constructors of the package: each that returns a plan must stand in the table.
func TestPlansAreComplete(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || strings.HasSuffix(path, "_test.go") || f.Type.Results == nil || len(f.Type.Results.List) != 1 {
				continue
			}
			result, ok := f.Type.Results.List[0].Type.(*ast.SelectorExpr)
			if ok && (strings.HasSuffix(result.Sel.Name, "Plan") || result.Sel.Name == "Decision") {
				found[f.Name.Name] = true
			}
		}
	}
	for name := range found {
		if plans[name] == nil {
			t.Errorf("%s returns a plan and is not in the table", name)
		}
	}
	for name := range plans {
		if !found[name] {
			t.Errorf("the table has %s, which is no constructor of a plan", name)
		}
	}
}

// words reads the table in the comment of the package: word, signature, meaning.
func words(t *testing.T) map[string]string {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^//\t([A-Z]\w*)(\([^)]*\)(?: (?:\([^)]*\)|\S+(?: \| \S+)*))?)\s+[a-z]`).FindAllStringSubmatch(string(text), -1) {
		table[m[1]] = m[2]
	}
	if len(table) < 20 {
		t.Fatalf("%d words were found in doc.go", len(table))
	}
	return table
}

// signature writes the type of a method as the table does: P is the plan itself, M its model.
func signature(plan reflect.Type, m reflect.Method) string {
	model, _ := plan.MethodByName("Model")
	name := func(t reflect.Type) string {
		if t == plan {
			return "P"
		}
		if model.Type != nil && t == model.Type.Out(0) && (m.Name == "Model" || m.Name == "Fitted") {
			return "M"
		}
		return strings.NewReplacer("datasets.", "", "plotting.", "", "cell.", "", "plan.", "", "mat.", "").Replace(t.String())
	}
	var in, out []string
	for i := 1; i < m.Type.NumIn(); i++ {
		s := name(m.Type.In(i))
		if m.Type.IsVariadic() && i == m.Type.NumIn()-1 {
			s = "..." + strings.TrimPrefix(s, "[]")
		}
		in = append(in, s)
	}
	for i := range m.Type.NumOut() {
		out = append(out, name(m.Type.Out(i)))
	}
	s := "(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
	case 1:
		s += " " + out[0]
	default:
		s += " (" + strings.Join(out, ", ") + ")"
	}
	return s
}

// agrees tells whether a signature is that of the table, where * stands for anything and | parts results.
func agrees(got, want string) bool {
	arguments, results, _ := strings.Cut(want, ") ")
	args, result, _ := strings.Cut(got, ") ")
	return (arguments == "(*" || strings.TrimSuffix(arguments, ")") == strings.TrimSuffix(args, ")")) &&
		(results == "*" || slices.Contains(strings.Split(results, " | "), result))
}

// A word has one signature in all plans, that of the table, and a word of several plans stands in the table.
func TestVocabulary(t *testing.T) {
	table := words(t)
	used := map[string]map[string][]string{} // word, signature, plans
	types := map[reflect.Type]bool{}
	for _, constructor := range slices.Sorted(maps.Keys(plans)) {
		plan := reflect.TypeOf(plans[constructor](two))
		if types[plan] {
			continue
		}
		types[plan] = true
		for i := range plan.NumMethod() {
			m := plan.Method(i)
			if used[m.Name] == nil {
				used[m.Name] = map[string][]string{}
			}
			s := signature(plan, m)
			used[m.Name][s] = append(used[m.Name][s], plan.String())
		}
		for _, word := range []string{"Err", "String", "Show", "Table"} {
			if _, ok := plan.MethodByName(word); !ok {
				t.Errorf("%s has no %s", plan, word)
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(used)) {
		want, listed := table[word]
		n := 0
		for s, by := range used[word] {
			n += len(by)
			if listed && !agrees(s, want) {
				t.Errorf("%s%s of %s; the table says %s%s", word, s, strings.Join(by, ", "), word, want)
			}
		}
		if !listed && n > 1 {
			t.Errorf("%s is a word of %d plans and not in the table: %v", word, n, used[word])
		}
	}
	for word := range table {
		if used[word] == nil {
			t.Errorf("the table has %s, which no plan understands", word)
		}
	}
}

// Plumbing is not among the methods of a plan.
func TestPlansShowNoPlumbing(t *testing.T) {
	for name, make := range plans {
		plan := reflect.TypeOf(make(two))
		for _, word := range []string{"Step", "Break", "Key", "Chain", "Outcome", "Fed", "With"} {
			if _, ok := plan.MethodByName(word); ok {
				t.Errorf("%s shows %s", name, word)
			}
		}
	}
}
