//go:build !js

package cell

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// InKernel reports whether the program runs as a cell of a notebook.
func InKernel() bool { return os.Getenv(protocol.GONB_PIPE_ENV) != "" }

// output gives b to the kernel, or prints it.
func output(b Bundle, id string) {
	if InKernel() {
		err := kernel.display(b, id)
		if err == nil {
			return
		}
		if kernel.report() {
			io.WriteString(os.Stderr, "prl: no rich output in this cell, text instead: "+err.Error()+"\n")
		}
	}
	if b.Text != "" {
		fmt.Fprintln(os.Stdout, b.Text)
	}
}

var kernel = &client{patience: 10 * time.Second}

// A client speaks the kernel's protocol: gob messages into one named pipe, acknowledgements out of another.
type client struct {
	patience time.Duration // longest wait for the kernel

	mu       sync.Mutex // one exchange at a time
	encoder  *gob.Encoder
	decoder  *gob.Decoder
	next     int
	err      error // the first failure; nothing is tried after it
	reported bool
}

// display sends b, in place of the output with the same id if there is one, and waits for the kernel's word that everything up to b has
// been passed on. Opening a named pipe, writing to it and reading from it can each block for ever when the other side is gone, hence one
// deadline over the whole exchange.
func (c *client) display(b Bundle, output string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	done := make(chan error, 1)
	go func() { done <- c.exchange(b, output) }()
	deadline := time.NewTimer(c.patience)
	defer deadline.Stop()
	select {
	case c.err = <-done:
	case <-deadline.C:
		c.err = fmt.Errorf("the kernel did not answer within %v", c.patience)
	}
	return c.err
}

// report returns true the first time it is called after a failure.
func (c *client) report() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.reported
	c.reported = true
	return first
}

func (c *client) exchange(b Bundle, output string) error {
	if err := c.open(); err != nil {
		return err
	}
	drain(c.patience / 10)
	data := make(map[protocol.MIMEType]any, 2)
	if b.HTML != "" {
		data[protocol.MIMETextHTML] = b.HTML
	}
	if b.Text != "" {
		data[protocol.MIMETextPlain] = b.Text
	}
	if err := c.encoder.Encode(&protocol.DisplayData{Data: data, DisplayID: output}); err != nil {
		return fmt.Errorf("cannot write to the kernel's pipe: %w", err)
	}
	id := c.next
	c.next++
	request := protocol.CommValue{Address: protocol.GonbuiSyncAddress, Value: id}
	err := c.encoder.Encode(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMECommValue: request}})
	if err != nil {
		return fmt.Errorf("cannot write to the kernel's pipe: %w", err)
	}
	for {
		var answer protocol.CommValue
		if err := c.decoder.Decode(&answer); errors.Is(err, io.EOF) {
			return errors.New("the kernel closed its pipe")
		} else if err != nil {
			return fmt.Errorf("cannot read from the kernel's pipe: %w", err)
		}
		if answer.Address == protocol.GonbuiSyncAckAddress && answer.Value == any(id) {
			return nil
		}
	}
}

func (c *client) open() error {
	if c.encoder != nil {
		return nil
	}
	out, err := os.OpenFile(os.Getenv(protocol.GONB_PIPE_ENV), os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("cannot open the kernel's pipe: %w", err)
	}
	in, err := os.Open(os.Getenv(protocol.GONB_PIPE_BACK_ENV))
	if err != nil {
		out.Close()
		return fmt.Errorf("cannot open the kernel's pipe: %w", err)
	}
	c.encoder, c.decoder = gob.NewEncoder(out), gob.NewDecoder(in)
	return nil
}
