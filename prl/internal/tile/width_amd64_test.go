//go:build !purego

package tile

import "testing"

// narrow goes without registers of eight numbers until the function it returns is called.
func narrow(*testing.T) (restore func()) {
	was := wide
	wide = false
	return func() { wide = was }
}
