package setup

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"strings"
)

// A Finding is the state of one prerequisite.
type Finding struct {
	Name     string
	State    string // what is there, or what is wrong
	Well     bool
	Required bool   // false for what only some verbs need
	Remedy   string // if it is not well
}

const setUp = "go tool prl lab"

// Examine looks at every prerequisite and changes nothing.
func (l *Lab) Examine(ctx context.Context) []Finding {
	var all []Finding
	required := func(name, state string, well bool, remedy string) {
		all = append(all, Finding{name, state, well, true, remedy})
	}
	optional := func(name, purpose, state string, well bool, remedy string) {
		if !well {
			state += " (" + purpose + ")"
			if l.Sealed() {
				remedy = missingInSealed
			}
		}
		all = append(all, Finding{name, state, well, false, remedy})
	}

	mod, _ := os.ReadFile(l.Path("go.mod"))
	goFound, err := FindGo(ctx, l.Machine, string(l.Checkout), languageVersion(mod))
	l.Go = goFound
	required("Go", describe(goFound.Version+", "+goFound.Program, err), err == nil, remedy(err))

	python, err := FindPython(ctx, l.Machine)
	required("Python", describe(python.Version+", "+python.Program, err), err == nil, remedy(err))
	if err == nil && !l.Sealed() {
		err = python.CheckVenv(ctx, l.Machine)
		required("Python's venv", describe("there", err), err == nil, remedy(err))
	}
	version, err := l.Machine.Output(ctx, "", l.Jupyter("lab"), "--version")
	required("JupyterLab", describe(version+", "+l.State("python"), notSetUp(err)), err == nil, setUp)
	for _, name := range []string{"gonb", "goimports", "prl-kernel"} {
		version, err := moduleVersion(l.Bin(name))
		required(name, describe(version, notSetUp(err)), err == nil, setUp)
	}
	all = append(all, l.examineSteps()...)

	program, err := found(l.Machine.Chromium())
	optional("Chromium", "handouts as PDF and browser tests need it", describe(program, err), err == nil, l.Machine.Remedy("chromium"))
	fonts, err := l.Machine.Output(ctx, "", "fc-match", "Liberation Sans", "family")
	if err == nil && !strings.Contains(fonts, "Liberation") && l.Machine.OS == "linux" {
		err = fmt.Errorf("no Liberation fonts")
	} else if err != nil {
		err = fmt.Errorf("not known, because fontconfig is missing")
	}
	optional("Fonts", "handouts as PDF look the same everywhere with them", describe(fonts, err), err == nil, l.Machine.Remedy("fonts"))
	program, err = found(l.Machine.LookPath("pdftotext"))
	optional("PDF tools", "the tests of handouts need them", describe(program, err), err == nil, l.Machine.Remedy("poppler"))
	program, err = found(l.Machine.LookPath("git"))
	optional("Git", "updates come by it", describe(program, err), err == nil, l.Machine.Remedy("git"))
	return all
}

// examineSteps tells for the parts of set-up that are not programs whether their stamps fit.
func (l *Lab) examineSteps() []Finding {
	names := map[string]string{"kernelspec": "Kernel and settings", "modules": "Module cache", "caches": "Build cache warm"}
	if l.Sealed() {
		err := l.checkSealed()
		return []Finding{{"Kernel and settings", describe("sealed, for everybody on this machine", err), err == nil, true, remedy(err)}}
	}
	if l.Go.Program == "" {
		var all []Finding
		for _, name := range []string{"Kernel and settings", "Module cache"} {
			all = append(all, Finding{name, "not known, because Go is missing", false, true, l.Machine.Remedy("go")})
		}
		return all
	}
	steps, err := l.steps()
	if err != nil {
		return []Finding{{"Set-up", err.Error(), false, true, "git checkout notebooks/kernel"}}
	}
	var all []Finding
	for _, s := range steps {
		if name, shown := names[s.name]; shown {
			well := l.done(s)
			state := "not done, or older than what it is made from"
			if well {
				state = "done"
			}
			all = append(all, Finding{name, state, well, s.name != "caches", setUp})
		}
	}
	return all
}

func describe(state string, err error) string {
	if need, isNeed := err.(*Need); isNeed {
		return need.What
	}
	if err != nil {
		return err.Error()
	}
	return state
}

func remedy(err error) string {
	if need, isNeed := err.(*Need); isNeed {
		return need.Remedy
	}
	return ""
}

func notSetUp(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("not set up yet, or damaged")
}

// found says no more of a program that is missing than that.
func found(program string, err error) (string, error) {
	if err != nil {
		return "", fmt.Errorf("not found")
	}
	return program, nil
}

// moduleVersion reads from a built program which module version it was built from; GoNB's own answer is older than it is.
func moduleVersion(program string) (string, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", err
	}
	return info.Main.Version + ", " + program, nil
}
