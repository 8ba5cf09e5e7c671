package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/prlab/prlab/prl/internal/atomicfile"
)

// A stamp is a file in .prl/stamps that holds a fingerprint of everything a step was made from. A step whose stamp fits is done;
// one that was interrupted has none. Stamps make set-up idempotent, restartable and quick.

func (l *Lab) stamped(name, key string) bool {
	have, err := os.ReadFile(l.State("stamps", name))
	return err == nil && string(have) == key
}

func (l *Lab) stamp(name, key string) error {
	return writeFile(l.State("stamps", name), []byte(key), 0o644)
}

func (l *Lab) unstamp(name string) { os.Remove(l.State("stamps", name)) }

// fingerprint hashes its parts.
func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// contents is the text of the files, or of all Go files under a folder, for a fingerprint.
func contents(paths ...string) string {
	var all strings.Builder
	for _, path := range paths {
		filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (at == path || strings.HasSuffix(at, ".go")) && !strings.HasSuffix(at, "_test.go") {
				text, _ := os.ReadFile(at)
				fmt.Fprintf(&all, "%s\x00%s\x00", filepath.Base(at), text)
			}
			return nil
		})
	}
	return all.String()
}

// listing has name, size and time of every file under the folders. It stands for their contents where reading all is too slow.
func listing(folders ...string) string {
	var all strings.Builder
	for _, folder := range folders {
		filepath.WalkDir(folder, func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if info, err := d.Info(); err == nil && !strings.HasSuffix(at, "_test.go") {
				fmt.Fprintf(&all, "%s %d %d\n", at, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return all.String()
}

// writeFile writes a file whole or not at all, and makes its folder.
func writeFile(path string, data []byte, mode os.FileMode) error {
	if err := atomicfile.Folder(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, data, mode)
}
