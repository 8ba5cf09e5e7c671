//go:build image && linux

package docker

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// processes are the folders in /proc of a user's processes, without the test's own visitor.
func processes(uid int) []string {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	return slices.DeleteFunc(folders, func(dir string) bool {
		status, _ := os.ReadFile(dir + "/status")
		line, _ := os.ReadFile(dir + "/cmdline")
		return !bytes.Contains(status, fmt.Appendf(nil, "\nUid:\t%d\t", uid)) || bytes.Contains(line, []byte("visit.py"))
	})
}

// mentions are the command lines and environments of a user's processes in which a text stands.
func mentions(uid int, text string) []string {
	var all []string
	for _, dir := range processes(uid) {
		for _, name := range []string{"/environ", "/cmdline"} {
			if data, _ := os.ReadFile(dir + name); bytes.Contains(data, []byte(text)) {
				all = append(all, dir+name)
			}
		}
	}
	return all
}

// usage sums over the processes of a user what memory they take (proportional set size: pages that several share are shared out among them,
// so that the sum over all users is what the machine needs) and what processor time they and their ended children have used.
func usage(uid int) (memory float64, cpu time.Duration) {
	for _, dir := range processes(uid) {
		rollup, _ := os.ReadFile(dir + "/smaps_rollup")
		for line := range strings.Lines(string(rollup)) {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
				k, _ := strconv.ParseFloat(fields[1], 64)
				memory += k * 1024
			}
		}
		stat, _ := os.ReadFile(dir + "/stat")
		_, rest, _ := strings.Cut(string(stat), ") ")
		if fields := strings.Fields(rest); len(fields) > 14 {
			for _, at := range []int{11, 12, 13, 14} { // utime, stime, cutime, cstime in ticks of 10 ms
				ticks, _ := strconv.Atoi(fields[at])
				cpu += time.Duration(ticks) * 10 * time.Millisecond
			}
		}
	}
	return memory, cpu
}

// watchUsers looks at the users' memory again and again until the function it returns is called, which gives each one's peak and, under key
// 0, the peak of their sum.
func watchUsers(uids ...int) func() map[int]float64 {
	stop, done := make(chan bool), make(chan map[int]float64)
	go func() {
		peak := map[int]float64{}
		for {
			sum := 0.0
			for _, uid := range uids {
				memory, _ := usage(uid)
				peak[uid] = max(peak[uid], memory)
				sum += memory
			}
			peak[0] = max(peak[0], sum)
			select {
			case <-stop:
				done <- peak
				return
			case <-time.After(500 * time.Millisecond):
			}
		}
	}()
	return func() map[int]float64 { close(stop); return <-done }
}
