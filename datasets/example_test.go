package datasets_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/prlab/prlab/datasets"
	"gonum.org/v1/gonum/mat"
)

func ExampleIris() {
	iris := datasets.Iris().Classes("versicolor", "virginica").Features("petal length", "petal width")
	fmt.Println(iris)
	fmt.Println(iris.X.RawRowView(0))
	// Output:
	// iris: 100 x 2, classes versicolor (50), virginica (50)
	// [4.7 1.4]
}

func ExampleWine() {
	fmt.Println(datasets.Wine())
	// Output: wine: 178 x 13, classes Barolo (59), Grignolino (71), Barbera (48)
}

func ExampleBreastCancer() {
	fmt.Println(datasets.BreastCancer())
	// Output: breast cancer: 569 x 30, classes malignant (212), benign (357)
}

func ExampleFaithful() {
	fmt.Println(datasets.Faithful())
	// Output: Old Faithful: 272 x 2
}

func ExamplePearson() {
	fmt.Println(datasets.Pearson())
	// Output: Pearson's points: 10 x 2
}

func ExampleFishOutline() {
	fish := datasets.FishOutline(1, 0.2, 0)
	fmt.Println(len(fish), fish[:2]) // the nose
	// Output: 68 [-0.5 0]
}

func ExampleFishOutlines() {
	fmt.Println(datasets.FishOutlines(30, 1))
	// Output: fish outlines: 30 x 68, target bend
}

func ExamplePenguins() {
	fmt.Println(datasets.Penguins())
	// Output: penguins: 342 x 4, classes Adelie (151), Chinstrap (68), Gentoo (123)
}

func ExampleVowels() {
	fmt.Println(datasets.Vowels().Classes("heed", "hod"))
	// Output: vowels: 304 x 4, classes heed (152), hod (152)
}

func ExampleDigits() {
	zero, err := datasets.Digits().Image(0)
	fmt.Println(zero[3], err)
	// Output: [0 4 12 0 0 8 8 0] <nil>
}

func ExampleNew() {
	mine := datasets.New("mine", mat.NewDense(3, 1, []float64{1, 2, 4}), []int{0, 0, 1}, "low", "high").Named("height")
	fmt.Println(mine)
	// Output: mine: 3 x 1, classes low (2), high (1)
}

func ExampleSet_Split() {
	train, test := datasets.Iris().Split(0.7, 1)
	fmt.Println(train.Counts(), test.StandardizeBy(train).N())
	// Output: [35 35 35] 45
}

func ExampleSet_Err() {
	fmt.Println(datasets.Iris().Features("petal lenght").Err())
	// Output: Features: there is no feature "petal lenght"; did you mean "petal length"? (there are sepal length, sepal width, petal length, petal width)
}

func ExampleReadCSV() {
	text := "height;weight;who\n1,81;80;Ann\n1,75;71;Bob\n"
	people, err := datasets.ReadCSV(strings.NewReader(text), "people.csv")
	fmt.Println(people, err)
	_, err = datasets.ReadCSV(strings.NewReader("height,weight,who\n1.81,,Ann\n"), "people.csv")
	fmt.Println(err)
	// Output:
	// people: 2 x 2, classes Ann (1), Bob (1) <nil>
	// people.csv:2:6 (column "weight"): the value is missing; fill it in, or leave such rows out with datasets.DropMissing()
}

func ExampleReadLIBSVM() {
	s, err := datasets.ReadLIBSVM(strings.NewReader("+1 1:0.5 3:2\n-1 2:1\n"), "tiny")
	fmt.Println(s, err)
	s.WriteLIBSVM(os.Stdout)
	// Output:
	// tiny: 2 x 3, classes -1 (1), 1 (1) <nil>
	// 1 1:0.5 3:2
	// -1 2:1
}

