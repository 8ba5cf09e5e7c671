package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of /proc/PID/stat, which is the same on all machines.
const tick = 10 * time.Millisecond

// CPU is the processor time that a process and its descendants have used, those included that have ended and whose end was collected. It is
// known to a hundredth of a second for each process that lives.
func CPU(pid int) (total time.Duration, err error) {
	for _, id := range append([]int{pid}, Descendants(pid)...) {
		stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(id), "stat"))
		if err != nil {
			if id == pid {
				return 0, err
			}
			continue // it has ended; who collects its end has its time
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 15 {
			return 0, fmt.Errorf("/proc/%d/stat cannot be read", id)
		}
		for _, field := range fields[11:15] { // utime, stime, and those of ended children
			n, err := strconv.Atoi(field)
			if err != nil {
				return 0, fmt.Errorf("/proc/%d/stat: %w", id, err)
			}
			total += time.Duration(n) * tick
		}
	}
	return total, nil
}
