//go:build unix

package relay

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/assist"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/build"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/wire"
)

// ready prepares to answer about cells, if the kernel has a reader.
func (r *Relay) ready() {
	folders, _ := filepath.Glob(filepath.Join(r.temp, "gonb_*"))
	if len(folders) != 1 {
		return
	}
	r.dir = folders[0]
	if r.goProgram == "" {
		return
	}
	r.assist = assist.New(r.goProgram, r.dir, r.goEnv)
	self, err := os.Executable()
	if err != nil {
		return
	}
	r.names = assist.Names{Folder: r.temp, Modules: r.dir, Go: []string{self, "build", "-o"}, GoImports: r.goimports, Env: r.goEnv}
}

// page is what the cells that ran have left.
func (r *Relay) page() assist.Page {
	known, _ := os.ReadFile(filepath.Join(r.folder, build.KnownFile)) // no cell has run yet if there is none
	r.mu.Lock()
	defer r.mu.Unlock()
	return assist.Page{Known: string(known), Imports: slices.Clone(r.imports)}
}

// help answers a question about the text of a cell, beside the cell that may run.
func (r *Relay) help(ctx context.Context, m wire.Message) {
	var asked struct {
		Code   string
		Cursor int `json:"cursor_pos"`
	}
	json.Unmarshal(m.Content, &asked)
	ctx, cancel := context.WithTimeout(ctx, assist.Patience)
	defer cancel()
	if r.assist != nil {
		r.assist.Wake() // also for a question that it need not answer, with which a page says that somebody begins to write
	}
	kind, content := "complete_reply", map[string]any{
		"status":       "ok",
		"matches":      []string{},
		"cursor_start": asked.Cursor,
		"cursor_end":   asked.Cursor,
		"metadata":     map[string]any{},
	}
	if m.Head().Type == "inspect_request" {
		kind, content = "inspect_reply", map[string]any{"status": "ok", "found": false, "data": map[string]any{}, "metadata": map[string]any{}}
		if r.assist != nil {
			if text := r.assist.Explain(ctx, r.page(), asked.Code, asked.Cursor); text != "" {
				content["found"], content["data"] = true, map[string]any{"text/markdown": text, "text/plain": text}
			}
		}
	} else if r.assist != nil {
		answer, found := r.names.Complete(ctx, r.page(), asked.Code, asked.Cursor)
		if !found {
			answer = r.assist.Complete(ctx, r.page(), asked.Code, asked.Cursor)
		}
		words := []string{}
		for _, match := range answer.Matches {
			words = append(words, match.Text)
		}
		content["matches"], content["cursor_start"], content["cursor_end"] = words, answer.Start, answer.End
		content["metadata"] = map[string]any{"_jupyter_types_experimental": append([]assist.Match{}, answer.Matches...), "prl_busy": answer.Busy}
	}
	r.answer(m, kind, content)
	r.mu.Lock()
	run := r.current
	r.mu.Unlock()
	if run != nil { // the answer has told Jupyter that the kernel is idle
		r.front.iopub.send(run.asked.Publish("status", map[string]any{"execution_state": "busy"}))
	}
}
