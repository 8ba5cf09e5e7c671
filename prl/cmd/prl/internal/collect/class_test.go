//go:build linux

package collect

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The gradebooks are as the platforms export them: Canvas with a line of points and a column of an assignment that is there, Moodle with
// headings and a total. In each, Ada has solved two exercises, Kurt none, and Emmy has handed in nothing.
const (
	canvasBook = "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Essay (77),90-quiz (78)\n" +
		"    Points Possible,,,,,10,3\n" +
		"\"Lovelace, Ada\",101,s-1,ada,S1,8,1\n" +
		"\"Gödel, Kurt\",102,s-2,kurt,S1,,\n" +
		"\"Noether, Emmy\",103,s-3,emmy,S1,9,\n" +
		"\"贝叶斯\",104,s-4,bayes,S1,9,2\n"
	canvasMarks = "Student,ID,SIS User ID,SIS Login ID,Section,Essay (77),90-quiz (78)\n" +
		"\"    Points Possible\",,,,,10,4\n" +
		"\"Lovelace, Ada\",101,s-1,ada,S1,8,2\n" +
		"\"Gödel, Kurt\",102,s-2,kurt,S1,,0\n" +
		"\"Noether, Emmy\",103,s-3,emmy,S1,9,-\n" +
		"贝叶斯,104,s-4,bayes,S1,9,2\n"
	moodleBook = "First name;Last name;ID number;Username;Email address;Course total\n" +
		"Ada;Lovelace;101;ada;ada@example.org;8,0\n" +
		"Kurt;Gödel;102;kurt;kurt@example.org;-\n" +
		"Emmy;Noether;103;emmy;emmy@example.org;9,0\n"
	moodleMarks = "First name;Last name;ID number;Username;Email address;Course total;90-quiz\n" +
		"Ada;Lovelace;101;ada;ada@example.org;8,0;2\n" +
		"Kurt;Gödel;102;kurt;kurt@example.org;-;0\n" +
		"Emmy;Noether;103;emmy;emmy@example.org;9,0;-\n"
)

// TestGradebook hands in as the platforms pack hand-ins, and wants each under the name by which the lab knows the student, since that draws
// the student's own numbers; then a gradebook that is what was exported, with the marks.
func TestGradebook(t *testing.T) {
	all, _ := chapters(t)
	q := quiz().with(nil)
	for name, c := range map[string]struct {
		book, marks string
		paths       map[string]string
	}{
		"canvas": {canvasBook, canvasMarks, map[string]string{
			"lovelaceada_LATE_101_9001_90-quiz.ipynb": "ada", "gödelkurt_102_9002_90-quiz-1.ipynb": "kurt", "stranger_7_8_90-quiz.ipynb": "stranger",
		}},
		"moodle": {moodleBook, moodleMarks, map[string]string{
			"Ada Lovelace_101_assignsubmission_file_/90-quiz.ipynb": "ada", "Go\u0308del Kurt_102_assignsubmission_file_/90-quiz.ipynb": "kurt",
			"stranger/90-quiz.ipynb": "stranger",
		}},
		"by login": {moodleBook, moodleMarks, map[string]string{
			"ada/90-quiz.ipynb": "ada", "102_90-quiz.ipynb": "kurt", "kurt@example.com_90-quiz.ipynb": "kurt@example.com",
		}},
	} {
		class, err := ReadClass(c.book, true)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for path := range c.paths {
			q.write(t, filepath.Join(dir, path), nil)
		}
		found, remarks, err := Find(dir, all, class)
		if err != nil || len(found) != len(c.paths) {
			t.Fatal(err, remarks)
		}
		var results []*Result
		for _, h := range found {
			if want := c.paths[h.rel]; h.Student != want {
				t.Errorf("%s: %s is %q, want %q", name, h.rel, h.Student, want)
			}
			marks := map[string]Mark{"90-1": {Outcome: Open}, "90-2": {Outcome: Wrong}}
			if h.Student == "ada" {
				marks = map[string]Mark{"90-1": {Outcome: Solved}, "90-2": {Outcome: Wrong}, "90-4": {Outcome: Solved}}
			}
			results = append(results, &Result{HandIn: h, Marks: marks})
		}
		if len(remarks) != 1 || !strings.Contains(remarks[0], "is not in the roster") {
			t.Errorf("%s: remarks %q", name, remarks)
		}
		if got, err := class.Gradebook(results); err != nil || got != c.marks {
			t.Errorf("%s: %v\n%swant\n%s", name, err, got, c.marks)
		}
	}
	class, _ := ReadClass(canvasBook, true)
	if got := class.Names(); !slices.Equal(got, []string{"ada", "bayes", "emmy", "kurt"}) {
		t.Errorf("the class is %q", got)
	}
	twins, _ := ReadClass("First name,Last name,Username\nAda,Byron,ada1\nAda,Byron,ada2\n", true)
	if got := twins.Member("Ada Byron"); got != "Ada Byron" {
		t.Errorf("of two of one name %q is taken", got)
	}
}
