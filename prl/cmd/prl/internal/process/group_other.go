//go:build !unix

package process

import "os/exec"

func ownGroup(*exec.Cmd) {}

// KillGroup kills what is left of the process group of a command that has ended.
func KillGroup(*exec.Cmd) {}
