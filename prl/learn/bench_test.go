package learn_test

import (
	"testing"

	"github.com/prlab/prlab/prl/learn"
)

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each
// version:
//
//	go test -run NONE -bench . -count 10 ./prl/learn > old.txt
//	go test -run NONE -bench . -count 10 ./prl/learn > new.txt
//	benchstat old.txt new.txt
func BenchmarkClopperPearson(b *testing.B) {
	for b.Loop() {
		if _, _, err := learn.ClopperPearson(321, 1000, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpperTail(b *testing.B) {
	for b.Loop() {
		if _, err := learn.UpperTail(321, 1000, 0.3); err != nil {
			b.Fatal(err)
		}
	}
}
