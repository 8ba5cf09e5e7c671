package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Shapes follow from the seed, keep within their limits, reach both ends of them, and are spread evenly over the logarithms.
func TestShapesAreDrawn(t *testing.T) {
	const draws = 400
	for _, task := range Tasks() {
		l, found := limits[strings.Fields(task.Data)[0]]
		if _, drawn := task.shape(1, 0); drawn != found {
			t.Errorf("%s: a shape is drawn: %v", task.Name, drawn)
		}
		if !found {
			continue
		}
		rows := l.rows[1]
		if most := task.Rows[2]; most > 0 {
			rows = min(rows, float64(most))
		}
		middle, below, different := math.Sqrt(l.rows[0]*rows), 0, false
		first, _ := task.shape(1, 0)
		for number := range draws {
			s, _ := task.shape(7, number)
			again, _ := task.shape(7, number)
			if s != again {
				t.Fatalf("%s: seed 7 draws %v and %v", task.Name, s, again)
			}
			different = different || s != first
			n, d := float64(s.Train), float64(s.Features)
			if n < l.rows[0] || n > rows || l.features[1] > 0 && (d < l.features[0] || d > l.features[1]) || s.Groups > int(l.groups[1]) {
				t.Fatalf("%s: the shape %v is beyond its limits", task.Name, s)
			}
			if l.work(n, d, math.Max(1, float64(s.Groups))) > l.most {
				t.Fatalf("%s: the shape %v takes too long", task.Name, s)
			}
			if n < middle {
				below++
			}
		}
		if !different {
			t.Errorf("%s: seeds 1 and 7 draw the same", task.Name)
		}
		// Half of the numbers of rows lie below the geometric middle, more where large shapes are drawn again, and less where the groups
		// need more rows than that or a matrix of the columns is inverted.
		least := draws * 2 / 5
		if inverted.MatchString(task.Name) || 20*l.groups[1] > middle {
			least = draws / 5
		}
		if below < least || below == draws {
			t.Errorf("%s: %d of %d numbers of rows lie in the lower half", task.Name, below, draws)
		}
	}
}

// The data of a drawn shape are those that the task reads, with its number of groups.
func TestDrawnData(t *testing.T) {
	for _, name := range []string{"kmeans fit", "hmm viterbi", "lda predict"} {
		task, err := findTask(name)
		if err != nil {
			t.Fatal(err)
		}
		var o order
		for number := 0; ; number++ { // a small one
			if s, _ := task.shape(3, number); s.Train*s.Features < 20_000 && s.Groups < 20 {
				if o, err = task.draw(t.TempDir(), 3, number); err != nil {
					t.Fatal(err)
				}
				in, err := load(o.Dir, task, Random, o.Files)
				if err != nil {
					t.Fatal(err)
				}
				if in.groups(1, 2, 3) != s.Groups || in.pick(1, 2, 3) != 3 || in.X != nil && (in.n() != s.Train || in.d() != s.Features) {
					t.Errorf("%s: the data do not have the shape %v", name, s)
				}
				j, err := task.make(in)
				if err == nil {
					err = j.run()
				}
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				break
			}
		}
		if len(o.Files) != len(strings.Fields(task.Data)) {
			t.Errorf("%s: %d files", name, len(o.Files))
		}
	}
}

// Drawn shapes stand in a part of their own under the seed, the least ratio first.
func TestLossesFirst(t *testing.T) {
	r := testReport()
	r.Seed = 42
	for i, ratio := range []float64{3, 0.5, 2} {
		x := result("pca fit", 1, 1, ratio)
		x.Size, x.Draw, x.Groups = string(Random), i+1, 4+i
		r.Results = append(r.Results, x)
	}
	text := r.Text()
	_, drawn, found := strings.Cut(text, "Shapes drawn at random from the seed 42, losses first\n")
	if !found {
		t.Fatal(text)
	}
	a, b, c := strings.Index(drawn, "K = 5"), strings.Index(drawn, "K = 6"), strings.Index(drawn, "K = 4")
	if a < 0 || !(a < b && b < c) {
		t.Errorf("the order is not that of the ratios:\n%s", drawn)
	}
}

// Of the drawn tasks a count takes as many, the same ones for the same seed.
func TestCount(t *testing.T) {
	names := func(seed uint64, count int) (all []string) {
		for _, d := range (Models{Draws: 2, Seed: seed, Count: count}).drawn() {
			all = append(all, fmt.Sprint(d.number, d.Name))
		}
		return all
	}
	everything, some, others := names(7, 0), names(7, 60), names(8, 60)
	if len(some) != 60 || len(everything) <= 60 || len(everything)%2 > 0 {
		t.Errorf("%d of %d tasks", len(some), len(everything))
	}
	if !slices.Equal(some, names(7, 60)) || slices.Equal(some, others) {
		t.Error("the tasks do not follow from the seed")
	}
	slices.Sort(some)
	if len(slices.Compact(some)) != 60 {
		t.Error("a task is measured twice")
	}
	for _, name := range some {
		if !slices.Contains(everything, name) {
			t.Errorf("nothing is called %q", name)
		}
	}
}

// The tables tell how many ratios reach 1, and who takes more than twice the memory.
func TestBars(t *testing.T) {
	all := []Result{result("a", 1, 1, 3), result("b", 1, 1, 0.9), result("c", 1, 1, 1), result("d", 1, 1, 2)}
	all[0].Ours.Memory = 2*all[0].Peer.Memory + memorySlack
	all[1].Ours.Memory = 2*all[1].Peer.Memory + memorySlack + 1
	all[3].Failure = "no"
	const want = "On 1 thread 2 of 3 ratios are at least 1, the least is 0.90; 2 of 3 tasks take at most twice the peer's memory\n"
	if got := bars(all); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// One-hot rows have a one in each six columns, and short sequences make up the long one.
func TestMadeOfOthers(t *testing.T) {
	in := &input{X: mat.NewDense(2, 2, []float64{-9, 0.5, 2.5, 9}), Xt: mat.NewDense(1, 2, []float64{-0.5, -1})}
	own := oneHot(in)
	want := mat.NewDense(2, 12, []float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1})
	if !mat.Equal(own.X, want) {
		t.Errorf("the rows are %v", mat.Formatted(own.X))
	}
	long := make([]int, 200)
	for i := range long {
		long[i] = i
	}
	parts := short(long)
	for i, p := range parts[:len(parts)-1] {
		if len(p) < 20 || len(p) > 40 {
			t.Errorf("part %d has %d symbols", i, len(p))
		}
	}
	if !slices.Equal(slices.Concat(parts...), long) {
		t.Errorf("the parts are %v", parts)
	}
}
