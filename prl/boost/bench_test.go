package boost_test

import (
	"testing"

	"github.com/prlab/prlab/prl/benchtest"
	"github.com/prlab/prlab/prl/boost"
)

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each
// version:
//
//	go test -run NONE -bench . -count 10 ./prl/boost > old.txt
//	go test -run NONE -bench . -count 10 ./prl/boost > new.txt
//	benchstat old.txt new.txt
func BenchmarkFit(b *testing.B) {
	X, y := benchtest.Classes(5000, 20, 2)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := boost.Fit(b.Context(), X, y, boost.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPredict(b *testing.B) {
	X, y := benchtest.Classes(5000, 20, 2)
	model, err := boost.Fit(b.Context(), X, y, boost.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := model.Predict(X); err != nil {
			b.Fatal(err)
		}
	}
}
