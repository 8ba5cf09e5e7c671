package bench

import (
	"strings"
	"testing"
)

// Every task of the limits exists, runs on data of its kind, and says how many operations it takes if products are what takes its time.
func TestLimitedTasks(t *testing.T) {
	for _, l := range limitedTasks {
		task, err := findTask(l.task)
		if err != nil {
			t.Fatal(err)
		}
		l.rows, l.columns, l.tests = 400, 12, min(l.tests, 50)
		j, err := task.make(l.input())
		if err == nil {
			err = j.run()
		}
		if err != nil {
			t.Errorf("%s: %v", l.task, err)
			continue
		}
		if l.numbers == 0 && !(j.flops > 0) {
			t.Errorf("%s: products take its time, but it does not say how many operations there are", l.task)
		}
	}
}

// By hand: 30 of 40 GFLOP/s are 75 %, 6 of 10 GB/s are 60 %, and 1 s by 0.8 s are 1.25 times.
func TestLimitsTable(t *testing.T) {
	l := Limits{Peak: [2]float64{40e9, 80e9}, Bandwidth: [2]float64{10e9, 12e9}, Tasks: []Limit{
		{Task: "a", Rows: 5, Columns: 4, Products: true, Seconds: [2]float64{1, 0.8}, Rate: 30e9},
		{Task: "b", Rows: 5, Columns: 4, Seconds: [2]float64{1, 0.9}, Rate: 6e9},
	}}
	lines := strings.Split(strings.TrimSpace(l.String()), "\n")
	a, b := lines[len(lines)-2], lines[len(lines)-1]
	for _, want := range []string{"5 x 4", "30.0 GFLOP/s", "75 %", "1.25"} {
		if !strings.Contains(a, want) {
			t.Errorf("%q lacks %q", a, want)
		}
	}
	if !strings.HasSuffix(strings.TrimSpace(a), "threads") || strings.Contains(a[strings.Index(a, "1.25"):], "peak") {
		t.Errorf("%q misses the second thread alone", a)
	}
	// Memory that sends 1.2 times as much to two threads lets a task gain 1.08 times: 1.11 times is enough.
	if !strings.Contains(b, "60 %") || !strings.HasSuffix(strings.TrimSpace(b), "memory") || !strings.Contains(b, "1.11 ") {
		t.Errorf("%q misses the memory alone", b)
	}
}
