//go:build image && linux

package docker

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// These tests build the image for real and run it for real, without a Docker daemon: buildah builds it by changing roots, on a stand-in for
// the two base images that debootstrap and the machine's own Go make under the names the Dockerfile uses. They need root and some minutes,
// and so stand behind the build tag image, which go tool prl test --all sets.

var (
	keep = flag.String("images", "", "keep the images in this folder and take those that are there, instead of building again")
	arch = flag.String("arch", runtime.GOARCH, "the processor of the images; one that is not this machine's is emulated, which takes hours")
)

const (
	labName  = "localhost/prlab:lab"
	fullName = "localhost/prlab:full"
	canary   = "canary-" + "7c1f0e9b5d2a" // stands wherever a build might pick up a secret; in two parts, since this file is in the image
)

// The names of the bases are those in the Dockerfile.
var (
	debianName = base("DEBIAN_IMAGE")
	goName     = base("GO_IMAGE")
	scratch    string
)

func base(argument string) string {
	text, _ := os.ReadFile("Dockerfile")
	found := regexp.MustCompile(`(?m)^ARG ` + argument + `=(\S+)$`).FindSubmatch(text)
	if found == nil {
		return ""
	}
	return "docker.io/library/" + string(found[1])
}

func TestMain(m *testing.M) {
	flag.Parse()
	status := 1
	defer func() { os.Exit(status) }()
	if *keep != "" {
		scratch = *keep
		if err := os.MkdirAll(scratch, 0o755); err != nil {
			fmt.Println(err)
			return
		}
	} else {
		dir, err := os.MkdirTemp("", "prl-image-")
		if err != nil {
			fmt.Println(err)
			return
		}
		scratch = dir
		defer os.RemoveAll(dir)
	}
	os.Chmod(scratch, 0o755)
	status = m.Run()
}

// needs ends the test where the machine cannot build images: with a skip for a person, with a failure for CI.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	lack := ""
	if os.Geteuid() != 0 {
		lack = "root"
	}
	without(t, "building the image", lack)
	emulated(t)
	has(t, append([]string{"buildah", "debootstrap", "unshare", "nsenter", "ip", "setpriv"}, programs...)...)
}

// emulated ends the test in the same way where the machine does not run programs of the images' processor.
func emulated(t *testing.T) {
	t.Helper()
	if *arch == runtime.GOARCH {
		return
	}
	dir := t.TempDir()
	program, source := filepath.Join(dir, "hello"), filepath.Join(dir, "hello.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := command(dir, "env", "GOARCH="+*arch, "CGO_ENABLED=0", "go", "build", "-o", program, source); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(program).Run(); err != nil {
		without(t, "an image for "+*arch, "qemu-user-static, with the processor registered in /proc/sys/fs/binfmt_misc")
	}
}

// has ends the test in the same way where a program is missing.
func has(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			without(t, "this test", name)
		}
	}
}

func without(t *testing.T, what, lack string) {
	t.Helper()
	switch {
	case lack == "":
	case os.Getenv("CI") != "":
		t.Fatalf("%s needs %s, which is missing; .ci/run installs the programs", what, lack)
	default:
		t.Skipf("skipped: %s needs %s, which is missing", what, lack)
	}
}

// command runs a program and returns what it printed; its end is told if it fails.
func command(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	var all lines
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, &all), &all
	if err := cmd.Run(); err != nil {
		text := all.text()
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, text[max(0, len(text)-4000):])
	}
	return strings.TrimSpace(out.String()), nil
}

func buildah(args ...string) (string, error) {
	return command("", "buildah", append([]string{
		"--root", filepath.Join(scratch, "storage"), "--runroot", filepath.Join(scratch, "run"), "--storage-driver", "vfs",
	}, args...)...)
}

func exists(name string) bool {
	_, err := buildah("inspect", "--type", "image", name)
	return err == nil
}

// importFolder makes an image of one folder.
func importFolder(name, folder, at string) error {
	container, err := buildah("from", "--arch", *arch, "scratch")
	if err != nil {
		return err
	}
	if _, err := buildah("add", "-q", container, folder, at); err != nil {
		return err
	}
	_, err = buildah("commit", "-q", "--rm", container, name)
	return err
}