func ExampleReadIDX() {
	images := "\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x02\x00\x01\x02\x03"
	s, err := datasets.ReadIDX(strings.NewReader(images), nil, "tiny")
	h, w := s.Shape()
	fmt.Println(s, h, w, err)
	// Output: tiny: 1 x 4 2 2 <nil>
}

func ExampleGaussians() {
	fmt.Println(datasets.Gaussians(200, [][]float64{{0, 0}, {3, 1}}, [][][]float64{{{1, 0.5}, {0.5, 1}}}, nil, 1))
	// Output: gaussians: 200 x 2, classes 0 (100), 1 (100)
}

func ExampleFish() {
	means, _, priors := datasets.FishTruth()
	fmt.Println(datasets.Fish(1000, 1).ClassNames, means[1], priors)
	// Output: [sea bass salmon trout] [3.8 50] [0.5 0.3 0.2]
}

func ExampleMoons() {
	fmt.Println(datasets.Moons(100, 0.1, 1))
	// Output: moons: 100 x 2, classes upper (50), lower (50)
}

func ExampleRings() {
	fmt.Println(datasets.Rings(100, 0.1, 1))
	// Output: rings: 100 x 2, classes inner (50), outer (50)
}

func ExampleXOR() {
	corners := datasets.XOR(4, 0, 1)
	fmt.Println(corners.X.RawMatrix().Data, corners.Y)
	// Output: [1 1 1 -1 -1 -1 -1 1] [0 1 0 1]
}

func ExampleSCurve() {
	fmt.Println(datasets.SCurve(500, 0, 1))
	// Output: S curve: 500 x 3, target position
}

func ExampleLine() {
	s := datasets.Line(10, 1, 2, 0, 1)
	fmt.Println(s, s.Target[0] == 1+2*s.X.At(0, 0))
	// Output: line: 10 x 1, target y true
}

func ExampleHMM() {
	weather := datasets.HMM(2, 3, []float64{1, 0}, [][]float64{{0, 1}, {1, 0}}, [][]float64{{1, 0}, {0, 1}}, 1)
	fmt.Println(weather.States, weather.Symbols)
	// Output: [[0 1 0] [0 1 0]] [[0 1 0] [0 1 0]]
}

func ExampleCSV() {
	fmt.Println(datasets.CSV("no/such.csv").Err() != nil)
	// Output: true
}

func ExampleFitStandardizer() {
	st, err := datasets.FitStandardizer(mat.NewDense(2, 1, []float64{1, 3}))
	fmt.Println(st.Mean, st.Scale, err)
	// Output: [2] [1] <nil>
}

func ExampleSwissRoll() {
	fmt.Println(datasets.SwissRoll(500, 0, 1))
	// Output: Swiss roll: 500 x 3, target position
}

func ExampleSentences() {
	q := datasets.Sentences(100, 6, 1)
	fmt.Println(q)
	i, err := q.Index("dog")
	fmt.Println(i, err)
	// Output:
	// sentences: 100 sequences, 4 states, 12 symbols
	// [5] <nil>
}

func ExampleCocktailParty() {
	fmt.Println(datasets.CocktailParty(2000, 2, 1))
	// Output: cocktail party: 2000 samples of 2 voices (hum, saw-tooth)
}

func ExampleDistances() {
	triangle := datasets.Distances("triangle", mat.NewDense(3, 3, []float64{0, 3, 5, 3, 0, 4, 5, 4, 0}), "A", "B", "C")
	fmt.Println(triangle)
	fmt.Println(datasets.Distances("half", mat.NewDense(2, 2, []float64{0, 1, 2, 0})).Err())
	// Output:
	// triangle: 3 x 3
	// Distances: D[1, 0] is 2, and 1 the other way, but needs to be the same both ways
}

func ExampleTowns() {
	table := datasets.Towns().GreatCircles(datasets.EarthRadius)
	fmt.Printf("%s to %s: %.0f km\n", table.RowNames[9], table.RowNames[13], table.X.At(9, 13))
	// Output: Lisbon to Moscow: 3906 km
}
