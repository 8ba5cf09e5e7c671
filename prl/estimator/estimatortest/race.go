//go:build race

package estimatortest

// detecting reports whether the race detector watches the tests.
const detecting = true
