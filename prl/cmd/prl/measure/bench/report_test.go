package bench

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestGaugeHolds(t *testing.T) {
	for _, c := range []struct {
		gauge      Gauge
		ours, peer float64
		want       bool
	}{
		{Gauge{"", Higher, same}, 1, 1, true},
		{Gauge{"", Higher, same}, 2, 1, true},
		{Gauge{"", Higher, same}, 1 - 0.9e-6, 1, true},
		{Gauge{"", Higher, same}, 1 - 1.1e-6, 1, false},
		{Gauge{"", Higher, same}, -1001, -1000, false},
		{Gauge{"", Lower, same}, 0.5, 1, true},
		{Gauge{"", Lower, same}, 1.001, 1, false},
		{Gauge{"", Lower, same}, -1000, -1000.0005, true},
		{Gauge{"", Equal, same}, 1.5, 1, false},
		{Gauge{"", Equal, same}, 1 + 0.5e-6, 1, true},
		{Gauge{"", Equal, same}, 0, 0, true},
		{Gauge{"", Higher, Chance}, 0.90, 0.91, true}, // two standard errors are 0.04 with 400 rows
		{Gauge{"", Higher, Chance}, 0.86, 0.91, false},
		{Gauge{"", Lower, same}, math.NaN(), 1, false},
		{Gauge{"", Higher, same}, 1, math.NaN(), false},
	} {
		if got := c.gauge.Holds(c.ours, c.peer, 400); got != c.want {
			t.Errorf("%+v: %v against %v is %v", c.gauge, c.ours, c.peer, got)
		}
	}
}

func result(task string, threads int, ours, peer float64) Result {
	return Result{
		Task: task, Size: "S", Threads: threads, N: 200, D: 4, Gauge: "test accuracy", Quality: true, Ratio: peer / ours,
		Ours: Side{Seconds: ours, Runs: []Time{{ours, ours}}, Memory: 1e6, Quality: only("test accuracy", 0.75)},
		Peer: Side{Seconds: peer, Runs: []Time{{peer, peer}}, Memory: 2e6, Quality: only("test accuracy", 0.74), Variant: "svd", Core: "Haswell"},
	}
}

