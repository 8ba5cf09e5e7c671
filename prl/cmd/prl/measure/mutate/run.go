package mutate

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/notebook"
)

//go:embed runtime.go.txt
var runtimeSource []byte

// Options say how far to go.
type Options struct {
	Cell     string        // only the checks of this cell, "" for all
	Seed     uint64        // of the order in which mistakes are tried
	Most     int           // mistakes that are tried on a check that stays green
	Jobs     int           // programs that run at the same time
	Timeout  time.Duration // the longest time for a mistake
	Progress func(done, all int)
}

// Verdicts on a check.
const (
	Proof      = "proof"      // some mistake in what it looks at turns it red
	Arithmetic = "arithmetic" // it compares numbers written in the cell
	Remark     = "remark"     // the same, and the notebook says so
	Survives   = "survives"   // no mistake turns it red
	Red        = "red"        // it does not hold as it is, perhaps only for some values that an instrument takes
)

// A Check is one check of a notebook, and what became of it.
type Check struct {
	Cell    string `json:"cell"`
	Line    int    `json:"line"`
	Item    string `json:"item,omitempty"`
	Claim   string `json:"claim"`
	Verdict string `json:"verdict"`
	Why     string `json:"why,omitempty"`
	// Of the mistakes behind it Tried were made, and Red turned it red, the first of which is Killer. Alive are those that it did not
	// notice.
	Tried  int      `json:"tried"`
	Red    int      `json:"red"`
	Killer string   `json:"killer,omitempty"`
	Alive  []string `json:"alive,omitempty"`
}

// Thin says that a check is a proof that notices few mistakes.
func (c *Check) Thin() bool { return c.Verdict == Proof && 4*c.Red <= c.Tried }

// Kinds of what can survive: a check that no mistake turns red, a mistake in what is drawn, and a rival in the place of a method, that turn
// no check red.
const (
	Figure = "figure"
	Method = "method"
)

// Kinds are all kinds, in the order of a report.
var Kinds = []string{Proof, Figure, Method}

// An Error is a mistake in a figure or in a method, and the claim of the check that notices it, "" if none does.
type Error struct {
	Kind   string `json:"kind"`
	Cell   string `json:"cell"`
	Line   int    `json:"line"`
	Change string `json:"change"`
	By     string `json:"by,omitempty"`
}

// A Report is the outcome for a notebook.
type Report struct {
	Notebook string        `json:"notebook"`
	Checks   []*Check      `json:"checks"`
	Errors   []*Error      `json:"errors"`
	Mutants  int           `json:"mutants"` // that could be planted
	Runs     int           `json:"runs"`
	Took     time.Duration `json:"nanoseconds"`
}

// Count is the number of checks with a verdict.
func (r *Report) Count(verdict string) (n int) {
	for _, c := range r.Checks {
		if c.Verdict == verdict {
			n++
		}
	}
	return n
}

// Survivors counts what survives of a kind, and how much there is of it.
func (r *Report) Survivors(kind string) (survive, all int) {
	if kind == Proof {
		survive = r.Count(Survives)
		return survive, survive + r.Count(Proof)
	}
	for _, e := range r.Errors {
		if e.Kind == kind {
			all++
			if e.By == "" {
				survive++
			}
		}
	}
	return survive, all
}

// Holds says that at most a share of each kind survives, and that every check holds as it is.
func (r *Report) Holds(limit float64) bool {
	for _, kind := range Kinds {
		if survive, all := r.Survivors(kind); float64(survive) > limit*float64(all) {
			return false
		}
	}
	return r.Count(Red) == 0
}

// An outcome is what a check said in one run.
type outcome struct {
	Site               int
	ID, Claim, Numbers string
	Holds              bool
	Remark             bool
}

// Notebook judges the checks of a notebook of the clone at root.
func Notebook(ctx context.Context, root, path string, o Options) (*Report, error) {
	began, r := time.Now(), &Report{Notebook: path}
	err := executed(ctx, root, path, o, func(n *notebook.Notebook, b *built, cells []*judged) error {
		r.Mutants = len(b.survey.mutants)
		r.judge(ctx, n, b, cells, o)
		return ctx.Err()
	})
	r.Took = time.Since(began)
	return r, err
}

