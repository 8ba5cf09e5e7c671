//go:build unix

package lock

import (
	"errors"
	"os"
	"syscall"
)

// errLocked says that another has the lock.
var errLocked = syscall.EWOULDBLOCK

func tryLock(file *os.File) error {
	for {
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func unlock(file *os.File) { syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

func lives(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
