//go:build !unix

package lock

import (
	"errors"
	"os"
)

// errLocked is never met here: the lab refuses to work on Windows.
var errLocked = errors.New("locked")

func tryLock(*os.File) error { return nil }

func unlock(*os.File) {}

func lives(int) bool { return true }
