package prl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl"
)

// The directive stands in a test, for no other file of the package may have one: cells link the files that they need one by one.
//
//go:generate go run ./cmd/face .

var two = prl.Iris().Classes("versicolor", "virginica").Features("petal length", "petal width")

// TestPlansAreComplete reads the constructors of the package: each that returns a plan must stand in the table, and its comment must lead
// to that of the plan.
func TestPlansAreComplete(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
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
				if plan := "[" + result.X.(*ast.Ident).Name + "." + result.Sel.Name + "]"; !strings.Contains(f.Doc.Text(), plan) {
					t.Errorf("the comment of %s does not lead to %s", f.Name.Name, plan)
				}
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

// words reads the table in the comment of the package, which go generate writes: word, signature, meaning.
func words(t *testing.T) map[string]string {
	text, err := os.ReadFile("words_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^//\t([A-Z]\w*)(\([^)]*\)(?: (?:\([^)]*\)|\S+(?: \| `+
		`\S+)*))?)\s+[a-z]`).FindAllStringSubmatch(string(text), -1) {
		table[m[1]] = m[2]
	}
	if len(table) < 20 {
		t.Fatalf("%d words were found in words_gen.go", len(table))
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

// agrees reports whether a signature is that of the table, where * stands for anything and | parts results.
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
