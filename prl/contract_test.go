package prl_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	suite "github.com/prlab/prlab/prl/estimator/estimatortest"
)

func TestContract(t *testing.T) { suite.Run(t, contract...) }

// TestContractIsComplete reads the source of the library: every exported function Fit... and every exported type that can be stored or that
// classifies, maps or scores observations must have a line in the table, or a reason why not.
func TestContractIsComplete(t *testing.T) {
	functions, types := map[string]bool{}, map[string]bool{}
	for _, c := range contract {
		functions[c.Func()] = true
		types[c.Type().String()] = true
	}
	needed := map[string]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() &&
			(path == "cmd" || path == "estimator" || path == "cell" || path == "plan" || path == "assess" || entry.Name() == "internal" ||
				entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == "." {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name := file.Name.Name + "." + f.Name.Name
			if f.Recv == nil {
				if strings.HasPrefix(f.Name.Name, "Fit") && !functions[name] {
					needed[name] = "a fit"
				}
				continue
			}
			receiver := typeName(f.Recv.List[0].Type)
			model := file.Name.Name + "." + receiver
			if ast.IsExported(receiver) && !strings.HasSuffix(receiver, "Plan") && answers(f) && !types[model] {
				needed[model] = "it has the method " + f.Name.Name
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, why := range needed {
		if notInTheTable[name] == "" {
			t.Errorf("%s (%s) has no line in the table of estimators, nor a reason in notInTheTable", name, why)
		}
	}
	for name := range notInTheTable {
		if needed[name] == "" {
			t.Errorf("notInTheTable excuses %s, which needs no excuse", name)
		}
	}
}

// answers reports whether a method makes its type a model: it reads an encoding, or it is a classifier, a transformer or a density by name
// and takes observations, not a data set of the notebooks' plans.
func answers(f *ast.FuncDecl) bool {
	switch f.Name.Name {
	case "UnmarshalBinary":
		return true
	case "Predict", "Proba", "Decision", "Transform", "Class", "Posterior", "LogJoint", "LogDensities", "LogLikelihood", "LogProb", "Viterbi":
		if len(f.Type.Params.List) == 0 {
			return false
		}
		switch typeName(f.Type.Params.List[0].Type) {
		case "mat.Matrix", "float64", "int":
			return len(f.Type.Params.List) == 1
		}
	}
	return false
}

// typeName returns the name of a type without pointers, slices and dots.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.ArrayType:
		return typeName(e.Elt)
	case *ast.Ellipsis:
		return typeName(e.Elt)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// TestCancellation stops fits on large data.
func TestCancellation(t *testing.T) {
	if testing.Short() {
		t.Skip("some fits on 200,000 rows")
	}
	suite.Latency(t, contract...)
}
