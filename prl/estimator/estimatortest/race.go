//go:build race

package estimatortest

// detecting tells whether the race detector watches the tests.
const detecting = true
