package datasets

import (
	"math"

	"github.com/prlab/prlab/prl/cell"
)

// Fingerprint returns a 64-bit hash (FNV-1a over words) of the rows, labels, targets and names: equal data give equal fingerprints,
// wherever they came from.
func (s Set) Fingerprint() uint64 {
	h := uint64(14695981039346656037)
	mix := func(v uint64) {
		// Whole words instead of bytes: eight times as fast; the shift carries high bits down, where a product alone never brings them.
		h = (h ^ v) * 1099511628211
		h ^= h >> 32
	}
	text := func(t string) {
		mix(uint64(len(t)))
		for i := range len(t) {
			mix(uint64(t[i]))
		}
	}
	mix(uint64(s.N()))
	mix(uint64(s.D()))
	for i := range s.N() {
		for _, v := range s.X.RawRowView(i) {
			mix(math.Float64bits(v))
		}
	}
	mix(uint64(len(s.Y)))
	for _, c := range s.Y {
		mix(uint64(c))
	}
	mix(uint64(len(s.Target)))
	for _, v := range s.Target {
		mix(math.Float64bits(v))
	}
	for _, names := range [][]string{s.ClassNames, s.FeatureNames} {
		mix(uint64(len(names)))
		for _, n := range names {
			text(n)
		}
	}
	for j, words := range s.Words {
		if words != nil {
			mix(uint64(j))
			for _, w := range words {
				text(w)
			}
		}
	}
	return h
}

// Key identifies the data for cell.Keep.
func (s Set) Key() cell.Key { return cell.Key{Plan: "datasets.Set " + s.Name, Data: s.Fingerprint()} }
