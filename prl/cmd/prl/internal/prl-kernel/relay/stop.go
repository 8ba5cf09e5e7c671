//go:build unix

package relay

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/wire"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// again is the id of an interrupt that is repeated.
const again = "again"

// patience is how long what a cell has started may take to end after an interrupt; GoNB gives the cell itself as long.
const patience = 5 * time.Second

// stop ends what runs for the cell, as m asks, and repeats that until GoNB is done with it: between two programs nothing hears an
// interrupt. GoNB ends the program that it has started, and waits for all that holds its output.
func (x *run) stop(m wire.Message) {
	header, _ := json.Marshal(wire.Header{ID: again, Type: "interrupt_request", Version: "5.3"})
	first := map[int]time.Time{}
	for {
		if text, err := os.ReadFile(filepath.Join(x.relay.folder, "build.pid")); err == nil {
			if pid, err := strconv.Atoi(string(text)); err == nil && pid > 1 {
				syscall.Kill(pid, syscall.SIGINT)
			}
		} else {
			for _, pid := range x.started() {
				switch at, told := first[pid]; {
				case !told:
					first[pid] = time.Now()
					syscall.Kill(pid, syscall.SIGINT)
				case time.Since(at) > patience:
					syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		}
		x.relay.back.control.send(m)
		select {
		case <-x.done:
			return
		case <-time.After(50 * time.Millisecond):
			m = wire.Message{Header: header}
		}
	}
}

// started are the processes that programs of GoNB have started, also those whose parents have ended, where the system tells that. One in a
// group of its own is not to be interrupted.
func (x *run) started() (pids []int) {
	all := process.Descendants(x.relay.gonb)
	for _, pid := range all {
		pids = append(pids, process.Descendants(pid)...)
	}
	for _, pid := range process.Marked("GONB_TMP_DIR=" + x.relay.dir) {
		if !slices.Contains(all, pid) {
			pids = append(pids, pid)
		}
	}
	return slices.DeleteFunc(pids, func(pid int) bool {
		group, err := syscall.Getpgid(pid)
		return err != nil || group != syscall.Getpgrp()
	})
}
