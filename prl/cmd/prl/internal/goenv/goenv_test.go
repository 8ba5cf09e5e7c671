package goenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestCells(t *testing.T) {
	base := []string{"HOME=/h", "GOFLAGS=-mod=mod", "GOAMD64=v3", "GOWORK=/w", "GOPROXY=https://example.org", "PATH=/usr/bin"}
	env := cells(base, "/c/.prl", "/go/bin/go", "amd64")
	for name, want := range map[string]string{
		"HOME": "/h", "GOFLAGS": "-ldflags=-s -gcflags=github.com/prlab/prlab/...=-dwarf=false", "GOPROXY": "off", "GOTOOLCHAIN": "local",
		ProxyVar:  "https://example.org",
		"GOAMD64": "v1",
		GoVar:     "/go/bin/go", "PATH": "/c/.prl/shim:/go/bin:/usr/bin",
	} {
		if got, _ := Lookup(env, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, found := Lookup(env, "GOWORK"); found {
		t.Error("GOWORK is left")
	}
	if got, _ := Lookup(cells(base, "/c/.prl", "/go/bin/go", "arm64"), "GOFLAGS"); got != "-ldflags=-s -gcflags=all=-d=fmahash=qn" {
		t.Errorf("on arm64 GOFLAGS is %q", got)
	}
}

// TestApart compiles a product and a sum for arm64 and looks that they are two instructions, without a message of the compiler, and that
// they would be one.
func TestApart(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.26\n",
		"m.go": "package m\n\nimport \"math\"\n\nfunc F(x, y, z float64) float64 { return x*y + z }\n\n" +
			"func G(x, y, z float64) float64 { return math.FMA(x, y, z) }\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compile := func(flags ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", append(append([]string{"build"}, flags...), "m")...)
		cmd.Dir, cmd.Env = folder, append(Without(os.Environ(), "GOFLAGS", "GOWORK"), "GOARCH=arm64", "CGO_ENABLED=0", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if out := compile(Apart("arm64")...); out != "" {
		t.Errorf("the compiler says %s", out)
	}
	if len(Apart("amd64")) > 0 {
		t.Errorf("flags for amd64: %v", Apart("amd64"))
	}
	at := regexp.MustCompile(`m\.go:(\d+).*\tFN?M(?:ADD|SUB)D\t`)
	joined := func(flags ...string) (lines []string) {
		for _, match := range at.FindAllStringSubmatch(compile(flags...), -1) {
			lines = append(lines, match[1])
		}
		return lines
	}
	flags := strings.TrimPrefix(Apart("arm64")[0], "-gcflags=all=")
	if got := joined("-gcflags=-S"); !slices.Equal(got, []string{"5", "7"}) {
		t.Errorf("without the flag lines %v are one instruction, want 5 and 7", got)
	}
	if got := joined("-gcflags=-S " + flags); !slices.Equal(got, []string{"7"}) {
		t.Errorf("with the flag lines %v are one instruction, want 7", got)
	}
}

func TestWithout(t *testing.T) {
	got := Without([]string{"A=1", "AB=2", "PRL_X=3", "PRL_Y=4", "B="}, "A", "PRL_*")
	if strings.Join(got, " ") != "AB=2 B=" {
		t.Errorf("got %v", got)
	}
}
