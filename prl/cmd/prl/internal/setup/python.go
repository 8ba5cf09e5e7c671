package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// OldestPython is the oldest minor version of Python 3 for which the requirements are locked.
const OldestPython = 10

// Python is an interpreter from which a virtual environment can be made.
type Python struct {
	Program string
	Version string // as "3.12.1"
}

// FindPython takes the first interpreter in PATH that is new enough, or the one that PRL_PYTHON names.
func FindPython(ctx context.Context, m Machine) (Python, error) {
	names := []string{"python3", "python", "python3.13", "python3.12", "python3.11", "python3.10"}
	if own := m.Getenv("PRL_PYTHON"); own != "" {
		names = []string{own}
	}
	var seen []string
	for _, name := range names {
		program, err := m.LookPath(name)
		if err != nil {
			continue
		}
		version, err := m.Output(ctx, "", program, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])")
		if err != nil {
			continue
		}
		var major, minor int
		fmt.Sscanf(version, "%d.%d", &major, &minor)
		if major == 3 && minor >= OldestPython {
			return Python{program, version}, nil
		}
		seen = append(seen, fmt.Sprintf("%s is %s", program, version))
	}
	if ctx.Err() != nil {
		return Python{}, context.Cause(ctx)
	}
	what := fmt.Sprintf("Python 3.%d or newer is not in PATH", OldestPython)
	if len(seen) > 0 {
		what += " (" + strings.Join(seen, ", ") + ")"
	}
	return Python{}, &Need{What: what, Remedy: m.Remedy("python")}
}

// CheckVenv looks whether the interpreter can make virtual environments; Debian and Ubuntu keep that in a package of its own.
func (p Python) CheckVenv(ctx context.Context, m Machine) error {
	if _, err := m.Output(ctx, "", p.Program, "-c", "import venv, ensurepip"); ctx.Err() != nil {
		return context.Cause(ctx)
	} else if err != nil {
		return &Need{What: fmt.Sprintf("%s (Python %s) lacks the modules venv and ensurepip", p.Program, p.Version), Remedy: m.Remedy("venv")}
	}
	return nil
}

// makePython makes the virtual environment again and installs the locked requirements. What pip has downloaded is kept until
// all is installed, so that an interrupted installation does not begin from nothing.
func (l *Lab) makePython(ctx context.Context, step *console.Step) error {
	python, err := FindPython(ctx, l.Machine)
	if err != nil {
		return err
	}
	if err := python.CheckVenv(ctx, l.Machine); err != nil {
		return err
	}
	step.Say("virtual environment from Python " + python.Version)
	if _, err := l.run(ctx, nil, python.Program, "-m", "venv", "--clear", l.State("python")); err != nil {
		return err
	}
	downloads := l.State("downloads")
	if err := l.install(ctx, step, setUp, downloads, "-r", l.requirements()); err != nil {
		return err
	}
	return os.RemoveAll(downloads)
}

// install has the lab's pip install packages, each at the version and with the hash that a lock names. command is the one that needs them,
// and downloads the folder for what pip fetches.
func (l *Lab) install(ctx context.Context, step *console.Step, command, downloads string, args ...string) error {
	env := append(PythonEnv(os.Environ()), "PIP_CACHE_DIR="+downloads, "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1")
	collected := 0
	args = append([]string{"-m", "pip", "install", "--no-deps", "--require-hashes", "--progress-bar", "off"}, args...)
	out, err := l.runEnv(ctx, env, "", func(line string) {
		if name, found := strings.CutPrefix(line, "Collecting "); found {
			collected++
			step.Count(collected)
			name, _, _ = strings.Cut(name, "==")
			step.Say(name)
		} else if strings.HasPrefix(line, "Installing ") {
			step.Say("unpacking")
		}
	}, l.Python(), args...)
	if err != nil && offline(out) {
		return &Need{
			What:   "The Python packages cannot be fetched: the network does not answer. Only the first set-up needs it",
			Remedy: command + "        (again, with a connection; behind a proxy set HTTPS_PROXY first)",
		}
	}
	if err != nil {
		return fmt.Errorf("the Python packages could not be installed: %w", err)
	}
	return nil
}

