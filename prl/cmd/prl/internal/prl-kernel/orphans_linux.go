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

// endDescendants kills what GoNB has left: all of it is a child of this process by now, or becomes one as its parent dies. It ends when the
// system says that there is no child any more; a list of processes may lack one that was started while the list was made.
func endDescendants() {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for _, pid := range process.Descendants(syscall.Getpid()) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if err == syscall.ECHILD {
				return
			}
			if pid <= 0 && err != syscall.EINTR {
				break
			}
		}
	}
}
