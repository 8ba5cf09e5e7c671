package estimator

import (
	"math"
	"syscall"
)

// machineMemory returns the bytes of memory of this machine.
func machineMemory() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return math.MaxInt64
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
