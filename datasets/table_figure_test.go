package datasets

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/plotting"
)

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
		"there is no such file":                                                 OpenTable("nowhere.csv").Scatter("a", "b"),
		"every row has a gap":                                                   NewTable("t").With("a", []float64{math.NaN()}).Histogram("a"),
	} {
		if err := f.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