// Beside installs the packages of a lock in a folder of their own, unless they are there, and returns the folder. A Python that has it in
// PYTHONPATH imports them beside the lab's. The folder is named after the verb that needs it; those of older locks are removed.
func (l *Lab) Beside(ctx context.Context, name, lock string) (string, error) {
	folder := l.Own(name, fingerprint(lock))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	if err := os.RemoveAll(l.Own(name)); err != nil {
		return "", err
	}
	if err := os.MkdirAll(l.Own(name), 0o755); err != nil {
		return "", err
	}
	begun, err := os.MkdirTemp(l.Own(name), "begun-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(begun)
	list := filepath.Join(begun, "requirements.txt")
	if err := os.WriteFile(list, []byte(lock), 0o644); err != nil {
		return "", err
	}
	step := l.Console.Step("Python packages, once", countRequirements([]byte(lock)))
	packages := filepath.Join(begun, "packages")
	if err := l.install(ctx, step, "go tool prl "+name, filepath.Join(begun, "downloads"), "--target", packages, "-r", list); err != nil {
		step.Fail()
		return "", err
	}
	step.Done("")
	return folder, os.Rename(packages, folder)
}

func (l *Lab) requirements() string { return l.Path("notebooks", "kernel", "requirements.txt") }

// countRequirements is the number of packages in the lock, an upper bound of what one Python version needs.
func countRequirements(lock []byte) int {
	n := 0
	for line := range strings.Lines(string(lock)) {
		if strings.Contains(line, "==") && !strings.HasPrefix(line, " ") {
			n++
		}
	}
	return n
}

// PythonEnv is env without what would let another Python or Jupyter shine through.
func PythonEnv(env []string) []string {
	return goenv.Without(
		env,
		"PYTHONHOME",
		"PYTHONPATH",
		"PYTHONSTARTUP",
		"PIP_USER",
		"PIP_TARGET",
		"PIP_PREFIX",
		"VIRTUAL_ENV",
		"__PYVENV_LAUNCHER__",
	)
}

// run runs a program in the root of the clone and returns what it printed, line by line to each if that is given.
func (l *Lab) run(ctx context.Context, each func(line string), program string, args ...string) (string, error) {
	return l.runEnv(ctx, PythonEnv(os.Environ()), string(l.Checkout), each, program, args...)
}

func (l *Lab) runEnv(
	ctx context.Context,
	env []string,
	dir string,
	each func(line string),
	program string,
	args ...string,
) (string, error) {
	cmd := process.Command(ctx, program, args...)
	cmd.Env, cmd.Dir = env, dir
	if l.held != nil {
		cmd.ExtraFiles = []*os.File{l.held.File}
	}
	var all strings.Builder
	err := process.Lines(cmd, func(line string) {
		all.WriteString(line + "\n")
		if each != nil {
			each(line)
		}
	})
	if ctx.Err() != nil {
		return all.String(), context.Cause(ctx)
	}
	if err != nil {
		return all.String(), fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, indent(lastLines(complaints(all.String()), 15)))
	}
	return all.String(), nil
}

// offline recognises in what pip printed that no connection came about; its own last line then blames a version.
func offline(text string) bool {
	for _, sign := range []string{"NewConnectionError", "ConnectTimeoutError", "NameResolutionError", "Cannot connect to proxy"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// complaints drops the lines that are a lone word, the names of packages that go build -v prints, and those on requirements that
// pip passes over.
func complaints(text string) string {
	var all strings.Builder
	for line := range strings.Lines(text) {
		if len(strings.Fields(line)) > 1 && !strings.HasPrefix(line, "Ignoring ") {
			all.WriteString(line)
		}
	}
	return all.String()
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func firstLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func indent(text string) string { return "    " + strings.ReplaceAll(text, "\n", "\n    ") }
