package estimatortest

import "fmt"

// Checks of sample weights. They run on methods whose options have the field Weights.
var weightChecks = []Check{
	{Name: "weights are copies", When: func(c Case) bool { return c.has("Weights") }, run: weightsAreCopies},
	{Name: "weight zero is no row", When: func(c Case) bool { return c.has("Weights") }, run: weightZero},
	{Name: "extreme weights", When: func(c Case) bool { return c.has("Weights") }, run: extremeWeights},
	{Name: "ratios of weights", When: func(c Case) bool { return c.ratios }, run: ratiosOfWeights},
}

// extremes are factors of weights at which sums overflow and squares vanish.
var extremes = []float64{1e-300, 1e-200, 1e-150, 1e150, 1e200, 1e307}

func (s *subject) equal(factor float64) Data {
	d := s.data
	d.Weights = make([]float64, d.len())
	for i := range d.Weights {
		d.Weights[i] = factor
	}
	return d
}

// extremeWeights fits with equal weights of extreme size: an error with words, or a model whose answers are numbers.
func extremeWeights(s *subject) error {
	for _, c := range extremes {
		what := fmt.Sprintf("weights of %g", c)
		d := s.equal(c)
		model, err := s.fitOn(d)
		if err != nil {
			if err := refuseAny(what, err); err != nil {
				return err
			}
			continue
		}
		if err := sane(model, d); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}

// ratiosOfWeights compares the fits with equal weights of extreme size with the fit without weights.
func ratiosOfWeights(s *subject) error {
	for _, c := range extremes {
		model, err := s.fitOn(s.equal(c))
		if err != nil {
			return fmt.Errorf("weights of %g: %w", c, err)
		}
		if err := s.agree(s.model, model, s.data, s.tolerance); err != nil {
			return fmt.Errorf("weights of %g: %w", c, err)
		}
	}
	return nil
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
