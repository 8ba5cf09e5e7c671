package cell

// Keep returns the result of compute: a page has no disk.
func Keep[T any](_ any, compute func() (T, error)) (T, error) { return compute() }
