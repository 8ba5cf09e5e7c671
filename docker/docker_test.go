//go:build image && linux

package docker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	server   = "http://127.0.0.1:8888/"
	maxSize  = 1.6e9           // bytes of the default target, unpacked
	maxFirst = 3 * time.Second // first chart cell of a fresh kernel
	maxWarm  = 800 * time.Millisecond
)

func TestImageBuilds(t *testing.T) {
	began := time.Now()
	i := built(t, labOnce)
	t.Logf("target lab built in %s, by buildah %s, on a STAND-IN base: debian:trixie-slim from debootstrap, golang from this machine's Go",
		time.Since(began).Round(time.Second), word(buildah("--version"))(2))
	if i.config.User != "1000:1000" {
		t.Errorf("the image runs as %q, want 1000:1000", i.config.User)
	}
	if i.config.Healthcheck == nil || !slices.Equal(i.config.Healthcheck.Test, []string{"CMD", "lab-health"}) {
		t.Errorf("health check: %+v", i.config.Healthcheck)
	}
	for _, entry := range i.config.Env {
		if regexp.MustCompile(`(?i)token|secret|passw|credential|api_?key`).MatchString(entry) {
			t.Errorf("the image's environment holds %s", entry)
		}
	}
	if strings.Contains(i.raw, canary) {
		t.Errorf("the image's history or configuration holds what stood in the builder's environment")
	}
	if found, _ := command(i.root, "grep", "-rlF", canary, "."); found != "" {
		t.Errorf("files that the build should not see, or variables, came into the image:\n%s", found)
	}
	for what, args := range map[string][]string{
		"lend rights": {"-perm", "/6000", "-type", "f"},
		"are not readable by every user": {
			"(", "-path", "./lab*", "-o", "-path", "./usr/local/*", ")", "-not", "-type", "l", "-not",
			"-perm", "-004",
		},
		"do not belong to root": {"(", "-path", "./lab*", "-o", "-path", "./usr/*", ")", "-not", "-uid", "0"},
		"can be changed by every user": {
			"-perm", "/022", "-not", "-type", "l", "-not", "-perm", "-1000", "(", "-path", "./lab*", "-o",
			"-path", "./usr/*", ")", "-not", "-gid", "50",
		},
		"let a user take over another's part": {"-name", "sudo*", "-type", "f", "-path", "./usr/bin/*"},
		"are somebody's secrets": {
			"(", "-name", ".netrc", "-o", "-name", ".npmrc", "-o", "-name", "id_rsa", "-o", "-name", ".env*",
			"-o", "-name", ".git-credentials", ")",
		},
	} {
		found, err := command(i.root, "find", append([]string{".", "-xdev"}, args...)...)
		if err != nil || found != "" {
			t.Errorf("files that %s: %s %v", what, found[:min(len(found), 2000)], err)
		}
	}
}

// word picks a word of what a command printed.
func word(text string, err error) func(int) string {
	return func(n int) string {
		if fields := strings.Fields(text); err == nil && n < len(fields) {
			return fields[n]
		}
		return "?"
	}
}

