package bench

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/internal/atomicfile"
)

var (
	//go:embed peers.txt
	// pip-compile --generate-hashes of numpy, scipy, scikit-learn, hmmlearn and threadpoolctl, for all systems and Python from 3.11
	peersLock []byte
	//go:embed peers.py
	peersScript []byte
)

// oldestPeersPython is the oldest minor version of Python 3 that the locked packages run on.
const oldestPeersPython = 11

// Peers is the virtual environment of the packages that the library is measured against. It stands beside that of JupyterLab, which does
// not know of it.
type Peers struct{ dir string }

func (p Peers) python() string { return filepath.Join(p.dir, "bin", "python") }
func (p Peers) script() string { return filepath.Join(p.dir, "peers.py") }

// OpenPeers makes the virtual environment unless it stands already.
func OpenPeers(ctx context.Context, lab *setup.Lab) (Peers, error) {
	p := Peers{lab.Own("peers")}
	stamp, sum := filepath.Join(p.dir, "lock.sha256"), sha256.Sum256(append([]byte(lab.Checkout), peersLock...))
	key := hex.EncodeToString(sum[:])
	if have, err := os.ReadFile(stamp); err != nil || string(have) != key {
		step := lab.Console.Step("scikit-learn and hmmlearn", 0)
		if err := p.install(ctx, lab, step); err != nil {
			step.Fail()
			return p, err
		}
		if err := atomicfile.Write(stamp, []byte(key), 0o644); err != nil {
			step.Fail()
			return p, err
		}
		step.Done("")
	}
	return p, os.WriteFile(p.script(), peersScript, 0o644)
}

func (p Peers) install(ctx context.Context, lab *setup.Lab, step *console.Step) error {
	python, err := setup.FindPython(ctx, lab.Machine)
	if err != nil {
		return err
	}
	var minor int
	if _, err := fmt.Sscanf(python.Version, "3.%d", &minor); err != nil || minor < oldestPeersPython {
		return &setup.Need{
			What:   fmt.Sprintf("The peers of the benchmark need Python 3.%d, and %s is %s", oldestPeersPython, python.Program, python.Version),
			Remedy: fmt.Sprintf("PRL_PYTHON=python3.%d go tool prl bench models        (with that version installed)", oldestPeersPython+1),
		}
	}
	if err := python.CheckVenv(ctx, lab.Machine); err != nil {
		return err
	}
	lock := filepath.Join(p.dir, "peers.txt")
	if err := speak(ctx, step, python.Program, "-m", "venv", "--clear", p.dir); err != nil {
		return err
	}
	if err := os.WriteFile(lock, peersLock, 0o644); err != nil {
		return err
	}
	return speak(ctx, step, p.python(), "-m", "pip", "install", "--no-deps", "--require-hashes", "--only-binary", ":all:",
		"--disable-pip-version-check", "--no-input", "--progress-bar", "off", "-r", lock)
}

// speak runs a program and shows on the step which package it is at.
func speak(ctx context.Context, step *console.Step, program string, args ...string) error {
	cmd := process.Command(ctx, program, args...)
	cmd.Env = setup.PythonEnv(os.Environ())
	var said []string
	err := process.Lines(cmd, func(line string) {
		if !strings.HasPrefix(line, "Ignoring ") { // requirements of other versions of Python
			said = append(said, line)
		}
		if name, found := strings.CutPrefix(line, "Collecting "); found {
			name, _, _ = strings.Cut(name, "==")
			step.Say(name)
		}
	})
	switch all := strings.Join(said, "\n"); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		return nil
	case unreachable(all):
		return &setup.Need{
			What: "scikit-learn and hmmlearn cannot be fetched: the network does not answer. Only the first call of go tool prl bench models " +
				"needs it",
			Remedy: "go tool prl bench models        (again, with a connection; behind a proxy set HTTPS_PROXY first)",
		}
	default:
		return fmt.Errorf(
			"%s %s: %w\n%s",
			filepath.Base(program),
			strings.Join(args[:2], " "),
			err,
			strings.Join(said[max(0, len(said)-10):], "\n"),
		)
	}
}

// unreachable recognises in what pip printed that no connection came about; where it does not try again, only that it found no version.
func unreachable(text string) bool {
	for _, sign := range []string{
		"NewConnectionError", "ConnectTimeoutError", "NameResolutionError", "Cannot connect to proxy",
		"Failed to establish a new connection", "(from versions: none)",
	} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
