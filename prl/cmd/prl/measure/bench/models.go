package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// Models says what to measure against the peers.
type Models struct {
	Tasks   *regexp.Regexp // nil for all
	Sizes   string         // of S, M, L
	Draws   int            // shapes drawn for each task
	Count   int            // tasks with drawn shapes to measure, drawn too; 0 for all
	Seed    uint64         // of the draws
	Threads []int
	Program string   // of the Go side, which takes an order on its input
	Args    []string // of Program
	CPU     bool     // count processor time instead of the clock's, which other programs disturb less; of use with one thread only
}

// A Side is what one side reached in a task.
type Side struct {
	Seconds float64            `json:"seconds"` // of the best run, on the clock of the report
	Runs    []Time             `json:"runs"`
	Memory  int64              `json:"memory"` // bytes, -1 where unknown
	Quality map[string]float64 `json:"quality"`
	Variant string             `json:"variant,omitempty"` // solver of the peer
	Core    string             `json:"core,omitempty"`    // of the peer's BLAS
	Short   string             `json:"short,omitempty"`   // the measure in which a rival falls short of the peer
}

// A Result is the outcome of a task at a size with a number of threads.
type Result struct {
	Task     string  `json:"task"`
	Size     string  `json:"size"`
	Threads  int     `json:"threads"`
	N        int     `json:"n"`
	D        int     `json:"d"`
	Draw     int     `json:"draw,omitempty"`   // which of the shapes drawn at random
	Groups   int     `json:"groups,omitempty"` // classes, groups or states of such a shape
	Settings string  `json:"settings"`
	Data     string  `json:"data"`
	Ours     Side    `json:"ours"`
	Peer     Side    `json:"peer"`              // the fastest
	Others   []Side  `json:"others,omitempty"`  // of the peer
	Rivals   []Side  `json:"rivals,omitempty"`  // other packages, where they are installed
	Ratio    float64 `json:"ratio"`             // time of the peer by ours
	Rate     float64 `json:"rate,omitempty"`    // ours, operations a second, of a task bound by dense products
	Peak     float64 `json:"peak,omitempty"`    // gonum's gemm in the same process
	Quality  bool    `json:"quality"`           // ours is at least the peer's in every measure
	Gauge    string  `json:"gauge"`             // the measure in the table
	Failure  string  `json:"failure,omitempty"` // why there is no result
}

// A Report is what bench models writes as JSON.
type Report struct {
	Machine Machine                        `json:"machine"`
	Method  string                         `json:"method"`
	CPU     bool                           `json:"cpu"`             // seconds are processor time
	Files   map[string]map[string]DataFile `json:"files"`           // by size and name
	Seed    uint64                         `json:"seed,omitempty"`  // of shapes drawn at random
	Count   int                            `json:"count,omitempty"` // of drawn tasks, where not all were measured
	Results []Result                       `json:"results"`
}

// Machine describes where a report was made.
type Machine struct {
	CPU      string            `json:"cpu"`
	Cores    int               `json:"cores"`
	System   string            `json:"system"`
	Go       string            `json:"go"`
	Load     string            `json:"load,omitempty"` // when measuring began
	Versions map[string]string `json:"versions"`
	Core     string            `json:"core"` // that the peer's BLAS chose
	Day      string            `json:"day"`
}

const method = "Each side is a process of its own on the same bytes. After one run to warm up and up to five of which the memory is " +
	"taken (the most " +
	"resident memory less that before the run, the least of them), the sides run by turns, quick tasks many times in a row; the best run " +
	"counts, of the peer's " +
	"solvers and BLAS kernels the fastest."

