//go:build !race

package fuzztest

const larger = 1
