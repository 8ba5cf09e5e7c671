package live

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// budget is the size of a module as a page holds it, as LZMA, in bytes. As gzip, which a lab has, it is 45 % larger. A program that only
// prints has about 0.4 MB, and one with a figure 0.6 MB.
const budget = 1_080_000

// heavier are notebooks with a budget of their own, which is no aim: 05 holds its documents, and 11 solves eigenproblems and holds
// handwritten digits. A page has at most 3 MB.
var heavier = map[string]int{"05-naive-bayes": 1_320_000, "11-pca": 1_155_000}

// TestNotebooks builds the program of every notebook with live figures, as a module and for this machine, and asks each figure for its
// beginning and for one move in node and on the machine: both draw the same. It prints what modules weigh, and what steps cost. Then the
// machine draws each figure in all of its states (see States of package live): its checks hold, it has a title, nothing leaves its panel,
// and no nodes and texts overlap, at its own width, which is that of paper too, and on a screen of 360 pixels. Light and dark pages share
// their geometry. One chapter alone: go test -run TestNotebooks/08.
func TestNotebooks(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles every notebook with live figures, twice")
	}
	paths, err := filepath.Glob(filepath.Join(root(t).Notebooks(), "*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d notebooks, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".ipynb"), func(t *testing.T) { testNotebook(t, path) })
	}
}

func testNotebook(t *testing.T, path string) {
	n, err := notebook.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	program, ids, err := Program(Cells(n, false))
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) == 0 {
		t.Skip("no live figures")
	}
	module, err := Module(t.Context(), root(t), path, false)
	if err != nil {
		t.Fatal(err)
	}
	held, err := PageModule(t.Context(), root(t), python(t), path, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d live cells, %d bytes, %d as gzip", len(ids), len(held), len(module))
	most := budget
	if own := heavier[strings.TrimSuffix(filepath.Base(path), ".ipynb")]; own != 0 {
		most = own
	}
	if len(held) > most {
		t.Errorf("the module has %d bytes, more than %d; what its code consists of:\n%s", len(held), most, weights(t, program))
	}

	machine := startMachine(t, program)
	t.Run("page", func(t *testing.T) { testPage(t, machine, module, ids) })
	t.Run("states", func(t *testing.T) { testStates(t, machine, ids) })
}

