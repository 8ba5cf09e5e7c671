//go:build image && linux

package docker

import (
	"crypto/tls"
	"encoding/json"
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
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

// size is how many students come at once; on the machine that the plan for a class is made for, measure 5, 10 and 20.
var (
	size  = flag.Int("students", 10, "the number of students of TestClass")
	turns = flag.Int("turns", 0, "how many students of TestClass start or run a cell at the same time, while the others read; 0 is all")
)

const lesson = "02-bayes-risk.ipynb"

// hubOnce installs JupyterHub and all that the configurations in docker/hub name, from PyPI and npm.
var hubOnce = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "hub")
	if _, err := os.Stat(filepath.Join(dir, "done")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	here, err := filepath.Abs("hub")
	if err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"python3", "-m", "venv", "--clear", "python"},
		{
			"python/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-r",
			filepath.Join(here, "requirements.txt"),
		},
		{"cp", filepath.Join(here, "package.json"), filepath.Join(here, "package-lock.json"), "."},
		{"npm", "ci", "--silent", "--no-audit", "--no-fund"},
	} {
		if _, err := command(dir, args[0], args[1:]...); err != nil {
			return "", err
		}
	}
	return dir, os.WriteFile(filepath.Join(dir, "done"), nil, 0o644)
})

func hub(t *testing.T) string {
	t.Helper()
	has(t, "python3", "npm", "node")
	dir, err := hubOnce()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestClass lets a JupyterHub start a server from the image for each of ten students, or as many as -students says, who run a notebook at
// the same time; with -turns all but some read.
func TestClass(t *testing.T) {
	students := *size
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
		if err := os.Mkdir(filepath.Join(volumes, strconv.Itoa(n)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{
		"PATH=" + filepath.Join(dir, "python", "bin") + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8",
		"PYTHONDONTWRITEBYTECODE=1", "root=" + i.root, "volumes=" + volumes, "tests=" + here, "USERS=" + strconv.Itoa(students),
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

	watch, parts := watchUsers(uids...)
	class := exec.Command(
		"nsenter",
		"--target",
		pid,
		"--net",
		filepath.Join(dir, "python", "bin", "python"),
		filepath.Join(here, "class.py"),
		strconv.Itoa(students),
		lesson,
		strconv.Itoa(*turns),
	)
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
			First     float64
			Median    float64
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
	var starts, runs, firsts, medians []float64
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
		firsts, medians = append(firsts, s.First), append(medians, s.Median)
	}
	var each []float64
	cpu := time.Duration(0)
	for _, uid := range uids {
		each = append(each, peak[uid])
		_, _, used := usage(uid)
		cpu += used
	}
	t.Logf(
		"a class of %d on this machine through JupyterHub, each server a process in the image's files: %d cells of %s in %.0f s, none failed: %t",
		students,
		cells,
		lesson,
		facts.Seconds,
		!t.Failed(),
	)
	slices.Sort(each)
	t.Logf(
		"a server is ready after %.0f to %.0f s, the notebook takes %.0f to %.0f s, its first cell %.1f to %.1f s, a cell in the middle %.1f "+
			"to %.1f s",
		slices.Min(starts), slices.Max(starts), slices.Min(runs), slices.Max(runs), slices.Min(firsts), slices.Max(firsts), slices.Min(medians),
		slices.Max(medians),
	)
	t.Logf(
		"memory (PSS) at its peak %.0f MB for all, of one in the middle %.0f MB, at most %.0f MB; %.0f s of processor time in all. Of the "+
			"peak, MB:%s",
		peak[0]/1e6, each[len(each)/2]/1e6, each[len(each)-1]/1e6, cpu.Seconds(), parts(),
	)
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
	cmd.Env = append(os.Environ(), "PRL_COURSE=/srv/course", "PRL_ADMINS=ada", "PRL_HUB_DATA="+t.TempDir(), "DOCKER_HOST=unix:///nowhere")
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
		TLS      bool
		Network  string
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
		"own volumes, course read-only": slices.Contains(h.Binds, "prlab-student:/lab/notebooks:rw") &&
			slices.Contains(h.Binds, "prlab-home-student:/home/prl:rw") &&
			slices.Contains(h.Binds, "/srv/course:/lab/notebooks/course:ro"),
		"programs in /tmp may run": strings.HasPrefix(h.Tmpfs["/tmp"], "exec"),
		"publishes no port":        len(h.PortBindings) == 0,
		"stops idle labs":          slices.Contains(facts.Services, "idle-culler"),
		"no open door":             !facts.Signup,
		"TLS inside":               facts.TLS,
		"the network of students":  facts.Network == "prlab-students",
	} {
		if !well {
			t.Errorf("docker/hub/jupyterhub_config.py lacks: %s\n%s", what, out)
		}
	}
}

// TestHubCompose reads what compose.yaml asks of Docker for the hub and for the network of the labs.
func TestHubCompose(t *testing.T) {
	dir := hub(t)
	out, err := command(
		"hub",
		filepath.Join(dir, "python", "bin", "python"),
		"-c",
		"import json, yaml; print(json.dumps(yaml.safe_load(open('compose.yaml'))))",
	)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]struct {
			Ports, Volumes, Tmpfs []string
			CapDrop               []string `json:"cap_drop"`
			SecurityOpt           []string `json:"security_opt"`
			ReadOnly              bool     `json:"read_only"`
			Privileged            bool
			Environment           map[string]string
			Networks              map[string]struct{ Aliases []string }
		}
		Networks map[string]struct {
			Name       string
			Internal   bool
			DriverOpts map[string]string `json:"driver_opts"`
		}
	}
	if err := json.Unmarshal([]byte(out), &file); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	service, students := file.Services["hub"], file.Networks["students"]
	for what, well := range map[string]bool{
		"one service":                    len(file.Services) == 1,
		"listens on this machine only":   slices.Equal(service.Ports, []string{"${PRL_ADDRESS:-127.0.0.1}:${PRL_PORT:-8000}:8000"}),
		"administrators are asked for":   strings.HasPrefix(service.Environment["PRL_ADMINS"], "${PRL_ADMINS:?"),
		"no capability":                  slices.Equal(service.CapDrop, []string{"ALL"}) && !service.Privileged,
		"no new privileges":              slices.Equal(service.SecurityOpt, []string{"no-new-privileges:true"}),
		"read-only files":                service.ReadOnly,
		"a volume for what is kept":      slices.Contains(service.Volumes, "hub:/srv/jupyterhub"),
		"its name among the labs":        slices.Equal(service.Networks["students"].Aliases, []string{"classhub"}),
		"labs have no way out":           students.Name == "prlab-students" && students.Internal,
		"labs do not reach the machine":  students.DriverOpts["com.docker.network.bridge.inhibit_ipv4"] == "true",
		"the hub has a network to serve": len(service.Networks) == 2,
	} {
		if !well {
			t.Errorf("docker/hub/compose.yaml lacks: %s\n%+v", what, file)
		}
	}
}

