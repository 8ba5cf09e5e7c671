package cell

import (
	"strings"
	"sync"
	"sync/atomic"
)

// A Recording is what a function has shown.
type Recording struct {
	Shown  []Bundle // in order; all checks are one of them, where the first of them stood
	Failed bool     // a check did not hold, or the function failed
	Tables []Table  // those among the outputs
	Sounds []Sound  // likewise
}

// HTML returns all outputs, one below the other.
func (r Recording) HTML() string {
	var b strings.Builder
	for _, one := range r.Shown {
		b.WriteString(one.HTML)
	}
	return b.String()
}

// Text returns the plain text of all outputs, one below the other.
func (r Recording) Text() string {
	var texts []string
	for _, one := range r.Shown {
		if one.Text != "" {
			texts = append(texts, one.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Show shows all outputs, and ends the cell when the recording is one of a failure.
func (r Recording) Show() {
	for _, one := range r.Shown {
		Display(one)
	}
	if r.Failed {
		end()
	}
}

// end ends the cell, or the function whose outputs are recorded.
func end() {
	if r := recording.Load(); r != nil {
		r.fail()
		panic(halt{})
	}
	exit(1)
}

// Capture runs f, and records what it shows instead of showing it. A failure, such as that of a broken chain, ends f instead of the
// program, and its block is the last of the outputs. A check that does not hold is shown as such, and f goes on; when f panics after that,
// the panic follows from what the check has found and ends f alone. Every other panic is the caller's. Failures are to happen in the
// goroutine of f. One call of Capture runs at a time; f may itself call Capture.
func Capture(f func()) Recording {
	r := &recorder{at: map[string]int{}}
	before := recording.Swap(r)
	r.run(f, before)
	return r.Recording
}

// recording takes what is shown; nil outside of Capture.
var recording atomic.Pointer[recorder]

type recorder struct {
	mu sync.Mutex
	Recording
	at     map[string]int // place of the outputs that have an id
	proofs board
}

// halt ends a function whose outputs are recorded.
type halt struct{}

func (halt) String() string { return "the cell has failed" }

func (r *recorder) run(f func(), before *recorder) {
	defer func() {
		recording.Store(before)
		if !r.Failed {
			return // a panic goes on to the caller with its place in the program
		}
		recover()
	}()
	f()
}

func (r *recorder) take(b Bundle, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at, again := r.at[id]; again {
		r.Shown[at] = b
		return
	}
	if id != "" {
		r.at[id] = len(r.Shown)
	}
	r.Shown = append(r.Shown, b)
}

func (r *recorder) fail() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Failed = true
}

// Display shows b below the cell and returns when the kernel has taken it, so that nothing is lost when the program ends at once.
// Outside a kernel, and when the pipe to the kernel is broken, it prints b.Text to standard output instead; a broken pipe is reported
// once on standard error. Display may be called from several goroutines.
func Display(b Bundle) { display(b, "") }

// display is Display of an output with an id: a later display of the same id takes its place. Outside a kernel both are printed.
func display(b Bundle, id string) {
	if r := recording.Load(); r != nil {
		r.take(b, id)
		return
	}
	output(b, id)
}

// styled reports whether outputs are blocks of HTML rather than lines of a terminal.
func styled() bool { return recording.Load() != nil || InKernel() }

// checks returns the board that the checks go to.
func checks() *board {
	if r := recording.Load(); r != nil {
		return &r.proofs
	}
	return &proofs
}
