package collect

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
	"github.com/prlab/prlab/prl/cmd/prl/internal/sandbox"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/internal/seal"
	"github.com/prlab/prlab/prl/notebook"
)

// judgeImport is the package by which a judge and a hand-in speak, under a name that no cell has.
const judgeImport = "import prlJudge " + `"` + checkout.Module + `/prl/judge"`

// An asked is a cell of a chapter whose answers a program judges: functions, or what is reached with variables. A hand-in gives its answers
// from its own sandbox, one by one, and all else of the program is the chapter's.
type asked struct {
	cell   string
	names  []string // of the answers
	vars   bool     // they are variables
	source string   // of the cell, with the answers of the hand-in in place of those of the chapter
}

// parts cuts a cell into what it declares and what it executes.
func parts(source string) (head, body string) {
	at := 0
	for line := range strings.Lines(source) {
		if word := strings.TrimSpace(line); strings.HasPrefix(word, "%%") || strings.HasPrefix(word, "%main") {
			return source[:at], source[at:]
		}
		at += len(line)
	}
	return source, ""
}

// askOf reads a cell that a program judges. Its answers are what it declares first: one function, or else all its variables.
func askOf(c *notebook.Cell) (*asked, error) {
	const frame = "package p\n"
	head, body := parts(c.Source())
	text := frame + head
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	offset := func(at token.Pos) int { return files.Position(at).Offset }
	part := func(from, to token.Pos) string { return text[offset(from):offset(to)] }
	a := &asked{cell: c.ID()}
	type change struct {
		from, to int
		text     string
	}
	var changes []change
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if len(a.names) > 0 {
				continue
			}
			if d.Recv != nil || d.Type.TypeParams != nil {
				return nil, errors.New("its answer is a method or a generic function, which cannot be asked for")
			}
			a.names = []string{d.Name.Name}
			changes = append(changes, change{offset(d.Pos()), offset(d.End()), fmt.Sprintf("var %s = prlJudge.Func[func%s](%q)",
				d.Name.Name, part(d.Type.Params.Pos(), d.Type.End()), d.Name.Name)})
		case *ast.GenDecl:
			if d.Tok != token.VAR || len(a.names) > 0 && !a.vars {
				continue
			}
			a.vars = true
			var declared []string
			for _, spec := range d.Specs {
				spec := spec.(*ast.ValueSpec)
				if spec.Type == nil && len(spec.Values) != len(spec.Names) {
					return nil, errors.New("its variables have no value of their own each")
				}
				for i, name := range spec.Names {
					kind, value := "", ""
					if spec.Type != nil {
						kind = part(spec.Type.Pos(), spec.Type.End())
						value = "*new(" + kind + ")"
						kind = "[" + kind + "]"
					} else {
						value = part(spec.Values[i].Pos(), spec.Values[i].End())
					}
					declared = append(declared, fmt.Sprintf("var %s = prlJudge.Var%s(%q, %s)", name.Name, kind, name.Name, value))
					a.names = append(a.names, name.Name)
				}
			}
			changes = append(changes, change{offset(d.Pos()), offset(d.End()), strings.Join(declared, "\n")})
		}
	}
	if len(a.names) == 0 {
		return nil, errors.New("it declares no function and no variable to be answered")
	}
	for _, c := range slices.Backward(changes) {
		text = text[:c.from] + c.text + text[c.to:]
	}
	a.source = judgeImport + "\n" + strings.TrimPrefix(text, frame) + body
	return a, nil
}