// TestImageSize prints a table of what takes the space.
func TestImageSize(t *testing.T) {
	i := built(t, labOnce)
	size := func(root string, paths ...string) float64 {
		t.Helper()
		total := 0.0
		for _, path := range paths {
			said, err := command(root, "du", "-skx", path)
			if err != nil {
				t.Fatal(err)
			}
			var k float64
			fmt.Sscan(said, &k)
			total += k * 1024
		}
		return total
	}
	total := size(i.root, ".")
	var table strings.Builder
	row := func(what string, bytes float64) { fmt.Fprintf(&table, "  %-62s %5.0f MB\n", what, bytes/1e6) }
	rest := total
	part := func(what string, paths ...string) {
		bytes := size(i.root, paths...)
		rest -= bytes
		row(what, bytes)
	}
	part("build cache, warm", "usr/local/lib/prl/build")
	part("Go", "usr/local/go")
	hub := []string{"lab/.prl/python/share/jupyterhub"}
	for _, name := range []string{"jupyterhub", "sqlalchemy", "cryptography", "pydantic", "pydantic_core", "alembic"} {
		hub = append(hub, "lab/.prl/python/lib/python3.13/site-packages/"+name)
	}
	all := size(i.root, "lab/.prl/python")
	forHub := size(i.root, hub...)
	row("JupyterLab and its Python packages", all-forHub)
	row("jupyterhub-singleuser", forHub)
	rest -= all
	part("Go modules", "usr/local/lib/prl/mod")
	part("GoNB, goimports, launcher", "lab/.prl/bin", "usr/local/bin")
	part("the lab's sources and notebooks", "lab/prl", "lab/plotting", "lab/datasets", "lab/docker", "usr/local/share/prl")
	row("Debian with Python 3", rest)
	row("target lab, all", total)
	if total > maxSize {
		t.Errorf("the target lab takes %.2f GB, want at most %.1f", total/1e9, maxSize/1e9)
	}
	f := built(t, fullOnce)
	row("target full, all", size(f.root, "."))
	t.Logf("what takes the space, unpacked:\n%s", table.String())
}

// visit runs testdata/visit.py in the container and returns its facts.
func visit(t *testing.T, c *container, facts any, what, address, token string, more ...string) {
	t.Helper()
	said, err := c.exec(10*time.Minute, append([]string{"/lab/.prl/python/bin/python", "/mnt/visit.py", what, address, token}, more...)...)
	if err != nil {
		t.Fatalf("visit %s: %v\n%s\nThe lab printed:\n%s", what, err, said, c.log.text())
	}
	if err := json.Unmarshal([]byte(said[strings.LastIndex(said, "\n")+1:]), facts); err != nil {
		t.Fatalf("visit %s: %v\n%s", what, err, said)
	}
}

// token takes the token from the one address that the lab prints.
func (c *container) token(t *testing.T) string {
	t.Helper()
	found := regexp.MustCompile(`http://\S+`).FindAllString(c.log.text(), -1)
	if len(found) != 1 {
		t.Fatalf("the lab prints %d addresses, want 1:\n%s", len(found), c.log.text())
	}
	address, err := url.Parse(found[0])
	if err != nil || address.Host != "127.0.0.1:8888" || address.Path != "/lab" || len(address.Query().Get("token")) < 32 {
		t.Fatalf("the address is %s", found[0])
	}
	return address.Query().Get("token")
}

// ran is a cell that testdata/visit.py has run.
type ran struct {
	Status, Text, Error string
	Displays, HTML      int
	Code                int
	Seconds             float64
}

// TestLab starts the lab as compose.yaml does, as an odd user of group 0 with an empty home, without a network.
func TestLab(t *testing.T) {
	c := newContainer(t, built(t, labOnce))
	began := time.Now()
	c.start(t)
	c.healthy(t, 2*time.Minute)
	t.Logf("from start to healthy, with an empty volume: %.1f s", time.Since(began).Seconds())
	token := c.token(t)

	t.Run("access", func(t *testing.T) { testAccess(t, c, token) })
	t.Run("rights", func(t *testing.T) { testRights(t, c, token) })
	t.Run("kernel", func(t *testing.T) { testKernel(t, c, token) })
	t.Run("trust", func(t *testing.T) {
		var facts struct {
			Put      int
			Foreign  []bool
			Original []bool `json:"01-bayes-decision"`
		}
		visit(t, c, &facts, "trust", server, token)
		if facts.Put != 201 || !slices.Equal(facts.Foreign, []bool{false}) || len(facts.Original) == 0 || slices.Contains(facts.Original, false) {
			t.Errorf("the chapters of the image are trusted, and notebooks from elsewhere only when a person trusts them: %+v", facts)
		}
	})
	t.Run("student", func(t *testing.T) { testStudent(t, c, token) })
}

