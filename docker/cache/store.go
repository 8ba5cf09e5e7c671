package main

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

const (
	ownLimit   = 256 << 20 // bytes in a person's own folder
	trimEvery  = time.Hour
	inUse      = 10 * time.Minute // an entry used within this time may be in the hands of a go command that runs now
	touchEvery = 5 * time.Minute  // an entry's time tells when it was used last, to this precision
)

// A store is the shared folder and the person's own.
type store struct {
	shared, own string
	now         func() time.Time
	limit       int64
}

// entry is an output in the cache.
type entry struct {
	output []byte
	size   int64
	made   time.Time
	path   string
}

// get looks for an action, first in the shared folder. An entry that is damaged counts as missing.
func (s store) get(action []byte) (entry, bool) {
	for _, dir := range []string{s.shared, s.own} {
		e, found := read(dir, action)
		if !found {
			continue
		}
		if dir == s.own {
			s.touch(e.path)
			s.touch(file(dir, action, "a"))
		}
		return e, true
	}
	return entry{}, false
}

// touch tells by the file's time that it is in use.
func (s store) touch(path string) {
	if info, err := os.Stat(path); err == nil && s.now().Sub(info.ModTime()) > touchEvery {
		os.Chtimes(path, s.now(), s.now())
	}
}

// read reads the entry of an action: "v1 <action> <output> <size> <nanoseconds>", as Go writes it.
func read(dir string, action []byte) (entry, bool) {
	text, err := os.ReadFile(file(dir, action, "a"))
	if err != nil {
		return entry{}, false
	}
	fields := bytes.Fields(text)
	if len(fields) != 5 || string(fields[0]) != "v1" || string(fields[1]) != hex.EncodeToString(action) {
		return entry{}, false
	}
	output, err1 := hex.DecodeString(string(fields[2]))
	size, err2 := strconv.ParseInt(string(fields[3]), 10, 64)
	nanoseconds, err3 := strconv.ParseInt(string(fields[4]), 10, 64)
	if err1 != nil || err2 != nil || err3 != nil || len(output) == 0 {
		return entry{}, false
	}
	e := entry{output, size, time.Unix(0, nanoseconds), file(dir, output, "d")}
	info, err := os.Stat(e.path)
	return e, err == nil && info.Size() == size
}

// put keeps an output in the own folder and returns its path.
func (s store) put(action, output, body []byte) (string, error) {
	if len(action) == 0 || len(output) == 0 {
		return "", fmt.Errorf("a put without action or output")
	}
	path := file(s.own, output, "d")
	if info, err := os.Stat(path); err != nil || info.Size() != int64(len(body)) {
		if err := write(path, body); err != nil {
			return "", err
		}
	}
	line := fmt.Sprintf("v1 %x %x %20d %20d\n", action, output, len(body), s.now().UnixNano())
	return path, write(file(s.own, action, "a"), []byte(line))
}

// file is where Go's cache keeps the entry (kind "a") or output ("d") of that name.
func file(dir string, id []byte, kind string) string {
	name := hex.EncodeToString(id)
	return filepath.Join(dir, name[:min(2, len(name))], name+"-"+kind)
}

// write writes a file whole or not at all, as several go commands may write the same.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "put-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// trim removes, once an hour, what was not used for longest until the own folder is within its limit.
func (s store) trim() {
	mark := filepath.Join(s.own, "prl-trimmed")
	if info, err := os.Stat(mark); err == nil && s.now().Sub(info.ModTime()) < trimEvery {
		return
	}
	if write(mark, nil) != nil {
		return
	}
	type found struct {
		path string
		size int64
		used time.Time
	}
	var all []found
	total := int64(0)
	filepath.WalkDir(s.own, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == s.own {
			return nil
		}
		if info, err := d.Info(); err == nil {
			all = append(all, found{path, info.Size(), info.ModTime()})
			total += info.Size()
		}
		return nil
	})
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path))
	})
	for _, f := range all {
		if total <= s.limit || s.now().Sub(f.used) < inUse {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.size
		}
	}
}
