package kernel

// Linear is the inner product K(a, b) = <a, b>.
type Linear struct{}

// Eval returns <a, b>.
func (Linear) Eval(a, b []float64) float64 { return dot(a, b) }

// String returns "linear".
func (Linear) String() string { return "linear" }