// executed reads and builds a notebook, executes it once as it is, and gives it to use.
func executed(ctx context.Context, root, path string, o Options, use func(n *notebook.Notebook, b *built, cells []*judged) error) error {
	n, err := notebook.Read(path)
	if err != nil {
		return err
	}
	dir, err := process.TempDir(process.MutateFolder)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, err := build(ctx, root, dir, n)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	cells, err := b.begin(ctx, o)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return use(n, b, cells)
}

// judge plants the mistakes and counts what notices them.
func (r *Report) judge(ctx context.Context, n *notebook.Notebook, b *built, cells []*judged, o Options) {
	errors := b.errors(cells, n, o)
	total, done := len(errors), 0
	for _, c := range cells {
		total += len(c.checks)
	}
	var mu sync.Mutex
	decided := func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		if o.Progress != nil {
			o.Progress(done, total)
		}
	}
	var wait sync.WaitGroup
	slots := make(chan struct{}, max(1, o.Jobs))
	count := func(work func() int) {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			runs := work()
			mu.Lock()
			r.Runs += runs
			mu.Unlock()
		})
	}
	for _, c := range cells {
		count(func() int { return b.judge(ctx, c, o, decided) + 1 })
	}
	for _, e := range errors {
		count(func() int { defer decided(); return b.notice(ctx, e, o) })
	}
	wait.Wait()
	for _, e := range errors {
		if !e.void {
			r.Errors = append(r.Errors, e.Error)
		}
	}
	for _, c := range cells {
		for _, check := range c.checks {
			r.Checks = append(r.Checks, check.Check)
		}
	}
}

// A built is the program of a notebook with all mistakes in it.
type built struct {
	survey *survey
	web    *web
	binary string
	dir    string
}

func build(ctx context.Context, root, dir string, n *notebook.Notebook) (*built, error) {
	p, err := join(n)
	if err != nil {
		return nil, err
	}
	if err := setup.WriteCell(dir, root, p.source); err != nil {
		return nil, err
	}
	if err := p.check(dir); err != nil {
		return nil, err
	}
	b := &built{look(p), weave(p), filepath.Join(dir, "mutants"), dir}
	source := b.survey.rewritten() + "\nfunc main() { mutMain("
	for i := range p.cells {
		source += fmt.Sprintf("mutCell%d, ", i)
	}
	source += ") }\n"
	if err := setup.WriteCell(dir, root, source); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "runtime.go"), runtimeSource, 0o644); err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, "go", "build", "-o", b.binary)
	command.Dir = dir
	command.Env = append(goenv.Without(os.Environ(), "GOFLAGS", "GOWORK"), "GOFLAGS=-ldflags=-s")
	if said, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the program with the mistakes does not build: %w\n%s", err, firstLines(said, 12))
	}
	return b, nil
}

func firstLines(text []byte, n int) []byte {
	lines := bytes.SplitAfterN(text, []byte("\n"), n+1)
	return bytes.Join(lines[:min(n, len(lines))], nil)
}

// run executes a cell with a mistake, and returns what its checks said, and what the cell said at its end, of site -1 if it came there.
func (b *built) run(ctx context.Context, cell, mutant int, limit time.Duration) (said []outcome, end outcome, fault error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	read, write, err := os.Pipe()
	if err != nil {
		return nil, end, err
	}
	defer read.Close()
	command := exec.CommandContext(ctx, b.binary)
	command.Dir = b.dir
	command.ExtraFiles = []*os.File{write}
	command.Env = append(goenv.Without(os.Environ(), "GONB_*", "PRL_*"), fmt.Sprintf("PRL_CELL=%d", cell),
		fmt.Sprintf("PRL_MUTANT=%d", mutant), "PRL_CACHE="+filepath.Join(b.dir, "cache", fmt.Sprint(mutant)))
	var stderr bytes.Buffer
	command.Stderr = &stderr
	err = command.Start()
	write.Close()
	if err != nil {
		return nil, end, err
	}
	for decoder := json.NewDecoder(read); ; {
		var o outcome
		if decoder.Decode(&o) != nil {
			break
		}
		if o.Site < 0 {
			end = o
			break
		}
		said = append(said, o)
	}
	if err := command.Wait(); err != nil {
		fault = fmt.Errorf("%w: %s", err, firstLines(stderr.Bytes(), 8))
	}
	return said, end, fault
}

