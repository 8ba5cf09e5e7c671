package density

import (
	"slices"

	"github.com/prlab/prlab/prl/estimator"
)

// Edited returns the rows of the fit, in order, that their K nearest others put into their own class. What is dropped are rows on the wrong
// side of a boundary, so the boundary becomes smooth. Source: Wilson, IEEE Trans. Syst. Man Cybern. 2 (1972).
func (m *KNN) Edited() ([]int, error) {
	got, err := m.LeaveOneOut()
	if err != nil {
		return nil, err
	}
	var kept []int
	for i, c := range got {
		if c == m.y[i] {
			kept = append(kept, i)
		}
	}
	return kept, nil
}

// Condensed returns rows of the fit, in order, whose nearest neighbour rule puts every row into its class, whenever equal rows have equal
// classes: beginning with the first row, one that the rows kept so far get wrong is kept too, until a pass changes nothing. Source: Hart,
// IEEE Trans. Inf. Theory 14 (1968). The set depends on the order of the rows, and need not be the smallest.
func (m *KNN) Condensed() ([]int, error) {
	if m.points == nil {
		return nil, estimator.Unfitted("density.KNN.Condensed")
	}
	n := len(m.y)
	nearest := make([]neighbour, n) // the kept row nearest to each
	inside := make([]bool, n)
	keep := func(row int) {
		s := &search{points: m.points, at: m.points.x.RawRowView(row)}
		inside[row] = true
		for i := range n {
			if squared := s.distance(m.points.x.RawRowView(i), infinite); nearest[i].row < 0 || squared < nearest[i].squared {
				nearest[i] = neighbour{row, squared}
			}
		}
	}
	for i := range nearest {
		nearest[i].row = -1
	}
	keep(0)
	for changed := true; changed; {
		changed = false
		for i, c := range m.y {
			if !inside[i] && m.y[nearest[i].row] != c {
				keep(i)
				changed = true
			}
		}
	}
	var kept []int
	for i, in := range inside {
		if in {
			kept = append(kept, i)
		}
	}
	slices.Sort(kept)
	return kept, nil
}
