//go:build unix

package build

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// known are archives of what the tests import.
func known(t *testing.T) (archives map[string]string) {
	k := newKernel(t)
	imports := "\t\"fmt\"\n\t\"math/rand/v2\"\n\t\"net/url\"\n\t\"slices\"\n\t\"strings\"\n"
	k.build(Cell{}, imports, "", "\tfmt.Println(strings.ToUpper(url.PathEscape(\"a\")), slices.Max([]int{rand.IntN(2)}))")
	return k.archives()
}

// TestPrune looks that what earlier cells have declared and a cell does not need is not compiled, and that nobody can tell.
func TestPrune(t *testing.T) {
	archives := known(t)
	imports := "\t\"fmt\"\n\t\"strings\"\n"
	text := "package main\n\nimport (\n\t\"flag\"\n" + imports + ")\n\n"
	for name, c := range map[string]struct {
		cell        Cell
		text        string
		stays, goes []string
	}{
		"functions": {
			Cell{},
			"func a() int { return b() }\n\nfunc b() int { return 1 }\n\n// c tells\n" +
				"func c() string { return strings.ToUpper(\"c\") }\n\n" +
				"func main() {\n\tflag.Parse()\n\tfmt.Println(a())\n}\n",
			[]string{"func a()", "func b()", "\t\"fmt\""},
			[]string{"func c()", "c tells", "strings"},
		},
		"imports": {
			Cell{},
			"func c() string { return strings.ToUpper(url.PathEscape(\"c\")) }\n\nfunc main() {\n\tflag.Parse()\n\tfmt.Println(1)\n}\n",
			[]string{"\t\"fmt\"", "\t_ \"net/url\""},
			[]string{"strings"},
		},
		"types": {
			Cell{},
			"type T struct{ u U }\n\ntype U int\n\nfunc (t *T) String() string { return strings.ToUpper(x) }\n\n" +
				"const (\n\tw = iota\n" +
				"\tx = \"x\"\n)\n\nconst y = 2\n\ntype (\n\tL int\n\tM []L\n\tN []M\n)\n\n" +
				"func main() { flag.Parse(); fmt.Println(T{}, M{}) }\n",
			[]string{"type U", "String()", "w = iota", "L int", "M []L"},
			[]string{"const y", "N []M", "_ \"strings\""},
		},
		"own": {
			Cell{Declares: []string{"a", "T.m"}},
			"func a() {}\n\nfunc b() {}\n\ntype T int\n\nfunc (T) m() { c() }\n\nfunc c() {}\n\n" +
				"func main() { flag.Parse(); fmt.Print(strings.Title) }\n",
			[]string{"func a()", "m()", "func c()"},
			[]string{"func b()"},
		},
		"variables": {
			Cell{},
			"var a, b = c, 1\n\nvar c = strings.ToUpper(\"c\")\n\nvar d = []int{e}\n\nvar e = 1\n\nvar _ = f\n\nfunc f() {}\n\n" +
				"var (\n\tg = 1\n\th = 2\n)\n\nfunc init() { fmt.Print(g) }\n\nfunc main() { flag.Parse(); fmt.Print(b) }\n",
			[]string{"var a, b", "var c", "var _ = f", "func f", "g = 1"},
			[]string{"var d", "var e", "h = 2"},
		},
		"local names": {
			Cell{},
			"var a = 1\n\nfunc b() {}\n\ntype T struct{ a int }\n\n" +
				"func main() { flag.Parse(); a, b := 1, 2; fmt.Print(a, b, strings.Title) }\n",
			nil,
			[]string{"var a", "func b", "type T"},
		},
		"names of a structure": {
			Cell{},
			"var a = 1\n\ntype T struct{ a int }\n\nfunc main() { flag.Parse(); fmt.Print(T{a: 2}.a, strings.Title) }\n",
			[]string{"type T"},
			[]string{"var a"},
		},
		"wrong": {
			Cell{},
			"func a() { x }\n\nfunc b() {}\n\nfunc main() { flag.Parse(); fmt.Print(strings.Title) }\n",
			[]string{"func a", "func b"},
			nil,
		},
		"value": {
			Cell{Value: true},
			"func a() int { return 1 }\n\nfunc b() {}\n\n" +
				"func main() { flag.Parse(); fmt.Print(strings.Title); prlShowValue(a()) }\n",
			[]string{"func a"},
			[]string{"func b"},
		},
		"instances": {
			Cell{},
			"type P[K comparable] struct{ k K }\n\nfunc (p P[K]) get() K { return id(p.k) }\n\n" +
				"func id[X any](x X) X { return x }\n\n" +
				"func no[X any]() {}\n\nfunc main() { flag.Parse(); fmt.Print(P[int]{1}.get(), strings.Title) }\n",
			[]string{"func (p P", "func id"},
			[]string{"func no"},
		},
	} {
		text := text
		if name == "imports" {
			text = strings.Replace(text, "import (\n", "import (\n\t\"net/url\"\n", 1)
		}
		p := newProgram(text+c.text, c.cell, archives)
		if strings.Count(p.text, "\n") != strings.Count(text+c.text, "\n") || len(p.text) != len(text+c.text) {
			t.Errorf("%s: other lines or columns", name)
		}
		out := p.render()
		for _, want := range c.stays {
			if !strings.Contains(out, want) {
				t.Errorf("%s: there is no %q in\n%s", name, want, out)
			}
		}
		for _, none := range c.goes {
			if strings.Contains(out, none) {
				t.Errorf("%s: there is %q in\n%s", name, none, out)
			}
		}
	}
}

