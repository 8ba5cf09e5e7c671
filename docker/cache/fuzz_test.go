package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/fuzztest"
)

// FuzzServe speaks to the cache as a go command that has lost its mind.
func FuzzServe(f *testing.F) {
	f.Add(
		[]byte(
			`{"ID":1,"Command":"put","ActionID":"` + strings.Repeat(
				"AA",
				21,
			) + `AA==","OutputID":"AQE=","BodySize":3}` + "\n" + `"YWJj"` + "\n" + `{"ID":2,"Command":"get","ActionID":"` + strings.Repeat(
				"AA",
				21,
			) + `AA=="}` + "\n" + `{"ID":3,"Command":"close"}` + "\n",
		),
	)
	root := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		shared, own := filepath.Join(root, "shared"), filepath.Join(root, "own")
		defer os.RemoveAll(own)
		var out bytes.Buffer
		s := store{shared: shared, own: own, now: func() time.Time { return time.Unix(1e9, 0) }, limit: 1 << 20}
		var err error
		fuzztest.Bounded(t, len(data), fuzztest.Allowance, func() { err = serve(bytes.NewReader(data), &out, s) })
		if err != nil && !strings.Contains(err.Error(), "cannot be read") {
			t.Errorf("the error does not say what: %v", err)
		}
		answers := json.NewDecoder(&out)
		for first := true; ; first = false {
			var r response
			if err := answers.Decode(&r); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("an answer is no JSON: %v", err)
			}
			if first != (r.KnownCommands != nil) {
				t.Error("the known commands come first, and once")
			}
			if r.DiskPath != "" {
				if rel, err := filepath.Rel(own, r.DiskPath); err != nil || strings.HasPrefix(rel, "..") {
					t.Errorf("a path outside the cache: %q", r.DiskPath)
				}
				if info, err := os.Stat(r.DiskPath); err != nil || !r.Miss && r.OutputID != nil && info.Size() != r.Size {
					t.Errorf("the file %q is not what the answer says (%v)", r.DiskPath, err)
				}
			}
		}
	})
}

// FuzzEntry reads the entry of an action from a folder that somebody has written into.
func FuzzEntry(f *testing.F) {
	dir := f.TempDir()
	action := bytes.Repeat([]byte{0xab}, 32)
	path := file(dir, action, "a")
	if err := write(path, nil); err != nil {
		f.Fatal(err)
	}
	if err := write(file(dir, []byte{1, 2}, "d"), []byte("body")); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var e entry
		found := false
		fuzztest.Bounded(t, len(text), fuzztest.Allowance, func() { e, found = read(dir, action) })
		if !found {
			return
		}
		if rel, err := filepath.Rel(dir, e.path); err != nil || strings.HasPrefix(rel, "..") || e.size != 4 {
			t.Errorf("found %q of %d bytes", e.path, e.size)
		}
	})
}
