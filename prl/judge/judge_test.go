package judge

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type pair struct {
	Name  string
	value []float64
}

// answersOf are the answers of a program, as the judge has them; the judge of a test speaks to a goroutine.
func answersOf(t *testing.T, answers map[string]any) *peer {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { here.Close(); there.Close() })
	p := newPeer(there, true)
	p.answers = answers
	go func() {
		for p.serve() == nil {
		}
		there.Close()
	}()
	return newPeer(here, false)
}

func function[F any](p *peer, name string) (f F) {
	at := reflect.ValueOf(&f).Elem()
	at.Set(reflect.MakeFunc(at.Type(), func(args []reflect.Value) []reflect.Value { return p.call(at.Type(), name, 0, args) }))
	return f
}

func said(f func()) (why string) {
	defer func() { why = fmt.Sprint(recover()) }()
	f()
	return
}

// TestAnswers sends each kind of value there and back, with functions that call each other over the border.
func TestAnswers(t *testing.T) {
	chosen := [][3]float64{{1, 2, 1}, {0, 0, -1}}
	p := answersOf(t, map[string]any{
		"sum": func(m *mat.SymDense, k map[string]int, pairs ...pair) (float64, error) {
			if len(pairs) > 1 {
				return 0, errors.New("too many")
			}
			return m.At(0, 1) + float64(k["k"]) + pairs[0].value[0], nil
		},
		"moment": func(moment func(f func(x []float64) float64) float64) float64 {
			return moment(func(x []float64) float64 { return x[0] * x[0] })
		},
		"rows":   func(x []float64) *mat.Dense { return mat.NewDense(1, len(x), x) },
		"any":    func(x float64) any { return []float64{x, math.Inf(1)} },
		"panics": func() float64 { panic("out of reach") },
		"hidden": func() *strings.Builder { return &strings.Builder{} },
		"chosen": &chosen,
	})
	sum := function[func(*mat.SymDense, map[string]int, ...pair) (float64, error)](p, "sum")
	S := mat.NewSymDense(2, []float64{1, 2, 2, 4})
	if got, err := sum(S, map[string]int{"k": 3}, pair{"x", []float64{0.5}}); got != 5.5 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := sum(S, nil, pair{}, pair{}); err == nil || err.Error() != "too many" {
		t.Errorf("%v", err)
	}
	moment := function[func(func(func([]float64) float64) float64) float64](p, "moment")
	if got := moment(func(f func([]float64) float64) float64 { return f([]float64{3}) + f([]float64{4}) }); got != 25 {
		t.Errorf("the moment is %v", got)
	}
	if got := function[func([]float64) *mat.Dense](p, "rows")([]float64{1, 2}); got.At(0, 1) != 2 {
		t.Errorf("%v", got)
	}
	if got := function[func(float64) any](p, "any")(7); !reflect.DeepEqual(got, []float64{7, math.Inf(1)}) {
		t.Errorf("%v", got)
	}
	var got [][3]float64
	if p.get("chosen", reflect.ValueOf(&got).Elem()); !reflect.DeepEqual(got, chosen) {
		t.Errorf("%v", got)
	}
	for name, want := range map[string]string{"panics": "out of reach", "missing": "missing needs to be a func() float64"} {
		if why := said(func() { function[func() float64](p, name)() }); why != want {
			t.Errorf("%s: %q", name, why)
		}
	}
	if why := said(func() { function[func() *strings.Builder](p, "hidden")() }); !strings.Contains(why, "cannot be judged") {
		t.Errorf("what only its package sets is set by somebody else: %q", why)
	}
}

// TestEnds wants a judge to notice that the other program ends in the middle.
func TestEnds(t *testing.T) {
	here, there := net.Pipe()
	go func() {
		io.ReadFull(there, make([]byte, 5))
		there.Close()
	}()
	p := newPeer(here, false)
	if why := said(func() { function[func() float64](p, "f")() }); !strings.Contains(why, "has ended") {
		t.Errorf("%q", why)
	}
}

// A whole number answers where the chapter has a number, and no other type does.
func TestWholeNumberIsANumber(t *testing.T) {
	n, u, word := 2, uint8(3), "2"
	p := answersOf(t, map[string]any{"n": &n, "u": &u, "word": &word, "none": nil})
	for name, want := range map[string]float64{"n": 2, "u": 3} {
		var got float64
		if p.get(name, reflect.ValueOf(&got).Elem()); got != want {
			t.Errorf("%s is %v", name, got)
		}
	}
	for _, name := range []string{"word", "none"} {
		var got float64
		if why := said(func() { p.get(name, reflect.ValueOf(&got).Elem()) }); why != name+" needs to be a variable of the type float64" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// FuzzReader reads messages of somebody who wishes the judge ill.
func FuzzReader(f *testing.F) {
	f.Add([]byte{1, 255, 255, 3})
	f.Add([]byte{1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, into := range []any{
			new([]float64), new([][]int), new(*mat.Dense), new(*mat.SymDense), new(*mat.VecDense), new(any), new(map[string]int),
			new(pair), new(error), new([3]float64), new(**int),
		} {
			r := &reader{peer: newPeer(nil, false), data: data}
			func() {
				defer func() {
					if why := recover(); why != nil {
						if _, is := why.(string); !is {
							t.Fatalf("%T: %v", into, why)
						}
					}
				}()
				r.value(reflect.ValueOf(into).Elem(), 0)
			}()
		}
	})
}
