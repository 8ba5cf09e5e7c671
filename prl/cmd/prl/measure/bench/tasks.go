package bench

import (
	"fmt"
	"math"
	"strings"
)

// A Sense says when one quality is at least as good as another.
type Sense int

const (
	Higher Sense = iota // the larger the better
	Lower               // the smaller the better
	Equal               // both must agree
)

// A Gauge is a number that tells the quality of a result. Both sides compute it from their own result by the same formula.
type Gauge struct {
	Name  string
	Sense Sense
	Slack float64 // relative difference up to which two values count as equal; Chance for a share of the test rows
}

// Chance is the slack of a share of the test rows that the two sides reach with different but equally good models: two standard errors of
// the difference of two shares.
const Chance = -1

// same is the slack for results that the same objective and settings determine.
const same = 1e-6

// Holds reports whether ours is at least as good as the peer's; rows is the number of test rows.
func (m Gauge) Holds(ours, peer float64, rows int) bool {
	if math.IsNaN(ours) || math.IsNaN(peer) {
		return false
	}
	slack := m.Slack * math.Max(math.Abs(peer), 1e-12)
	if m.Slack == Chance {
		slack = 2 * math.Sqrt(2*peer*(1-peer)/float64(max(1, rows)))
	}
	switch m.Sense {
	case Higher:
		return ours >= peer-slack
	case Lower:
		return ours <= peer+slack
	}
	return math.Abs(ours-peer) <= slack
}

// A Task is something that both sides do with the same data and settings. The first Gauge stands in the table.
type Task struct {
	Name     string
	Data     string   // the data set; further ones after blanks
	Rows     [3]int   // most training rows at sizes S, M and L; 0 takes all
	Peers    []string // solvers of the peer, of which the fastest counts
	Rivals   []string // packages that do the same and are measured too where they are installed beside the peers
	Blas     bool     // the peer's time is that of its BLAS: other kernels of OpenBLAS are tried too
	Dense    bool     // bound by dense matrix products on both sides: our share of gonum's gemm is reported
	Settings string   // of both sides
	Gauges   []Gauge
	make     func(*input) (*job, error)
}

func (t Task) rows(size byte, n int) int {
	if size == Random {
		return n
	}
	if most := t.Rows[strings.IndexByte(Sizes, size)]; most > 0 {
		return min(most, n)
	}
	return n
}

// A job is a task made ready: everything but what is timed has been done.
type job struct {
	run     func() error // keeps its result until the next run
	quality func() (map[string]float64, error)
	n, d    int     // shape of what is fitted or predicted
	flops   float64 // least number of floating-point operations of a Dense task
}

// Tasks lists all tasks, by family.
func Tasks() []Task {
	var all []Task
	for _, family := range [][]Task{
		bayesTasks, reduceTasks, kernelTasks, svmTasks, treeTasks, boostTasks, mixtureTasks, markovTasks, learnTasks, estimateTasks, densityTasks,
		clusterTasks, mapTasks, icaTasks, assessTasks, sparseTasks, linearTasks,
	} {
		all = append(all, family...)
	}
	return all
}

func findTask(name string) (Task, error) {
	for _, t := range Tasks() {
		if t.Name == name {
			return t, nil
		}
	}
	return Task{}, fmt.Errorf("no task is called %q", name)
}

// only is a map with one entry.
func only(name string, v float64) map[string]float64 { return map[string]float64{name: v} }
