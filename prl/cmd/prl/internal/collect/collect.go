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
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/sandbox"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/internal/seal"
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
	Code    string // made with the teacher's secret, for what is solved; empty otherwise
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
	Secret  []byte        // of the teacher, which makes the codes of what is solved and the draws by which functions are judged
	Fresh   bool          // compile all again
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
	c := &collector{
		lab: lab, session: session, work: work, cells: lab.Own("collect", "cells"), build: lab.Own("collect", "build"), options: options,
		programs: map[*asked]string{}, solutions: map[*Chapter]map[string]string{},
	}
	if err := c.caches(ctx, all); err != nil {
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
		_, err := c.execute(ctx, chapter.text, &execute.Guard{Cells: c.cells, Build: c.build, Keep: true}, row.Count)
		if err == nil {
			err = c.prepare(ctx, chapter)
		}
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
	lab     *setup.Lab
	session *execute.Session
	work    string
	cells   string // finished programs of cells of the chapters
	build   string // the cache of Go, in which is nothing but the library and the chapters without solutions
	options Options

	programs  map[*asked]string              // that judge
	solutions map[*Chapter]map[string]string // programs that compute withheld answers, by exercise
}

// caches makes ready what hand-ins are compiled with.
func (c *collector) caches(ctx context.Context, all []*HandIn) error {
	if c.options.Fresh {
		if err := errors.Join(os.RemoveAll(c.cells), os.RemoveAll(c.build)); err != nil {
			return err
		}
	}
	if err := errors.Join(os.MkdirAll(c.cells, 0o755), os.MkdirAll(c.build, 0o755)); err != nil {
		return err
	}
	var notebooks []string
	for _, h := range all {
		notebooks = append(notebooks, h.Path)
	}
	if err := c.lab.WarmFor(ctx, c.build, notebooks); err != nil {
		return err
	}
	return sandbox.Give(c.cells, c.build)
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
	var failure *execute.Failure
	if err != nil && !errors.As(err, &failure) { // the name of the file says nothing to anybody
		said := strings.ReplaceAll(err.Error(), file.Name()+": ", "")
		if ended := driverEnded.FindString(said); ended != "" {
			said = "something in it has ended the program that executes it " + strings.TrimPrefix(ended, driverWords)
		}
		err = errors.New(said)
	}
	if err != nil {
		return nil, err
	}
	return result.Notebook, nil
}

// driverWords is how package execute says that its driver is gone.
const driverWords = "the program that executes notebooks ended with an error "

