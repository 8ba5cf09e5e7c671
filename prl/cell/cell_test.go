package cell

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/prlab/prlab/prl/fault"
)

// fakeKernel reads displays from one named pipe and acknowledges on another, as the kernel does.
type fakeKernel struct {
	mu    sync.Mutex
	shown []Bundle
	at    map[string]int // place of the outputs that have an id
}

func startKernel(t *testing.T) *fakeKernel {
	t.Helper()
	dir := t.TempDir()
	to, back := filepath.Join(dir, "to"), filepath.Join(dir, "back")
	for _, p := range []string{to, back} {
		if err := syscall.Mkfifo(p, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(protocol.GONB_PIPE_ENV, to)
	t.Setenv(protocol.GONB_PIPE_BACK_ENV, back)
	k := &fakeKernel{at: map[string]int{}}
	go func() {
		in, err := os.Open(to)
		if err != nil {
			return
		}
		defer in.Close()
		out, err := os.OpenFile(back, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer out.Close()
		dec, enc := gob.NewDecoder(in), gob.NewEncoder(out)
		for {
			var d protocol.DisplayData
			if dec.Decode(&d) != nil {
				return
			}
			if v, ok := d.Data[protocol.MIMECommValue]; ok {
				if enc.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: v.(protocol.CommValue).Value}) != nil {
					return
				}
				continue
			}
			html, _ := d.Data[protocol.MIMETextHTML].(string)
			text, _ := d.Data[protocol.MIMETextPlain].(string)
			k.mu.Lock()
			if at, again := k.at[d.DisplayID]; again && d.DisplayID != "" {
				k.shown[at] = Bundle{html, text}
			} else {
				k.at[d.DisplayID] = len(k.shown)
				k.shown = append(k.shown, Bundle{html, text})
			}
			k.mu.Unlock()
		}
	}()
	old := kernel
	kernel = &client{patience: 10 * time.Second}
	proofs = board{}
	t.Cleanup(func() { kernel, proofs = old, board{} })
	return k
}

// watch replaces exit and standard error, and runs f. It returns the exit status (-1: none) and what was written.
func watch(t *testing.T, f func()) (status int, written string) {
	t.Helper()
	var b bytes.Buffer
	oldExit, oldErr := exit, stderr
	defer func() { exit, stderr = oldExit, oldErr }()
	status, stderr = -1, &b
	exit = func(s int) { status = s }
	f()
	return status, b.String()
}

func TestDisplayLosesNothing(t *testing.T) {
	k := startKernel(t)
	if !InKernel() {
		t.Fatal("InKernel is false inside a kernel")
	}
	var wg sync.WaitGroup
	for g := range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 100 {
				Display(Bundle{HTML: fmt.Sprintf("<b>%d</b>", 100*g+i), Text: fmt.Sprint(100*g + i)})
			}
		}()
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, b := range k.shown { // no lock: every display is acknowledged
		if b.HTML != "<b>"+b.Text+"</b>" {
			t.Fatalf("torn display %q", b)
		}
		seen[b.Text] = true
	}
	if len(k.shown) != 1000 || len(seen) != 1000 {
		t.Errorf("%d displays arrived, %d different; sent 1000", len(k.shown), len(seen))
	}
}

func TestDisplayWithoutPipe(t *testing.T) {
	silent := filepath.Join(t.TempDir(), "silent")
	if err := syscall.Mkfifo(silent, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"missing": "/nonexistent/pipe", "nobody reads": silent} {
		t.Setenv(protocol.GONB_PIPE_ENV, path)
		t.Setenv(protocol.GONB_PIPE_BACK_ENV, path+"2")
		c := &client{patience: 50 * time.Millisecond}
		start := time.Now()
		first, second := c.display(Bundle{Text: "a"}, ""), c.display(Bundle{Text: "b"}, "")
		if first == nil || second != first {
			t.Errorf("%s: errors %v, then %v; want one lasting error", name, first, second)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%s: took %v", name, d)
		}
		if !c.report() || c.report() {
			t.Errorf("%s: the error is not reported exactly once", name)
		}
	}
}

