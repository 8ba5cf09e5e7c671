//go:build unix

package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/build"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/explain"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/wire"
)

// outputLimit is how much text a cell may print into the notebook, in bytes. A page with more is slow to open and to scroll.
const outputLimit = 1 << 20

// run is one execution of a cell.
type run struct {
	relay *Relay
	asked wire.Message
	id    string
	cell  *source.Cell
	reply chan wire.Message
	idle  chan wire.Message // GoNB is done

	stopped atomic.Bool
	done    chan struct{} // closed when the cell has ended

	// Only the goroutine that reads what GoNB publishes uses these until idle is sent.
	printed int    // bytes of text
	cut     int    // lines that were left out
	errors  string // the end of the error output
	part    string // an unfinished line of it, held back
	crash   *strings.Builder
	held    string // the kernel's word on the end of the program, held back
	shown   bool   // the library has shown what failed
	bar     bar
}

// execute gives a cell to GoNB and its answers to Jupyter. After one that fails the cells that wait are given up.
func (r *Relay) execute(ctx context.Context, m wire.Message) {
	var asked struct {
		Code    string
		Silent  bool
		History *bool `json:"store_history"`
		Stop    *bool `json:"stop_on_error"`
	}
	json.Unmarshal(m.Content, &asked)
	counts := asked.History == nil || *asked.History
	if counts {
		r.count++
	}
	cell := source.Read(asked.Code)
	x := &run{
		relay: r, asked: m, id: m.Head().ID, cell: cell,
		reply: make(chan wire.Message, 1), idle: make(chan wire.Message, 1), done: make(chan struct{}),
	}
	r.history.Begin(r.count, cell)
	code := cell.Code
	if cell.Problem != nil {
		code = "" // GoNB counts the cell and does nothing
	}
	r.prepare(cell)
	r.mu.Lock()
	r.current = x
	if counts {
		r.inputs = append(r.inputs, asked.Code)
	}
	r.mu.Unlock()
	defer func() {
		close(x.done)
		r.mu.Lock()
		r.current = nil
		r.mu.Unlock()
	}()
	began := time.Now()
	sent := m
	sent.Set(map[string]any{"code": code, "silent": asked.Silent, "store_history": counts})
	if r.back.shell.send(sent) != nil {
		return
	}
	var idle, reply wire.Message
	for range 2 {
		select {
		case idle = <-x.idle:
		case reply = <-x.reply:
		case <-ctx.Done():
			return
		}
	}
	var given []wire.Message // up, for the cell has failed; who asks after its answer knows that and wants to go on
	if x.end(&reply, time.Since(began)) && (asked.Stop == nil || *asked.Stop) {
		given = r.waiting()
	}
	r.front.shell.send(reply)
	r.front.iopub.send(idle)
	r.abort(given)
}

// files through which the build and the program tell about a cell.
var told = []string{"build.json", "init.json", "shapes.txt", "build.pid", build.PageFile}

func (r *Relay) prepare(c *source.Cell) {
	for _, name := range told {
		os.Remove(filepath.Join(r.folder, name))
	}
	var own []string
	for name, variable := range c.Vars {
		if variable {
			own = append(own, name)
		}
	}
	slices.Sort(own)
	text, _ := json.Marshal(build.Cell{Names: own, Declares: slices.Sorted(maps.Keys(c.Declares)), Value: c.Value, Time: c.Time})
	os.WriteFile(filepath.Join(r.folder, "cell.json"), text, 0o600)
}

// read reads one of the files; it is empty if there is none.
func (r *Relay) read(name string, v any) bool {
	text, err := os.ReadFile(filepath.Join(r.folder, name))
	return err == nil && json.Unmarshal(text, v) == nil
}

// published takes what GoNB publishes about the cell.
func (x *run) published(m wire.Message) {
	front := x.relay.front.iopub
	switch m.Head().Type {
	case "execute_input":
		var asked struct{ Code string }
		json.Unmarshal(x.asked.Content, &asked)
		m.Set(map[string]any{"code": asked.Code})
		front.send(m)
	case "stream":
		var s struct{ Name, Text string }
		json.Unmarshal(m.Content, &s)
		if s.Name == "stderr" {
			x.complain(s.Text)
		} else {
			x.print("stdout", s.Text)
		}
	case "error": // told at the end, from the reply
	case "display_data", "update_display_data", "execute_result":
		if bytes.Contains(m.Content, []byte("data-prl-error")) || bytes.Contains(m.Content, []byte(`data-prl-outcome=\"failed\"`)) ||
			bytes.Contains(m.Content, []byte(`data-prl-outcome=\u0022failed\u0022`)) {
			x.shown = true
		}
		if !x.bar.takes(x, m) {
			x.bar.other()
			front.send(m)
		}
	case "status":
		var s struct {
			State string `json:"execution_state"`
		}
		json.Unmarshal(m.Content, &s)
		if s.State == "idle" {
			x.idle <- m
			return
		}
		front.send(m)
	default:
		front.send(m)
	}
}

// print passes text on, up to the limit.
func (x *run) print(stream, text string) {
	if text == "" {
		return
	}
	room := outputLimit - x.printed
	x.printed += len(text)
	if room <= 0 {
		x.cut += strings.Count(text, "\n")
		return
	}
	if len(text) > room {
		at := strings.LastIndexByte(text[:room], '\n') + 1
		x.cut += strings.Count(text[at:], "\n")
		text = text[:at]
	}
	x.bar.other()
	x.relay.front.iopub.send(x.asked.Publish("stream", map[string]any{"name": stream, "text": text}))
}