func testAccess(t *testing.T, c *container, token string) {
	var facts struct {
		Stranger, Wrong, Owner map[string]int
		Link, WrongLink        int
		Page                   bool
		Socket                 int
		Listing                []string
	}
	visit(t, c, &facts, "access", server, token)
	for path, status := range facts.Owner {
		if status != 200 {
			t.Errorf("%s with the token: status %d", path, status)
		}
	}
	for who, answers := range map[string]map[string]int{"a stranger": facts.Stranger, "a wrong token": facts.Wrong} {
		if len(answers) != len(facts.Owner) {
			t.Errorf("%s asked for %d paths", who, len(answers))
		}
		for path, status := range answers {
			if status != 302 && status != 401 && status != 403 {
				t.Errorf("%s at %s: status %d", who, path, status)
			}
		}
	}
	if facts.Link != 200 || !facts.Page || facts.WrongLink == 200 || facts.Socket != 403 {
		t.Errorf(
			"the printed address: %d, JupyterLab %t; with a wrong token %d; a web socket of a stranger %d",
			facts.Link,
			facts.Page,
			facts.WrongLink,
			facts.Socket,
		)
	}
	if !slices.Contains(facts.Listing, "01-bayes-decision.ipynb") || slices.Contains(facts.Listing, "items.json") {
		t.Errorf("the file browser shows %v", facts.Listing)
	}
}

// testRights looks at the processes from inside and outside.
func testRights(t *testing.T, c *container, token string) {
	if found := mentions(c.uid, token); len(found) > 0 {
		t.Errorf("the token can be read in %s", found)
	}
	said, err := c.exec(
		time.Minute,
		"sh",
		"-c",
		`id -u; id -g; grep -c . /proc/net/dev; for at in / /lab /lab/.prl /usr/local /root /home; do touch $at/probe 2>/dev/null && echo `+
			`wrote $at; done; true`,
	)
	if err != nil || said != "12345\n0\n3" {
		t.Errorf("user, group, lines of /proc/net/dev, places that can be written: %q, %v", said, err)
	}
}

