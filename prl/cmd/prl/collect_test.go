package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecret makes a secret once, for its owner's eyes, and refuses one that can be guessed.
func TestSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings", "secret")
	first, err := readSecret(path)
	if err != nil || len(first) < 16 {
		t.Fatal(err, len(first))
	}
	if again, err := readSecret(path); err != nil || !bytes.Equal(first, again) {
		t.Errorf("the secret changes: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readSecret(path); err == nil || !strings.Contains(err.Error(), "needs 16") {
		t.Error(err)
	}
}
