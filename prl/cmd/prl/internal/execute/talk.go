package execute

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

//go:embed talk.py
var talker []byte

// A Conversation is one kernel to which cells are sent one by one.
type Conversation struct {
	child   *Process
	in      io.WriteCloser
	out     *bufio.Reader
	end     func() error  // waits for the end of the child; what it has said is known after that
	Started time.Duration // from the start of the kernel until it was ready
	PID     int           // of the kernel's launcher
}

// A Request is a cell to execute.
type Request struct {
	Code      string  `json:"code,omitempty"`
	Timeout   float64 `json:"timeout,omitempty"`   // seconds; 0 means 60
	Interrupt bool    `json:"interrupt,omitempty"` // as soon as the cell has printed something
	After     float64 `json:"after,omitempty"`     // seconds, to interrupt then
	Complete  string  `json:"complete,omitempty"`  // text to complete at its end, instead of executing
	While     string  `json:"while,omitempty"`     // a cell that runs meanwhile
	Explain   string  `json:"explain,omitempty"`   // text whose end is asked about, instead of executing
	Restart   bool    `json:"restart,omitempty"`   // instead of executing
}

// An Answer is what the kernel did with a cell.
type Answer struct {
	Status   string  // ok, error, timeout or dead; ready after a start
	Seconds  float64 // from the interrupt on, if there was one
	Displays int
	Printed  int
	Stdout   string
	Stderr   string
	Plain    []string // of displays; of a completion the matches
	Busy     bool     // of a completion: more comes later
	Updates  int      // of displays
	Order    string   // of text, s, and displays, d
	Page     []string // text of the displays that a page has at the end
	Error    string   // of the reply
	Trace    string   // what a page shows of it
	PID      int
}

// Talk starts a kernel in folder. With complete set it completes and explains, as in JupyterLab.
func (s *Session) Talk(ctx context.Context, folder string, complete bool) (*Conversation, error) {
	for attempt := 1; ; attempt++ {
		c, err := s.talk(ctx, folder, setup.KernelName, complete)
		if err == nil || attempt == startAttempts || !portTaken(err.Error()) {
			return c, err
		}
	}
}

// TalkPython starts the kernel of Python, ipykernel, of the given program, in folder.
func (s *Session) TalkPython(ctx context.Context, folder, python string) (*Conversation, error) {
	const name = "prl-python"
	spec, err := json.Marshal(map[string]any{
		"argv": []string{python, "-m", "ipykernel_launcher", "-f", "{connection_file}"}, "display_name": name, "language": "python",
	})
	if err != nil {
		return nil, err
	}
	place := filepath.Join(s.temp, "jupyter", "kernels", name)
	if err := os.MkdirAll(place, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(place, "kernel.json"), spec, 0o600); err != nil {
		return nil, err
	}
	return s.talk(ctx, folder, name, true)
}

func (s *Session) talk(ctx context.Context, folder, kernel string, complete bool) (*Conversation, error) {
	program, err := s.File("talk.py", talker)
	if err != nil {
		return nil, err
	}
	child := s.Command(ctx, program, folder, kernel)
	child.Cmd.Env = append(child.Cmd.Env, "JUPYTER_PATH="+filepath.Join(s.temp, "jupyter"))
	if complete {
		child.Cmd.Env = goenv.Without(child.Cmd.Env, goenv.HeadlessVar)
	}
	child.Cmd.Stderr = &child.errors
	c := &Conversation{child: child}
	if c.in, err = child.Cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := child.Cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := child.Cmd.Start(); err != nil {
		return nil, err
	}
	c.end = sync.OnceValue(func() error {
		c.in.Close()
		defer time.AfterFunc(patience, func() { process.KillGroup(child.Cmd) }).Stop()
		err := child.Cmd.Wait()
		process.KillGroup(child.Cmd)
		return err
	})
	ready, err := c.read()
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("the kernel does not start: %w", err)
	}
	c.Started, c.PID = time.Duration(ready.Seconds*float64(time.Second)), ready.PID
	return c, nil
}

// Ask sends a request and waits for its answer.
func (c *Conversation) Ask(r Request) (Answer, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return Answer{}, err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return Answer{}, err
	}
	return c.read()
}

func (c *Conversation) read() (Answer, error) {
	var a Answer
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		c.end()
		return a, fmt.Errorf("the conversation with the kernel broke off (%w):\n%s", err, c.child.Errors())
	}
	return a, json.Unmarshal(line, &a)
}

// patience is the time that the program which talks has to end the kernel and itself.
const patience = time.Minute

// Close ends the kernel.
func (c *Conversation) Close() error { return c.end() }
