package live

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// strained is a program in which the collector and panics walk over many kinds of frames.
const strained = `package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
)

type tree struct{ left, right *tree }

func grow(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{grow(depth - 1), grow(depth - 1)}
}

func (t *tree) count() int {
	if t.left == nil {
		return 1
	}
	return 1 + t.left.count() + t.right.count()
}

func deep(n int) int {
	var room [64]int
	room[n%64] = n
	if n == 0 {
		runtime.GC()
		return 0
	}
	return deep(n-1) + room[n%64] - n + 1
}

func guarded(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	f()
	return nil
}

func main() {
	debug.SetGCPercent(1)
	total := grow(12).count() + deep(20000)
	var group sync.WaitGroup
	counts := make([]int, 8)
	for i := range counts {
		group.Go(func() { counts[i] = grow(8).count() })
	}
	group.Wait()
	swap := reflect.MakeFunc(reflect.TypeFor[func(int, *tree) (*tree, int)](), func(in []reflect.Value) []reflect.Value {
		runtime.GC()
		return []reflect.Value{in[1], in[0]}
	}).Interface().(func(int, *tree) (*tree, int))
	back, seven := swap(7, grow(3))
	method := reflect.ValueOf(grow(4)).MethodByName("Count")
	counted := reflect.ValueOf(back.count).Call(nil)[0].Int()
	fmt.Println(total, counts, seven, counted, method.IsValid())
	var list []int
	var none map[string]int
	fmt.Println(guarded(func() { list[seven]++ }), guarded(func() { none["a"] = 1 }), guarded(func() { panic(errors.New("mine")) }))
	os.Exit(seven)
}
`

// compiled returns the module of a program as the linker writes it.
func compiled(t *testing.T, program string) []byte {
	t.Helper()
	folder := t.TempDir()
	source, output := filepath.Join(folder, "main.go"), filepath.Join(folder, "module.wasm")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := Command(t.Context(), root(t), source, output).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	module, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// A module without its tables for tracebacks computes what it did: stacks grow, the collector finds what is in use, panics are recovered.
func TestShrink(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program and runs it twice")
	}
	before := compiled(t, strained)
	after, err := Shrink(before)
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := GoRoot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run := func(module []byte) string {
		path := filepath.Join(t.TempDir(), "module.wasm")
		if err := os.WriteFile(path, module, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("node", "--stack-size=8192", filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js"), path)
		cmd.Env = append(os.Environ(), "GODEBUG=gcstoptheworld=1,clobberfree=1")
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 7 {
			t.Errorf("the program ends with %d, %v:\n%s", code, err, out)
		}
		return string(out)
	}
	if was, is := run(before), run(after); is != was || !strings.Contains(is, "recovered: mine") {
		t.Errorf("before:\n%s\nafter:\n%s", was, is)
	}
	packed := func(b []byte) int {
		z, err := pack(b)
		if err != nil {
			t.Fatal(err)
		}
		return len(z)
	}
	t.Logf("%d bytes as gzip, %d before", packed(after), packed(before))
	if packed(after) > packed(before)*85/100 {
		t.Errorf("%d bytes as gzip, and before %d", packed(after), packed(before))
	}
	for _, words := range []string{"main.guarded", "runtime/proc.go", "fmt.Errorf"} {
		if !bytes.Contains(before, []byte(words)) || bytes.Contains(after, []byte(words)) {
			t.Errorf("%q: in the module before: %v, after: %v, want it only before", words, bytes.Contains(before, []byte(words)),
				bytes.Contains(after, []byte(words)))
		}
	}
	if again, err := Shrink(after); err != nil || !bytes.Equal(again, after) {
		t.Errorf("shrunk twice it has %d bytes, and once %d; error %v", len(again), len(after), err)
	}
}

// What is no module of Go is an error or stays as it is, and never breaks the build.
func TestShrinkOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	module := compiled(t, "package main\n\nfunc main() { println(1) }\n")
	for _, n := range []int{0, 7, len(module) / 2, len(module) - 1} {
		if _, err := Shrink(module[:n]); err == nil {
			t.Errorf("%d of %d bytes make a module", n, len(module))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	at := bytes.Index(module, []byte("\xf1\xff\xff\xff\x00\x00\x01\x08")) // where the tables begin
	for range 100 {
		damaged := bytes.Clone(module)
		for range 1 + rng.IntN(3) {
			damaged[at+rng.IntN(len(module)-at)] = byte(rng.Uint32())
		}
		Shrink(damaged)
	}
	empty := []byte("\x00asm\x01\x00\x00\x00\x0b\x01\x00")
	if got, err := Shrink(empty); err != nil || !bytes.Equal(got, empty) {
		t.Errorf("a module without data becomes %x, error %v", got, err)
	}
}