func TestVerdict(t *testing.T) {
	change := func(f func(*Result)) line {
		r := result("x", 1, 1, 2)
		f(&r)
		return line{[]Result{r}}
	}
	for _, c := range []struct {
		line line
		want string
	}{
		{change(func(*Result) {}), "ok"},
		{change(func(r *Result) { r.Ratio = 0.99 }), "time"},
		{change(func(r *Result) { r.Quality = false }), "quality"},
		{change(func(r *Result) { r.Ours.Memory = 2e6 + memorySlack }), "ok"},
		{change(func(r *Result) { r.Ours.Memory = 2e6 + memorySlack + 1 }), "memory"},
		{change(func(r *Result) { r.Peer.Memory, r.Ours.Memory = -1, 1e9 }), "ok"},
		{change(func(r *Result) { r.Ratio, r.Quality, r.Ours.Memory = 0.5, false, 1e9 }), "time, quality, memory"},
		{change(func(r *Result) { r.Failure = "ours: no" }), "failed"},
	} {
		if got := c.line.verdict(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func testReport() *Report {
	r := &Report{
		Machine: Machine{
			CPU: "A processor", Cores: 2, System: "linux/amd64", Go: "go1.26", Core: "Haswell", Day: "2026-01-02",
			Versions: map[string]string{"scikit-learn": "1.9.1", "numpy": "2.4.6"},
		}, Method: method,
		Files: map[string]map[string]DataFile{"S": {"cls": {Rows: 400, Columns: 5, Train: 200, SHA256: "ab"}}},
		Results: []Result{
			result("lda fit", 1, 1e-5, 4e-5),
			result("lda fit", 2, 1e-5, 1e-5),
			result("tree fit", 1, 0.2, 1.8),
			result("tree fit", 2, 0.1, 1.6),
		},
	}
	r.Results[0].Rate, r.Results[0].Peak = 2e9, 8e9
	return r
}

func TestText(t *testing.T) {
	got := testReport().Text()
	for _, want := range []string{
		"A processor, 2 cores, linux/amd64; go1.26, scikit-learn 1.9.1, numpy 2.4.6; OpenBLAS Haswell by its own choice\n",
		"task      rows x features  1 thread: ours   peer  ratio  2 threads: ours   peer  ratio  memory: ours    peer  quality: ours  peer   " +
			"     measure  verdict\n",
		"lda fit           200 x 4           10 µs  40 µs   4.00            10 µs  10 µs   1.00        1.0 MB  2.0 MB           0.75  0.74  " +
			"test accuracy       ok\n",
		"tree fit          200 x 4          200 ms  1.8 s   9.00           100 ms  1.6 s     16  ",
		"Geometric mean of the ratios on 1 thread: 6.00\n",
		"Geometric mean of the ratios on 2 threads: 4.00\n",
		"2 of 2 tasks are at least as good in time, quality and memory\n",
		"lda fit        1      2.0   8.0   25 %\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no line\n%s\nin\n%s", want, got)
		}
	}
}

func TestUnits(t *testing.T) {
	for s, want := range map[float64]string{
		2.5e-8: "25 ns", 9.999e-7: "1 µs", 0.000123: "123 µs", 0.9996: "1 s", 0.0456: "45.6 ms",
		123.4: "123 s",
	} {
		if got := Seconds(s); got != want {
			t.Errorf("%v is %q, want %q", s, got, want)
		}
	}
	for b, want := range map[int64]string{-1: "-", 0: "0.0 MB", 123456: "0.1 MB", 9_900_000: "9.9 MB", 123_456_789: "123 MB"} {
		if got := Bytes(b); got != want {
			t.Errorf("%d is %q, want %q", b, got, want)
		}
	}
}

func TestReadme(t *testing.T) {
	before := "# Title\n" + drawnBegin + "old drawn\n" + drawnEnd + readmeBegin + "old\n" + readmeEnd + "end\n"
	got, err := testReport().InReadme(before)
	if err != nil {
		t.Fatal(err)
	}
	again, err := testReport().InReadme(got)
	if err != nil || again != got {
		t.Errorf("the second time gives another text: %v", err)
	}
	for _, want := range []string{
		"# Title\n", "\nend\n", "| task | rows x features | 1 thread: ours | peer | ratio |", "| lda fit | 200 " +
			"x 4 | 10 µs | 40 µs | 4.00 |", "(2026-01-02)", "\nSize S, losses first.\n",
		"Measured by `go tool prl bench models --size S --threads 1,2 --readme` on A processor, ",
	} {
		if !strings.Contains("\n"+got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	drawn := testReport()
	drawn.Seed, drawn.CPU, drawn.Results = 7, true, drawn.Results[:1]
	drawn.Results[0].Draw = 3
	const call = "`go tool prl bench models --size '' --random 7 --draws 3 --threads 1 --cpu --readme`"
	if got, err := drawn.InReadme(before); err != nil || !strings.Contains(got, call) || !strings.Contains(got, "\nold\n") {
		t.Errorf("%v, no %s, or the table of fixed sizes is gone in\n%s", err, call, got)
	}
	if strings.Contains(got, "\nold\n") || !strings.Contains(got, "old drawn\n") {
		t.Errorf("the old table still stands, or that of drawn shapes is gone in\n%s", got)
	}
	if _, err := testReport().InReadme("# Title\n"); err == nil || !strings.Contains(err.Error(), "lacks the lines") {
		t.Error(err)
	}
}

func TestJSON(t *testing.T) {
	want := testReport()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got := &Report{}
	if err := json.Unmarshal(text, got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestTasks holds the tables of both sides together: every task is in the peer's script, and has what a report needs.
func TestTasks(t *testing.T) {
	seen := map[string]bool{}
	for _, task := range Tasks() {
		if seen[task.Name] {
			t.Errorf("two tasks are called %q", task.Name)
		}
		seen[task.Name] = true
		if len(task.Peers) == 0 || len(task.Gauges) == 0 || task.Settings == "" || task.make == nil {
			t.Errorf("%s lacks a part", task.Name)
		}
		family, _, _ := strings.Cut(task.Name, " ")
		if !strings.Contains(string(peersScript), `@task("`+task.Name+`")`) && !strings.Contains(string(peersScript), `@task(f"`+family+` {`) {
			t.Errorf("the peer's script has no %q", task.Name)
		}
	}
	for _, m := range regexp.MustCompile(`@task\("([^"{]+)"\)`).FindAllStringSubmatch(string(peersScript), -1) {
		if !seen[m[1]] {
			t.Errorf("the peer's script has %q, which is no task", m[1])
		}
	}
}

func TestNames(t *testing.T) {
	names := Models{Tasks: regexp.MustCompile("^svm pairs")}.Names()
	if !reflect.DeepEqual(names, []string{"svm pairs fit", "svm pairs predict"}) {
		t.Error(names)
	}
}

// TestLock checks that every package of the peers is held by hashes and that no index is named.
func TestLock(t *testing.T) {
	lock := string(peersLock)
	for _, name := range []string{"numpy", "scipy", "scikit-learn", "hmmlearn", "threadpoolctl"} {
		if !regexp.MustCompile(`(?m)^` + name + `==\S+ .*\\\n    --hash=sha256:[0-9a-f]{64}`).MatchString(lock) {
			t.Errorf("%s has no hash", name)
		}
	}
	if strings.Contains(lock, "://") {
		t.Error("the lock names an address")
	}
}

// What is installed beside the peers is told. A rival that is slower than the peer does not count as the strongest, nor does one that falls
// short of it, but where that is said.
func TestRivals(t *testing.T) {
	r := testReport()
	slow, fast, poor := result("x", 1, 1, 2), result("y", 1, 1, 2), result("z", 1, 1, 2)
	slow.Rivals, fast.Rivals = []Side{{Seconds: 4, Variant: "fastcluster"}}, []Side{{Seconds: 0.5, Variant: "fastcluster"}}
	poor.Peer.Quality = map[string]float64{"objective": 3}
	poor.Rivals = []Side{{Seconds: 0.25, Variant: "liblinear", Short: "objective", Quality: map[string]float64{"objective": 3.5}}}
	for _, c := range []struct {
		r         Result
		all, good float64
	}{{slow, 2, 2}, {fast, 0.5, 0.5}, {poor, 0.25, 2}} {
		if all, good := c.r.Strongest(true), c.r.Strongest(false); all != c.all || good != c.good {
			t.Error(c.r.Task, all, good)
		}
	}
	silent := result("s", 1, 1, 2)
	silent.Rivals = []Side{{Seconds: 4, Variant: "lightgbm", Short: "objective"}}
	r.Results = []Result{silent}
	if text := r.Text(); !strings.Contains(text, "lightgbm s: 4 s, ratio 4.00 (objective not told)") {
		t.Errorf("a measure that a rival does not tell:\n%s", text)
	}
	r.Results = []Result{slow, fast, poor}
	text := r.Text()
	for _, want := range []string{
		"fastcluster x: 4 s, ratio 4.00; fastcluster y: 500 ms, ratio 0.50",
		"liblinear z: 250 ms, ratio 0.25 (objective 3.5 against the peer's 3)",
		"against the strongest on 1 thread: 1.26, and 0.63 with rivals that fall short of the peer",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	r.Results = []Result{result("x", 1, 1, 2)}
	if text := r.Text(); strings.Contains(text, "strongest") {
		t.Errorf("there is no rival:\n%s", text)
	}
	m := Machine{Versions: map[string]string{"faiss": "1"}}
	if got := m.installed([]string{"fastcluster", "faiss"}); !reflect.DeepEqual(got, []string{"faiss"}) {
		t.Error(got)
	}
}
