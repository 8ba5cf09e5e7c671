//go:build !race

package estimatortest

const detecting = false
