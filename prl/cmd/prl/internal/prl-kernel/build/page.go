//go:build unix

package build

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/live"
)

// PageFile is the file that tells the program of a cell the name of the module with which its figures compute in the lab's page.
const PageFile = "live"

// pageWord is the word with which this program calls itself to build such a module.
const pageWord = "prl-page"

// page starts to build the module of a cell with live figures, or with a Slide, while the cell runs; the page waits until the module is
// there. What goes wrong, or is interrupted, the lab's server tries again when the page asks for the module (see Modules).
func (b *builder) page() {
	if b.root == "" || os.Getenv(goenv.HeadlessVar) == "1" {
		return // nobody looks at the page
	}
	if !strings.Contains(b.text, checkout.Module+"/prl") {
		return
	}
	_, text, _ := strings.Cut(b.text, "package main\n")
	program, err := live.CellProgram(live.Cell{ID: "", Text: text})
	if err != nil || program == "" {
		return
	}
	module, err := live.Plan(b.root, program)
	if err != nil {
		return
	}
	if module.Keep() != nil {
		return
	}
	os.WriteFile(filepath.Join(b.talk, PageFile), []byte(module.Name()), 0o600)
	self, err := os.Executable()
	if err != nil || module.Built() {
		return
	}
	cmd := exec.Command(self, pageWord)
	cmd.Args[0] = "go"
	// Nobody waits for it: it compiles one package after another and gives memory back, where a cell's own build is to be quick.
	cmd.Env = append(goenv.Without(os.Environ(), "GOGC", "GOMEMLIMIT", "GOMAXPROCS"), "GOGC=50", "GOMAXPROCS=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt of the cell is not one of this
	input, err := os.CreateTemp(b.talk, "page-")
	if err != nil {
		return
	}
	defer input.Close()
	os.Remove(input.Name()) // the open file stays
	input.WriteString(program)
	input.Seek(0, 0)
	cmd.Stdin = input
	cmd.Start() // and nobody waits for it: the launcher ends it with the kernel
}

// buildPage builds the module of the program on standard input, at low priority.
func buildPage(root checkout.Checkout) int {
	Background()
	var program bytes.Buffer
	if _, err := program.ReadFrom(os.Stdin); err != nil {
		return 1
	}
	if _, err := buildModule(context.Background(), root, program.String()); err != nil {
		return 1
	}
	live.MakeRoom(root)
	return 0
}

// turn waits until no other module is built for this folder, and gives back what ends the turn. A notebook that is run as a whole asks for
// the modules of all its figures at once; built one after another they leave the machine to the cells.
func turn(ctx context.Context, folder string) (done func(), err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	const again = 50 * time.Millisecond
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { file.Close() }, nil
		}
		if err != syscall.EINTR && err != syscall.EWOULDBLOCK {
			file.Close()
			return nil, err
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, ctx.Err()
		case <-time.After(again):
		}
	}
}
