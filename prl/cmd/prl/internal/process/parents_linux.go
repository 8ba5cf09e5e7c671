package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// parents maps each process to its parent. A process that has ended and only waits to be collected is not listed.
func parents() map[int]int {
	pairs := map[int]int{}
	for _, pid := range pids() {
		stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		if err != nil {
			continue
		}
		// The second field is the name in parentheses, which may itself hold blanks and parentheses.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			pairs[pid] = parent
		}
	}
	return pairs
}

func pids() []int {
	entries, _ := os.ReadDir("/proc")
	var all []int
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// Marked lists the processes, other than this one, that have the entry "NAME=value" in their environment.
func Marked(entry string) []int {
	var found []int
	for _, pid := range pids() {
		env, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
		if err == nil && pid != os.Getpid() && bytes.Contains(append(append([]byte{0}, env...), 0), []byte("\x00"+entry+"\x00")) {
			found = append(found, pid)
		}
	}
	return found
}

// Sweep waits until no process carries the entry in its environment and kills those that still do after patience.
func Sweep(entry string, patience time.Duration) {
	// A process that dies while the list is made may have started another that is too young to be on it, so one empty list proves nothing.
	empty := 0
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		left := Marked(entry)
		if len(left) > 0 {
			empty = 0
		} else if empty++; empty == 2 {
			return
		}
		if time.Now().After(deadline.Add(10 * time.Second)) { // a killed process needs a processor to end
			return
		}
		if time.Now().After(deadline) {
			for _, pid := range left {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}
