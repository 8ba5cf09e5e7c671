package plotting

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting/internal/scene"
)

var markers = []scene.Symbol{scene.Circle, scene.Square, scene.Triangle, scene.Diamond, scene.Plus, scene.Cross, scene.Down, scene.Star}

func checkMarker(layer, name string) error {
	if name == "" || slices.Contains(markers, scene.Symbol(name)) {
		return nil
	}
	known := make([]string, len(markers))
	for i, m := range markers {
		known[i] = string(m)
	}
	return argument(layer, "name", fmt.Sprintf("%q", name), "one of "+strings.Join(known, ", "), "")
}

func checkOpacity(layer string, o float64) error {
	if o == 0 || o > 0 && o <= 1 {
		return nil
	}
	return argument(layer+".Opacity", "o", fmt.Sprint(o), "more than 0 and at most 1", "")
}

// checkPixels checks a length; 0 stands for the default.
func checkPixels(layer string, px float64) error {
	if px >= 0 && px <= 400 {
		return nil
	}
	return argument(layer, "px", fmt.Sprint(px), "more than 0 and at most 400", "")
}

func checkFinite(layer, name string, v float64) error {
	if finite(v) {
		return nil
	}
	return argument(layer, name, fmt.Sprint(v), "a finite number", "")
}

// checkLabels checks class labels against their names; more classes than 1000 are a mistake in the data.
func checkLabels(layer string, labels []int, names []string) error {
	for i, k := range labels {
		if k < 0 || k >= 1000 {
			return argument(layer, fmt.Sprintf("labels[%d]", i), fmt.Sprint(k), "a class from 0 to K-1", "")
		}
		if len(names) > 0 && k >= len(names) {
			return argument(layer, fmt.Sprintf("labels[%d]", i), fmt.Sprint(k), fmt.Sprintf("a class from 0 to %d", len(names)-1),
				fmt.Sprintf("%d names were given", len(names)))
		}
	}
	return nil
}

// className returns the name of class k.
func className(names []string, k int) string {
	if k < len(names) {
		return names[k]
	}
	return fmt.Sprintf("class %d", k)
}
