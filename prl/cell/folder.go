//go:build !js

package cell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Folder returns the folder of what is kept between cells: $PRL_CACHE, or else the folder prl of the user's cache directory.
func Folder() string {
	if dir := os.Getenv("PRL_CACHE"); dir != "" {
		return dir
	}
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "prl")
}

// Evict removes the files of a folder whose names end in suffix, those not used for longest first, until the ones left take at most room
// bytes; and files in *.tmp that an interrupted save left behind. Other programs may do the same at the same time, so a file that is gone
// already is no error.
func Evict(dir, suffix string, room int64) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	type entry struct {
		name string
		size int64
		used time.Time
	}
	var entries []entry
	total := int64(0)
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		switch {
		case strings.HasSuffix(f.Name(), suffix):
			entries = append(entries, entry{f.Name(), info.Size(), info.ModTime()})
			total += info.Size()
		case strings.HasSuffix(f.Name(), ".tmp") && time.Since(info.ModTime()) > time.Hour:
			os.Remove(filepath.Join(dir, f.Name()))
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.used.Compare(b.used) })
	for _, e := range entries {
		if total <= room {
			return
		}
		os.Remove(filepath.Join(dir, e.name))
		total -= e.size
	}
}
