package live

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// A module that another process builds is waited for, and not built again.
func TestBuiltMeanwhile(t *testing.T) {
	m := Planned{Hash: "other", root: checkout.Checkout(t.TempDir()), program: "this does not compile"}
	if err := os.MkdirAll(filepath.Dir(m.Path()), 0o755); err != nil {
		t.Fatal(err)
	}
	held, err := m.alone(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- m.Build(t.Context()) }()
	select {
	case err := <-ended:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	for _, name := range []string{m.Path(), m.root.Own("live", m.Hash+".js")} {
		if err := os.WriteFile(name, []byte("built"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	held.Release()
	if err := <-ended; err != nil {
		t.Errorf("it is built again: %v", err)
	}
}
