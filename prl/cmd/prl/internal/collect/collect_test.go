//go:build linux

package collect

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/console"
	"github.com/prlab/prlab/prl/cmd/prl/internal/sandbox"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/internal/seal"
	"github.com/prlab/prlab/prl/notebook"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

// The seals of 90-1, which is 0.25 within 0.001, and of 90-2, which is b.
const (
	seal1 = "90-1 0.001 7 irmC7oAyFhz8/tptMHnclAHW/h7rceD5b6IhaoH61oc w/QjmV2uzuubACyjHr5LAobnDFQ7t1c/CYFt0W4Kc4jnVcS+1lteiJLDg8DPpL0ObLDEtjQ"
	seal2 = "90-2 0 8 LVSbLgBi44HJ7MBT6janK3z1/xm/mdTbVVb2U+tWTIk"
)

// cells are id, tag and source of each cell, in this order.
type cells [][3]string

func quiz() cells {
	return cells{
		{"imports", "", "import (\n\t\"fmt\"\n\t\"math/rand/v2\"\n\n\t\"github.com/prlab/prlab/prl\"\n)"},
		{"help", "", "func double(x float64) float64 { return 2 * x }\n%%\nfmt.Println(\"the chapter\", double(1))"},
		{"seals", "seals", "var _ = prl.Seals(`\n" + seal1 + "\n" + seal2 + "\n90-4 withheld\n`)"},
		{"q1", "exercise", "var a1 = prl.Blank\n%%\nprl.Exercise(\"90-1\", \"a quarter\").Number(a1)"},
		{"q1-solution", "solution", "%%\nprl.Solution(\"90-1\").Number(0.25, 1e-3).Wrong(0.5, \"the prior is missing\").Holds()"},
		{"q2", "exercise", "var a2 = \"\"\n%%\nprl.Exercise(\"90-2\", \"which\").Choice(a2)"},
		{"q3", "exercise", "func twice(x float64) any { return nil }\n%%\nprl.Exercise(\"90-3\", \"twice\").Function(5, 1e-9, " +
			"func(r *rand.Rand) (any, any) { x := r.Float64(); return twice(x), double(x) })"},
		{"q4", "exercise", own4 + "var a4 = prl.Blank" + judge4},
		{"q4-solution", "solution", "%%\nprl.Solution(\"90-4\").Number(7*float64(n4), 0.1).Withheld().Holds()"},
	}
}

// 90-4 asks each student for seven times a number of their own.
const (
	own4   = "var n4 = prl.Own(\"90-4\").Whole(\"n\", 5, 500)\n"
	judge4 = "\n%%\nprl.Exercise(\"90-4\", fmt.Sprintf(\"seven times %d\", n4)).Number(a4)"
)

// seven is the answer of a student.
func seven(name string) string {
	return fmt.Sprintf("var a4 = %d.0", 7*(5+seal.Draw("prl own", name, "90-4", "n").IntN(496)))
}

// with is the quiz with other sources, as somebody else leaves it who has no solutions; outputs hold text for a cell.
func (q cells) with(change map[string]string, more ...[3]string) cells {
	var own cells
	for _, c := range q {
		if source, changed := change[c[0]]; changed {
			c[2] = source
		}
		if c[1] != "solution" {
			own = append(own, c)
		}
		for _, m := range more {
			if m[1] == c[0] {
				own = append(own, [3]string{m[0], "", m[2]})
			}
		}
	}
	return own
}

