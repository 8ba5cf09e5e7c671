package main

import (
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
)

// check finds Go and looks at everything without which GoNB would die silently or fail in every cell.
func check(root checkout.Checkout, getenv func(string) string) (goProgram string, err error) {
	for _, name := range []string{"gonb", "goimports"} {
		if _, err := os.Stat(root.Bin(name)); err != nil {
			return "", fmt.Errorf("%s is not built. Mend: go tool prl lab, in %s", name, root)
		}
	}
	if _, err := os.Stat(filepath.Join(root.State("shim"), "go")); err != nil {
		return "", fmt.Errorf("the set-up in %s is not complete. Mend: go tool prl lab, in %s", root.State(), root)
	}
	goProgram = getenv(goenv.GoVar)
	if _, err := os.Stat(goProgram); err != nil {
		if goProgram, err = exec.LookPath("go"); err != nil {
			return "", fmt.Errorf(
				"the go program is neither at %q nor in PATH. Mend: install Go, then go tool prl kernel install, in %s",
				getenv(goenv.GoVar),
				root,
			)
		}
	}
	have, need := goVersion(goProgram), languageVersion(root)
	if have != "" && version.Compare(have, need) < 0 {
		return "", fmt.Errorf(
			"%s is %s, but the lab needs %s or newer. Mend: install it, then go tool prl kernel install, in %s",
			goProgram,
			have,
			need,
			root,
		)
	}
	return goProgram, nil
}

// goVersion reads the version from the file VERSION of the installation, which is much faster than to ask the program.
func goVersion(goProgram string) string {
	if real, err := filepath.EvalSymlinks(goProgram); err == nil {
		goProgram = real
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(goProgram)), "VERSION"))
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(first)
}

// languageVersion is the go directive of the lab's go.mod, as "go1.26".
func languageVersion(root checkout.Checkout) string {
	mod, _ := os.ReadFile(root.Path("go.mod"))
	for line := range strings.Lines(string(mod)) {
		if rest, found := strings.CutPrefix(line, "go "); found {
			return "go" + strings.TrimSpace(rest)
		}
	}
	return ""
}
