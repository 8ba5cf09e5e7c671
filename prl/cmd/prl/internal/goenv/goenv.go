// Package goenv holds the one environment in which cells are built. Set-up warms the build cache under it, the kernel runs
// under it and the benchmark measures under it, so that all three agree.
package goenv

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

const (
	// GoVar names the variable that carries the path of the go program from the kernel to the shim.
	GoVar = "PRL_GO"
	// FetchVar, set to 1 in a cell (%env PRL_FETCH=1), allows a cell to fetch packages from the network.
	FetchVar = "PRL_FETCH"
	// ProxyVar keeps the user's own GOPROXY for that case.
	ProxyVar = "PRL_GOPROXY"
	// HeadlessVar, set to 1, starts a kernel that completes nothing.
	HeadlessVar = "PRL_HEADLESS"
	// RoomVar says how many gigabytes of finished programs of cells are kept, in place of 2.
	RoomVar = "PRL_CELLS_ROOM"
)

// Apart are the flags of a build in which a product is rounded before something is added to it, as amd64 does it. Go lets other processors
// do both at once (math.FMA is meant so everywhere): a sum ends with another bit, a picture with other points, and what a notebook printed
// of its rounding errors is not what it holds. On amd64 there are none.
func Apart(processor string) []string {
	if processor == "amd64" {
		return nil
	}
	return []string{"-gcflags=all=-d=fmahash=qn"}
}

// Pinned returns base without what would build something else than the programs that a module pins, or slower.
func Pinned(base []string) []string {
	env := Without(base, "GOFLAGS", "GOWORK", "GOOS", "GOARCH", "GOBIN", "GOROOT", "GOGC", "GOMEMLIMIT")
	return append(env, "GOWORK=off", "GOFLAGS=-mod=readonly", "GOTOOLCHAIN=local")
}

// Many returns env for a build of many packages, whose compiler collects its garbage a fifth as often: that takes an eighth less of the
// processor, and at most half a gigabyte for each package under way.
func Many(env []string) []string {
	return append(Without(env, "GOGC", "GOMEMLIMIT"), "GOGC=400", "GOMEMLIMIT=512MiB")
}

// Cells returns base changed to what a cell's build needs.
//
// GOPROXY=off spares each cell a round of questions to the network, -ldflags=-s and -dwarf=false halve the time of linking (a panic still
// names file and line), and GOTOOLCHAIN=local pins the Go that set-up found. What is not of the clone keeps the flags of go tool, which has
// compiled most of it already: without its -dwarf=false, linking is no slower. Cells are built apart, so that they give the same numbers on
// every processor, or nearly; GOFLAGS has no room for two flags of the compiler. The programs go and goimports of package build come first
// in PATH. Gopls is not in PATH, so that GoNB starts none: the launcher does.
func Cells(base []string, state, goProgram string) []string {
	return cells(base, state, goProgram, runtime.GOARCH)
}

func cells(base []string, state, goProgram, processor string) []string {
	env := Without(base, "GOPROXY", "GOFLAGS", "GOTOOLCHAIN", "GOWORK", "GOROOT", "GO111MODULE", "GOOS", "GOARCH", "GOAMD64", "PATH", GoVar,
		ProxyVar)
	flags := append([]string{"-ldflags=-s"}, Apart(processor)...)
	if processor == "amd64" {
		flags = append(flags, "-gcflags="+checkout.Module+"/...=-dwarf=false")
		env = append(env, "GOAMD64=v1") // v3 would do both at once
	}
	env = append(env, "GOPROXY=off", "GOFLAGS="+strings.Join(flags, " "), "GOTOOLCHAIN=local", GoVar+"="+goProgram)
	if proxy, found := Lookup(base, "GOPROXY"); found && proxy != "off" {
		env = append(env, ProxyVar+"="+proxy)
	}
	path := []string{filepath.Join(state, "shim"), filepath.Dir(goProgram)}
	if own, found := Lookup(base, "PATH"); found {
		path = append(path, own)
	}
	return append(env, "PATH="+strings.Join(path, string(os.PathListSeparator)))
}

// Lookup returns the last value of name in env, as the operating system would.
func Lookup(env []string, name string) (string, bool) {
	for _, entry := range slices.Backward(env) {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value, true
		}
	}
	return "", false
}

// Without returns env without the variables named; a name that ends in * stands for all that begin so.
func Without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		key, _, _ := strings.Cut(entry, "=")
		return slices.ContainsFunc(names, func(name string) bool {
			prefix, wild := strings.CutSuffix(name, "*")
			return key == name || wild && strings.HasPrefix(key, prefix)
		})
	})
}
