package live

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
)

var (
	moons = datasets.Moons(6, 0.1, 1)
	iris  = datasets.Iris().Rows(0, 1, 60, 61)
	odds  = mat.NewDense(2, 2, []float64{0.5, 0.5, 0.2, 0.8})
)

// everything asks for an input of each kind, and holds the promises about what it gets; t is needed for a broken one only.
func everything(t *testing.T) Func {
	within := func(what string, v, lo, hi float64) {
		if !(lo <= v && v <= hi) {
			t.Errorf("%s is %v, outside %v ... %v", what, v, lo, hi)
		}
	}
	sum := func(what string, list []float64) {
		total := 0.0
		for _, v := range list {
			within(what, v, 0, 1)
			total += v
		}
		within("the sum of "+what, total, 1-1e-9, 1+1e-9)
	}
	kept := func(what string, set, of datasets.Set) {
		for _, v := range set.X.RawMatrix().Data {
			within(what, v, -1e9, 1e9)
		}
		if len(set.Y) != set.N() || set.D() != of.D() {
			t.Errorf("%s: %d labels for %d x %d", what, len(set.Y), set.N(), set.D())
		}
		for _, c := range set.Y {
			within("class", float64(c), 0, float64(of.K()-1))
		}
	}
	return func(in *Inputs) *plotting.Figure {
		within("slider", in.Slider("slider", -1, 2), -1, 2)
		within("log", in.Slider("log", 1e-3, 1e3, Log), 1e-3, 1e3)
		stop := in.Slider("step", 0.1, 1, Step(0.1))
		within("step", stop, 0.1, 1)
		within("a stop", math.Abs(stop*10-math.Round(stop*10)), 0, 1e-9)
		if w := in.Choice("choice", "x", "y", "z"); !slices.Contains([]string{"x", "y", "z"}, w) {
			t.Errorf("choice %q", w)
		}
		in.Toggle("toggle", true)
		x, y := in.Point("point", 0.5, 0.25)
		within("x", x, -1e9, 1e9)
		within("y", y, -1e9, 1e9)
		if _, y := in.Point("horizontal", 0.5, 0.25, Horizontal); y != 0.25 {
			t.Errorf("y is %v", y)
		}
		if x, _ := in.Point("vertical", 0.5, 0.25, Vertical); x != 0.5 {
			t.Errorf("x is %v", x)
		}
		drag := in.Points("drag", iris)
		kept("drag", drag, iris)
		if !slices.Equal(drag.Y, iris.Y) || !mat.Equal(drag.X.Slice(0, 4, 2, 4), iris.X.Slice(0, 4, 2, 4)) {
			t.Error("dragging changes classes or other features")
		}
		turn := in.Points("turn", moons, Turn)
		kept("turn", turn, moons)
		if turn.N() != moons.N() {
			t.Errorf("turning makes %d points", turn.N())
		}
		grow := in.Points("grow", moons, Grow, Turn)
		kept("grow", grow, moons)
		within("points", float64(grow.N()), 1, mostRows)
		for _, v := range in.Values("values", []string{"a", "b"}, []float64{1, -2}) {
			within("values", v, -4, 2)
		}
		sum("a distribution", in.Values("sum", []string{"a", "b", "c"}, []float64{0.25, 0.25, 0.5}, Sum(1)))
		for _, v := range in.Table("table", []string{"r"}, []string{"a", "b"}, mat.NewDense(1, 2, nil), Within(-1, 1)).RawMatrix().Data {
			within("table", v, -1, 1)
		}
		rows := in.Table("rows", []string{"r", "s"}, []string{"a", "b"}, odds, Rows(1))
		sum("row 1", rows.RawRowView(0))
		sum("row 2", rows.RawRowView(1))
		if s := in.Text("text", "time flies"); !utf8.ValidString(s) || utf8.RuneCountInString(s) > mostText || strings.ContainsAny(s, "\n\x00") {
			t.Errorf("text %q", s)
		}
		if s := in.Seed("seed"); s >= lastSeed {
			t.Errorf("seed %d", s)
		}
		mean, cov := in.Ellipse("ellipse", []float64{0.5, 0.25}, mat.NewSymDense(2, []float64{2, 0.5, 0.5, 1}))
		within("centre x", mean[0], -1e9, 1e9)
		within("centre y", mean[1], -1e9, 1e9)
		var chol mat.Cholesky
		if !chol.Factorize(cov) {
			t.Errorf("covariance %v", mat.Formatted(cov))
		}
		return plotting.New(plotting.Points([]float64{0, 1}, []float64{0, 1}))
	}
}

