package plotting

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prlab/prlab/plotting/internal/scene"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/number"
)

// wholeImage is all that a figure may be in a page: four attributes, none of them opened or closed by a string of strangers.
var wholeImage = regexp.MustCompile(
	`^<img class="prl-figure" alt="([^"<>]*)" style="max-width:100%" src="data:image/svg\+xml;base64,([A-Za-z0-9+/=]*)" ` +
		`data-prl-figure="([A-Za-z0-9+/=]*)" onload="\(window\.prlQueue=window\.prlQueue\|\|\[\]\)\.push\(this\);window\.PrlPlot&amp;&amp;` +
		`PrlPlot\.drain\(\)">$`,
)

// drawn draws f in both forms, live and still, within bounds for a figure of so many bytes of texts and numbers, and returns the spec of
// the live form. It returns nil when f carries an error about an argument.
func drawn(t *testing.T, f *Figure, size int) map[string]any {
	t.Helper()
	var text, alt string
	var err error
	fuzztest.Bounded(t, size, 24<<20, func() { text, alt, err = f.image() }) // a figure of two points takes 1 MB, most of it for gzip
	if err != nil {
		var wrong *fault.ArgumentError
		if !errors.As(err, &wrong) {
			t.Fatalf("%v is no argument error", err)
		}
		return nil
	}
	parts := wholeImage.FindStringSubmatch(text)
	if parts == nil {
		t.Fatalf("more or less than one image: %.3000s", text)
	}
	if !utf8.ValidString(alt) {
		t.Errorf("the description %q is not UTF-8", alt)
	}
	svg, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil {
		t.Fatal(err)
	}
	if err := wellFormed(svg); err != nil {
		t.Fatal(err)
	}
	if most := 300_000 + 200*size; len(svg) > most {
		t.Errorf("a picture of %d bytes, at most %d are allowed", len(svg), most)
	}
	packed, err := base64.StdEncoding.DecodeString(parts[3])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if most := 300_000 + 200*size; len(data) > most {
		t.Errorf("a spec of %d bytes, at most %d are allowed", len(data), most)
	}
	var spec map[string]any
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	return spec
}

// FuzzStrings puts a text into every place that takes one.
func FuzzStrings(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 {
			return
		}
		x := []float64{1, 2}
		fig := Row(
			New(
				Points(x, x).By([]int{0, 1}, s, s+"2").Labels(s, "b").Notes(s, s),
				Text(1, 1, s).Halo(),
				VRule(1).Label(s),
				Arrow(1, 1, 2, 2).Label(s),
				Line(x, x).Name(s),
			).
				Title(s).
				Subtitle(s).
				Caption(s).
				X(s).
				Y(s).
				XCategories(s, s).
				YCategories(s, s).
				Link(s),
			New(Heat([][]float64{{1, 2}}).Rows(s).Columns(s, s).Values("%v").Label(s)).Title(s),
			New(Bars(x).Categories(s, "b").Name(s)).YTicks(x, s, s),
			New(Graph([]Node{{Name: "n" + s, Class: s, Note: s}, {Name: "m", Label: s}}, []Edge{{From: "m", To: "n" + s, Label: s}}).Directed()),
			New(Trellis([]string{s}, 1).Observations(s)),
			New(Dendrogram([][4]float64{{0, 1, 1, 2}}, s, s)),
		).Title(s)
		spec := drawn(t, fig, 30*len(s))
		if spec == nil {
			t.Fatal(fig.Err())
		}
		title, _ := spec["fig"].(map[string]any)["title"].(string)
		if utf8.ValidString(s) && title != s && strings.TrimSpace(title) != strings.TrimSpace(s) {
			t.Logf("the title %q travels as %q", s, title)
		}
	})
}

// numbersFrom reads 8 bytes a number. Every eighth bit pattern is a special number, which random bytes seldom are.
func numbersFrom(data []byte) []float64 {
	special := []float64{
		math.NaN(),
		math.Inf(1),
		math.Inf(-1),
		0,
		math.Copysign(0, -1),
		5e-324,
		1e-320,
		math.MaxFloat64,
		-math.MaxFloat64,
		scene.Largest,
		-scene.Largest,
		math.Nextafter(scene.Largest, math.Inf(1)),
		1,
		-1,
		1 + 1e-15,
		1e15,
	}
	var v []float64
	for len(data) >= 8 && len(v) < 30 {
		x := math.Float64frombits(binary.LittleEndian.Uint64(data))
		if data[0]%8 == 7 {
			x = special[data[1]%16]
		}
		v, data = append(v, x), data[8:]
	}
	return v
}

// FuzzNumbers draws the numbers in one of all layers, on one of all kinds of axes.
func FuzzNumbers(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, which, axes byte, a, b float64) {
		v := numbersFrom(data)
		if len(v) == 0 {
			return
		}
		all := every(v)
		fig := all[int(which)%len(all)]
		for i, change := range []func(*Figure) *Figure{
			(*Figure).LogX, (*Figure).LogY, (*Figure).Equal, func(f *Figure) *Figure { return f.XRange(a, b) },
			func(f *Figure) *Figure { return f.YRange(b, a) },
			func(f *Figure) *Figure { return f.Size(a, b) }, func(f *Figure) *Figure { return f.XTicks(v) },
			func(f *Figure) *Figure { return f.Start(int(int8(which))) },
		} {
			if axes>>i&1 != 0 {
				fig = change(fig)
			}
		}
		if spec := drawn(t, fig, 64*len(v)); spec == nil && axes&0xf8 == 0 {
			t.Fatal(fig.Err())
		}
	})
}

