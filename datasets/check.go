package datasets

import "github.com/prlab/prlab/prl/fault"

// Check returns the first error of the set's chain, or an error in the name of a step that needs rows of numbers: when there are none, when
// a feature holds words, or has a gap.
func (s Set) Check(step string) error {
	if err := s.CheckRows(step); err != nil {
		return err
	}
	return s.CheckNumbers(step)
}

// CheckRows is Check for a step that takes words and gaps.
func (s Set) CheckRows(step string) error {
	if err := s.Err(); err != nil {
		return err
	}
	if s.X == nil || s.N() == 0 {
		return fault.Argument(step, "the data set", "empty", "a set with rows", "begin with a data set such as prl.Iris()")
	}
	return nil
}

// CheckClasses is Check for a step that needs a class for each row.
func (s Set) CheckClasses(step string) error {
	if err := s.CheckLabels(step); err != nil {
		return err
	}
	return s.CheckNumbers(step)
}

// CheckLabels is CheckClasses for a step that takes words and gaps.
func (s Set) CheckLabels(step string) error {
	if err := s.CheckRows(step); err != nil {
		return err
	}
	if s.Y == nil {
		return fault.Argument(step, "the data set "+s.Name, "without classes", "a set whose rows have a class", "")
	}
	return nil
}
