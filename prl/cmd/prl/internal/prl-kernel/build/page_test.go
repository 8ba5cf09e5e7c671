//go:build unix

package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
)

// While a cell with a live figure runs, its module is built; a cell without one, and a headless kernel, build none.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the library once more")
	}
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	k := newKernel(t)
	k.environment = append(k.environment, rootVar+"="+string(root))
	k.write("go.work", "go 1.26.0\n\nuse (\n\t.\n\t\""+string(root)+"\"\n)\n")
	imports := "\t\"github.com/prlab/prlab/plotting\"\n\t\"github.com/prlab/prlab/prl\"\n\t\"github.com/prlab/prlab/prl/live\"\n"
	cell := func(title string) (Report, string) {
		os.Remove(filepath.Join(k.talk, PageFile)) // as the relay does
		return k.build(Cell{}, imports, "func unused() { panic(1) }",
			"\tprl.Live(func(in *live.Inputs) *plotting.Figure {\n"+
				"\t\treturn plotting.New().Title(\""+title+"\").XRange(0, in.Slider(\"hi\", 1, 2))\n\t}).Show()")
	}
	title := time.Now().String() // no module of an earlier run is the same
	began := time.Now()
	if r, out := cell(title); r.Failed {
		t.Fatal(r, out)
	}
	name, err := os.ReadFile(filepath.Join(k.talk, PageFile))
	if err != nil {
		t.Fatal(err)
	}
	module := root.State("live", string(name))
	script := strings.TrimSuffix(module, ".wasm.gz") + ".js"
	forget := func(name []byte) {
		for _, ending := range []string{".wasm.gz", ".js", ".go"} {
			os.Remove(root.State("live", strings.TrimSuffix(string(name), ".wasm.gz")+ending))
		}
	}
	defer forget(name)
	for {
		if _, err := os.Stat(module); err == nil {
			break
		}
		if time.Since(began) > 5*time.Minute {
			t.Fatal("the module is not there after five minutes")
		}
		time.Sleep(50 * time.Millisecond)
	}
	if _, err := os.Stat(script); err != nil {
		t.Error(err)
	}
	if _, err := live.Kept(root, string(name)); err != nil {
		t.Error(err)
	}
	environment := slices.Clone(k.environment)
	k.environment = append(environment, goenv.HeadlessVar+"=1")
	if r, out := cell(title); r.Failed {
		t.Fatal(r, out)
	}
	if _, err := os.Stat(filepath.Join(k.talk, PageFile)); err == nil {
		t.Error("a headless kernel builds a module")
	}
	k.environment = environment
	if r, out := k.build(Cell{}, "\t\"github.com/prlab/prlab/prl\"\n", "", "\tprl.Show(1)"); r.Failed {
		t.Fatal(r, out)
	}
	if _, err := os.Stat(filepath.Join(k.talk, PageFile)); err == nil {
		t.Error("a cell without a live figure has a module")
	}
	if r, out := k.build(Cell{}, "\t\"github.com/prlab/prlab/plotting\"\n\t\"github.com/prlab/prlab/prl\"\n", "",
		"\tprl.Slide(\"a\", []float64{1, 2}, func(a float64) *plotting.Figure { return plotting.New().Title(\""+title+
			"\").XRange(0, a) }).Show()"); r.Failed {
		t.Fatal(r, out)
	}
	film, err := os.ReadFile(filepath.Join(k.talk, PageFile))
	if err != nil {
		t.Fatal("a cell with a Slide has no module:", err)
	}
	defer forget(film)
}

// Of many builds for one folder one runs at a time, and each gets its turn.
func TestTurn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "live")
	var running, most atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			done, err := turn(t.Context(), folder)
			if err != nil {
				t.Error(err)
				return
			}
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(5 * time.Millisecond)
			running.Add(-1)
			done()
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d builds at a time, want 1", most.Load())
	}
	if _, err := turn(t.Context(), filepath.Join(os.DevNull, "live")); err == nil {
		t.Error("a folder that cannot be made gives no error")
	}
}
