package plotting

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestGolden compares the stills with the files in testdata/golden. After a wanted change: go test -run Golden -update, then look at them.
func TestGolden(t *testing.T) {
	if x := 1 + 0x1p-27; joined(x, x, -(1+0x1p-26)) != 0 {
		t.Skip("this build adds to a product before it is rounded, and its lines keep other points; " +
			"-gcflags=all=-d=fmahash=qn, with which go tool prl test calls go test here, builds what draws these files")
	}
	figures := gallery()
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		svg, err := figures[name].SVG()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := wellFormed(svg); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "23huge" || name == "24mid" { // their size is the test
			if len(svg) > 80000 {
				t.Errorf("%s has %d bytes", name, len(svg))
			}
			continue
		}
		path := filepath.Join("testdata", "golden", name+".svg")
		if *update {
			if err := os.WriteFile(path, svg, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(svg, want) {
			t.Errorf("%s differs from %s", name, path)
		}
	}
}

// joined is 0 where products are rounded before something is added to them.
//
//go:noinline
func joined(x, y, z float64) float64 { return x*y + z }

// wellFormed reads a document to its end and checks that it uses nothing that sanitisers remove or that runs, and refers to nothing but
// its own parts.
func wellFormed(svg []byte) error {
	d := xml.NewDecoder(bytes.NewReader(svg))
	ids, uses := map[string]bool{}, map[string]bool{}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains(
			[]string{"svg", "title", "desc", "defs", "g", "use", "marker", "linearGradient", "stop", "path", "circle", "text", "image"},
			e.Name.Local,
		) {
			return argument("SVG", "element", e.Name.Local, "a shape", "")
		}
		for _, a := range e.Attr {
			own, reference := strings.CutPrefix(a.Value, "#")
			switch {
			case a.Name.Local == "id":
				if ids[a.Value] {
					return argument("SVG", "id", a.Value, "unique", "")
				}
				ids[a.Value] = true
			case a.Name.Local == "href" && e.Name.Local == "use" && reference:
				uses[own] = true
			case strings.HasPrefix(a.Value, "url(#") && strings.HasSuffix(a.Value, ")"):
				uses[a.Value[5:len(a.Value)-1]] = true
			case a.Name.Local == "style" || a.Name.Local == "class" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "url(") ||
				a.Name.Local == "href" && !strings.HasPrefix(a.Value, "data:image/png;base64,"):
				return argument("SVG", a.Name.Local, a.Value, "left out", "")
			}
			if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				return argument("SVG", a.Name.Local, a.Value, "finite", "")
			}
		}
	}
	for id := range uses {
		if !ids[id] {
			return argument("SVG", "reference", id, "the id of an element", "")
		}
	}
	for id := range ids {
		if !uses[id] {
			return argument("SVG", "id", id, "used", "")
		}
	}
	return nil
}

func TestSizes(t *testing.T) {
	figures := gallery()
	for name, limit := range map[string]int{
		"01scatter": 5000, "02regions": 7000, "03contour_filled": 13000, "12confusion": 3000,
		"18trellis": 4000, "22strip": 9000, "32slope": 9000,
	} {
		svg, err := figures[name].SVG()
		if err != nil {
			t.Fatal(err)
		}
		if len(svg) > limit {
			t.Errorf("%s has %d bytes, more than %d", name, len(svg), limit)
		}
	}
}

func TestTwice(t *testing.T) {
	a, b := gallery(), gallery()
	for name := range a {
		x, err := a[name].SVG()
		if err != nil {
			t.Fatal(err)
		}
		y, err := b[name].SVG()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(x, y) {
			t.Errorf("%s differs from one run to the next", name)
		}
	}
}
