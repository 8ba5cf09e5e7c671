//go:build unix

package datasets

import (
	"embed"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/prlab/prlab/prl/cell"
)

// Tables that took long to read are kept, so that the next cell has them at once: in the folder of the cache, one file each, whose columns
// are mapped into memory and not read until they are used. An entry belongs to a path, the options of the reader and the reader's own
// program; it holds as long as the file has the same size and time, or, when only the time differs, the same content.
const (
	storeMagic = "prl table 1\n"
	storeLimit = 2 << 30               // bytes of all entries together
	storeFrom  = 50 * time.Millisecond // what reading has to take
	storeFresh = 2 * time.Second       // a file changed so shortly ago may change again within one tick of its clock
)

// readerProgram is what reads files of text: a table that another version read is read again.
//
//go:embed classes.go column_read.go csv.go dates.go input.go layout.go number.go
//go:embed records.go set_binary.go source.go store.go table_binary.go table_read.go
var readerProgram embed.FS

// kept returns the table of a file from the store, or reads and keeps it.
func kept(path, reader string, o readOptions, read func() (Table, error)) (Table, error) {
	info, err := os.Stat(path)
	whole, wrong := filepath.Abs(path)
	if err != nil || wrong != nil || !info.Mode().IsRegular() {
		return read()
	}
	o.limits, o.decode = Limits{}, nil
	header := "found out"
	if o.header != nil {
		header, o.header = fmt.Sprint(*o.header), nil
	}
	// The address of what the table is called by is part of the key, since it stands in the source of the table.
	key := fmt.Sprintf("%s\n%s\nheader %s\n%+v\n%s", path, whole, header, o, reader)
	name := fmt.Sprintf("%016x.table", sumText(key+program()))
	e := storedTable{path: path, file: filepath.Join(cell.Folder(), "tables", name), size: info.Size()}
	if e.time = info.ModTime().UnixNano(); time.Since(info.ModTime()) < storeFresh {
		e.time = 0
	}
	if t, ok := e.load(); ok {
		return t, nil
	}
	start := time.Now()
	t, err := read()
	if err != nil || time.Since(start) < storeFrom {
		return t, err
	}
	// What cannot be kept is read again: that costs time and nothing else.
	if again, err := os.Stat(path); err == nil && again.Size() == info.Size() && again.ModTime().Equal(info.ModTime()) {
		e.save(t)
	}
	return t, nil
}

// program returns the text of the reader's source.
func program() string {
	var all strings.Builder
	fs.WalkDir(readerProgram, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, _ := readerProgram.ReadFile(path)
			all.Write(text)
		}
		return err
	})
	return all.String()
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sumText(text string) uint64 {
	b := unsafe.Slice(unsafe.StringData(text), len(text))
	return uint64(crc32.ChecksumIEEE(b))<<32 | uint64(crc32.Checksum(b, castagnoli))
}

// sumFile returns a sum of the content of a file.
func sumFile(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	one, other := crc32.NewIEEE(), crc32.New(castagnoli)
	if _, err := io.CopyBuffer(io.MultiWriter(one, other), struct{ io.Reader }{f}, make([]byte, 1<<18)); err != nil {
		return 0, err
	}
	return uint64(one.Sum32())<<32 | uint64(other.Sum32()), nil
}

// A storedTable is a table in the store: its head, and behind it the columns, each at a multiple of eight bytes.
type storedTable struct {
	path, file string
	size, time int64 // of what was read; a time of 0 is not trusted
}

const headAt = len(storeMagic) + 5*8 // behind the magic word, order, size, time, sum and the length of the head

// save writes the entry into a file of its own and renames it, so that a reader sees a whole entry or none.
func (e storedTable) save(t Table) error {
	sum, err := sumFile(e.path)
	if err != nil {
		return err
	}
	head, blocks := t.encoded()
	total := int64(headAt + len(head) + 8*(len(blocks)+1))
	for _, b := range blocks {
		total += int64(len(b))
	}
	if total > storeLimit {
		return errors.New("the table is larger than the store")
	}
	dir := filepath.Dir(e.file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	cell.Evict(dir, ".table", storeLimit-total)
	f, err := os.CreateTemp(dir, "new-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	first := []byte(storeMagic)
	for _, v := range []uint64{order, uint64(e.size), uint64(e.time), sum, uint64(len(head))} {
		first = append(first, bytesOf([]uint64{v})...)
	}
	for _, part := range [][]byte{first, laidOut(headAt, head, blocks)} {
		if _, err := f.Write(part); err != nil {
			f.Close()
			return err
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), e.file)
}

// load maps the entry into memory and reports whether it was there, whole, and of the file as it is now.
func (e storedTable) load() (t Table, ok bool) {
	f, err := os.OpenFile(e.file, os.O_RDWR, 0)
	if err != nil {
		return t, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < int64(headAt) {
		return t, false
	}
	// The mapping is private: nothing in this program can change the entry. It stays as long as the program runs, like the table.
	b, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	if err != nil {
		return t, false
	}
	if t, ok = e.read(b, f); !ok {
		syscall.Munmap(b)
		return t, false
	}
	now := time.Now()
	os.Chtimes(e.file, now, now) // used just now: evicted last
	return t, true
}

func (e storedTable) read(b []byte, f *os.File) (t Table, ok bool) {
	var fixed [5]uint64
	copy(bytesOf(fixed[:]), b[len(storeMagic):headAt])
	if string(b[:len(storeMagic)]) != storeMagic || fixed[0] != order || int64(fixed[1]) != e.size {
		return t, false
	}
	if int64(fixed[2]) != e.time || e.time == 0 {
		if sum, err := sumFile(e.path); err != nil || sum != fixed[3] {
			return t, false
		}
		f.WriteAt(bytesOf([]uint64{uint64(e.time)}), int64(len(storeMagic)+16))
	}
	return decoded(b, headAt, int(fixed[4]))
}
