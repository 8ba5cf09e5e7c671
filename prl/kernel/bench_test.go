package kernel_test

import (
	"testing"

	"github.com/prlab/prlab/prl/benchtest"
	"github.com/prlab/prlab/prl/kernel"
)

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each
// version:
//
//	go test -run NONE -bench . -count 10 ./prl/kernel > old.txt
//	go test -run NONE -bench . -count 10 ./prl/kernel > new.txt
//	benchstat old.txt new.txt
func BenchmarkGram(b *testing.B) {
	X, _ := benchtest.Classes(1000, 20, 1)
	for name, k := range map[string]kernel.Kernel{
		"RBF": kernel.RBF{Gamma: 0.05}, "poly": kernel.Poly{Degree: 3, Gamma: 0.05, Coef0: 1},
		"Laplacian": kernel.Laplacian{Gamma: 0.05},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := kernel.Gram(k, X); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
