//go:build unix

package build

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/notebook"
)

// Told is what Modules tells of the program of a chapter, or of the one of a cell: its name, and the file of the module once it is there,
// or what a reader is told who waits for one that cannot come. While a program is being built it has neither.
type Told struct {
	Name     string `json:"name"`
	Module   string `json:"module,omitempty"`
	Why      string `json:"why,omitempty"`
	Done     int    `json:"done"`     // chapters that nobody needs to wait for
	Chapters int    `json:"chapters"` // all of them
}

// runIt is said where only the kernel can help.
const runIt = "Run the cell of this figure, and it answers."

// modules are the programs that are to be built.
type modules struct {
	root    checkout.Checkout
	folder  string
	told    *json.Encoder
	mu      sync.Mutex
	asked   []string // by a page; the last is the one that somebody looks at
	waiting []string // chapters that nobody has asked for yet, in reading order
	done    map[string]bool
	of      int
	more    chan struct{}
}

// Modules builds the programs of live figures for the pages of the lab: those of the chapters in the folder, in reading order, and before
// them what is asked for, a name a line. It answers with a line of JSON when it begins with a program and when it is done with it, and ends
// with its input.
func Modules(root checkout.Checkout, folder string, ask io.Reader, tell io.Writer) {
	names, _ := fs.Glob(os.DirFS(folder), "*.ipynb") // the pattern is well formed
	m := &modules{
		root: root, folder: folder, told: json.NewEncoder(tell), waiting: names, done: map[string]bool{}, of: len(names),
		more: make(chan struct{}, 1),
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		for lines := bufio.NewScanner(ask); lines.Scan(); {
			m.mu.Lock()
			m.asked = append(m.asked, lines.Text())
			m.mu.Unlock()
			select {
			case m.more <- struct{}{}:
			default:
			}
		}
	}()
	for {
		name, urgent, ok := m.next()
		if !ok {
			live.MakeRoom(root)
			select {
			case <-m.more:
				continue
			case <-ctx.Done():
				return
			}
		}
		m.tell(Told{Name: name})
		answer := m.build(ctx, name, urgent)
		if ctx.Err() != nil {
			return
		}
		m.tell(answer)
	}
}

// next takes the program that is to be built now.
func (m *modules) next() (name string, urgent, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if last := len(m.asked) - 1; last >= 0 {
		name, m.asked = m.asked[last], m.asked[:last]
		return name, true, true
	}
	for len(m.waiting) > 0 {
		name, m.waiting = m.waiting[0], m.waiting[1:]
		if !m.done[name] {
			return name, false, true
		}
	}
	return "", false, false
}

func (m *modules) tell(t Told) {
	t.Done, t.Chapters = len(m.done), m.of
	m.told.Encode(t) // when nobody hears it any more, the input ends too
}

var ofCell = regexp.MustCompile(`^[0-9a-f]{32}\.wasm\.gz$`)

// build builds the module of a chapter, or of the cell that has named it. A chapter that nobody waits for is built on one processor.
func (m *modules) build(ctx context.Context, name string, urgent bool) Told {
	fails := func(why string) Told { return Told{Name: name, Why: why} }
	var program string
	if ofCell.MatchString(name) {
		text, err := live.Kept(m.root, name)
		if err != nil {
			return fails(runIt)
		}
		program = text
	} else {
		n, err := notebook.Read(filepath.Join(m.folder, filepath.Base(name)))
		if err != nil {
			return fails(runIt) // a notebook of the reader's own
		}
		defer func() { m.done[name] = true }()
		program, _, err = live.Program(live.Cells(n, false))
		if err != nil {
			return fails("The program of this figure cannot be made: " + err.Error())
		}
		if program == "" {
			return fails(runIt)
		}
	}
	if urgent {
		os.Unsetenv("GOMAXPROCS")
	} else {
		os.Setenv("GOMAXPROCS", "1")
	}
	module, err := buildModule(ctx, m.root, program)
	if err != nil {
		return fails(err.Error())
	}
	return Told{Name: name, Module: module.Name()}
}

// buildModule builds the module of a program, when its turn comes.
func buildModule(ctx context.Context, root checkout.Checkout, program string) (module live.Planned, err error) {
	if module, err = live.Plan(root, program); err != nil || module.Built() {
		return module, err
	}
	done, err := turn(ctx, filepath.Dir(module.Path()))
	if err != nil {
		return module, err
	}
	defer done()
	return module, module.Build(ctx)
}

// Background gives way to what somebody waits for.
func Background() {
	const nice = 10
	syscall.Setpriority(syscall.PRIO_PROCESS, 0, nice)
}
