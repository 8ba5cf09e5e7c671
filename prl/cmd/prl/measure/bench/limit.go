package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/share"
)

// What the library is to reach of the limits of the machine.
const (
	ofPeak      = 0.6 // on one thread, where products take the time
	ofBandwidth = 0.7 // on one thread, where memory does
	ofThreads   = 1.8 // the speed of two threads by that of one
)

// A limited is a task on data of one shape. Either products take its time, or numbers that go through the memory.
type limited struct {
	task                   string
	rows, columns, classes int
	tests                  int     // rows that are predicted, beside those of the fit
	numbers                float64 // that each row of the data sends through the memory; 0 where products take the time
}

var limitedTasks = []limited{
	{task: "lda fit", rows: 20_000, columns: 784, classes: 10},
	{task: "qda fit", rows: 10_000, columns: 784, classes: 4},
	{task: "qda predict", rows: 4000, columns: 784, classes: 4, tests: 2000},
	{task: "gram rbf", rows: 3000, columns: 784, classes: 2},
	{task: "cross rbf", rows: 6000, columns: 784, classes: 2, tests: 1000},
	{task: "kmeans predict", rows: 20_000, columns: 784, classes: 40},
	{task: "gmm full fit", rows: 4000, columns: 100, classes: 8},
	{task: "nearest mean fit", rows: 1_000_000, columns: 40, classes: 4, numbers: 40},
	{task: "gaussian nb fit", rows: 1_000_000, columns: 40, classes: 4, numbers: 40},
	{task: "ridge fit", rows: 2_000_000, columns: 10, classes: 2, numbers: 11},
	{task: "pca transform", rows: 1_000_000, columns: 40, classes: 2, numbers: 50},
}

// input draws the data: normal columns, each with another mean in one of the classes.
func (l limited) input() *input {
	in := &input{size: Random, classN: l.classes, drawn: l.classes}
	draw := func(n int) (X *mat.Dense, y []int, t []float64) {
		r := rand.New(rand.NewPCG(39, uint64(n)))
		X, y, t = mat.NewDense(n, l.columns, nil), make([]int, n), make([]float64, n)
		for i := range y {
			y[i] = i % l.classes
			row := X.RawRowView(i)
			for j := range row {
				if row[j] = r.NormFloat64(); j%l.classes == y[i] {
					row[j] += 2
				}
			}
			t[i] = row[0] + r.NormFloat64()
		}
		return X, y, t
	}
	in.X, in.y, in.t = draw(l.rows)
	in.Xt, in.yt, in.tt = draw(max(l.tests, 1))
	return in
}

// Limits are what the processor and its memory can do, on one thread and on two, and what tasks reach of it.
type Limits struct {
	Peak      [2]float64 `json:"peak"`      // floating-point operations a second, by chains of fused multiply-add in registers
	Bandwidth [2]float64 `json:"bandwidth"` // bytes a second, by loads of numbers that no cache holds
	Tasks     []Limit    `json:"tasks"`
}

// A Limit is what a task reaches.
type Limit struct {
	Task          string `json:"task"`
	Rows, Columns int
	Products      bool       `json:"products"` // take its time
	Seconds       [2]float64 `json:"seconds"`  // on one thread and on two
	Rate          float64    `json:"rate"`     // operations or bytes a second on one thread
}

// MeasureLimits measures all of it, the best of several runs.
func MeasureLimits(ctx context.Context, told func(task string)) (*Limits, error) {
	steps, flops := multiplies()
	if steps == nil {
		return nil, errors.New("bench limit: the peak of this processor is not known: it needs amd64 with fused multiply-add")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	out := &Limits{}
	const count, numbers = 1 << 22, 1 << 27
	memory := make([]float64, numbers)
	for i := range memory {
		memory[i] = 1 // a page that was never written is no memory
	}
	for g := range out.Peak {
		threads := g + 1
		runtime.GOMAXPROCS(threads)
		seconds, err := fastest(ctx, g == 0, func() error {
			share.Ranges(threads, threads, func(int, int, int) { steps(count) })
			return nil
		})
		if err != nil {
			return nil, err
		}
		out.Peak[g] = flops * count * float64(threads) / seconds
		seconds, err = fastest(ctx, g == 0, func() error {
			share.Ranges(threads, numbers/32, func(_, from, to int) { read(32*(to-from), &memory[32*from]) })
			return nil
		})
		if err != nil {
			return nil, err
		}
		out.Bandwidth[g] = 8 * numbers / seconds
	}
	memory = nil
	for _, l := range limitedTasks {
		told(l.task)
		task, err := findTask(l.task)
		if err != nil {
			return nil, err
		}
		j, err := task.make(l.input())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.task, err)
		}
		got := Limit{Task: l.task, Rows: j.n, Columns: j.d, Products: l.numbers == 0}
		for g := range got.Seconds {
			runtime.GOMAXPROCS(g + 1)
			if got.Seconds[g], err = fastest(ctx, g == 0, j.run); err != nil {
				return nil, fmt.Errorf("%s: %w", l.task, err)
			}
		}
		if got.Rate = j.flops / got.Seconds[0]; !got.Products {
			got.Rate = 8 * l.numbers * float64(j.n) / got.Seconds[0]
		}
		out.Tasks = append(out.Tasks, got)
	}
	return out, nil
}

// fastest returns the seconds of the fastest of 5 to 50 runs, of two seconds if they fit: of the processor if that is all one thread, which
// other programs disturb less, else by the clock.
func fastest(ctx context.Context, one bool, run func() error) (float64, error) {
	best, spent := math.Inf(1), 0.0
	for i := 0; i < 5 || i < 50 && spent < 2; i++ {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		runtime.GC()
		took, err := timed(run, 1)
		if err != nil {
			return 0, err
		}
		best, spent = min(best, took.on(one && took.CPU > 0)), spent+took.Wall
	}
	return best, nil
}

// String writes the limits and a table of the tasks.
func (l *Limits) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "The processor's peak is %.1f GFLOP/s on one thread and %.1f on two.\n", l.Peak[0]/1e9, l.Peak[1]/1e9)
	fmt.Fprintf(&out, "Its memory sends %.1f GB/s to one thread and %.1f to two.\n\n", l.Bandwidth[0]/1e9, l.Bandwidth[1]/1e9)
	table := [][]string{{"task", "rows x features", "limit", "1 thread", "rate", "share", "2 threads", "speed-up", "misses"}}
	for _, t := range l.Tasks {
		limit, rate, part, wanted, most := "peak", "GFLOP/s", t.Rate/l.Peak[0], ofPeak, l.Peak[1]/l.Peak[0]
		if !t.Products {
			limit, rate, part, wanted, most = "memory", "GB/s", t.Rate/l.Bandwidth[0], ofBandwidth, l.Bandwidth[1]/l.Bandwidth[0]
		}
		faster := t.Seconds[0] / t.Seconds[1]
		var misses []string
		if part < wanted {
			misses = append(misses, limit)
		}
		if faster < min(ofThreads, ofThreads/2*most) { // where two threads of the machine are not twice as fast, no task can be
			misses = append(misses, "threads")
		}
		table = append(table, []string{
			t.Task, fmt.Sprintf("%d x %d", t.Rows, t.Columns), limit, Seconds(t.Seconds[0]), fmt.Sprintf("%.1f %s", t.Rate/1e9, rate),
			fmt.Sprintf("%.0f %%", 100*part), Seconds(t.Seconds[1]), fmt.Sprintf("%.2f", faster), strings.Join(misses, ", "),
		})
	}
	return out.String() + Columns(table)
}