// FuzzShapes gives the layers that take indices, sizes and names indices, sizes and names that may not fit.
func FuzzShapes(f *testing.F) {
	f.Fuzz(func(t *testing.T, layer byte, data []byte, n int, format string) {
		if len(data) > 64 || len(format) > 100 {
			return
		}
		at := func(i int) int {
			if i < len(data) {
				return int(int8(data[i]))
			}
			return i
		}
		var ints []int
		var rows [][]float64
		var texts []string
		for i := range data {
			ints = append(ints, at(i))
			texts = append(texts, strconv.Itoa(at(i)))
			if i%3 == 0 {
				rows = append(rows, nil)
			}
			rows[len(rows)-1] = append(rows[len(rows)-1], float64(at(i)))
		}
		states := texts[:min(len(texts), 4)]
		var fig *Figure
		switch layer % 12 {
		case 0:
			fig = New(Trellis(states, n%8).Path(ints).Values(rows).Format(format))
		case 1:
			fig = New(Trellis(states, n%8).Back([][]int{ints, ints[:len(ints)/2]}).Observations(texts...).Labels([][]string{states, texts}).
				Notes([][]string{texts, states}))
		case 2:
			var merges [][4]float64
			for i := 0; i+3 < len(data); i += 4 {
				merges = append(merges, [4]float64{float64(at(i)), float64(at(i + 1)), float64(at(i + 2)), float64(at(i + 3))})
			}
			fig = New(Dendrogram(merges, texts...).Cut(float64(n)))
		case 3:
			var edges []Edge
			for i := 0; i+1 < len(texts); i++ {
				edges = append(edges, Edge{From: texts[i], To: texts[i+1], Weight: float64(at(i)), Label: format})
			}
			var nodes []Node
			for i, s := range texts {
				nodes = append(nodes, Node{Name: s, X: float64(at(i)), Y: float64(n), Label: format})
			}
			fig = New(Graph(nodes, edges).Directed().Circle())
		case 4:
			fig = New(Heat(rows).Rows(texts...).Columns(format).Values(format))
		case 5:
			fig = New(Heat(rows).Values(format).Range(float64(n), float64(at(0))))
		case 6:
			fig = New(Histogram([]float64{1, 2, 3, float64(n)}).Bins(n))
		case 7:
			fig = New(Points([]float64{1, 2, 3}, []float64{1, 2, 3}).By(ints, texts...).Marker(format))
		case 8:
			fig = New(Bars([]float64{1, 2, float64(n)}).By(texts...).Categories(texts...))
		case 9:
			fig = New(Contours(func(x, y float64) float64 { return x * y }).Count(n).Levels(float64(at(0)), float64(at(1))))
		case 10:
			fig = New(
				Regions(func(x, y float64) int { return at(int(math.Abs(math.Mod(x*7, 64)))) }, texts...).Resolution(n),
			).XRange(0, 9).
				YRange(0, 9)
		case 11:
			fig = New(
				EllipseOf(
					[]float64{float64(at(0)), float64(at(1))},
					[][]float64{{float64(at(2)), float64(at(3))}, {float64(at(4)), float64(at(5))}},
				).Sigma(float64(n)),
			)
		}
		drawn(t, fig, 2000+64*(len(data)*(1+len(format))))
	})
}

// FuzzFormat writes numbers as labels and reads them back.
func FuzzFormat(f *testing.F) {
	f.Fuzz(func(t *testing.T, v, step float64) {
		text := scene.FormatNumber(v)
		if len(text) > 60 || !utf8.ValidString(text) {
			t.Errorf("%v is written as %q", v, text)
		}
		if v-v == 0 && v != 0 {
			back, err := readBack(text)
			if err != nil || math.Abs(back-v) > 1e-5*math.Abs(v) {
				t.Errorf("%v is written as %q, which reads %v (%v)", v, text, back, err)
			}
		}
		if s := number.Step(v, math.Abs(step)); len(s) > 400 || !utf8.ValidString(s) {
			t.Errorf("%v in steps of %v is written as %q", v, step, s)
		}
	})
}

// readBack reads "−2.5×10⁸", "10⁻³" and "12,345".
func readBack(text string) (float64, error) {
	text = powerOfTen.ReplaceAllString(text, "${1}1×10${2}")
	text = strings.NewReplacer("−", "-", ",", "", "×10", "e", "⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6",
		"⁷", "7", "⁸", "8", "⁹", "9").
		Replace(text)
	return strconv.ParseFloat(text, 64)
}

var powerOfTen = regexp.MustCompile(`^(−?)10([⁻⁰¹²³⁴-⁹]+)$`)
