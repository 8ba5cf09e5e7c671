package estimator

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

func ExampleArgument() {
	fmt.Println(fault.Argument("svm.Fit", "C", -1, "a positive number", "the default is 1"))
	// Output: svm.Fit: C is -1, but needs to be a positive number; the default is 1
}

// The error of an inner function is told by the outer one.
func ExampleIn() {
	err := CheckX("tree.Fit", nil)
	fmt.Println(fault.In("boost.Fit", err))
	// Output: boost.Fit: X is nil, but needs to be a matrix with one observation a row
}

func ExampleCheckLabels() {
	k, err := CheckLabels("svm.Fit", []int{0, 1, 2, 1}, 4)
	fmt.Println(k, err)
	_, err = CheckLabels("svm.Fit", []int{0, 2, 2, 0}, 4)
	fmt.Println(err)
	// Output:
	// 3 <nil>
	// svm.Fit: y is without class 1, but needs to be labels in which every class 0 ... 2 occurs; number the classes without gaps
}

func ExampleAccuracy() {
	fmt.Println(Accuracy([]int{0, 1, 1, 2}, []int{0, 1, 2, 2}))
	// Output: 0.75
}

func TestAccuracy(t *testing.T) {
	for _, c := range []struct {
		got, want []int
		accuracy  float64
	}{{nil, nil, 0}, {[]int{1}, nil, 0}, {[]int{1, 0}, []int{1}, 0.5}, {[]int{1}, []int{1, 0}, 1}} {
		if a := Accuracy(c.got, c.want); a != c.accuracy {
			t.Errorf("Accuracy(%v, %v) = %v, want %v", c.got, c.want, a, c.accuracy)
		}
	}
}

func TestChecks(t *testing.T) {
	const f = "pkg.Fit"
	good := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	hole := mat.NewDense(2, 2, []float64{1, 2, 3, math.NaN()})
	for _, c := range []struct {
		err  error
		want string // "" for no error
	}{
		{CheckX(f, good), ""},
		{CheckX(f, good.T()), ""},
		{CheckX(f, nil), "X is nil"},
		{CheckX(f, (*mat.Dense)(nil)), "X is nil"},
		{CheckX(f, (*mat.SymDense)(nil)), "X is nil"},
		{CheckX(f, &mat.SymDense{}), "X is 0 x 0"},
		{CheckX(f, hole), "X[1, 1] is NaN"},
		{CheckX(f, hole.T()), "X[1, 1] is NaN"},
		{CheckWidth(f, good, 2), ""},
		{CheckWidth(f, good, 3), "X is 2 x 2, but needs to be n x 3 like the data of the fit"},
		{CheckWidth(f, good, 0), "the model is not fitted"},
		{CheckWeights(f, nil, 3), ""},
		{CheckWeights(f, []float64{0, 1}, 2), ""},
		{CheckWeights(f, []float64{}, 2), "Weights is 0 numbers"},
		{CheckWeights(f, []float64{0, 0}, 2), "Weights is all zero"},
		{CheckWeights(f, []float64{1, math.Inf(1)}, 2), "Weights[1] is +Inf"},
		{CheckClassWeights(f, []int{0, 1, 1}, nil, 2), ""},
		{CheckClassWeights(f, []int{0, 1, 1}, []float64{1, 0, 1}, 2), ""},
		{CheckClassWeights(f, []int{0, 1, 1}, []float64{1, 0, 0}, 2), "Weights is zero for all of class 1"},
		{CheckPositive(f, "C", 1, 1), ""},
		{CheckPositive(f, "C", math.NaN(), 1), "C is NaN, but needs to be a positive number; the default is 1"},
		{CheckPlane(f, 2), ""},
		{CheckPlane(f, 3), "the data set is of 3 features, but needs to be a set of 2 features; choose two with .Features(a, b)"},
		{CheckCount(f, "K", 3, 1, 3), ""},
		{CheckCount(f, "K", 4, 1, 3), "K is 4, but needs to be a whole number from 1 to 3"},
		{CheckCount(f, "K", 0, 1, math.MaxInt), "a whole number of at least 1"},
		{CheckProbabilities(f, "Priors", []float64{0.25, 0.75}), ""},
		{CheckProbabilities(f, "Priors", []float64{0.5, 0.75}), "which sums to 1.25"},
		{CheckProbabilities(f, "Priors", []float64{-0.5, 1.5}), "Priors[0] is -0.5"},
	} {
		if c.want == "" {
			if c.err != nil {
				t.Errorf("error %v, want none", c.err)
			}
			continue
		}
		var a *fault.ArgumentError
		if !errors.As(c.err, &a) || a.Func != f || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one of %s with %q", c.err, f, c.want)
		}
	}
}

func TestIn(t *testing.T) {
	if fault.In("f", nil) != nil {
		t.Error("In makes an error of nil")
	}
	plain := errors.New("plain")
	if fault.In("f", plain) != plain {
		t.Error("In changes an error that is no ArgumentError")
	}
	inner := fault.Argument("inner", "C", 0, "1", "")
	if got := fault.In("outer", fmt.Errorf("class 1: %w", inner)); got.Error() != "outer: C is 0, but needs to be 1" {
		t.Errorf("In returns %v", got)
	}
	if inner.Error() != "inner: C is 0, but needs to be 1" {
		t.Error("In changes the error it is given")
	}
}

func TestEncode(t *testing.T) {
	type state struct{ A []float64 }
	data, err := Encode("pkg.Model", 2, state{[]float64{1, math.Inf(-1)}})
	if err != nil {
		t.Fatal(err)
	}
	var s state
	if err := Decode(data, "pkg.Model", 2, &s); err != nil || len(s.A) != 2 || !math.IsInf(s.A[1], -1) {
		t.Fatalf("decoded %v, error %v", s, err)
	}
	for want, err := range map[string]error{
		"pkg.Other: decode: the data holds a pkg.Model":       Decode(data, "pkg.Other", 2, &s),
		"layout version 2, this library reads version 3":      Decode(data, "pkg.Model", 3, &s),
		"pkg.Model: decode: not an encoded model":             Decode([]byte("rubbish"), "pkg.Model", 2, &s),
		"2 things are claimed where 13 bytes are left":        Decode(data[:len(data)-3], "pkg.Model", 2, &s),
		"pkg.Model: encode: a struct { X int } cannot be sto": encodeError(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func encodeError() error {
	_, err := Encode("pkg.Model", 1, struct{ V any }{struct{ X int }{1}})
	return err
}

func TestDense(t *testing.T) {
	X := mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	if Dense(X) != X {
		t.Error("Dense copies a matrix whose rows lie one behind the other")
	}
	part := X.Slice(0, 3, 1, 3)
	if got := Dense(part); !mat.Equal(got, part) || got.RawMatrix().Stride != 2 {
		t.Errorf("Dense of a part is %v with stride %d", got, got.RawMatrix().Stride)
	}
	if got := Dense(X.T()); !mat.Equal(got, X.T()) {
		t.Errorf("Dense of a transpose is %v", got)
	}
}
