package notebooks_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl"
)

var update = flag.Bool("update", false, "write readme.svg anew")

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// blocks returns the fenced code of one language in the README.
func blocks(text, language string) []string {
	var all []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// TestReadmeProgram compiles and runs each Go program the README shows. The first proves a claim, the others print what stands below them.
func TestReadmeProgram(t *testing.T) {
	programs := blocks(readme(t), "go")
	if len(programs) == 0 {
		t.Fatal("the README shows no Go program")
	}
	printed := blocks(readme(t), "text")
	for i, program := range programs {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "run", file)
		cmd.Dir = ".."
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if i == 0 && !strings.Contains(string(out), "✓ the duality gap closes") || i > 0 && (i > len(printed) || string(out) != printed[i-1]) {
			t.Errorf("the program prints %q", out)
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

// TestReadmeCommands asks every command the README shows for its help, with the options shown, and looks for every path it names.
func TestReadmeCommands(t *testing.T) {
	text := readme(t)
	commands := regexp.MustCompile(`go tool prl( [a-z]+)+( --[a-z-]+)*`).FindAllString(text, -1)
	slices.Sort(commands)
	commands = slices.Compact(commands)
	if len(commands) < 5 {
		t.Fatalf("the README shows only %q", commands)
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
	for _, m := range regexp.MustCompile("`((?:prl|plotting|datasets|notebooks|docker)/[a-zA-Z/.-]+)`").FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[1], "NN") {
			continue
		}
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
			t.Errorf("the README names %s: %v", m[1], err)
		}
	}
}

// TestReadmeFamilies looks for each package below prl that begins a plan in the table of packages.
func TestReadmeFamilies(t *testing.T) {
	text := readme(t)
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
