//go:build unix

package execute_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// open makes a session with the lab's real kernel. Its temporary folder is the test's own, and the test fails if a process or a
// file of the session is left when it has closed.
func open(t *testing.T) (context.Context, *execute.Session) {
	t.Helper()
	// At the limit of go test all tests would end, and nobody would know for what this one has waited.
	limit := time.Now().Add(patience)
	if end, limited := t.Deadline(); limited && end.Add(-20*time.Second).Before(limit) {
		limit = end.Add(-20 * time.Second)
	}
	ctx, cancel := context.WithDeadlineCause(t.Context(), limit, errors.New("the test takes too long"))
	t.Cleanup(cancel)
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	lab := &setup.Lab{Checkout: root, Machine: setup.ThisMachine(), Console: console.New(os.Stderr)}
	if err := lab.Ensure(ctx); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	session, err := execute.Open(lab)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		if left := process.Marked("TMPDIR=" + temp); len(left) > 0 {
			t.Errorf("processes left behind: %v", left)
		}
	})
	return ctx, session
}

// patience is the longest time for one test on a machine that is busy with other things; most take seconds.
const patience = 5 * time.Minute

// TestKernelSurvives sends one kernel, which completes too, through everything that can go wrong in a cell.
func TestKernelSurvives(t *testing.T) {
	ctx, session := open(t)
	kernel, err := session.Talk(ctx, t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(r execute.Request) execute.Answer {
		t.Helper()
		a, err := kernel.Ask(r)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	next := func(after string) {
		t.Helper()
		if a := ask(execute.Request{Code: "%%\nfmt.Println(\"next\")"}); a.Status != "ok" || a.Stdout != "next\n" {
			t.Errorf("the cell after %s: %+v", after, a)
		}
	}
	next("the start")

	a := ask(execute.Request{Code: "%%\nvar m map[string]int\nm[\"a\"] = 1"})
	if a.Status != "error" || a.Error != "assignment to entry in nil map" ||
		!strings.Contains(a.Trace, "line 3: assignment to entry in nil map\n  3 │ m[\"a\"] = 1\n") ||
		a.Stderr != "" {
		t.Errorf("panic: %+v", a)
	}
	next("a panic")

	a = ask(execute.Request{Code: "%%\nfmt.Println(\"running\")\nfor {}", Interrupt: true})
	if a.Status != "error" || a.Error != "the cell was stopped" || a.Stderr != "" {
		t.Errorf("interrupted loop: %+v", a)
	}
	next("an interrupt")

	a = ask(execute.Request{Code: "%%\nsignal.Ignore(os.Interrupt)\nfmt.Println(\"running\")\nfor {}", Interrupt: true})
	if a.Status != "error" || a.Error != "the cell was ended by the system" {
		t.Errorf("loop that ignores interrupts: %+v", a)
	}
	next("a loop that ignores interrupts")

	a = ask(execute.Request{Code: "%%\nsyscall.Kill(os.Getpid(), syscall.SIGKILL)\nselect {}"})
	if a.Status != "error" || a.Error != "the cell was ended by the system" {
		t.Errorf("killed cell: %+v", a)
	}
	next("a killed cell")

	a = ask(
		execute.Request{
			Code:    "%%\nline := []byte(strings.Repeat(\"x\", 999) + \"\\n\")\nfor range 100_000 {\n\tos.Stdout.Write(line)\n}",
			Timeout: 120,
		},
	)
	if a.Status != "ok" || a.Printed > 1<<20+1000 ||
		!strings.HasSuffix(
			a.Stderr,
			"more lines: a cell shows 1024 kB of text. To have all of it in a file, begin the cell with  %capture output.txt\n",
		) {
		t.Errorf("100 MB: %s, %d bytes, %s", a.Status, a.Printed, a.Error)
	}
	next("a flood")

	a = ask(execute.Request{Code: "%%\nsyscall.Kill(os.Getppid(), syscall.SIGKILL)\nselect {}"})
	if a.Status != "dead" {
		t.Errorf("killed kernel: %+v", a)
	}
	if a = ask(execute.Request{Restart: true}); a.Status != "ready" {
		t.Errorf("restart: %+v", a)
	}
	next("a killed kernel")

	// The launcher itself is killed: GoNB must end with it.
	launcher := a.PID
	if err := syscall.Kill(launcher, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if a = ask(execute.Request{Code: "%%\nfmt.Println()", Timeout: 20}); a.Status != "dead" {
		t.Errorf("killed launcher: %+v", a)
	}
	if err := kernel.Close(); err != nil {
		t.Error(err)
	}
}

// TestInterrupts interrupts cells at any time, from the moment on in which they are sent, and what cells have started.
func TestInterrupts(t *testing.T) {
	ctx, session := open(t)
	kernel, err := session.Talk(ctx, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer kernel.Close()
	requests := []execute.Request{
		{Code: "!sleep 30\nfmt.Println(\"after\")", After: 0.5},
		{Code: "%%bash\nsleep 30\necho after", After: 0.5},
		{Code: "!sleep 30 &", After: 0.5},
		{Code: "c := exec.Command(\"sleep\", \"30\")\nc.Stdout = os.Stdout\nfmt.Println()\nc.Run()", Interrupt: true},
	}
	for i := range 30 {
		requests = append(requests, execute.Request{Code: fmt.Sprintf("time.Sleep(30 * time.Second + %d)", i), After: 0.01 * float64(1+i)})
	}
	for _, r := range requests {
		a, err := kernel.Ask(r)
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != "error" || a.Error != "the cell was stopped" || a.Stderr != "" || a.Seconds > 10 {
			t.Errorf("%+v: %+v", r, a)
		}
	}
	if a, err := kernel.Ask(execute.Request{Code: "fmt.Println(1)"}); err != nil || a.Stdout != "1\n" {
		t.Errorf("the next cell: %+v, %v", a, err)
	}
}

// TestOrder shows what is printed and displayed by turns, which takes different ways to the page.
func TestOrder(t *testing.T) {
	ctx, session := open(t)
	kernel, err := session.Talk(ctx, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer kernel.Close()
	code := "import \"github.com/prlab/prlab/prl\"\nfor i := range 100 {\n\tfmt.Println(i)\n\tprl.Show(i)\n}\nfmt.Println()"
	a, err := kernel.Ask(execute.Request{Code: code, Timeout: 200})
	if want := strings.Repeat("sd", 100) + "s"; err != nil || a.Order != want {
		t.Errorf("%v, %s: got %s", err, a.Status, a.Order)
	}
}

// write makes a notebook of code cells; a cell that begins with "!" gets the tag raises-exception.
func write(t *testing.T, sources ...string) string {
	t.Helper()
	cells := []any{map[string]any{"cell_type": "markdown", "id": "title", "metadata": map[string]any{}, "source": "# Title"}}
	for i, source := range sources {
		metadata := map[string]any{}
		source, mayFail := strings.CutPrefix(source, "!")
		if mayFail {
			metadata["tags"] = []string{"raises-exception"}
		}
		cells = append(cells, map[string]any{
			"cell_type": "code", "id": "c" + string(rune('1'+i)), "metadata": metadata, "source": source, "outputs": []any{}, "execution_count": nil,
		})
	}
	data, err := json.Marshal(map[string]any{"cells": cells, "metadata": map[string]any{}, "nbformat": 4, "nbformat_minor": 5})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test.ipynb")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExecuteTwiceGivesTheSameBytes(t *testing.T) {
	ctx, session := open(t)
	path := write(t, "import \"fmt\"\n%%\nfmt.Println(\"one\")\nfmt.Fprintln(os.Stderr, \"two\")", "", "const n = 3",
		"!%%\nvar m map[string]int\nm[\"a\"] = n", "!%%\nfmt.Println(undefined)", "%%\nfmt.Println(os.Getenv(\"PRL_RUNTIME\"), n)")
	var first []byte
	for i := range 2 {
		done := 0
		result, err := session.Execute(ctx, path, execute.Options{Timeout: patience, Progress: func(n, cells int) { done = n }})
		if err != nil {
			t.Fatal(err)
		}
		if result.Cells != 5 || done != 7 {
			t.Errorf("%d cells executed, %d of 7 told", result.Cells, done)
		}
		if err := result.Notebook.Write(path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = data
		} else if string(data) != string(first) {
			t.Errorf("another result:\n%s\nthan at first:\n%s", data, first)
		}
		if err := execute.CheckOutputs(path, result.Notebook); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(string(first), `"none 3\n"`) {
		t.Errorf("the last cell's output is not there:\n%s", first)
	}
}

func TestFailuresNameTheCell(t *testing.T) {
	ctx, session := open(t)
	for name, c := range map[string]struct {
		source, kind, value, printed string
	}{
		"compiler": {"%%\nfmt.Println(undefined)", "error", "undefined: undefined", ""},
		"chain": {
			"import \"github.com/prlab/prlab/prl\"\n%%\nfmt.Println(\"said\")\nprl.SVM().C(-1).Fit(prl.Iris()).Show()", "error",
			"C: C is -1, but needs to be a positive number; the default is 1\n\n  SVM().C(-1)\n        ↑ here\n\n  got     C = -1\n" +
				"  needs   a positive number\n  remedy  the default is 1\n  line    prl.SVM().C(-1).Fit(prl.Iris()).Show()", "said\n",
		},
		"check": {"import \"github.com/prlab/prlab/prl\"\n%%\nprl.Check(\"\", \"two is one\").Near(2, 1, 0.5)", "error", "two is one: 2 " +
			"against 1", ""},
		"status": {"%%\nfmt.Println(\"said\")\nos.Exit(3)", "error", "The cell ended itself with os.Exit(3).", "said"},
		"loop":   {"%%\nfor {}", "timeout", "longer than 2 s", ""},
		"flood":  {"%%\nfor {\n\tfmt.Println(strings.Repeat(\"y\", 99))\n}", "flood", "printed more than 100000 bytes", "yyy"},
		"brink": { // the limit to the byte, and more later
			"import \"time\"\n%%\nfmt.Print(strings.Repeat(\"y\", 100_000))\ntime.Sleep(time.Second)\nfmt.Print(\"z\")\nfor {\n}", "flood",
			"printed more than 100000 bytes", "yyy",
		},
		"dead":    {"%%\nsyscall.Kill(os.Getppid(), syscall.SIGKILL)\nselect {}", "dead", "GoNB was ended by a signal (killed)", ""},
		"package": {"import \"example.org/nowhere\"\n%%\nnowhere.F()", "error", "%env PRL_FETCH=1", ""},
	} {
		path := write(t, "", c.source)
		timeout := patience
		if c.kind == "timeout" {
			timeout = 2 * time.Second
		}
		_, err := session.Execute(ctx, path, execute.Options{Timeout: timeout, Limit: 100_000})
		var failure *execute.Failure
		if !errors.As(err, &failure) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if failure.Cell != 3 || failure.ID != "c2" || failure.Source != c.source || failure.Kind != c.kind ||
			!strings.Contains(failure.Value, c.value) || !strings.Contains(failure.Printed, c.printed) {
			t.Errorf("%s: %+v", name, failure)
		}
		// What the value says is not said again below "printed", where a path of GoNB's temporary folder would tell nobody anything.
		if strings.Contains(failure.Printed, "exit status") || strings.Contains(failure.Printed, "main.go:") ||
			strings.Contains(failure.Printed, "✗") {
			t.Errorf("%s: printed %q", name, failure.Printed)
		}
	}
}

// running makes a notebook whose cell never ends, and wait, which returns once the cell runs.
func running(t *testing.T) (path string, wait func()) {
	t.Helper()
	started := filepath.Join(t.TempDir(), "started")
	return write(t, fmt.Sprintf("%%%%\nos.WriteFile(%q, nil, 0o600)\nfor {}", started)), func() {
		t.Helper()
		for deadline := time.Now().Add(patience / 2); ; time.Sleep(20 * time.Millisecond) {
			if _, err := os.Stat(started); err == nil {
				return
			}
			if time.Now().After(deadline) {
				t.Error("the cell does not run")
				return
			}
		}
	}
}

func TestInterruptedRunEndsSoon(t *testing.T) {
	limit, session := open(t)
	path, wait := running(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(limit)
	var began time.Time
	go func() { wait(); began = time.Now(); cancel() }()
	if _, err := session.Execute(ctx, path, execute.Options{Timeout: patience}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-ctx.Done()
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s to end", took)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the notebook was changed")
	}
}

// A notebook that is saved while it is executed keeps what was saved, and what is executed is what was read at first.
func TestNotebookSavedMeanwhile(t *testing.T) {
	ctx, session := open(t)
	path := write(t, "%%\nfmt.Println(1)", "%%\nfmt.Println(2)")
	saved, err := os.ReadFile(write(t, "%%\nfmt.Println(3)"))
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.Execute(ctx, path, execute.Options{Timeout: patience, Progress: func(done, cells int) {
		if err := os.WriteFile(path, saved, 0o644); err != nil {
			t.Error(err)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if result.Cells != 2 || len(result.Notebook.Cells) != 3 {
		t.Errorf("%d cells executed, %d in the notebook", result.Cells, len(result.Notebook.Cells))
	}
	if err := result.Keep(path); err == nil || !strings.Contains(err.Error(), "was changed while it was executed") {
		t.Errorf("got %v", err)
	}
	if now, _ := os.ReadFile(path); string(now) != string(saved) {
		t.Errorf("what was saved is lost: %s", now)
	}
}

// TestPortTaken starts kernels one of whose ports another program takes after Jupyter has chosen it.
func TestPortTaken(t *testing.T) {
	ctx, session := open(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	// A module that Python loads at its start gives the first kernel of the session the port that is taken.
	if _, err := session.File("sitecustomize.py", fmt.Appendf(nil, `import os
import jupyter_client.connect as connect
write = connect.write_connection_file
def first(*args, **kwargs):
    try:
        os.mkdir(os.path.join(os.path.dirname(__file__), "first"))
        kwargs["shell_port"] = %d
    except FileExistsError:
        pass
    return write(*args, **kwargs)
connect.write_connection_file = first
`, taken.Addr().(*net.TCPAddr).Port)); err != nil {
		t.Fatal(err)
	}
	session.Set("PYTHONPATH", session.Folder())
	path := write(t, "%%\nfmt.Println(1)")
	result, err := session.Execute(ctx, path, execute.Options{Timeout: patience})
	if err != nil || result.Cells != 1 {
		t.Errorf("%+v, %v", result, err)
	}
	if err := os.Remove(filepath.Join(session.Folder(), "first")); err != nil {
		t.Errorf("no kernel was given the port that is taken: %v", err)
	}
	kernel, err := session.Talk(ctx, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := kernel.Close(); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(session.Folder(), "first")); err != nil {
		t.Errorf("no kernel was given the port that is taken: %v", err)
	}
}

// TestKilledRunLeavesNothing kills the program that executes a notebook's driver, as a machine out of memory would.
func TestKilledRunLeavesNothing(t *testing.T) {
	ctx, session := open(t)
	path, wait := running(t)
	driver, err := session.File("orphan.py", nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(driver)
	child := session.Command(ctx, filepath.Join(folder, "execute.py"), path,
		"--output", filepath.Join(folder, "out.ipynb"), "--folder", filepath.Dir(path))
	parent := exec.Command("sh", append([]string{"-c", `"$@" & wait`, "sh"}, child.Cmd.Args...)...)
	parent.Env, parent.Dir = child.Cmd.Env, child.Cmd.Dir
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	mark := execute.RunVar + "=" + filepath.Base(folder)
	living := func() int { return len(process.Marked(mark)) }
	wait()
	if n := living(); n < 5 { // the shell, the driver, the launcher, GoNB and the cell
		t.Errorf("only %d processes run", n)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	parent.Wait()
	for deadline := time.Now().Add(time.Minute); living() > 0 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		// they end by themselves
	}
	if left := process.Marked(mark); len(left) > 0 {
		t.Errorf("processes live on: %v", left)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the session's folder is still there: %v", err)
	}
}

// TestPackages imports what is not of the library: the display package of GoNB's tutorials, and a package of the reader's own, which
// changes.
func TestPackages(t *testing.T) {
	ctx, session := open(t)
	own := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(own, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/own\n\ngo 1.26\n")
	write("own.go", "package own\n\nfunc Times(x int) int { return 2 * x }\n")
	kernel, err := session.Talk(ctx, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer kernel.Close()
	ask := func(code, stdout string) execute.Answer {
		t.Helper()
		a, err := kernel.Ask(execute.Request{Code: code})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != "ok" || a.Stdout != stdout {
			t.Errorf("%s: %+v", code, a)
		}
		return a
	}
	if a := ask("import \"github.com/janpfeifer/gonb/gonbui\"\n%%\ngonbui.DisplayHTML(\"<b>bold</b>\")\ngonbui.Sync()", ""); a.Displays != 1 {
		t.Errorf("gonbui: %+v", a)
	}
	ask("!*go work use "+own, "")
	ask("import \"example.org/own\"\nown.Times(4)", "8\n")
	write("own.go", "package own\n\nfunc Times(x int) int { return 3 * x }\n")
	ask("own.Times(4)", "12\n")
}

// TestProgress shows the bar of something long: it comes, moves, and leaves nothing behind, however the cell ends. Nobody watches a
// notebook that is executed, which gets none.
func TestProgress(t *testing.T) {
	ctx, session := open(t)
	const begin = "import (\n\t\"time\"\n\n\t\"github.com/prlab/prlab/prl\"\n\t\"github.com/prlab/prlab/prl/cell\"\n)\n\n" +
		"func long(n int) {\n\tbar := cell.NewProgress(\"fits\", n)\n\tdefer bar.Done()\n" +
		"\tfor range n {\n\t\ttime.Sleep(400 * time.Millisecond)\n" +
		"\t\tbar.Step()\n\t}\n}\n%%\n"
	const shown = "prl.Show(prl.Table(\"a\").Row(1))"
	for _, watched := range []bool{true, false} {
		kernel, err := session.Talk(ctx, t.TempDir(), watched)
		if err != nil {
			t.Fatal(err)
		}
		defer kernel.Close()
		for _, c := range []struct {
			code      string
			interrupt bool
			page      int // outputs in the end
		}{
			{begin + "long(6)", false, 0},
			{"%%\nlong(6)\n" + shown, false, 1},
			{"%%\n" + shown + "\nlong(6)", false, 2}, // what was there before stays, and the bar's place is empty
			{"import \"fmt\"\n%%\ngo func() { time.Sleep(2 * time.Second); fmt.Println(\"begun\") }()\nlong(99)", true, 1},
			{"%%\nlong(1)", false, 0},
		} {
			a, err := kernel.Ask(execute.Request{Code: c.code, Interrupt: c.interrupt})
			if err != nil {
				t.Fatal(err)
			}
			if a.Status != "ok" && !c.interrupt {
				t.Errorf("%s: %+v", c.code, a)
			}
			t.Logf("watched %t: %q, %d updates, in the end %q", watched, a.Plain, a.Updates, a.Page)
			bars := slices.ContainsFunc(a.Plain, func(text string) bool { return strings.Contains(text, " fits") })
			if !watched {
				if bars || a.Updates > 0 {
					t.Errorf("a bar for nobody: %+v", a)
				}
				continue
			}
			if slices.ContainsFunc(a.Page, func(text string) bool { return strings.Contains(text, " fits") }) {
				t.Errorf("the bar stays: %q", a.Page)
			}
			if long := !strings.Contains(c.code, "long(1)"); bars != long || len(a.Page) != c.page {
				t.Errorf("%s: bar %t, want %t; %q in the end", c.code, bars, long, a.Page)
			}
		}
	}
}
