package datasets

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the data below
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// One variable for each file: the linker leaves out the data of the sets a program does not name.
var (
	//go:embed data/iris.csv
	irisCSV string
	//go:embed data/wine.csv
	wineCSV string
	//go:embed data/faithful.csv
	faithfulCSV string
	//go:embed data/penguins.csv
	penguinsCSV string
	//go:embed data/palmer.csv
	palmerCSV string
	//go:embed data/breast_cancer.csv.gz
	breastCancerGZ string
	//go:embed data/vowels.csv.gz
	vowelsGZ string
	//go:embed data/digits-images.idx3-ubyte.gz
	digitImagesGZ string
	//go:embed data/digits-labels.idx1-ubyte.gz
	digitLabelsGZ string
)

// Iris returns Fisher's iris flowers: 150 x 4 (sepal length, sepal width, petal length, petal width, all in cm), 50 each of setosa,
// versicolor and virginica. Rows 35 and 38 are as Fisher printed them, which the copy in the UCI repository is not.
func Iris() Set {
	s := parse("Iris", irisCSV, "setosa", "versicolor", "virginica")
	s.Units = []string{"cm", "cm", "cm", "cm"}
	s.Source = "E. Anderson, The irises of the Gaspé peninsula, 1935; published by R. A. Fisher, 1936"
	s.Licence = "public domain"
	s.Citation = "R. A. Fisher (1936). The use of multiple measurements in taxonomic problems. Annals of Eugenics 7(2), 179-188."
	return s
}

// Wine returns the chemical analyses of 178 wines of one region of Italy from three cultivars: 178 x 13, Barolo (59), Grignolino (71) and
// Barbera (48).
func Wine() Set {
	s := parse("Wine", wineCSV, "Barolo", "Grignolino", "Barbera")
	s.Source = "M. Forina and others, University of Genoa; UCI Machine Learning Repository, data set 109"
	s.Licence = "CC BY 4.0"
	s.Citation = "S. Aeberhard & M. Forina (1992). Wine. UCI Machine Learning Repository. doi:10.24432/C5PC7J."
	return s
}

// BreastCancer returns the Wisconsin diagnostic breast cancer data: 569 x 30, ten properties of cell nuclei, each as mean, standard error
// and worst value; malignant (212) and benign (357).
func BreastCancer() Set {
	s := parse("BreastCancer", unzip(breastCancerGZ), "malignant", "benign")
	s.Name = "breast cancer"
	s.Source = "W. H. Wolberg, W. N. Street, O. L. Mangasarian, University of Wisconsin; UCI Machine Learning Repository, data set 17"
	s.Licence = "CC BY 4.0"
	s.Citation = "W. Wolberg, O. Mangasarian, N. Street & W. Street (1993). Breast Cancer Wisconsin (Diagnostic). UCI Machine Learning " +
		"Repository. doi:10.24432/C5DW2B."
	return s
}

// PalmerPenguins returns the notes on 344 penguins of three species that nested on islands near Palmer Station, Antarctica, as a table of
// 11 columns: species, island, sex, the day the first egg was laid, whether the clutch came to two eggs, bill length, bill depth and
// flipper length (mm), body mass (g), and the isotope ratios of nitrogen and carbon in the blood (per mille). Words, dates and 46 gaps are
// as they were noted; 36 clutches stayed at one egg.
func PalmerPenguins() Table {
	t, err := ReadTable(strings.NewReader(palmerCSV), "palmer penguins")
	if t.chain = fault.Start("PalmerPenguins"); err != nil {
		return t.fail(fmt.Errorf("the embedded data are damaged: %w", err))
	}
	for j, unit := range map[int]string{5: "mm", 6: "mm", 7: "mm", 8: "g", 9: "‰", 10: "‰"} {
		t.columns[j].unit = unit
	}
	t.Source = "K. B. Gorman and others, Palmer Station, Antarctica, Long Term Ecological Research; package palmerpenguins 0.1.6"
	t.Licence = "CC0 1.0"
	t.Citation = "K. B. Gorman, T. D. Williams & W. R. Fraser (2014). Ecological sexual dimorphism and environmental variability within a " +
		"community of Antarctic penguins (genus Pygoscelis). PLoS ONE 9(3), e90081."
	return t
}

