//go:build image && linux

package docker

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPin renews the digests of the bases, with a registry that the test plays, and changes nothing when the answer is none.
func TestPin(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Dockerfile", "hub/Dockerfile", "pin.sh"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	pin := func(answer string) (string, error) {
		t.Helper()
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, "docker"), []byte("#!/bin/sh\n"+answer+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(filepath.Join(dir, "pin.sh"))
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		said, err := cmd.CombinedOutput()
		return string(said), err
	}
	lines := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := lines("Dockerfile")
	if said, err := pin("echo unauthorized"); err == nil || lines("Dockerfile") != before {
		t.Errorf("an answer that is no digest is taken: %v %s", err, said)
	}
	for _, letter := range []string{"a", "b"} { // the second time renews
		digest := "sha256:" + strings.Repeat(letter, 64)
		said, err := pin(`case "$*" in "buildx imagetools inspect --format {{.Manifest.Digest}} "*:*) echo ` + digest + `;; *) exit 1;; esac`)
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		for name, bases := range map[string][]string{"Dockerfile": {"GO", "DEBIAN"}, "hub/Dockerfile": {"DEBIAN"}} {
			for _, base := range bases {
				if text := lines(name); strings.Count(text, "\nARG "+base+"_DIGEST=@"+digest+"\n") != 1 {
					t.Errorf("%s: the base %s is not pinned:\n%s", name, base, text)
				}
			}
		}
	}
}