// A runningHub is JupyterHub with its proxy and the shipped configuration, without a Docker daemon, which it asks for nothing until a
// student starts a lab.
type runningHub struct {
	*exec.Cmd
	log           lines
	data, address string
}

// startHub returns when the hub answers or has ended.
func startHub(t *testing.T, data string, env ...string) *runningHub {
	t.Helper()
	dir := hub(t)
	config, err := filepath.Abs(filepath.Join("hub", "jupyterhub_config.py"))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &runningHub{data: data, address: "http://" + listener.Addr().String()}
	listener.Close()
	h.Cmd = exec.Command(filepath.Join(dir, "python", "bin", "jupyterhub"), "-f", config)
	h.Dir, h.Stdout, h.Stderr = data, &h.log, &h.log
	h.Env = append(os.Environ(), "PRL_HUB_DATA="+data, "PRL_HUB_HOST=127.0.0.1", "PRL_HUB_BIND="+h.address, "DOCKER_HOST=unix:///nowhere",
		"PATH="+filepath.Join(dir, "python", "bin")+":"+filepath.Join(dir, "node_modules", ".bin")+":"+os.Getenv("PATH"))
	for _, entry := range env {
		if entry == "PRL_URL=own" {
			entry = "PRL_URL=" + h.address
		}
		h.Env = append(h.Env, entry)
	}
	if err := h.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { h.Wait(); close(ended) }()
	t.Cleanup(func() {
		h.Process.Signal(os.Interrupt) // on which it ends its proxy and its services
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			h.Process.Kill()
			<-ended
		}
	})
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if answer, err := http.Get(h.address + "/hub/login"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return h
			}
		}
		select {
		case <-ended:
			return h
		default:
		}
	}
	t.Fatalf("the hub does not answer:\n%s", h.log.text())
	return nil
}

