package build

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
)

// storeLimit is the size of all finished programs that are kept, in bytes, and of all packages; goenv.RoomVar gives them another.
const storeLimit = 2 << 30

func room() int64 {
	if gigabytes, err := strconv.ParseFloat(os.Getenv(goenv.RoomVar), 64); err == nil && gigabytes >= 0 {
		return int64(gigabytes * (1 << 30))
	}
	return storeLimit
}

// take puts a finished program that is kept where the cell's is to be, and notes that it was of use.
func take(finished, output string) bool {
	if os.Link(finished, output) != nil {
		return false
	}
	now := time.Now()
	os.Chtimes(finished, now, now)
	return true
}

// keep stores a finished program, or a package, and now and then makes room.
func keep(program, finished string) {
	const every = 16
	if os.MkdirAll(filepath.Dir(finished), 0o755) == nil && os.Link(program, finished) == nil && rand.IntN(every) == 0 {
		makeRoom(filepath.Dir(finished), room())
	}
}

// makeRoom removes files until what is left takes no more than limit bytes. Of a few that it draws, that goes which was of use longest ago:
// so programs of a library that has changed since go soon, and yet a notebook that does not fit and is run from top to bottom again finds
// some of its own, which it would not if always the oldest of all went.
func makeRoom(folder string, limit int64) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	var files []os.FileInfo
	var total int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			files, total = append(files, info), total+info.Size()
		}
	}
	const drawn = 3
	for total > limit && len(files) > 0 {
		i := rand.IntN(len(files))
		for range drawn - 1 {
			if j := rand.IntN(len(files)); files[j].ModTime().Before(files[i].ModTime()) {
				i = j
			}
		}
		if os.Remove(filepath.Join(folder, files[i].Name())) == nil {
			total -= files[i].Size()
		}
		files[i] = files[len(files)-1]
		files = files[:len(files)-1]
	}
}
