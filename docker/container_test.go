//go:build image && linux

package docker

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// contain makes of the shell a container as compose.yaml asks for one: namespaces of its own for mounts, processes and the network, of
// which there is only the loopback; the image's files read-only; /tmp in memory; no capability and no way to one.
//
//go:embed testdata/contain.sh
var contain string

// become is the last step, inside the root: another user, without rights, and the image's environment alone.
const become = `exec chroot "$root" setpriv --reuid="$uid" --regid="$gid" --clear-groups --no-new-privs --bounding-set="$caps" ` +
	`--inh-caps="$caps" \
	env -i "$@"`

// lines collects what a program prints.
type lines struct {
	sync.Mutex
	bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(p)
}

func (l *lines) text() string {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.String()
}

// A container runs an image.
type container struct {
	image           *image
	uid, gid        int
	notebooks, home string   // the volumes
	env             []string // beyond the image's
	caps            string

	cmd *exec.Cmd
	log lines
	pid int // of the first process, seen from outside
}

// volume makes a folder as Docker makes a new volume: with the rights of the folder in the image on which it is mounted.
func volume(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "volume")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	for at := filepath.Dir(dir); at != "/"; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.Mode().Perm()&0o005 == 0 {
			os.Chmod(at, info.Mode().Perm()|0o055)
		}
	}
	return dir
}

func newContainer(t *testing.T, i *image) *container {
	t.Helper()
	return &container{image: i, uid: 12345, gid: 0, notebooks: volume(t), home: volume(t), caps: "-all"}
}

// inside is the arguments that follow become: variables, then a shell in the working folder that becomes the program.
func (c *container) inside(args []string) []string {
	inner := append(append([]string{}, c.image.config.Env...), c.env...)
	inner = append(inner, "sh", "-c", `cd "$0" && exec "$@"`, c.image.config.WorkingDir)
	return append(inner, args...)
}

// start starts the container with its entry point; it is stopped at the end of the test.
func (c *container) start(t *testing.T, args ...string) {
	t.Helper()
	here, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	variables := []string{
		"root=" + c.image.root, "uid=" + strconv.Itoa(c.uid), "gid=" + strconv.Itoa(c.gid), "caps=" + c.caps,
		"notebooks=" + c.notebooks, "home=" + c.home, "tests=" + here, "PATH=" + os.Getenv("PATH"),
	}
	argv := append(
		[]string{"--net", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private", "sh", "-ec", contain + become, "sh"},
		c.inside(append(append([]string{}, c.image.config.Entrypoint...), args...))...,
	)
	c.cmd = exec.Command("unshare", argv...)
	c.cmd.Env = variables
	c.cmd.Stdout, c.cmd.Stderr = &c.log, &c.log
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.stop() })
	// Until the root is changed, the mounts are not complete and nobody else may enter.
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if pid, err := c.first(); err == nil {
			if root, err := os.Readlink(fmt.Sprintf("/proc/%d/root", pid)); err != nil || root != "/" {
				return
			}
		}
	}
}

// stop ends the container at once, as a machine that loses its power does.
func (c *container) stop() {
	if c.cmd != nil && c.cmd.ProcessState == nil {
		c.kill()
		c.cmd.Wait()
	}
}

// kill ends the first process and so all. To end unshare is not enough: the kernel forgets the wish to end with a parent when the user
// changes.
func (c *container) kill() {
	if pid, err := c.first(); err == nil {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	c.cmd.Process.Kill()
}

// wait waits until the container ends and returns what it printed.
func (c *container) wait(t *testing.T, limit time.Duration) (string, error) {
	t.Helper()
	timer := time.AfterFunc(limit, c.kill)
	defer timer.Stop()
	err := c.cmd.Wait()
	return c.log.text(), err
}

// first is the container's first process, the child of unshare.
func (c *container) first() (int, error) {
	if c.pid != 0 {
		return c.pid, nil
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, _ := os.ReadFile(path)
		_, rest, found := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); found && len(fields) > 1 && fields[1] == strconv.Itoa(c.cmd.Process.Pid) {
			c.pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(path)))
			return c.pid, nil
		}
	}
	return 0, fmt.Errorf("the container has no process:\n%s", c.log.text())
}

// exec runs a program in the running container, as docker exec does.
func (c *container) exec(limit time.Duration, args ...string) (string, error) {
	return c.enter(limit, become, c.inside(args)...)
}

// root runs a shell command on the container's files with the rights of the machine's root.
func (c *container) rooted(script string) (string, error) {
	return c.enter(time.Minute, `cd "$root"; `+script)
}

func (c *container) enter(limit time.Duration, script string, args ...string) (string, error) {
	pid, err := c.first()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(
		"nsenter",
		append([]string{"--target", strconv.Itoa(pid), "--net", "--mount", "--pid", "sh", "-ec", script, "sh"}, args...)...,
	)
	cmd.Env = []string{
		"root=" + c.image.root, "uid=" + strconv.Itoa(c.uid), "gid=" + strconv.Itoa(c.gid), "caps=" + c.caps, "PATH=" + os.Getenv("PATH"),
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 5 * time.Second // a program may leave others behind that hold its output
	if err := cmd.Start(); err != nil {
		return "", err
	}
	timer := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err = cmd.Wait()
	return strings.TrimSpace(out.String()), err
}

// health runs the image's health check.
func (c *container) health() (string, error) {
	return c.exec(30*time.Second, c.image.config.Healthcheck.Test[1:]...)
}

// healthy waits for the health check to pass.
func (c *container) healthy(t *testing.T, limit time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	for {
		said, err := c.health()
		if err == nil {
			return time.Since(began)
		}
		if time.Since(began) > limit {
			t.Fatalf("not healthy after %s: %s, %v\n%s", limit, said, err, c.log.text())
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// eventually waits until the health check gives a reason.
func (c *container) eventually(t *testing.T, limit time.Duration, reason string) {
	t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(200 * time.Millisecond) {
		said, err := c.exec(30*time.Second, "lab-health")
		if err != nil && strings.Contains(said, reason) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the health check says %q, %v; want %q\n%s", said, err, reason, c.log.text())
		}
	}
}
