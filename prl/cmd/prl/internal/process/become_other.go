//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// Become runs another program in the place of this one.
func Become(program string, args, env []string) error {
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

// Alive reports whether a process with this id is there.
func Alive(pid int) bool { _, err := os.FindProcess(pid); return err == nil }