var driverEnded = regexp.MustCompile(driverWords + `\([^)]*\)`)

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
	for _, cell := range n.Cells {
		for i, a := range h.Chapter.judged {
			if a.cell == cell.ID() {
				cell.Tag("raises-exception")
				cell.SetSource(a.serving(cell.Source(), boxJudge+"/"+strconv.Itoa(i)))
				foreign[cell.ID()] = cell
			}
		}
	}
	blanked := map[string]string{}
	for {
		court, err := c.open(ctx, h)
		if err != nil {
			r.Note = brief(err.Error())
			return r
		}
		guard := &execute.Guard{Cells: c.cells, Build: c.build, Folder: h.Folder, Judge: court.folder, Student: h.Student}
		executed, err := c.execute(ctx, n, guard, progress)
		court.close()
		if err == nil {
			c.mark(ctx, r, executed, court, blanked, students)
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
	told   = regexp.MustCompile(`data-prl-verdict="([^"]*)"`)
	coded  = regexp.MustCompile(`solved, code ([2-9A-Z]{4}-[2-9A-Z]{4})`)
	owners = regexp.MustCompile(`\(the numbers of ([^()]*)\)`)
)

// mark judges an executed hand-in. What it shows was written by a program of the student, who may have it show anything, and is taken for
// an answer at most, which then is judged here: by the seal of the chapter, or by its solution with the numbers of the student. What a
// program
// judges was judged in a process of the chapter's own.
func (c *collector) mark(ctx context.Context, r *Result, executed *notebook.Notebook, court *court, blanked map[string]string,
	students map[string]bool,
) {
	ch := r.Chapter
	cells, handed := map[string]*notebook.Cell{}, map[string]*notebook.Cell{}
	for _, cell := range executed.Cells {
		cells[cell.ID()] = cell
	}
	for _, cell := range r.text.Cells {
		handed[cell.ID()] = cell
	}
	for _, id := range ch.Exercises {
		at := ch.cells[id]
		if why, was := blanked[at]; was {
			r.Marks[id] = Mark{Outcome: Fails, Notes: []string{why}}
			continue
		}
		said := shown(cells[at])
		if ch.judgeOf(at) != nil {
			said = court.verdicts[at]
		}
		mark := Mark{Outcome: Missing}
		if v := last(id, said); v != nil {
			mark = c.judge(ctx, r, id, *v, handed[at], students)
		} else if why := failed(cells[at]); why != "" {
			mark = Mark{Outcome: Fails, Notes: []string{why}}
		} else if err := court.errors[at]; err != nil {
			mark = Mark{Outcome: Fails, Notes: []string{"its judge has no answer: " + brief(err.Error())}}
		}
		if mark.Outcome == Solved {
			mark.Code = seal.CodeOf(c.secretKey("code", ch.Name, id), r.Student)
		}
		r.Marks[id] = mark
	}
}

// judge makes a mark of what was said or answered.
func (c *collector) judge(ctx context.Context, r *Result, id string, v seal.Verdict, handed *notebook.Cell, students map[string]bool) (
	mark Mark,
) {
	if handed != nil {
		for _, output := range handed.Outputs() {
			if m := owners.FindStringSubmatch(notebook.Data(output)["text/plain"]); m != nil && m[1] != r.Student {
				mark.Notes = append(mark.Notes, "it was answered with the numbers of "+plain(m[1]))
			}
		}
	}
	if v.Outcome != "answered" {
		mark.Outcome = map[string]Outcome{"solved": Solved, "wrong": Wrong}[v.Outcome]
		if r.Chapter.judgeOf(r.Chapter.cells[id]) == nil || mark.Outcome == "" { // a cell of the hand-in says what it likes
			mark.Outcome = Open
		}
		return mark
	}
	s, sealed := seal.Find(r.Chapter.seals, id)
	if sealed && s.Withheld {
		var err error
		if s, err = c.sealFor(ctx, r.Chapter, id, r.Student); err != nil {
			return Mark{Outcome: Missing, Notes: []string{brief(err.Error())}}
		}
	} else if !sealed {
		return Mark{Outcome: Missing, Notes: []string{"the chapter has no seal of it"}}
	}
	form, right, _ := s.Judge(seal.ParseAnswer(v.Answer))
	mark.Outcome = Wrong
	if right {
		mark.Outcome = Solved
		mark.Notes = append(mark.Notes, aboutCode(s, form, handed, r.Student, students)...)
	}
	return mark
}

// shown is what the cell of a hand-in says.
func shown(c *notebook.Cell) (all []seal.Verdict) {
	for _, output := range c.Outputs() {
		for _, m := range told.FindAllStringSubmatch(notebook.Data(output)["text/html"], -1) {
			if v, err := seal.ParseVerdict(html.UnescapeString(m[1])); err == nil {
				all = append(all, v)
			}
		}
	}
	return all
}

func last(id string, said []seal.Verdict) *seal.Verdict {
	for _, v := range slices.Backward(said) {
		if v.ID == id {
			return &v
		}
	}
	return nil
}

// failed is the error with which a cell ends, or empty.
func failed(c *notebook.Cell) string {
	for _, output := range c.Outputs() {
		if value, isText := output["evalue"].(string); isText {
			return brief(value)
		}
	}
	return ""
}

// aboutCode looks at the codes that a hand-in shows.
func aboutCode(s seal.Seal, form string, c *notebook.Cell, student string, students map[string]bool) []string {
	codes := map[string]bool{}
	if c == nil {
		return nil
	}
	for _, output := range c.Outputs() {
		if m := coded.FindStringSubmatch(notebook.Data(output)["text/plain"]); m != nil {
			codes[m[1]] = true
		}
	}
	if len(codes) == 0 || codes[s.Code(form, student)] {
		return nil
	}
	for other := range students {
		if other != student && codes[s.Code(form, other)] {
			return []string{"it was handed in with the code of " + other}
		}
	}
	return []string{"its code is that of another name"}
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