func TestFail(t *testing.T) {
	chain := fault.Start("SVM").Step("RBF", 0.5).Step("C", -1.0)
	chain = chain.Break(fault.Argument("svm.Fit", "C", -1, "a positive number", "the default is 1")).
		Step("Fit", "iris").
		Break(errors.New("later"))
	if got := chain.String(); got != `SVM().RBF(0.5).C(-1).Fit("iris")` {
		t.Errorf("chain %s", got)
	}
	want := "C: C is -1, but needs to be a positive number; the default is 1"
	if got := chain.Err().Error(); got != want {
		t.Errorf("error %q, want %q", got, want)
	}
	var cause *fault.ArgumentError
	if !errors.As(chain.Err(), &cause) {
		t.Error("the cause is lost")
	}
	status, text := watch(t, func() { Fail(chain.Err()) })
	block := "✗ " + want + `

  SVM().RBF(0.5).C(-1)
                 ↑ here

  got     C = -1
  needs   a positive number
  remedy  the default is 1
`
	if status != 1 || text != block {
		t.Errorf("status %d, text\n%s\nwant\n%s", status, text, block)
	}

	k := startKernel(t)
	status, text = watch(t, func() { Fail(chain.Err()) })
	if status != 1 || text != "" {
		t.Errorf("in a kernel, which shows the block: status %d, standard error %q", status, text)
	}
	if len(k.shown) != 1 || !strings.Contains(k.shown[0].HTML, "<b>C</b>: C is -1") || k.shown[0].Text+"\n" != block {
		t.Errorf("in a kernel: shown %q", k.shown)
	}
	if status, _ := watch(t, func() { Fail(nil) }); status != -1 {
		t.Error("Fail(nil) ended the program")
	}
}

func TestFailLongChain(t *testing.T) {
	c := fault.Start("Mixture", strings.Repeat("long ", 30)).
		Step("Components", 3).
		Step("Names", strings.Repeat("n", 30)).
		Step("Reg", 1e-6).
		Step("Fit", []float64{1, 2}).
		Break(errors.New("no"))
	text := blockText(c.Err(), "")
	if !strings.Contains(text, ".\n      Fit([1 2])\n      ↑ here") {
		t.Errorf("the arrow does not stand below the step:\n%s", text)
	}
}

// Outside a kernel the line of a program that fails is named with the full path of its main.go; in a kernel, whose main.go nobody sees, the
// block has its text and standard error stays empty.
func TestFailNamesLine(t *testing.T) {
	dir := t.TempDir()
	file, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "cell")
	program := "package main\n\nimport (\n\t\"errors\"\n\n\t\"github.com/prlab/prlab/prl/cell\"\n)\n\nfunc main() {\n" +
		"\tcell.Check(\"A-1\", \"one\").Near(1, 1, 0)\n\tcell.Fail(errors.New(\"<no>\"))\n}\n"
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command("go", "build", "-o", binary, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	run := func() (out, errs string) {
		cmd := exec.Command(binary)
		var o, e bytes.Buffer
		cmd.Stdout, cmd.Stderr = &o, &e
		var failed *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &failed) || failed.ExitCode() != 1 {
			t.Errorf("the program ended with %v, want status 1", err)
		}
		return o.String(), e.String()
	}

	t.Setenv(protocol.GONB_PIPE_ENV, "")
	out, errs := run()
	if !strings.Contains(errs, "/main.go:11: ✗ <no>") || !strings.HasPrefix(errs, "/") {
		t.Errorf("standard error %q", errs)
	}
	if out != "✓ A-1 one: 1 against 1, |difference| 0 ≤ 0\n" {
		t.Errorf("standard output %q", out)
	}

	k := startKernel(t)
	if out, errs = run(); out != "" || errs != "" {
		t.Errorf("in a kernel: standard output %q, standard error %q", out, errs)
	}
	if len(k.shown) != 2 {
		t.Fatalf("%d displays, want 2", len(k.shown))
	}
	b := k.shown[1]
	if b.Text != "✗ <no>\n\n  line    cell.Fail(errors.New(\"<no>\"))" {
		t.Errorf("text %q", b.Text)
	}
	if !strings.Contains(b.HTML, ">line</th>") || !strings.Contains(b.HTML, Escape(`cell.Fail(errors.New("<no>"))`)) {
		t.Errorf("HTML %q", b.HTML)
	}
}

