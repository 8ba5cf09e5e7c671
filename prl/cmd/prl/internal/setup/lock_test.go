//go:build unix

package setup

import (
	"bufio"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/lock"
)

// ensure calls lab.Ensure and fails the test if it does not end.
func ensure(t *testing.T, ctx context.Context, lab *Lab) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- lab.Ensure(ctx) }()
	select {
	case err := <-done:
		return err
	case <-time.After(2 * time.Minute):
		t.Fatal("set-up waits without end")
		return nil
	}
}

// bareLab is a clone with what set-up reads before its first step.
func bareLab(t *testing.T) (*Lab, fmt.Stringer) {
	t.Helper()
	lab, out := emptyLab(t)
	for name, text := range map[string]string{
		"go.mod":                            "module github.com/prlab/prlab\n\ngo 1.26\n",
		"main.go":                           "package main\n\nfunc main() {}\n",
		"notebooks/kernel/requirements.txt": "one==1\n",
	} {
		if err := writeFile(lab.Path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return lab, out
}

// writer is a function that stands where a writer is wanted.
type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// A set-up that waits says for whom, and ends when it is interrupted.
func TestWaitingForTheLock(t *testing.T) {
	lab, _ := bareLab(t)
	if err := os.Mkdir(lab.State(), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	var said strings.Builder
	lab.Console = console.New(writer(func(p []byte) (int, error) { cancel(errors.New("enough")); return said.Write(p) }))
	other, err := lock.Take(t.Context(), lab.State("lock"), func(string) { t.Error("it waits for nobody") })
	if err != nil {
		t.Fatal(err)
	}
	other.Say("JupyterLab")
	holder := fmt.Sprintf("process %d, which is at %q since ", os.Getpid(), "JupyterLab")
	err = ensure(t, ctx, lab)
	if err == nil || !strings.Contains(err.Error(), "waited for another process of this clone, "+holder) ||
		!strings.HasSuffix(err.Error(), ": enough") {
		t.Errorf("got %v", err)
	}
	if said := said.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, holder) {
		t.Errorf("said %q", said)
	}
	if _, err := FindGo(ctx, lab.Machine, lab.Path(), "go1.26"); err == nil || err.Error() != "enough" {
		t.Errorf("an interrupt is taken for a fault of Go: %v", err)
	}
	if _, err := FindPython(ctx, lab.Machine); err == nil || err.Error() != "enough" {
		t.Errorf("an interrupt is taken for a fault of Python: %v", err)
	}
	var told []string
	taken, err := lock.Take(t.Context(), lab.State("lock"), func(holder string) {
		told = append(told, holder)
		if len(told) == 1 {
			other.Say("Go modules")
		} else {
			other.Release()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Release()
	if len(told) < 2 || !strings.Contains(told[1], `"Go modules"`) {
		t.Errorf("told %q", told)
	}
}

// Where all is done nobody is waited for and nothing is written: here the lock cannot even be opened.
func TestNoLockWhereAllIsDone(t *testing.T) {
	lab, out := bareLab(t)
	var err error
	if lab.Go, err = FindGo(t.Context(), lab.Machine, lab.Path(), "go1.26"); err != nil {
		t.Fatal(err)
	}
	steps, err := lab.steps()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if err := lab.stamp(s.name, s.key); err != nil {
			t.Fatal(err)
		}
		for _, path := range s.there {
			if _, err := os.Stat(path); err != nil {
				if err := writeFile(path, nil, 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := os.Mkdir(lab.State("lock"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := ensure(t, t.Context(), lab); err != nil || out.String() != "" {
		t.Errorf("%v, said %q", err, out.String())
	}
	os.Remove(lab.State("shim", "go"))
	if err := ensure(t, t.Context(), lab); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("with a file of the launcher's step gone: %v", err)
	}
}

// A set-up that is killed leaves pip or go, which go on in .prl; the next set-up waits for them.
func TestKilledSetUpKeepsTheLock(t *testing.T) {
	if at := os.Getenv("PRL_TEST_LOCK"); at != "" { // the set-up to be killed
		held, err := lock.Take(t.Context(), at, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		held.Say("JupyterLab")
		lab := &Lab{Machine: ThisMachine(), Console: console.New(os.Stderr), held: held}
		lab.runEnv(
			t.Context(),
			os.Environ(),
			"",
			func(line string) { fmt.Println("left", line) },
			"sh",
			"-c",
			"echo $$; exec sleep 600 >/dev/null 2>&1",
		)
		return
	}
	at := filepath.Join(t.TempDir(), "lock")
	killed := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledSetUpKeepsTheLock$")
	killed.Env = append(os.Environ(), "PRL_TEST_LOCK="+at)
	out, err := killed.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	left := 0
	for lines := bufio.NewScanner(out); left == 0 && lines.Scan(); {
		if id, found := strings.CutPrefix(lines.Text(), "left "); found {
			left, _ = strconv.Atoi(id)
		}
	}
	killed.Process.Kill()
	killed.Wait()
	if left == 0 {
		t.Fatal("the set-up did not start its program")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var told []string
	taken, err := lock.Take(ctx, at, func(holder string) {
		told = append(told, holder)
		syscall.Kill(left, syscall.SIGKILL)
	})
	if err != nil {
		syscall.Kill(left, syscall.SIGKILL)
		t.Fatal(err)
	}
	taken.Release()
	if want := fmt.Sprintf("whose process %d was killed at %q", killed.Process.Pid, "JupyterLab"); len(told) != 1 ||
		!strings.Contains(told[0], want) {
		t.Errorf("told %q, want %s", told, want)
	}
}

// A kernel that is started while set-up renews the programs finds the old ones or the new ones.
func TestProgramsAreNeverMissing(t *testing.T) {
	lab, _ := bareLab(t)
	var err error
	if lab.Go, err = FindGo(t.Context(), lab.Machine, lab.Path(), "go1.26"); err != nil {
		t.Fatal(err)
	}
	link := lab.State("shim", "prlab")
	if err := os.MkdirAll(lab.State("shim"), 0o755); err != nil {
		t.Fatal(err)
	}
	renew := func() {
		if err := lab.build(t.Context(), lab.Path(), nil, "-ldflags=-X=main.v="+strconv.FormatInt(time.Now().UnixNano(), 36), "."); err != nil {
			t.Error(err)
		}
		for range 100 {
			if err := replaceLink(lab.Bin("prlab"), link); err != nil {
				t.Error(err)
			}
		}
	}
	renew()
	renewed := make(chan bool)
	go func() { renew(); renew(); close(renewed) }()
	for {
		select {
		case <-renewed:
			return
		default:
			if _, err := buildinfo.ReadFile(link); err != nil {
				<-renewed
				t.Fatal(err)
			}
		}
	}
}
