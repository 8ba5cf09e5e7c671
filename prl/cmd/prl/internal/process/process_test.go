package process

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestCommandEndsTheWholeGroup(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cmd := Command(ctx, "sh", "-c", "sleep 60 & sleep 60; wait")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var children []int
	for deadline := time.Now().Add(5 * time.Second); len(children) < 2 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		children = Descendants(cmd.Process.Pid)
	}
	if len(children) != 2 {
		t.Fatalf("%d descendants, want 2", len(children))
	}
	if !slices.Contains(Descendants(os.Getpid()), children[0]) {
		t.Error("a grandchild is not among the descendants")
	}
	cancel()
	cmd.Wait()
	KillGroup(cmd)
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		listed := parents()
		if !slices.ContainsFunc(children, func(pid int) bool { _, lives := listed[pid]; return lives }) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("children live on")
		}
	}
}

func TestRemoveStale(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	mine, err := TempDir("prl-test-")
	if err != nil {
		t.Fatal(err)
	}
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	stale := filepath.Join(os.TempDir(), "prl-test-"+strconv.Itoa(ended.Process.Pid)+"-1")
	if err := os.Mkdir(stale, 0o700); err != nil {
		t.Fatal(err)
	}
	RemoveStale("prl-test-")
	if _, err := os.Stat(mine); err != nil {
		t.Error("the folder of a living process was removed")
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("the folder of a dead process is still there")
	}
}

func TestParsePairs(t *testing.T) {
	got := parsePairs("    1     0\n  417   1\nnonsense\n")
	if len(got) != 2 || got[417] != 1 {
		t.Errorf("got %v", got)
	}
}
