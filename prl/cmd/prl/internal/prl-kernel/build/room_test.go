package build

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// TestMakeRoom fills a folder with old and new files and finds it within its limit, the old ones gone sooner, and one that was of use
// lately counted among the new.
func TestMakeRoom(t *testing.T) {
	folder, program := t.TempDir(), filepath.Join(t.TempDir(), "program")
	const files, size = 200, 100
	path := func(i int) string { return filepath.Join(folder, strconv.Itoa(i)) }
	for i := range 2 * files { // the first half is old
		if err := os.WriteFile(path(i), make([]byte, size), 0o644); err != nil {
			t.Fatal(err)
		}
		if i < files {
			then := time.Now().Add(-time.Hour)
			if err := os.Chtimes(path(i), then, then); err != nil {
				t.Fatal(err)
			}
		}
	}
	if take(filepath.Join(folder, "none"), program) {
		t.Error("a program that is not there was taken")
	}
	for i := range files / 2 {
		os.Remove(program)
		if !take(path(i), program) {
			t.Fatalf("program %d was not taken", i)
		}
	}
	makeRoom(folder, files*size)
	left := map[bool]int{} // by whether they were of use lately
	for i := range 2 * files {
		if _, err := os.Stat(path(i)); err == nil {
			left[i < files/2 || i >= files]++
		}
	}
	if left[true]+left[false] != files {
		t.Errorf("%d files are left, want %d", left[true]+left[false], files)
	}
	// 17 of 100 are left on average, and more than 35 once in a million times; 50 if any file went.
	if left[false] > 35 {
		t.Errorf("%d of %d old files are left, and %d of the others", left[false], files/2, left[true])
	}
	makeRoom(folder, 0)
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("%d files are left, %v", len(entries), err)
	}
}
