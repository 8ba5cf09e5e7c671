//go:build image && linux

package docker

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	students = 10
	lesson   = "02-bayes-risk.ipynb"
	proxy    = "configurable-http-proxy@4.6.3" // the last that runs with the Node.js of Debian 12
)

// hubOnce installs JupyterHub and all that the configurations in docker/hub name, from PyPI and npm.
var hubOnce = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "hub")
	if _, err := os.Stat(filepath.Join(dir, "done")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	requirements, err := filepath.Abs(filepath.Join("hub", "requirements.txt"))
	if err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"python3", "-m", "venv", "--clear", "python"},
		{"python/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-r", requirements},
		{"npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", dir, proxy},
	} {
		if _, err := command(dir, args[0], args[1:]...); err != nil {
			return "", err
		}
	}
	return dir, os.WriteFile(filepath.Join(dir, "done"), nil, 0o644)
})

func hub(t *testing.T) string {
	t.Helper()
	needs(t, "python3", "npm", "node")
	dir, err := hubOnce()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestClass lets a JupyterHub start a server from the image for each of ten students, who run a notebook at the same time.
func TestClass(t *testing.T) {
	i := built(t, labOnce)
	dir := hub(t)
	here, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	volumes := volume(t)
	if err := os.WriteFile(filepath.Join(volumes, "image-environment"), []byte(strings.Join(i.config.Env, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var uids []int
	for n := range students {
		uids = append(uids, 20001+n)
		if err := os.Mkdir(filepath.Join(volumes, string(rune('0'+n))), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{
		"PATH=" + filepath.Join(dir, "python", "bin") + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8",
		"root=" + i.root, "volumes=" + volumes, "tests=" + here, "USERS=" + strconv.Itoa(students),
		"ENTER=" + filepath.Join(here, "enter.sh"), "HUB_TEST_TOKEN=" + canary + canary,
		"PROXY=" + filepath.Join(dir, "node_modules", ".bin", "configurable-http-proxy"),
	}
	var log lines
	hub := exec.Command("unshare", "--net", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-ec",
		`ip link set lo up; exec jupyterhub -f "$tests/hub.py"`)
	hub.Dir, hub.Env, hub.Stdout, hub.Stderr = t.TempDir(), env, &log, &log
	if err := hub.Start(); err != nil {
		t.Fatal(err)
	}
	c := &container{cmd: hub}
	t.Cleanup(c.stop)
	pid := ""
	for end := time.Now().Add(30 * time.Second); pid == "" && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if first, err := c.first(); err == nil {
			pid = strconv.Itoa(first)
		}
	}

	watch := watchUsers(uids...)
	class := exec.Command("nsenter", "--target", pid, "--net", filepath.Join(dir, "python", "bin", "python"), filepath.Join(here, "class.py"), strconv.Itoa(students), lesson)
	class.Env = env
	said, err := class.Output()
	peak := watch()
	if err != nil {
		var errs []byte
		if exit, isExit := err.(*exec.ExitError); isExit {
			errs = exit.Stderr
		}
		text := log.text()
		t.Fatalf("%v\n%s\nThe hub printed:\n%s", err, errs, text[max(0, len(text)-6000):])
	}
	var facts struct {
		Seconds  float64
		Students []struct {
			executed
			Name      string
			Started   float64
			Ended     float64
			Strangers []int
		}
	}
	if err := json.Unmarshal(said, &facts); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if len(facts.Students) != students {
		t.Fatalf("%d students, want %d", len(facts.Students), students)
	}
	var starts, runs []float64
	cells := 0
	for _, s := range facts.Students {
		if len(s.Failures) > 0 || s.Cells == 0 {
			t.Errorf("%s: %d cells, failures: %v", s.Name, s.Cells, s.Failures)
		}
		for _, code := range s.Strangers {
			if code != 302 && code != 403 {
				t.Errorf("the server of %s answers a stranger with %d", s.Name, code)
			}
		}
		cells += s.Cells
		starts, runs = append(starts, s.Started), append(runs, s.Seconds)
	}
	var each []float64
	cpu := time.Duration(0)
	for _, uid := range uids {
		each = append(each, peak[uid])
		_, used := usage(uid)
		cpu += used
	}
	t.Logf("a class of %d on this machine through JupyterHub, each server a process in the image's files: %d cells of %s in %.0f s, none failed: %t",
		students, cells, lesson, facts.Seconds, !t.Failed())
	t.Logf("a server is ready after %.0f to %.0f s, the notebook takes %.0f to %.0f s; memory (PSS) at its peak %.0f MB for all, at most %.0f MB for one; %.0f s of processor time in all",
		slices.Min(starts), slices.Max(starts), slices.Min(runs), slices.Max(runs), peak[0]/1e6, slices.Max(each)/1e6, cpu.Seconds())
}

// TestHubConfiguration loads the configuration for DockerSpawner with everything it names, and looks at what it would ask of Docker.
func TestHubConfiguration(t *testing.T) {
	dir := hub(t)
	config, err := filepath.Abs(filepath.Join("hub", "jupyterhub_config.py"))
	if err != nil {
		t.Fatal(err)
	}
	check, err := filepath.Abs(filepath.Join("testdata", "hubconfig.py"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "python", "bin", "python"), check, config)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PRL_COURSE=/srv/course", "PRL_ADMINS=ada", "DOCKER_HOST=unix:///nowhere")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var facts struct {
		Unknown []string
		Create  struct {
			User    string
			Image   string
			Command any
		}
		Host struct {
			Memory         int64 `json:"Memory"`
			CPUQuota       int64 `json:"CpuQuota"`
			CPUPeriod      int64 `json:"CpuPeriod"`
			ReadonlyRootfs bool
			CapDrop        []string
			SecurityOpt    []string
			PidsLimit      int
			Binds          []string
			Tmpfs          map[string]string
			PortBindings   map[string]any
		}
		Services []string
		Signup   bool
	}
	if err := json.Unmarshal(out[strings.LastIndex(strings.TrimSpace(string(out)), "\n")+1:], &facts); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h := facts.Host
	for what, well := range map[string]bool{
		"names only settings that exist": len(facts.Unknown) == 0,
		"runs as a user":                 facts.Create.User == "1000:1000",
		"limits memory":                  h.Memory == 1500<<20,
		"limits the processor":           h.CPUQuota > 0 && h.CPUQuota == h.CPUPeriod,
		"limits processes":               h.PidsLimit > 0,
		"read-only files":                h.ReadonlyRootfs,
		"no capability":                  slices.Equal(h.CapDrop, []string{"ALL"}),
		"no new privileges":              slices.Equal(h.SecurityOpt, []string{"no-new-privileges:true"}),
		"own volumes, course read-only": slices.Contains(h.Binds, "prlab-student:/lab/notebooks:rw") && slices.Contains(h.Binds, "prlab-home-student:/home/prl:rw") &&
			slices.Contains(h.Binds, "/srv/course:/lab/notebooks/course:ro"),
		"programs in /tmp may run": strings.HasPrefix(h.Tmpfs["/tmp"], "exec"),
		"publishes no port":        len(h.PortBindings) == 0,
		"stops idle labs":          slices.Contains(facts.Services, "idle-culler"),
		"no open door":             !facts.Signup,
	} {
		if !well {
			t.Errorf("docker/hub/jupyterhub_config.py lacks: %s\n%s", what, out)
		}
	}
}