// TestPure looks which initialisers are left out when nothing names their variable w. The cell needs v and what it names.
func TestPure(t *testing.T) {
	archives := known(t)
	for name, c := range map[string]struct {
		text string
		pure bool
	}{
		"arithmetic": {"var v = f(1)\n\nvar w = f(v)\n\n" +
			"func f(x int) int { y := 0; for range x { y += x }; return y }", true},
		"slice made": {"var v = 1\n\nvar w = f(3)\n\n" +
			"func f(n int) []int { s := make([]int, n); for i := range s { s[i] = i }; slices.Sort(s); return append(s, 1) }", true},
		"table made": {"var v = 1\n\nvar w = f()\n\n" +
			"func f() (t [][]int) { for i := range 3 { t = append(t, make([]int, 2)); t[i][0] = 1 }; return }", true},
		"copy sorted": {"var v = []int{2, 1}\n\nvar w = f(v)\n\n" +
			"func f(s []int) []int { s = slices.Clone(s); c := slices.Clone(s); slices.Sort(c); return c }", true},
		"own generator": {"var v = draw(rand.New(rand.NewPCG(1, 2)))\n\n" +
			"var w = draw(rand.New(rand.NewPCG(1, 2)))\n\nfunc draw(r *rand.Rand) float64 { return r.Float64() }", true},
		"method": {"type T struct{ s []int }\n\n" +
			"func (t T) sum() (x int) { for _, y := range t.s { x += y }; return x }\n\nvar v = T{}\n\nvar w = v.sum()", true},
		"printed": {"var v = 1\n\nvar w = f()\n\nfunc f() int { fmt.Println(v); return 1 }", true},
		"shuffled": {"var v = 1\n\nvar w = f()\n\n" +
			"func f() []int { r := rand.New(rand.NewPCG(1, 2)); s := []int{1, 2}; r.Shuffle(2, func(i, j int) { s[i], s[j] = s[j], s[i] }); " +
			"return s }", true},
		"common generator": {"var r = rand.New(rand.NewPCG(1, 2))\n\nvar w = r.Float64()\n\nvar v = r.Float64()", false},
		"generator in a type": {"type lab struct{ r *rand.Rand }\n\nvar l = lab{rand.New(rand.NewPCG(1, 2))}\n\n" +
			"var w = l.draw()\n\nvar v = l.draw()\n\nfunc (l lab) draw() float64 { return l.r.Float64() }", false},
		"generator of a function": {"var r = rand.New(rand.NewPCG(1, 2))\n\nfunc draw() float64 { return r.Float64() }\n\n" +
			"var w = draw()\n\nvar v = draw()", false},
		"counter": {"var n int\n\nfunc next() int { n++; return n }\n\nvar w = next()\n\nvar v = next()", false},
		"closure": {"var next = func() func() int { n := 0; return func() int { n++; return n } }()\n\n" +
			"var w = next()\n\nvar v = next()", false},
		"function variable": {"var n []int\n\nvar next = func() int { n = append(n, 1); return len(n) }\n\n" +
			"var w = next()\n\nvar v = next()", false},
		"sorted in place": {"var v = []int{2, 1}\n\nvar w = f(v)\n\nfunc f(s []int) []int { slices.Sort(s); return s }", false},
		"sorted there":    {"var v = []int{2, 1}\n\nvar w = func() int { slices.Sort(v); return 1 }()", false},
		"alias":           {"var v = []int{2, 1}\n\nvar w = f()\n\nfunc f() int { s := v[1:]; s[0] = 5; return 1 }", false},
		"alias in a table": {"var v = []int{2, 1}\n\nvar w = f()\n\n" +
			"func f() int { t := make([][]int, 1); t[0] = v; t[0][0] = 5; return 1 }", false},
		"alias by range": {"var v = [][]int{{2, 1}}\n\nvar w = f()\n\n" +
			"func f() int { for _, s := range v { s[0] = 5 }; return 1 }", false},
		"alias by a copy": {"var v = [][]int{{2, 1}}\n\nvar w = f()\n\n" +
			"func f() int { s := slices.Clone(v); s[0][0] = 5; return 1 }", false},
		"alias by a result": {"var v = []int{2, 1}\n\nfunc get() []int { return v }\n\nvar w = f()\n\n" +
			"func f() int { s := get(); s[0] = 5; return 1 }", false},
		"alias in a structure": {"type T struct{ s []int }\n\nvar v = []int{2, 1}\n\nvar w = f()\n\n" +
			"func f() int { t := T{v}; t.s[0] = 5; return 1 }", false},
		"appended": {"var a = make([]int, 1, 2)\n\nvar v = append(a, 1)\n\nvar w = append(a, 2)", false},
		"pointer":  {"var v = 1\n\nvar w = f(&v)\n\nfunc f(p *int) int { *p = 2; return 1 }", false},
		"receiver": {"type T struct{ n int }\n\nfunc (t *T) next() int { t.n++; return t.n }\n\nvar t T\n\n" +
			"var w = t.next()\n\nvar v = t.next()", false},
		"receiver by interface": {"type T struct{ n int }\n\nfunc (t *T) next() int { t.n++; return t.n }\n\n" +
			"var t interface{ next() int } = &T{}\n\nvar w = f(t)\n\n" +
			"func f(t interface{ next() int }) int { return t.next() }\n\nvar v = t.next()", false},
		"map": {"var m = map[int]int{}\n\nvar w = f()\n\n" +
			"func f() int { m[1] = 1; delete(m, 2); return 1 }\n\nvar v = len(m)", false},
		"copy": {"var v = []int{1}\n\nvar w = copy(v, []int{2})", false},
		"channel": {"var c = make(chan int, 1)\n\nvar w = f()\n\nfunc f() int { c <- 1; return 1 }\n\n" +
			"var v = <-c", false},
		"goroutine": {"var v = 1\n\nvar w = f()\n\nfunc f() int { go func() {}(); return 1 }", false},
		"to stderr": {"var v = 1\n\nvar w = f()\n\nfunc f() int { println(1); return 1 }", false},
		"builder": {"var b strings.Builder\n\nvar w = f()\n\n" +
			"func f() int { b.WriteString(\"a\"); return 1 }\n\nvar v = b.String()", false},
		"blank": {"var v = 1\n\nvar _ = f()\n\nvar w, _ = 1, f()\n\nfunc f() int { return 1 }", false},
		"swapped in a function": {"var v = []int{1, 2}\n\nvar w = f(v)\n\n" +
			"func f(s []int) int { rand.Shuffle(2, func(i, j int) { s[i], s[j] = s[j], s[i] }); return 1 }", false},
	} {
		text := "package main\n\nimport (\n\t\"flag\"\n\t\"fmt\"\n\t\"math/rand/v2\"\n\t\"slices\"\n\t\"strings\"\n)\n\n" + c.text +
			"\n\nfunc uses() { fmt.Print(rand.IntN(2), slices.Max([]int{1}), strings.ToUpper(\"\")) }\n\n" +
			"func main() { flag.Parse(); fmt.Print(v) }\n"
		p := newProgram(text, Cell{}, archives)
		if !p.pruned {
			t.Errorf("%s: not pruned", name)
			continue
		}
		if gone := !strings.Contains(p.text, "var w"); gone != c.pure {
			t.Errorf("%s: left out %v, want %v", name, gone, c.pure)
		}
	}
}