var hostile = []string{
	`null`, `true`, `-1`, `1`, `2.5`, `1e308`, `-1e308`, `1e-320`, `9007199254740993`, `""`, `"a\u0000\ud800\nb"`, `[]`, `[[]]`, `[null]`,
	`[1]`, `[1,2]`, `[1e300,-1e300]`, `["a","b"]`, `[1,2,3]`, `[0,0,0]`, `[-1,-1,-1]`, `[1e308,1e308,1e308]`, `[[1,2],[3,4]]`, `[[0,0],[0,0]]`,
	`[[1,2,1],[1,2,0],[1,2,9],[1,2,-1],[1,2,0.5],[1,2,null]]`, `[[1,2,1],[1,2,0],[1,2,9],[1,2]]`, `[[1e300,2],[3,4],[5,6],[7,8]]`,
	`[[1,2,1]]`, `[[1e-320,1],[1,0]]`, `[` + strings.Repeat(`[0,0,0],`, 600) + `[1,1,1]]`, `"` + strings.Repeat("ä", 3000) + `"`,
}

// Whatever a page gives, each input keeps its promises.
func TestHostileValues(t *testing.T) {
	f := everything(t)
	var names Inputs
	f(&names)
	for k, i := range names.asked {
		for _, v := range hostile {
			given := "[" + strings.Repeat("null,", k) + v + "]"
			g := New(f)
			a := step(t, g, given, true)
			if a.Fault != "" || a.Spec == nil {
				t.Errorf("%s %s: %s %s", i.title(), v, a.Fault, a.HTML)
			}
		}
	}
	everywhere := "[" + strings.Repeat("7,", 50) + "7]"
	if a := step(t, New(f), everywhere, false); a.Fault != "" {
		t.Errorf("more values than inputs: %s", a.Fault)
	}
}

// What the reader sets arrives.
func TestValuesArrive(t *testing.T) {
	got := map[string]any{}
	g := New(func(in *Inputs) *plotting.Figure {
		got["slider"] = in.Slider("slider", 0, 1, Step(0.1))
		got["choice"] = in.Choice("choice", "x", "y")
		got["toggle"] = in.Toggle("toggle", true)
		x, y := in.Point("point", 0, 0)
		got["point"] = []float64{x, y}
		far, _ := in.Point("far", 0, 0, Horizontal)
		got["far"] = far
		drag := in.Points("drag", iris)
		got["drag"] = []float64{drag.X.At(2, 0), drag.X.At(2, 1)}
		grow := in.Points("grow", moons, Grow, Turn)
		got["grow"], got["classes"], got["last"] = grow.N(), grow.Y, mat.Row(nil, 1, grow.X)
		got["values"] = in.Values("values", []string{"a", "b"}, []float64{1, 2})
		got["sum"] = in.Values("sum", []string{"a", "b"}, []float64{0.5, 0.5}, Sum(1))
		got["table"] = in.Table("table", []string{"r", "s"}, []string{"a", "b"}, odds, Rows(1)).RawMatrix().Data
		got["text"] = in.Text("text", "time flies")
		got["seed"] = in.Seed("seed")
		mean, cov := in.Ellipse("ellipse", []float64{1, 1}, mat.NewSymDense(2, []float64{4, 0, 0, 1}))
		got["ellipse"] = append(mean, cov.At(0, 0), cov.At(0, 1), cov.At(1, 1))
		return plotting.New().XRange(0, 9).YRange(0, 9)
	})
	a := step(t, g, `[0.31, 1, false, [2, 3], [99, 4], [[0,0],[0,0],[6,7],[0,0]], [[1,2,0],[3,4,1]], [3.5, 0.5], [0.2, 0.6],
		[[0.3, 0.9], null], "fruit \u00e4 \ud83d\ude00", 4, [[2, 3], [2, 6], [0, 5]]]`, false)
	if a.Fault != "" {
		t.Fatal(a.Fault, a.HTML)
	}
	want := map[string]any{
		"slider": 0.3, "choice": "y", "toggle": false, "point": []float64{2, 3}, "far": 9.0, "drag": []float64{6, 7},
		"grow": 2, "classes": []int{0, 1}, "last": []float64{3, 4}, "values": []float64{3.5, 0.5}, "sum": []float64{0.25, 0.75},
		"table": []float64{0.25, 0.75, 0.2, 0.8}, "text": "fruit ä 😀", "seed": uint64(4),
		"ellipse": []float64{2, 3, 4, 0, 9}, // the first axis points up and is 3 long; across it, 2
	}
	for name, w := range want {
		if n, ok := w.([]float64); ok {
			for i, v := range got[name].([]float64) {
				if math.Abs(v-n[i]) > 1e-12 {
					t.Errorf("%s is %v, want %v", name, got[name], w)
				}
			}
		} else if !reflect.DeepEqual(got[name], w) {
			t.Errorf("%s is %v, want %v", name, got[name], w)
		}
	}
}

