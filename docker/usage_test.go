//go:build image && linux

package docker

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
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
// so that the sum over all users is what the machine needs), by the name of the program too, and what processor time they and their ended
// children have used.
func usage(uid int) (memory float64, parts map[string]float64, cpu time.Duration) {
	parts = map[string]float64{}
	for _, dir := range processes(uid) {
		rollup, _ := os.ReadFile(dir + "/smaps_rollup")
		name, _ := os.ReadFile(dir + "/comm")
		for line := range strings.Lines(string(rollup)) {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
				k, _ := strconv.ParseFloat(fields[1], 64)
				memory += k * 1024
				parts[strings.TrimSpace(string(name))] += k * 1024
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
	return memory, parts, cpu
}

// watchUsers looks at the users' memory again and again until the first function that it returns is called, which gives each one's peak
// and, under key 0, the peak of their sum. The second then tells which programs had that, the largest first.
func watchUsers(uids ...int) (end func() map[int]float64, parts func() string) {
	stop, done := make(chan bool), make(chan map[int]float64)
	highest := map[string]float64{}
	go func() {
		peak := map[int]float64{}
		for {
			sum, by := 0.0, map[string]float64{}
			for _, uid := range uids {
				memory, parts, _ := usage(uid)
				peak[uid] = max(peak[uid], memory)
				sum += memory
				for name, part := range parts {
					by[name] += part
				}
			}
			if sum > peak[0] {
				peak[0], highest = sum, by
			}
			select {
			case <-stop:
				done <- peak
				return
			case <-time.After(500 * time.Millisecond):
			}
		}
	}()
	return func() map[int]float64 { close(stop); return <-done }, func() string {
		var b strings.Builder
		for _, name := range slices.SortedFunc(maps.Keys(highest), func(a, b string) int { return cmp.Compare(highest[b], highest[a]) }) {
			if highest[name] > 5e6 {
				fmt.Fprintf(&b, " %s %.0f", name, highest[name]/1e6)
			}
		}
		return b.String()
	}
}
