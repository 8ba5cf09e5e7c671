// Package setup makes, in the folder .prl of a clone, everything the lab needs: a virtual environment with JupyterLab, the
// programs of the kernel, the kernel's description, settings, and warm caches. It can be called before every verb: what is done
// is recognised by a stamp and takes no time, what was interrupted is done again.
package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/lock"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// A Lab is the clone together with the machine it stands on.
type Lab struct {
	checkout.Checkout
	Machine Machine
	Console *console.Console
	Go      Go // known after Ensure

	held *lock.Lock // while Ensure works
}

// step is one part of set-up.
type step struct {
	name  string   // of its stamp
	title string   // for the person who waits
	key   string   // fingerprint of its inputs
	there []string // files that exist once the step is done
	total int      // things to count, 0 if unknown
	make  func(context.Context, *console.Step) error
}

// Ensure does what is not done yet. If another process works at that, it waits for it, and says for which.
func (l *Lab) Ensure(ctx context.Context) error {
	if l.Machine.OS == "windows" {
		return &Need{
			What:   "GoNB, the kernel, runs on Linux and macOS",
			Remedy: "wsl --install        (then work with the clone inside the Windows Subsystem for Linux)",
		}
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
	steps, err := l.steps()
	if err != nil || l.allDone(steps) { // then nobody is waited for, and nothing in .prl needs to be written
		return err
	}
	if err := os.MkdirAll(l.State("stamps"), 0o755); err != nil {
		return fmt.Errorf("the lab keeps its programs in %s, which cannot be made: %w", l.State(), err)
	}
	l.held, err = lock.Take(ctx, l.State("lock"), func(holder string) {
		l.Console.Line("Another set-up works in this clone, %s; waiting for it.", holder)
	})
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		return fmt.Errorf("the lab keeps its programs in %s, which cannot be written: %w", l.State(), err)
	}
	defer func() { l.held.Release(); l.held = nil }()

	if steps, err = l.steps(); err != nil || l.allDone(steps) { // the other has done it
		return err
	}
	l.Console.Line("Setting up the lab in %s. Interrupted, it goes on where it was.", l.State())
	for _, s := range steps {
		if l.done(s) { // looked at only now, since a step may undo a later one
			continue
		}
		l.held.Say(s.title)
		if err := l.do(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lab) allDone(steps []step) bool {
	return !slices.ContainsFunc(steps, func(s step) bool { return !l.done(s) })
}

func (l *Lab) done(s step) bool {
	if !l.stamped(s.name, s.key) {
		return false
	}
	return !slices.ContainsFunc(s.there, func(path string) bool { _, err := os.Stat(path); return err != nil })
}

func (l *Lab) do(ctx context.Context, s step) error {
	l.unstamp(s.name)
	progress := l.Console.Step(s.title, s.total)
	before, _ := process.CPU(os.Getpid())
	if err := s.make(ctx, progress); err != nil {
		progress.Fail()
		if unbuilt := (*unwarmed)(nil); errors.As(err, &unbuilt) {
			l.Console.Line("The library does not compile, so cells that import the part concerned will fail:\n%s", firstLines(unbuilt.Error(), 5))
			return nil
		}
		return err
	}
	spent := ""
	if after, err := process.CPU(os.Getpid()); err == nil {
		spent = console.Duration(after-before) + " of processor time"
	}
	progress.Done(spent)
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
			key: fingerprint(string(l.Checkout), string(lock)), there: []string{l.Python()},
			make: l.makePython,
		},
		{
			name: "tools", title: "GoNB and goimports",
			key:   fingerprint(l.Go.Version, contents(kernel+"/go.mod", kernel+"/go.sum")),
			there: []string{l.Bin("gonb"), l.Bin("goimports")}, make: l.makeTools,
		},
		{
			name: "launcher", title: "Kernel launcher",
			key: fingerprint(
				l.Go.Version,
				contents(sources+"/prl-kernel", sources+"/goenv", sources+"/checkout", sources+"/process", sources+"/live",
					l.Path("prl", "cell", "suggest.go"), l.Path("prl", "notebook"), l.Path("prl", "internal", "atomicfile")),
			),
			there: []string{l.Bin("prl-kernel"), l.State("shim", "go"), l.State("shim", "goimports")}, make: l.makeLauncher,
		},
		{
			name: "kernelspec", title: "Kernel and settings",
			key: fingerprint(string(l.Checkout), l.Go.Program, lockID(lock), specID(), settingsID(), extensionID(), papermillID()),
			there: []string{
				l.State("python", "share", "jupyter", "kernels", KernelName, "kernel.json"),
				l.extensionDir("package.json"),
			}, make: l.makeKernelspec,
		},
		{
			name: "modules", title: "Go modules",
			key:   fingerprint(l.Go.Modules, sums),
			there: []string{l.Go.Modules}, make: l.makeModules,
		},
		{
			name: "caches", title: "First cell (compiling what cells can import)",
			key:   fingerprint(l.Go.Version, l.Go.Cache, sums, listing(l.Path("prl"), l.Path("plotting"), l.Path("datasets"))),
			there: []string{l.Go.Cache}, make: l.warmCaches,
		},
	}, nil
}

func lockID(lock []byte) string { return fingerprint(string(lock)) }
