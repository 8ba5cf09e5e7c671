//go:build unix

// Package relay stands between Jupyter and GoNB and speaks the protocol of kernels to both. It gives GoNB the cells in a form that it
// takes, one by one, and gives Jupyter the answers in the words of the notebook.
package relay

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/assist"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/explain"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/wire"
	"github.com/prlab/prlab/prl/notebook"
)

// A Relay is one kernel.
type Relay struct {
	front, back side
	folder      string        // in which the program go and cells write about a build
	headless    bool          // nobody watches: nothing is told that is another time at each run
	heard       chan struct{} // closed when GoNB's first publication has arrived
	hear        sync.Once

	info    json.RawMessage // GoNB's answer about itself
	history *explain.History
	count   int // of the cells that GoNB has counted

	ctx       context.Context
	temp, dir string // the kernel's folder, and GoNB's in it
	goProgram string
	goimports string
	names     assist.Names
	goEnv     []string
	assist    *assist.Server // nil without a reader

	gonb    int // the process
	mu      sync.Mutex
	imports []string
	queue   []wire.Message
	more    chan struct{}
	current *run // the cell that runs
	inputs  []string
}

// Options say how a kernel is relayed.
type Options struct {
	Folder    string // for what is told about a cell
	Headless  bool
	GoImports string   // the program
	Go        string   // the command go for a kernel in which somebody writes, or ""
	Env       []string // of the command go
}

// Listen opens the sockets of Jupyter's connection file and returns what GoNB is to be started with.
func Listen(ctx context.Context, file, folder string, o Options) (r *Relay, gonb string, err error) {
	c, err := wire.ReadConnection(file)
	if err != nil {
		return nil, "", err
	}
	r = &Relay{
		ctx:       ctx,
		temp:      folder,
		goProgram: o.Go,
		goimports: o.GoImports,
		goEnv:     o.Env,
		folder:    o.Folder,
		headless:  o.Headless,
		heard:     make(chan struct{}),
		history:   explain.NewHistory(),
		more:      make(chan struct{}, 1),
	}
	if r.front, err = listen(ctx, c); err != nil {
		return nil, "", err
	}
	in, err := inner(c, folder)
	if err != nil {
		return nil, "", err
	}
	text, _ := json.Marshal(in) // strings and numbers
	gonb = filepath.Join(folder, filepath.Base(file))
	go r.beat()
	return r, gonb, os.WriteFile(gonb, text, 0o600)
}

// beat answers Jupyter's question whether the kernel lives.
func (r *Relay) beat() {
	for {
		m, err := r.front.heartbeat.Recv()
		if err != nil {
			return
		}
		if err := r.front.heartbeat.Send(m); err != nil {
			return
		}
	}
}

// Run connects to GoNB, the given process with the given connection, and passes messages until the context ends.
func (r *Relay) Run(ctx context.Context, gonb string, pid int) error {
	r.gonb = pid
	c, err := wire.ReadConnection(gonb)
	if err != nil {
		return err
	}
	if r.back, err = dial(ctx, c); err != nil {
		return err
	}
	defer r.back.close()
	defer r.front.close()
	go r.pump(r.back.iopub, r.published)
	if err := r.greet(ctx); err != nil {
		return err
	}
	r.ready()
	go r.pump(r.back.shell, r.replied)
	go r.pump(r.back.control, func(m wire.Message) {
		if m.ParentID() != again {
			r.front.control.send(m)
		}
	})
	go r.pump(r.back.stdin, func(m wire.Message) { r.front.stdin.send(m) })
	go r.pump(r.front.stdin, func(m wire.Message) { r.back.stdin.send(m) })
	go r.pump(r.front.control, r.controlled)
	go r.pump(r.front.shell, r.asked)
	r.work(ctx)
	return nil
}

func (r *Relay) pump(from *socket, each func(wire.Message)) {
	for {
		m, err := from.receive()
		if err != nil {
			return
		}
		each(m)
	}
}