// A person has a browser of their own.
type person struct {
	t *testing.T
	h *runningHub
	http.Client
}

func (h *runningHub) person(t *testing.T) *person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &person{t, h, http.Client{Jar: jar, Timeout: 30 * time.Second}}
}

// do asks for a path of the hub, with a form if there is one, and returns the status and the page.
func (p *person) do(path string, form url.Values) (int, string) {
	p.t.Helper()
	var answer *http.Response
	var err error
	if form == nil {
		answer, err = p.Get(p.h.address + path)
	} else {
		p.do(path, nil) // the page with the form gives a cookie that the form must repeat
		address, _ := url.Parse(p.h.address + "/hub/")
		for _, cookie := range p.Jar.Cookies(address) {
			if cookie.Name == "_xsrf" {
				form.Set("_xsrf", cookie.Value)
			}
		}
		answer, err = p.PostForm(p.h.address+path, form)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// login reports whether the hub lets the person in, and as an administrator.
func (p *person) login(name, password string) (in, admin bool) {
	p.t.Helper()
	p.do("/hub/login", url.Values{"username": {name}, "password": {password}})
	status, _ := p.do("/hub/token", nil)
	authorize, page := p.do("/hub/authorize", nil)
	return status == http.StatusOK && len(p.cookies()) > 0, authorize == http.StatusOK && strings.Contains(page, "Authorize")
}

func (p *person) cookies() (names []string) {
	address, _ := url.Parse(p.h.address + "/hub/")
	for _, cookie := range p.Jar.Cookies(address) {
		if strings.HasPrefix(cookie.Name, "jupyterhub-hub-login") {
			names = append(names, cookie.Name)
		}
	}
	return names
}

// TestHubAsShipped starts the hub with the shipped configuration and tries to get into it.
func TestHubAsShipped(t *testing.T) {
	data := t.TempDir()
	h := startHub(t, data, "PRL_ADMINS=Prof")
	const chosen = "a password of the stranger"
	form := func(name string) url.Values {
		return url.Values{
			"username":                     {name},
			"signup_password":              {chosen},
			"signup_password_confirmation": {chosen},
			"password":                     {chosen},
			"password_confirmation":        {chosen},
		}
	}
	for _, name := range []string{"prof", "Prof", "PROF"} {
		h.person(t).do("/hub/signup", form(name))
		if in, admin := h.person(t).login(name, chosen); in || admin {
			t.Errorf("who signs up as %s is in: %v, an administrator: %v", name, in, admin)
		}
	}
	h.person(t).do("/hub/signup", form("student"))
	if in, _ := h.person(t).login("student", chosen); in {
		t.Error("a student whom nobody has let in is in")
	}
	first, err := os.ReadFile(filepath.Join(data, "first-password-prof"))
	if err != nil {
		t.Fatalf("%v\n%s", err, h.log.text())
	}
	prof := h.person(t)
	if in, admin := prof.login("prof", strings.TrimSpace(string(first))); !in || !admin {
		t.Errorf("the administrator is in: %v, as one: %v\n%s", in, admin, h.log.text())
	}
	prof.do("/hub/authorize/student", nil)
	if in, admin := h.person(t).login("student", chosen); !in || admin {
		t.Errorf("a student who was let in is in: %v, an administrator: %v", in, admin)
	}
	for _, name := range []string{"hub.sqlite", "cookie_secret", "first-password-prof", "administrators"} {
		if info, err := os.Stat(filepath.Join(data, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, want a file that only its owner reads (%v)", name, info, err)
		}
	}
	if strings.Contains(h.log.text(), strings.TrimSpace(string(first))) {
		t.Error("the log tells the password")
	}
	for address, well := range map[string]bool{h.address: true, "http://127.0.0.1:1": false} {
		check := exec.Command(filepath.Join(hub(t), "python", "bin", "python"), filepath.Join("hub", "health.py"))
		check.Env = []string{"PRL_HUB_BIND=" + address}
		if said, err := check.CombinedOutput(); (err == nil) != well {
			t.Errorf("the health check of %s: %v\n%s", address, err, said)
		}
	}
	// Without a certificate of the hub's own nobody speaks to the hub or to the proxy's interface, past the door for browsers.
	bare := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for _, address := range []string{
		"https://127.0.0.1:8081/hub/login", "https://127.0.0.1:8001/api/routes",
		"http://127.0.0.1:8081/hub/login", "http://127.0.0.1:8001/api/routes",
	} {
		if answer, err := bare.Get(address); err == nil {
			t.Errorf("%s answers a stranger with %d", address, answer.StatusCode)
			answer.Body.Close()
		}
	}
	if others := addressesOf(t); len(others) > 0 {
		for _, address := range others {
			for _, port := range []string{"8081", "8001"} {
				if connection, err := net.DialTimeout("tcp", net.JoinHostPort(address, port), time.Second); err == nil {
					connection.Close()
					t.Errorf("port %s is open at %s", port, address)
				}
			}
		}
	}
}

// addressesOf are the machine's own addresses but the loopback.
func addressesOf(t *testing.T) (all []string) {
	t.Helper()
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if ip, is := a.(*net.IPNet); is && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			all = append(all, ip.IP.String())
		}
	}
	return all
}

// TestHubRefusesToStart wants a hub without administrators, and one whose administrator's name somebody else has taken before, to say so.
func TestHubRefusesToStart(t *testing.T) {
	h := startHub(t, t.TempDir(), "PRL_ADMINS=")
	if h.ProcessState == nil || !strings.Contains(h.log.text(), "PRL_ADMINS names nobody") {
		t.Errorf("without administrators: %s", h.log.text())
	}
	data := t.TempDir()
	t.Run("taken", func(t *testing.T) {
		h := startHub(t, data, "PRL_ADMINS=ada")
		const chosen = "a password of the stranger"
		h.person(t).do("/hub/signup", url.Values{"username": {"prof"}, "signup_password": {chosen}, "signup_password_confirmation": {chosen}})
	})
	h = startHub(t, data, "PRL_ADMINS=ada prof")
	if h.ProcessState == nil || !strings.Contains(h.log.text(), "somebody has signed up under that name") {
		t.Errorf("with a name that was taken: %s", h.log.text())
	}
}

// TestKubernetes reads the values for Zero to JupyterHub and what is made beside them. A cluster is not there to try them.
func TestKubernetes(t *testing.T) {
	dir := hub(t)
	out, err := command("hub", filepath.Join(dir, "python", "bin", "python"), filepath.Join("..", "testdata", "kubernetes.py"), "values.yaml",
		"kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var facts struct {
		Unknown, Named, Made, Kinds, Admins, Roster []string
		Authenticator                               string
		Open, Pulled, Culled                        bool
		Limit                                       int
		Egress                                      map[string]bool
	}
	if err := json.Unmarshal([]byte(out), &facts); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for what, well := range map[string]bool{
		"names only settings that exist":            len(facts.Unknown) == 0,
		"each claim of a lab is made":               len(facts.Named) > 0 && slices.Equal(facts.Named, facts.Made),
		"quotas":                                    slices.Contains(facts.Kinds, "ResourceQuota") && slices.Contains(facts.Kinds, "LimitRange"),
		"nobody is an administrator by signing up":  facts.Authenticator != "native" && len(facts.Admins) > 0,
		"a roster, and nobody else":                 len(facts.Roster) > 0 && !facts.Open,
		"no way out of a lab":                       facts.Egress["nonPrivateIPs"] == false && len(facts.Egress) > 0,
		"images are there before a student waits":   facts.Pulled,
		"idle labs are stopped, and labs are bound": facts.Culled && facts.Limit > 0,
	} {
		if !well {
			t.Errorf("docker/hub/values.yaml lacks: %s\n%s", what, out)
		}
	}
}
