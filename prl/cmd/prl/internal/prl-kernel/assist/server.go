//go:build unix

// Package assist completes and explains the text of cells. It asks gopls, which it starts when somebody writes, and which works beside the
// cells: nothing here waits for a cell, and no cell waits for anything here.
package assist

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
)

// A Server has gopls at work on the programs of one kernel while somebody writes: it starts with the first question and ends when none has
// come for a while. Who only runs cells pays nothing for it.
type Server struct {
	ctx     context.Context
	program []string // with its arguments
	env     []string
	dir     string // the folder of gopls' own module
	gonb    string // GoNB's, whose modules it copies

	waking  sync.Mutex
	now     *work // nil while none is at work
	rest    *time.Timer
	mu      sync.Mutex // one question at a time
	modules string     // the module files as they were last written
}

// work is one life of gopls.
type work struct {
	conn    *jsonrpc2.Conn
	up      chan struct{} // closed when gopls has read what cells import
	version int
}

// pipes are the two ends through which gopls is spoken to.
type pipes struct {
	io.ReadCloser
	io.WriteCloser
}

func (p pipes) Close() error {
	p.WriteCloser.Close()
	return p.ReadCloser.Close()
}

const (
	// Patience is how long a reader waits for an answer.
	Patience = 950 * time.Millisecond
	// rest is how long gopls stays without a question.
	rest = 10 * time.Minute
	// memory is what gopls keeps to where it can: about twice of what it needs when it reads the packages that cells import for the first
	// time. With less it collects garbage most of that time, a minute and more.
	memory = "512MiB"
)

// New makes ready to ask gopls about cells that GoNB builds in a folder. Dir is a folder for gopls' own module.
func New(ctx context.Context, program []string, gonb, dir string, env []string) (*Server, error) {
	s := &Server{ctx: ctx, program: program, gonb: gonb, dir: dir}
	mode := filepath.Join(dir, "config", "go", "telemetry", "mode")
	if err := os.MkdirAll(filepath.Dir(mode), 0o700); err != nil {
		return nil, err
	}
	// Where telemetry is off gopls starts no second process beside it. The settings of the command go stay where they are.
	if err := os.WriteFile(mode, []byte("off\n"), 0o600); err != nil {
		return nil, err
	}
	s.env = append(goenv.Without(env, "XDG_CONFIG_HOME", "GOWORK", "GOFLAGS", "GOGC", "GOMEMLIMIT"),
		"XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "GOWORK=off", "GOFLAGS=-mod=mod", "GOGC=50", "GOMEMLIMIT="+memory)
	if _, own := goenv.Lookup(env, "GOENV"); !own {
		if config, err := os.UserConfigDir(); err == nil {
			s.env = append(s.env, "GOENV="+filepath.Join(config, "go", "env"))
		}
	}
	return s, nil
}

// Wake starts gopls in the background unless it is at work, and puts off its end. It ends when its input is closed, which is also when this
// process ends, in whatever way.
func (s *Server) Wake() { s.awake() } // who asks learns of an error

func (s *Server) awake() (*work, error) {
	s.waking.Lock()
	defer s.waking.Unlock()
	if s.now != nil {
		select {
		case <-s.now.conn.DisconnectNotify():
		default:
			s.rest.Reset(rest)
			return s.now, nil
		}
	}
	s.mu.Lock()
	_, err := s.writeModules()
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(s.program[0], s.program[1:]...)
	cmd.Dir, cmd.Env = s.dir, s.env
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, 5) // cells come first
	w := &work{up: make(chan struct{})}
	stream := jsonrpc2.NewBufferedStream(pipes{out, in}, jsonrpc2.VSCodeObjectCodec{})
	w.conn = jsonrpc2.NewConn(s.ctx, stream, jsonrpc2.HandlerWithError(reply))
	s.now = w
	s.rest = time.AfterFunc(rest, func() { w.conn.Close() })
	go s.warm(w)
	return w, nil
}

// reply answers what gopls asks of an editor.
func reply(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	if r.Method == "workspace/configuration" {
		var asked struct{ Items []any }
		if r.Params != nil {
			json.Unmarshal(*r.Params, &asked)
		}
		all := make([]any, len(asked.Items))
		for i := range all {
			all[i] = settings
		}
		return all, nil
	}
	return nil, nil
}

var settings = map[string]any{
	"hoverKind":               "FullDocumentation",
	"linksInHover":            true, // which name is meant; readers do not see them
	"completeUnimported":      true,
	"matcher":                 "CaseInsensitive",
	"telemetryPrompt":         false,
	"usePlaceholders":         false,
	"diagnosticsTrigger":      "Save",
	"semanticTokens":          false,
	"completionBudget":        "150ms",
	"deepCompletion":          false,
	"expandWorkspaceToModule": false,
}

