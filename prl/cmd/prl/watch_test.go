package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestWatchFolder removes the folder of a lab, puts another in its place, and has a file where it cannot be made again.
func TestWatchFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "notebooks")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	told, done := make(chan string, 9), make(chan bool)
	var ended atomic.Bool
	looks := make(chan bool, 1)
	go func() {
		watchFolder(folder, func() bool {
			select {
			case looks <- true:
			default:
			}
			return !ended.Load()
		}, time.Millisecond, func(text string) { told <- text })
		close(done)
	}()
	hears := func(want string) {
		t.Helper()
		select {
		case text := <-told:
			if !strings.Contains(text, want) || !strings.Contains(text, folder) {
				t.Errorf("it says %q", text)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("it says nothing")
		}
	}
	<-looks
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	hears("save each notebook that is open")
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		t.Errorf("the folder is not made again: %v", err)
	}
	other := t.TempDir()
	if err := os.Rename(folder, folder+"-moved"); err != nil {
		t.Fatal(err)
	}
	os.Rename(other, folder)
	select {
	case text := <-told: // whether it was gone for a moment is a matter of luck
		if !strings.Contains(text, folder) {
			t.Errorf("it says %q", text)
		}
	case <-time.After(10 * time.Second):
		t.Error("another folder is not told")
	}
	ended.Store(true)
	<-done
}
