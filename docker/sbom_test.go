//go:build image && linux

package docker

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const sbomPath = "usr/local/share/sbom/prlab.cdx.json"

// validator is the library of CycloneDX for Python, which comes with the schemas.
const validator = "cyclonedx-python-lib[json-validation]==11.12.0"

// TestSBOM holds the bill of materials in the image to its schema, and to what the tools of Debian and Python say about the image.
func TestSBOM(t *testing.T) {
	i := built(t, labOnce)
	has(t, "python3", "dpkg-query")
	if !strings.Contains(i.raw, `"io.github.prlab.sbom": "/`+sbomPath+`"`) {
		t.Errorf("no label of the image names /%s", sbomPath)
	}
	file := filepath.Join(i.root, sbomPath)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, args := range [][]string{
		{"python3", "-m", "venv", "python"},
		{"python/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", validator},
		{"python/bin/python", "-c", "import sys\n" +
			"from cyclonedx.schema import SchemaVersion\n" +
			"from cyclonedx.validation.json import JsonStrictValidator\n" +
			"fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1], encoding='utf-8').read())\n" +
			"sys.exit(str(fault) if fault else 0)\n", file},
	} {
		if _, err := command(dir, args[0], args[1:]...); err != nil {
			t.Fatal(err)
		}
	}

	var bill struct {
		Components []struct {
			PURL     string
			Licenses []any
		}
	}
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	count, named := map[string]int{}, map[string]int{}
	for _, c := range bill.Components {
		kind := regexp.MustCompile(`^pkg:(\w+)/`).FindStringSubmatch(c.PURL)
		if kind == nil {
			t.Fatalf("%q", c.PURL)
		}
		count[kind[1]]++
		if len(c.Licenses) > 0 {
			named[kind[1]]++
		}
	}
	packages, err := command("", "dpkg-query", "--admindir="+filepath.Join(i.root, "var/lib/dpkg"), "-W", "-f", "${db:Status-Abbrev}\n")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(packages, "ii"); n != count["deb"] {
		t.Errorf("%d packages of Debian in the bill, %d in the image", count["deb"], n)
	}
	wheels, _ := filepath.Glob(filepath.Join(i.root, "lab/.prl/python/lib/python3*/site-packages/*.dist-info"))
	if len(wheels) != count["pypi"] || len(wheels) < 50 {
		t.Errorf("%d packages of Python in the bill, %d in the image", count["pypi"], len(wheels))
	}
	for _, want := range []string{
		"pkg:golang/github.com/janpfeifer/gonb@", "pkg:golang/gonum.org/v1/gonum@", "pkg:golang/stdlib@",
		"pkg:npm/echarts@", "pkg:npm/katex@", "pkg:npm/reveal.js@", "pkg:npm/minisearch@", "pkg:npm/%40codemirror/state@",
	} {
		if !strings.Contains(string(text), `"purl": "`+want) {
			t.Errorf("the bill has no %s", want)
		}
	}
	for _, name := range []string{"golang.org/x/tools@", "github.com/janpfeifer/gonb@"} {
		if found, _ := filepath.Glob(filepath.Join(i.root, "usr/local/lib/prl/licences", name+"*", "LICENSE*")); len(found) == 0 {
			t.Errorf("the licence of %s is not in the image", name)
		}
	}
	t.Logf("the bill of materials lists, by kind, %v; with a licence %v; %d kB", count, named, len(text)/1000)
}

// TestErratum looks what a correction of a chapter moves: the last layer alone, since no stage before it knows a chapter, and some
// megabytes.
func TestErratum(t *testing.T) {
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), "FROM base AS chapters\n")
	if !found || regexp.MustCompile(`(?m)^(COPY|ADD|RUN).*notebooks(/\d|/\*|/?[ \t])`).MatchString(before) {
		t.Error("a stage before the chapters depends on one of them")
	}
	_, lab, _ := strings.Cut(string(text), "FROM base AS lab\n")
	lab, _, _ = strings.Cut(lab, "\nFROM ")
	steps := regexp.MustCompile(`(?m)^(COPY|RUN).*$`).FindAllString(lab, -1)
	if !strings.HasPrefix(steps[len(steps)-1], "COPY --from=chapters ") {
		t.Errorf("the chapters are not the last layer: %s", steps[len(steps)-1])
	}
	i := built(t, labOnce)
	packed, err := command(i.root, "sh", "-c", "tar -cf - usr/local/share/prl | gzip -6 | wc -c")
	if err != nil {
		t.Fatal(err)
	}
	var bytes float64
	fmt.Sscan(packed, &bytes)
	t.Logf("a correction of a chapter moves %.1f MB, packed", bytes/1e6)
	if bytes > 8e6 {
		t.Errorf("a correction of a chapter moves %.1f MB, want at most 8", bytes/1e6)
	}
}
