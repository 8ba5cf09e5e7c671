package bench

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
)

// TestSession reads the table of flights back: 19 columns with words, dates and gaps, the same from every call; and the cells are thirty
// in both languages.
func TestSession(t *testing.T) {
	folder := t.TempDir()
	for number := range 2 {
		if err := WriteFlights(folder, number, 5000); err != nil {
			t.Fatal(err)
		}
	}
	flights := datasets.OpenTable(folder + "/flights0.csv")
	if err := flights.Err(); err != nil {
		t.Fatal(err)
	}
	if flights.N() != 5000 || flights.D() != 19 || flights.Times("time_hour")[0].Year() != 2013 {
		t.Errorf("the table is %v", flights)
	}
	late := flights.Compute("late", "arr_delay > 15").DropMissing("late")
	if gone := flights.N() - late.N(); gone < 75 || gone > 175 {
		t.Errorf("%d of 5000 flights are cancelled, want 125", gone)
	}
	if share := late.GroupBy("year").Agg("s = share(late == 'yes')").Numbers("s")[0]; share < 0.1 || share > 0.4 {
		t.Errorf("a share of %v is late", share)
	}
	weather := datasets.OpenTable(folder + "/weather0.csv")
	if joined := late.Join(weather, "origin", "time_hour"); joined.N() != late.N() {
		t.Errorf("%d of %d flights have their weather", joined.N(), late.N())
	}
	planes := datasets.OpenTable(folder + "/planes0.csv")
	if joined := late.Join(planes, "tailnum"); joined.N() == late.N() || joined.N() < late.N()*9/10 {
		t.Errorf("%d of %d flights have their plane", joined.N(), late.N())
	}
	again := datasets.OpenTable(folder + "/flights1.csv")
	if a, b := flights.Numbers("distance"), again.Numbers("distance"); !slices.Equal(a, b) {
		t.Error("two calls draw different tables")
	}

	steps := SessionSteps(7)
	if len(steps) != 30 {
		t.Fatalf("the session has %d cells", len(steps))
	}
	for _, step := range steps {
		declarations, statements, _ := strings.Cut(step.Go, "%%\n")
		if step.Python == "" || strings.Contains(step.Go+step.Python, "@") {
			t.Errorf("%s: %+v", step.Name, step)
		}
		source := "package main\n" + declarations + "\nfunc main() {\n" + statements + "\n}\n"
		if _, err := parser.ParseFile(token.NewFileSet(), "cell.go", source, 0); err != nil {
			t.Errorf("%s: %v", step.Name, err)
		}
	}
}
