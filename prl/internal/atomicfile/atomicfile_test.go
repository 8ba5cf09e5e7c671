//go:build unix

package atomicfile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// only fails the test if the folder of path holds anything else than path and what is named.
func only(t *testing.T, path string, others ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if len(entries) != 1+len(others) {
		t.Errorf("the folder holds %v", names)
	}
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	path := filepath.Join(t.TempDir(), "a file")
	if err := Write(path, []byte("one"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := mode(t, path); got != 0o750 {
		t.Errorf("a new file has mode %o, want 750: the umask is 027", got)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("two"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := mode(t, path); got != 0o666 {
		t.Errorf("a file that was there has mode %o, want its own, 666", got)
	}
	if text, _ := os.ReadFile(path); string(text) != "two" {
		t.Errorf("the file holds %q", text)
	}
	only(t, path)
}

func TestLinkStaysALink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(path, []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("two"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "two" {
		t.Errorf("the file holds %q", text)
	}
	if to, err := os.Readlink(link); err != nil || to != path {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
	only(t, path)
	only(t, link)
}

// Every error names the file and not the temporary one, which is gone.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		folder:                             "is a directory",
		filepath.Join(dir, "none", "file"): "no such file or directory",
	} {
		if err := Write(path, nil, 0o644); err == nil || err.Error() != path+" cannot be written: "+want {
			t.Errorf("%q, want %q", err, path+" cannot be written: "+want)
		}
	}
	only(t, folder)
}

// A file that its owner has protected stays, although its folder would let it be replaced. Root may write every file.
func TestProtectedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 250)) // as long as a name can be, nearly
	if err := os.WriteFile(path, []byte("one"), 0o444); err != nil {
		t.Fatal(err)
	}
	err := Write(path, []byte("two"), 0o644)
	text, _ := os.ReadFile(path)
	if os.Geteuid() == 0 {
		if err != nil || string(text) != "two" || mode(t, path) != 0o444 {
			t.Errorf("as root: error %v, the file holds %q", err, text)
		}
	} else if err == nil || err.Error() != path+" cannot be written: permission denied" || string(text) != "one" {
		t.Errorf("error %v, the file holds %q", err, text)
	}
	only(t, path)
}

// A full disk shows when the bytes are written: the file stays, the temporary one goes.
func TestFailedWriteLeavesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("one"), 0o644); err != nil {
		t.Fatal(err)
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	small := limit
	small.Cur = 1 << 20 // more than go test writes itself
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	err := Write(path, make([]byte, 2<<20), 0o644)
	if back := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); back != nil {
		t.Fatal(back)
	}
	if err == nil || err.Error() != path+" cannot be written: file too large" {
		t.Errorf("error %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "one" {
		t.Errorf("the file holds %d bytes", len(text))
	}
	only(t, path)
}

// Readers see one of the texts that are written at the same time, whole.
func TestReadersSeeAWholeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	texts := [][]byte{bytes.Repeat([]byte("a"), 100_000), bytes.Repeat([]byte("b"), 50_000)}
	if err := Write(path, texts[0], 0o644); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for _, text := range texts {
		writers.Go(func() {
			for range 20 {
				if err := Write(path, text, 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, texts[0]) && !bytes.Equal(got, texts[1]) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	writers.Wait()
	only(t, path)
}
