//go:build !linux

package sandbox

import (
	"errors"
	"os/exec"
)

const self = ""

const remedy = `It is made of namespaces of Linux. On another system collect in a virtual machine with Linux; on Windows, in WSL 2.`

// Init does nothing: only on Linux can this process be a sandbox.
func Init() {}

func isolate(*exec.Cmd) error { return errors.New("it needs Linux") }

func taken([]int) (threads int, bytes uint64) { return 0, 0 }

func root() bool { return false }

// Give does nothing: there is no sandbox.
func Give(...string) error { return nil }
