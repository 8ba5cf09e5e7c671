package structured_test

import (
	"context"
	"fmt"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/structured"
)

// A hidden Markov model is a linear judge of taggings: the features that a sentence and its tags light, and their weights.
func ExampleFromHMM() {
	h, err := markov.NewHMM(markov.Tagging())
	if err != nil {
		panic(err)
	}
	m, err := structured.FromHMM(h)
	if err != nil {
		panic(err)
	}
	words := []string{"I", "bank", "at", "CFCU"}
	tags := m.Tag(words...)
	fmt.Println(tags)
	fmt.Printf("%.6f\n", m.Score(words, tags))
	difference, err := m.Difference(words, tags, []string{"PRP", "V", "PREP", "V"})
	if err != nil {
		panic(err)
	}
	for _, c := range difference {
		fmt.Printf("%+d %s\n", c.Count, c.Name)
	}
	// Output:
	// [PRP V PREP N]
	// -6.501709
	// +1 PREP→N
	// -1 PREP→V
	// +1 N–CFCU
	// -1 V–CFCU
}

// Three words are enough to learn that a determiner stands before a noun.
func ExampleFitTagger() {
	words := [][]string{{"the", "bank", "opens"}, {"a", "bank", "opens"}}
	tags := [][]string{{"DET", "N", "V"}, {"DET", "N", "V"}}
	m, err := structured.FitTagger(context.Background(), words, tags, structured.TaggerOptions{Method: structured.StructuralSVM, C: 10})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Tag("the", "shop", "opens"))
	fmt.Println(m)
	// Output:
	// [DET N V]
	// structural SVM: 3 tags, 4 attributes of word, 24 weights
}

// Two labels are enough where the rows without labels show the shapes.
func ExampleFitLaplacian() {
	moons := datasets.Moons(200, 0.03, 1)
	few, silent := moons.Rows(0, 1), moons
	m, err := structured.FitLaplacian(context.Background(), few.X, few.Y, structured.LaplacianOptions{
		Ambient: 1e-4, Intrinsic: 1e4, Unlabelled: silent.X,
	})
	if err != nil {
		panic(err)
	}
	y, err := m.Predict(moons.X)
	if err != nil {
		panic(err)
	}
	wrong := 0
	for i, c := range y {
		if c != moons.Y[i] {
			wrong++
		}
	}
	fmt.Println(m)
	fmt.Println(wrong, "wrong")
	// Output:
	// Laplacian SVM: RBF(gamma=1), 2 labelled and 200 other rows, 2 pieces
	// 0 wrong
}