// TestChangeable looks that the list of the lab's types with methods that change their receiver is whole, for exported ones.
func TestChangeable(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, top := range []string{"prl", "plotting", "datasets"} {
		err := filepath.WalkDir(filepath.Join(string(root), top), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if name := d.Name(); d.IsDir() && slices.Contains([]string{"internal", "cmd", "cell", "testdata"}, name) {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			folder, _ := filepath.Rel(string(root), filepath.Dir(path))
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && changesReceiver(f) {
					found[filepath.ToSlash(folder)+"."+typeName(f.Recv.List[0].Type)] = true
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range found {
		if !changeable[name] {
			t.Errorf("%s has a method that changes its receiver and is not in the list", name)
		}
	}
	for name := range changeable {
		if !found[name] {
			t.Errorf("%s is in the list and has no method that changes its receiver", name)
		}
	}
}

// changesReceiver reports whether an exported method gives a value to a part of what its receiver points to. One that makes the receiver
// stand for a copy first does not, and what counts as an effect is known by its name.
func changesReceiver(f *ast.FuncDecl) (found bool) {
	if f.Recv == nil || f.Body == nil || !f.Name.IsExported() || effects[f.Name.Name] || len(f.Recv.List[0].Names) == 0 ||
		!token.IsExported(typeName(f.Recv.List[0].Type)) {
		return false
	}
	if _, pointer := f.Recv.List[0].Type.(*ast.StarExpr); !pointer {
		return false
	}
	receiver, copied := f.Recv.List[0].Names[0].Name, false
	set := func(e ast.Expr) {
		switch id := root(e); {
		case id == nil || id.Name != receiver:
		case id == e:
			copied = true
		default:
			found = found || !copied
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				set(left)
			}
		case *ast.IncDecStmt:
			set(n.X)
		}
		return true
	})
	return found
}
