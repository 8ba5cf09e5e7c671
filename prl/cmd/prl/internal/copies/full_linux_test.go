package copies

import (
	"maps"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk has no room for the files to be written: the copies stay as they were, with nothing half beside them, and all is done when
// there is room again.
func TestFullDisk(t *testing.T) {
	const most = 1 << 20 // of a file: more than go test writes itself
	long := strings.Repeat("!", most)
	from, folder, old := t.TempDir(), t.TempDir(), t.TempDir()
	put(t, from, map[string]string{"01-a.ipynb": chapterText("one")})
	if _, err := Sync(from, folder, Options{}); err != nil {
		t.Fatal(err)
	}
	put(t, folder, map[string]string{"01-a.ipynb": chapterText("mine" + long)})
	put(t, from, map[string]string{"01-a.ipynb": chapterText("two" + long), "02-b.ipynb": chapterText("new" + long)})
	put(t, old, map[string]string{"term.ipynb": chapterText("the work of a term" + long)})
	before := files(t, folder)
	var room syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &room); err != nil {
		t.Fatal(err)
	}
	full := func(is bool) {
		limit := room
		if is {
			limit.Cur = most
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
	}
	full(true)
	_, synced := Sync(from, folder, Options{Merge: true})
	_, took := TakeOver(old, folder)
	full(false)
	if synced == nil || took == nil {
		t.Fatalf("a full disk is no error: %v, %v", synced, took)
	}
	if after := files(t, folder); !maps.Equal(before, after) {
		t.Errorf("%v", after)
	}
	if got := files(t, old); len(got) != 1 {
		t.Errorf("the old folder has %v", got)
	}
	if _, err := Sync(from, folder, Options{Merge: true}); err != nil {
		t.Fatal(err)
	}
	if n, err := TakeOver(old, folder); n != 1 || err != nil {
		t.Error(n, err)
	}
	if after := files(t, folder); after["term.ipynb"] != chapterText("the work of a term"+long) || after["02-b.ipynb"] == "" {
		t.Errorf("%v", after)
	}
}