// Faithful returns 272 eruptions of the geyser Old Faithful: 272 x 2, duration of the eruption and waiting time to the next one, both in
// minutes. The rows have no class.
func Faithful() Set {
	s := parse("Faithful", faithfulCSV)
	s.Name = "Old Faithful"
	s.Units = []string{"min", "min"}
	s.Source = "Yellowstone National Park, August 1985; W. Härdle 1991, A. Azzalini and A. W. Bowman 1990; as in R's data set faithful"
	s.Licence = "measurements published in 1990, free to use"
	s.Citation = "A. Azzalini & A. W. Bowman (1990). A look at some data on the Old Faithful geyser. Applied Statistics 39, 357-365."
	return s
}

// Pearson returns the ten points to which Karl Pearson fitted the line of closest fit: 10 x 2, x and y without units. The rows have no
// class.
func Pearson() Set {
	x := []float64{0, 0.9, 1.8, 2.6, 3.3, 4.4, 5.2, 6.1, 6.5, 7.4}
	y := []float64{5.9, 5.4, 4.4, 4.6, 3.5, 3.7, 2.8, 2.8, 2.4, 1.5}
	s := Set{
		X: mat.NewDense(len(x), 2, nil), FeatureNames: []string{"x", "y"}, Name: "Pearson's points",
		Source:   "K. Pearson 1901, the numerical example of his paper",
		Licence:  "public domain (facts published in 1901)",
		Citation: "K. Pearson (1901). On lines and planes of closest fit to systems of points in space. Philosophical Magazine (6) 2, 559-572.",
		chain:    fault.Start("Pearson"),
	}
	s.X.SetCol(0, x)
	s.X.SetCol(1, y)
	return s
}

// Challenger returns the 23 flights of the Space Shuttle before the accident of 28 January 1986 of which the joints were recovered: 23 x 1,
// the temperature of the joints at launch in °F; damage (7) where at least one of the six O-rings was eroded or leaked, and none (16).
// Class 1 is damage.
func Challenger() Set {
	none := []float64{66, 67, 67, 67, 68, 69, 70, 70, 72, 73, 75, 76, 76, 78, 79, 81}
	damage := []float64{53, 57, 58, 63, 70, 70, 75}
	s := Set{
		X: mat.NewDense(23, 1, append(none, damage...)), Y: make([]int, 23), ClassNames: []string{"none", "damage"},
		FeatureNames: []string{"temperature"}, Units: []string{"°F"}, Name: "Challenger",
		Source:  "Report of the Presidential Commission on the Space Shuttle Challenger Accident, 1986, volume 1, chapter 6",
		Licence: "work of the United States government, public domain",
		Citation: "S. R. Dalal, E. B. Fowlkes & B. Hoadley (1989). Risk analysis of the Space Shuttle: pre-Challenger prediction of " +
			"failure. Journal of the American Statistical Association 84(408), 945-957.",
		chain: fault.Start("Challenger"),
	}
	for i := 16; i < 23; i++ {
		s.Y[i] = 1
	}
	return s
}

// Penguins returns the Palmer penguins: 342 x 4 (bill length and bill depth in mm, flipper length in mm, body mass in g), Adelie (151),
// Chinstrap (68) and Gentoo (123). The two birds of the 344 without measurements are left out.
func Penguins() Set {
	s := parse("Penguins", penguinsCSV, "Adelie", "Chinstrap", "Gentoo")
	s.Units = []string{"mm", "mm", "mm", "g"}
	s.Source = "K. B. Gorman, Palmer Station Antarctica LTER; A. M. Horst, A. P. Hill, K. B. Gorman, palmerpenguins"
	s.Licence = "CC0 1.0"
	s.Citation = "K. B. Gorman, T. D. Williams & W. R. Fraser (2014). Ecological sexual dimorphism and environmental variability within a " +
		"community of Antarctic penguins (genus Pygoscelis). PLoS ONE 9(3), e90081."
	return s
}

