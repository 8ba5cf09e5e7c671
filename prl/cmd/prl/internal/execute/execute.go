// Package execute runs a notebook through the lab's kernel without a browser.
package execute

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/sandbox"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/notebook"
)

// driver is the Python program that talks to the kernel.
//
//go:embed execute.py
var driver []byte

// RunVar marks every process that belongs to one call of the command, so that none of them can stay behind.
const RunVar = "PRL_RUN"

// A Session executes notebooks; Close removes all that is left of it.
type Session struct {
	lab  *setup.Lab
	temp string // everything temporary of all its kernels
	env  []string
	mark string

	Yields bool // to other programs of the machine that have something to do
}

// Open makes a session.
func Open(lab *setup.Lab) (*Session, error) {
	process.RemoveStale()
	temp, err := process.TempDir(process.RunFolder)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(temp, "execute.py"), driver, 0o644); err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	mark := filepath.Base(temp)
	env := goenv.Without(lab.JupyterEnv(os.Environ()), "TMPDIR", RunVar, "JUPYTER_RUNTIME_DIR", "PYTHONDONTWRITEBYTECODE")
	env = append(
		env,
		"TMPDIR="+temp, RunVar+"="+mark, goenv.HeadlessVar+"=1",
		"JUPYTER_RUNTIME_DIR="+filepath.Join(temp, "runtime"), "PYTHONDONTWRITEBYTECODE=1",
		"PRL_RUNTIME=none", // figures come as stills, without the script that a live page shares
	)
	return &Session{lab: lab, temp: temp, env: env, mark: mark}, nil
}

// Close ends every process of the session that still lives and removes its temporary folder.
func (s *Session) Close() error {
	process.Sweep(RunVar+"="+s.mark, process.Grace)
	return os.RemoveAll(s.temp)
}

// Command prepares a Python program of the lab in the session's environment.
func (s *Session) Command(ctx context.Context, args ...string) *Process {
	args = append([]string{s.lab.Python()}, args...)
	if nice, err := s.lab.Machine.LookPath("nice"); s.Yields && err == nil {
		args = append([]string{nice, "-n", "5"}, args...)
	}
	cmd := process.Command(ctx, args[0], args[1:]...)
	cmd.Env, cmd.Dir = s.env, s.temp
	return &Process{Cmd: cmd}
}

// File keeps a program text in the session's folder and returns its path.
func (s *Session) File(name string, text []byte) (string, error) {
	path := filepath.Join(s.temp, name)
	return path, os.WriteFile(path, text, 0o644)
}

// Scratch makes a folder in that of the session.
func (s *Session) Scratch(name string) (string, error) {
	path := filepath.Join(s.temp, name)
	return path, os.Mkdir(path, 0o700)
}

// Options say how notebooks are executed.
type Options struct {
	Timeout  time.Duration         // for one cell
	Limit    int                   // bytes of text one cell may print; 0 means 1,000,000
	Progress func(done, cells int) // may be nil

	Parameters []string // "name=value" for declarations of the notebook, see setParameters
	Guard      *Guard   // if set, the notebook is executed in a sandbox
}

// A Failure is a cell that did not succeed, with all a person needs to mend it.
type Failure struct {
	Notebook string
	Cell     int // 1 for the first cell; 0 if the kernel did not start
	Cells    int
	ID       string
	Source   string
	Kind     string // error, timeout, flood, dead or start
	Value    string
	Printed  string

	portTaken bool // the kernel did not start because another program has one of its ports
}

// Result is a notebook executed without failure.
type Result struct {
	Notebook *notebook.Notebook
	Cells    int // that were executed
	Slowest  int // 1 for the first cell
	Took     time.Duration

	source []byte // the file as it was executed
}

// Keep writes the executed notebook over the file it came from, unless that has changed since: somebody who saved it meanwhile must not
// lose that.
func (r *Result) Keep(path string) error {
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, r.source) {
		return fmt.Errorf("%s was changed while it was executed, so its outputs are not written; execute it again", path)
	}
	return r.Notebook.Write(path)
}

type event struct {
	Event   string
	Cells   int
	Cell    *int
	Seconds float64
	Kind    string
	Value   string
	Trace   string
	Account string // what the library has shown about the failure
	Printed string
}

// Execute runs all cells of the notebook file and returns it executed and normalised. The file is not changed, and is read once. A cell
// that fails gives a *Failure.
func (s *Session) Execute(ctx context.Context, path string, options Options) (*Result, error) {
	for attempt := 1; ; attempt++ {
		result, err := s.execute(ctx, path, options)
		var failure *Failure
		if attempt == startAttempts || !errors.As(err, &failure) || !failure.portTaken {
			return result, err
		}
	}
}

// startAttempts is how often a kernel is started of which Jupyter has chosen ports that another program took before the kernel could:
// Jupyter looks for free ports and lets go of them before it starts the kernel.
const startAttempts = 4

// portTaken recognises that in what a kernel wrote to its error output.
func portTaken(log string) bool { return strings.Contains(log, "address already in use") }

