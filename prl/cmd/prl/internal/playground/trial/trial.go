// Package trial runs the cells of notebooks through the toolchain of pages, in Node, and compares how they end with what a kernel wrote.
package trial

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/notebook"
)

//go:embed trial.cjs
var script string

// A Trial is a toolchain in a process of Node.
type Trial struct {
	Ready float64 // the seconds of processor time until it could compile
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
}

// Start starts a trial of the script at path, which must be closed.
func Start(ctx context.Context, path string) (*Trial, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("cells of pages are tried in Node.js, which is missing here: %w", err)
	}
	t := &Trial{cmd: process.Command(ctx, node, "-e", script, path)}
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if t.in, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	var said strings.Builder
	t.cmd.Stderr = &said
	if err := t.cmd.Start(); err != nil {
		return nil, err
	}
	t.out = bufio.NewReader(out)
	var first struct{ Ready float64 }
	if err := t.read(&first); err != nil {
		return nil, errors.Join(err, t.Close(), errors.New(said.String()))
	}
	t.Ready = first.Ready
	return t, nil
}

// Close ends the trial.
func (t *Trial) Close() error {
	t.in.Close() // the program ends with its input
	return t.cmd.Wait()
}

func (t *Trial) read(to any) error {
	line, err := t.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the toolchain in Node has ended: %w", err)
	}
	return json.Unmarshal(line, to)
}

// An End is how a cell ends in a page.
type End struct {
	Fault   string   // what the reader, the compiler or the linker says, in the words of the notebook
	Code    *int     // the exit status, or nil if the program was stopped
	Outputs []Output // what it wrote and showed
	Make    float64  // the seconds of processor time of compiler and linker
	Run     float64  // and those of the program with its start
	Bytes   int      // of its module
	Memory  int      // in bytes, of the compiler or the linker, whichever had more
}

// An Output is a text that a program wrote, or what it showed.
type Output struct{ Stream, HTML, Text string }

// Said is the text of all outputs, without the words that stand for figures. What was printed comes first, as in a notebook that is saved.
func (e End) Said() string {
	var printed, shown strings.Builder
	for _, o := range e.Outputs {
		printed.WriteString(o.Stream)
		if o.Text != "" && !picture.MatchString(o.HTML) {
			shown.WriteString(o.Text + "\n")
		}
	}
	return printed.String() + shown.String()
}

// Cell makes and runs the cell id of cells, for at most so long.
func (t *Trial) Cell(cells []live.Cell, id string, patience time.Duration) (e End, err error) {
	line, err := json.Marshal(map[string]any{"cells": cells, "id": id, "seconds": patience.Seconds()})
	if err != nil {
		return e, err
	}
	if _, err := t.in.Write(append(line, '\n')); err != nil {
		return e, err
	}
	return e, t.read(&e)
}

// Differs says how a cell ends otherwise than in the lab, whose outputs of it are given; "" where it does not. Numbers may differ, for the
// rounding errors that checks print do, and a check that fails ends the cell. Figures are no text.
func (e End) Differs(outputs []map[string]any) string {
	failed := slices.ContainsFunc(outputs, func(o map[string]any) bool { return o["output_type"] == "error" })
	switch {
	case e.Fault != "":
		return e.Fault
	case e.Code == nil:
		return "it was stopped"
	case (*e.Code != 0) != failed:
		return fmt.Sprintf("it ends with status %d: %s", *e.Code, strings.TrimSpace(e.Said()))
	}
	want, got := words(shown(outputs)), words(e.Said())
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			return "it does not write: " + want[i]
		case i >= len(want):
			return "it also writes: " + got[i]
		case want[i] != got[i]:
			return "it writes: " + got[i] + "; in the lab: " + want[i]
		}
	}
	return ""
}

// Exact reports whether it also wrote what the lab wrote to the last digit.
func (e End) Exact(outputs []map[string]any) bool {
	return slices.Equal(lines(e.Said()), lines(shown(outputs)))
}

// picture marks a figure among outputs.
var picture = regexp.MustCompile(`data-prl-(?:figure|film|live|spec)=`)

// shown is the text of the outputs of a cell, without the words that stand for figures.
func shown(outputs []map[string]any) string {
	var b strings.Builder
	for _, o := range outputs {
		switch data := notebook.Data(o); {
		case o["output_type"] == "stream":
			b.WriteString(notebook.Stream(o))
		case !picture.MatchString(data["text/html"]):
			b.WriteString(data["text/plain"] + "\n")
		}
	}
	return b.String()
}

// lines are the lines of a text that are not empty.
func lines(text string) (list []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			list = append(list, line)
		}
	}
	return list
}

var number = regexp.MustCompile(`10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|[-−+]?\d[\d.,]*(?:e[-+]?\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?`)

// words are the lines with # for each number.
func words(text string) (list []string) {
	for _, line := range lines(text) {
		list = append(list, strings.Join(strings.Fields(number.ReplaceAllString(line, "#")), " "))
	}
	return list
}

// Sample is n of the cells, evenly spread, or all of them for 0.
func Sample(cells []live.Cell, n int) (some []live.Cell) {
	if n == 0 || n > len(cells) {
		return cells
	}
	for i := range n {
		some = append(some, cells[(2*i+1)*len(cells)/(2*n)])
	}
	return some
}
