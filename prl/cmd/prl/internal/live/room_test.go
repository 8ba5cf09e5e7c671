package live

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// TestMakeRoom finds the newest modules kept, each with the files beside it, and nothing else touched.
func TestMakeRoom(t *testing.T) {
	root := checkout.Checkout(t.TempDir())
	folder := root.Own("live")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	MakeRoom(root)
	const more = 3
	write := func(name string, age int) {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-time.Duration(age) * time.Hour)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	for age := range mostKept + more {
		for _, ending := range []string{".wasm.gz", ".wasm.lzma", ".js", ".lock"} {
			write(strconv.Itoa(age)+ending, age)
		}
	}
	write("lock", 9999)
	MakeRoom(root)
	for age := range mostKept + more {
		for _, ending := range []string{".wasm.gz", ".wasm.lzma", ".js", ".lock"} {
			_, err := os.Stat(filepath.Join(folder, strconv.Itoa(age)+ending))
			if kept := err == nil; kept != (age < mostKept) {
				t.Errorf("the file %d%s, by age: kept %v", age, ending, kept)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "lock")); err != nil {
		t.Error(err)
	}
}
