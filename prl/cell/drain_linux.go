package cell

import (
	"syscall"
	"time"
	"unsafe"
)

// drain waits until the kernel has read what the program has printed, for at most the given time: the kernel reads printed text and
// displays by different pipes, and shows what it has read first.
func drain(longest time.Duration) {
	for deadline := time.Now().Add(longest); time.Now().Before(deadline); time.Sleep(50 * time.Microsecond) {
		left := 0
		for _, output := range []int{syscall.Stdout, syscall.Stderr} {
			var n int32
			syscall.Syscall(syscall.SYS_IOCTL, uintptr(output), syscall.TIOCINQ, uintptr(unsafe.Pointer(&n))) // 0 if it is no pipe
			left += int(n)
		}
		if left == 0 {
			return
		}
	}
}
