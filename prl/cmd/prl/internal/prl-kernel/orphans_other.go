//go:build unix && !linux

package main

import (
	"syscall"

	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

func adoptOrphans() {}

func dieWithParent() *syscall.SysProcAttr { return nil }

// endDescendants kills what is still a child; without a way to adopt orphans that is all that can be known.
func endDescendants() {
	for _, pid := range process.Descendants(syscall.Getpid()) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}
