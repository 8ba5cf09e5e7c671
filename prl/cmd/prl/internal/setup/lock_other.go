//go:build !unix

package setup

func lock(string, func()) (func(), error) { return func() {}, nil }
