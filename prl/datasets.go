package prl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
)

// Data makes a data set of one's own numbers: X is n x d with one observation a row, y holds classes 0 ... K-1 or is nil.
func Data(name string, X mat.Matrix, y []int, classNames ...string) datasets.Set {
	return datasets.New(name, X, y, classNames...)
}

// Iris returns Fisher's iris data.
func Iris() datasets.Set { return datasets.Iris() }

// Wine returns the chemical analysis of wines from three cultivars.
func Wine() datasets.Set { return datasets.Wine() }

// BreastCancer returns the Wisconsin diagnostic data.
func BreastCancer() datasets.Set { return datasets.BreastCancer() }

// Faithful returns eruptions and waiting times of the Old Faithful geyser.
func Faithful() datasets.Set { return datasets.Faithful() }

// Pearson returns the ten points of Pearson's paper on lines of closest fit.
func Pearson() datasets.Set { return datasets.Pearson() }

// Penguins returns the Palmer penguins.
func Penguins() datasets.Set { return datasets.Penguins() }

// Challenger returns the Space Shuttle's flights before the accident: temperature, and damage of O-rings or none.
func Challenger() datasets.Set { return datasets.Challenger() }

// Vowels returns pitch and formants of ten vowels, read by 76 speakers.
func Vowels() datasets.Set { return datasets.Vowels() }

// Digits returns 8 x 8 images of handwritten digits.
func Digits() datasets.Set { return datasets.Digits() }

// Opticks returns the paragraphs of Newton's Opticks, by the three Books they stand in.
func Opticks() datasets.Texts { return datasets.Opticks() }

// Words returns the words of a text in small letters.
func Words(text string) []string { return datasets.Words(text) }

// CSV reads a data set from a file with one observation a line; see [datasets.CSV] for the options.
func CSV(path string, options ...datasets.Option) datasets.Set { return datasets.CSV(path, options...) }

// OpenTable reads a table of numbers, words and dates with gaps from a CSV file; see [datasets.ReadTable] for the options.
func OpenTable(path string, options ...datasets.Option) datasets.Table {
	return datasets.OpenTable(path, options...)
}

// PalmerPenguins returns the notes on 344 penguins as a table, with words, dates and gaps.
func PalmerPenguins() datasets.Table { return datasets.PalmerPenguins() }

// Gaussians draws n rows from one Gaussian a class; covs holds a d x d covariance for each mean, priors the class probabilities (nil:
// equal).
func Gaussians(n int, means [][]float64, covs [][][]float64, priors []float64, seed uint64) datasets.Set {
	return datasets.Gaussians(n, means, covs, priors, seed)
}

// Fish draws n fish (brightness, length, fins) of three species.
func Fish(n int, seed uint64) datasets.Set { return datasets.Fish(n, seed) }

// FishOutlines draws m outlines of fish, 34 landmarks each, that differ in length, belly and the bend of the tail.
func FishOutlines(m int, seed uint64) datasets.Set { return datasets.FishOutlines(m, seed) }

// Rings draws n points on two concentric circles with Gaussian noise.
func Rings(n int, noise float64, seed uint64) datasets.Set { return datasets.Rings(n, noise, seed) }

// Cards draws punched cards with a square mark on the left or the right, for the experiment of 1958.
func Cards(n int, seed uint64) datasets.Set { return datasets.Cards(n, seed) }

// Moons draws n points on two interleaved half circles with Gaussian noise.
func Moons(n int, noise float64, seed uint64) datasets.Set { return datasets.Moons(n, noise, seed) }

// XOR draws n points around the corners of a square, opposite corners sharing a class.
func XOR(n int, noise float64, seed uint64) datasets.Set { return datasets.XOR(n, noise, seed) }

// SwissRoll draws n points on a rolled-up sheet in three dimensions.
func SwissRoll(n int, noise float64, seed uint64) datasets.Set {
	return datasets.SwissRoll(n, noise, seed)
}

// SCurve draws n points on an S-shaped sheet in three dimensions.
func SCurve(n int, noise float64, seed uint64) datasets.Set { return datasets.SCurve(n, noise, seed) }

// Sentences draws n sentences of the given number of words from a hidden Markov model of tags and twelve English words.
func Sentences(n, words int, seed uint64) datasets.Sequences {
	return datasets.Sentences(n, words, seed)
}

// CocktailParty mixes k source signals of n samples.
func CocktailParty(n, k int, seed uint64) datasets.Party { return datasets.CocktailParty(n, k, seed) }

// Distances makes a set of a table of dissimilarities between named things, for MDS().Precomputed().
func Distances(name string, D mat.Matrix, names ...string) datasets.Set {
	return datasets.Distances(name, D, names...)
}

// Ekman returns how unlike 14 pure colours look.
func Ekman() datasets.Set { return datasets.Ekman() }

// Roads returns the distances by road between 21 European cities, with the odd figures of the old table.
func Roads() datasets.Set { return datasets.Roads() }

// Towns returns latitude and longitude of 22 European towns; Towns().GreatCircles(datasets.EarthRadius) are their distances.
func Towns() datasets.Set { return datasets.Towns() }
