//go:build !linux

package process

import (
	"errors"
	"time"
)

// CPU is known on Linux only.
func CPU(int) (time.Duration, error) {
	return 0, errors.New("the processor time of other processes is read from /proc, which only Linux has")
}
