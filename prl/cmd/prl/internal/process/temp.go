package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The kinds of temporary folders that TempDir makes.
const (
	RunFolder      = "prl-run-"
	KernelFolder   = "prl-kernel-"
	WarmFolder     = "prl-warm-"
	HandoutsFolder = "prl-handouts-"
	MutateFolder   = "prl-mutate-"
	LiveFolder     = "prl-live-"
	LiteFolder     = "prl-lite-"
)

// TempDir makes a temporary folder of a kind. Its name holds the id of this process, so that RemoveStale knows when nobody uses it.
func TempDir(kind string) (string, error) {
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", kind, os.Getpid()))
}

// RemoveStale removes folders made by TempDir whose process is gone: what one that was killed, or a machine that lost power, has left.
func RemoveStale() {
	for _, kind := range []string{RunFolder, KernelFolder, WarmFolder, HandoutsFolder, MutateFolder, LiveFolder, LiteFolder} {
		dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), kind+"*"))
		for _, dir := range dirs {
			id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), kind), "-")
			if pid, err := strconv.Atoi(id); err == nil && !Alive(pid) {
				os.RemoveAll(dir)
			}
		}
	}
}
