package tree

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// benchData draws n rows of d normal numbers and two classes with a curved boundary.
func benchData(n, d int) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(1, 1))
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range y {
		row := X.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		if row[0]*row[1]+0.5*row[2]*row[2]-0.5+0.5*row[3]+0.3*r.NormFloat64() > 0 {
			y[i] = 1
		}
	}
	return X, y
}

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each
// version:
//
//	go test -run NONE -bench . -count 10 ./prl/tree > old.txt
//	go test -run NONE -bench . -count 10 ./prl/tree > new.txt
//	benchstat old.txt new.txt
func BenchmarkFit(b *testing.B) {
	X, y := benchData(10000, 20)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Fit(b.Context(), X, y, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFitRegression(b *testing.B) {
	X, _ := benchData(10000, 20)
	target := mat.Col(nil, 0, X)
	o := Options{}
	o.MaxDepth = 8
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FitRegression(b.Context(), X, target, o); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPredict(b *testing.B) {
	X, y := benchData(10000, 20)
	model, err := Fit(b.Context(), X, y, Options{})
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
