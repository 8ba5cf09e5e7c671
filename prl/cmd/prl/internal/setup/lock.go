package setup

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

// A labLock keeps other set-ups out of the clone. Its file says who works there and at what, for those who wait. What set-up runs inherits
// the file: should set-up be killed, the clone stays locked until pip or go, which go on for a while, have ended.
type labLock struct{ file *os.File }

// lockPoll is how often a set-up that waits looks again.
const lockPoll = 100 * time.Millisecond

// takeLock waits until no other set-up works in the clone, or until ctx ends. It calls waiting with what the other is at, at once and
// whenever that changes.
func takeLock(ctx context.Context, path string, waiting func(holder string)) (*labLock, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	told := ""
	for polls := 0; ; polls++ {
		switch err := tryLock(file); {
		case err == nil:
			return &labLock{file}, nil
		case !errors.Is(err, errLocked):
			file.Close()
			return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
		}
		holder := lockHolder(file)
		if holder != told && (holder != unknownHolder || polls > 9) {
			waiting(holder)
			told = holder
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			file.Close()
			return nil, fmt.Errorf("waited for another set-up in this clone, %s: %w", holder, context.Cause(ctx))
		}
	}
}

// Lock keeps other processes of the lab out of one piece of work, until release is called. It waits for one that is at it, and calls
// waiting with what that is at. The folder of the file at path must be there.
func Lock(ctx context.Context, path, at string, waiting func(holder string)) (release func(), err error) {
	lock, err := takeLock(ctx, path, waiting)
	if err != nil {
		return nil, err
	}
	lock.say(at)
	return lock.release, nil
}

// say notes what this set-up is at.
func (l *labLock) say(at string) {
	if l.file.Truncate(0) == nil {
		fmt.Fprintf(io.NewOffsetWriter(l.file, 0), "%d\n%s\n%s\n", os.Getpid(), time.Now().Format("15:04:05"), at)
	}
}

func (l *labLock) release() {
	l.file.Truncate(0)
	unlock(l.file) // closing alone would leave it to what has inherited the file
	l.file.Close()
}

// unknownHolder is one that has not yet said what it does.
const unknownHolder = "which has just begun"

// lockHolder reads who has the lock.
func lockHolder(file *os.File) string {
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
