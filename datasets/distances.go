package datasets

import (
	_ "embed" // for the tables
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Distances returns a table of dissimilarities as a set: row and column i belong to the thing names[i]. D is n x n, symmetric, with zeros
// on the diagonal and no negative number. It is what prl.MDS().Precomputed() maps.
//
// The set is broken (see Err) when D is none of that, or when names are not n different ones; without names the things are called "1",
// "2", ...
func Distances(name string, D mat.Matrix, names ...string) Set {
	const function = "datasets.Distances"
	s := Set{Name: name, chain: fault.Start("Distances", name)}
	if err := estimator.CheckX(function, D); err != nil {
		return s.fail(err)
	}
	n, c := D.Dims()
	if n != c {
		return s.fail(fault.Argument(function, "D", fmt.Sprintf("%d x %d", n, c), "square: a row and a column for each thing", ""))
	}
	if len(names) == 0 {
		names = numbered("", 1, n)
	}
	if len(names) != n {
		return s.fail(fault.Argument(function, "names", fmt.Sprintf("%d names", len(names)), fmt.Sprintf("%d, one for each thing", n), ""))
	}
	if twice := duplicate(names); twice != "" {
		return s.fail(fault.Argument(function, "names", fmt.Sprintf("with %q twice", twice), "one name for each thing", ""))
	}
	for i := range n {
		for j := range i + 1 {
			v, w := D.At(i, j), D.At(j, i)
			entry := fmt.Sprintf("D[%d, %d]", i, j)
			switch {
			case i == j && v != 0:
				return s.fail(fault.Argument(function, entry, v, "0: nothing is unlike itself", ""))
			case v < 0:
				return s.fail(fault.Argument(function, entry, v, "not negative", ""))
			case v != w:
				return s.fail(fault.Argument(function, entry, fmt.Sprintf("%v, and %v the other way", v, w), "the same both ways", ""))
			}
		}
	}
	s.X = mat.DenseCopyOf(D)
	s.FeatureNames, s.RowNames = append([]string(nil), names...), append([]string(nil), names...)
	return s
}

// triangle reads a table of dissimilarities. A line holds the name of a thing and the numbers before the diagonal, each number v as f(v).
func triangle(constructor, name, lines string, f func(float64) float64) Set {
	things, numbers, err := namedRows(lines)
	if err != nil {
		return Set{Name: name, chain: fault.Start(constructor)}.fail(err)
	}
	D := mat.NewDense(len(things), len(things), nil)
	for i, row := range numbers {
		for j, v := range row {
			D.Set(i, j, f(v))
			D.Set(j, i, f(v))
		}
	}
	s := Distances(name, D, things...)
	s.chain = fault.Start(constructor)
	return s
}

// namedRows reads lines of a name and numbers.
func namedRows(lines string) (names []string, rows [][]float64, err error) {
	for line := range strings.Lines(lines) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		row := make([]float64, len(fields)-1)
		for j, field := range fields[1:] {
			if row[j], err = strconv.ParseFloat(field, 64); err != nil {
				return nil, nil, fmt.Errorf("the embedded data are damaged: %w", err)
			}
		}
		names, rows = append(names, fields[0]), append(rows, row)
	}
	return names, rows, nil
}

var (
	//go:embed data/ekman.csv
	ekmanCSV string
	//go:embed data/roads.csv
	roadsCSV string
	//go:embed data/towns.csv
	townsCSV string
)

// Ekman returns how unlike 14 pure colours look: a 14 x 14 table of 1 - s, where s in [0, 1] is the mean similarity that 31 people gave to
// a pair of lights. The things are called by their wavelengths in nanometres, from 434 (violet) to 674 (red).
func Ekman() Set {
	s := triangle("Ekman", "colours", ekmanCSV, func(v float64) float64 { return (100 - v) / 100 })
	s.Source = "G. Ekman, table 1 of his paper: similarities in hundredths"
	s.Licence = "facts published in 1954"
	s.Citation = "G. Ekman (1954). Dimensions of color vision. Journal of Psychology 38, 467-474."
	return s
}

// Roads returns the distances by road between 21 European cities, in km, as an old table prints them: 21 x 21. Some figures are far from
// today's roads (Athens to Rome 817); they are kept.
func Roads() Set {
	s := triangle("Roads", "roads", roadsCSV, func(v float64) float64 { return v })
	s.Source = "the table eurodist of R's package datasets, from The Cambridge Encyclopaedia"
	s.Licence = "facts"
	s.Citation = "D. Crystal (ed.) (1990). The Cambridge Encyclopaedia. Cambridge University Press."
	return s
}

// Towns returns where 22 European towns lie: 22 x 2, latitude north and longitude east in degrees, to the hundredth. GreatCircles makes the
// table of their distances.
func Towns() Set {
	_, lines, _ := strings.Cut(townsCSV, "\n")
	names, rows, err := namedRows(lines)
	s := Set{
		X: mat.NewDense(len(rows), 2, slices.Concat(rows...)), FeatureNames: []string{"latitude", "longitude"}, Units: []string{"°", "°"},
		Name: "towns", RowNames: names, Source: "geography", Licence: "facts", chain: fault.Start("Towns"),
	}
	if err != nil {
		return s.fail(err)
	}
	return s
}

// EarthRadius is the mean radius of the earth, in km.
const EarthRadius = 6371.0

// GreatCircles returns the table of the shortest ways over a ball of the given radius between places, which are rows of latitude and
// longitude in degrees: with EarthRadius in km. The haversine formula keeps its digits for near places.
func (s Set) GreatCircles(radius float64) Set {
	s, ok := s.step("GreatCircles", radius)
	if !ok {
		return s
	}
	if s.D() != 2 {
		return s.fail(fmt.Errorf("the set has %d features, but latitude and longitude are needed", s.D()))
	}
	if !(radius > 0) || math.IsInf(radius, 1) {
		return s.fail(fmt.Errorf("the radius is %v, but needs to be positive", radius))
	}
	n := s.N()
	D := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range i {
			a, b := s.X.RawRowView(i), s.X.RawRowView(j)
			u, v := math.Sin((a[0]-b[0])*math.Pi/360), math.Sin((a[1]-b[1])*math.Pi/360)
			h := u*u + math.Cos(a[0]*math.Pi/180)*math.Cos(b[0]*math.Pi/180)*v*v
			d := 2 * radius * math.Asin(math.Sqrt(min(h, 1)))
			D.Set(i, j, d)
			D.Set(j, i, d)
		}
	}
	names := s.RowNames
	if names == nil {
		names = numbered("", 1, n)
	}
	out := Distances(s.Name, D, names...)
	if out.Err() != nil {
		return s.fail(out.Err())
	}
	out.chain, out.Y, out.ClassNames, out.Source, out.Licence, out.Citation = s.chain, s.Y, s.ClassNames, s.Source, s.Licence, s.Citation
	return out
}
