package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"path/filepath"
	"strings"
)

// Go is the Go installation that builds cells.
type Go struct {
	Program string // absolute path
	Version string // as "go1.26.8"
	Cache   string // GOCACHE
	Modules string // GOMODCACHE
}

// FindGo asks the go program in PATH, in the clone, so that a newer toolchain chosen by go.mod is the one that is found.
func FindGo(ctx context.Context, m Machine, root, need string) (Go, error) {
	program, err := m.LookPath("go")
	if err != nil {
		return Go{}, &Need{What: "Go is not in PATH; the lab needs " + need + " or newer", Remedy: m.Remedy("go")}
	}
	out, err := m.Output(ctx, root, program, "env", "-json", "GOROOT", "GOVERSION", "GOCACHE", "GOMODCACHE")
	if ctx.Err() != nil {
		return Go{}, context.Cause(ctx)
	}
	if err != nil {
		return Go{}, &Need{What: fmt.Sprintf("%s does not answer (go env: %v)", program, err), Remedy: m.Remedy("go")}
	}
	var env struct{ GOROOT, GOVERSION, GOCACHE, GOMODCACHE string }
	if err := json.Unmarshal([]byte(out), &env); err != nil {
		return Go{}, fmt.Errorf("go env -json: %w", err)
	}
	if version.Compare(baseVersion(env.GOVERSION), need) < 0 {
		return Go{}, &Need{What: fmt.Sprintf("%s is %s, but the lab needs %s or newer", program, env.GOVERSION, need), Remedy: m.Remedy("go")}
	}
	exe := "go"
	if m.OS == "windows" {
		exe = "go.exe"
	}
	return Go{Program: filepath.Join(env.GOROOT, "bin", exe), Version: env.GOVERSION, Cache: env.GOCACHE, Modules: env.GOMODCACHE}, nil
}

// baseVersion drops what distributions append, as in "go1.26.1-X:nodwarf5" or "go1.26.1 (Red Hat 1.26.1-1)".
func baseVersion(v string) string {
	if i := strings.IndexAny(v, " -"); i >= 0 {
		return v[:i]
	}
	return v
}

// languageVersion is the go directive of a go.mod, as "go1.26".
func languageVersion(mod []byte) string {
	for line := range strings.Lines(string(mod)) {
		if rest, found := strings.CutPrefix(line, "go "); found {
			return "go" + strings.TrimSpace(rest)
		}
	}
	return ""
}