// bases makes the stand-ins. How this machine reaches its package registries (certificates, mirrors, proxies) goes into them and so stays
// out of the project.
func bases() error {
	if exists(debianName) && exists(goName) {
		return nil
	}
	root := filepath.Join(scratch, "debian")
	if err := os.RemoveAll(root); err != nil {
		return err
	}
	args := []string{"--variant=minbase", "--arch=" + *arch, "trixie", root}
	if uri, err := command("", "apt-get", "indextargets", "--format", "$(REPO_URI)", "Label: Debian", "Component: main",
		"Created-By: Packages"); err == nil && uri != "" {
		args = append(args, strings.Fields(uri)[0])
	}
	if _, err := command("", "debootstrap", args...); err != nil {
		return err
	}
	put := func(name, text string) error {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(text), 0o644)
	}
	certificates, _ := filepath.Glob("/usr/local/share/ca-certificates/*.crt")
	for _, path := range certificates {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := put(path, string(text)); err != nil {
			return err
		}
	}
	acquire, err := command("", "sh", "-c", `apt-config dump | grep -i '^Acquire::https\?::.*[Pp]roxy' || true`)
	if err != nil {
		return err
	}
	if err := put("etc/apt/apt.conf.d/99machine", acquire+"\n"); err != nil {
		return err
	}
	pip := "[global]\ntimeout = 180\n"
	for variable, name := range map[string]string{"PIP_INDEX_URL": "index-url", "PIP_TRUSTED_HOST": "trusted-host", "PIP_PROXY": "proxy"} {
		if value := os.Getenv(variable); value != "" {
			pip += name + " = " + value + "\n"
		}
	}
	if err := put("etc/pip.conf", pip); err != nil {
		return err
	}
	if _, err := command("", "sh", "-c", "rm -rf "+root+"/var/cache/apt/archives/*.deb "+root+"/var/lib/apt/lists/*"); err != nil {
		return err
	}
	if err := importFolder(debianName, root, "/"); err != nil {
		return err
	}
	if err := os.RemoveAll(root); err != nil {
		return err
	}

	golang := filepath.Join(scratch, "go")
	tree, err := goTree()
	if err != nil {
		return err
	}
	if _, err := command("", "cp", "-a", tree, golang); err != nil {
		return err
	}
	// A module's files cannot be changed or executed; the Go command gives leave itself when it takes a toolchain into use.
	if _, err := command(golang, "sh", "-c", "chmod -R u+w,a+rX . && chmod -R a+x bin pkg/tool"); err != nil {
		return err
	}
	changed, err := command("", "sh", "-c", "go env -changed GOPROXY GOSUMDB GONOSUMDB GONOPROXY GOPRIVATE | grep = || true")
	if err != nil {
		return err
	}
	env := ""
	for line := range strings.Lines(changed) {
		env += strings.ReplaceAll(strings.TrimSpace(line), "'", "") + "\n"
	}
	settings, err := os.OpenFile(filepath.Join(golang, "go.env"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := settings.WriteString("\n" + env); err != nil {
		return err
	}
	settings.Close()
	if err := importFolder(goName, golang, "/usr/local/go"); err != nil {
		return err
	}
	return os.RemoveAll(golang)
}

// goTree is a folder with the Go of this machine's version for the processor of the images.
func goTree() (string, error) {
	if *arch == runtime.GOARCH {
		root, err := command("", "go", "env", "GOROOT") // a program built with -trimpath does not know it
		return strings.TrimSpace(root), err
	}
	said, err := command(os.TempDir(), "go", "mod", "download", "-json", "golang.org/toolchain@v0.0.1-"+runtime.Version()+".linux-"+*arch)
	if err != nil {
		return "", err
	}
	var module struct{ Dir string }
	err = json.Unmarshal([]byte(said), &module)
	return module.Dir, err
}

// buildContext copies what a clone holds, and puts a canary in places where people keep secrets.
func buildContext() (string, error) {
	dir := filepath.Join(scratch, "context")
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if _, err := command("..", "sh", "-c", `git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - `+
		`-cf - | tar -xf - -C "$0"`, dir); err != nil {
		return "", err
	}
	for _, name := range []string{
		".env", "id_rsa", ".git/config", ".netrc", "notebooks/.env", "prl/.env.local", "secrets/token",
		".prl/state",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte("password="+canary+"\n"), 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// config is what the image says of itself.
type config struct {
	Env         []string
	Entrypoint  []string
	Cmd         []string
	WorkingDir  string
	User        string
	Healthcheck *struct {
		Test                           []string
		Interval, Timeout, StartPeriod time.Duration
		Retries                        int
	}
}

// image is a built image and its unpacked files.
type image struct {
	name   string
	root   string
	config config
	raw    string
}

func open(name string) (*image, error) {
	raw, err := buildah("inspect", "--type", "image", name)
	if err != nil {
		return nil, err
	}
	var told struct{ Docker struct{ Config config } }
	if err := json.Unmarshal([]byte(raw), &told); err != nil {
		return nil, err
	}
	container := strings.NewReplacer("/", "-", ":", "-").Replace(name)
	if _, err := buildah("inspect", "--type", "container", container); err != nil {
		if _, err := buildah("from", "--pull-never", "--name", container, name); err != nil {
			return nil, err
		}
	}
	root, err := buildah("mount", container)
	return &image{name, root, told.Docker.Config, raw}, err
}

func build(name, dir string, args ...string) error {
	args = append([]string{"bud", "--arch", *arch, "--format", "docker", "--isolation", "chroot", "--pull-never", "-t", name}, args...)
	_, err := buildah(append(args, dir)...)
	return err
}

var labOnce = sync.OnceValues(func() (*image, error) {
	if !exists(labName) {
		if err := bases(); err != nil {
			return nil, err
		}
		dir, err := buildContext()
		if err != nil {
			return nil, err
		}
		os.Setenv("JUPYTER_TOKEN", canary)
		defer os.Unsetenv("JUPYTER_TOKEN")
		if err := build(labName, dir, "--target", "lab", "-f", filepath.Join(dir, "docker", "Dockerfile")); err != nil {
			return nil, err
		}
	}
	return open(labName)
})

// fullOnce builds the target full from its own lines of the Dockerfile, on the target lab that stands: buildah would build that again.
var fullOnce = sync.OnceValues(func() (*image, error) {
	if !exists(fullName) {
		if _, err := labOnce(); err != nil {
			return nil, err
		}
		text, err := os.ReadFile("Dockerfile")
		if err != nil {
			return nil, err
		}
		stage := regexp.MustCompile(`(?ms)^FROM lab AS full\n(.*?)^#[^\n]*\nFROM `).FindSubmatch(text)
		if stage == nil {
			return nil, fmt.Errorf("the Dockerfile has no stage full after lab")
		}
		dir := filepath.Join(scratch, "full")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, "Dockerfile"), append([]byte("FROM "+labName+"\n"), stage[1]...), 0o644); err != nil {
			return nil, err
		}
		if err := build(fullName, dir, "-f", filepath.Join(dir, "Dockerfile")); err != nil {
			return nil, err
		}
	}
	return open(fullName)
})

func built(t *testing.T, once func() (*image, error)) *image {
	t.Helper()
	needs(t)
	made, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return made
}