// testPage compares what figures draw in node and on the machine.
func testPage(t *testing.T, machine machine, module []byte, ids []string) {
	const times = 12
	var jobs []job
	var want []string
	for _, id := range ids {
		for n := 0; ; n++ {
			start := machine.step(t, id, n, "[]")
			if strings.Contains(start, "live figure "+strconv.Itoa(n)+" is asked for") {
				if n == 0 {
					t.Errorf("%s shows no live figure", id)
				}
				break
			}
			moved := move(t, start)
			for _, values := range []string{"[]", moved} {
				jobs = append(jobs, job{id, n, values, false, 1})
				want = append(want, machine.step(t, id, n, values))
			}
			jobs = append(jobs, job{id, n, moved, true, times})
			want = append(want, "")
		}
	}
	for i, r := range run(t, module, jobs...) {
		name := fmt.Sprintf("%s %v %v", jobs[i][0], jobs[i][1], jobs[i][2])
		if r.Opened != "" {
			t.Errorf("%s: the cell does not open: %s", name, r.Opened)
		}
		if want[i] == "" {
			t.Logf("%-14s %v: opens in %5.0f ms, a draft takes %5.1f ms", jobs[i][0], jobs[i][1], r.Opening, r.Best)
			continue
		}
		var got, should any
		if err := json.Unmarshal([]byte(r.Answer), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := json.Unmarshal([]byte(want[i]), &should); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if fault := got.(map[string]any)["fault"]; fault != "" && jobs[i][2] == "[]" {
			t.Errorf("%s: %v", name, fault)
		}
		if d := difference(got, should, ""); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// A machine runs the program of the live figures natively.
type machine struct {
	questions io.Writer
	answers   *bufio.Reader
}

func startMachine(t *testing.T, program string) machine {
	t.Helper()
	folder := t.TempDir()
	source, output := filepath.Join(folder, "main.go"), filepath.Join(folder, "machine")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", output, source)
	build.Dir = string(root(t))
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(output)
	cmd.Stderr = t.Output()
	questions, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(questions.Close(), cmd.Wait()); err != nil {
			t.Error(err)
		}
	})
	return machine{questions, bufio.NewReader(answers)}
}

func (m machine) step(t *testing.T, cell string, n int, values string) string {
	t.Helper()
	return m.ask(t, fmt.Sprintf("%s %d false %s", cell, n, values))
}

// ask puts a question to Serve.
func (m machine) ask(t *testing.T, question string) string {
	t.Helper()
	if _, err := fmt.Fprintln(m.questions, question); err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	answer, err := m.answers.ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return answer
}

// testStates looks for faults in all states of each figure.
func testStates(t *testing.T, machine machine, ids []string) {
	found := map[string][]string{}
	for _, id := range ids {
		for k := 0; ; k++ {
			answer := machine.ask(t, fmt.Sprintf("%s %d states 0,360", id, k))
			var faults []string
			if err := json.Unmarshal([]byte(answer), &faults); err != nil {
				t.Fatalf("%s: %v: %s", id, err, answer)
			}
			if faults == nil {
				break
			}
			for _, f := range faults {
				_, kind, _ := strings.Cut(f, ": ")
				kind, _, _ = strings.Cut(kind, ": ")
				name := id + " " + strconv.Itoa(k) + " " + kind
				found[name] = append(found[name], f)
			}
		}
	}
	const some = 6
	for name, faults := range found {
		t.Errorf("%s, in %d states:\n\t%s", name, len(faults), strings.Join(faults[:min(len(faults), some)], "\n\t"))
	}
}

// move returns values for the inputs of an answer, as a reader might set them.
func move(t *testing.T, answer string) string {
	t.Helper()
	var a struct {
		Inputs []struct {
			Kind   string
			Lo, Hi float64
			Log    bool
			On     bool
			Words  []string
			XY     json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatal(err)
	}
	var values []any
	for _, i := range a.Inputs {
		switch i.Kind {
		case "slider":
			v := i.Lo + 0.3*(i.Hi-i.Lo)
			if i.Log {
				v = i.Lo * math.Pow(i.Hi/i.Lo, 0.3)
			}
			values = append(values, v)
		case "choice", "predict":
			values = append(values, 1%len(i.Words))
		case "toggle":
			values = append(values, !i.On)
		case "seed":
			values = append(values, 2)
		case "point":
			var xy [2]float64
			if err := json.Unmarshal(i.XY, &xy); err != nil {
				t.Fatal(err)
			}
			values = append(values, [2]float64{0.9 * xy[0], 0.9 * xy[1]})
		case "points":
			var xy [][2]float64
			if err := json.Unmarshal(i.XY, &xy); err != nil {
				t.Fatal(err)
			}
			xy[0] = [2]float64{0.9 * xy[0][0], 0.9 * xy[0][1]}
			values = append(values, xy)
		default:
			values = append(values, nil)
		}
	}
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var figures = regexp.MustCompile(`[−-]?[0-9][0-9.,\x{2007}\x{2008}]*(?:(?:×10)?[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|e[+-]?[0-9]+)?`)

// difference says where an answer of the page differs from that of the machine, or "". WebAssembly has neither fused products nor vectors,
// so numbers differ in their last bits, places by a unit of the raster on which they are written, and a line may be drawn through other
// points of the same curve: lines are compared as curves, to a pixel. In text, the words are compared, and that numbers stand at the same
// places.
func difference(got, want any, at string) string {
	switch want := want.(type) {
	case float64:
		v, ok := got.(float64)
		tolerance := 1e-6 * (1 + math.Abs(want))
		if strings.HasSuffix(at, ".q[]") || strings.HasSuffix(at, ".q2[]") {
			tolerance = 2
		}
		if ok && math.Abs(v-want) <= tolerance {
			return ""
		}
	case string:
		v, ok := got.(string)
		if !ok {
			break
		}
		v, want = figures.ReplaceAllString(v, "0"), figures.ReplaceAllString(want, "0")
		if v == want {
			return ""
		}
		same := 0
		for same < min(len(v), len(want)) && v[same] == want[same] {
			same++
		}
		const before, after = 60, 200
		part := func(s string) string { return s[max(0, same-before):min(len(s), same+after)] }
		return fmt.Sprintf("%s is in the page\n…%q\nand on the machine\n…%q", at, part(v), part(want))
	case []any:
		v, ok := got.([]any)
		if !ok || len(v) != len(want) {
			break
		}
		for i := range want {
			if d := difference(v[i], want[i], at+"[]"); d != "" {
				return d
			}
		}
		return ""
	case map[string]any:
		v, ok := got.(map[string]any)
		if !ok || len(v) != len(want) {
			break
		}
		outlined := want["k"] == "paths" || want["k"] == "areas"
		if outlined {
			const pixel = 25 // units of the raster, as the package of specs says
			if gap := max(apart(v, want), apart(want, v)); gap > pixel {
				return fmt.Sprintf("%s: the lines are %.0f units apart in the page and on the machine", at, gap)
			}
		}
		for name := range want {
			if outlined && (name == "q" || name == "r") {
				continue
			}
			if d := difference(v[name], want[name], at+"."+name); d != "" {
				return d
			}
		}
		return ""
	default:
		if got == want {
			return ""
		}
	}
	return fmt.Sprintf("%s is in the page\n%.600v\nand on the machine\n%.600v", at, got, want)
}

// apart returns the largest distance from a vertex of one mark to the lines of another.
func apart(from, to map[string]any) float64 {
	lines := outlines(to)
	farthest := 0.0
	for _, line := range outlines(from) {
		for _, p := range line {
			nearest := math.Inf(1)
			for _, other := range lines {
				for i := range other {
					nearest = math.Min(nearest, toSegment(p, other[max(i-1, 0)], other[i]))
				}
			}
			farthest = math.Max(farthest, nearest)
		}
	}
	return farthest
}

// outlines returns the lines of a mark, whose vertices are written as steps; an area ends where it begins.
func outlines(mark map[string]any) (lines [][][2]float64) {
	steps, _ := mark["q"].([]any)
	lengths, _ := mark["r"].([]any)
	at := 0
	for _, length := range lengths {
		var line [][2]float64
		var p [2]float64
		for range int(length.(float64)) {
			p = [2]float64{p[0] + steps[at].(float64), p[1] + steps[at+1].(float64)}
			line = append(line, p)
			at += 2
		}
		if mark["k"] == "areas" && len(line) > 0 {
			line = append(line, line[0])
		}
		lines = append(lines, line)
	}
	return lines
}

// toSegment returns the distance of p from the segment from a to b.
func toSegment(p, a, b [2]float64) float64 {
	dx, dy := b[0]-a[0], b[1]-a[1]
	t := 0.0
	if square := dx*dx + dy*dy; square > 0 {
		t = math.Max(0, math.Min(1, ((p[0]-a[0])*dx+(p[1]-a[1])*dy)/square))
	}
	return math.Hypot(p[0]-a[0]-t*dx, p[1]-a[1]-t*dy)
}

// Each cell imports what it uses, or a cell before it does: the kernel adds packages of the standard library by itself, but a page, a
// mutant and a reader who copies the cell have nobody to do so.
func TestImports(t *testing.T) {
	paths, err := filepath.Glob("../../../../../notebooks/*.ipynb")
	if err != nil || len(paths) < 30 {
		t.Fatal(len(paths), err)
	}
	for _, file := range paths {
		n, err := notebook.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		cells := Cells(n, false)
		for _, c := range cells {
			text, err := Whole(cells, c.ID, false)
			if err != nil {
				continue // it is for the kernel of the lab, or does not compile on purpose
			}
			program, err := parser.ParseFile(token.NewFileSet(), "cell.go", text, 0)
			if err != nil {
				t.Fatalf("%s, cell %s: %v", filepath.Base(file), c.ID, err)
			}
			known := map[string]bool{}
			for _, spec := range program.Imports {
				name, _ := strconv.Unquote(spec.Path.Value)
				known[path.Base(strings.TrimSuffix(name, "/v2"))] = true
				if spec.Name != nil {
					known[spec.Name.Name] = true
				}
			}
			missing := map[string]bool{}
			for _, id := range program.Unresolved {
				if !known[id.Name] && types.Universe.Lookup(id.Name) == nil {
					missing[id.Name] = true
				}
			}
			if len(missing) > 0 {
				t.Errorf("%s, cell %s: no cell imports or declares %s", filepath.Base(file), c.ID,
					strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
			}
		}
	}
}
