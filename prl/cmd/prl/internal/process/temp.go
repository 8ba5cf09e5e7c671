package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// TempDir makes a temporary folder whose name holds the id of this process, so that RemoveStale knows when nobody uses it.
func TempDir(prefix string) (string, error) {
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", prefix, os.Getpid()))
}

// RemoveStale removes folders made by TempDir whose process is gone: what a machine that lost power has left.
func RemoveStale(prefixes ...string) {
	for _, prefix := range prefixes {
		dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
		for _, dir := range dirs {
			id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
			if pid, err := strconv.Atoi(id); err == nil && !alive(pid) {
				os.RemoveAll(dir)
			}
		}
	}
}
