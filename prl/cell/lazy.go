package cell

import "sync"

// A Lazy computes a value when it is first asked for, and only once in a process. Plans hold one, so that a chain costs nothing until a
// number or a picture is wanted.
type Lazy[T any] struct {
	once  sync.Once
	f     func() (T, error)
	value T
	err   error
}

// NewLazy returns a Lazy that calls f at the first Get.
func NewLazy[T any](f func() (T, error)) *Lazy[T] { return &Lazy[T]{f: f} }

// Get returns what f returned. It may be called from several goroutines.
func (l *Lazy[T]) Get() (T, error) {
	l.once.Do(func() { l.value, l.err = l.f() })
	return l.value, l.err
}

// lazy marks the type for Fingerprint: whether a value has been computed yet says nothing about what it will be.
func (l *Lazy[T]) lazy() {}