// complain takes error output: the account of a crash is held back, and so is what the kernel says about the end of the program.
func (x *run) complain(text string) {
	x.part += text
	for {
		line, rest, whole := strings.Cut(x.part, "\n")
		if !whole {
			break
		}
		x.part = rest
		switch {
		case x.crash != nil:
			x.crash.WriteString(line + "\n")
		case explain.IsCrash(line):
			x.crash = &strings.Builder{}
			x.crash.WriteString(x.held + line + "\n")
			x.held = ""
		case explain.IsEnd(line) && x.stopped.Load(): // that it was stopped is told at the end
		case explain.IsEnd(line):
			x.held += line + "\n"
		default:
			x.error(x.held + line + "\n")
			x.held = ""
		}
	}
	if x.crash == nil && x.held == "" && !explain.MayBeCrash(x.part) {
		x.error(x.part)
		x.part = ""
	}
}

// settle passes on what was held back and is not the account of a crash. End is how the program failed, or ""; built says that it was Go.
func (x *run) settle(end string, built bool) {
	if x.crash != nil && explain.Crashed(end) {
		return
	}
	text := x.held + x.part
	if x.crash != nil {
		text = x.crash.String() + x.part
	}
	x.crash = nil
	if end != "" || !built {
		text = explain.WithoutEnd(text)
	}
	if text != "" {
		x.error(text)
	}
}

// error passes error output on.
func (x *run) error(text string) {
	x.errors += text
	if over := len(x.errors) - 4000; over > 0 {
		x.errors = x.errors[over:]
	}
	x.print("stderr", text)
}

// Died says in the cell that runs, if one does, that GoNB has died, and why: Jupyter itself says only that the kernel is started again.
func (r *Relay) Died(why string) {
	r.mu.Lock()
	x := r.current
	r.mu.Unlock()
	if x != nil {
		x.say(why)
		time.Sleep(300 * time.Millisecond) // for the sockets to pass it on
	}
}

// say publishes a line of the kernel's own.
func (x *run) say(text string) {
	x.relay.front.iopub.send(x.asked.Publish("stream", map[string]any{"name": "stderr", "text": text + "\n"}))
}

// end tells what is to be told when GoNB is done, and puts it into the reply.
func (x *run) end(reply *wire.Message, took time.Duration) (failed bool) {
	r := x.relay
	x.bar.end(x)
	var answer struct {
		Status string
		Value  string `json:"evalue"`
	}
	json.Unmarshal(reply.Content, &answer)
	var report build.Report
	built := r.read("build.json", &report)
	x.settle(answer.Value, built)
	if x.cut > 0 {
		x.say(
			fmt.Sprintf(
				"… and %d more lines: a cell shows %d kB of text. To have all of it in a file, begin the cell with  %%capture output.txt",
				x.cut,
				outputLimit>>10,
			),
		)
	}
	if built && !report.Failed {
		r.history.Built(r.count)
		r.mu.Lock()
		r.imports = r.history.Imports()
		r.mu.Unlock()
	}
	unbuilt := x.stopped.Load() && !built // GoNB takes the next step, if there is one, or says that all is well
	if answer.Status == "ok" && x.cell.Problem == nil && !unbuilt {
		x.notes(report, took)
		return false
	}
	var sizes []byte
	if x.crash != nil {
		sizes, _ = os.ReadFile(filepath.Join(r.folder, "shapes.txt"))
	}
	var a explain.Account
	switch {
	case x.cell.Problem != nil:
		a = r.history.Problem(r.count, x.cell.Problem)
		r.history.NotBuilt(r.count, a.Value)
	case built && report.Failed:
		a = r.history.Compile(r.count, report)
		r.history.NotBuilt(r.count, a.Value)
	case unbuilt || strings.Contains(answer.Value, "signal: interrupt"):
		a = explain.Interrupted
	case x.crash != nil:
		a = r.history.Crash(r.count, report.Dir, x.crash.String(), string(sizes))
	case strings.HasPrefix(answer.Value, "exit status ") || strings.HasPrefix(answer.Value, "signal: "):
		a = explain.Ended(answer.Value, x.shown, x.errors)
	default:
		a = r.history.Plain(answer.Value, report.Dir)
	}
	content := map[string]any{"ename": a.Name, "evalue": a.Value, "traceback": []string{}}
	if a.Text != "" { // else the library has said it all
		content["traceback"] = []string{"\x1b[31m" + a.Name + "\x1b[0m  " + a.Text}
		r.front.iopub.send(x.asked.Publish("error", content))
	}
	content["status"] = "error"
	reply.Set(content)
	x.notes(report, took)
	return true
}

// notes tells what a cell cost, if that was asked or is more than it should be, and which values it may miss.
func (x *run) notes(report build.Report, took time.Duration) {
	r := x.relay
	for _, note := range r.history.Forgotten(r.count) {
		x.say(note)
	}
	var spent []build.Spent
	r.read("init.json", &spent)
	if !r.headless {
		for _, s := range spent {
			if s.Seconds < 0.3 || x.cell.Vars[s.Name] {
				continue
			}
			if note := r.history.Costly(r.count, s.Name, seconds(s.Seconds)); note != "" {
				x.say(note)
			}
		}
	}
	if x.cell.Time {
		total := 0.0
		for _, s := range spent {
			total += s.Seconds
		}
		own := max(0, took.Seconds()-report.Seconds-total)
		text := "building " + seconds(report.Seconds) + ", initialisers " + seconds(total)
		if total >= 0.01 {
			var parts []string
			for _, s := range spent {
				parts = append(parts, s.Name+" "+seconds(s.Seconds))
			}
			text += " (" + strings.Join(parts, ", ") + ")"
		}
		x.print("stdout", text+", the cell's own statements "+seconds(own)+"\n")
	}
}

func seconds(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.0f ms", s*1000)
	}
	return fmt.Sprintf("%.1f s", s)
}
