package execute

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

//go:embed talk.py
var talker []byte

// A Conversation is one kernel to which cells are sent one by one.
type Conversation struct {
	child   *Process
	in      io.WriteCloser
	out     *bufio.Reader
	session *Session
	Started time.Duration // from the start of the kernel until it was ready
	PID     int           // of the kernel's launcher
}

// A Request is a cell to execute.
type Request struct {
	Code      string   `json:"code,omitempty"`
	Timeout   float64  `json:"timeout,omitempty"`   // seconds; 0 means 60
	Interrupt *float64 `json:"interrupt,omitempty"` // interrupt after so many seconds
	Restart   bool     `json:"restart,omitempty"`   // instead of executing
}

// An Answer is what the kernel did with a cell.
type Answer struct {
	Status   string // ok, error, timeout or dead; ready after a start
	Seconds  float64
	Displays int
	Printed  int
	Stdout   string
	Stderr   string
	Plain    []string
	Error    string
	PID      int
}

// Talk starts a kernel in folder. With complete set it has its completion server, as in JupyterLab.
func (s *Session) Talk(ctx context.Context, folder string, complete bool) (*Conversation, error) {
	program, err := s.File("talk.py", talker)
	if err != nil {
		return nil, err
	}
	child := s.Command(ctx, program, folder)
	if complete {
		child.Cmd.Env = goenv.Without(child.Cmd.Env, goenv.HeadlessVar)
	}
	child.Cmd.Stderr = &child.errors
	c := &Conversation{child: child, session: s}
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
		return a, fmt.Errorf("the conversation with the kernel broke off (%w):\n%s", err, c.child.Errors())
	}
	return a, json.Unmarshal(line, &a)
}

// Close ends the kernel.
func (c *Conversation) Close() error {
	c.in.Close()
	err := c.child.Cmd.Wait()
	process.KillGroup(c.child.Cmd)
	return err
}
