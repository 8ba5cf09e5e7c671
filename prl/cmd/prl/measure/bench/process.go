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
	"os/exec"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// A worker is a process that runs one task when told.
type worker struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   *bufio.Scanner
	stderr  bytes.Buffer
	variant string
	rival   bool // it is none of the peers
	ready   ready
	times   []Time
	ctx     context.Context
}

// startWorker starts the program, gives it its order and waits until the task is ready.
func startWorker(ctx context.Context, o order, env []string, program string, args ...string) (*worker, error) {
	w := &worker{cmd: process.Command(ctx, program, args...), variant: o.Variant, ctx: ctx}
	w.cmd.Env, w.cmd.Stderr = env, &w.stderr
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	w.lines = bufio.NewScanner(out)
	w.lines.Buffer(nil, 1<<20)
	text, err := json.Marshal(o)
	if err == nil {
		err = w.ask(string(text), &w.ready)
	}
	if err == nil && w.ready.Error != "" {
		err = fmt.Errorf("%s", w.ready.Error)
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *worker) ask(line string, answer any) error {
	if _, err := io.WriteString(w.in, line+"\n"); err != nil && w.ctx.Err() == nil {
		return w.ended()
	}
	if !w.lines.Scan() {
		return w.ended()
	}
	return json.Unmarshal(w.lines.Bytes(), answer)
}

// ended says why the process gave no answer.
func (w *worker) ended() error {
	w.close()
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	said := strings.Split(strings.TrimSpace(w.stderr.String()), "\n")
	return fmt.Errorf("the process ended: %s", strings.Join(said[max(0, len(said)-3):], "; "))
}

// run runs the task count times and keeps the mean time.
func (w *worker) run(count int) error {
	var took Time
	if err := w.ask(fmt.Sprintf("run %d", count), &took); err != nil {
		return err
	}
	w.times = append(w.times, took)
	return nil
}

// best is the shortest run, by the clock or of the processors.
func (w *worker) best(cpu bool) float64 {
	best := math.Inf(1)
	for _, t := range w.times {
		best = math.Min(best, t.on(cpu))
	}
	return best
}

func (t Time) on(cpu bool) float64 {
	if cpu {
		return t.CPU
	}
	return t.Wall
}

func (w *worker) close() {
	w.in.Close()
	w.cmd.Wait()
	process.KillGroup(w.cmd)
}

// ourEnv is the environment of the Go side: its threads, and nothing that tunes the runtime.
func ourEnv(threads int) []string {
	return append(goenv.Without(os.Environ(), "GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GODEBUG"), fmt.Sprintf("GOMAXPROCS=%d", threads))
}

// peerEnv is the environment of the peer: its threads and, unless core is empty, the kernels that its BLAS should use.
func peerEnv(threads int, core string) []string {
	env := goenv.Without(setup.PythonEnv(os.Environ()), "OMP_*", "OPENBLAS_*", "MKL_NUM_THREADS")
	for _, name := range []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"} {
		env = append(env, fmt.Sprintf("%s=%d", name, threads))
	}
	if core != "" {
		env = append(env, "OPENBLAS_CORETYPE="+core)
	}
	return env
}
