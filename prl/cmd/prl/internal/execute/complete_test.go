//go:build unix

package execute_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
)

// TestCompletion asks for completions from the first moment on: no answer takes longer than a second, whether the packages are read or a
// cell runs, and one that lacks what is to come says that the kernel is busy.
func TestCompletion(t *testing.T) {
	ctx, session := open(t)
	kernel, err := session.Talk(ctx, t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer kernel.Close()
	// A machine that is busy with other things answers later than the kernel means to.
	const longest = 3.0
	until := func(r execute.Request, want string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			a, err := kernel.Ask(r)
			if err != nil {
				t.Fatal(err)
			}
			if a.Status != "ok" || a.Seconds > longest {
				t.Errorf("%q: %s after %.2f s", r.Complete, a.Status, a.Seconds)
			}
			if slices.Contains(a.Plain, want) {
				return
			}
			if !a.Busy {
				t.Errorf("%q: %v is all there is, it says", r.Complete, a.Plain)
			}
			if time.Now().After(end) {
				t.Errorf("%q: %v, but no %s", r.Complete, a.Plain, want)
				return
			}
		}
	}
	until(execute.Request{Complete: "prl.SV"}, "SVM")
	if a, err := kernel.Ask(execute.Request{Code: "import \"github.com/prlab/prlab/prl\"\nvar iris = prl.Iris()"}); err != nil ||
		a.Status != "ok" {
		t.Fatal(a, err)
	}
	until(execute.Request{Complete: "%%\nx := iris.Classes(\"setosa\").Sca"}, "Scatter")
	until(execute.Request{Complete: "plotting.New(plotting.Points(nil, nil)."}, "Size") // behind a bracket that is open
	until(execute.Request{Complete: "iris.Features(\"petal length\", \"pe"}, "petal width")
	until(execute.Request{Complete: "iris.Classes(\"ver"}, "versicolor")
	until(execute.Request{Complete: "prl.PalmerPenguins().DropMissing(\"sex\").Select(\"species\", \"bill"}, "bill depth")
	until(execute.Request{Complete: "prl.PalmerPenguins().GroupBy(\"island\").Means(\"bo"}, "body mass")
	until(execute.Request{Complete: "prl.PalmerPenguins().Drop(\"sex\").Label(\"spec"}, "species")
	until(execute.Request{Complete: "prl.PalmerPenguins().Join(others, \"isl"}, "island")
	until(execute.Request{Complete: "prl.PalmerPenguins().Where(\"isl"}, "island")
	until(execute.Request{Complete: "prl.PalmerPenguins().Where(\"sex == 'male' and isl"}, "island")
	until(execute.Request{Complete: "prl.PalmerPenguins().Where(\"`body mass` > 4000 and bill"}, "`bill depth`")
	until(execute.Request{Complete: "prl.PalmerPenguins().Compute(\"ratio\", \"`bill length` / `bill"}, "`bill depth`")
	until(execute.Request{Complete: "prl.PalmerPenguins().GroupBy(\"island\").Agg(\"heavy = share(`body"}, "`body mass`")
	until(execute.Request{Complete: "%ti"}, "%time")
	until(execute.Request{Complete: "iris.", While: "time.Sleep(2 * time.Second)"}, "Show")
	// What is known stays known while the program of the next cell is put together.
	for i := range 5 {
		next := execute.Request{Complete: "iris.", While: "_ = " + strconv.Itoa(i)}
		for end := time.Now().Add(time.Second); time.Now().Before(end); next.While = "" {
			if a, err := kernel.Ask(next); err != nil || !a.Busy && !slices.Contains(a.Plain, "Show") {
				t.Fatal("as a cell begins:", a, err)
			}
		}
	}
	if a, err := kernel.Ask(execute.Request{Complete: "iris.Sca"}); err != nil || slices.Contains(a.Plain, "ClassNames") {
		t.Error("what does not fit is offered:", a.Plain, err)
	}
}

// TestHelp asks what a name is, as Shift+Tab does: signature, words, formulas with their symbols, an example, and no link.
func TestHelp(t *testing.T) {
	ctx, session := open(t)
	kernel, err := session.Talk(ctx, t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer kernel.Close()
	if a, err := kernel.Ask(execute.Request{Code: "import \"github.com/prlab/prlab/prl/reduce\"\nvar _ = reduce.All"}); err != nil ||
		a.Status != "ok" {
		t.Fatal(a, err)
	}
	for text, want := range map[string][]string{
		"reduce.FitPCA":  {"func reduce.FitPCA(ctx context.Context", "**Example**", "reduce.FitPCA(context.Background()", "prints"},
		"reduce.PCA":     {"S uⱼ = λⱼ uⱼ", "λ₁ ≥ λ₂", "x → Uᵀ (x - m)"},
		"reduce.FitPCA(": {"func reduce.FitPCA"},
	} {
		var got string
		for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			a, err := kernel.Ask(execute.Request{Explain: text})
			if err != nil || a.Status != "ok" || len(a.Plain) != 1 {
				t.Fatal(a, err)
			}
			if got = a.Plain[0]; !strings.Contains(got, "Ask again in a few seconds") || time.Now().After(end) {
				break
			}
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in\n%s", text, w, got)
			}
		}
		if strings.Contains(got, "](") || strings.Contains(got, "pkg.go.dev") {
			t.Errorf("%s: a link\n%s", text, got)
		}
	}
}