// enough mistakes tell how much a check notices.
const enough = 12

// A judged cell.
type judged struct {
	cell   int
	checks []*underTest
	took   time.Duration
	tried  map[int]bool
	red    map[key]bool // without any mistake
}

// An underTest is a check that has yet to show that it can fail.
type underTest struct {
	*Check
	site       int
	candidates []*mutant // that can reach it, in the order in which they are tried
	weak       []*mutant // that change what it says, or what it is given
	red        map[kind]string
}

// key tells the checks of a cell apart: a place in the notebook may make several. Numbers in a claim, which change with what is computed,
// do not make it another.
type key struct {
	site      int
	id, claim string
}

func keyOf(site int, id, claim string) key {
	return key{site, id, strings.Map(func(r rune) rune {
		if unicode.IsNumber(r) || r == '.' || r == ',' {
			return -1
		}
		return r
	}, claim)}
}

// begin runs each cell as it is, and finds the mistakes that can reach its checks.
func (b *built) begin(ctx context.Context, o Options) (cells []*judged, err error) {
	r := rand.New(rand.NewPCG(o.Seed, 1))
	order := r.Perm(len(b.survey.mutants))
	behind := make([]reach, len(b.survey.sites))
	for i, id := range b.survey.cells {
		if o.Cell != "" && o.Cell != id {
			continue
		}
		start := time.Now()
		said, end, fault := b.run(ctx, i, 0, max(time.Minute, o.Timeout))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if fault != nil && end.Site == 0 {
			return nil, fmt.Errorf("cell %s fails without any mistake: %w", id, fault)
		}
		c := &judged{cell: i, took: time.Since(start), tried: map[int]bool{}, red: map[key]bool{}}
		seen := map[key]bool{}
		for _, s := range said {
			if !s.Holds {
				c.red[keyOf(s.Site, s.ID, s.Claim)] = true
			}
		}
		for _, s := range said {
			k := keyOf(s.Site, s.ID, s.Claim)
			if seen[k] {
				continue
			}
			seen[k] = true
			where, line := b.survey.place(b.survey.sites[s.Site].whole.Pos())
			u := &underTest{Check: &Check{Cell: where, Line: line, Item: s.ID, Claim: s.Claim}, site: s.Site, red: map[kind]string{}}
			if behind[s.Site].at == nil {
				behind[s.Site] = b.reach(s.Site)
			}
			b.candidates(u, i, behind[s.Site], order)
			switch {
			case c.red[k]:
				u.Verdict, u.Why = Red, "it does not hold as it is, or for some value that an instrument takes"
			case s.Remark:
				u.Verdict, u.Why = Remark, "the notebook shows it as arithmetic"
			case behind[s.Site].plain:
				u.Verdict, u.Why = Arithmetic, "it compares numbers written in the cell: show it by prl.Remark, or compute one side"
			}
			c.checks = append(c.checks, u)
		}
		if len(c.checks) > 0 {
			cells = append(cells, c)
		}
	}
	if len(cells) == 0 {
		return nil, errors.New("there is no check to judge")
	}
	return cells, nil
}

// A reach is what stands behind a check.
type reach struct {
	at    []span
	plain bool
}

func (b *built) reach(site int) reach {
	nodes := b.web.behind(b.survey.sites[site])
	r := reach{plain: b.web.plain(nodes), at: []span{}}
	for _, n := range nodes {
		r.at = append(r.at, span{n.Pos(), n.End()})
	}
	return r
}

