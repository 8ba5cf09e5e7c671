package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// An order starts a worker: a process that makes one task ready and then runs it as often as it is told.
type order struct {
	Task    string              `json:"task"`
	Variant string              `json:"variant"` // solver of the peer
	Size    string              `json:"size"`
	Rows    int                 `json:"rows"` // most training rows, 0 for all
	Dir     string              `json:"dir"`
	Data    []string            `json:"data"`
	Files   map[string]DataFile `json:"files"`
}

// A ready is the first answer of a worker: after one run to warm up and those of which the memory was measured.
type ready struct {
	N, D    int
	Tests   int                // number of test rows
	Time    Time               // of the first run
	Memory  int64              // most bytes beyond those before the run, the least of a few runs; -1 where the system does not tell
	Quality map[string]float64 // of the last run
	Flops   float64
	Peak    float64 // floating-point operations a second of gonum's matrix product
	Core    string  // of the peer's BLAS
	Error   string
}

// Work is the worker of the Go side: it takes an order and then lines "run COUNT", and answers each with a line of JSON.
func Work(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	answer := json.NewEncoder(out)
	if !lines.Scan() {
		return lines.Err()
	}
	var o order
	if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
		return fmt.Errorf("a worker of the benchmark is started by go tool prl bench models, not by hand: %w", err)
	}
	j, first, err := prepare(o)
	if err != nil {
		return answer.Encode(ready{Error: err.Error()})
	}
	if err := answer.Encode(first); err != nil {
		return err
	}
	for lines.Scan() && ctx.Err() == nil {
		var count int
		if _, err := fmt.Sscanf(lines.Text(), "run %d", &count); err != nil {
			return err
		}
		runtime.GC() // what the run before left is not this run's to clear
		took, err := timed(j.run, count)
		if err != nil {
			return err
		}
		if err := answer.Encode(took); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func prepare(o order) (j *job, first ready, err error) {
	task, err := findTask(o.Task)
	if err != nil {
		return nil, first, err
	}
	in, err := load(o.Dir, task, o.Size[0], o.Files)
	if err != nil {
		return nil, first, err
	}
	if j, err = task.make(in); err != nil {
		return nil, first, err
	}
	if first.Time, err = timed(j.run, 1); err != nil {
		return nil, first, err
	}
	first.Memory = -1
	for range memoryRuns(first.Time) {
		if j, err = task.make(in); err != nil { // what the run before returned is not kept, as it is not at the peer's
			return nil, first, err
		}
		debug.FreeOSMemory()
		level := restartPeak()
		if err := j.run(); err != nil {
			return nil, first, err
		}
		if peak := peakMemory(); level >= 0 && (first.Memory < 0 || peak-level < first.Memory) {
			first.Memory = max(0, peak-level)
		}
	}
	if first.Quality, err = j.quality(); err != nil {
		return nil, first, err
	}
	first.N, first.D, first.Tests, first.Flops = j.n, j.d, len(in.yt), j.flops
	if task.Dense {
		first.Peak = gemmPeak()
	}
	return j, first, nil
}

// memoryRuns is of how many runs the least memory counts. Linux counts pages processor by processor and adds 32 of them up at a time, so
// that the most a process had comes out up to a few times 128 kB too large, by chance; beside what a long task takes that is nothing.
func memoryRuns(run Time) int {
	if run.Wall > 2 {
		return 1
	}
	return 5
}

// A Time is what a run takes, in seconds.
type Time struct {
	Wall float64 `json:"wall"` // by the clock
	CPU  float64 `json:"cpu"`  // of the processors, on all threads
}

// timed returns the mean time of count runs.
func timed(run func() error, count int) (Time, error) {
	began, cpu := time.Now(), cpuSeconds()
	for range count {
		if err := run(); err != nil {
			return Time{}, err
		}
	}
	return Time{time.Since(began).Seconds() / float64(count), (cpuSeconds() - cpu) / float64(count)}, nil
}

// gemmPeak measures gonum's product of two 512 x 512 matrices, the best of several, in operations a second; with one thread of processor
// time, so that other programs do not make it look slow.
func gemmPeak() float64 {
	const n = 512
	a, b, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		a[i], b[i] = float64(i%7), float64(i%5)
	}
	best := math.Inf(1)
	for range 5 {
		t, _ := timed(func() error {
			gonum.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, b, n, 0, c, n)
			return nil
		}, 1)
		best = min(best, t.on(runtime.GOMAXPROCS(0) == 1 && t.CPU > 0))
	}
	return 2 * n * n * n / best
}

// restartPeak makes Linux forget how much memory the process once had and returns how much it has now, in bytes. Where that is not
// possible it returns the most it ever had, or -1.
func restartPeak() int64 {
	status("VmRSS") // the room that this takes is there before
	if os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil {
		return status("VmRSS")
	}
	return peakMemory()
}

// peakMemory is the most memory the process had, in bytes, or -1.
func peakMemory() int64 { return status("VmHWM") }

// statusText is room for what status reads, so that measuring memory hardly takes any.
var statusText [8192]byte

func status(key string) int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return -1
	}
	defer f.Close()
	length, _ := f.Read(statusText[:])
	for line := range bytes.Lines(statusText[:length]) {
		var kB int64
		if rest, found := bytes.CutPrefix(line, []byte(key+":")); found {
			fmt.Sscanf(string(rest), "%d", &kB)
			return kB * 1024
		}
	}
	return -1
}