func TestPlaceSource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte("one\n\t two\x1b \n"+strings.Repeat("é", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]string{1: "one", 2: "two", 3: strings.Repeat("é", 87) + "…", 4: ""} {
		if got := (place{file, line}).source(); got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
	if got := (place{file + "x", 1}).source(); got != "" {
		t.Errorf("a missing file has the line %q", got)
	}
}

type dense struct{ values [][]float64 }

func (d dense) Dims() (int, int)    { return len(d.values), len(d.values[0]) }
func (d dense) At(i, j int) float64 { return d.values[i][j] }

func TestCheck(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	m := dense{[][]float64{{1, 2}, {3, 4}}}
	for _, c := range []struct {
		name string
		do   func(*Checker)
		pass bool
		says string
	}{
		{"near", func(c *Checker) { c.Near(0.158655, 0.158655+1e-13, 1e-12) }, true, "0.158655 against 0.158655, |difference| 10⁻¹³ ≤ 10⁻¹²"},
		{"near fails", func(c *Checker) { c.Near(1.00000001, 1, 1e-12) }, false, "1.00000001 against 1, |difference| 10⁻⁸ > 10⁻¹²"},
		{"near ints", func(c *Checker) { c.Near(3, 3.0, 0) }, true, "3 against 3"},
		{"near NaN", func(c *Checker) { c.Near(nan, nan, 1e300) }, false, "NaN"},
		{"near infinite tolerance", func(c *Checker) { c.Near(1, 2, inf) }, false, "tolerance is +Inf"},
		{"within infinite band", func(c *Checker) { c.Within(1, 2, inf) }, false, "band is +Inf"},
		{"increasing infinite tolerance", func(c *Checker) { c.Increasing([]float64{1, 0}, inf) }, false, "tolerance is +Inf"},
		{"equal NaN", func(c *Checker) { v := []float64{nan}; c.Equal(v, v) }, false, "NaN"},
		{"near NaN finite", func(c *Checker) { c.Near(nan, 0, 1) }, false, "NaN"},
		{"near inf", func(c *Checker) { c.Near(inf, inf, 0) }, true, "∞"},
		{"near vector", func(c *Checker) { c.Near([]float64{1, 2, 3}, []int{1, 2, 4}, 0.5) }, false, "3 numbers, largest |difference| 1 > " +
			"0.5, at [2]: 3 against 4"},
		{"near broadcast", func(c *Checker) { c.Near([]float64{1e-14, 0}, 0, 1e-12) }, true, "2 numbers"},
		{"near matrix", func(c *Checker) { c.Near(m, [][]float64{{1, 2}, {3, 4}}, 0) }, true, "a 2 x 2 matrix"},
		{"near shape", func(c *Checker) { c.Near(m, []float64{1, 2, 3, 4}, 0) }, false, "got a 2 x 2 matrix, want 4 numbers"},
		{"near empty", func(c *Checker) { c.Near([]float64{}, []float64{}, 0) }, false, "no numbers"},
		{"near text", func(c *Checker) { c.Near("1", 1, 0) }, false, "needs numbers"},
		{"near nil", func(c *Checker) { c.Near(nil, 1, 0) }, false, "nil"},
		{"near ragged", func(c *Checker) { c.Near([][]float64{{1}, {1, 2}}, 1, 0) }, false, "one length"},
		{"near tolerance", func(c *Checker) { c.Near(1, 1, nan) }, false, "tolerance"},
		{"rel", func(c *Checker) { c.Rel(101.0, 100, 0.02) }, true, "relative difference 0.01 ≤ 0.02"},
		{"rel zero", func(c *Checker) { c.Rel(0.0, 0, 0) }, true, ""},
		{"at most", func(c *Checker) { c.AtMost(1, 1) }, true, "1 ≤ 1"},
		{"at most fails", func(c *Checker) { c.AtMost(2, 1) }, false, "2 ≤ 1 does not hold"},
		{"at most NaN", func(c *Checker) { c.AtMost(nan, 1) }, false, ""},
		{"at least", func(c *Checker) { c.AtLeast(1, 2) }, false, "1 ≥ 2"},
		{"less", func(c *Checker) { c.Less(1, 1) }, false, ""},
		{"equal", func(c *Checker) { c.Equal([]int{1, 2}, []int{1, 2}) }, true, "(1, 2)"},
		{"equal types", func(c *Checker) { c.Equal(3, 3.0) }, true, ""},
		{"equal fails", func(c *Checker) { c.Equal("a", "b") }, false, "a is not b"},
		{"between", func(c *Checker) { c.Between(0.5, 0, 1) }, true, "0.5 in [0, 1]"},
		{"between fails", func(c *Checker) { c.Between(nan, 0, 1) }, false, "not in"},
		{"at most of whole numbers", func(c *Checker) { n := 3; c.AtMost(n, 3.5) }, true, "3 ≤ 3.5"},
		{"at least of whole numbers", func(c *Checker) { n := uint8(3); c.AtLeast(n, 4) }, false, "3 ≥ 4 does not hold"},
		{"less of whole numbers", func(c *Checker) { n := 3; c.Less(2.5, n) }, true, "2.5 < 3"},
		{"between whole numbers", func(c *Checker) { n := 3; c.Between(n, 0, 5.5) }, true, "3 in [0, 5.5]"},
		{"within whole numbers", func(c *Checker) { n := 3; c.Within(n, 2, 1) }, true, "3 against 2"},
		{"at most of text", func(c *Checker) { c.AtMost("3", 4) }, false, "3 is a string, but needs to be a number"},
		{"between nothing", func(c *Checker) { c.Between(nil, 0, 1) }, false, "needs to be a number"},
		{"within a truth", func(c *Checker) { c.Within(1, true, 1) }, false, "yes is a bool, but needs to be a number"},
		{"within", func(c *Checker) { c.Within(0.51, 0.5, 0.03) }, true, "sampling band"},
		{"within fails", func(c *Checker) { c.Within(0.6, 0.5, 0.03) }, false, ">"},
		{"increasing", func(c *Checker) { c.Increasing([]float64{1, 2, 2}, 0) }, true, "never a step back"},
		{"increasing fails", func(c *Checker) { c.Increasing([]float64{1, 2, 1.5}, 0.1) }, false, "step 2 goes from 2 to 1.5"},
		{"increasing NaN", func(c *Checker) { c.Increasing([]float64{1, nan, 2}, 1) }, false, ""},
		{"decreasing", func(c *Checker) { c.Decreasing([]float64{2, 1, 1.01}, 0.1) }, true, "largest step back"},
		{"monotone", func(c *Checker) { c.Monotone([]float64{2, 1, 0}, 0) }, true, ""},
		{"monotone one", func(c *Checker) { c.Monotone([]float64{2}, 0) }, false, ""},
		{"draws", func(c *Checker) {
			c.Draws(100, func(r *rand.Rand) (any, any) { x := r.Float64(); return math.Sin(2 * x), 2 * math.Sin(x) * math.Cos(x) })
		}, true, "100 random draws, largest |difference|/(1+|right side|)"},
		{
			"draws fails", func(c *Checker) { c.Draws(100, func(r *rand.Rand) (any, any) { x := r.Float64(); return x * x, x }) }, false,
			"draw 1: ",
		},
		{"draws of a constant", func(c *Checker) { c.Draws(100, func(r *rand.Rand) (any, any) { return 1., 1. }) }, false, "the same in all"},
		{"no draws", func(c *Checker) { c.Draws(0, func(r *rand.Rand) (any, any) { return 1., 1. }) }, false, "no case"},
		{"draws in a wider tolerance", func(c *Checker) {
			c.Tol(0.1).Draws(9, func(r *rand.Rand) (any, any) { x := r.Float64(); return x + 0.09, x })
		}, true, "≤ 0.1"},
		{"over", func(c *Checker) { c.Over([]float64{1, 2, 3}, func(x float64) (any, any) { return x * x / x, x }) }, true, "3 places"},
		{"over fails", func(c *Checker) { c.Over([]float64{1, 2, 3}, func(x float64) (any, any) { return x * x, x }) }, false, "at 2: "},
		{"subsets", func(c *Checker) { c.Subsets(5, func(s []int) (any, any) { return len(s) + 1, 1 + len(s) }) }, true, "32 subsets"},
		{
			"subsets fails", func(c *Checker) { c.Subsets(5, func(s []int) (any, any) { return 1 << len(s), len(s) + 1 }) }, false,
			"subset [0 1]: 4 against 3",
		},
		{"subsets of too many", func(c *Checker) { c.Subsets(21, nil) }, false, "from 0 to 20"},
		{"bounded", func(c *Checker) {
			c.Bounded(1000, 0.9, func(r *rand.Rand) (float64, float64) { return r.Float64(), 1 })
		}, true, "none above"},
		{"bounded fails", func(c *Checker) {
			c.Bounded(1000, 0, func(r *rand.Rand) (float64, float64) { return r.Float64(), 0.5 })
		}, false, "> 0.5"},
		{"bounded idly", func(c *Checker) {
			c.Bounded(1000, 0.9, func(r *rand.Rand) (float64, float64) { return r.Float64(), 2 })
		}, false, "but some should reach 0.9"},
		{"bounded NaN", func(c *Checker) { c.Bounded(10, 0, func(r *rand.Rand) (float64, float64) { return nan, 2 }) }, false, "draw 1"},
		{"tight", func(c *Checker) { c.Tight(0.99, 1, 0.95) }, true, "and more than 0.95 of it"},
		{"tight fails above", func(c *Checker) { c.Tight(1.01, 1, 0.95) }, false, "does not hold"},
		{"tight fails below", func(c *Checker) { c.Tight(0.5, 1, 0.95) }, false, "not tight"},
		{"tight of no factor", func(c *Checker) { c.Tight(0.5, 1, 1) }, false, "between 0 and 1"},
		{"convex", func(c *Checker) { c.Convex([]float64{0, 1, 3}, []float64{0, 1, 9}, 0) }, true, "3 places"},
		{"convex fails", func(c *Checker) { c.Convex([]float64{0, 1, 3}, []float64{0, 4, 9}, 0) }, false, "beyond the chord by 1"},
		{"concave", func(c *Checker) { c.Concave([]float64{0, 1, 4}, []float64{0, 1, 2}, 0) }, true, ""},
		{"concave of falling places", func(c *Checker) { c.Concave([]float64{0, 5, 4}, []float64{0, 1, 2}, 0) }, false, "do not grow"},
		{"concave NaN", func(c *Checker) { c.Concave([]float64{0, 1, 4}, []float64{0, nan, 2}, 0) }, false, "NaN"},
		{"sign", func(c *Checker) { c.UpToSign([]float64{-1, 2}, []float64{1, -2}, 0) }, true, "2 numbers"},
		{"sign of rows", func(c *Checker) { c.UpToSign([][]float64{{-1, 2}, {3, 4}}, [][]float64{{1, -2}, {3, 4}}, 0) }, true, ""},
		{"sign fails", func(c *Checker) { c.UpToSign([]float64{-1, -2}, []float64{1, -2}, 0) }, false, ""},
		{"order", func(c *Checker) { c.UpToOrder([][]float64{{3, 4}, {1, 2}}, [][]float64{{1, 2}, {3, 4}}, 0) }, true, ""},
		{"order fails", func(c *Checker) { c.UpToOrder([]float64{1, 2, 2}, []float64{1, 1, 2}, 0.5) }, false, ""},
		{"rate", func(c *Checker) { c.Rate([]float64{10, 100, 1000}, []float64{1, 0.1, 0.01}, -1, 0.01) }, true, "slope −1"},
		{"rate fails", func(c *Checker) { c.Rate([]float64{10, 100, 1000}, []float64{1, 0.1, 0.01}, -0.5, 0.1) }, false, "outside"},
		{"rate of a zero", func(c *Checker) { c.Rate([]float64{10, 100, 1000}, []float64{1, 0, 0.01}, -0.5, 9) }, false, ""},
		{"true", func(c *Checker) { c.True(true, "5 of 5") }, true, "5 of 5"},
		{"false", func(c *Checker) { c.True(false, "4 of 5") }, false, "4 of 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := startKernel(t)
			status, text := watch(t, func() { c.do(Check(" CS-2-03  CS-2-04", `w <is> "w"`)) })
			outcome, sign := "passed", "✓"
			if !c.pass {
				outcome, sign = "failed", "✗"
			}
			if (status == -1) != c.pass || text != "" {
				t.Errorf("status %d, standard error %q", status, text)
			}
			if len(k.shown) != 1 {
				t.Fatalf("%d outputs", len(k.shown))
			}
			b := k.shown[0]
			if !strings.HasPrefix(b.Text, sign+" CS-2-03 CS-2-04 w <is>") || !strings.Contains(b.Text, c.says) {
				t.Errorf("text %q does not say %q", b.Text, c.says)
			}
			if !strings.Contains(b.HTML, `<div data-prl-check="CS-2-03 CS-2-04" data-prl-outcome="`+outcome+`"`) ||
				strings.Contains(b.HTML, "<is>") {
				t.Errorf("HTML %q", b.HTML)
			}
		})
	}
}

