package estimatortest

// Checks of sample weights. They run on methods whose options have the field Weights.
var weightChecks = []Check{
	{Name: "weights are copies", When: func(c Case) bool { return c.has("Weights") }, run: weightsAreCopies},
	{Name: "weight zero is no row", When: func(c Case) bool { return c.has("Weights") }, run: weightZero},
}

// weightsAreCopies compares the fit with weights 1, 2, 3 with the fit of so many copies.
func weightsAreCopies(s *subject) error {
	return s.weigh(func(i int) int { return 1 + i/s.classes%3 })
}

// weightZero compares the fit with every fourth round of rows at weight zero with the fit without them.
func weightZero(s *subject) error {
	return s.weigh(func(i int) int { return min(1, i/s.classes%4) })
}

func (s *subject) weigh(weight func(i int) int) error {
	d := s.data
	d.Weights = make([]float64, d.len())
	var copies []int
	for i := range d.Weights {
		k := weight(i)
		d.Weights[i] = float64(k)
		for range k {
			copies = append(copies, i)
		}
	}
	weighted, err := s.fitOn(d)
	if err != nil {
		return err
	}
	d = s.data.pick(copies...)
	copied, err := s.fitOn(d)
	if err != nil {
		return err
	}
	return s.agree(weighted, copied, s.data, s.tolerance)
}