// Vowels returns the vowels of 76 speakers of American English, each of whom read ten words twice: 1520 x 4 (the pitch F0 and the formants
// F1, F2, F3, all in Hz), 152 of each word. Rows 0 to 659 are the 33 men, 660 to 1219 the 28 women and 1220 to 1519 the 15 children, 20
// rows a speaker.
func Vowels() Set {
	s := parse("Vowels", unzip(vowelsGZ), "heed", "hid", "head", "had", "hod", "hawed", "hood", "who'd", "hud", "heard")
	s.Units = []string{"Hz", "Hz", "Hz", "Hz"}
	s.Source = "G. E. Peterson and H. L. Barney, Bell Telephone Laboratories; tables of Praat, as in S. Barreda's R package phonTools (pb52)"
	s.Licence = "measurements published in 1952; the package is under the BSD 2-clause licence"
	s.Citation = "G. E. Peterson & H. L. Barney (1952). Control methods used in a study of the vowels. Journal of the Acoustical Society " +
		"of America 24, 175-184."
	return s
}

// Digits returns 1797 handwritten digits: 1797 x 64, the 8 x 8 grey values 0 (paper) to 16 (ink) row by row, classes "0" to "9". It is the
// test part of the UCI data set, as scikit-learn has it. Image returns a row as a picture.
func Digits() Set {
	pixels, labels := digitBytes()
	const n, d = 1797, 64
	X := mat.NewDense(n, d, nil)
	raw := X.RawMatrix().Data
	for i, b := range pixels {
		raw[i] = float64(b)
	}
	y := make([]int, n)
	for i, b := range labels {
		y[i] = int(b)
	}
	names := make([]string, d)
	for j := range names {
		names[j] = fmt.Sprintf("r%dc%d", j/8, j%8)
	}
	return Set{
		X: X, Y: y, ClassNames: numbered("", 0, 10), FeatureNames: names, Name: "digits", shape: [2]int{8, 8},
		Source:  "E. Alpaydin and C. Kaynak, Boğaziçi University; UCI Machine Learning Repository, data set 80",
		Licence: "CC BY 4.0",
		Citation: "E. Alpaydin & C. Kaynak (1998). Optical Recognition of Handwritten Digits. UCI Machine Learning Repository. " +
			"doi:10.24432/C50P49.",
		chain: fault.Start("Digits"),
	}
}

// The unpacked digits are kept, since unpacking costs twice as much as the rest. A sync.OnceValues in a package variable would link the
// data into every program.
var digits struct {
	once           sync.Once
	pixels, labels string
}

func digitBytes() (pixels, labels string) {
	digits.once.Do(func() { digits.pixels, digits.labels = unzip(digitImagesGZ)[16:], unzip(digitLabelsGZ)[8:] }) // after the IDX headers
	return digits.pixels, digits.labels
}

// parse reads embedded CSV: one header line, numbers, the class last when there are classes. It trusts its input, which the tests compare
// with ReadCSV.
func parse(name, text string, classes ...string) Set {
	text = strings.TrimSuffix(text, "\n")
	header, body, _ := strings.Cut(text, "\n")
	columns := strings.Split(header, ",")
	d := len(columns)
	if len(classes) > 0 {
		d--
	}
	n := strings.Count(body, "\n") + 1
	s := Set{
		X: mat.NewDense(n, d, nil), ClassNames: classes, FeatureNames: columns[:d:d],
		Name: strings.ToLower(name), chain: fault.Start(name),
	}
	if len(classes) > 0 {
		s.Y = make([]int, n)
	}
	for i := range n {
		var line, field string
		line, body, _ = strings.Cut(body, "\n")
		row := s.X.RawRowView(i)
		for j := range d {
			field, line, _ = strings.Cut(line, ",")
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return s.fail(fmt.Errorf("the embedded data are damaged: %w", err))
			}
			row[j] = v
		}
		for c, name := range classes {
			if line == name {
				s.Y[i] = c
			}
		}
	}
	return s
}

// unzip returns what an embedded file holds; a damaged one gives a short text, which parse reports.
func unzip(data string) string {
	z, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		return err.Error()
	}
	var b bytes.Buffer
	if _, err := io.Copy(&b, z); err != nil {
		return err.Error()
	}
	return b.String()
}