func testKernel(t *testing.T, c *container, token string) {
	type facts struct {
		Ready, Warm, Slowest, Completion float64
		First                            ran
		Charts                           []int
		Environment, Status              string
		Matches                          []string
		Interrupt                        ran
		AfterInterrupt                   ran `json:"after interrupt"`
		Restart                          int
		AfterRestart                     ran `json:"after restart"`
		Forgotten                        ran
	}
	var f facts
	// Others may use the machine, so a slow visit is repeated; the quickest of three counts, and all are told.
	for range 3 {
		f = facts{}
		visit(t, c, &f, "kernel", server, token)
		t.Logf("kernel ready in %.2f s, first chart cell %.2f s, warm chart cell %.2f s (median of 9, slowest %.2f s), completion %.2f s",
			f.Ready, f.First.Seconds, f.Warm, f.Slowest, f.Completion)
		if seconds(f.First.Seconds) <= maxFirst && seconds(f.Warm) <= maxWarm {
			break
		}
	}
	if seconds(f.First.Seconds) > maxFirst || seconds(f.Warm) > maxWarm {
		t.Errorf("the first chart cell takes %.2f s, a warm one %.2f s; want at most %s and %s", f.First.Seconds, f.Warm, maxFirst, maxWarm)
	}
	if f.First.Displays == 0 || f.First.HTML < 1000 || slices.Contains(f.Charts, 0) {
		t.Errorf("charts shown: %+v, then %v", f.First, f.Charts)
	}
	if strings.Contains(f.Environment, token) || strings.Contains(f.Environment, "JUPYTER_TOKEN") {
		t.Error("a cell inherits the token")
	}
	for _, want := range []string{
		"NoNewPrivs:\t1", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000",
		"Uid:\t12345\t12345\t12345\t12345",
	} {
		if !strings.Contains(f.Status, want) {
			t.Errorf("a cell runs without %q:\n%s", want, f.Status)
		}
	}
	if !slices.ContainsFunc(f.Matches, func(match string) bool { return strings.Contains(match, "Fields") }) {
		t.Errorf("completion of strings.Fiel: %v", f.Matches)
	}
	if f.Interrupt.Code != 204 || f.Interrupt.Status != "error" || f.Interrupt.Seconds > 15 || f.AfterInterrupt.Text != "alive\n" {
		t.Errorf("an endless cell, interrupted: %+v, then %+v", f.Interrupt, f.AfterInterrupt)
	}
	if f.Restart != 200 || f.AfterRestart.Text != "alive again\n" || f.Forgotten.Status != "error" {
		t.Errorf("restart: %d, then %+v, %+v", f.Restart, f.AfterRestart, f.Forgotten)
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// executed are the facts of a notebook that testdata/visit.py has run.
type executed struct {
	Ready, Slowest, Seconds float64
	Cells                   int
	Failures                []string
}

// testStudent measures what one person costs who runs notebook 01 in the browser.
func testStudent(t *testing.T, c *container, token string) {
	idle, _, _ := usage(c.uid)
	_, _, before := usage(c.uid)
	watch, parts := watchUsers(c.uid)
	var f executed
	visit(t, c, &f, "notebook", server, token, "01-bayes-decision.ipynb", "keep")
	peak := watch()
	after, _, cpu := usage(c.uid)
	if len(f.Failures) > 0 || f.Cells < 40 {
		t.Errorf("notebook 01: %d cells run, failures: %v", f.Cells, f.Failures)
	}
	kept, err := command(c.home, "du", "-skx", ".")
	if err != nil {
		t.Fatal(err)
	}
	var k float64
	fmt.Sscan(kept, &k)
	t.Logf("notebook 01 in the browser: %d cells in %.1f s, slowest %.2f s", f.Cells, f.Seconds, f.Slowest)
	t.Logf(
		"one student (PSS): server alone %.0f MB, with an open notebook %.0f MB, peak while it runs %.0f MB; %.1f s of one core for %d "+
			"cells; %.0f MB in the home folder. Of the peak, MB:%s",
		idle/1e6,
		after/1e6,
		peak[c.uid]/1e6,
		(cpu - before).Seconds(),
		f.Cells,
		k*1024/1e6,
		parts(),
	)
}

// TestHealth makes the lab ill in every way the check is to find.
func TestHealth(t *testing.T) {
	i := built(t, labOnce)
	fails := func(t *testing.T, c *container, want string) {
		t.Helper()
		if said, err := c.exec(30*time.Second, "lab-health"); err == nil || !strings.Contains(said, want) {
			t.Errorf("the health check says %q, %v; want a failure with %q", said, err, want)
		}
	}
	well := func(t *testing.T, c *container) {
		t.Helper()
		if said, err := c.exec(30*time.Second, "lab-health"); err != nil || said != "" {
			t.Errorf("the health check of a lab that is well: %q, %v", said, err)
		}
	}
	rooted := func(t *testing.T, c *container, script string) {
		t.Helper()
		if said, err := c.rooted(script); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, said)
		}
	}

	signal := func(t *testing.T, c *container, s syscall.Signal) {
		t.Helper()
		found := false
		for _, dir := range processes(c.uid) {
			if line, _ := os.ReadFile(dir + "/cmdline"); bytes.Contains(line, []byte("bin/jupyter-lab\x00")) {
				pid, _ := strconv.Atoi(filepath.Base(dir))
				found = syscall.Kill(pid, s) == nil || found
			}
		}
		if !found {
			t.Fatal("no server is found among the processes")
		}
	}

	t.Run("kernel", func(t *testing.T) {
		c := newContainer(t, i)
		c.env = []string{"JUPYTER_TOKEN=a-token-of-my-own-0123456789"}
		c.start(t)
		c.healthy(t, 2*time.Minute)
		if said := c.log.text(); strings.Contains(said, "a-token-of-my-own") ||
			!strings.Contains(said, "http://127.0.0.1:8888/lab  and asks for the token you gave") {
			t.Errorf("with a token given the lab prints %q", said)
		}
		if found := mentions(c.uid, "a-token-of-my-own"); len(found) > 0 {
			t.Errorf("the token given can be read in %s", found)
		}
		kernels := "lab/.prl/python/share/jupyter/kernels usr/local/share/jupyter/kernels"
		rooted(t, c, "for at in "+kernels+"; do mount -t tmpfs tmpfs $at; done")
		fails(t, c, "the kernel gonb is not registered")
		rooted(t, c, "umount "+kernels)
		well(t, c)
		rooted(t, c, "mount -t tmpfs tmpfs lab/.prl/bin")
		fails(t, c, "prl-kernel is missing")
		rooted(t, c, "umount lab/.prl/bin")
		well(t, c)
		signal(t, c, syscall.SIGSTOP)
		fails(t, c, "timed out")
		signal(t, c, syscall.SIGCONT)
		well(t, c)
	})
	t.Run("server", func(t *testing.T) {
		c := newContainer(t, i)
		c.start(t, "sh", "-c", "sleep 3; jupyter-lab & sleep 600")
		c.eventually(t, time.Minute, "no server runs")
		c.healthy(t, 2*time.Minute)
		signal(t, c, syscall.SIGKILL)
		fails(t, c, "refused")
	})
	// The settings of the server are overruled here, as a person might who does not know better.
	for name, args := range map[string][]string{
		"the server answers without a token": {"--IdentityProvider.token="},
		"the server has no token": {
			"--IdentityProvider.token=", "--PasswordIdentityProvider.hashed_password=sha1:1234:" + strings.Repeat("0", 40),
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newContainer(t, i)
			c.start(t, append([]string{"jupyter-lab"}, args...)...)
			c.eventually(t, 2*time.Minute, name)
		})
	}
}

