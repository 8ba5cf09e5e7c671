//go:build unix

// Command prl-kernel is what Jupyter starts as the kernel "Go (Pattern Recognition Lab)". It looks whether all that GoNB needs
// is there, says in one line what is not, and starts GoNB in the environment of package goenv. It then stays between Jupyter and GoNB
// (package relay): when GoNB ends, in whatever way, or when Jupyter is gone, it ends all that GoNB has started and removes the temporary
// folder.
//
// Under the names go and goimports it is the programs that GoNB calls to build cells (package build). Called by Jupyter's server as
//
//	prl-kernel modules FOLDER
//
// it builds what the pages of the lab compute with.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/build"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/explain"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/relay"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/notebook"
)

func init() {
	// The kernel of Linux ties "tell me when my parent dies" to the parent's thread, so GoNB must be started from one that lasts.
	runtime.LockOSThread()
}

func main() {
	switch filepath.Base(os.Args[0]) {
	case "go":
		root, _ := home() // only live figures need it
		build.Main(root, os.Args[1:])
	case "goimports":
		root, err := home()
		if err != nil {
			fail(err.Error())
		}
		build.Imports(root, os.Args[1:])
	}
	if len(os.Args) == 3 && os.Args[1] == "modules" {
		modules(os.Args[2])
		return
	}
	parent := os.Getppid() // before all else, since Jupyter may die at any time
	if len(os.Args) != 2 {
		fail("it is started by Jupyter with the path of a connection file, not by hand")
	}
	root, err := home()
	if err != nil {
		fail(err.Error())
	}
	goProgram, err := check(root, os.Getenv)
	if err != nil {
		fail(err.Error())
	}
	temp, err := process.TempDir(process.KernelFolder)
	if err != nil {
		fail("no temporary folder can be made: " + err.Error())
	}
	status := supervise(root, goProgram, temp, os.Args[1], parent)
	os.RemoveAll(temp)
	os.Exit(status)
}

// modules builds the programs of live figures, in the environment of cells.
func modules(folder string) {
	root, err := home()
	if err != nil {
		fail(err.Error())
	}
	goProgram, err := check(root, os.Getenv)
	if err != nil {
		fail(err.Error())
	}
	env := goenv.Cells(os.Environ(), root.State(), goProgram)
	os.Clearenv()
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		os.Setenv(name, value)
	}
	build.Background()
	build.Modules(root, folder, os.Stdin, os.Stdout)
}

// home is the clone to which this program belongs: it stands in .prl/bin there.
func home() (checkout.Checkout, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(self)))
	if !checkout.Is(root) {
		return "", fmt.Errorf(
			"%s holds no go.mod of %s; was the clone moved? Mend: go tool prl kernel install, in the clone",
			root,
			checkout.Module,
		)
	}
	return checkout.Checkout(root), nil
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, "prl-kernel: "+why)
	os.Exit(1)
}

