//go:build unix

package process

import (
	"path/filepath"
	"syscall"
)

// Become replaces this program by another, which then has the terminal to itself. It returns only on failure.
func Become(program string, args, env []string) error {
	return syscall.Exec(program, append([]string{filepath.Base(program)}, args...), env)
}

// Alive reports whether a process with this id is there.
func Alive(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
