package datasets

import (
	"fmt"
	"math"
	"strconv"

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

// below returns a table of dissimilarities of which the rows below the diagonal are given, each number v as f(v).
func below(constructor, name string, rows [][]float64, f func(float64) float64, names []string) Set {
	D := mat.NewDense(len(names), len(names), nil)
	for i, row := range rows {
		for j, v := range row {
			D.Set(i+1, j, f(v))
			D.Set(j, i+1, f(v))
		}
	}
	s := Distances(name, D, names...)
	s.chain = fault.Start(constructor)
	return s
}

// Ekman returns how unlike 14 pure colours look: a 14 x 14 table of 1 - s, where s in [0, 1] is the mean similarity that 31 people gave to
// a pair of lights. The things are called by their wavelengths in nanometres, from 434 (violet) to 674 (red).
func Ekman() Set {
	wavelengths := []int{434, 445, 465, 472, 490, 504, 537, 555, 584, 600, 610, 628, 651, 674}
	names := make([]string, len(wavelengths))
	for i, v := range wavelengths {
		names[i] = strconv.Itoa(v)
	}
	s := below("Ekman", "colours", [][]float64{
		{86},
		{42, 50},
		{42, 44, 81},
		{18, 22, 47, 54},
		{6, 9, 17, 25, 61},
		{7, 7, 10, 10, 31, 62},
		{4, 7, 8, 9, 26, 45, 73},
		{2, 2, 2, 2, 7, 14, 22, 33},
		{7, 4, 1, 1, 2, 8, 14, 19, 58},
		{9, 7, 2, 0, 2, 2, 5, 4, 37, 74},
		{12, 11, 1, 1, 1, 2, 2, 3, 27, 50, 76},
		{13, 13, 5, 2, 2, 2, 2, 2, 20, 41, 62, 85},
		{16, 14, 3, 4, 0, 1, 0, 2, 23, 28, 55, 68, 76},
	}, func(v float64) float64 { return (100 - v) / 100 }, names)
	s.Source = "G. Ekman, table 1 of his paper: similarities in hundredths"
	s.Licence = "facts published in 1954"
	s.Citation = "G. Ekman (1954). Dimensions of color vision. Journal of Psychology 38, 467-474."
	return s
}

// Roads returns the distances by road between 21 European cities, in km, as an old table prints them: 21 x 21. Some figures are far from
// today's roads (Athens to Rome 817); they are kept.
func Roads() Set {
	names := []string{
		"Athens", "Barcelona", "Brussels", "Calais", "Cherbourg", "Cologne", "Copenhagen", "Geneva", "Gibraltar", "Hamburg",
		"Hook of Holland", "Lisbon", "Lyons", "Madrid", "Marseilles", "Milan", "Munich", "Paris", "Rome", "Stockholm", "Vienna",
	}
	s := below("Roads", "roads", [][]float64{
		{3313},
		{2963, 1318},
		{3175, 1326, 204},
		{3339, 1294, 583, 460},
		{2762, 1498, 206, 409, 785},
		{3276, 2218, 966, 1136, 1545, 760},
		{2610, 803, 677, 747, 853, 1662, 1418},
		{4485, 1172, 2256, 2224, 2047, 2436, 3196, 1975},
		{2977, 2018, 597, 714, 1115, 460, 460, 1118, 2897},
		{3030, 1490, 172, 330, 731, 269, 269, 895, 2428, 550},
		{4532, 1305, 2084, 2052, 1827, 2290, 2971, 1936, 676, 2671, 2280},
		{2753, 645, 690, 739, 789, 714, 1458, 158, 1817, 1159, 863, 1178},
		{3949, 636, 1558, 1550, 1347, 1764, 2498, 1439, 698, 2198, 1730, 668, 1281},
		{2865, 521, 1011, 1059, 1101, 1035, 1778, 425, 1693, 1479, 1183, 1762, 320, 1157},
		{2282, 1014, 925, 1077, 1209, 911, 1537, 328, 2185, 1238, 1098, 2250, 328, 1724, 618},
		{2179, 1365, 747, 977, 1160, 583, 1104, 591, 2565, 805, 851, 2507, 724, 2010, 1109, 331},
		{3000, 1033, 285, 280, 340, 465, 1176, 513, 1971, 877, 457, 1799, 471, 1273, 792, 856, 821},
		{817, 1460, 1511, 1662, 1794, 1497, 2050, 995, 2631, 1751, 1683, 2700, 1048, 2097, 1011, 586, 946, 1476},
		{3927, 2868, 1616, 1786, 2196, 1403, 650, 2068, 3886, 949, 1500, 3231, 2108, 3188, 2428, 2187, 1754, 1827, 2707},
		{1991, 1802, 1175, 1381, 1588, 937, 1455, 1019, 2974, 1155, 1205, 2937, 1157, 2409, 1363, 898, 428, 1249, 1209, 2105},
	}, func(v float64) float64 { return v }, names)
	s.Source = "the table eurodist of R's package datasets, from The Cambridge Encyclopaedia"
	s.Licence = "facts"
	s.Citation = "D. Crystal (ed.) (1990). The Cambridge Encyclopaedia. Cambridge University Press."
	return s
}

// Towns returns where 22 European towns lie: 22 x 2, latitude north and longitude east in degrees, to the hundredth. GreatCircles makes the
// table of their distances.
func Towns() Set {
	towns := []struct {
		name                string
		latitude, longitude float64
	}{
		{"Athens", 37.98, 23.73},
		{"Barcelona", 41.39, 2.17},
		{"Berlin", 52.52, 13.40},
		{"Brussels", 50.85, 4.35},
		{"Copenhagen", 55.68, 12.57},
		{"Dublin", 53.35, -6.26},
		{"Helsinki", 60.17, 24.94},
		{"Istanbul", 41.01, 28.98},
		{"Kyiv", 50.45, 30.52},
		{"Lisbon", 38.72, -9.14},
		{"London", 51.51, -0.13},
		{"Madrid", 40.42, -3.70},
		{"Milan", 45.46, 9.19},
		{"Moscow", 55.76, 37.62},
		{"Oslo", 59.91, 10.75},
		{"Paris", 48.86, 2.35},
		{"Prague", 50.08, 14.44},
		{"Reykjavik", 64.15, -21.94},
		{"Rome", 41.90, 12.50},
		{"Stockholm", 59.33, 18.07},
		{"Vienna", 48.21, 16.37},
		{"Warsaw", 52.23, 21.01},
	}
	s := Set{
		X: mat.NewDense(len(towns), 2, nil), FeatureNames: []string{"latitude", "longitude"}, Units: []string{"°", "°"}, Name: "towns",
		Source: "geography", Licence: "facts", chain: fault.Start("Towns"),
	}
	for i, t := range towns {
		s.X.SetRow(i, []float64{t.latitude, t.longitude})
		s.RowNames = append(s.RowNames, t.name)
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
