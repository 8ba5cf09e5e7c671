//go:build linux

package collect

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/copies"
)

// term leads a student's work through a term on the student's own machine and hands in what is there at its end, at a path: the lab places
// the chapter, the student works in the copy, the folder .prl is deleted, and a correction comes twice, first while the disk is full.
func term(t *testing.T, work cells, outputs map[string]string, path string) {
	t.Helper()
	from, clone, home := t.TempDir(), t.TempDir(), os.Getenv("HOME")
	os.Setenv("HOME", t.TempDir())
	defer os.Setenv("HOME", home)
	folder, err := copies.Home(clone)
	if err != nil {
		t.Fatal(err)
	}
	quiz().write(t, filepath.Join(from, "90-quiz.ipynb"), nil)
	if _, err := copies.Sync(from, folder, copies.Options{}); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(folder, "90-quiz.ipynb")
	work.write(t, own, outputs)
	saved, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(clone, ".prl", "notebooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(clone, ".prl")); err != nil {
		t.Fatal(err)
	}
	corrected := quiz()
	const room = 2 << 20 // of a full disk: more than what else this process writes, and less than the correction
	corrected[0][2] += "\n// a correction" + strings.Repeat("!", room)
	corrected.write(t, filepath.Join(from, "90-quiz.ipynb"), nil)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: room, Max: limit.Max})
	_, err = copies.Sync(from, folder, copies.Options{Merge: true})
	syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
	if now, _ := os.ReadFile(own); err == nil || !bytes.Equal(now, saved) {
		t.Errorf("on a full disk: %v, and %d of %d bytes are there", err, len(now), len(saved))
	}
	if again, err := copies.Home(clone); err != nil || again != folder {
		t.Errorf("the next start finds %s, not %s: %v", again, folder, err)
	}
	if _, err := copies.Sync(from, folder, copies.Options{Merge: true}); err != nil {
		t.Error(err)
	}
	now, err := os.ReadFile(own)
	if err != nil || !strings.Contains(string(now), "// a correction") {
		t.Errorf("the correction has not come: %v\n%s", err, now)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, now, 0o644); err != nil {
		t.Fatal(err)
	}
}