// The checks of a cell are one output, which says how many claims are proved and holds each; a claim that does not hold opens it.
func TestProofsAreOneOutput(t *testing.T) {
	k := startKernel(t)
	status, _ := watch(t, func() {
		Check("A-1", "one").Near(1, 1, 0)
		Display(Bundle{Text: "a figure"})
		Check("A-2", "two & a half").Near(2.5, 2.5, 0)
		Check("A-3", "three").Near(3, 3, 0)
	})
	if status != -1 || len(k.shown) != 2 {
		t.Fatalf("status %d, %d outputs, want 2", status, len(k.shown))
	}
	b := k.shown[0]
	for _, part := range []string{
		`<details class="prl-proofs" data-prl-proofs="3" style`, "<b>3 proved</b> one; two &amp; a half; three",
		`data-prl-check="A-1"`, `data-prl-check="A-3"`,
	} {
		if !strings.Contains(b.HTML, part) {
			t.Errorf("%s is not in %s", part, b.HTML)
		}
	}
	if strings.Count(b.Text, "\n") != 2 || !strings.HasPrefix(b.Text, "✓ A-1 one: 1 against 1") {
		t.Errorf("text %q", b.Text)
	}
	if status, _ = watch(t, func() { Check("A-4", "four").Near(4, 5, 0) }); status != 1 {
		t.Error("a claim that does not hold does not end the cell")
	}
	if b := k.shown[0]; len(k.shown) != 2 || !strings.Contains(b.HTML, ` open="" style`) ||
		!strings.Contains(b.HTML, "<b>does not hold:</b> four") ||
		!strings.Contains(b.HTML, `data-prl-outcome="failed"`) {
		t.Errorf("after a claim that does not hold: %s", b.HTML)
	}
}

