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
	holds, remark      bool
}

// symbol is the sign of a line, and the word for it.
func (l line) symbol() (symbol, outcome, colour string) {
	switch {
	case !l.holds:
		return "✗", "failed", colourFailed
	case l.remark:
		return "=", "remark", colourRemark
	}
	return "✓", "passed", colourPassed
}

func (l line) text() string {
	symbol, _, _ := l.symbol()
	s := symbol + " "
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
	symbol, outcome, colour := l.symbol()
	tick := sign(symbol, outcome, colour)
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
	if !styled() {
		display(Bundle{HTML: b.html(), Text: l.text()}, b.output)
		return
	}
	var failed, passed []string // what went wrong comes first
	for _, l := range b.lines {
		if l.holds {
			passed = append(passed, l.text())
		} else {
			failed = append(failed, l.text())
		}
	}
	display(Bundle{HTML: b.html(), Text: strings.Join(slices.Concat(failed, passed), "\n")}, b.output)
}

// html is one line for all: what is proved in words, each claim once, which opens to the claims with their numbers. A claim that does not
// hold opens it.
func (b *board) html() string {
	var claims []string
	times := map[string]int{}
	var lines strings.Builder
	failed, proved := -1, 0 // the first that does not hold, and how many prove something
	for i, l := range b.lines {
		if times[l.claim]++; times[l.claim] == 1 {
			claims = append(claims, l.claim)
		}
		if !l.remark {
			proved++
		}
		lines.WriteString(l.html())
		if !l.holds && failed < 0 {
			failed = i
		}
	}
	for i, claim := range claims {
		if n := times[claim]; n > 1 {
			claims[i] += " (" + strconv.Itoa(n) + " times)"
		}
	}
	head := sign("✓", "proved", colourPassed)
	open, text := "", Escape(strings.Join(claims, "; "))
	switch {
	case proved == 0:
		head = sign("=", "arithmetic", colourRemark)
	case len(b.lines) > 1:
		text = "<b>" + strconv.Itoa(proved) + " proved</b> " + text
	}
	if failed >= 0 {
		head, open, text = sign("✗", "does not hold", colourFailed), ` open=""`, "<b>does not hold:</b> "+Escape(b.lines[failed].claim)
	}
	return `<details class="prl-proofs" data-prl-proofs="` + strconv.Itoa(
		len(b.lines),
	) + `"` + open + ` style="margin:0.25em 0;line-height:1.4">` +
		`<summary style="cursor:pointer;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">` + head + text + `</summary>` +
		`<div style="margin:0.2em 0 0.4em 1.2em">` + lines.String() + `</div></details>`
}
