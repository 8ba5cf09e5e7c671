package linear

import "github.com/prlab/prlab/prl/estimator"

// stored is a model with what its kind adds.
type stored[T any] struct {
	Model modelState
	Own   T
}

func store[T any](kind string, m *Model, own T) ([]byte, error) {
	s := stored[T]{m.s, own}
	return estimator.Store(kind, m.s.D, &s, &s.Model.Names, m.Names)
}

func restore[T any](data []byte, kind string, m *Model, own *T, sound func(s *stored[T]) bool) error {
	var s stored[T]
	names, err := estimator.Restore(data, kind, &s, &s.Model.Names, func() bool {
		return s.Model.D >= 1 && len(s.Model.Coefficients) == s.Model.D && (sound == nil || sound(&s))
	})
	if err == nil {
		*m, *own = Model{names, s.Model}, s.Own
	}
	return err
}

// MarshalBinary encodes the model.
func (m *Model) MarshalBinary() ([]byte, error) { return store("linear.Model", m, struct{}{}) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *Model) UnmarshalBinary(data []byte) error {
	return restore(data, "linear.Model", m, new(struct{}), nil)
}

// MarshalBinary encodes the fit.
func (f *Fit) MarshalBinary() ([]byte, error) { return store("linear.Fit", &f.Model, f.t) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (f *Fit) UnmarshalBinary(data []byte) error {
	return restore(data, "linear.Fit", &f.Model, &f.t, func(s *stored[fitState]) bool {
		t, k := &s.Own, len(s.Own.Kept)
		fit := len(t.Mean) == k && (len(t.Upper) == 0 || len(t.Upper) == k*k) && (len(t.Inflation) == 0 || len(t.Inflation) == k)
		for _, list := range [][]int{t.Kept, t.Dependent} {
			for _, j := range list {
				fit = fit && j >= 0 && j < s.Model.D
			}
		}
		return fit
	})
}

// MarshalBinary encodes the fit.
func (m *RidgeFit) MarshalBinary() ([]byte, error) { return store("linear.RidgeFit", &m.Model, m.r) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *RidgeFit) UnmarshalBinary(data []byte) error {
	return restore(data, "linear.RidgeFit", &m.Model, &m.r, nil)
}

// MarshalBinary encodes the fit.
func (m *LassoFit) MarshalBinary() ([]byte, error) { return store("linear.LassoFit", &m.Model, m.l) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *LassoFit) UnmarshalBinary(data []byte) error {
	return restore(data, "linear.LassoFit", &m.Model, &m.l, nil)
}

// MarshalBinary encodes the fit.
func (m *NormFit) MarshalBinary() ([]byte, error) { return store("linear.NormFit", &m.Model, m.c) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *NormFit) UnmarshalBinary(data []byte) error {
	return restore(data, "linear.NormFit", &m.Model, &m.c, nil)
}

// MarshalBinary encodes the fit.
func (m *RobustFit) MarshalBinary() ([]byte, error) { return store("linear.RobustFit", &m.Model, m.r) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *RobustFit) UnmarshalBinary(data []byte) error {
	return restore(data, "linear.RobustFit", &m.Model, &m.r, nil)
}
