//go:build unix

package bench

import "syscall"

// cpuSeconds is the processor time the process has used so far, on all its threads, or -1.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return -1
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