func TestTable(t *testing.T) {
	base := NewTable("rule", "risk").Title("Rules")
	a := base.Row("MAP", 0.158655)
	b := base.Row("other", 12.5).Row("x", -3).Row("small", 1e-7).Note("nats")
	if base.NoteText() != "" || b.NoteText() != "nats" {
		t.Errorf("notes %q and %q", base.NoteText(), b.NoteText())
	}
	if base.Len() != 0 || a.Len() != 1 || b.Len() != 3 {
		t.Error("a table changed by a later step")
	}
	want := "Rules\nrule     risk\n─────  ──────\nother    12.5\nx        −3\nsmall  10⁻⁷\nnats"
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(b.HTML(), "−3\u2008\u2007") || strings.Contains(b.HTML(), "<style") {
		t.Error(b.HTML())
	}
	if err := base.Row(1).Err(); err == nil || err.Error() != "Row: 1 values, but the table has 2 columns" {
		t.Errorf("short row: %v", err)
	}
	if status, _ := watch(t, base.Align("middle").Show); status != 1 {
		t.Error("a broken table does not fail the cell")
	}
	if got := base.Row("p", 0.123456789).Digits(8, "risk").String(); !strings.Contains(got, "0.12345679") {
		t.Error(got)
	}
	if err := base.Digits(3, "rsik").Err(); !strings.Contains(err.Error(), `did you mean "risk"?`) {
		t.Error(err)
	}
}

