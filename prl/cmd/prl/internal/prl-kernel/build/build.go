//go:build unix

// Package build is the program go that GoNB finds first in the kernel's PATH. It builds the program of a cell with three additions: the
// value of a last expression is shown, variables that are not used stop nothing, and the time that the initialisers of variables take is
// measured.
//
// A build by the command go spends most of its time on finding out that nothing but the cell has changed. While a cell imports what an
// earlier one imported, and no source file of a package that can change has changed, the compiler and the linker are called with the very
// arguments that the command go has used; a cell that was built before, in this kernel or another, is not built at all. Whatever is out of
// the ordinary goes to the command go.
package build

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
)

// DirVar names the folder in which the launcher and this program talk about the cell that runs.
const DirVar = "PRL_CELL"

// KnownFile holds main.go as it was built last, for those who ask what cells have declared: GoNB writes main.go piece by piece, and begins
// with the cell alone.
const KnownFile = "known.go"

// A Cell is what the launcher says about the cell before GoNB gets it. It stands in the file cell.json.
type Cell struct {
	Names    []string // variables that the cell itself declares
	Declares []string // all that it declares; methods as Type.Method
	Value    bool     // it has a last expression to show
	Time     bool     // its costs are to be told
}

// A Report is what became of the build. It stands in the file build.json.
type Report struct {
	Dir      string  // of main.go
	Seconds  float64 // of the build
	Failed   bool
	Stopped  bool
	Messages []Message
	Text     string // what the compiler or go said, if it could not be taken apart
}

// A Message is one message of the compiler.
type Message struct {
	Line, Column int // in main.go, from 1
	Text         string
	Near         []string // names that may have been meant
	Missing      string   // the name that there is not
	Of           string   // the type or package that lacks it
}

// A Spent is the time of an initialiser. The program writes a list of them to the file init.json.
type Spent struct {
	Name    string
	Seconds float64
}

// Main is the program go, in the clone root. It does not return.
func Main(root checkout.Checkout, args []string) {
	b := &builder{root: root, program: os.Getenv(goenv.GoVar), talk: os.Getenv(DirVar)}
	if len(args) > 0 {
		switch args[0] {
		case "get":
			os.Exit(get(b.program, args))
		case "build":
			os.Exit(b.build(args))
		case pageWord:
			os.Exit(buildPage(root))
		case "test":
			swift()
			if len(args) > 3 && args[2] == "-o" {
				os.Remove(args[3]) // it may be one that is kept
			}
		}
	}
	os.Exit(run(b.program, args))
}

// swift lets this program, compiler and linker collect no garbage while they are small, as they are for a cell, which makes a build
// quicker. A package that is compiled for the first time would take 800 MB so, and keeps to less.
func swift() {
	const limit = 256 << 20
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(limit)
	os.Setenv("GOGC", "off")
	os.Setenv("GOMEMLIMIT", strconv.Itoa(limit))
}

// get fetches packages only if the user has allowed it. GoNB calls it for every cell, without the name of a package.
func get(program string, args []string) int {
	if os.Getenv(goenv.FetchVar) != "1" {
		for _, arg := range args[1:] {
			if !strings.HasPrefix(arg, "-") {
				os.Stderr.WriteString("go get: nothing is fetched, because the lab works without the network. To allow it, run a cell with the line\n" +
					"    %env " + goenv.FetchVar + "=1\nand then this one again. It holds until the kernel is restarted.\n")
				return 1
			}
		}
		return 0
	}
	if proxy := os.Getenv(goenv.ProxyVar); proxy != "" {
		os.Setenv("GOPROXY", proxy)
	} else {
		os.Unsetenv("GOPROXY")
	}
	return run(program, args)
}

// run hands over to the command go.
func run(program string, args []string) int {
	err := syscall.Exec(program, append([]string{program}, args...), os.Environ())
	os.Stderr.WriteString("go: " + program + ": " + err.Error() + "\n")
	return 1
}

// builder builds one cell.
type builder struct {
	root    checkout.Checkout
	program string // the command go
	talk    string // the folder of the launcher, or ""
	dir     string // of main.go
	output  string
	text    string // of main.go
	cell    Cell
	source  *program
	quickly bool  // quick may be tried
	known   *kept // nil if nothing is, or if it is out of date
}

