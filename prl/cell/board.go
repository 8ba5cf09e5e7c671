package cell

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prlab/prlab/prl/fault"
)

// A line is one claim with the numbers that were compared.
type line struct {
	id, claim, numbers string
	holds              bool
}

func (l line) text() string {
	s := relation(l.holds, "✓", "✗") + " "
	if l.id != "" {
		s += fault.Line(l.id) + " "
	}
	s += fault.Line(l.claim)
	if l.numbers != "" {
		s += ": " + fault.Line(l.numbers)
	}
	return s
}

// sign is the sign of an outcome, for eyes and for screen readers.
func sign(symbol, outcome, colour string) string {
	return `<span style="color:` + colour + `;font-weight:700" role="img" aria-label="` + outcome + `">` + symbol + `</span> `
}

func (l line) html() string {
	outcome, tick := relation(l.holds, "passed", "failed"), sign("✓", "passed", colourPassed)
	if !l.holds {
		tick = sign("✗", "failed", colourFailed)
	}
	s := `<div data-prl-check="` + Escape(
		l.id,
	) + `" data-prl-outcome="` + outcome + `" style="margin:0.25em 0;line-height:1.4">` + tick + Escape(
		l.claim,
	)
	if l.numbers != "" {
		s += ` <span style="opacity:0.75;font-size:0.92em;font-variant-numeric:tabular-nums">` + Escape(l.numbers) + `</span>`
	}
	if l.id != "" {
		s += ` <span style="opacity:0.55;font-size:0.8em">` + Escape(l.id) + `</span>`
	}
	return s + `</div>`
}

// A board gathers the checks of a cell into one output.
type board struct {
	mu     sync.Mutex
	lines  []line
	output string // the id of the output
}

var proofs board

// add shows the board with one more line. Outside a kernel the line is printed.
func (b *board) add(l line) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, l)
	if b.output == "" {
		b.output = "prl-proofs-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	}
	if !InKernel() {
		display(Bundle{HTML: b.html(), Text: l.text()}, b.output)
		return
	}
	var texts []string
	for _, l := range b.lines {
		texts = append(texts, l.text())
	}
	if !l.holds { // what went wrong comes first
		texts = slices.Insert(texts[:len(texts)-1], 0, l.text())
	}
	display(Bundle{HTML: b.html(), Text: strings.Join(texts, "\n")}, b.output)
}

// html is one line for all: what is proved in words, which opens to the claims with their numbers. A claim that does not hold opens it.
func (b *board) html() string {
	last := b.lines[len(b.lines)-1]
	var claims []string
	var lines strings.Builder
	for _, l := range b.lines {
		claims = append(claims, l.claim)
		lines.WriteString(l.html())
	}
	head := sign("✓", "proved", colourPassed)
	open, text := "", claims[0]
	if n := len(b.lines); n > 1 {
		text = "<b>" + strconv.Itoa(n) + " proved</b> " + Escape(strings.Join(claims, "; "))
	} else {
		text = Escape(text)
	}
	if !last.holds {
		head, open, text = sign("✗", "does not hold", colourFailed), ` open=""`, "<b>does not hold:</b> "+Escape(last.claim)
	}
	return `<details class="prl-proofs" data-prl-proofs="` + strconv.Itoa(
		len(b.lines),
	) + `"` + open + ` style="margin:0.25em 0;line-height:1.4">` +
		`<summary style="cursor:pointer;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">` + head + text + `</summary>` +
		`<div style="margin:0.2em 0 0.4em 1.2em">` + lines.String() + `</div></details>`
}
