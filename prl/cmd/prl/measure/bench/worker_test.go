package bench

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestWorker runs every task once on the small data, as the process of the Go side does.
func TestWorker(t *testing.T) {
	dir := t.TempDir()
	files, err := WriteData(dir, 'S')
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range Tasks() {
		text, err := json.Marshal(order{Task: task.Name, Size: "S", Dir: dir, Files: files})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Work(t.Context(), strings.NewReader(string(text)+"\nrun 1\n"), &out); err != nil {
			t.Errorf("%s: %v", task.Name, err)
			continue
		}
		var r ready
		var took Time
		lines := json.NewDecoder(&out)
		if err := lines.Decode(&r); err != nil || r.Error != "" {
			t.Errorf("%s: %v %s", task.Name, err, r.Error)
			continue
		}
		if err := lines.Decode(&took); err != nil || !(took.Wall > 0) || took.CPU < 0 {
			t.Errorf("%s: %v seconds, %v", task.Name, took, err)
		}
		if r.N < 1 || r.D < 1 || task.Dense && (!(r.Flops > 0) || !(r.Peak > 0)) {
			t.Errorf("%s: %+v", task.Name, r)
		}
		for _, g := range task.Gauges {
			if v, found := r.Quality[g.Name]; !found || math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: %s is %v", task.Name, g.Name, v)
			}
		}
	}
}

func TestWorkerRefuses(t *testing.T) {
	var out bytes.Buffer
	if err := Work(t.Context(), strings.NewReader("hello\n"), &out); err == nil || !strings.Contains(err.Error(), "not by hand") {
		t.Error(err)
	}
	if err := Work(t.Context(), strings.NewReader(`{"task": "no such", "size": "S"}`+"\n"), &out); err != nil ||
		!strings.Contains(out.String(), `no task is called`) {
		t.Error(err, out.String())
	}
}

func TestSlope(t *testing.T) {
	rows, seconds := []int{500, 1000, 2000, 4000}, []float64{}
	for _, n := range rows {
		seconds = append(seconds, 3e-9*math.Pow(float64(n), 1.5))
	}
	if b, residual := slope(rows, seconds); math.Abs(b-1.5) > 1e-12 || residual > 1e-7 {
		t.Error(b, residual)
	}
	seconds[3] *= 2
	if b, residual := slope(rows, seconds); math.Abs(b-1.8) > 1e-12 || residual < 0.1 { // the last of four points weighs 3/10 a doubling
		t.Error(b, residual)
	}
}

func TestFigures(t *testing.T) {
	for _, s := range samples()[:2] {
		f, err := measureFigure(s)
		if err != nil {
			t.Fatal(err)
		}
		if f.Still < 500 || f.Spec < 100 || f.Cell < f.Spec+4*f.Still/3 || f.Page < f.Cell || !(f.Draw > 0) {
			t.Errorf("%+v", f)
		}
	}
}
