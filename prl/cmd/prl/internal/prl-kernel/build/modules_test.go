//go:build unix

package build

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
)

// What is asked for comes before what nobody has asked for, and what somebody has asked for last before all.
func TestModulesInTurn(t *testing.T) {
	m := modules{asked: []string{"03", "02"}, waiting: []string{"01", "02", "04"}, done: map[string]bool{}}
	var order []string
	for {
		name, _, ok := m.next()
		if !ok {
			break
		}
		order = append(order, name)
		m.done[name] = true
	}
	if want := []string{"02", "03", "01", "04"}; !slices.Equal(order, want) {
		t.Errorf("%v, want %v", order, want)
	}
}

// TestModules asks for chapters and for the program of a cell: a program that is kept is built, and where there is none a reader is told
// what to do.
func TestModules(t *testing.T) {
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write := func(name, source string) {
		t.Helper()
		text, _ := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{}, "cells": []any{map[string]any{
			"cell_type": "code", "id": "a", "metadata": map[string]any{}, "source": source, "outputs": []any{}, "execution_count": nil,
		}}})
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"01.ipynb", "02.ipynb", "03.ipynb"} {
		write(name, "1 + 1")
	}
	write("04.ipynb", "prl.Live(func(")
	program, err := live.CellProgram(live.Cell{Text: `import (
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/live"
)
%%
prl.Live(func(in *live.Inputs) *plotting.Figure { return plotting.New(plotting.Line([]float64{0, 1}, []float64{0, 1})) }).Show()`})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := live.Plan(root, program)
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Keep(); err != nil {
		t.Fatal(err)
	}
	os.Remove(kept.Path()) // of an earlier test
	ask, asks := io.Pipe()
	tells, tell := io.Pipe()
	ended := make(chan bool)
	go func() {
		Modules(root, folder, ask, tell)
		close(ended)
	}()
	io.WriteString(asks, kept.Name()+"\n")
	answers := json.NewDecoder(tells)
	answer := func(name string) (one Told) {
		t.Helper()
		for one.Name != name || one.Module == "" && one.Why == "" {
			one = Told{}
			if err := answers.Decode(&one); err != nil {
				t.Fatal(err)
			}
		}
		return one
	}
	if one := answer(kept.Name()); one.Module != kept.Name() || !kept.Built() || one.Chapters != 4 {
		t.Errorf("of a program that is kept: %+v, built: %v", one, kept.Built())
	}
	for name, says := range map[string]string{
		"00000000000000000000000000000000.wasm.gz": runIt, "mine.ipynb": runIt, "01.ipynb": runIt, "04.ipynb": "cannot be made: cell a",
	} {
		go io.WriteString(asks, name+"\n")
		if one := answer(name); one.Module != "" || !strings.Contains(one.Why, says) {
			t.Errorf("%s: %+v, want %q", name, one, says)
		}
	}
	asks.Close()
	go io.Copy(io.Discard, tells)
	<-ended
}
