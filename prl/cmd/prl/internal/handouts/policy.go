package handouts

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

// The policies a page carries. Only the scripts that the page was built with run, known by what they are; nothing is fetched, framed, sent
// by a form, or addressed relative to another place. Paper needs no script at all.
const (
	basePolicy  = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'"
	paperPolicy = basePolicy + "; img-src data:"
	// livePolicy lets a page compile the program it holds, and run it in a worker that it makes itself.
	livePolicy = " 'wasm-unsafe-eval'; worker-src blob:"
)

// screenPolicy allows these scripts, and others by their hashes.
func screenPolicy(scripts []string, hashes string) string {
	allowed := "'none'"
	if len(scripts) > 0 {
		allowed = ""
		for _, script := range scripts {
			sum := sha256.Sum256([]byte(script))
			allowed += fmt.Sprintf("'sha256-%s' ", base64.StdEncoding.EncodeToString(sum[:]))
		}
		allowed = strings.TrimSpace(allowed + hashes)
	}
	return basePolicy + "; img-src data: blob:; media-src data:; script-src " + allowed
}