// TestVolume starts on a fresh volume, then again and again after a person has worked on it.
func TestVolume(t *testing.T) {
	i := built(t, labOnce)
	c := newContainer(t, i)
	run := func(args ...string) string {
		t.Helper()
		again := &container{image: i, uid: c.uid, gid: c.gid, notebooks: c.notebooks, home: c.home, caps: c.caps}
		again.start(t, args...)
		said, err := again.wait(t, time.Minute)
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, said)
		}
		return said
	}
	at := func(name string) string { return filepath.Join(c.notebooks, name) }
	run("true")
	if said, err := command("", "diff", "-r", "--exclude=.seeded", "--exclude=.chapters",
		filepath.Join(i.root, "usr/local/share/prl/notebooks"),
		c.notebooks); err != nil {
		t.Errorf("the first start does not bring the notebooks: %s %v", said, err)
	}
	if err := os.WriteFile(at("02-bayes-risk.ipynb"), []byte("mine"), 0o664); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(at("01-bayes-decision.ipynb")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(at("handouts")); err != nil {
		t.Fatal(err)
	}
	run("true")
	if text, err := os.ReadFile(at("02-bayes-risk.ipynb")); string(text) != "mine" {
		t.Errorf("a changed notebook was overwritten: %v", err)
	}
	for _, name := range []string{"01-bayes-decision.ipynb", "handouts"} {
		if _, err := os.Stat(at(name)); err == nil {
			t.Errorf("%s came back although it was thrown away", name)
		}
	}

	// A start that was interrupted goes on, and still overwrites nothing.
	os.Remove(at(".seeded"))
	run("true")
	if text, _ := os.ReadFile(at("02-bayes-risk.ipynb")); string(text) != "mine" {
		t.Error("a volume that was not empty was overwritten")
	}
	if _, err := os.Stat(at("01-bayes-decision.ipynb")); err != nil {
		t.Error("a start after an interrupted one does not go on")
	}

	// An image with a correction: the file says that another version was brought last, and a copy is as that version had it.
	chapter := at("03-roc-and-pr.ipynb")
	for _, name := range []string{chapter, at(".chapters/03-roc-and-pr.ipynb")} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, bytes.Replace(text, []byte(`"# `), []byte(`"# Old: `), 1), 0o664); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(at(".seeded"), []byte("another version\n"), 0o664); err != nil {
		t.Fatal(err)
	}
	if said := run("true"); !strings.Contains(said, "New versions: 03-roc-and-pr.") {
		t.Errorf("the start does not tell of a correction: %q", said)
	}
	if text, err := os.ReadFile(chapter); err != nil || bytes.Contains(text, []byte("# Old: ")) {
		t.Errorf("the correction does not come: %v", err)
	}
	if text, _ := os.ReadFile(at("02-bayes-risk.ipynb")); string(text) != "mine" {
		t.Error("a notebook of the person's own was overwritten by a correction")
	}
	if err := os.WriteFile(chapter, []byte("spoilt"), 0o664); err != nil {
		t.Fatal(err)
	}
	run("lab-notebooks", "reset", "03")
	if text, _ := os.ReadFile(chapter); !bytes.Contains(text, []byte(`"cells"`)) {
		t.Error("a chapter does not begin again")
	}

	// Another user id of group 0 may change what is there; the server starts on the old home all the same.
	c.uid = 23456
	run("sh", "-c", "echo changed >> 02-bayes-risk.ipynb")
	c.start(t)
	c.healthy(t, 2*time.Minute)
	if said := c.log.text(); strings.Contains(said, "belong to another user") {
		t.Errorf("in group 0: %s", said)
	}
	c.stop()

	// One of another group is told what to do, and the remedy works.
	c.uid, c.gid = 1000, 1000
	c = &container{image: i, uid: 1000, gid: 1000, notebooks: c.notebooks, home: c.home, caps: c.caps}
	c.start(t)
	c.healthy(t, 2*time.Minute)
	remedy := regexp.MustCompile(`--user 0 --cap-add CHOWN lab (chown -R 1000:1000 /lab/notebooks)\n`).FindStringSubmatch(c.log.text())
	if remedy == nil {
		t.Fatalf("a user who cannot save is not told so:\n%s", c.log.text())
	}
	c.stop()
	c.uid, c.gid, c.caps = 0, 0, "-all,+chown"
	run(strings.Fields(remedy[1])...)
	c.uid, c.gid, c.caps = 1000, 1000, "-all"
	run("sh", "-c", "for name in *.ipynb; do test -w $name || exit 1; done; echo more >> 02-bayes-risk.ipynb")
}