func mark(s string) string {
	if s == "" {
		return ""
	}
	return "x"
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 0.158655: "0.1587", -3.25: "−3.25", 12: "12", 999999: "999,999", 1234567: "1,234,567",
		123456.7: "123,457", 1.5e-7: "1.5×10⁻⁷",
		0.99996: "1", math.Inf(-1): "−∞", 0.00012345: "0.0001234", 20000.5: "20,000", 1e20: "10²⁰",
	} {
		if got := Number(x); got != want {
			t.Errorf("Number(%v) = %s, want %s", x, got, want)
		}
	}
	if got := Value([]float64{1, -0.5}, 4); got != "(1, −0.5)" {
		t.Error(got)
	}
	if got := Value(true, 4); got != "yes" {
		t.Error(got)
	}
}

func TestSuggest(t *testing.T) {
	known := []string{"setosa", "versicolor", "virginica"}
	for word, want := range map[string]string{"Setsoa": `did you mean "setosa"?`, "versi": `did you mean "versicolor"?`, "zebra": "", "": ""} {
		if got := Suggest(word, known); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", word, got, want)
		}
	}
	if d := distance("ca", "abc"); d != 3 { // optimal string alignment, not unrestricted Damerau-Levenshtein (2)
		t.Errorf("distance %d", d)
	}
}

