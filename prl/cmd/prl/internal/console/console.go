// Package console writes what the command does: bars and a spinner that move at a terminal, plain lines elsewhere.
package console

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// A Console is where the command speaks.
type Console struct {
	out   io.Writer
	moves bool      // a terminal, on which lines can be drawn again
	copy  io.Writer // of whole lines, or nil
}

// New speaks to w, with moving bars if w is a terminal. Several goroutines may use what it returns; a terminal and a file take whole lines
// from each of them, any other writer gets them one by one.
func New(w io.Writer) *Console {
	file, isFile := w.(*os.File)
	if !isFile {
		w = &oneByOne{to: w}
	}
	return &Console{out: w, moves: isFile && isatty.IsTerminal(file.Fd()) && os.Getenv("TERM") != "dumb"}
}

// Copy is a console that speaks as c does and writes every line to w as well, without what moves.
func (c *Console) Copy(w io.Writer) *Console {
	return &Console{out: c.out, moves: c.moves, copy: &oneByOne{to: w}}
}

// Hold is a console for work that goes on beside other work: its lines wait until release is called, and from then on are c's own. Nothing
// moves on it.
func (c *Console) Hold() (held *Console, release func()) {
	g := &gate{to: c}
	return New(g), g.release
}

// gate keeps what is written until it is opened.
type gate struct {
	mu      sync.Mutex
	to      io.Writer
	open    bool
	waiting bytes.Buffer
}

func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open {
		return g.to.Write(p)
	}
	return g.waiting.Write(p)
}

func (g *gate) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = true
	g.waiting.WriteTo(g.to)
}

// Moves says that work in progress is seen to move, so that no lines need to tell of it.
func (c *Console) Moves() bool { return c.moves }

// oneByOne lets one goroutine write at a time.
type oneByOne struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneByOne) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// Line writes one line.
// What it writes is inert at a terminal, also where others wrote the names and texts in it.
func (c *Console) Line(format string, args ...any) {
	fmt.Fprint(c, Plain(fmt.Sprintf(format, args...))+"\n")
}

// Plain is text of somebody else without what a terminal would take for an order: the beginnings of such orders, and signs that turn the
// direction of writing.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f,
			r == 0x061c, r == 0x2028, r == 0x2029:
			return -1
		}
		return r
	}, text)
}

// Write lets a Console stand where a writer is wanted.
func (c *Console) Write(p []byte) (int, error) {
	if c.copy != nil {
		c.copy.Write(p) // what a person sees comes first: a full disk ends the copy only
	}
	return c.out.Write(p)
}

// A Step is one piece of work that takes a while. Its methods may be called from several goroutines.
type Step struct {
	console *Console
	title   string
	began   time.Time
	bars    *mpb.Progress
	bar     *mpb.Bar
	mu      sync.Mutex
	detail  string
}

// Step begins a piece of work. total is the number of things it counts, 0 when that is not known.
func (c *Console) Step(title string, total int) *Step {
	s := &Step{console: c, title: title, began: time.Now()}
	if !c.moves {
		c.Line("  … %s", title)
		return s
	}
	s.bars = mpb.New(mpb.WithOutput(c.out), mpb.WithWidth(24), mpb.WithRefreshRate(100*time.Millisecond))
	before := mpb.PrependDecorators(decor.Name("  " + title + " "))
	after := mpb.AppendDecorators(
		decor.Elapsed(decor.ET_STYLE_GO, decor.WC{W: 5}),
		decor.Any(func(decor.Statistics) string { return "  " + s.saying() }),
	)
	if total > 0 {
		s.bar = s.bars.New(int64(total), mpb.BarStyle(), before, after, mpb.BarRemoveOnComplete())
	} else {
		s.bar = s.bars.New(0, mpb.SpinnerStyle().PositionLeft(), before, after, mpb.BarRemoveOnComplete())
	}
	return s
}

func (s *Step) saying() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.detail
}

// Say shows what the step is at.
func (s *Step) Say(detail string) {
	s.mu.Lock()
	s.detail = shorten(detail, 44)
	s.mu.Unlock()
}

// Count moves the bar to n.
func (s *Step) Count(n int) {
	if s.bar != nil {
		s.bar.SetCurrent(int64(n))
	}
}

// Done ends the step; result may be empty.
func (s *Step) Done(result string) { s.finish("✓", result) }

// Fail ends the step without success.
func (s *Step) Fail() { s.finish("✗", "") }

func (s *Step) finish(mark, result string) {
	if s.bar != nil {
		s.bar.Abort(true)
		s.bars.Wait()
	}
	if result != "" {
		result = "  " + result
	}
	s.console.Line("  %s %s  %s%s", mark, s.title, Duration(time.Since(s.began)), result)
}

// Duration is d as a person would say it.
func Duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
}

func shorten(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return text
}
