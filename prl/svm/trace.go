package svm

// A Step is what SMO has done in one step, for teaching and for charts of convergence. The slices are the receiver's to keep.
type Step struct {
	Iteration int     // from 1
	I, J      int     // rows of X: the pair moved (beta_I up, beta_J down); J is -1 without bias, where single variables move
	Delta     float64 // by how much
	Alpha     []float64
	B         float64 // the bias that is best for the present w
	Dual      float64 // dual objective; never falls
	Primal    float64 // primal objective at the present w, its best b and smallest slacks; +Inf while a hard margin does not separate yet
	Violation float64 // of the KKT conditions by the worst pair
}

// A Trace collects the steps of a fit: set Options.Trace to its Add method.
type Trace struct {
	Steps []Step
}

// Add appends a step.
func (t *Trace) Add(s Step) { t.Steps = append(t.Steps, s) }

// Duals returns the dual objective after each step.
func (t *Trace) Duals() []float64 {
	return t.column(func(s Step) float64 { return s.Dual })
}

// Primals returns the primal objective after each step.
func (t *Trace) Primals() []float64 {
	return t.column(func(s Step) float64 { return s.Primal })
}

// Violations returns the violation of the KKT conditions by the worst pair after each step.
func (t *Trace) Violations() []float64 {
	return t.column(func(s Step) float64 { return s.Violation })
}

func (t *Trace) column(f func(Step) float64) []float64 {
	out := make([]float64, len(t.Steps))
	for i, s := range t.Steps {
		out[i] = f(s)
	}
	return out
}