// writeModules writes a module that knows the modules of the cells as dependencies. In a workspace, as the cells have it, gopls would read
// all packages of these modules with their tests, which takes ten times the memory.
func (s *Server) writeModules() (changed bool, err error) {
	mod, sums := "module cells\n\ngo 1.26\n\n", ""
	work, err := os.ReadFile(filepath.Join(s.gonb, "go.work"))
	if err != nil {
		return false, err
	}
	own, _ := os.ReadFile(filepath.Join(s.gonb, "go.mod"))
	mod += strings.Join(requirement.FindAllString(string(own), -1), "\n") + "\n"
	for _, m := range usedFolder.FindAllSubmatch(work, -1) {
		folder := strings.Trim(string(m[1]), `"`)
		text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
		name := modulePath.FindSubmatch(text)
		if err != nil || name == nil || !filepath.IsAbs(folder) {
			continue
		}
		mod += "require " + string(name[1]) + " v0.0.0\nreplace " + string(name[1]) + " => " + strconv.Quote(folder) + "\n"
		for _, r := range requirement.FindAllStringSubmatch(string(text), -1) {
			mod += "require " + r[1] + " " + r[2] + "\n"
		}
		sum, _ := os.ReadFile(filepath.Join(folder, "go.sum"))
		sums += string(sum)
	}
	if mod+sums == s.modules {
		return false, nil
	}
	if err := os.WriteFile(filepath.Join(s.dir, "go.mod"), []byte(mod), 0o600); err != nil {
		return false, err
	}
	s.modules = mod + sums
	return true, os.WriteFile(filepath.Join(s.dir, "go.sum"), []byte(sums), 0o600)
}

var (
	requirement = regexp.MustCompile(`(?m)^\s*(?:require\s+)?([\w.-]+\.[\w./~-]+)\s+(v\d[\w.+-]*)`)
	usedFolder  = regexp.MustCompile(`(?m)^\s*(?:use\s+)?("?/[^\s()]*)`)
	modulePath  = regexp.MustCompile(`(?m)^module\s+(\S+)`)
)

func (s *Server) uri() string { return "file://" + filepath.Join(s.dir, "main.go") }

// warm makes gopls read the packages that cells import most.
func (s *Server) warm(w *work) {
	defer close(w.up)
	ctx := s.ctx
	var ignored json.RawMessage
	err := w.conn.Call(ctx, "initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": "file://" + s.dir, "initializationOptions": settings,
		"workspaceFolders": []any{map[string]any{"uri": "file://" + s.dir, "name": "cells"}},
		"capabilities": map[string]any{
			"workspace": map[string]any{"configuration": true, "workspaceFolders": true},
			"textDocument": map[string]any{
				"completion":    map[string]any{"completionItem": map[string]any{"documentationFormat": []string{"markdown"}}},
				"hover":         map[string]any{"contentFormat": []string{"markdown"}},
				"signatureHelp": map[string]any{"signatureInformation": map[string]any{"documentationFormat": []string{"markdown"}}},
			},
		},
	}, &ignored)
	if err != nil {
		return
	}
	w.conn.Notify(ctx, "initialized", map[string]any{})
	w.version = 1
	text, _ := Page{}.text(nil)
	w.conn.Notify(
		ctx,
		"textDocument/didOpen",
		map[string]any{
			"textDocument": map[string]any{"uri": s.uri(), "languageId": "go", "version": 1, "text": text + "\nfunc main() {\n\tprl.\n}\n"},
		},
	)
	line := 0
	for i := range text {
		if text[i] == '\n' {
			line++
		}
	}
	w.conn.Call(
		ctx,
		"textDocument/completion",
		map[string]any{"textDocument": map[string]any{"uri": s.uri()}, "position": position{line + 2, 5}},
		&ignored,
	)
}

// position is a place in a file: line, and UTF-16 units from its beginning, both from 0.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// ask gives gopls a text and asks a question about a place in it.
func (s *Server) ask(ctx context.Context, method, text string, at position, answer any) error {
	w, err := s.awake()
	if err != nil {
		return err
	}
	select {
	case <-w.up:
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.version++
	if changed, _ := s.writeModules(); changed {
		w.conn.Notify(
			ctx,
			"workspace/didChangeWatchedFiles",
			map[string]any{"changes": []any{map[string]any{"uri": "file://" + filepath.Join(s.dir, "go.mod"), "type": 2}}},
		)
	}
	if err := w.conn.Notify(ctx, "textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": s.uri(), "version": w.version}, "contentChanges": []any{map[string]any{"text": text}},
	}); err != nil {
		return err
	}
	return w.conn.Call(ctx, method, map[string]any{"textDocument": map[string]any{"uri": s.uri()}, "position": at}, answer)
}