// serving is the cell of a hand-in that gives its answers to the judge at a socket, instead of executing what it executes.
func (a *asked) serving(source, socket string) string {
	head, _ := parts(source)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%%%%\nprlJudge.Serve(%q, map[string]any{\n", judgeImport, strings.TrimRight(head, "\n"), socket)
	for _, name := range a.names {
		address := ""
		if a.vars {
			address = "&"
		}
		fmt.Fprintf(&b, "\t%q: %s%s,\n", name, address, name)
	}
	b.WriteString("})")
	return b.String()
}

// program builds the program of one cell of a notebook, outside of the sandbox and its caches: nothing of a hand-in is in it.
func (c *collector) program(ctx context.Context, n *notebook.Notebook, id, source string) (string, error) {
	cells := live.Cells(n, false)
	for i := range cells {
		if cells[i].ID == id && source != "" {
			cells[i].Text = source
		}
	}
	text, err := live.Main(cells, id)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(c.work, "judge-")
	if err != nil {
		return "", err
	}
	if err := setup.WriteCell(dir, string(c.lab.Checkout), text); err != nil {
		return "", err
	}
	program := filepath.Join(dir, "program")
	build := exec.CommandContext(ctx, c.lab.Go.Program, "build", "-o", program)
	build.Dir, build.Env = dir, goenv.Cells(os.Environ(), c.lab.State(), c.lab.Go.Program)
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the program that judges cell %s does not build: %w\n%s", id, err, said)
	}
	return program, os.Chmod(program, 0o755)
}

// What a judge may have.
const (
	judgeMemory    = 2 << 30
	judgeProcesses = 20
	judgeThreads   = 400
)

// run runs a program of the chapter in a sandbox of its own, and returns what it says of exercises. It speaks with a hand-in by the file
// answers, if there is one.
func (c *collector) run(ctx context.Context, program, student string, draws uint64, answers *os.File) (said []seal.Verdict, err error) {
	dir, err := os.MkdirTemp(c.work, "judging-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		return nil, err
	}
	verdicts, err := os.Create(filepath.Join(dir, "verdicts"))
	if err != nil {
		return nil, err
	}
	defer verdicts.Close()
	if answers == nil {
		if answers, err = os.Open(os.DevNull); err != nil {
			return nil, err
		}
		defer answers.Close()
	}
	box := sandbox.Box{
		Root: root, Dir: "/tmp", Memory: judgeMemory, Processes: judgeProcesses, Threads: judgeThreads,
		Places: []sandbox.Place{{Path: "/judge/program", Source: program, Kind: sandbox.Read}},
		Env: []string{
			"PATH=/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8", "PRL_STUDENT=" + student, goenv.HeadlessVar + "=1",
			cell.CollectVar + "=judge", cell.DrawsVar + "=" + strconv.FormatUint(draws, 10),
		},
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ctx, stop := context.WithTimeout(ctx, 2*c.options.Timeout)
	defer stop()
	cmd, err := box.Command(ctx, []*os.File{answers, verdicts}, "/judge/program")
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go box.Watch(ctx, cmd.Process.Pid, cancel)
	err = cmd.Wait()
	if err != nil && context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	text, read := os.ReadFile(verdicts.Name())
	for line := range strings.Lines(string(text)) {
		if v, parsed := seal.ParseVerdict(strings.TrimSpace(line)); parsed == nil {
			said = append(said, v)
		}
	}
	return said, errors.Join(err, read)
}

// secretNumber is a number that belongs to words and to the teacher's secret.
func (c *collector) secretNumber(words ...string) uint64 {
	key := c.secretKey(words...)
	return binary.LittleEndian.Uint64(key[:])
}

func (c *collector) secretKey(words ...string) (key [32]byte) {
	mac := hmac.New(sha256.New, c.options.Secret)
	for _, w := range words {
		fmt.Fprintf(mac, "%d %s", len(w), w)
	}
	mac.Sum(key[:0])
	return key
}

// A court judges the answers of one hand-in while it is executed.
type court struct {
	folder    string
	listeners []net.Listener
	wait      sync.WaitGroup

	mu       sync.Mutex
	verdicts map[string][]seal.Verdict // by the id of the cell
	errors   map[string]error
}

// boxJudge is where a hand-in finds the sockets of its judges.
const boxJudge = "/judge"

// open opens the court: a socket for each cell that a program judges. Each answers once.
func (c *collector) open(ctx context.Context, h *HandIn) (*court, error) {
	folder, err := os.MkdirTemp(c.work, "court-")
	if err != nil {
		return nil, err
	}
	o := &court{folder: folder, verdicts: map[string][]seal.Verdict{}, errors: map[string]error{}}
	if err := os.Chmod(folder, 0o755); err != nil {
		return nil, err
	}
	for i, a := range h.Chapter.judged {
		listener, err := net.Listen("unix", filepath.Join(folder, strconv.Itoa(i)))
		if err == nil {
			err = os.Chmod(filepath.Join(folder, strconv.Itoa(i)), 0o666)
		}
		if err != nil {
			o.close()
			return nil, err
		}
		o.listeners = append(o.listeners, listener)
		o.wait.Go(func() {
			conn, err := listener.Accept()
			listener.Close()
			if err != nil { // nothing was answered
				return
			}
			said, err := c.hear(ctx, conn, h, a)
			o.mu.Lock()
			defer o.mu.Unlock()
			o.verdicts[a.cell], o.errors[a.cell] = said, err
		})
	}
	return o, nil
}

// hear runs the judge of one cell on a connection to its answers.
func (c *collector) hear(ctx context.Context, conn net.Conn, h *HandIn, a *asked) ([]seal.Verdict, error) {
	defer conn.Close()
	unix, is := conn.(*net.UnixConn)
	if !is {
		return nil, io.ErrClosedPipe
	}
	file, err := unix.File()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	conn.Close()
	return c.run(ctx, c.programs[a], h.Student, c.secretNumber("draws", h.Student, a.cell), file)
}

// close waits for the judges that are still at work.
func (o *court) close() {
	for _, l := range o.listeners {
		l.Close()
	}
	o.wait.Wait()
	os.RemoveAll(o.folder)
}

// sealFor is the seal of a withheld answer: what the solution of the chapter has with the numbers of this student.
func (c *collector) sealFor(ctx context.Context, ch *Chapter, id, student string) (seal.Seal, error) {
	program := c.solutions[ch][id]
	if program == "" {
		return seal.Seal{}, errors.New("its answer is withheld, and the chapter has no solution of it")
	}
	said, err := c.run(ctx, program, student, 0, nil)
	for _, v := range said {
		if v.ID == id && v.Seal != "" {
			return seal.Parse(v.Seal)
		}
	}
	return seal.Seal{}, errors.Join(errors.New("its solution gives no seal"), err)
}

// prepare builds the programs that judge the hand-ins of a chapter.
func (c *collector) prepare(ctx context.Context, ch *Chapter) error {
	for _, a := range ch.judged {
		program, err := c.program(ctx, ch.text, a.cell, a.source)
		if err != nil {
			return fmt.Errorf("%s: %w", ch.Name, err)
		}
		c.programs[a] = program
	}
	c.solutions[ch] = map[string]string{}
	for id, solution := range ch.withheld {
		program, err := c.program(ctx, ch.full, solution, "")
		if err != nil {
			return fmt.Errorf("%s: %w", ch.Name, err)
		}
		c.solutions[ch][id] = program
	}
	return nil
}