func (q cells) write(t *testing.T, path string, outputs map[string]string) {
	t.Helper()
	var list []any
	for _, c := range q {
		tags, shown := []string{}, []any{}
		if c[1] != "" {
			tags = append(tags, c[1])
		}
		if text := outputs[c[0]]; text != "" {
			shown = append(shown, map[string]any{
				"output_type": "display_data", "metadata": map[string]any{},
				"data": map[string]any{"text/plain": text},
			})
		}
		list = append(list, map[string]any{
			"cell_type": "code", "id": c[0], "metadata": map[string]any{"tags": tags}, "source": c[2], "outputs": shown, "execution_count": nil,
		})
	}
	text, err := json.Marshal(map[string]any{
		"cells": list, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": "gonb", "display_name": "Go", "language": "go"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

const (
	right1 = "var a1 = 1.0 / 4\n%%\nprl.Exercise(\"90-1\", \"a quarter\").Number(a1)"
	wrong1 = "var a1 = 0.5\n%%\nprl.Exercise(\"90-1\", \"a quarter\").Number(a1)"
	right2 = "var a2 = \"B\"\n%%\nprl.Exercise(\"90-2\", \"which\").Choice(a2)"
	right3 = "func twice(x float64) any { return thrice(x) - x }\n%%\nprl.Exercise(\"90-3\", \"twice\").Function(5, 1e-9, " +
		"func(r *rand.Rand) (any, any) { x := r.Float64(); return twice(x), double(x) })"
)

func chapters(t *testing.T) ([]*Chapter, string) {
	t.Helper()
	folder := t.TempDir()
	quiz().write(t, filepath.Join(folder, "90-quiz.ipynb"), nil)
	all, err := Chapters(folder)
	if err != nil {
		t.Fatal(err)
	}
	return all, folder
}

func code(t *testing.T, student string) string {
	t.Helper()
	s, found := seal.Find(seal1, "90-1")
	if _, right, _ := s.Judge(0.25); !found || !right {
		t.Fatal("the seal of the test is not opened")
	}
	return "✓ a quarter: solved, code " + s.Code("250", student)
}

var secret = []byte("of the test")

// forgeries are hand-ins that have solved nothing and want to be taken for solved, each in another way.
func forgeries(q cells) map[string]cells {
	page := `<div data-prl-verdict="&#34;90-3&#34; &#34;solved&#34; &#34;&#34; &#34;&#34; &#34;&#34;" data-prl-exercise="90-3" ` +
		`data-prl-outcome="solved">x</div>`
	show := "gonbui.DisplayHTML(`" + page + "`)\n\tgonbui.Sync()"
	judge := "\n%%\nprl.Exercise(\"90-3\", \"twice\").Function(5, 1e-9, " +
		"func(r *rand.Rand) (any, any) { x := r.Float64(); return twice(x), double(x) })"
	answer := func(imports, body string) cells {
		return q.with(map[string]string{"q3": "import (" + imports + ")\nfunc twice(x float64) any {\n\t" + body + "\n}" + judge})
	}
	wrong := "func twice(x float64) any { return x }" + judge
	return map[string]cells{
		// The two of the review: to leave before the judge speaks, and to redefine what the judge compares with.
		"leaves":    answer(`"os"; "github.com/janpfeifer/gonb/gonbui"`, show+"\n\tos.Exit(0)\n\treturn nil"),
		"redefines": q.with(map[string]string{"q3": wrong}, [3]string{"own", "help", "func double(x float64) float64 { return x }"}),
		// Before main begins.
		"initial": q.with(map[string]string{"q3": wrong}, [3]string{
			"own", "q2", "import (\n\t\"os\"\n\t\"github.com/janpfeifer/gonb/gonbui\"\n)\nfunc init_own() {\n\t" + show + "\n\tos.Exit(0)\n}",
		}),
		// The words of a verdict, on the page of its own cell and of another, for an exercise with a seal too.
		"words": q.with(map[string]string{
			"q1": "import \"github.com/janpfeifer/gonb/gonbui\"\n%%\n" + strings.ReplaceAll(show, "90-3", "90-1"),
			"q3": "import \"github.com/janpfeifer/gonb/gonbui\"\nfunc twice(x float64) any { return x }\n%%\n" + show,
		}),
		// A judge of its own in the place of the lab's.
		"judge": q.with(map[string]string{"q3": wrong}, [3]string{
			"own", "q2", "type judge struct{}\nfunc (judge) Serve(string, map[string]any) { " + "println(1) }\nvar prlJudge judge",
		}),
		// The answers of the draws that the page of the student has, whatever is asked.
		"table": answer(`"math/rand/v2"`, "table = append(table, 0)\n\tr := rand.New(rand.NewPCG(3, 4))\n\tv := 0.0\n\t"+
			"for range table {\n\t\tv = r.Float64()\n\t}\n\treturn 2 * v\n}\nvar table []int\nfunc unused() {"),
		// Values that compare with nothing, or are none.
		"infinite": answer(`"math"`, "return math.Inf(1)"),
		"foreign":  answer(`"net/http"`, "return &http.Client{}"),
		"fault":    answer("", "panic(`solved`)"),
		"nothing":  answer("", "var p *float64\n\treturn *p"),
		// To speak with the judge without being asked, and to be asked a second time.
		"speaks": q.with(map[string]string{"q3": wrong}, [3]string{
			"own", "q2", "import \"net\"\n%%\nc, err := net.Dial(\"unix\", \"/judge/0\")\nif err == nil {\n\t" +
				"c.Write([]byte{'r', 255, 255, 255, 3, 1, 2, 3})\n\tc.Close()\n}",
		}),
		// To ask the judge instead of answering it, and to hand it a length that is none.
		"asks": answer(`"os"; "fmt"`, "for fd := 3; fd < 64; fd++ {\n\t\tif f := os.NewFile(uintptr(fd), \"x\"); f != nil {\n\t\t\t"+
			"fmt.Fprint(f, \"n\\x05\\x00\\x00\\x00\\x04main\")\n\t\t}\n\t}\n\treturn x"),
		// To end all that runs.
		"kills": answer(`"syscall"; "github.com/janpfeifer/gonb/gonbui"`, show+"\n\tsyscall.Kill(-1, syscall.SIGKILL)\n\treturn nil"),
		// Not to end.
		"waits": answer(`"github.com/janpfeifer/gonb/gonbui"`, show+"\n\tselect {}"),
		// To write into the library and into what is compiled.
		"writes": q.with(map[string]string{"q3": wrong}, [3]string{
			"own", "q2", "import (\n\t\"os\"\n\t\"path/filepath\"\n\t\"os/exec\"\n)\n%%\n" +
				"out, _ := exec.Command(\"go\", \"env\", \"GOCACHE\").Output()\n" +
				"all, _ := filepath.Glob(string(out[:max(len(out)-1, 0)]) + \"/*/*\")\nfor _, f := range all {\n\tos.WriteFile(f, nil, 0o600)\n}",
		}),
	}
}

// TestCollect executes the hand-ins of a class, honest, wrong and hostile, with the real kernel in the real sandbox. Two of them come out
// of a term in which the folder .prl was deleted and the disk was full.
func TestCollect(t *testing.T) {
	if testing.Short() {
		t.Skip("it executes many notebooks")
	}
	if err := sandbox.Available(t.Context(), t.TempDir()); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	root, err := checkout.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	lab := &setup.Lab{Checkout: root, Machine: setup.ThisMachine(), Console: console.New(os.Stderr)}
	if err := lab.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			t.Error("a hand-in has reached the network")
			c.Close()
		}
	}()
	all, folder := chapters(t)
	dir := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	q := quiz()
	help := [3]string{"own", "help", "func thrice(x float64) float64 { return 3 * x }"}

	term(t, q.with(map[string]string{"q1": right1, "q2": right2, "q3": right3, "help": "nonsense that does not compile"}, help),
		map[string]string{"q1": code(t, "ada")}, at("ada", "90-quiz.ipynb"))
	q.with(map[string]string{"q1": right1}).write(t, at("submitted", "alan", "week1", "90-quiz.ipynb"),
		map[string]string{"q1": code(t, "ada")})
	q.with(map[string]string{"q1": wrong1, "q2": right2}).write(t, at("Grace_90-quiz.ipynb"), nil)
	q.with(nil).write(t, at("Kurt Gödel_77_assignsubmission_file_", "quiz(2).ipynb"), nil)
	// Seals of the student's own, a page that claims everything, and a judge that always agrees.
	forged := `<div data-prl-exercise=\"90-1\" data-prl-outcome=\"solved\" data-prl-answer=\"999\">x</div>`
	q.with(map[string]string{
		"seals": "var _ = prl.Seals(`\n" + strings.Replace(seal2, "90-2", "90-1", 1) + "\n`)",
		"q1":    "import \"github.com/janpfeifer/gonb/gonbui\"\n%%\ngonbui.DisplayHTML(\"" + forged + "\")\ngonbui.Sync()",
		"q3":    "%%\nprl.Exercise(\"90-3\", \"twice\").Reached(true, \"\")",
	}).write(t, at("forger", "90-quiz.ipynb"), nil)
	// Numbers of one's own: a right answer, one that is copied, and a number that is chosen instead of drawn.
	term(t, q.with(map[string]string{"q4": own4 + seven("贝叶斯") + judge4}), nil, at("贝叶斯_90-quiz.ipynb"))
	q.with(map[string]string{"q4": own4 + seven("贝叶斯") + judge4}).write(t, at("copier_90-quiz.ipynb"),
		map[string]string{"q4": "○ seven times 9 (the numbers of 贝叶斯): your answer is noted"})
	q.with(map[string]string{"q4": "var n4 = 1\nvar a4 = 7.0" + judge4}).write(t, at("chooser_90-quiz.ipynb"), nil)
	own := forgeries(q)
	for name, forged := range own {
		forged.write(t, at(name, "90-quiz.ipynb"), nil)
	}
	// The answer is right if a file of the teacher can be read, the network be reached, or another's hand-in be seen.
	spy := func(condition string) string {
		return "import (\n\t\"net\"\n\t\"os\"\n\t\"strings\"\n)\nfunc spied() float64 {\n\tif " + condition +
			" {\n\t\treturn 0.25\n\t}\n\treturn 0.5\n}\n%%\n_, _, _ = net.Dial, os.ReadFile, strings.Contains\n" +
			"prl.Exercise(\"90-1\", \"a quarter\").Number(spied())"
	}
	for name, condition := range map[string]string{
		"spy-chapter":   fmt.Sprintf("_, err := os.ReadFile(%q); err == nil", filepath.Join(folder, "90-quiz.ipynb")),
		"spy-lab":       fmt.Sprintf("all, err := os.ReadDir(%q); err == nil && len(all) > 0", lab.Notebooks()),
		"spy-neighbour": fmt.Sprintf("_, err := os.ReadFile(%q); err == nil", at("ada", "90-quiz.ipynb")),
		"spy-cache":     fmt.Sprintf("all, err := os.ReadDir(%q); err == nil && len(all) > 0", lab.Go.Cache),
		"spy-seals":     `text, _ := os.ReadFile("/sandbox/source.ipynb"); len(text) == 0 || strings.Contains(string(text), "irmC7"+"oAyFhz8")`,
		"spy-network":   fmt.Sprintf("_, err := net.Dial(\"tcp\", %q); err == nil", listener.Addr()),
	} {
		q.with(map[string]string{"q1": spy(condition)}).write(t, at(name, "90-quiz.ipynb"), nil)
	}
	// What does not end or does not compile spoils its own exercise alone; a file of the student's own is there.
	if err := os.MkdirAll(at("slow"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("slow", "answer.txt"), []byte("b"), 0o644); err != nil {
		t.Fatal(err)
	}
	q.with(map[string]string{
		"q1": "%%\nfor {\n}",
		"q2": "import \"os\"\n%%\nb, _ := os.ReadFile(\"answer.txt\")\nprl.Exercise(\"90-2\", \"which\").Choice(string(b))",
		"q3": "%%\nthis does not compile",
	}).write(t, at("slow", "90-quiz.ipynb"), nil)

	handed, remarks, err := Find(dir, all, nil)
	if err != nil || len(remarks) > 0 {
		t.Fatal(err, remarks)
	}
	results, err := Run(t.Context(), lab, handed, Options{Jobs: 2, Timeout: 30 * time.Second, Limit: 5 * time.Minute, Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range results {
		// "writes" has emptied what was compiled, its own copy of it: on a busy machine a later cell does not compile in time.
		ruined := map[string]string{"kills": "has ended the program that executes it", "writes": "the cell takes longer than 30 s"}[r.Student]
		if r.Note != "" && (ruined == "" || !strings.Contains(r.Note, ruined)) {
			t.Errorf("%s: %s", r.Student, r.Note)
		}
		for _, id := range []string{"90-1", "90-2", "90-3", "90-4"} {
			got[r.Student] += signs[r.Marks[id].Outcome]
		}
	}
	table := Table(results, []string{"ada", "emmy"})
	t.Log("\n" + table)
	for name := range own {
		if strings.Contains(got[name], "✓") {
			t.Errorf("%s is forged: %s", name, got[name])
		}
	}
	for student, want := range map[string]string{
		"ada": "✓✓✓○", "alan": "✓○○○", "Grace": "✗✓○○", "Kurt Gödel": "○○○○", "forger": "?○!○", "slow": "!✓!○",
		"贝叶斯": "○○○✓", "copier": "○○○✗", "chooser": "○○○✗",
		"spy-chapter": "✗○○○", "spy-lab": "✗○○○", "spy-neighbour": "✗○○○", "spy-network": "✗○○○", "spy-cache": "✗○○○", "spy-seals": "✗○○○",
	} {
		if got[student] != want {
			t.Errorf("%s: %s, want %s", student, got[student], want)
		}
	}
	for _, want := range []string{
		"* alan, 90-1: it was handed in with the code of ada",
		"* slow, 90-1: the cell takes longer than 30 s",
		"* copier, 90-4: it was answered with the numbers of 贝叶斯",
		"\nemmy",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	if strings.Contains(table, "ada, 90-1") {
		t.Error("the code of ada is not taken for her own")
	}
	text, err := CSV(results, []string{"ada", "emmy"})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != 1+4*(16+len(own)) {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	if !slices.ContainsFunc(lines, func(l []string) bool {
		key := (&collector{options: Options{Secret: secret}}).secretKey("code", "90-quiz", "90-1")
		return l[0] == "ada" && l[2] == "90-1" && l[4] == "1" && l[5] == seal.CodeOf(key, "ada")
	}) {
		t.Errorf("ada's code is not in the table:\n%s", text)
	}
}

func TestFind(t *testing.T) {
	all, _ := chapters(t)
	dir := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	q := quiz().with(nil)
	for _, path := range []string{
		"ada/90-quiz.ipynb", "ada/90-quiz-corrected.ipynb", "ada/.ipynb_checkpoints/90-quiz-checkpoint.ipynb",
		"submitted/alan/week 1/90-quiz.ipynb",
		"Grace Hopper_90-quiz.ipynb", "kurt.ipynb", "Emmy Noether_7_assignsubmission_file/mine.ipynb", "90-quiz.ipynb", "=cmd()_90-quiz.ipynb",
	} {
		q.write(t, at(path), nil)
	}
	older := time.Now().Add(-time.Hour)
	if err := os.Chtimes(at("ada/90-quiz.ipynb"), older, older); err != nil {
		t.Fatal(err)
	}
	cells{{"x", "", "fmt.Println()"}}.write(t, at("ada", "notes.ipynb"), nil)
	if err := os.WriteFile(at("ada", "broken.ipynb"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", at("ada", "link.ipynb")); err != nil {
		t.Fatal(err)
	}
	found, remarks, err := Find(dir, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, h := range found {
		got[h.Student], _ = filepath.Rel(dir, h.Path)
		if own := h.Folder != ""; own != strings.Contains(got[h.Student], "/") {
			t.Errorf("%s: folder %q", h.Student, h.Folder)
		}
	}
	for student, path := range map[string]string{
		"ada": "ada/90-quiz-corrected.ipynb", "alan": "submitted/alan/week 1/90-quiz.ipynb", "Grace Hopper": "Grace Hopper_90-quiz.ipynb",
		"kurt":         "kurt.ipynb",
		"Emmy Noether": "Emmy Noether_7_assignsubmission_file/mine.ipynb", "=cmd()": "=cmd()_90-quiz.ipynb",
	} {
		if got[student] != path {
			t.Errorf("%s: %q, want %q", student, got[student], path)
		}
	}
	if len(got) != 6 || len(remarks) != 5 {
		t.Errorf("%d students, remarks: %q", len(got), remarks)
	}
	for _, want := range []string{"a newer one", "no exercise of a chapter", "ends in the middle", "no file of its own", "tells no student"} {
		if !slices.ContainsFunc(remarks, func(r string) bool { return strings.Contains(r, want) }) {
			t.Errorf("no remark has %q: %q", want, remarks)
		}
	}
	if inert("=cmd()") != "'=cmd()" || inert("ada") != "ada" {
		t.Error("a name is a formula in a spreadsheet")
	}
}

// TestGraft puts a student's answers into the chapter and nothing else that was changed in the copy.
func TestGraft(t *testing.T) {
	all, _ := chapters(t)
	path := filepath.Join(t.TempDir(), "own.ipynb")
	quiz().with(map[string]string{"q1": right1, "help": "spoilt", "seals": "own seals"}, [3]string{"own", "q1", "func own() {}"}).write(t,
		path, nil)
	own, err := notebook.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var from []string
	n := notebook.Graft(all[0].text, own, func(c *notebook.Cell) bool { return slices.Contains(c.Tags(), "exercise") },
		func(c *notebook.Cell) {
			from = append(from, c.ID())
		})
	var got []string
	for _, c := range n.Cells {
		got = append(got, c.ID())
		switch c.ID() {
		case "help", "seals":
			if strings.Contains(c.Source(), "spoilt") || strings.Contains(c.Source(), "own") {
				t.Errorf("%s is the student's", c.ID())
			}
		case "q1":
			if c.Source() != right1 {
				t.Errorf("the answer is %s", c.Source())
			}
		}
	}
	if want := []string{"imports", "help", "seals", "q1", "own", "q2", "q3", "q4"}; !slices.Equal(got, want) ||
		!slices.Equal(from, []string{"q1", "own"}) {
		t.Errorf("%v, from the student %v", got, from)
	}
}

func TestRoster(t *testing.T) {
	for text, want := range map[string][]string{
		"Student;mail\nada;a@b\n\n# left\n\"alan\"; x\nada\n":         {"ada", "alan"},
		"\ufeffname,id\n\"Gödel, Kurt\",1\n\"Gödel, Adele\",2\n贝叶斯\n": {"Gödel, Adele", "Gödel, Kurt", "贝叶斯"},
		"ada # moved\r\nGo\u0308del\r\n":                              {"Gödel", "ada"},
	} {
		slices.Sort(want)
		if c, err := ReadClass(text, false); err != nil || !slices.Equal(c.Names(), want) {
			t.Errorf("%q: %q, %v", text, c.Names(), err)
		}
	}
	if _, err := ReadClass("\"ada\nalan", false); err == nil {
		t.Error("a quotation that does not end is a name")
	}
}

// TestFolders wants hand-ins that lie together to be told apart by their names, and none to be shown the folder of another.
func TestFolders(t *testing.T) {
	all, _ := chapters(t)
	q := quiz().with(nil)
	for name, c := range map[string]struct {
		class []string
		paths []string
		want  map[string]string // student of each path
		own   []string          // those who have their folder
	}{
		"weeks": {nil, []string{"week1/ada_90-quiz.ipynb", "week1/alan_90-quiz.ipynb"}, map[string]string{
			"week1/ada_90-quiz.ipynb": "ada", "week1/alan_90-quiz.ipynb": "alan",
		}, nil},
		"one of the class": {[]string{"ada", "alan"}, []string{"week1/ada_90-quiz.ipynb"}, map[string]string{
			"week1/ada_90-quiz.ipynb": "ada",
		}, nil},
		"inside": {nil, []string{"ada/90-quiz.ipynb", "submitted/90-quiz.ipynb", "submitted/alan/w/90-quiz.ipynb"}, map[string]string{
			"ada/90-quiz.ipynb": "ada", "submitted/alan/w/90-quiz.ipynb": "alan",
		}, []string{"ada", "alan"}},
		"three": {nil, []string{"w/x/ada_90-quiz.ipynb", "w/x/alan_90-quiz.ipynb", "w/x/贝叶斯_90-quiz.ipynb"}, map[string]string{
			"w/x/ada_90-quiz.ipynb": "ada", "w/x/alan_90-quiz.ipynb": "alan", "w/x/贝叶斯_90-quiz.ipynb": "贝叶斯",
		}, nil},
	} {
		dir := t.TempDir()
		for _, path := range c.paths {
			q.write(t, filepath.Join(dir, path), nil)
		}
		var class *Class
		if c.class != nil {
			class, _ = ReadClass(strings.Join(c.class, "\n"), false)
		}
		found, remarks, err := Find(dir, all, class)
		if err != nil {
			t.Fatal(err)
		}
		got, own := map[string]string{}, []string{}
		for _, h := range found {
			got[h.rel] = h.Student
			if h.Folder != "" {
				own = append(own, h.Student)
			}
		}
		if !maps.Equal(got, c.want) || !slices.Equal(own, c.own) && len(own)+len(c.own) > 0 {
			t.Errorf("%s: %v, with folders %v; %q", name, got, own, remarks)
		}
	}
}
