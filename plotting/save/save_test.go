package save_test

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/plotting/save"
)

func figure() *plotting.Figure {
	return plotting.New(
		plotting.Regions(func(x, y float64) int {
			if x+y > 1 {
				return 1
			}
			return 0
		}, "a", "b"),
		plotting.Points([]float64{0, 1, 0.2}, []float64{0, 1, 0.9}).By([]int{0, 1, 1}, "a", "b"),
		plotting.Contours(func(x, y float64) float64 { return x * y }).Labels(),
	).Title("λ₁ ≤ 10⁻³, ‖w‖² → ∞").X("x₁").Y("x₂").Caption("日本語 is drawn as boxes")
}

func TestPNG(t *testing.T) {
	data, err := save.PNG(figure(), 1.5)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != 960 || b.Dy() != 630 {
		t.Errorf("%d x %d, want 960 x 630", b.Dx(), b.Dy())
	}
	white, coloured := 0, 0
	for y := range 630 {
		for x := range 960 {
			r, g, b, a := img.At(x, y).RGBA()
			switch {
			case a != 0xffff:
				t.Fatalf("pixel %d, %d is transparent", x, y)
			case r == 0xffff && g == 0xffff && b == 0xffff:
				white++
			case r != g || g != b:
				coloured++
			}
		}
	}
	if white < 50000 || coloured < 200000 {
		t.Errorf("%d white and %d coloured pixels", white, coloured)
	}
	if _, err := save.PNG(figure(), 0); err == nil {
		t.Error("scale 0 gave no error")
	}
}

func TestPDF(t *testing.T) {
	data, err := save.PDF(figure())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(data, []byte("%PDF-")) || !bytes.Contains(data, []byte("/MediaBox [0 0 480.00 315.00]")) ||
		!bytes.HasSuffix(bytes.TrimSpace(data), []byte("%%EOF")) {
		t.Errorf("not a page of 480 x 315 pt: %.80q", data)
	}
	if len(data) > 80000 {
		t.Errorf("%d bytes", len(data))
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.svg", "a.PDF", "a.png", "a.html"} {
		path := filepath.Join(dir, name)
		if err := save.File(figure(), path); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() < 2000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 4 {
		t.Errorf("%d files, want 4: %v", len(files), err)
	}
	if err := save.File(figure(), filepath.Join(dir, "a.bmp")); err == nil {
		t.Error("no error for .bmp")
	}
	if err := save.File(figure(), filepath.Join(dir, "none", "a.svg")); err == nil {
		t.Error("no error for a folder that is missing")
	}
	if err := save.File(plotting.Fault(fmt.Errorf("no model")), filepath.Join(dir, "b.svg")); err == nil || err.Error() != "no model" {
		t.Errorf("error of the figure: %v", err)
	}
}

func ExamplePDF() {
	page, err := save.PDF(plotting.New(plotting.Points([]float64{1, 2}, []float64{1, 3})))
	fmt.Println(err, string(page[:5]))
	// Output:
	// <nil> %PDF-
}

func ExamplePNG() {
	data, err := save.PNG(plotting.New(plotting.Points([]float64{1, 2}, []float64{1, 3})), 2)
	fmt.Println(err, string(data[1:4]))
	// Output:
	// <nil> PNG
}

func ExampleFile() {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	fmt.Println(save.File(plotting.New(plotting.VRule(1)), filepath.Join(dir, "rule.pdf")))
	// Output:
	// <nil>
}