// The description of inputs is JSON, whatever their names.
func TestDescription(t *testing.T) {
	var in Inputs
	name := "a \"quoted\" \\ \n <b> \u2028 \xff 😀"
	in.Choice(name, name, "")
	everything(t)(&in)
	var list []map[string]any
	if err := json.Unmarshal([]byte(describe(in.asked)), &list); err != nil {
		t.Fatal(err, describe(in.asked))
	}
	if got := list[0]["name"]; got != strings.ToValidUTF8(name, "\uFFFD") || list[0]["words"].([]any)[0] != got {
		t.Errorf("the name is %q", got)
	}
	if got := list[1]; got["lo"] != -1.0 || got["hi"] != 2.0 || got["value"] != 0.5 || got["log"] != nil {
		t.Errorf("slider %v", got)
	}
	if got := list[10]; got["kind"] != "points" || got["turn"] != true || got["grow"] != nil || len(got["xy"].([]any)) != 6 {
		t.Errorf("points %v", got)
	}
}

// The zero Inputs give every input as it begins.
func TestZeroInputs(t *testing.T) {
	var in Inputs
	if got := in.Slider("a", 1, 100, Log); math.Abs(got-10) > 1e-12 {
		t.Errorf("slider %v", got)
	}
	cov := mat.NewSymDense(2, []float64{2, 0.5, 0.5, 1})
	if m, S := in.Ellipse("c", []float64{1, 2}, cov); m[0] != 1 || m[1] != 2 || !mat.Equal(S, cov) {
		t.Errorf("ellipse %v, %v", m, mat.Formatted(S))
	}
	for i, bad := range []func(){
		func() { in.Ellipse("long", []float64{1}, cov) },
		func() { in.Ellipse("none", []float64{1, 2}, nil) },
		func() { in.Ellipse("flat", []float64{1, 2}, mat.NewSymDense(2, []float64{1, 1, 1, 1})) },
	} {
		if got := cell.Capture(bad); !got.Failed {
			t.Errorf("bad ellipse %d is taken", i)
		}
	}
	if got := in.Points("b", iris); !mat.Equal(got.X, iris.X) {
		t.Error("points have moved")
	}
	if got := cell.Capture(func() { in.Seed("a") }); !got.Failed {
		t.Error("a name stands twice")
	}
}

func FuzzStep(f *testing.F) {
	for _, v := range hostile {
		f.Add("["+v+","+v+"]", true)
	}
	f.Fuzz(func(t *testing.T, given string, draft bool) {
		if len(given) > 1<<12 {
			return
		}
		text := New(everything(t)).Step(given, draft)
		if !json.Valid([]byte(text)) {
			t.Errorf("the answer is no JSON: %s", text)
		}
	})
}

// What encoding/json reads, read reads alike, and what it refuses, read refuses, except that read knows no objects and no depth.
func FuzzRead(f *testing.F) {
	odd := []string{` [ 1 , "\/\b\t" ] `, `01`, `1.`, `-`, `.5`, `1e5`, `1E+5`, `"\u12`, `"\ud83d\ude00"`, `nulll`, "\"\t\""}
	for _, v := range append(odd, hostile...) {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "{") || strings.Count(s, "[") > 8 || !utf8.ValidString(s) {
			return
		}
		got, err := read(s)
		var want any
		if wrong := json.Unmarshal([]byte(s), &want); (err == nil) != (wrong == nil) {
			t.Fatalf("%q: %v, and encoding/json says %v", s, err, wrong)
		} else if err == nil && !reflect.DeepEqual(got.any(), want) {
			t.Fatalf("%q is %v, and encoding/json says %v", s, got.any(), want)
		}
	})
}

func (v value) any() any {
	switch v.kind {
	case isNumber:
		return v.number
	case isBool:
		return v.bool
	case isText:
		return v.text
	case isList:
		list := []any{}
		for _, e := range v.list {
			list = append(list, e.any())
		}
		return list
	}
	return nil
}
