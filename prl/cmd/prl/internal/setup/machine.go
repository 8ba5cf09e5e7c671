package setup

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// A Machine is what set-up can see of the computer. Tests put another in its place.
type Machine struct {
	OS       string // as runtime.GOOS
	LookPath func(name string) (string, error)
	Output   func(ctx context.Context, dir, program string, args ...string) (string, error)
	ReadFile func(path string) ([]byte, error)
	Getenv   func(name string) string
}

// ThisMachine is the computer the command runs on.
func ThisMachine() Machine {
	return Machine{
		OS:       runtime.GOOS,
		LookPath: exec.LookPath,
		Output: func(ctx context.Context, dir, program string, args ...string) (string, error) {
			cmd := exec.CommandContext(ctx, program, args...)
			cmd.Dir = dir
			out, err := cmd.Output()
			return strings.TrimSpace(string(out)), err
		},
		ReadFile: os.ReadFile,
		Getenv:   os.Getenv,
	}
}

// installer is the program by which software is installed on the machine.
func (m Machine) installer() string {
	switch m.OS {
	case "darwin":
		return "brew"
	case "windows":
		return "winget"
	}
	release, _ := m.ReadFile("/etc/os-release")
	ids := ""
	for line := range strings.Lines(string(release)) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), "="); name == "ID" || name == "ID_LIKE" {
			ids += " " + strings.Trim(value, `"'`)
		}
	}
	for _, id := range strings.Fields(ids) {
		switch id {
		case "debian", "ubuntu":
			return "apt"
		case "fedora", "rhel", "centos":
			return "dnf"
		case "arch":
			return "pacman"
		case "suse", "opensuse":
			return "zypper"
		case "alpine":
			return "apk"
		}
	}
	for _, name := range []string{"apt", "dnf", "pacman", "zypper", "apk"} {
		if _, err := m.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}
