package process

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	for deadline := time.Now().Add(30 * time.Second); len(children) < 2 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
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
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
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
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{RunFolder, KernelFolder, WarmFolder, HandoutsFolder} {
		mine, err := TempDir(kind)
		if err != nil {
			t.Fatal(err)
		}
		stale := filepath.Join(os.TempDir(), kind+strconv.Itoa(ended.Process.Pid)+"-1")
		if err := os.Mkdir(stale, 0o700); err != nil {
			t.Fatal(err)
		}
		RemoveStale()
		if _, err := os.Stat(mine); err != nil {
			t.Errorf("%s: the folder of a living process was removed", kind)
		}
		if _, err := os.Stat(stale); err == nil {
			t.Errorf("%s: the folder of a dead process is still there", kind)
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	for script, want := range map[string][]string{
		"echo one; echo two >&2; printf three":                           {"one", "two", "three"},
		"printf 'a\\r\\n\\nb\\n'":                                        {"a", "b"},
		"head -c 3145728 /dev/zero | tr '\\0' x; echo; echo end; exit 3": {long, "end"},
	} {
		var got []string
		err := Lines(Command(t.Context(), "sh", "-c", script), func(line string) { got = append(got, line) })
		if !slices.Equal(got, want) || (err != nil) != strings.Contains(script, "exit") {
			t.Errorf("%s: %d lines, %v", script, len(got), err)
		}
	}
}

// TestLinesDoNotWaitForWhatIsLeft has a process that holds the pipe when the command has ended.
func TestLinesDoNotWaitForWhatIsLeft(t *testing.T) {
	cmd := Command(t.Context(), "sh", "-c", "sleep 600 & echo $!")
	cmd.WaitDelay = 200 * time.Millisecond
	var got []string
	if err := Lines(cmd, func(line string) { got = append(got, line) }); err != nil || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestParsePairs(t *testing.T) {
	got := parsePairs("    1     0\n  417   1\nnonsense\n")
	if len(got) != 2 || got[417] != 1 {
		t.Errorf("got %v", got)
	}
}
