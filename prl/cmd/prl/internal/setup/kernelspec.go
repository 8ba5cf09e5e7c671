package setup

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
)

const (
	// KernelName is the name by which the notebooks call their kernel.
	KernelName = "gonb"
	// DisplayName is how Jupyter shows it.
	DisplayName = "Go (Pattern Recognition Lab)"
	launcher    = "prl-kernel"
)

//go:embed logo.svg
var logo []byte

// kernelspec is the content of kernel.json. Interrupts go as messages: GoNB then stops the cell's program and not itself.
type kernelspec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
}

func (l *Lab) kernelspec() []byte {
	spec, _ := json.MarshalIndent(kernelspec{
		Argv:          []string{l.Bin(launcher), "{connection_file}"},
		DisplayName:   DisplayName,
		Language:      "go",
		InterruptMode: "message",
		Env:           map[string]string{goenv.GoVar: l.Go.Program},
	}, "", "  ")
	return append(spec, '\n')
}

func specID() string { return fingerprint(DisplayName, KernelName, string(logo)) }

func (l *Lab) makeKernelspec(_ context.Context, _ *console.Step) error {
	if err := l.writeKernelspec(l.State("python", "share", "jupyter", "kernels", KernelName)); err != nil {
		return err
	}
	if err := l.writeExtension(); err != nil {
		return err
	}
	if err := l.writePapermill(); err != nil {
		return err
	}
	return l.writeSettings()
}

func (l *Lab) writeKernelspec(dir string) error {
	if err := writeFile(filepath.Join(dir, "logo-svg.svg"), logo, 0o644); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "kernel.json"), l.kernelspec(), 0o644)
}

// KernelDir is the folder of a kernel under a prefix, or in the user's own Jupyter data folder if prefix is empty.
func KernelDir(m Machine, home, prefix, name string) string {
	data := m.Getenv("JUPYTER_DATA_DIR")
	switch {
	case prefix != "":
		data = filepath.Join(prefix, "share", "jupyter")
	case data != "":
	case m.OS == "darwin":
		data = filepath.Join(home, "Library", "Jupyter")
	case m.Getenv("XDG_DATA_HOME") != "":
		data = filepath.Join(m.Getenv("XDG_DATA_HOME"), "jupyter")
	default:
		data = filepath.Join(home, ".local", "share", "jupyter")
	}
	return filepath.Join(data, "kernels", name)
}

// InstallKernel registers the lab's kernel in dir. It does not replace a kernel that is not the lab's unless force is set.
func (l *Lab) InstallKernel(dir string, force bool) error {
	ours, err := isOurs(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err == nil && !ours && !force {
		return fmt.Errorf(
			"%s holds another kernel.\nEither keep both (the lab's under another name):\n    go tool prl kernel install --name prl\nor replace "+
				"it:\n    go tool prl kernel install --force",
			dir,
		)
	}
	return l.writeKernelspec(dir)
}

// RemoveKernel takes the lab's kernel away again, and nothing else.
func RemoveKernel(dir string) error {
	ours, err := isOurs(dir)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("no kernel is registered in %s", dir)
	}
	if err != nil {
		return err
	}
	if !ours {
		return fmt.Errorf("the kernel in %s is not the lab's; it stays", dir)
	}
	return os.RemoveAll(dir)
}

// isOurs reports whether the kernel in dir is started by prl-kernel.
func isOurs(dir string) (bool, error) {
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		return false, err
	}
	var spec kernelspec
	if json.Unmarshal(text, &spec) != nil || len(spec.Argv) == 0 {
		return false, nil
	}
	return strings.TrimSuffix(filepath.Base(spec.Argv[0]), ".exe") == launcher, nil
}