func (s *Session) execute(ctx context.Context, path string, options Options) (*Result, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	source, err := notebook.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text := data
	if len(options.Parameters) > 0 {
		if err := setParameters(source, options.Parameters); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if text, err = source.Bytes(); err != nil {
			return nil, err
		}
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(s.temp, "notebook-")
	if err != nil {
		return nil, err
	}
	// The driver gets a copy, since the file may be saved from JupyterLab at any time.
	in, out := filepath.Join(dir, "source.ipynb"), filepath.Join(dir, "executed.ipynb")
	if err := os.WriteFile(in, text, 0o600); err != nil {
		return nil, err
	}
	if options.Limit == 0 {
		options.Limit = 1_000_000
	}
	args := []string{
		"--kernel", setup.KernelName,
		"--timeout", strconv.Itoa(int(max(1, options.Timeout.Seconds()))), "--limit", strconv.Itoa(options.Limit),
	}
	var child *Process
	if options.Guard == nil {
		child = s.Command(ctx, append([]string{
			filepath.Join(s.temp, "execute.py"), in, "--parent", strconv.Itoa(os.Getpid()), "--output", out, "--folder", folder,
		}, args...)...)
	} else {
		file, err := os.OpenFile(out, os.O_CREATE|os.O_RDWR|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if err := errors.Join(os.Chmod(in, 0o644), sandbox.Give(out)); err != nil {
			return nil, err
		}
		args = append(args, "--parent", "1", "--output", boxResult, "--folder", boxWork)
		if child, ctx, err = s.guarded(ctx, options.Guard, dir, in, file, args); err != nil {
			return nil, err
		}
		defer child.ended()
	}

	result := &Result{source: data}
	var failed *event
	slowest := 0.0
	err = child.Lines(func(line []byte) {
		if child.began != nil {
			child.began()
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			return
		}
		switch e.Event {
		case "cell":
			if e.Cell == nil || *e.Cell < 0 || *e.Cell >= len(source.Cells) {
				return
			}
			if source.Cells[*e.Cell].Runs() {
				result.Cells++
			}
			if e.Seconds > slowest {
				slowest, result.Slowest = e.Seconds, *e.Cell+1
				result.Took = time.Duration(e.Seconds * float64(time.Second))
			}
			if options.Progress != nil {
				options.Progress(*e.Cell+1, len(source.Cells))
			}
		case "failed":
			failed = &e
		}
	})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case failed != nil:
		return nil, s.failure(path, source, failed, child.Errors())
	case err != nil:
		return nil, fmt.Errorf("%s: the program that executes notebooks ended with an error (%w):\n%s", path, err, child.Errors())
	}
	if info, err := os.Stat(out); err == nil && options.Guard != nil && info.Size() > largest {
		return nil, fmt.Errorf("%s: executed, it has %d MB, more than %d", path, info.Size()>>20, largest>>20)
	}
	if result.Notebook, err = notebook.Read(out); err != nil {
		return nil, err
	}
	result.Notebook.Normalise(string(s.lab.Checkout))
	return result, nil
}

func (s *Session) failure(path string, source *notebook.Notebook, e *event, log string) *Failure {
	f := &Failure{
		Notebook: path,
		Cells:    len(source.Cells),
		Kind:     e.Kind,
		Value:    e.Value,
		Printed:  notebook.Clean(e.Printed, string(s.lab.Checkout)),
	}
	if e.Cell != nil && *e.Cell >= 0 && *e.Cell < len(source.Cells) {
		c := source.Cells[*e.Cell]
		f.Cell, f.ID, f.Source = *e.Cell+1, c.ID(), c.Source()
	}
	switch {
	case e.Kind == "error" && e.Trace != "":
		f.Value = e.Trace
	case e.Kind == "error" && e.Account != "":
		f.Value = strings.TrimPrefix(e.Account, "✗ ")
	}
	f.Value = notebook.Clean(f.Value, string(s.lab.Checkout))
	f.portTaken = e.Kind == "start" && portTaken(log)
	if e.Kind == "dead" || e.Kind == "start" {
		for line := range strings.Lines(log) {
			if strings.Contains(line, "prl-kernel: ") || strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
				f.Value += "\n" + strings.TrimSpace(line)
			}
		}
	}
	return f
}

func (f *Failure) Error() string { return f.Title() + ": " + f.Value }

// Title names the cell.
func (f *Failure) Title() string {
	if f.Cell == 0 {
		return f.Notebook
	}
	return fmt.Sprintf("%s, cell %d of %d (id %s)", f.Notebook, f.Cell, f.Cells, f.ID)
}

// Process is a child whose output is read line by line and whose error output is kept.
type Process struct {
	Cmd    *exec.Cmd
	errors tail

	began, ended func() // for one in a sandbox: when it has said something, and when it is over
}

// Lines runs the process and gives each line of its output to each.
func (p *Process) Lines(each func(line []byte)) error {
	p.Cmd.Stderr = &p.errors
	return process.Lines(p.Cmd, func(line string) { each([]byte(line)) })
}

// Errors is the end of what the process wrote to its error output.
func (p *Process) Errors() string { return string(p.errors) }

// tail keeps the last bytes written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	if over := len(*t) - 1<<16; over > 0 {
		*t = append((*t)[:0], (*t)[over:]...)
	}
	return len(p), nil
}
