package plotting

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/go-echarts/go-echarts/v2/charts"

	"github.com/prlab/prlab/plotting/internal/live"
	"github.com/prlab/prlab/plotting/internal/scene"
)

// ticks puts the ticks, which travel as [place, label], in place of what encoding/json makes of their fields.
func ticks(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if at, ok := v["At"]; ok {
			return []any{at, v["Label"]}
		}
		for k := range v {
			v[k] = ticks(v[k])
		}
	case []any:
		for k := range v {
			v[k] = ticks(v[k])
		}
	}
	return v
}

// The writer of the spec writes what encoding/json makes of the tags.
func TestSpecIsTheTags(t *testing.T) {
	figures := gallery()
	figures["escapes"] = New(Points([]float64{1e-9, 2e21, -3e-7}, []float64{0, 1, 2}).Name("a\"b\\c\nd\x01e\u2028<&>é\xff")).Title("\t\r\b\f")
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		s, err := figures[name].scene()
		if err != nil {
			t.Fatal(err)
		}
		spec := live.Of(s)
		own, err := spec.JSON()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(spec); err != nil {
			t.Fatal(err)
		}
		var a, b any
		if err := json.Unmarshal(own, &a); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := json.Unmarshal(want.Bytes(), &b); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a, ticks(b)) {
			t.Errorf("%s: the spec differs from what its tags say:\n%.400s\n%.400s", name, own, want.Bytes())
		}
		if grown := len(own) - want.Len(); grown > 0 {
			t.Errorf("%s: %d bytes more than encoding/json writes", name, grown)
		}
	}
}

func TestSpecRefusesWhatIsNotFinite(t *testing.T) {
	if _, err := (&live.Spec{Figure: live.Figure{Width: math.NaN()}}).JSON(); err == nil {
		t.Error("NaN is written")
	}
}

// The series are called as go-echarts calls them.
func TestSeriesTypes(t *testing.T) {
	for kind, want := range map[scene.Kind]string{
		scene.Symbols: (*charts.Scatter)(nil).Type(), scene.Paths: (*charts.Line)(nil).Type(),
		scene.Areas: (*charts.Custom)(nil).Type(), scene.Rects: (*charts.Custom)(nil).Type(),
	} {
		if got := live.SeriesOf(kind); got != want {
			t.Errorf("%s: %s, go-echarts says %s", kind, got, want)
		}
	}
}
