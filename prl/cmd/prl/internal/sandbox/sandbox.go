// Package sandbox runs a program of somebody else without a network and with no file but those that are named, on plain Linux: in
// namespaces of its own, made without the rights of root. Where they cannot be had it refuses; nothing is ever run unguarded instead.
package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// name is how this program calls itself to become the sandbox; see Init.
const name = "prl-sandbox"

// A Place is what the program sees at a path.
type Place struct {
	Path   string // inside
	Source string // outside; empty for a folder that begins empty
	Kind   Kind
}

// A Kind says what may be done with a place.
type Kind string

const (
	Read  Kind = "read"  // may be read
	Layer Kind = "layer" // a folder in which changes can be made, which are lost
	Write Kind = "write" // changes stay
)

// A Box is a sandbox for programs.
type Box struct {
	Root   string // an empty folder outside, on which the file system of the program is put together
	Places []Place
	Dir    string   // where the program starts, inside
	Env    []string // all of its environment

	Memory    uint64 // bytes that all its processes may have resident at once, with the files that they have put in memory
	Processes int
	Threads   int // of all its processes
}

// orders are what the program that becomes the sandbox is told.
type orders struct {
	Box
	Program []string
	Files   int  // that it is given beside input, output and error output
	Nobody  bool // it is to have no user of the machine, for root has started it
}

// Available tells why there is no sandbox on this machine, or nil. It tries one.
func Available(ctx context.Context, root string) error {
	box := Box{Root: root, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}}
	cmd, err := box.Command(ctx, nil, "/bin/true")
	if err == nil {
		var said []byte
		if said, err = cmd.CombinedOutput(); err != nil && len(said) > 0 {
			err = errors.New(string(said))
		}
	}
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("what students hand in is a program of somebody else, and is run only in a sandbox, which this machine does not "+
		"give: %w\n%s", err, remedy)
}

// Command is a program in the sandbox. It ends with the program that started it, and takes everything that it has started with it. The open
// files are its descriptors from 3 on.
func (b Box) Command(ctx context.Context, files []*os.File, program string, args ...string) (*exec.Cmd, error) {
	text, err := json.Marshal(orders{b, append([]string{program}, args...), len(files), root()})
	if err != nil {
		return nil, err
	}
	cmd := process.Command(ctx, self, string(text))
	cmd.Args[0] = name
	cmd.Env, cmd.ExtraFiles = []string{}, files
	return cmd, isolate(cmd)
}

// ErrGreedy is why a program was ended that wanted more than it may have.
var ErrGreedy = errors.New("it wants more memory, processes or threads than the sandbox gives")

// Watch ends the program, by cancel, when its processes together have more than the box allows. It returns when ctx ends.
func (b Box) Watch(ctx context.Context, pid int, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			all := process.Descendants(pid)
			if threads, bytes := taken(all); len(all) > b.Processes || threads > b.Threads || bytes > b.Memory {
				cancel(ErrGreedy)
				return
			}
		}
	}
}
