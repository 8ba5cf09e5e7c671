//go:build unix

// Package assist completes and explains the text of cells. It asks gopls, which it starts with the kernel, and which works beside the
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
)

// A Server is gopls at work on the programs of one kernel.
type Server struct {
	dir  string // the folder of gopls' own module
	gonb string // GoNB's, whose modules it copies
	conn *jsonrpc2.Conn
	up   chan struct{} // closed when gopls has read what cells import

	mu      sync.Mutex // one question at a time
	version int
	modules string // the module files as they were last written
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

// Start starts gopls in the background, for cells that GoNB builds in a folder. Dir is a folder for gopls' own module. It ends when its
// input is closed, which is when this process ends, in whatever way.
func Start(ctx context.Context, program, gonb, dir string, env []string) (*Server, error) {
	s := &Server{dir: dir, gonb: gonb, up: make(chan struct{})}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if _, err := s.writeModules(); err != nil {
		return nil, err
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env = dir, append(env, "GOWORK=off", "GOFLAGS=-mod=mod")
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
	s.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(pipes{out, in}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(reply))
	go s.warm(ctx)
	return s, nil
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
func (s *Server) warm(ctx context.Context) {
	defer close(s.up)
	var ignored json.RawMessage
	err := s.conn.Call(ctx, "initialize", map[string]any{
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
	s.conn.Notify(ctx, "initialized", map[string]any{})
	s.version = 1
	text, _ := Page{}.text(nil)
	s.conn.Notify(
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
	s.conn.Call(
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
	select {
	case <-s.up:
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	if changed, _ := s.writeModules(); changed {
		s.conn.Notify(
			ctx,
			"workspace/didChangeWatchedFiles",
			map[string]any{"changes": []any{map[string]any{"uri": "file://" + filepath.Join(s.dir, "go.mod"), "type": 2}}},
		)
	}
	if err := s.conn.Notify(ctx, "textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": s.uri(), "version": s.version}, "contentChanges": []any{map[string]any{"text": text}},
	}); err != nil {
		return err
	}
	return s.conn.Call(ctx, method, map[string]any{"textDocument": map[string]any{"uri": s.uri()}, "position": at}, answer)
}

// Patience is how long a reader waits for an answer.
const Patience = 950 * time.Millisecond
