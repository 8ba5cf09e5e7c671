package plotting

import (
	"strings"
	"testing"
)

// Frames share their axes, so a place has one name in all of them.
func TestSlideNames(t *testing.T) {
	frames := func(names ...[]string) *Figure {
		return Slide("step", names, func(names []string) *Figure { return New(Bars(make([]float64, len(names))).Categories(names...)) })
	}
	if err := errorOf(frames([]string{"a", "b"}, []string{"a", "b"}, []string{"a", "b", "c"})); err != nil {
		t.Errorf("frames of the same names: %v", err)
	}
	err := errorOf(frames([]string{"a", "b"}, []string{"a", "c"}))
	if err == nil || !strings.Contains(err.Error(), `"b" in one frame and "c" in another`) {
		t.Errorf("frames of other names: %v", err)
	}
	err = errorOf(Slide("step", []string{"x", "y"}, func(name string) *Figure {
		return New(Points([]float64{0}, []float64{1})).XCategories(name)
	}))
	if err == nil || !strings.Contains(err.Error(), `"x" in one frame and "y" in another`) {
		t.Errorf("frames of other categories: %v", err)
	}
	if err := errorOf(Slide("step", []string{"x", "y"}, func(name string) *Figure {
		return New(Heat([][]float64{{1, 2}}).Columns(name, "z")).XCategories("1", "2")
	})); err != nil {
		t.Errorf("frames of other names under names of the figure: %v", err)
	}
}

func errorOf(f *Figure) error {
	_, err := f.SVG()
	return err
}