// supervise runs GoNB until it ends and returns its exit status. No process that GoNB started outlives the call.
func supervise(root checkout.Checkout, goProgram, temp, connection string, parent int) int {
	adoptOrphans()
	// Interrupts come to GoNB as messages, so SIGINT means nothing here. SIGPIPE comes when Jupyter is gone and nobody reads the
	// error output any more, which is when there is still work to do. To ignore them outright would let GoNB inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGPIPE)
	ends := make(chan os.Signal, 4)
	// from now on, or a request that comes while GoNB starts would leave it and the folder
	signal.Notify(ends, syscall.SIGTERM, syscall.SIGHUP)
	headless := os.Getenv(goenv.HeadlessVar) == "1"
	talk := filepath.Join(temp, "cell")
	if err := os.Mkdir(talk, 0o700); err != nil {
		fmt.Fprintln(os.Stderr, "prl-kernel:", err)
		return 1
	}
	if !headless {
		giveSeals(talk, os.Getenv("JPY_SESSION_NAME"))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	env := goenv.Cells(os.Environ(), root.State(), goProgram)
	env = append(
		goenv.Without(env, "TMPDIR", build.DirVar, build.StoreVar),
		"TMPDIR="+temp,
		build.DirVar+"="+talk,
		build.StoreVar+"="+store(root, temp),
	)
	options := relay.Options{Folder: talk, Headless: headless, GoImports: root.Bin("goimports")}
	if !headless {
		options.Go = goProgram
		options.Env = append(goenv.Without(env, "PATH"), "PATH="+filepath.Dir(goProgram)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	r, inner, err := relay.Listen(ctx, connection, temp, options)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prl-kernel: Jupyter's connection:", err)
		return 1
	}
	argv := []string{
		"gonb", "--kernel", inner, "-raw_error=true", "-go_work=" + string(root),
		"-logtostderr=false", "-stderrthreshold=FATAL",
	} // only why it dies is told, the rest is kept in temp
	gonb, err := syscall.ForkExec(root.Bin("gonb"), argv, &syscall.ProcAttr{
		Env: env, Files: []uintptr{0, 1, 2}, Sys: dieWithParent(),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "prl-kernel: GoNB does not start:", err)
		return 1
	}
	go r.Run(ctx, inner, gonb)
	defer endDescendants()
	go forwardSignals(gonb, ends)
	go watchParent(gonb, parent)
	for {
		var state syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &state, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 1
		case pid == gonb && state.Signaled():
			fmt.Fprintf(os.Stderr, "prl-kernel: GoNB was ended by a signal (%s)\n", state.Signal())
			limit, ended := memory()
			r.Died(explain.Died(state.Signal(), limit, ended))
			return 128 + int(state.Signal())
		case pid == gonb:
			return state.ExitStatus()
		}
	}
}

// memory is what the container or the machine says of its memory: how much it may have, and how often something was ended for want of it.
func memory() (limit uint64, ended int) {
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		limit, _ = strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	}
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.events"); err == nil {
		for line := range strings.Lines(string(text)) {
			if count, found := strings.CutPrefix(line, "oom_kill "); found {
				ended, _ = strconv.Atoi(strings.TrimSpace(count))
			}
		}
	}
	return limit, ended
}

// giveSeals gives cells the seals of the exercises of their notebook, so that an answer is judged before the cell of the seals has run.
// Jupyter's server names the notebook. Without one, or where it cannot be read, the cell of the seals gives them when it runs.
func giveSeals(talk, path string) {
	n, err := notebook.Read(path)
	if err != nil {
		return
	}
	if text := n.Seals(); text != "" {
		os.WriteFile(filepath.Join(talk, "seals"), []byte(text), 0o600)
	}
}

// store is the folder for what is kept of builds: in .prl, or, where that cannot be written, in the person's cache, or else in the kernel's
// own folder.
func store(root checkout.Checkout, temp string) string {
	folders := []string{root.State("cells")}
	if cache, err := os.UserCacheDir(); err == nil {
		folders = append(folders, filepath.Join(cache, "prl", "cells"))
	}
	for _, folder := range folders {
		if os.MkdirAll(folder, 0o755) != nil {
			continue
		}
		if probe, err := os.CreateTemp(folder, "probe-"); err == nil {
			probe.Close()
			os.Remove(probe.Name())
			return folder
		}
	}
	return filepath.Join(temp, "cells")
}

// forwardSignals passes a request to end on to GoNB.
func forwardSignals(gonb int, signals <-chan os.Signal) {
	for range signals {
		end(gonb)
	}
}

// watchParent ends GoNB when the program that started the kernel has died without a message.
func watchParent(gonb, parent int) {
	for range time.Tick(250 * time.Millisecond) {
		if os.Getppid() != parent {
			end(gonb)
			return
		}
	}
}

// end asks GoNB to end and, three seconds later, makes it.
func end(gonb int) {
	syscall.Kill(gonb, syscall.SIGTERM)
	time.AfterFunc(3*time.Second, func() { syscall.Kill(gonb, syscall.SIGKILL) })
}
