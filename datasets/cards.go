package datasets

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

const (
	retina = 20 // receptors in a row and in a column
	square = 5  // the side of the mark
)

// Cards draws n punched cards as a machine of 1958 saw them: a retina of 20 x 20 receptors, 1 where a square mark of 5 x 5 covers them and
// 0 elsewhere, row by row from the top. Each of the 256 places of the mark is as likely as any other. The class is "left" where the mark
// covers more of the left half of the retina, columns 0 to 9, and "right" otherwise; no place covers both alike.
func Cards(n int, seed uint64) Set {
	s := generated("Cards", n, seed)
	if err := checkRows("datasets.Cards", n, retina*retina); err != nil {
		return s.fail(err)
	}
	rng := generator(seed, 0x6361726473)
	s.X, s.Y = mat.NewDense(n, retina*retina, nil), make([]int, n)
	for i := range n {
		top, left := rng.IntN(retina-square+1), rng.IntN(retina-square+1)
		for r := top; r < top+square; r++ {
			for c := left; c < left+square; c++ {
				s.X.Set(i, r*retina+c, 1)
			}
		}
		if left+square/2 >= retina/2 {
			s.Y[i] = 1
		}
	}
	s.ClassNames = []string{"left", "right"}
	for r := range retina {
		for c := range retina {
			s.FeatureNames = append(s.FeatureNames, fmt.Sprintf("receptor %d,%d", r+1, c+1))
		}
	}
	return s
}