// build is go build -o OUTPUT, as GoNB calls it for a cell. Any other call goes to the command go unchanged.
func (b *builder) build(args []string) int {
	swift()
	dir, err := os.Getwd()
	if err != nil || b.talk == "" || len(args) < 3 || args[1] != "-o" || os.Getenv("GOOS") != "" {
		return run(b.program, args)
	}
	b.dir, b.output = dir, args[2]
	if text, err := os.ReadFile(filepath.Join(b.talk, "cell.json")); err == nil {
		json.Unmarshal(text, &b.cell)
	}
	began := time.Now()
	syscall.Setpgid(0, 0)
	os.WriteFile(filepath.Join(b.talk, "build.pid"), []byte(strconv.Itoa(os.Getpid())), 0o600)
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, syscall.SIGINT)
	var report Report
	done := make(chan Report, 1)
	go func() { done <- b.attempts(args[3:]) }()
	select {
	case report = <-done:
	case <-stopped:
		report.Failed, report.Stopped = true, true
		b.kill()
	}
	os.Remove(filepath.Join(b.talk, "build.pid"))
	report.Seconds, report.Dir = time.Since(began).Seconds(), dir
	text, _ := json.Marshal(report)
	os.WriteFile(filepath.Join(b.talk, "build.json"), text, 0o600)
	if !report.Failed {
		b.remember()
		b.page()
		return 0
	}
	for _, m := range report.Messages {
		os.Stderr.WriteString("./main.go:" + strconv.Itoa(m.Line) + ":" + strconv.Itoa(m.Column) + ": " + m.Text + "\n")
	}
	os.Stderr.WriteString(report.Text)
	return 1
}

// attempts builds, and builds again without what the compiler does not like about the additions.
func (b *builder) attempts(flags []string) (r Report) {
	text, err := os.ReadFile(filepath.Join(b.dir, "main.go"))
	if err != nil {
		return Report{Failed: true, Text: err.Error() + "\n"}
	}
	b.text = string(text)
	b.tellKeep(b.text)
	b.quickly = len(flags) == 0 && b.alone()
	var archives map[string]string
	if b.quickly {
		b.known = b.kept()
		archives = b.known.archives()
	}
	for b.source = newProgram(b.text, b.cell, archives); ; b.source = newProgram(b.text, b.cell, nil) {
		for range 6 {
			said, err := b.once(flags)
			if err == nil {
				return Report{}
			}
			r = Report{Failed: true}
			r.Messages, r.Text = takeApart(said)
			if !b.source.heal(r.Messages) {
				break
			}
		}
		if !b.source.pruned {
			break
		}
	}
	b.source.restore(r.Messages)
	b.suggest(r.Messages)
	if os.Getenv(goenv.FetchVar) != "1" &&
		(strings.Contains(r.Text, "cannot find module providing package") || strings.Contains(r.Text, "no required module provides package")) {
		r.Text += "The lab does not fetch packages by itself. To allow it, run a cell with the line  %env " + goenv.FetchVar + "=1  and then " +
			"this cell again.\n"
	}
	return r
}

// remember keeps the text of the program, in one step, since questions come at any time.
func (b *builder) remember() {
	path := filepath.Join(b.talk, KnownFile)
	if os.WriteFile(path+"~", []byte(b.text), 0o600) == nil {
		os.Rename(path+"~", path)
	}
}

// errCompile says that the compiler or the command go has refused the program.
var errCompile = errors.New("the program does not compile")

// once builds the program in its present form.
func (b *builder) once(flags []string) (said string, err error) {
	files, err := b.source.write(b.dir, filepath.Join(b.talk, "program"))
	if err != nil {
		return err.Error() + "\n", err
	}
	if b.quickly && b.source.plain() {
		if said, done, err := b.quick(files); done {
			return said, err
		}
	}
	overlay := map[string]map[string]string{"Replace": {}}
	for name, path := range files {
		overlay["Replace"][filepath.Join(b.dir, name)] = path
	}
	text, _ := json.Marshal(overlay)
	path := filepath.Join(b.talk, "overlay.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return err.Error() + "\n", err
	}
	out, err := b.command(b.program, append([]string{"build", "-overlay", path, "-o", b.output}, flags...)...).CombinedOutput()
	if err != nil {
		return string(out), errCompile
	}
	return "", nil
}

// alone reports whether main.go is the only Go file of the program.
func (b *builder) alone() bool {
	files, err := filepath.Glob(filepath.Join(b.dir, "*.go"))
	return err == nil && len(files) == 1
}

func (b *builder) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...) // in the group of this program, which an interrupt ends as a whole
	cmd.Dir = b.dir
	return cmd
}

// kill ends what this program has started.
func (b *builder) kill() {
	signal.Ignore(syscall.SIGTERM)
	if syscall.Getpgrp() == syscall.Getpid() {
		syscall.Kill(0, syscall.SIGTERM)
	}
}

var position = regexp.MustCompile(`^(?:\S*/)?(?:main|` + helperName + `)\.go:(\d+):(\d+): (.*)$`)

// takeApart reads what the compiler says. The rest, such as a complaint about a package, is text.
func takeApart(said string) (list []Message, text string) {
	for line := range strings.Lines(said) {
		line = strings.TrimRight(line, "\r\n")
		switch m := position.FindStringSubmatch(line); {
		case m != nil:
			row, _ := strconv.Atoi(m[1])
			column, _ := strconv.Atoi(m[2])
			list = append(list, Message{Line: row, Column: column, Text: m[3]})
		case strings.HasPrefix(line, "# ") || strings.HasSuffix(line, ": too many errors") || line == "too many errors":
		case strings.HasPrefix(line, "\t") && len(list) > 0:
			list[len(list)-1].Text += "\n" + line
		case line != "":
			text += line + "\n"
		}
	}
	return list, text
}
