package main

import (
	"syscall"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// adoptOrphans makes this process the parent of every descendant whose own parent dies.
func adoptOrphans() {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER in linux/prctl.h
	syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
}

// dieWithParent asks that GoNB gets SIGTERM, on which it cleans up, even when this process is killed.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}

// endDescendants kills what GoNB has left: all of it is a child of this process by now, or becomes one as its parent dies.
func endDescendants() {
	for range 100 {
		rest := process.Descendants(syscall.Getpid())
		if len(rest) == 0 {
			return
		}
		for _, pid := range rest {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		for {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 || err != nil {
				break
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
}
