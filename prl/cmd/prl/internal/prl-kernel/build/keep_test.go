//go:build unix

package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// A result is computed again when the code that makes it has changed, and only then: a falsified copy neither sees the results of the true
// chapter nor leaves its own to it.
func TestKeepByCode(t *testing.T) {
	k, _ := labKernel(t)
	k.environment = append(k.environment, "PRL_CACHE="+t.TempDir())
	imports := "\t\"fmt\"\n\t\"math\"\n\t\"" + checkout.Module + "/prl\"\n"
	const true1 = `// side is a length.
type side float64

func (s side) area() float64 { return float64(s) * float64(s) }

const half = 0.5

var length side = 3

func slow(s side) float64 {
	fmt.Println("computes")
	return half * s.area()
}

func kept() float64 {
	return prl.Must(prl.Keep(prl.Key("half a square"), func() (float64, error) { return slow(length), nil }))
}

func helped(f func() (float64, error)) float64 { return prl.Must(prl.Keep(prl.Key("helped"), f)) }

func other() float64 { return helped(func() (float64, error) { return slow(length) + 1, nil }) }
`
	falsify := func(old, fresh string) string {
		t.Helper()
		if !strings.Contains(true1, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(true1, old, fresh, 1)
	}
	const inMain = "\ta := math.Sqrt(4)\n" +
		"\tfmt.Println(prl.Must(prl.Keep(prl.Key(\"m\"), func() (float64, error) { return slow(side(a)), nil })))\n"
	for _, c := range []struct{ name, declarations, body, want string }{
		{"first", true1, "\tfmt.Println(kept())", "computes\n4.5\n"},
		{"again", true1, "\tfmt.Println(kept())", "4.5\n"},
		{"another cell", true1 + "\nvar extra = 1\n", "\tfmt.Println(math.Sqrt(float64(extra)), kept())", "1 4.5\n"},
		{"a comment", falsify("// side is a length.", "// A side\n// of a square."), "\tfmt.Println(kept())", "4.5\n"},
		{"a function", falsify("return half * s.area()", "return half + s.area()"), "\tfmt.Println(kept())", "computes\n9.5\n"},
		{"a method", falsify("float64(s) * float64(s)", "float64(s)"), "\tfmt.Println(kept())", "computes\n1.5\n"},
		{"a constant", falsify("half = 0.5", "half = 0.25"), "\tfmt.Println(kept())", "computes\n2.25\n"},
		{"a variable", falsify("side = 3", "side = 2"), "\tfmt.Println(kept())", "computes\n2\n"},
		{"restored", true1, "\tfmt.Println(kept())", "4.5\n"},
		{"falsified again", falsify("side = 3", "side = 2"), "\tfmt.Println(kept())", "2\n"},
		{"through a helper", true1, "\tfmt.Println(other())", "computes\n5.5\n"},
		{"through a helper again", true1, "\tfmt.Println(other())", "5.5\n"},
		{"a helper's literal", falsify("slow(length) + 1", "slow(length) + 2"), "\tfmt.Println(other())", "computes\n6.5\n"},
		{"in the cell", true1, inMain, "computes\n2\n"},
		{"what follows", true1, inMain + "\tfmt.Println(a)\n", "2\n2\n"},
		{"what stands before", true1, strings.Replace(inMain, "Sqrt(4)", "Sqrt(16)", 1), "computes\n8\n"},
	} {
		if r, out := k.build(Cell{}, imports, c.declarations, c.body+"\n\t_ = math.Pi"); out != c.want {
			t.Errorf("%s: %q, want %q, %+v", c.name, out, c.want, r)
		}
	}
}

// A fit that was slow is not paid again in the next cell, though nobody has asked to keep it; a quick one is not written to the disk.
func TestSlowFitsAreKept(t *testing.T) {
	k, _ := labKernel(t)
	k.environment = append(k.environment, "PRL_CACHE="+t.TempDir())
	imports := "\t\"fmt\"\n\t\"time\"\n\t\"" + checkout.Module + "/prl\"\n\t\"" + checkout.Module + "/prl/estimator\"\n"
	const declarations = `type product struct{ Pause time.Duration }

func (p product) Eval(a, b []float64) float64 { fmt.Print("."); time.Sleep(p.Pause); return 2 * a[0] * b[0] }

func (p product) String() string { return "product" }

var components = prl.KernelPCA(1).Kernel(product{PAUSE * time.Millisecond}).Fit(prl.Rings(5, 0.1, 1))
`
	const body = "\testimator.Register(\"product\", product{})\n\tfmt.Printf(\"%.6f\\n\", components.Variances())"
	cell := func(pause, sign string) (dots, value string) {
		code := strings.NewReplacer("PAUSE", pause, "2 * a[0]", sign+" * a[0]").Replace(declarations)
		r, out := k.build(Cell{}, imports, code, body)
		value = strings.TrimLeft(out, ".")
		if value == "" {
			t.Fatalf("%+v: %s", r, out)
		}
		return strings.TrimSuffix(out, value), value
	}
	for _, c := range []struct {
		name, pause, factor string
		computed            bool
	}{
		{"slow", "20", "2", true},
		{"slow again", "20", "2", false},
		{"slow in another way", "20", "3", true},
		{"and again", "20", "3", false},
		{"as at first", "20", "2", false},
		{"quick", "0", "2", true},
		{"quick again", "0", "2", true},
	} {
		dots, value := cell(c.pause, c.factor)
		if (dots != "") != c.computed {
			t.Errorf("%s: computed %t, want %t", c.name, dots != "", c.computed)
		}
		if _, fresh := cell("0", c.factor); value != fresh {
			t.Errorf("%s: %s, computed again %s", c.name, value, fresh)
		}
	}
}

// The code of the types that a plan holds counts, though the library calls it.
func TestKeepOwnTypes(t *testing.T) {
	k, _ := labKernel(t)
	k.environment = append(k.environment, "PRL_CACHE="+t.TempDir())
	imports := "\t\"fmt\"\n\t\"" + checkout.Module + "/prl\"\n\t\"" + checkout.Module + "/prl/estimator\"\n"
	declarations := "type product struct{ Scale float64 }\n\n" +
		"func (p product) Eval(a, b []float64) float64 { fmt.Print(\".\"); return p.Scale * a[0] * b[0] }\n\n" +
		"func (p product) String() string { return \"product\" }\n"
	body := "\testimator.Register(\"product\", product{})\n" +
		"\tv := prl.KernelPCA(1).Kernel(product{2}).Fit(prl.Rings(5, 0.1, 1)).Keep().Variances()\n" +
		"\tfmt.Printf(\"%.6f\\n\", v)"
	_, first := k.build(Cell{}, imports, declarations, body)
	_, again := k.build(Cell{}, imports, declarations, body)
	_, changed := k.build(Cell{}, imports, strings.Replace(declarations, "p.Scale *", "3 *", 1), body)
	value := func(s string) string { return strings.TrimLeft(s, ".") }
	if value(first) == value(changed) || value(first) != value(again) || first == again || !strings.HasPrefix(changed, ".") {
		t.Errorf("first %q, again %q, changed %q", first, again, changed)
	}
}

// Results are computed again when the library has changed, and not when its tests have.
func TestSources(t *testing.T) {
	k := newKernel(t)
	library := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(library, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/l\n")
	write("a.go", "package l\n\nconst A = 1\n")
	k.write("go.mod", "module gonb_x\n\nrequire example.org/l v0.0.0\n\nreplace example.org/l => "+library+"\n")
	b := &builder{dir: k.dir}
	first := b.sources()
	if write("a_test.go", "package l\n"); b.sources() != first {
		t.Error("a test counts")
	}
	if write("a.go", "package l\n\nconst A = 2\n"); b.sources() == first {
		t.Error("a change does not count")
	}
	if write("a.go", "package l\n\nconst A = 1\n"); b.sources() != first {
		t.Error("what is restored counts as changed")
	}
}