type fitted struct{ W []float64 }

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PRL_CACHE", dir)
	calls := 0
	keep := func(k Keyed) fitted {
		t.Helper()
		v, err := Keep(k, func() (fitted, error) { calls++; return fitted{[]float64{float64(calls)}}, nil })
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	data := []float64{1, 2, 3}
	k := NewKey("fit", data)
	if a, b := keep(k), keep(NewKey("fit", []float64{1, 2, 3})); calls != 1 || a.W[0] != b.W[0] {
		t.Errorf("%d calls, %v and %v", calls, a, b)
	}
	data[0] = 9
	keep(NewKey("fit", data))
	keep(NewKey("fit 2", data))
	if calls != 3 {
		t.Errorf("changed data and plan: %d calls, want 3", calls)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.keep"))
	for _, f := range files { // damage each in another way
		b, _ := os.ReadFile(f)
		switch calls % 3 {
		case 0:
			b = b[:len(b)/2]
		case 1:
			b[len(b)-1] ^= 1
		case 2:
			b = nil
		}
		os.WriteFile(f, b, 0o600)
		calls++
	}
	before := calls
	keep(k)
	keep(NewKey("fit", data))
	keep(NewKey("fit 2", data))
	if calls != before+3 {
		t.Errorf("damaged entries were read: %d computed of 3", calls-before)
	}
	if _, err := Keep(NewKey("bad"), func() (int, error) { return 0, errors.New("no") }); err == nil {
		t.Error("an error is lost")
	}
	if v, err := Keep(NewKey("bad"), func() (int, error) { return 5, nil }); v != 5 || err != nil {
		t.Error("an error was kept")
	}
}

func TestKeepRefusesLoss(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	type hidden struct{ w float64 }
	calls := 0
	for range 2 {
		_, text := watch(t, func() {
			v, _ := Keep(NewKey("h"), func() (hidden, error) { calls++; return hidden{3}, nil })
			if v.w != 3 {
				t.Error("the unexported field is lost")
			}
		})
		if !strings.Contains(text, "cannot be stored") {
			t.Errorf("no remark: %q", text)
		}
	}
	watch(t, func() { Keep(NewKey("f", func() {}), func() (int, error) { calls++; return 1, nil }) })
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
	t.Setenv("PRL_CACHE", "/dev/null/x")
	watch(t, func() {
		if v, err := Keep(NewKey("x"), func() (int, error) { return 8, nil }); v != 8 || err != nil {
			t.Error("an unusable folder is a failure")
		}
	})
}

func TestKeepConcurrent(t *testing.T) {
	s := store{t.TempDir(), ".keep", 1 << 20}
	h := header{Format: keepFormat, Library: Version, Plan: "p", Type: "t"}
	want := bytes.Repeat([]byte("0123456789"), 1000)
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 10 {
				if err := s.save(h, want); err != nil {
					t.Error(err)
				}
				var got []byte
				if !s.load(h, &got) || !bytes.Equal(got, want) {
					t.Error("a torn or missing entry")
				}
			}
		}()
	}
	wg.Wait()
}

func TestKeepEviction(t *testing.T) {
	s := store{t.TempDir(), ".keep", 5000}
	entry := func(i int) header {
		return header{Format: keepFormat, Library: Version, Plan: fmt.Sprint(i), Type: "t"}
	}
	for i := range 10 {
		if err := s.save(entry(i), bytes.Repeat([]byte{byte(i)}, 1000)); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(time.Duration(i-100) * time.Minute)
		os.Chtimes(s.path(entry(i)), old, old)
		var v []byte
		s.load(entry(0), &v) // in use, so it stays
	}
	var total int64
	files, _ := os.ReadDir(s.dir)
	for _, f := range files {
		info, _ := f.Info()
		total += info.Size()
	}
	var v []byte
	if total > 5000 || !s.load(entry(0), &v) || !s.load(entry(9), &v) || s.load(entry(1), &v) {
		t.Errorf("%d bytes in %d files", total, len(files))
	}
	if err := s.save(entry(11), make([]byte, 6000)); err == nil {
		t.Error("an entry larger than the store was stored")
	}
	other := store{s.dir, ".kept", 5000} // with room of its own
	if err := other.save(entry(12), make([]byte, 4000)); err != nil || !other.load(entry(12), &v) || !s.load(entry(0), &v) {
		t.Error("what nobody asked for took the place of what was", err)
	}
}

