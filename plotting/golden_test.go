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

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares the stills with the files in testdata/golden. After a wanted change: go test -run Golden -update, then look at them.
func TestGolden(t *testing.T) {
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

// wellFormed reads a document to its end and checks that it uses nothing that sanitisers remove or that runs.
func wellFormed(svg []byte) error {
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains([]string{"svg", "title", "desc", "g", "path", "circle", "text", "image"}, e.Name.Local) {
			return argument("SVG", "element", e.Name.Local, "a shape", "")
		}
		for _, a := range e.Attr {
			if a.Name.Local == "style" || a.Name.Local == "class" || strings.HasPrefix(a.Name.Local, "on") ||
				a.Name.Local == "href" && !strings.HasPrefix(a.Value, "data:image/png;base64,") {
				return argument("SVG", a.Name.Local, a.Value, "left out", "")
			}
			if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				return argument("SVG", a.Name.Local, a.Value, "finite", "")
			}
		}
	}
}

func TestSizes(t *testing.T) {
	figures := gallery()
	for name, limit := range map[string]int{"01scatter": 12000, "02regions": 16000, "03contour_filled": 24000, "12confusion": 4000, "18trellis": 6000, "22strip": 40000} {
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
