// Package setup makes, in the folder .prl of a clone, everything the lab needs: a virtual environment with JupyterLab, the
// programs of the kernel, the kernel's description, settings, and warm caches. It can be called before every verb: what is done
// is recognised by a stamp and takes no time, what was interrupted is done again.
package setup

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
)

// A Lab is the clone together with the machine it stands on.
type Lab struct {
	checkout.Checkout
	Machine Machine
	Console *console.Console
	Go      Go // known after Ensure
}

// step is one part of set-up.
type step struct {
	name  string // of its stamp
	title string // for the person who waits
	key   string // fingerprint of its inputs
	there string // a file that exists once the step is done
	total int    // things to count, 0 if unknown
	make  func(context.Context, *console.Step) error
}

// Ensure does what is not done yet.
func (l *Lab) Ensure(ctx context.Context) error {
	if l.Machine.OS == "windows" {
		return &Need{What: "GoNB, the kernel, runs on Linux and macOS", Remedy: "wsl --install        (then work with the clone inside the Windows Subsystem for Linux)"}
	}
	mod, err := os.ReadFile(l.Path("go.mod"))
	if err != nil {
		return err
	}
	if l.Go, err = FindGo(ctx, l.Machine, string(l.Checkout), languageVersion(mod)); err != nil {
		return err
	}
	if l.Sealed() {
		return l.checkSealed()
	}
	if err := os.MkdirAll(l.State("stamps"), 0o755); err != nil {
		return fmt.Errorf("the lab keeps its programs in %s, which cannot be made: %w", l.State(), err)
	}
	unlock, err := lock(l.State("lock"), func() { l.Console.Line("Another set-up works in this clone; waiting for it.") })
	if err != nil {
		return fmt.Errorf("the lab keeps its programs in %s, which cannot be written: %w", l.State(), err)
	}
	defer unlock()

	steps, err := l.steps()
	if err != nil {
		return err
	}
	begun := false
	for _, s := range steps {
		if l.done(s) {
			continue
		}
		if !begun {
			l.Console.Line("Setting up the lab in %s. Interrupted, it goes on where it was.", l.State())
			begun = true
		}
		if err := l.do(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lab) done(s step) bool {
	if !l.stamped(s.name, s.key) {
		return false
	}
	_, err := os.Stat(s.there)
	return err == nil
}

func (l *Lab) do(ctx context.Context, s step) error {
	l.unstamp(s.name)
	progress := l.Console.Step(s.title, s.total)
	if err := s.make(ctx, progress); err != nil {
		progress.Fail()
		if unbuilt := (*unwarmed)(nil); errors.As(err, &unbuilt) {
			l.Console.Line("The library does not compile, so cells that import the part concerned will fail:\n%s", firstLines(unbuilt.Error(), 5))
			return nil
		}
		return err
	}
	progress.Done("")
	return l.stamp(s.name, s.key)
}

func (l *Lab) steps() ([]step, error) {
	lock, err := os.ReadFile(l.requirements())
	if err != nil {
		return nil, err
	}
	kernel := l.Path("notebooks", "kernel")
	sources := l.Path("prl", "cmd", "prl", "internal")
	sums := contents(l.Path("go.mod"), l.Path("go.sum"))
	return []step{
		{
			name: "python", title: "JupyterLab", total: countRequirements(lock),
			key: fingerprint(string(l.Checkout), string(lock)), there: l.Python(),
			make: l.makePython,
		},
		{
			name: "tools", title: "GoNB, gopls and goimports",
			key:   fingerprint(l.Go.Version, contents(kernel+"/go.mod", kernel+"/go.sum")),
			there: l.Bin("gonb"), make: l.makeTools,
		},
		{
			name: "launcher", title: "Kernel launcher",
			key:   fingerprint(l.Go.Version, contents(sources+"/prl-kernel", sources+"/goenv", sources+"/checkout", sources+"/process", sources+"/goenv/shim.sh")),
			there: l.Bin("prl-kernel"), make: l.makeLauncher,
		},
		{
			name: "kernelspec", title: "Kernel and settings",
			key:   fingerprint(string(l.Checkout), l.Go.Program, lockID(lock), specID(), settingsID()),
			there: l.State("python", "share", "jupyter", "kernels", KernelName, "kernel.json"), make: l.makeKernelspec,
		},
		{
			name: "modules", title: "Go modules",
			key:   fingerprint(l.Go.Modules, sums),
			there: l.Go.Modules, make: l.makeModules,
		},
		{
			name: "caches", title: "First cell (compiling what cells can import)",
			key:   fingerprint(l.Go.Version, l.Go.Cache, sums, listing(l.Path("prl"), l.Path("plotting"), l.Path("datasets"))),
			there: l.Go.Cache, make: l.warmCaches,
		},
	}, nil
}

func lockID(lock []byte) string { return fingerprint(string(lock)) }
