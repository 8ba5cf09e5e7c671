package syllabus

import (
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var folder = filepath.Join("..", "..", "..", "..", "..", "notebooks")

func course(t *testing.T) *Book {
	t.Helper()
	b, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestContents wants each item in one section of its document, no section empty, and each section to begin with its own item.
func TestContents(t *testing.T) {
	b := course(t)
	seen := map[string]bool{}
	for _, d := range b.Documents {
		for i, items := range b.Contents(d) {
			if len(items) == 0 || items[0].ID != d.Sections[i].First {
				t.Errorf("%s, %s does not begin with %s", d.Code, d.Sections[i].Title, d.Sections[i].First)
			}
			for _, it := range items {
				if seen[it.ID] {
					t.Errorf("%s stands in two sections", it.ID)
				}
				seen[it.ID] = true
			}
		}
	}
	if len(seen) != len(b.Items) || len(seen) != 881 {
		t.Errorf("the sections hold %d of %d items, want 881", len(seen), len(b.Items))
	}
}

// TestDepths knows the depths of a small course, and finds a circle.
func TestDepths(t *testing.T) {
	b := &Book{Needs: []Need{{"02", "01", "a"}, {"03", "02", "b"}, {"03", "01", "c"}, {"04", "09", "of another course"}}}
	got, err := b.Depths([]string{"03", "01", "02", "04"})
	if err != nil || got["01"] != 0 || got["02"] != 1 || got["03"] != 2 || got["04"] != 0 {
		t.Errorf("got %v, %v", got, err)
	}
	b.Needs = append(b.Needs, Need{"01", "03", "d"})
	if _, err := b.Depths([]string{"03", "01", "02"}); err == nil {
		t.Error("a circle is not found")
	}
}

var (
	label = regexp.MustCompile(`<text x="(\d+)" y="(\d+)">(\d\d)</text>`)
	name  = regexp.MustCompile(`<text [^>]*>([^<]+)</text>`)
)

// TestMap reads the drawing back: every chapter is there with its number and name, each to the right of what it needs, and no line runs
// through the circle of another chapter.
func TestMap(t *testing.T) {
	b := course(t)
	paths, err := filepath.Glob(filepath.Join(folder, "[0-9][0-9]-*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	var chapters []Chapter
	for _, path := range paths {
		if number, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".ipynb"), "-"); number != "00" {
			chapters = append(chapters, Chapter{number, name})
		}
	}
	figure, err := b.Map(chapters)
	if err != nil {
		t.Fatal(err)
	}
	data, err := figure.SVG()
	if err != nil {
		t.Fatal(err)
	}
	svg, places := string(data), map[string][2]float64{}
	for _, m := range label.FindAllStringSubmatch(svg, -1) {
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		places[m[3]] = [2]float64{x / 10, y / 10}
	}
	written := map[string]bool{}
	for _, m := range name.FindAllStringSubmatch(svg, -1) {
		written[m[1]] = true
	}
	for _, c := range chapters {
		if _, found := places[c.Number]; !found || !written[strings.ReplaceAll(c.Name, "-", " ")] {
			t.Errorf("chapter %s is not on the map with its name", c.Number)
		}
	}
	for _, n := range b.Needs {
		from, to := places[n.Needs], places[n.Chapter]
		if from[0] >= to[0] {
			t.Errorf("%s stands left of %s, which it needs", n.Chapter, n.Needs)
		}
		for c, at := range places {
			if c == n.Needs || c == n.Chapter || at[0] <= from[0] || at[0] >= to[0] {
				continue
			}
			dx, dy := to[0]-from[0], to[1]-from[1]
			if away := math.Abs(dx*(at[1]-from[1])-dy*(at[0]-from[0])) / math.Hypot(dx, dy); away < mapNode/2 {
				t.Errorf("the line from %s to %s runs through %s (%.1f px from its middle)", n.Needs, n.Chapter, c, away)
			}
		}
	}
}