// TestStartsAtOnce runs several entry points at once on new volumes, as a container and a health check or an exec do: none trips over
// another, and the notebooks are whole. Each of eight delays comes four times, with a hundred files or so each.
func TestStartsAtOnce(t *testing.T) {
	c := newContainer(t, built(t, labOnce))
	c.start(t, "sleep", "1200")
	said, err := c.exec(15*time.Minute, "sh", "-c", `
		until [ -s /lab/notebooks/.seeded ]; do sleep 0.05; done # the container's own start, which ends by writing it, is not to be robbed
		round=0
		while [ $round -lt 32 ]; do
			round=$((round + 1))
			find /lab/notebooks /home/prl -mindepth 1 -delete
			starts=
			for one in 1 2 3; do
				sleep 0.0$((round % 8)) # the later ones meet the first at its work
				lab-entrypoint true &
				starts="$starts $!"
			done
			for start in $starts; do
				wait $start || { echo "a start failed in round $round"; exit 1; }
			done
			diff -r --exclude=.seeded --exclude=.chapters /usr/local/share/prl/notebooks /lab/notebooks || exit 1
		done`)
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestRefusals starts the image in places where it cannot work; each is named.
func TestRefusals(t *testing.T) {
	i := built(t, labOnce)
	for want, spoil := range map[string]func(c *container){
		"cannot write in /home/prl":      func(c *container) { os.Chmod(c.home, 0o755) },
		"cannot write in /lab/notebooks": func(c *container) { os.Chmod(c.notebooks, 0o755) },
	} {
		c := newContainer(t, i)
		spoil(c)
		c.start(t)
		if said, err := c.wait(t, time.Minute); err == nil || !strings.Contains(said, want) {
			t.Errorf("want %q, got %q, %v", want, said, err)
		}
	}
}

// TestPlantedHome has a home that another user has put on the volume, whose settings would run as the user who comes, and homes that others
// may write in; then a user's own, which serves.
func TestPlantedHome(t *testing.T) {
	i := built(t, labOnce)
	const uid = 12345
	own := func(uid int, mode os.FileMode) func(at string) error {
		return func(at string) error {
			return errors.Join(os.Mkdir(at, 0o700), os.Chmod(at, mode), os.Lchown(at, uid, 0))
		}
	}
	for name, c := range map[string]struct {
		plant func(at string) error
		well  bool
	}{
		"another's":         {own(uid+1, 0o755), false},
		"another's, open":   {own(uid+1, 0o777), false},
		"open to the group": {own(uid, 0o770), false},
		"open to all":       {own(uid, 0o707), false},
		"a link":            {func(at string) error { return errors.Join(os.Symlink("/tmp", at), os.Lchown(at, uid, 0)) }, false},
		"a file":            {func(at string) error { return errors.Join(os.WriteFile(at, nil, 0o600), os.Lchown(at, uid, 0)) }, false},
		"its own":           {own(uid, 0o700), true},
		"readable":          {own(uid, 0o755), true},
		"none":              {func(string) error { return nil }, true},
	} {
		t.Run(name, func(t *testing.T) {
			box := newContainer(t, i)
			if err := c.plant(filepath.Join(box.home, strconv.Itoa(uid))); err != nil {
				t.Fatal(err)
			}
			box.start(t, "sh", "-c", "echo started in $HOME")
			said, err := box.wait(t, time.Minute)
			if c.well && (err != nil || !strings.Contains(said, "started in /home/prl/12345")) ||
				!c.well && (err == nil || !strings.Contains(said, "is not the home of user 12345:0 alone")) {
				t.Errorf("want it to start: %v, got %q, %v", c.well, said, err)
			}
		})
	}
}

// TestVerbs calls the command inside.
func TestVerbs(t *testing.T) {
	c := newContainer(t, built(t, labOnce))
	c.start(t, "sleep", "3600")
	for _, verb := range []struct {
		args string
		want string
	}{
		{"doctor", "The lab is ready."},
		{"run --check 01", "1 notebook: 1 passed, 0 failed"},
		{"run 02", "1 notebook: 1 passed, 0 failed"},
		{"handouts 01 --html -o /lab/notebooks/handed-out", ""},
		{"kernel --help", "install"},
	} {
		began := time.Now()
		said, err := c.exec(10*time.Minute, append([]string{"lab-entrypoint", "go", "tool", "prl"}, strings.Fields(verb.args)...)...)
		if err != nil || !strings.Contains(said, verb.want) {
			t.Errorf("go tool prl %s: %v\n%s", verb.args, err, said)
		}
		t.Logf("go tool prl %s: %.1f s", verb.args, time.Since(began).Seconds())
	}
	pages, _ := filepath.Glob(filepath.Join(c.notebooks, "handed-out", "*.html"))
	if len(pages) == 0 {
		t.Error("no handout was made")
	}

	lab := newContainer(t, c.image)
	lab.start(t, "go", "tool", "prl", "lab", "--no-browser", "--port", "8899")
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(lab.log.text(),
		":8899/lab/tree/00-start.ipynb?token="); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("go tool prl lab: %s", lab.log.text())
		}
	}
}

