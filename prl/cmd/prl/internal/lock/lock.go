// Package lock keeps processes of the lab out of each other's way.
package lock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Lock keeps other processes out of one piece of work. Its file says who is at it, for those who wait. A holder may hand the file to the
// programs that it runs: should it be killed, the work stays locked until these, which go on for a while, have ended.
type Lock struct{ File *os.File }

// poll is how often a process that waits looks again.
const poll = 100 * time.Millisecond

// Take waits until no other process has the lock, or until ctx ends. It calls waiting with what the other is at, at once and whenever that
// changes. The folder of the file at path must be there.
func Take(ctx context.Context, path string, waiting func(holder string)) (*Lock, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	told := ""
	for polls := 0; ; polls++ {
		switch err := tryLock(file); {
		case err == nil:
			return &Lock{file}, nil
		case !errors.Is(err, errLocked):
			file.Close()
			return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
		}
		holder := holderOf(file)
		if holder != told && (holder != unknownHolder || polls > 9) {
			waiting(holder)
			told = holder
		}
		select {
		case <-time.After(poll):
		case <-ctx.Done():
			file.Close()
			return nil, fmt.Errorf("waited for another process of this clone, %s: %w", holder, context.Cause(ctx))
		}
	}
}

// Say notes what the holder is at.
func (l *Lock) Say(at string) {
	if l.File.Truncate(0) == nil {
		fmt.Fprintf(io.NewOffsetWriter(l.File, 0), "%d\n%s\n%s\n", os.Getpid(), time.Now().Format("15:04:05"), at)
	}
}

// Release lets the next one take the lock.
func (l *Lock) Release() {
	l.File.Truncate(0)
	unlock(l.File) // closing alone would leave it to what has inherited the file
	l.File.Close()
}

// unknownHolder is one that has not yet said what it does.
const unknownHolder = "which has just begun"

// holderOf reads who has the lock.
func holderOf(file *os.File) string {
	text, _ := io.ReadAll(io.NewSectionReader(file, 0, 1000))
	facts := strings.Split(string(text), "\n")
	pid, err := strconv.Atoi(facts[0])
	if err != nil || len(facts) < 3 {
		return unknownHolder
	}
	if !lives(pid) {
		return fmt.Sprintf("whose process %d was killed at %q and has left a program that still runs", pid, facts[2])
	}
	return fmt.Sprintf("process %d, which is at %q since %s", pid, facts[2], facts[1])
}