func TestFingerprint(t *testing.T) {
	type set struct {
		X    *dense
		note map[string]int
	}
	a := NewKey("", set{&dense{[][]float64{{1}}}, map[string]int{"a": 1, "b": 2}}).Data
	b := NewKey("", set{&dense{[][]float64{{1}}}, map[string]int{"b": 2, "a": 1}}).Data
	c := NewKey("", set{&dense{[][]float64{{2}}}, map[string]int{"b": 2, "a": 1}}).Data
	if a != b || a == c {
		t.Errorf("%x %x %x", a, b, c)
	}
	// FNV-1a of 128 bits of "foobar"; source: draft-eastlake-fnv, appendix C test vectors
	h := newHash()
	for _, x := range []byte("foobar") {
		h.byte(x)
	}
	if h.hi != 0x343e1662793c64bf || h.lo != 0x6f0d3597ba446f18 {
		t.Errorf("%x %x", h.hi, h.lo)
	}
}

// A cell that links this package links 72 packages, against 61 for one that only imports fmt. Half of a cell's latency is linking.
func TestPackagesLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(out))); n > 77 {
		t.Errorf("a cell links %d packages, more than 77:\n%s", n, out)
	}
}

// A table says what its reader sees: numbers rounded as they are printed.
func TestTableReadsBack(t *testing.T) {
	table := NewTable("name", "x", "n").Row("a", 1.23456, 12345678).Row("b", 98765.4, 3).Digits(3, "x")
	if table.Number(0, "x") != 1.23 || table.Number(1, "x") != 98765 || table.Number(0, "n") != 12345678 || table.Text(1, "name") != "b" {
		t.Errorf("%v %v %v %q", table.Number(0, "x"), table.Number(1, "x"), table.Number(0, "n"), table.Text(1, "name"))
	}
	if all, some := table.Numbers(1), table.Numbers(0, "n", "x"); !slices.Equal(all, []float64{98765, 3}) ||
		!slices.Equal(some, []float64{12345678, 1.23}) {
		t.Errorf("the rows hold %v and %v", all, some)
	}
	for want, ask := range map[string]func(){
		`did you mean "name"?`: func() { table.Text(0, "nam") },
		"from 0 to 1":          func() { table.Number(2, "x") },
		"row is 2, but":        func() { table.Numbers(2) },
		"Text returns words":   func() { table.Number(0, "name") },
	} {
		if r := Capture(ask); !r.Failed || !strings.Contains(r.Text(), want) {
			t.Errorf("want %s, got %s", want, r.Text())
		}
	}
	if r := Capture(table.Show); len(r.Tables) != 1 || r.Tables[0].Number(1, "n") != 3 {
		t.Errorf("%d tables are recorded", len(r.Tables))
	}
}

// Every compares numbers within Tol and words for equality, and names the case that differs.
func TestEvery(t *testing.T) {
	cases := func(sides ...[2]any) Cases {
		return Cases{Kind: "states", All: func(yield func(string, any, any) bool) {
			for i, s := range sides {
				if !yield(fmt.Sprintf("case %d", i), s[0], s[1]) {
					return
				}
			}
		}}
	}
	for _, c := range []struct {
		cases Cases
		want  string
	}{
		{cases([2]any{1.0, 1.0}, [2]any{2.0, 2.0 + 1e-12}, [2]any{"a", "a"}, [2]any{true, true}), "✓ c: 4 states, largest"},
		{cases([2]any{1.0, 1.0}, [2]any{[]float64{1, 2}, []float64{1, 3}}), "✗ c: case 1: 2 numbers"},
		{cases([2]any{"A wins", "B wins"}), "✗ c: case 0: A wins is not B wins"},
		{cases([2]any{math.NaN(), math.NaN()}), "✗ c: case 0"},
		{cases([2]any{errors.New("a check does not hold"), nil}), "✗ c: case 0: a check does not hold"},
		{cases(), "✗ c: there is no case"},
		{Cases{}, ""},
	} {
		if s := Capture(func() { Check("", "c").Every(c.cases) }).Text(); !strings.HasPrefix(s, c.want) || c.want == "" && s != "" {
			t.Errorf("want %s, got %s", c.want, s)
		}
	}
	beside := cases([2]any{[]float64{1000, 0.1}, []float64{1000, 0}}) // a large number does not excuse a small one
	if s := Capture(func() { Check("", "c").Tol(1e-3).Every(beside) }).Text(); !strings.HasPrefix(s, "✗ c: case 0: 2 numbers") {
		t.Error(s)
	}
}