// greet asks GoNB about itself until what it publishes arrives too, since a subscription takes its time.
func (r *Relay) greet(ctx context.Context) error {
	for {
		ask := wire.Message{}.Answer("kernel_info_request", map[string]any{})
		ask.Addresses = [][]byte{[]byte("greet")}
		if err := r.back.shell.send(ask); err != nil {
			return err
		}
		m, err := r.back.shell.receive()
		if err != nil {
			return err
		}
		r.info = asKept(m.Content)
		select {
		case <-r.heard:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// asKept is what the kernel says about itself, with what it says of the language as notebooks keep it (see package notebook): without the
// version of Go, which is not the same on every machine. JupyterLab writes what it is told into a notebook, which would be modified by
// opening it.
func asKept(content json.RawMessage) json.RawMessage {
	var info map[string]any
	if json.Unmarshal(content, &info) != nil {
		return content
	}
	info["language_info"] = notebook.LanguageInfo()
	text, _ := json.Marshal(info) // it was JSON
	return text
}

// asked takes a message from Jupyter's shell.
func (r *Relay) asked(m wire.Message) {
	switch m.Head().Type {
	case "execute_request":
		r.mu.Lock()
		r.queue = append(r.queue, m)
		r.mu.Unlock()
		select {
		case r.more <- struct{}{}:
		default:
		}
	case "kernel_info_request":
		r.answer(m, "kernel_info_reply", r.info)
	case "history_request": // JupyterLab takes the kernel for busy until this is answered
		r.answer(m, "history_reply", map[string]any{"status": "ok", "history": r.entered()})
	case "is_complete_request":
		r.answer(m, "is_complete_reply", map[string]any{"status": "unknown"})
	case "complete_request", "inspect_request":
		go r.help(r.ctx, m)
	default:
		r.back.shell.send(m)
	}
}

// entered are the cells of the session as Jupyter wants them: session, number, text.
func (r *Relay) entered() [][]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := [][]any{}
	for i, text := range r.inputs {
		list = append(list, []any{1, i + 1, text})
	}
	return list
}

// answer answers a message without GoNB.
func (r *Relay) answer(m wire.Message, kind string, content any) {
	r.front.iopub.send(m.Publish("status", map[string]any{"execution_state": "busy"}))
	r.front.shell.send(m.Answer(kind, content))
	r.front.iopub.send(m.Publish("status", map[string]any{"execution_state": "idle"}))
}

// controlled takes a message from Jupyter's control channel.
func (r *Relay) controlled(m wire.Message) {
	if m.Head().Type == "interrupt_request" {
		r.abort(r.waiting())
		r.mu.Lock()
		x := r.current
		r.mu.Unlock()
		if x != nil && !x.stopped.Swap(true) {
			go x.stop(m)
			return
		}
	}
	r.back.control.send(m)
}

// waiting takes all cells that wait out of the queue.
func (r *Relay) waiting() []wire.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	cells := r.queue
	r.queue = nil
	return cells
}

// abort answers cells that will not be executed.
func (r *Relay) abort(cells []wire.Message) {
	for _, m := range cells {
		r.answer(m, "execute_reply", map[string]any{"status": "aborted"})
	}
}

// work executes cells, one after the other.
func (r *Relay) work(ctx context.Context) {
	for {
		r.mu.Lock()
		var next *wire.Message
		if len(r.queue) > 0 {
			next, r.queue = &r.queue[0], r.queue[1:]
		}
		r.mu.Unlock()
		if next == nil {
			select {
			case <-r.more:
				continue
			case <-ctx.Done():
				return
			}
		}
		r.execute(ctx, *next)
	}
}

// published takes what GoNB publishes.
func (r *Relay) published(m wire.Message) {
	r.hear.Do(func() { close(r.heard) })
	r.mu.Lock()
	run := r.current
	r.mu.Unlock()
	if run == nil || m.ParentID() != run.id {
		r.front.iopub.send(m)
		return
	}
	run.published(m)
}

// replied takes an answer of GoNB.
func (r *Relay) replied(m wire.Message) {
	r.mu.Lock()
	run := r.current
	r.mu.Unlock()
	if run != nil && m.ParentID() == run.id && m.Head().Type == "execute_reply" {
		run.reply <- m
		return
	}
	r.front.shell.send(m)
}
