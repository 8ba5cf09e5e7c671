package reference

import "testing"

// TestCoverage makes sure that no case is left out in silence.
func TestCoverage(t *testing.T) {
	table := readTable(t)
	known := map[string]bool{}
	ran := 0
	for _, c := range table.Cases {
		if known[c.ID] {
			t.Errorf("%s stands in the table twice", c.ID)
		}
		known[c.ID] = true
		if c.Title == "" || len(c.Expected) == 0 || len(c.Tolerance) == 0 {
			t.Errorf("%s lacks a title, expected figures or a tolerance", c.ID)
		}
		switch c.Source["kind"] {
		case "certified", "published":
			if c.Source["where"] == "" {
				t.Errorf("%s: a %s figure needs its place", c.ID, c.Source["kind"])
			}
		case "closed form", "computed":
			if c.Source["where"] == "" && c.Source["program"] == "" {
				t.Errorf("%s names neither formula nor program", c.ID)
			}
		default:
			t.Errorf("%s has a source of kind %q", c.ID, c.Source["kind"])
		}
		if _, runs := areas[c.Area][c.ID]; !runs {
			t.Errorf("%s is not run", c.ID)
		} else {
			ran++
		}
	}
	for _, w := range table.Withheld {
		if known[w.ID] {
			t.Errorf("%s is withheld and stands in the table", w.ID)
		}
		known[w.ID] = true
		if w.Reason == "" {
			t.Errorf("%s is withheld without a reason", w.ID)
		}
	}
	for area, cases := range areas {
		for id := range cases {
			if !known[id] {
				t.Errorf("area %s runs %s, which the table does not have", area, id)
			}
		}
	}
	t.Logf("%d cases run, %d are withheld", ran, len(table.Withheld))
}
