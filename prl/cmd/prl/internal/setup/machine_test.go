package setup

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

// fake is a machine with the programs given; outputs are keyed by "program first-argument".
func fake(system, release string, programs map[string]string, outputs map[string]string) Machine {
	return Machine{
		OS: system,
		LookPath: func(name string) (string, error) {
			if path, found := programs[name]; found {
				return path, nil
			}
			return "", errors.New("not found")
		},
		Output: func(_ context.Context, _, program string, args ...string) (string, error) {
			if out, found := outputs[program+" "+strings.Join(args, " ")]; found {
				return out, nil
			}
			for key, out := range outputs {
				if prefix, found := strings.CutSuffix(key, "*"); found && strings.HasPrefix(program+" "+strings.Join(args, " "), prefix) {
					return out, nil
				}
			}
			return "", errors.New("exit status 1")
		},
		ReadFile: func(path string) ([]byte, error) {
			if path == "/etc/os-release" && release != "" {
				return []byte(release), nil
			}
			return nil, os.ErrNotExist
		},
		Getenv: func(string) string { return "" },
	}
}

const (
	debian = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n"
	ubuntu = "ID=ubuntu\nID_LIKE=debian\n"
	fedora = "ID=fedora\n"
	rocky  = "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"
)

func TestMissingPython(t *testing.T) {
	for _, c := range []struct{ system, release, remedy string }{
		{"linux", debian, "sudo apt install python3 python3-venv"},
		{"linux", ubuntu, "sudo apt install python3 python3-venv"},
		{"linux", fedora, "sudo dnf install python3.12"},
		{"linux", rocky, "sudo dnf install python3.12"},
		{"linux", "", "install Python 3.10 or newer from python.org"},
		{"darwin", "", "brew install python@3.12"},
		{"windows", "", "winget install Python.Python.3.12"},
	} {
		_, err := FindPython(t.Context(), fake(c.system, c.release, nil, nil))
		want := "Python 3.10 or newer is not in PATH.\nTo mend it:\n    " + c.remedy
		if err == nil || err.Error() != want {
			t.Errorf("%s %q: got %q, want %q", c.system, c.release, err, want)
		}
	}
}

func TestOldPythonIsNamedAndANewerOneIsFound(t *testing.T) {
	programs := map[string]string{"python3": "/usr/bin/python3"}
	outputs := map[string]string{"/usr/bin/python3 -c*": "3.8.10"}
	_, err := FindPython(t.Context(), fake("linux", ubuntu, programs, outputs))
	if err == nil || !strings.Contains(err.Error(), "(/usr/bin/python3 is 3.8.10)") {
		t.Errorf("got %v", err)
	}
	programs["python3.12"] = "/opt/python3.12"
	outputs["/opt/python3.12 -c*"] = "3.12.1"
	found, err := FindPython(t.Context(), fake("linux", ubuntu, programs, outputs))
	if err != nil || found.Program != "/opt/python3.12" {
		t.Errorf("got %v, %v", found, err)
	}
}

func TestMissingVenv(t *testing.T) {
	err := Python{"/usr/bin/python3", "3.11.2"}.CheckVenv(t.Context(), fake("linux", debian, nil, nil))
	want := "/usr/bin/python3 (Python 3.11.2) lacks the modules venv and ensurepip.\nTo mend it:\n    sudo apt install python3-venv"
	if err == nil || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestGo(t *testing.T) {
	answer := func(version string) map[string]string {
		return map[string]string{"/usr/bin/go env*": `{"GOROOT":"/usr/lib/go","GOVERSION":"` + version + `","GOCACHE":"/c","GOMODCACHE":"/m"}`}
	}
	programs := map[string]string{"go": "/usr/bin/go"}
	for version, well := range map[string]bool{
		"go1.26.0": true, "go1.27.1": true, "go1.26.1-X:nodwarf5": true, "go1.26.2 (Red Hat 1.26.2-1)": true, "go1.25.9": false, "go1.22": false,
	} {
		found, err := FindGo(t.Context(), fake("linux", debian, programs, answer(version)), "/clone", "go1.26")
		if well && (err != nil || found.Program != "/usr/lib/go/bin/go") {
			t.Errorf("%s: got %v, %v", version, found, err)
		}
		if !well &&
			(err == nil || !strings.Contains(err.Error(), "/usr/bin/go is "+version+", but the lab needs go1.26 or newer.\nTo mend it:\n    "+
				"sudo apt install")) {
			t.Errorf("%s: got %v", version, err)
		}
	}
	_, err := FindGo(t.Context(), fake("darwin", "", nil, nil), "/clone", "go1.26")
	if err == nil || !strings.Contains(err.Error(), "Go is not in PATH") || !strings.Contains(err.Error(), "brew install go") {
		t.Errorf("no Go: %v", err)
	}
}

func TestEveryRemedyIsThereForEveryInstaller(t *testing.T) {
	for thing, byInstaller := range remedies {
		for _, installer := range []string{"apt", "dnf", "pacman", "zypper", "apk", "brew", "winget", ""} {
			if byInstaller[installer] == "" {
				t.Errorf("no remedy for %s with installer %q", thing, installer)
			}
		}
	}
}

func TestWindows(t *testing.T) {
	lab := &Lab{Machine: fake("windows", "", nil, nil)}
	if err := lab.Ensure(t.Context()); err == nil || !strings.Contains(err.Error(), "wsl --install") {
		t.Errorf("got %v", err)
	}
}
