package cell

// Keep returns the result of compute: a page has no disk.
func Keep[T any](_ Keyed, compute func() (T, error)) (T, error) { return compute() }
