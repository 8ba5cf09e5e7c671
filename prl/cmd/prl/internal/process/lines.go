package process

import (
	"bytes"
	"errors"
	"os/exec"
)

// Lines runs the command and gives each line of its output, and of its error output unless that goes elsewhere, to each. Unlike a loop over
// StdoutPipe it ends soon after the command even if a process that the command has left behind holds the pipe open, and a line may have any
// length up to longest; empty ones are left out. What is left of the command's process group is killed.
func Lines(cmd *exec.Cmd, each func(line string)) error {
	lines := &lineWriter{each: each}
	cmd.Stdout = lines
	if cmd.Stderr == nil {
		cmd.Stderr = lines
	}
	err := cmd.Run()
	KillGroup(cmd)
	lines.end()
	if errors.Is(err, exec.ErrWaitDelay) { // the command has succeeded all the same
		return nil
	}
	return err
}

// longest is the number of bytes after which a line is cut, so that a program cannot fill the memory of this one.
const longest = 64 << 20

// A lineWriter cuts what is written to it into lines. Package exec writes from one goroutine, which has ended when Run returns.
type lineWriter struct {
	each func(line string)
	rest []byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	for text := p; ; {
		line, more, found := bytes.Cut(text, []byte("\n"))
		w.rest = append(w.rest, line...)
		if !found && len(w.rest) < longest {
			return len(p), nil
		}
		w.end()
		text = more
	}
}

func (w *lineWriter) end() {
	if line := bytes.TrimSuffix(w.rest, []byte("\r")); len(line) > 0 {
		w.each(string(line))
	}
	w.rest = w.rest[:0]
}
