package notebooks_test

import (
	"bytes"
	"flag"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl"
)

var update = flag.Bool("update", false, "write readme.svg again")

// documents are the files that a reader meets, from the root of the tree.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || path != ".." && strings.HasPrefix(entry.Name(), ".")) {
			return filepath.SkipDir
		}
		if entry.Name() == "README.md" || entry.Name() == "RESULTS.md" {
			text, err := os.ReadFile(path)
			texts[strings.TrimPrefix(filepath.ToSlash(path), "../")] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 10 {
		t.Fatalf("only %d documents were found", len(texts))
	}
	return texts
}

// program is a Go program of a document, and what the document says that it prints.
var program = regexp.MustCompile("(?ms)^```go\n(package main\n.*?)^```\n(?:\n```text\n(.*?)^```\n)?")

// TestDocumentedPrograms compiles and runs each Go program of the documents. It prints what stands below it, or proves a claim.
func TestDocumentedPrograms(t *testing.T) {
	found := 0
	for path, text := range documents(t) {
		for _, m := range program.FindAllStringSubmatch(text, -1) {
			found++
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(m[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("go", "run", file)
			cmd.Dir = ".."
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", path, err, out)
			}
			if m[2] != "" && string(out) != m[2] || m[2] == "" && !strings.Contains(string(out), "✓ the duality gap closes") {
				t.Errorf("a program of %s prints %q", path, out)
			}
		}
	}
	if found < 5 {
		t.Errorf("the documents show only %d programs", found)
	}
}

// TestReadmeIsShort keeps the front page to what is read in ten minutes.
func TestReadmeIsShort(t *testing.T) {
	if n := len(documents(t)["README.md"]); n > 9000 {
		t.Errorf("README.md has %d bytes, more than 9000; put it beside what it describes", n)
	}
}

// TestDocumentedLinks follows each link of the documents to a file, and looks for each path that they name.
func TestDocumentedLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	named := regexp.MustCompile("`((?:prl|plotting|datasets|notebooks|docker)/[a-zA-Z0-9/._-]+)`")
	for path, text := range documents(t) {
		text = regexp.MustCompile("(?s)`[^`\n]*`|```.*?```").ReplaceAllStringFunc(text, func(code string) string {
			if named.MatchString(code) && !strings.HasPrefix(code, "```") {
				return code
			}
			return ""
		})
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", m[1])); err != nil && !strings.Contains(m[1], "NN") {
				t.Errorf("%s names %s: %v", path, m[1], err)
			}
		}
	}
}

// TestDocumentedNames looks for each function of package prl that the documents name.
func TestDocumentedNames(t *testing.T) {
	out, err := exec.Command("go", "doc", "-short", "github.com/prlab/prlab/prl").Output()
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`(?m)^(?:func|type|var|const) ([A-Z]\w*)`)
	known := map[string]bool{}
	for _, m := range name.FindAllStringSubmatch(string(out), -1) {
		known[m[1]] = true
	}
	for path, text := range documents(t) {
		for _, m := range regexp.MustCompile(`\bprl\.([A-Z]\w*)`).FindAllStringSubmatch(text, -1) {
			if !known[m[1]] {
				t.Errorf("%s names prl.%s, which does not exist", path, m[1])
			}
		}
	}
}

// TestReadmePicture draws the README's picture and compares it with the file.
func TestReadmePicture(t *testing.T) {
	svg, err := prl.SVM().RBF(0.5).C(10).Fit(prl.Rings(120, 0.15, 1)).Regions().Title("Two rings, one kernel").SVG()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("readme.svg", svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile("readme.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(svg, old) {
		t.Error("readme.svg is not what the code draws; run go test ./notebooks -update")
	}
}

// TestDocumentedCommands asks every command that the documents show for its help, with the options shown.
func TestDocumentedCommands(t *testing.T) {
	text := strings.Join(slices.Collect(maps.Values(documents(t))), "\n")
	commands := regexp.MustCompile(`go tool prl( [a-z]+)+( --[a-z-]+)*`).FindAllString(text, -1)
	slices.Sort(commands)
	commands = slices.Compact(commands)
	if len(commands) < 5 {
		t.Fatalf("the documents show only %q", commands)
	}
	bin := filepath.Join(t.TempDir(), "prl")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/prlab/prlab/prl/cmd/prl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, command := range commands {
		var verbs, options []string
		for _, word := range strings.Fields(command)[3:] {
			if strings.HasPrefix(word, "--") {
				options = append(options, word)
			} else {
				verbs = append(verbs, word)
			}
		}
		help, err := exec.Command(bin, append(verbs, "--help")...).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", command, err, help)
		}
		for _, option := range options {
			if !strings.Contains(string(help), " "+option+" ") {
				t.Errorf("%s: the verb knows no option %s", command, option)
			}
		}
	}
}

// TestReadmeFamilies looks for each package below prl that begins a plan in the table of packages.
func TestReadmeFamilies(t *testing.T) {
	text := documents(t)["README.md"]
	files, err := filepath.Glob(filepath.Join("..", "prl", "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	families := map[string]bool{}
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(path, "_test.go") && bytes.Contains(source, []byte("plan.Spec[")) {
			families[filepath.Base(filepath.Dir(path))] = true
		}
	}
	delete(families, "plan") // which is what they begin
	if len(families) < 10 {
		t.Fatalf("only %v begin plans", families)
	}
	for name := range families {
		if !regexp.MustCompile("(?m)^\\| [^|]*`prl/" + name + "`").MatchString(text) {
			t.Errorf("the table of packages in the README lacks prl/%s", name)
		}
	}
}
