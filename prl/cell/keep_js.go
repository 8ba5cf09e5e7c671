package cell

// Keep returns the result of compute: a page has no disk.
func Keep[T any](_ any, compute func() (T, error)) (T, error) { return compute() }

// KeepSlow returns the result of compute, as Keep.
func KeepSlow[T any](_ string, _ func() Key, compute func() (T, error)) (T, error) { return compute() }
