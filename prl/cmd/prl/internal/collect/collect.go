package collect

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/sandbox"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/notebook"
)

// An Outcome is what has become of an exercise.
type Outcome string

// The outcomes.
const (
	Solved  Outcome = "solved"
	Wrong   Outcome = "wrong"
	Open    Outcome = "open"
	Fails   Outcome = "fails"   // its cell ends with an error, or does not end
	Missing Outcome = "missing" // the cell shows nothing of the exercise
)

// A Mark is the outcome of one exercise of one hand-in.
type Mark struct {
	Outcome Outcome
	Code    string // that proves it solved; empty otherwise
	Notes   []string
}

// A Result is a hand-in with its marks by the id of the exercise.
type Result struct {
	*HandIn
	Marks map[string]Mark
	Note  string // why it could not be executed, if so
}

// Solved counts the exercises that are.
func (r *Result) Solved() (n int) {
	for _, m := range r.Marks {
		if m.Outcome == Solved {
			n++
		}
	}
	return n
}

// Options say how hand-ins are executed.
type Options struct {
	Jobs    int
	Timeout time.Duration // for one cell
	Limit   time.Duration // for one hand-in
}

// Run executes the hand-ins and marks them. It refuses where there is no sandbox.
func Run(ctx context.Context, lab *setup.Lab, all []*HandIn, options Options) (results []*Result, err error) {
	session, err := execute.Open(lab)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	work, err := session.Scratch("collect")
	if err != nil {
		return nil, err
	}
	trial := filepath.Join(work, "trial")
	if err := os.Mkdir(trial, 0o700); err != nil {
		return nil, err
	}
	if err := sandbox.Available(ctx, trial); err != nil {
		return nil, err
	}
	c := &collector{session: session, work: work, cells: lab.Own("collect", "cells"), options: options}
	if err := os.MkdirAll(c.cells, 0o755); err != nil {
		return nil, err
	}
	board := lab.Console.Board()
	defer board.Close()
	var chapters []*Chapter
	for _, h := range all {
		if !slices.Contains(chapters, h.Chapter) {
			chapters = append(chapters, h.Chapter)
		}
	}
	// First the chapter itself: what of it compiles is kept for all, and it shows whether it runs on this machine.
	for _, chapter := range chapters {
		row := board.Row(chapter.Name)
		_, err := c.execute(ctx, chapter.text, &execute.Guard{Cells: c.cells, Keep: true}, row.Count)
		row.Done(err == nil, "the chapter itself")
		if err != nil {
			return nil, fmt.Errorf("the chapter itself, without solutions, cannot be executed: %w", err)
		}
	}
	students := map[string]bool{}
	for _, h := range all {
		students[h.Student] = true
	}
	results = make([]*Result, len(all))
	slots := make(chan struct{}, max(1, options.Jobs))
	var wait sync.WaitGroup
	for i, h := range all {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			row := board.Row(h.Student + "  " + h.Chapter.Name)
			results[i] = c.collect(ctx, h, students, row.Count)
			row.Done(results[i].Note == "", fmt.Sprintf("%d of %d solved", results[i].Solved(), len(h.Chapter.Exercises)))
		})
	}
	wait.Wait()
	return results, context.Cause(ctx)
}

type collector struct {
	session *execute.Session
	work    string
	cells   string
	options Options
}

func (c *collector) execute(ctx context.Context, n *notebook.Notebook, guard *execute.Guard,
	progress func(done, cells int),
) (*notebook.Notebook, error) {
	file, err := os.CreateTemp(c.work, "*.ipynb")
	if err != nil {
		return nil, err
	}
	file.Close()
	defer os.Remove(file.Name())
	if err := n.Write(file.Name()); err != nil {
		return nil, err
	}
	result, err := c.session.Execute(ctx, file.Name(), execute.Options{Timeout: c.options.Timeout, Guard: guard, Progress: progress})
	if err != nil {
		return nil, err
	}
	return result.Notebook, nil
}

// errLong is why a hand-in was ended.
var errLong = errors.New("it takes longer than a hand-in may take in all")

// mostBlanked is how many cells of a hand-in may be left out because they do not end.
const mostBlanked = 12

// collect executes one hand-in, cells that do not end left out, and marks it.
func (c *collector) collect(ctx context.Context, h *HandIn, students map[string]bool, progress func(done, cells int)) *Result {
	ctx, cancel := context.WithTimeoutCause(ctx, c.options.Limit, errLong)
	defer cancel()
	r := &Result{HandIn: h, Marks: map[string]Mark{}}
	foreign := map[string]*notebook.Cell{}
	n := notebook.Graft(h.Chapter.text, h.text, func(c *notebook.Cell) bool {
		return c.IsCode() && slices.Contains(c.Tags(), "exercise")
	}, func(c *notebook.Cell) {
		c.Tag("raises-exception") // a cell that fails does not keep the next from being judged
		foreign[c.ID()] = c
	})
	blanked := map[string]string{}
	for {
		executed, err := c.execute(ctx, n, &execute.Guard{Cells: c.cells, Folder: h.Folder}, progress)
		if err == nil {
			c.mark(r, executed, blanked, students)
			return r
		}
		var failure *execute.Failure
		if errors.As(err, &failure) && failure.Cell > 0 && len(blanked) < mostBlanked && ctx.Err() == nil {
			if cell := foreign[failure.ID]; cell != nil && cell.Runs() {
				blanked[failure.ID] = brief(failure.Value)
				cell.SetSource("")
				continue
			}
		}
		r.Note = brief(err.Error())
		if errors.As(err, &failure) {
			r.Note = fmt.Sprintf("cell %s: %s", plain(failure.ID), brief(failure.Value))
		}
		for _, id := range h.Chapter.Exercises {
			r.Marks[id] = Mark{Outcome: Fails}
		}
		return r
	}
}

