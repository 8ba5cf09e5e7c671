//go:build linux

package sandbox

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
)

// hostVar makes of the test a program that starts a sandbox and waits for it.
const hostVar = "PRL_TEST_HOST"

// trialVar makes of the test a program that reports whether there is a sandbox.
const trialVar = "PRL_TEST_TRIAL"

func TestMain(m *testing.M) {
	Init()
	if root := os.Getenv(trialVar); root != "" {
		fmt.Println(Available(context.Background(), root))
		return
	}
	if mark := os.Getenv(hostVar); mark != "" {
		cmd, err := Box{Root: mark, Dir: "/", Env: []string{"MARK=" + mark}}.Command(context.Background(), nil, "/bin/sleep", "600")
		if err != nil {
			panic(err)
		}
		cmd.Run()
		return
	}
	os.Exit(m.Run())
}

// need skips where the machine gives no sandbox, but not where everything is to be checked.
func need(t *testing.T) {
	t.Helper()
	if err := Available(t.Context(), t.TempDir()); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// run runs a script in a box and returns what it printed, its errors too.
func run(t *testing.T, box Box, script string) (string, error) {
	t.Helper()
	box.Root, box.Env = t.TempDir(), append(box.Env, "PATH=/usr/sbin:/usr/bin:/sbin:/bin")
	if box.Dir == "" {
		box.Dir = "/tmp"
	}
	cmd, err := box.Command(t.Context(), nil, "/bin/sh", "-c", script)
	if err != nil {
		t.Fatal(err)
	}
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// call makes a call of the system, by its number on amd64, and fails with 1 where that is refused.
func call(number int) string {
	if runtime.GOARCH != "amd64" {
		return "false"
	}
	return fmt.Sprintf("python3 -c 'import ctypes, sys; l = ctypes.CDLL(None, use_errno=True); l.syscall(%d, 0, 0, 0, 0, 0); "+
		"sys.exit(ctypes.get_errno() in (1, 38))'", number)
}

// TestRoot wants a program that root has put into a sandbox to be nobody outside, and to have its own folder for writing all the same.
func TestRoot(t *testing.T) {
	need(t)
	own := t.TempDir()
	if err := os.WriteFile(filepath.Join(own, "mine"), []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := run(t, Box{Dir: "/work", Places: []Place{{Path: "/work", Source: own, Kind: Layer}}},
		"cat mine && echo after > mine && echo more > new && cat mine new && id -u && cat /proc/self/uid_map && grep Seccomp: /proc/self/status")
	if err != nil || !strings.HasPrefix(said, "beforeafter\nmore\n") || !strings.Contains(said, "Seccomp:\t2") {
		t.Fatalf("%v\n%s", err, said)
	}
	if os.Geteuid() == 0 && !strings.Contains(said, "\n65534\n") {
		t.Errorf("the program is root:\n%s", said)
	}
	if text, _ := os.ReadFile(filepath.Join(own, "mine")); string(text) != "before" {
		t.Errorf("the file outside is %q", text)
	}
}

// TestNothingIsReached tries what a hostile program would, and each attempt fails.
func TestNothingIsReached(t *testing.T) {
	need(t)
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret")
	if err := os.WriteFile(secret, []byte("the answers\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	shown := t.TempDir()
	if err := os.WriteFile(filepath.Join(shown, "data"), []byte("given\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(shown, "link")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PRL_TEST_TOKEN", "token-of-the-teacher")
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	reached := make(chan string, 16)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			reached <- c.RemoteAddr().String()
			c.Close()
		}
	}()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	addresses := []string{"127.0.0.1"}
	if list, err := net.InterfaceAddrs(); err == nil {
		for _, a := range list {
			if ip, is := a.(*net.IPNet); is && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
				addresses = append(addresses, ip.IP.String())
			}
		}
	}
	box := Box{Places: []Place{{Path: "/given", Source: shown, Kind: Read}}}
	attempts := map[string]string{
		"a file by its path":          "cat " + secret,
		"a file through a link":       "cat /given/link",
		"a file of the root":          "cat /proc/1/root" + secret,
		"the machine's old files":     "ls /.old",
		"a person's home":             "ls /root /home/*",
		"passwords":                   "cat /etc/shadow",
		"the machine's processes":     "test $(ls /proc | grep -c '^[0-9]') -gt 8",
		"the environment":             "cat /proc/*/environ | tr '\\0' '\\n' | grep token-of",
		"to write what is given":      "echo changed > /given/data",
		"to write in the system":      "touch /usr/bin/planted",
		"to make what is given open":  "mount -o remount,bind,rw /given",
		"to mount":                    "mount -t tmpfs tmpfs /tmp",
		"another sandbox with rights": "unshare --user --map-root-user mount -t tmpfs tmpfs /tmp",
		"to change a limit of users":  "echo 100 > /proc/sys/user/max_user_namespaces",
		"a device":                    "mknod /tmp/disk b 8 0",
		"to change the network":       "ip link add name x type dummy",
		"kernel messages":             "dmesg | grep .",
		"to trace the first process":  "head -c 1 /proc/1/maps",
		// What is the machine's, and asks for the user root alone: each is opened as for writing, and nothing is written.
		"the program for cores":      "python3 -c 'open(\"/proc/sys/kernel/core_pattern\", \"r+\")'",
		"the machine's caches":       "python3 -c 'open(\"/proc/sys/vm/drop_caches\", \"w\")'",
		"orders to the kernel":       "python3 -c 'open(\"/proc/sysrq-trigger\", \"w\")'",
		"interrupts":                 "python3 -c 'open(\"/proc/irq/default_smp_affinity\", \"w\")'",
		"its own limit of processes": "python3 -c 'open(\"/proc/sys/kernel/pid_max\", \"w\")'",
		"memory of no process":       "python3 -c 'import os; os.memfd_create(\"x\")'",
		"memory of System V":         "ipcmk --shmem 4096",
		"a ring of calls":            call(425),
		"keys":                       call(250),
		"a program in the kernel":    call(321),
		"faults of pages":            call(323),
		"to trace":                   call(101),
		"a space of users":           "unshare --user true",
		"a socket of the machine":    "python3 -c 'import socket; socket.socket(40, socket.SOCK_STREAM)'",
		"to be root":                 "python3 -c 'import os; os.setuid(0); os.setuid(1)'",
	}
	for _, address := range addresses {
		attempts["the network at "+address] = "bash -c 'echo hello > /dev/tcp/" + address + "/" + port + "'"
	}
	for what, script := range attempts {
		if said, err := run(t, box, script); err == nil {
			t.Errorf("the program gets %s: %s", what, said)
		} else if _, ended := err.(*exec.ExitError); !ended || strings.Contains(said, "not found") {
			t.Errorf("%s was not tried: %v %s", what, err, said)
		}
	}
	if len(reached) > 0 {
		t.Errorf("the network was reached %d times", len(reached))
	}
	if text, _ := os.ReadFile(filepath.Join(shown, "data")); string(text) != "given\n" {
		t.Errorf("what was given is %q now", text)
	}
}

// TestRefuses is on a machine that gives no sandbox: that is told, with what to do.
func TestRefuses(t *testing.T) {
	need(t)
	cmd := exec.Command("unshare", "--user", "--map-root-user", "sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces && exec "$0"`,
		os.Args[0])
	cmd.Env = append(os.Environ(), trialVar+"="+t.TempDir())
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, want := range []string{
		"is run only in a sandbox, which this machine does not give", "sysctl user.max_user_namespaces",
		"collect on the machine itself",
	} {
		if !strings.Contains(string(said), want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
}

// TestWhatIsThere wants what was promised to be there: what is given, a layer whose changes are lost, a place that is written, its own
// network.
func TestWhatIsThere(t *testing.T) {
	need(t)
	given, kept := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"data": "given\n", "more/deep": "deep\n"} {
		os.MkdirAll(filepath.Dir(filepath.Join(given, name)), 0o755)
		if err := os.WriteFile(filepath.Join(given, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := Give(kept); err != nil {
		t.Fatal(err)
	}
	box := Box{Dir: "/work", Env: []string{"GIVEN=yes"}, Places: []Place{
		{Path: "/layer/at", Source: given, Kind: Layer},
		{Path: "/given", Source: given, Kind: Read},
		{Path: "/kept", Source: kept, Kind: Write},
		{Path: "/work", Source: "", Kind: Layer},
	}}
	said, err := run(t, box, `set -e
		test "$GIVEN" = yes && test "$(pwd)" = /work
		cat /given/data /layer/at/more/deep
		echo changed > /layer/at/data; rm /layer/at/more/deep; cat /layer/at/data
		echo more > /kept/result; echo own > own
		python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); socket.create_connection(s.getsockname())'
		ls / | tr '\n' ' '`)
	if err != nil || !strings.HasPrefix(said, "given\ndeep\nchanged\n") {
		t.Errorf("%v\n%s", err, said)
	}
	for path, want := range map[string]string{given + "/data": "given\n", given + "/more/deep": "deep\n", kept + "/result": "more\n"} {
		if text, err := os.ReadFile(path); string(text) != want {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := Give(file.Name()); err != nil {
		t.Fatal(err)
	}
	box.Root = t.TempDir()
	cmd, err := box.Command(t.Context(), []*os.File{file}, "/bin/sh", "-c", "echo result > /proc/self/fd/3; exit 7")
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 7 {
		t.Error(err)
	}
	if text, _ := os.ReadFile(file.Name()); string(text) != "result\n" {
		t.Errorf("the file given to it holds %q", text)
	}
}

// TestEnds wants nothing of a sandbox to stay when its time is over, or when the program that started it lets go of it.
func TestEnds(t *testing.T) {
	need(t)
	lives := func(mark string) int { return len(process.Marked("MARK=" + mark)) }
	wait := func(mark string, want bool) bool {
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if lives(mark) > 0 == want {
				return true
			}
		}
		return false
	}
	box := Box{Root: t.TempDir(), Dir: "/tmp", Env: []string{"PATH=/usr/bin:/bin", "MARK=" + t.TempDir()}}
	mark := strings.TrimPrefix(box.Env[1], "MARK=")
	ctx, cancel := context.WithCancel(t.Context())
	cmd, err := box.Command(ctx, nil, "/bin/sh", "-c", "trap '' TERM; setsid sleep 600 & while :; do sleep 1; done")
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if !wait(mark, true) {
		t.Fatal("the program does not start")
	}
	cancel()
	cmd.Wait()
	if !wait(mark, false) {
		t.Error("it outlives its time")
	}
	host := exec.Command(os.Args[0])
	host.Env = append(os.Environ(), hostVar+"="+mark)
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	if !wait(mark, true) {
		t.Fatal("the program does not start")
	}
	host.Process.Kill()
	host.Wait()
	if !wait(mark, false) {
		t.Error("it outlives the program that started it")
	}
}

// TestThreads wants threads beyond those that a program may have to be refused, or the program to be ended.
func TestThreads(t *testing.T) {
	need(t)
	script := "import os, threading, time\ntry:\n  for i in range(200): threading.Thread(target=time.sleep, args=(600,)).start()\n" +
		"except RuntimeError: print(\"refused\", flush=True)\nos._exit(0)"
	said, err := run(t, Box{Threads: 100}, "python3 -c '"+script+"'")
	if countsApart() && (err != nil || said != "refused\n") {
		t.Errorf("%v %q", err, said)
	}
	pids := []int{os.Getpid()}
	if threads, bytes := taken(pids); threads < 2 || bytes == 0 {
		t.Errorf("%d threads with %d bytes are counted", threads, bytes)
	}
}

// TestGreedy ends a program that takes more memory or makes more processes than it may have.
func TestGreedy(t *testing.T) {
	need(t)
	for name, script := range map[string]string{
		"memory":    "exec python3 -c 'import time; x = bytearray(b\"x\") * (600 << 20); time.sleep(600)'",
		"processes": "for i in $(seq 60); do sleep 600 & done; wait",
		"files":     "head -c 300M /dev/zero > /tmp/full; sleep 600",
		"shared":    "head -c 300M /dev/zero > /dev/shm/full; sleep 600",
	} {
		t.Run(name, func(t *testing.T) {
			box := Box{Root: t.TempDir(), Dir: "/tmp", Env: []string{"PATH=/usr/bin:/bin"}, Memory: 200 << 20, Processes: 40, Threads: 100}
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			cmd, err := box.Command(ctx, nil, "/bin/sh", "-c", script)
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go box.Watch(ctx, cmd.Process.Pid, cancel)
			cmd.Wait()
			if context.Cause(ctx) != ErrGreedy {
				t.Errorf("it was not ended: %v", context.Cause(ctx))
			}
		})
	}
}
