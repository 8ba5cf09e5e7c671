package notebook

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestForStudents(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# Trees\n\nA lecturer asks.", "# Trees\n\nA lecturer asks."},
		{"## Appendix for lecturers: misprints\n\n<details><summary>Two</summary>\n\n* one\n\n</details>", ""},
		{"<details><summary>For lecturers: one</summary>\n\n<details><summary>x</summary></details>\n\n</details>", ""},
		{"It teaches.\n\n<details>\n<summary>For lecturers: more</summary>\n\n* one\n\n</details>\n\nMore.", "It teaches.\n\nMore."},
		{"The story.\n\n### For lecturers: corrections\n\n* one\n\n## Next\n\nText.", "The story.\n\n## Next\n\nText."},
		{"<details><summary>Why</summary>\n\nFor lecturers.\n</details>", "<details><summary>Why</summary>\n\nFor lecturers.\n</details>"},
	} {
		n := &Notebook{raw: map[string]any{}, Cells: []*Cell{{map[string]any{"cell_type": "markdown", "source": c.text}}}}
		n.ForStudents()
		got := ""
		for _, one := range n.Cells {
			got += one.Source()
		}
		if got != c.want || (c.want == "") != (len(n.Cells) == 0) {
			t.Errorf("%q: %d cells, %q; want %q", c.text, len(n.Cells), got, c.want)
		}
	}
}

// TestChaptersForStudents looks for what is not for students in all chapters, and for cells that are lost or changed without need.
func TestChaptersForStudents(t *testing.T) {
	paths, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d chapters, %v", len(paths), err)
	}
	changed := 0
	for _, path := range paths {
		n, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		before := map[string]string{}
		for _, c := range n.Cells {
			if !slices.Contains(c.Tags(), "solution") {
				before[c.ID()] = c.Source()
			}
		}
		n.ForStudents()
		for _, c := range n.Cells {
			if _, known := before[c.ID()]; !known || c.IsCode() && strings.Contains(c.Source(), "prl.Solution(") {
				t.Errorf("%s: cell %s gives a solution", path, c.ID())
			}
			if strings.Contains(c.Source(), "or lecturers") {
				t.Errorf("%s: cell %s is for lecturers", path, c.ID())
			}
			if c.Source() != before[c.ID()] {
				changed++
			}
			delete(before, c.ID())
		}
		for id, text := range before {
			if !strings.Contains(text, "or lecturers") {
				t.Errorf("%s: cell %s is lost", path, id)
			}
		}
	}
	if changed == 0 {
		t.Error("no cell has a part for lecturers beside others; this test then tests nothing")
	}
}