var (
	shown = regexp.MustCompile(`data-prl-exercise="([^"]*)" data-prl-outcome="(\w+)"(?: data-prl-answer="([^"]*)")?`)
	coded = regexp.MustCompile(`solved, code ([2-9A-Z]{4}-[2-9A-Z]{4})`)
)

// mark judges an executed hand-in. What it shows was written by a program of the student, who may have it show anything: a sealed exercise
// is solved if the last form of an answer that its own cell shows opens the seal of the chapter.
func (c *collector) mark(r *Result, executed *notebook.Notebook, blanked map[string]string, students map[string]bool) {
	ch := r.Chapter
	cells, handed, given := map[string]*notebook.Cell{}, map[string]*notebook.Cell{}, map[string]*notebook.Cell{}
	for _, part := range []struct {
		from *notebook.Notebook
		into map[string]*notebook.Cell
	}{{executed, cells}, {r.text, handed}, {ch.text, given}} {
		for _, c := range part.from.Cells {
			part.into[c.ID()] = c
		}
	}
	for _, id := range ch.Exercises {
		cell := cells[ch.cells[id]]
		mark := judge(ch, id, cell)
		if why, was := blanked[ch.cells[id]]; was {
			mark = Mark{Outcome: Fails, Notes: []string{why}}
		}
		if mark.Outcome == Solved {
			key, sealed := keyOf(ch, id, cell)
			mark.Code = key.Code(r.Student)
			if own := handed[ch.cells[id]]; own != nil {
				mark.Notes = append(mark.Notes, aboutCode(key, own, r.Student, students)...)
				if !sealed && statements(own) != statements(given[ch.cells[id]]) {
					mark.Notes = append(mark.Notes, "the lines below %% that judge the answer were changed: look at them")
				}
			}
		}
		r.Marks[id] = mark
	}
}

// judge is what the cell of an exercise shows of it at last.
func judge(ch *Chapter, id string, c *notebook.Cell) Mark {
	m := last(id, c)
	if m == nil {
		for _, output := range c.Outputs() {
			if value, isText := output["evalue"].(string); isText {
				return Mark{Outcome: Fails, Notes: []string{brief(value)}}
			}
		}
		return Mark{Outcome: Missing}
	}
	switch Outcome(m[2]) {
	case Solved:
		if _, sealed := keyOf(ch, id, c); !sealed && ch.sealed(id) {
			return Mark{Outcome: Wrong, Notes: []string{"the cell says that it is solved, but its answer does not open the seal: look at it"}}
		}
		return Mark{Outcome: Solved}
	case Wrong:
		return Mark{Outcome: Wrong}
	}
	return Mark{Outcome: Open}
}

func last(id string, c *notebook.Cell) (found []string) {
	for _, output := range c.Outputs() {
		for _, m := range shown.FindAllStringSubmatch(notebook.Data(output)["text/html"], -1) {
			if html.UnescapeString(m[1]) == id {
				found = m
			}
		}
	}
	return found
}

// keyOf is the key of an exercise that its cell shows to be solved, and whether that is proved by its seal.
func keyOf(ch *Chapter, id string, c *notebook.Cell) (cell.AnswerKey, bool) {
	if !ch.sealed(id) {
		return cell.UnsealedKey(id), false
	}
	return cell.SealedKey(ch.seals, id, html.UnescapeString(last(id, c)[3]))
}

// sealed reports whether the exercise has a seal.
func (c *Chapter) sealed(id string) bool {
	for l := range strings.Lines(c.seals) {
		if first, _, _ := strings.Cut(l, " "); first == id {
			return true
		}
	}
	return false
}

// aboutCode looks at the codes that a hand-in shows.
func aboutCode(key cell.AnswerKey, c *notebook.Cell, student string, students map[string]bool) []string {
	codes := map[string]bool{}
	for _, output := range c.Outputs() {
		if m := coded.FindStringSubmatch(notebook.Data(output)["text/plain"]); m != nil {
			codes[m[1]] = true
		}
	}
	if len(codes) == 0 || codes[key.Code(student)] {
		return nil
	}
	for other := range students {
		if other != student && codes[key.Code(other)] {
			return []string{"it was handed in with the code of " + other}
		}
	}
	return []string{"its code is that of another name"}
}

// statements are the lines of a cell below %%, without blanks at their ends.
func statements(c *notebook.Cell) string {
	var all []string
	below := false
	for l := range strings.Lines(c.Source()) {
		l = strings.TrimSpace(l)
		if below && l != "" {
			all = append(all, l)
		}
		below = below || strings.HasPrefix(l, "%%")
	}
	return strings.Join(all, "\n")
}

var ansi = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// brief is the first line of a message, not too long.
func brief(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(ansi.ReplaceAllString(text, "")), "\n")
	runes := []rune(plain(line))
	if len(runes) > 120 {
		runes = append(runes[:119], '…')
	}
	return string(runes)
}
