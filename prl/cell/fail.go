package cell

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// replaced in tests
var (
	exit             = os.Exit
	stderr io.Writer = os.Stderr
)

// Fail ends the cell with err: it shows a block that names the step, what it got, what it needs, what to do about it and the line of the
// cell, and ends the program with status 1. A kernel adds its own word on that, so nothing goes to standard error. Outside a kernel the
// block goes there as text, after the place in the program. Nil is no failure.
func Fail(err error) {
	if err == nil {
		return
	}
	at := caller()
	if styled() {
		line := at.source()
		Display(Bundle{HTML: blockHTML(err, line), Text: blockText(err, line)})
	} else {
		io.WriteString(stderr, at.String()+blockText(err, "")+"\n")
	}
	end()
}

// A place is a line of the program that called into the library, or nothing.
type place struct {
	file string // its full path
	line int    // 1 for the first
}

// caller returns the place nearest to the library.
func caller() place {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.") && filepath.Base(f.File) == "main.go" {
			return place{f.File, f.Line}
		}
		if !more {
			return place{}
		}
	}
}

// String returns "/home/.../main.go:12: ", or "".
func (p place) String() string {
	if p.file == "" {
		return ""
	}
	return p.file + ":" + strconv.Itoa(p.line) + ": "
}

// pointed returns the chain on one line, or on two when it is long, and the column at which the failing step begins on the last of them.
func pointed(e *fault.StepError) (lines []string, column int) {
	const most = 88
	chain, step := fault.Line(e.Chain), fault.Line(e.Step)
	before, found := strings.CutSuffix(chain, step)
	if !found {
		return []string{chain}, 0
	}
	if width(chain) <= most {
		return []string{chain}, width(before)
	}
	return []string{strings.TrimSuffix(before, ".") + ".", "    " + step}, 4
}

// rows returns the labelled lines of the block: got, needs, remedy, line.
func rows(err error, line string) [][2]string {
	var r [][2]string
	var argument *fault.ArgumentError
	if errors.As(err, &argument) {
		r = append(r, [2]string{"got", argument.Argument + " = " + argument.Got}, [2]string{"needs", argument.Need})
		if argument.Remedy != "" {
			r = append(r, [2]string{"remedy", argument.Remedy})
		}
	}
	if line != "" {
		r = append(r, [2]string{"line", line})
	}
	return r
}

func blockText(err error, line string) string {
	var b strings.Builder
	b.WriteString("✗ " + fault.Line(err.Error()))
	var step *fault.StepError
	if errors.As(err, &step) && step.Chain != "" {
		lines, column := pointed(step)
		b.WriteString("\n")
		for _, l := range lines {
			b.WriteString("\n  " + l)
		}
		b.WriteString("\n  " + strings.Repeat(" ", column) + "↑ here")
	}
	if r := rows(err, line); r != nil {
		b.WriteString("\n")
		for _, row := range r {
			b.WriteString("\n  " + row[0] + strings.Repeat(" ", 8-len(row[0])) + fault.Line(row[1]))
		}
	}
	return b.String()
}

const (
	colourPassed = "#009e73" // Okabe-Ito bluish green
	colourFailed = "#d55e00" // Okabe-Ito vermillion
	colourOpen   = "#a87400" // amber, dark enough for text
	colourRemark = "#666666"
)

func blockHTML(err error, line string) string {
	var b strings.Builder
	b.WriteString(`<div role="alert" data-prl-error="" style="border-left:4px solid ` + colourFailed + `;padding:0.4em 0.9em;margin:0.5em 0">`)
	name, message, _ := strings.Cut(err.Error(), ": ")
	var step *fault.StepError
	if !errors.As(err, &step) || message == "" {
		name, message = "", err.Error()
	}
	b.WriteString(`<div><span style="color:` + colourFailed + `;font-weight:700">✗</span> `)
	if name != "" {
		b.WriteString(`<b>` + Escape(name) + `</b>: `)
	}
	b.WriteString(Escape(message) + `</div>`)
	if step != nil && step.Chain != "" {
		lines, column := pointed(step)
		b.WriteString(`<pre style="margin:0.5em 0;padding:0;background:none;border:none;color:inherit;overflow-x:auto;line-height:1.25">`)
		b.WriteString(Escape(strings.Join(lines, "\n")) + "\n" + strings.Repeat(" ", column))
		b.WriteString(`<span style="color:` + colourFailed + `;font-weight:700">↑ here</span></pre>`)
	}
	if r := rows(err, line); r != nil {
		b.WriteString(`<table style="` + styleTable + `;margin:0"><tbody>`)
		for _, row := range r {
			b.WriteString(
				`<tr><th scope="row" style="padding:0.1em 0.9em 0.1em 0;border:none;text-align:left;background:none;opacity:0.75;font-weight:400">` +
					row[0] + `</th><td style="padding:0.1em 0;border:none;text-align:left;background:none">` + Escape(row[1]) + `</td></tr>`,
			)
		}
		b.WriteString(`</tbody></table>`)
	}
	b.WriteString(`</div>`)
	return b.String()
}

// Must returns v; with an error it ends the cell with a message.
func Must[T any](v T, err error) T {
	if err != nil {
		Fail(err)
	}
	return v
}
