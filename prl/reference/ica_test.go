package reference

import (
	"encoding/json"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/ica"
)

func init() {
	manifoldCases["fastica-3src-cube"] = func(c *check) {
		c.unmixing("W", "amari", ica.Options{Contrast: ica.Cube})
		if got, limit := c.number("amari"), c.number("amari_threshold"); !(got < limit) {
			c.Errorf("the Amari distance of the table is %v, not below %v", got, limit)
		}
	}
	manifoldCases["fastica-3src-sklearn"] = func(c *check) {
		c.unmixing("logcosh", "amari_logcosh", ica.Options{})
		c.unmixing("exp", "amari_exp", ica.Options{Contrast: ica.Exp})
	}
}

// unmixing compares an unmixing matrix up to order and sign of its rows, and its Amari distance from the truth.
func (c *check) unmixing(name, amari string, o ica.Options) {
	var settings struct{ A [][]float64 }
	if err := json.Unmarshal(c.Settings, &settings); err != nil {
		c.Fatal(err)
	}
	m := must(ica.Fit(c.Context(), read(c, "ica_S.csv"), o))
	W := m.Unmixing()
	c.near(amari, must(ica.Amari(W, matrix(settings.A...))))
	taken := map[int]bool{}
	for _, want := range c.rows(name) {
		at, least := 0, math.Inf(1)
		for i := range want {
			row := mat.Row(nil, i, W)
			sign := math.Copysign(1, dotted(row, want))
			distance := 0.0
			for j := range row {
				distance += (sign*row[j] - want[j]) * (sign*row[j] - want[j])
			}
			if distance < least {
				at, least = i, distance
			}
		}
		if taken[at] {
			c.Errorf("%s: two rows of the table are nearest to one row", name)
		}
		taken[at] = true
		row := mat.Row(nil, at, W)
		if dotted(row, want) < 0 {
			for j := range row {
				row[j] = -row[j]
			}
		}
		c.nearRow(name, row, want)
	}
}

func dotted(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}
