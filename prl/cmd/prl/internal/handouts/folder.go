package handouts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/prlab/prlab/prl/internal/atomicfile"
)

// A record remembers each file that was made: from what, so that it is made again only when that has changed, and with which bytes, so that
// a file that somebody else has put in its place is not taken for it.
type record map[string]made

type made struct {
	Key string `json:"key"`
	Sum string `json:"sum"`
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

const recordName = ".handouts.json"

// A folder is where the handouts of one version are put. Printers share it.
type folder struct {
	ctx     context.Context
	path    string
	mu      sync.Mutex
	known   record
	wanted  []string // the names of all that this call was asked for
	written int
}

func openFolder(ctx context.Context, path string) (*folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	f := &folder{ctx: ctx, path: path, known: record{}}
	if data, err := os.ReadFile(filepath.Join(path, recordName)); err == nil {
		if json.Unmarshal(data, &f.known) != nil {
			f.known = record{}
		}
	}
	return f, nil
}

// same reports whether the file is there that was made of this text, and returns the key of the text.
func (f *folder) same(name, text string) (key string, is bool) {
	key = sum([]byte(text))
	data, err := os.ReadFile(filepath.Join(f.path, name))
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wanted = append(f.wanted, name)
	return key, err == nil && f.known[name] == made{key, sum(data)}
}

func (f *folder) remember() error {
	record, err := json.MarshalIndent(f.known, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(f.path, recordName), record, 0o644)
}

// write writes a file that was made of what has the key.
func (f *folder) write(name, key string, data []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.ctx.Err(); err != nil {
		return err
	}
	if f.written++; f.written == 1 { // an archive that is there holds what is there, at whatever moment this ends
		if err := os.Remove(filepath.Join(f.path, archiveName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if _, is := f.known[name]; is { // nor does the record ever tell of a file what was true of its predecessor
		delete(f.known, name)
		if err := f.remember(); err != nil {
			return err
		}
	}
	if err := atomicfile.Write(filepath.Join(f.path, name), data, 0o644); err != nil {
		return err
	}
	f.known[name] = made{key, sum(data)}
	return f.remember()
}

// put writes a text, unless it is there.
func (f *folder) put(name, text string) error {
	key, is := f.same(name, text)
	if is {
		return nil
	}
	return f.write(name, key, []byte(text))
}

// left are the files of earlier calls that this one was not asked for.
func (f *folder) left() (names []string) {
	for name := range f.known {
		if _, err := os.Stat(filepath.Join(f.path, name)); err == nil && name != archiveName && !slices.Contains(f.wanted, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
