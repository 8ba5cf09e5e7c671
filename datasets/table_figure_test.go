package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/plotting"
)

// TestBox reads the boxes of two groups back. Of 0 ... 8 and 100 the quartiles are 2.25, 4.5 and 6.75, so that whiskers reach from -4.5 to
// 13.5 at most: from 0 to 8.
func TestBox(t *testing.T) {
	values := []float64{3, 100, 1, 7, 0, 5, 4, 8, 2, 6, 7, math.NaN()}
	words := append(slices.Repeat([]string{"ten"}, 10), "one", "one")
	fig := NewTable("t").With("v", values).With("of", words).Box("v", "of")
	ten, one := fig.Drawn("ten"), fig.Drawn("one")
	for want, got := range map[string]any{
		"[[[1 0] [1 2.25]] [[0.88 0] [1.12 0]] [[1 6.75] [1 8]] [[0.88 8] [1.12 8]] [[0.7 4.5] [1.3 4.5]]]": ten.Paths(),
		"[[1 100]]": ten.Points(),
		"[[[0 7] [0 7]] [[-0.12 7] [0.12 7]] [[0 7] [0 7]] [[-0.12 7] [0.12 7]] [[-0.3 7] [0.3 7]]]": one.Paths(),
		"2.7": math.Round(1e9*ten.Area()) / 1e9, // 0.6 wide and 4.5 high
		"[true true false false]": []bool{
			ten.Covers(0.71, 2.26), ten.Covers(1.29, 6.74), ten.Covers(1, 2.24), ten.Covers(1, 6.76),
		},
	} {
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	if got := fmt.Sprint(fig.View().Words()); got != "[t of v]" {
		t.Errorf("the words of the figure are %s", got)
	}
}

// What is drawn of a table are its rows without gaps.
func TestTableFigures(t *testing.T) {
	penguins := PalmerPenguins()
	whole := penguins.DropMissing("bill length", "body mass")
	drawn := penguins.Scatter("bill length", "body mass").Layer(0).Points()
	if len(drawn) != whole.N() {
		t.Fatalf("%d points, want %d", len(drawn), whole.N())
	}
	for i, p := range drawn {
		if math.Abs(p[0]-whole.Numbers("bill length")[i]) > 1e-6 || math.Abs(p[1]-whole.Numbers("body mass")[i]) > 1e-6 {
			t.Fatalf("point %d is %v", i, p)
		}
	}
	if bars := penguins.Histogram("island").Layer(0).Bars(); !slices.Equal(bars, []float64{168, 124, 52}) {
		t.Errorf("bars of %v rows", bars)
	}
	for name, f := range map[string]*plotting.Figure{
		"by words":  penguins.Scatter("bill length", "body mass", "species"),
		"by values": penguins.Scatter("egg laid", "body mass", "flipper length"),
		"line":      penguins.Line("egg laid", "body mass"),
		"histogram": penguins.Histogram("body mass", "species"),
		"dates":     penguins.Histogram("egg laid"),
		"words":     penguins.Histogram("island"),
		"boxes":     penguins.Box("body mass", "species"),
		"box":       penguins.Box("egg laid"),
		"all":       penguins.Correlations(),
		"two":       penguins.Correlations("bill length", "body mass"),
	} {
		if _, err := f.SVG(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for want, f := range map[string]*plotting.Figure{
		`Scatter: there is no column "bil length"; did you mean "bill length"?`: penguins.Scatter("bil length", "body mass"),
		`Line: the column "species" holds words`:                                penguins.Line("species", "body mass"),
		`Histogram: the column "sex" holds words`:                               penguins.Histogram("sex", "island"),
		`Box: the column "species" holds words`:                                 penguins.Box("species"),
		"Box: 2 columns for the groups":                                         penguins.Box("body mass", "species", "sex"),
		`the column "body mass" has 94 words`:                                   penguins.Box("bill length", "body mass"),
		"there is no such file":                                                 OpenTable("nowhere.csv").Scatter("a", "b"),
		"every row has a gap":                                                   NewTable("t").With("a", []float64{math.NaN()}).Histogram("a"),
	} {
		if err := f.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