// TestPDF prints a handout in the target full, with the rights of a container.
func TestPDF(t *testing.T) {
	began := time.Now()
	i := built(t, fullOnce)
	t.Logf("target full built on the target lab in %s", time.Since(began).Round(time.Second))
	if found, err := command(i.root, "find", ".", "-xdev", "-type", "f", "-perm", "/6000"); err != nil || found != "" {
		t.Errorf("files that lend rights: %s %v", found, err)
	}
	c := newContainer(t, i)
	c.start(t, "sleep", "3600")
	if said, err := c.exec(time.Minute, "lab-entrypoint", "go", "tool", "prl", "doctor"); err != nil ||
		strings.Contains(said, "Chromium               not") ||
		!strings.Contains(said, "Liberation") {
		t.Errorf("doctor: %v\n%s", err, said)
	}
	began = time.Now()
	said, err := c.exec(
		10*time.Minute,
		"lab-entrypoint",
		"go",
		"tool",
		"prl",
		"handouts",
		"02",
		"--html",
		"--pdf",
		"-o",
		"/lab/notebooks/handed-out",
	)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	files, _ := filepath.Glob(filepath.Join(c.notebooks, "handed-out", "*.pdf"))
	if len(files) != 1 {
		t.Fatalf("PDF files made: %v\n%s", files, said)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || !bytes.HasPrefix(data, []byte("%PDF-")) {
		t.Errorf("%s is no PDF: %v", files[0], err)
	}
	text, err := c.exec(time.Minute, "pdftotext", "/lab/notebooks/handed-out/"+filepath.Base(files[0]), "-")
	if err != nil || !strings.Contains(text, "Bayes risk") {
		t.Errorf("the PDF holds %q, %v", text[:min(len(text), 300)], err)
	}
	fonts, err := c.exec(time.Minute, "pdffonts", "/lab/notebooks/handed-out/"+filepath.Base(files[0]))
	if err != nil || !strings.Contains(fonts, "Liberation") {
		t.Errorf("fonts in the PDF: %v\n%s", err, fonts)
	}
	t.Logf("handout of notebook 02 as HTML and PDF: %.1f s, %.1f MB", time.Since(began).Seconds(), float64(len(data))/1e6)
}

// TestCompose reads compose.yaml and the values for Kubernetes with the image's Python and looks for what keeps a lab apart.
func TestCompose(t *testing.T) {
	c := newContainer(t, built(t, labOnce))
	c.start(t, "sleep", "600")
	read := func(name string, into any) {
		t.Helper()
		said, err := c.exec(
			time.Minute,
			"/lab/.prl/python/bin/python",
			"-c",
			"import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))",
			"/lab/docker/"+name,
		)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, said)
		}
		plain := regexp.MustCompile(`\$\{[A-Z_]+:-([^}]*)\}`).ReplaceAllString(said, "$1")
		if err := json.Unmarshal([]byte(plain), into); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, plain)
		}
	}
	var file struct {
		Services map[string]struct {
			Build                            struct{ Context, Dockerfile, Target string }
			User                             string
			Ports, Volumes, Tmpfs            []string
			CapDrop                          []string `json:"cap_drop"`
			SecurityOpt                      []string `json:"security_opt"`
			ReadOnly                         bool     `json:"read_only"`
			Privileged                       bool
			Memory                           string `json:"mem_limit"`
			CPUs                             any
			CapAdd                           []string `json:"cap_add"`
			NetworkMode, Pid, Ipc, UsernsMod string
		}
		Volumes map[string]any
	}
	read("compose.yaml", &file)
	lab, found := file.Services["lab"]
	if !found || len(file.Services) != 1 {
		t.Fatalf("services: %v", file.Services)
	}
	for what, well := range map[string]bool{
		"listens on this machine only": slices.Equal(lab.Ports, []string{"127.0.0.1:8888:8888"}),
		"no capability":                slices.Equal(lab.CapDrop, []string{"ALL"}) && len(lab.CapAdd) == 0 && !lab.Privileged,
		"no new privileges":            slices.Equal(lab.SecurityOpt, []string{"no-new-privileges:true"}),
		"read-only files":              lab.ReadOnly,
		"no root":                      lab.User == "1000:1000",
		"memory and processor limits":  lab.Memory != "" && lab.CPUs != nil,
		"own namespaces":               lab.NetworkMode == "" && lab.Pid == "" && lab.Ipc == "",
		"named volumes": slices.Equal(lab.Volumes, []string{"notebooks:/lab/notebooks", "home:/home/prl"}) &&
			len(file.Volumes) == 2,
		"programs in /tmp may run":      len(lab.Tmpfs) == 1 && strings.HasPrefix(lab.Tmpfs[0], "/tmp:exec,mode=1777"),
		"built from the lab's own file": lab.Build.Dockerfile == "docker/Dockerfile" && lab.Build.Context == ".." && lab.Build.Target == "lab",
	} {
		if !well {
			t.Errorf("compose.yaml lacks: %s\n%+v", what, lab)
		}
	}
}