// candidates lists the mistakes that can reach a check of a cell.
func (b *built) candidates(u *underTest, cell int, behind reach, order []int) {
	whole := b.survey.sites[u.site].whole
	for _, i := range order {
		m := b.survey.mutants[i]
		reaches := slices.ContainsFunc(m.at, func(at span) bool {
			elsewhere := slices.IndexFunc(b.survey.bodies, func(body span) bool { return body.holds(at.from) })
			return (elsewhere < 0 || elsewhere == cell) && slices.ContainsFunc(behind.at, func(s span) bool { return s.holds(at.from) })
		})
		if !reaches {
			continue
		}
		switch own := (span{whole.Pos(), whole.End()}).holds(m.at[0].from); {
		case m.kind.computed():
			u.candidates = append(u.candidates, m)
		case own || m.kind == claim:
			u.weak = append(u.weak, m)
		}
	}
	later := func(m *mutant) int { return map[bool]int{true: 1}[m.kind == drawn || m.kind == method] }
	slices.SortStableFunc(u.candidates, func(x, y *mutant) int { return later(x) - later(y) }) // a proof is judged by its computation first
}

// limit is the longest time for the cell with a mistake.
func (c *judged) limit(o Options) time.Duration { return min(o.Timeout, 5*c.took+2*time.Second) }

// judge tries mistakes on the checks of a cell until each has been red and has seen enough, or has seen all that can reach it.
func (b *built) judge(ctx context.Context, c *judged, o Options, decided func()) (runs int) {
	limit := c.limit(o)
	try := func(m *mutant) {
		if c.tried[m.number] {
			return
		}
		c.tried[m.number] = true
		runs++
		said, _, _ := b.run(ctx, c.cell, m.number, limit)
		c.hear(m, said)
	}
	for _, u := range c.checks {
		if u.Verdict == "" {
			for i, m := range u.candidates {
				if i >= 3*o.Most || ctx.Err() != nil || u.Red > 0 && u.Tried >= enough || u.Tried >= o.Most {
					break
				}
				try(m)
			}
		}
		switch {
		case u.Verdict != "":
		case u.Red > 0:
			u.Verdict = Proof
		default:
			u.Verdict = Survives
			for _, m := range u.weak {
				if ctx.Err() == nil && len(u.red) < 2 {
					try(m)
				}
			}
			u.Why = u.explain(o.Most)
		}
		decided()
	}
	return runs
}

// hear notes what the checks of the cell said to a mistake.
func (c *judged) hear(m *mutant, said []outcome) {
	red, reached := map[key]bool{}, map[key]bool{} // a mistake that ends the cell early says nothing of the checks that follow
	unknown := map[int]bool{}                      // places whose claim, which may hold numbers, reads otherwise now
	known := map[key]bool{}
	for _, u := range c.checks {
		known[keyOf(u.site, u.Item, u.Claim)] = true
	}
	for _, o := range said {
		k := keyOf(o.Site, o.ID, o.Claim)
		reached[k] = true
		if !o.Holds {
			red[k] = true
			unknown[o.Site] = unknown[o.Site] || !known[k]
		}
	}
	for _, u := range c.checks {
		isRed := red[keyOf(u.site, u.Item, u.Claim)] || unknown[u.site]
		switch {
		case !m.kind.computed():
			if isRed && u.red[m.kind] == "" && slices.Contains(u.weak, m) {
				u.red[m.kind] = m.change
			}
		case u.Verdict != "":
		case isRed:
			if u.Tried, u.Red = u.Tried+1, u.Red+1; u.Red == 1 {
				u.Killer = m.change
			}
		case reached[keyOf(u.site, u.Item, u.Claim)] && slices.Contains(u.candidates, m):
			u.Tried++
			u.Alive = append(u.Alive, m.change)
		}
	}
}

// explain says why a check that no mistake turns red stays green.
func (u *underTest) explain(limit int) string {
	green := fmt.Sprintf("green under all %d mistakes behind it", u.Tried)
	switch {
	case len(u.candidates) == 0:
		green = "nothing stands behind it that could be mistaken"
	case u.Tried == 0:
		green = "every mistake behind it ends the cell before it is reached; move it up, or into a cell of its own"
	case u.Tried >= limit:
		green = fmt.Sprintf("green under %d of %d mistakes behind it", u.Tried, len(u.candidates))
	}
	switch {
	case u.red[planted] != "":
		return green + "; red when " + u.red[planted]
	case u.red[claim] != "":
		return green + "; red only when the claim itself says otherwise: " + u.red[claim]
	}
	return green + ", whatever it is given"
}
