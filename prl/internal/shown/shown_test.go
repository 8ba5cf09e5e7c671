package shown_test

import (
	"image"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/shown"
)

type point struct {
	X, Y   float64
	Name   string
	secret int
}

type hidden struct{ secret int }

func TestAs(t *testing.T) {
	large := mat.NewDense(40, 30, nil)
	large.Set(39, 29, 7.25)
	var nothing *mat.Dense
	_ = point{secret: 1}.secret + hidden{}.secret
	for name, c := range map[string]struct {
		v           any
		known, html bool
		has         []string
		lacks       string
	}{
		"matrix":          {mat.NewDense(2, 2, []float64{1, 2.5, -3, 4}), true, true, []string{"2 x 2", "2.5", "−3"}, "…"},
		"large matrix":    {large, true, true, []string{"40 x 30", "…", "⋮", "⋱", "7.25", "39"}, " 20 "},
		"vector":          {mat.NewVecDense(3, []float64{1, 2, 3}), true, true, []string{"3 entries", "1", "3"}, "…"},
		"nil matrix":      {nothing, true, false, []string{"*mat.Dense", "nothing"}, ""},
		"rows":            {[][]float64{{1, 2}, {3, 4}}, true, true, []string{"2 x 2"}, ""},
		"rows of lengths": {[][]float64{{1, 2}, {3}}, true, true, []string{"different lengths", "(1, 2)"}, ""},
		"struct":          {point{1, 2, "a", 0}, true, true, []string{"shown_test.point", "X", "Name", "a"}, "secret"},
		"pointer":         {&point{1, 2, "a", 0}, true, true, []string{"Name"}, "secret"},
		"hidden struct":   {hidden{}, true, false, []string{"fields are its own"}, "{"},
		"structs":         {make([]point, 30), true, true, []string{"30 rows", "Name", "⋮", "29"}, "\n12"},
		"pointers":        {[]*point{{X: 4}, nil}, true, true, []string{"4"}, "0x"},
		"map":             {map[string]int{"b": 2, "a": 1}, true, true, []string{"2 keys", "a"}, ""},
		"map by numbers":  {map[int]string{10: "ten", 9: "nine"}, true, true, []string{"2 keys"}, ""},
		"map of matrices": {map[string]*mat.Dense{"A": large, "B": nil}, true, true, []string{"a 40 x 30 matrix"}, "0x"},
		"image":           {image.NewGray(image.Rect(0, 0, 8, 4)), true, true, []string{"8 x 4 pixels"}, ""},
		"empty image":     {image.NewGray(image.Rectangle{}), true, false, []string{"0 x 0"}, ""},
		"long slice":      {make([]int, 100), true, false, []string{"100 values", "…"}, ""},
		"empty slice":     {[]float64{}, true, false, []string{"empty []float64"}, ""},
		"short slice":     {[]float64{1, 2}, false, false, nil, ""},
		"time":            {time.Second, false, false, nil, ""},
		"number":          {3.5, false, false, nil, ""},
		"function":        {strings.ToUpper, true, false, []string{"a func(string) string"}, "0x"},
	} {
		b, known := shown.As(c.v)
		if known != c.known || (b.HTML != "") != c.html {
			t.Errorf("%s: %v, %+v", name, known, b)
		}
		for _, want := range c.has {
			if !strings.Contains(b.Text, want) {
				t.Errorf("%s: %q is not in %q", name, want, b.Text)
			}
		}
		if c.lacks != "" && strings.Contains(b.Text, c.lacks) {
			t.Errorf("%s: %q is in %q", name, c.lacks, b.Text)
		}
	}
	if b, _ := shown.As(map[int]string{10: "ten", 9: "nine"}); strings.Index(b.Text, "nine") > strings.Index(b.Text, "ten") {
		t.Errorf("keys in the order of words: %s", b.Text)
	}
}
