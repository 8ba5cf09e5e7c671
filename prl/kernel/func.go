package kernel

// function is a kernel made from a Go function.
type function struct {
	name string
	f    func(a, b []float64) float64
}

// Func makes a kernel of a symmetric function, which several goroutines may call at the same time. Whether it is positive semi-definite is
// for PSD to say. A model with such a kernel cannot be stored, since a function cannot.
func Func(name string, f func(a, b []float64) float64) Kernel { return &function{name, f} }

func (k *function) Eval(a, b []float64) float64 { return k.f(a, b) }
func (k *function) String() string              { return k.name }