// Measure runs the tasks. After each it shows the report so far, whose last result is the new one.
func (o Models) Measure(ctx context.Context, lab *setup.Lab, peers Peers, told func(*Report) error) (*Report, error) {
	report := &Report{Method: method, CPU: o.CPU, Seed: o.Seed, Count: o.Count, Files: map[string]map[string]DataFile{}}
	var err error
	if report.Machine, err = thisMachine(ctx, peers); err != nil {
		return nil, err
	}
	dir := lab.Own("bench")
	cores := otherCores(report.Machine.Core)
	for _, size := range []byte(o.Sizes) {
		files, err := WriteData(dir, size)
		if err != nil {
			return nil, err
		}
		report.Files[string(size)] = files
		for _, task := range o.chosen() {
			task.Rivals = report.Machine.installed(task.Rivals)
			for _, threads := range o.Threads {
				r := o.measure(ctx, peers, task, threads, cores, order{Task: task.Name, Size: string(size), Dir: dir, Files: files})
				if ctx.Err() != nil {
					return nil, context.Cause(ctx)
				}
				report.Results = append(report.Results, r)
				if err := told(report); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, task := range o.drawn() {
		base, err := task.draw(filepath.Join(dir, "random"), o.Seed, task.number)
		if err != nil {
			return nil, err
		}
		task.Rivals = report.Machine.installed(task.Rivals)
		for _, threads := range o.Threads {
			r := o.measure(ctx, peers, task.Task, threads, cores, base)
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			r.Draw, r.Groups = task.number+1, base.Files[strings.Fields(task.Data)[0]].Groups
			report.Results = append(report.Results, r)
			if err := told(report); err != nil {
				return nil, err
			}
		}
	}
	return report, nil
}

// installed returns those of the rivals that are there.
func (m Machine) installed(rivals []string) []string {
	return slices.DeleteFunc(slices.Clone(rivals), func(name string) bool { return m.Versions[name] == "" })
}

// Strongest is the time of the fastest peer or rival by ours. A rival that falls short of the peer counts where all is true.
func (r Result) Strongest(all bool) float64 {
	best := r.Peer.Seconds
	for _, s := range r.Rivals {
		if all || s.Short == "" {
			best = math.Min(best, s.Seconds)
		}
	}
	return best / r.Ours.Seconds
}

// Steps is how many results Measure finds.
func (o Models) Steps() int { return (len(o.Sizes)*len(o.chosen()) + len(o.drawn())) * len(o.Threads) }

// Names lists the tasks chosen.
func (o Models) Names() []string {
	var all []string
	for _, t := range o.chosen() {
		all = append(all, t.Name)
	}
	return all
}

func (o Models) chosen() []Task {
	var all []Task
	for _, t := range Tasks() {
		if o.Tasks == nil || o.Tasks.MatchString(t.Name) {
			all = append(all, t)
		}
	}
	return all
}

func (o Models) measure(ctx context.Context, peers Peers, task Task, threads int, cores []string, base order) Result {
	base.Data = strings.Fields(task.Data)
	if base.Size != string(Random) {
		base.Rows = task.Rows[strings.Index(Sizes, base.Size)]
	}
	r := Result{Task: task.Name, Size: base.Size, Threads: threads, Settings: task.Settings, Data: base.Data[0], Gauge: task.Gauges[0].Name}
	fail := func(side string, err error) Result {
		r.Failure = side + ": " + err.Error()
		return r
	}
	ours, err := startWorker(ctx, base, ourEnv(threads), o.Program, o.Args...)
	if err != nil {
		return fail("ours", err)
	}
	defer ours.close()
	if !task.Blas {
		cores = []string{""}
	}
	var all []*worker
	for i, variant := range slices.Concat(task.Peers, task.Rivals) {
		for _, core := range cores {
			base.Variant = variant
			w, err := startWorker(ctx, base, peerEnv(threads, core), peers.python(), peers.script())
			if err != nil && i >= len(task.Peers) && ctx.Err() == nil { // a rival that cannot do it is none
				continue
			}
			if err != nil {
				return fail("peer", err)
			}
			defer w.close()
			w.rival = i >= len(task.Peers)
			all = append(all, w)
		}
	}
	if err := turns(ours, all, o.CPU); err != nil {
		return fail("running", err)
	}
	slices.SortStableFunc(all, func(a, b *worker) int { return cmp.Compare(a.best(o.CPU), b.best(o.CPU)) })
	first := slices.IndexFunc(all, func(w *worker) bool { return !w.rival })
	r.N, r.D, r.Ours, r.Peer = ours.ready.N, ours.ready.D, ours.side(o.CPU), all[first].side(o.CPU)
	for i, w := range all {
		switch {
		case w.rival:
			r.Rivals = append(r.Rivals, w.side(o.CPU))
		case i != first:
			r.Others = append(r.Others, w.side(o.CPU))
		}
	}
	r.Ratio = r.Peer.Seconds / r.Ours.Seconds
	if task.Dense && ours.ready.Flops > 0 {
		r.Rate, r.Peak = ours.ready.Flops/r.Ours.Seconds, ours.ready.Peak
	}
	r.Quality = true
	for _, g := range task.Gauges {
		a, found := r.Ours.Quality[g.Name]
		b, also := r.Peer.Quality[g.Name]
		r.Quality = r.Quality && found && also && g.Holds(a, b, ours.ready.Tests)
		for i := range r.Rivals {
			s := &r.Rivals[i]
			if v, found := s.Quality[g.Name]; s.Short == "" && !(found && g.Holds(v, b, ours.ready.Tests)) {
				s.Short = g.Name
			}
		}
	}
	return r
}

// turns lets all workers run by turns. After two rounds one much slower than the fastest of its kind, peer or rival, is done.
func turns(ours *worker, others []*worker, cpu bool) error {
	all := append([]*worker{ours}, others...)
	count := map[*worker]int{}
	total := 0.0
	for _, w := range all {
		count[w] = repeats(w.ready.Time.on(cpu))
	}
	for round, rounds := 0, 3; round < rounds; round++ {
		for _, w := range all {
			if err := w.run(count[w]); err != nil {
				return err
			}
			if round == 0 { // the first run of a process took longer than one does when it is warm
				count[w] = repeats(w.times[0].on(cpu))
				total += math.Max(w.times[0].on(cpu), 0.03)
			}
		}
		if round == 0 {
			rounds = min(9, max(3, int(4/total)))
		}
		if round == 1 {
			best := map[bool]float64{false: math.Inf(1), true: math.Inf(1)}
			for _, w := range others {
				best[w.rival] = math.Min(best[w.rival], w.best(cpu))
			}
			all = slices.DeleteFunc(all, func(w *worker) bool { return w != ours && w.best(cpu) > 1.5*best[w.rival] })
		}
	}
	return nil
}

// repeats is how often a task of that many seconds is run in a row, for 30 ms.
func repeats(seconds float64) int {
	return max(1, min(10000, int(math.Ceil(0.03/math.Max(seconds, 1e-7)))))
}

func (w *worker) side(cpu bool) Side {
	return Side{Seconds: w.best(cpu), Runs: w.times, Memory: w.ready.Memory, Quality: w.ready.Quality, Variant: w.variant, Core: w.ready.Core}
}

// thisMachine asks the peers for their versions too, which shows that they can be imported.
func thisMachine(ctx context.Context, peers Peers) (Machine, error) {
	m := Machine{
		CPU:    cpuName(),
		Cores:  runtime.NumCPU(),
		System: runtime.GOOS + "/" + runtime.GOARCH,
		Go:     runtime.Version(),
		Day:    time.Now().Format(time.DateOnly),
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load, _, _ = strings.Cut(string(load), " ")
	}
	cmd := exec.CommandContext(ctx, peers.python(), peers.script())
	cmd.Env, cmd.Stdin = peerEnv(1, ""), strings.NewReader(`{"task": "versions"}`+"\n")
	out, err := cmd.Output()
	if err != nil {
		return m, fmt.Errorf("the peers cannot be imported; remove .prl/peers and call again: %w", err)
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return m, err
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "gonum.org/v1/gonum" {
				m.Versions["gonum"] = strings.TrimPrefix(d.Version, "v")
			}
		}
	}
	return m, nil
}

func cpuName() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}

// otherCores lists which kernels of OpenBLAS to try beside its own choice: those for the widest vectors of the processor, which OpenBLAS
// passes over when it does not know the model.
func otherCores(chosen string) []string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	flags := strings.Fields(string(text))
	cores := []string{""}
	switch {
	case slices.Contains(flags, "avx512f") && !strings.Contains(chosen, "SkylakeX"):
		cores = append(cores, "SkylakeX")
	case slices.Contains(flags, "avx2") && !slices.ContainsFunc([]string{"Haswell", "Zen", "SkylakeX"},
		func(s string) bool { return strings.Contains(chosen, s) }):
		cores = append(cores, "Haswell")
	}
	return cores
}
