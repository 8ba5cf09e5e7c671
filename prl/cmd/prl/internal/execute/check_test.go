package execute

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// TestCheckOutputs compares outputs bit by bit where files are executed, and elsewhere as far as two processors agree.
func TestCheckOutputs(t *testing.T) {
	read := func(outputs string) *notebook.Notebook {
		t.Helper()
		n, err := notebook.Parse([]byte(`{"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "execution_count": null, "source": "f()", ` +
			`"outputs": [` + outputs + `]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const (
		one   = `{"output_type": "display_data", "data": {"text/plain": "difference 1e-16", "text/html": "<b>1e-16</b>"}, "metadata": {}}`
		other = `{"output_type": "display_data", "data": {"text/plain": "difference 2e-16", "text/html": "<b>2e-16</b>"}, "metadata": {}}`
		plain = `{"output_type": "display_data", "data": {"text/plain": "difference 1e-16"}, "metadata": {}}`
		said  = `{"output_type": "stream", "name": "stdout", "text": "difference 1e-16"}`
		error = `{"output_type": "stream", "name": "stderr", "text": "difference 1e-16"}`
	)
	path := filepath.Join(t.TempDir(), "01-one.ipynb")
	for _, c := range []struct {
		before, now     string
		here, elsewhere bool // whether they are equal
	}{
		{one, one, true, true},
		{one, other, false, true},
		{one, plain, false, false},
		{one, said, false, false},
		{said, error, false, false},
		{one, one + "," + one, false, false},
		{one, "", false, false},
		{"", "", true, true},
	} {
		if err := read(c.before).Write(path); err != nil {
			t.Fatal(err)
		}
		for processor, want := range map[string]bool{"amd64": c.here, "arm64": c.elsewhere} {
			now := read(c.now)
			now.Normalise("")
			err := checkOutputs(path, now, processor)
			if (err == nil) != want {
				t.Errorf("%s, then %s, on %s: %v", c.before, c.now, processor, err)
			}
			if err != nil && !strings.Contains(err.Error(), "cell 1 (id a)") {
				t.Errorf("the cell is not named: %v", err)
			}
		}
	}
}
