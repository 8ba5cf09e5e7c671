// Package process starts children that can be ended together with all that they have started.
package process

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Grace is the time a child has to end by itself after it was asked to.
const Grace = 4 * time.Second

// Command is exec.CommandContext for a child in a process group of its own: ^C at the terminal does not reach it. When ctx ends
// the group is asked to end and, after Grace, killed.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	ownGroup(cmd)
	cmd.WaitDelay = Grace
	return cmd
}

// Descendants lists the children of pid, their children and so on.
func Descendants(pid int) []int {
	children := map[int][]int{}
	for child, parent := range parents() {
		children[parent] = append(children[parent], child)
	}
	var all []int
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		all = append(all, children[queue[0]]...)
		queue = append(queue, children[queue[0]]...)
	}
	return all
}

// parsePairs reads lines of two numbers, as ps -o pid=,ppid= prints them.
func parsePairs(text string) map[int]int {
	pairs := map[int]int{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			continue
		}
		pid, err1 := strconv.Atoi(fields[0])
		parent, err2 := strconv.Atoi(fields[1])
		if err1 == nil && err2 == nil {
			pairs[pid] = parent
		}
	}
	return pairs
}
