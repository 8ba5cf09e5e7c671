package bench

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Random is the size of data whose shape is drawn.
const Random = 'R'

// A limit is how much data a drawn shape may have, so that the slower side needs some seconds at the most. work is of rows, features and
// groups: what grows with it is what takes the time.
type limit struct {
	rows, features [2]float64
	groups         [2]float64
	most           float64
	work           func(n, d, k float64) float64
}

var (
	linear = func(n, d, k float64) float64 { return n * d * math.Sqrt(k) }
	square = func(n, d, _ float64) float64 { return n * d * d }
	pairs  = func(n, d, _ float64) float64 { return n * n * d }
)

// limits are those of the data sets, by name: 3 to 2000 columns, or from as many as the formula of the data needs.
var limits = map[string]limit{
	"cls":   {[2]float64{200, 1e6}, [2]float64{3, 2000}, [2]float64{2, 30}, 2e10, square},
	"lin":   {[2]float64{200, 1e6}, [2]float64{3, 2000}, [2]float64{}, 5e9, square},
	"bin":   {[2]float64{200, 10_000}, [2]float64{4, 2000}, [2]float64{}, 4e9, pairs},
	"fried": {[2]float64{200, 1e6}, [2]float64{5, 2000}, [2]float64{}, 2e6, linear},
	"mix":   {[2]float64{500, 1e6}, [2]float64{3, 2000}, [2]float64{2, 100}, 1e9, func(n, d, k float64) float64 { return n * d * d * k }},
	"sheet": {[2]float64{200, 4000}, [2]float64{3, 2000}, [2]float64{}, 1e9, pairs},
	"wide":  {[2]float64{50, 5000}, [2]float64{50, 2000}, [2]float64{2, 10}, 2e10, square},
	"blend": {[2]float64{500, 1e6}, [2]float64{3, 2000}, [2]float64{}, 2e7, square},
	"hmm":   {[2]float64{200, 1e6}, [2]float64{}, [2]float64{2, 100}, 5e7, func(n, _, k float64) float64 { return n * k * k }},
}

// inverted are the tasks that invert a covariance matrix, for which classes need more rows than features.
var inverted = regexp.MustCompile("^(lda|qda|mda|fisher|whitening)")

// draw draws rows, features and groups log-uniformly, again and again until the work is within the limit, and writes the data of the task
// into dir. The shape follows from seed, number and task alone. A task whose data have no shape has no order.
func (t Task) draw(dir string, seed uint64, number int) (order, error) {
	names := strings.Fields(t.Data)
	shape, ok := t.shape(seed, number)
	if !ok {
		return order{}, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return order{}, err
	}
	o := order{Task: t.Name, Size: string(Random), Dir: dir, Files: map[string]DataFile{}}
	of := map[string]Shape{}
	for _, name := range names {
		of[name] = shape
	}
	for _, s := range sources(of, 1000+int(seed%1e6)) {
		if _, wanted := of[s.name]; !wanted {
			continue
		}
		file, err := s.write(dir, Random)
		if err != nil {
			return o, err
		}
		file.Groups = shape.Groups
		o.Files[s.name] = file
	}
	return o, nil
}

// shape draws the shape of a task's data.
func (t Task) shape(seed uint64, number int) (Shape, bool) {
	l, found := limits[strings.Fields(t.Data)[0]]
	if !found {
		return Shape{}, false
	}
	name := fnv.New64a()
	name.Write([]byte(t.Name))
	r := rand.New(rand.NewPCG(seed, name.Sum64()+uint64(number)))
	if strings.HasPrefix(t.Name, "svm linear") { // coordinate descent goes over the data hundreds of times
		l.work, l.most = linear, 5e5
	}
	if strings.Contains(t.Name, "one-hot") { // six columns come of one
		l.features[1] /= nominals
	}
	if strings.Contains(t.Name, "of sparse rows") {
		l.features[1] /= bins
	}
	if most := t.Rows[len(t.Rows)-1]; most > 0 {
		l.rows[1] = math.Min(l.rows[1], float64(most))
	}
	for {
		n, d, k := between(r, l.rows), between(r, l.features), between(r, l.groups)
		test := between(r, [2]float64{1, 10_000})
		if r.IntN(4) == 0 { // as a slider asks, or somebody who waits for one answer
			test = 1
		}
		if l.work(n, d, k) > l.most || n*d > 2e7 {
			continue
		}
		if inverted.MatchString(t.Name) && n < 3*k*d || n < 20*k {
			continue
		}
		s := Shape{Train: int(n), Test: 1000, Features: int(d), Groups: int(k), Symbols: int(2 * k)}
		if strings.Contains(t.Name, "predict") {
			s.Test = int(test)
		}
		if l.groups[0] == 0 {
			s.Groups = 0
		}
		if shapes('S')[strings.Fields(t.Data)[0]].Test == 0 {
			s.Test = 0
		}
		return s, true
	}
}

// drawn returns which tasks are measured on which of their shapes: all, or so many of them, which follow from the seed and stay in order.
func (o Models) drawn() []drawn {
	var all []drawn
	for number := range o.Draws {
		for _, t := range o.chosen() {
			if _, found := t.shape(o.Seed, number); found {
				all = append(all, drawn{t, number})
			}
		}
	}
	if o.Count == 0 || o.Count >= len(all) {
		return all
	}
	picked := rand.New(rand.NewPCG(o.Seed, 1)).Perm(len(all))[:o.Count]
	slices.Sort(picked)
	some := make([]drawn, len(picked))
	for i, at := range picked {
		some[i] = all[at]
	}
	return some
}

// A drawn is a task with the number of its shape.
type drawn struct {
	Task
	number int
}

// between draws a whole number log-uniformly; of the limits zero it is one.
func between(r *rand.Rand, limits [2]float64) float64 {
	if limits[0] == 0 {
		return 1
	}
	lo, hi := math.Log(limits[0]), math.Log(limits[1]+1)
	return math.Min(limits[1], math.Floor(math.Exp(lo+r.Float64()*(hi-lo))))
}
