package learn

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Space is a finite hypothesis space over m instances, each hypothesis a row of m labels (one bit an instance). It is immutable.
type Space struct {
	instances int
	words     int // of 64 bits in a row
	rows      []uint64
	names     []string // of the hypotheses, or nil
}

// maxBits keeps a space below 64 MB.
const maxBits = 1 << 29

// NewSpace returns the space of the given hypotheses: labels[h][x] says whether hypothesis h calls instance x positive. Hypotheses may have
// names.
func NewSpace(labels [][]bool, names ...string) (*Space, error) {
	const who = "learn.NewSpace"
	if len(labels) == 0 || len(labels[0]) == 0 {
		return nil, fault.Argument(who, "labels", "empty", "at least one hypothesis on at least one instance", "")
	}
	if len(names) != 0 && len(names) != len(labels) {
		return nil, fault.Argument(
			who,
			"names",
			fmt.Sprintf("%d names", len(names)),
			fmt.Sprintf("one name for each of the %d hypotheses", len(labels)),
			"",
		)
	}
	s, err := blank(who, len(labels[0]), len(labels))
	if err != nil {
		return nil, err
	}
	for h, row := range labels {
		if len(row) != s.instances {
			return nil, fault.Argument(
				who,
				fmt.Sprintf("labels[%d]", h),
				fmt.Sprintf("%d labels", len(row)),
				fmt.Sprintf("%d labels like the first hypothesis", s.instances),
				"",
			)
		}
		for x, v := range row {
			if v {
				s.row(h)[x/64] |= 1 << (x % 64)
			}
		}
	}
	s.names = append([]string(nil), names...)
	return s, nil
}

func blank(who string, instances, size int) (*Space, error) {
	words := (instances + 63) / 64
	if instances < 1 || size < 1 || words > maxBits/64/size {
		return nil, fault.Argument(
			who,
			"the space",
			fmt.Sprintf("%d hypotheses on %d instances", size, instances),
			"at most half a billion labels",
			"use Finite, which only counts",
		)
	}
	return &Space{instances: instances, words: words, rows: make([]uint64, size*words)}, nil
}

// AllFunctions returns the space of all 2^m labelings of m instances, m <= 20.
func AllFunctions(m int) (*Space, error) {
	if err := estimator.CheckCount("learn.AllFunctions", "m", m, 1, 20); err != nil {
		return nil, err
	}
	s, err := blank("learn.AllFunctions", m, 1<<m)
	if err != nil {
		return nil, err
	}
	for h := range s.rows {
		s.rows[h] = uint64(h)
	}
	return s, nil
}

// Rays returns what the positive rays x > a say about m different points of a line: m + 1 labelings.
func Rays(m int) (*Space, error) { return runs("learn.Rays", m, false, false) }

// TwoSidedRays returns what the rays of both directions say about m different points of a line: 2m labelings.
func TwoSidedRays(m int) (*Space, error) { return runs("learn.TwoSidedRays", m, false, true) }

// Intervals returns what the intervals a < x < b say about m different points of a line: m(m+1)/2 + 1 labelings.
func Intervals(m int) (*Space, error) { return runs("learn.Intervals", m, true, false) }

// runs builds the labelings of which the positives are one run of neighbouring points; rays have runs that reach the right end, two-sided
// rays also the complements.
func runs(who string, m int, anywhere, complements bool) (*Space, error) {
	if err := estimator.CheckCount(who, "m", m, 1, 1000); err != nil {
		return nil, err
	}
	var labels [][]bool
	add := func(from, to int, value bool) {
		row := make([]bool, m)
		for x := range row {
			row[x] = (x >= from && x < to) == value
		}
		labels = append(labels, row)
	}
	for from := range m + 1 {
		switch {
		case anywhere && from < m:
			for to := from + 1; to <= m; to++ {
				add(from, to, true)
			}
		case anywhere:
			add(m, m, true)
		default:
			add(from, m, true)
			if complements {
				add(from, m, false)
			}
		}
	}
	s, err := NewSpace(labels)
	if err != nil {
		return nil, err
	}
	return s.Distinct(), nil
}

// HalfPlanes returns the labelings of the given points of the plane that a line brings about (one side positive), the constant ones among
// them. The points are pairs; at most 200.
func HalfPlanes(points [][2]float64) (*Space, error) {
	const who = "learn.HalfPlanes"
	m := len(points)
	if err := estimator.CheckCount(who, "the number of points", m, 1, 200); err != nil {
		return nil, err
	}
	for i, p := range points {
		if p[0]-p[0] != 0 || p[1]-p[1] != 0 {
			return nil, fault.Argument(who, fmt.Sprintf("points[%d]", i), p, "finite numbers", "")
		}
	}
	// The order of the points along a direction changes only where the direction is perpendicular to a difference of two points. One direction
	// between each two such angles sees every order, and every separation leaves room to turn the line a little.
	var angles []float64
	for i := range m {
		for j := range i {
			dx, dy := points[i][0]-points[j][0], points[i][1]-points[j][1]
			if dx != 0 || dy != 0 {
				angles = append(angles, math.Mod(math.Atan2(dx, -dy)+2*math.Pi, math.Pi))
			}
		}
	}
	angles = append(angles, 0, math.Pi)
	slices.Sort(angles)
	s := &Space{instances: m, words: (m + 63) / 64}
	seen := map[string]bool{}
	key := make([]byte, 8*s.words)
	add := func(row []uint64) {
		for w, bits := range row {
			binary.LittleEndian.PutUint64(key[8*w:], bits)
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			s.rows = append(s.rows, row...)
		}
	}
	order, before := make([]int, m), make([]int, m)
	for i := range order {
		order[i] = i
	}
	along, balance := make([]float64, m), make([]int, m)
	row, other := make([]uint64, s.words), make([]uint64, s.words)
	first := true
	for a := 1; a < len(angles); a++ {
		if angles[a]-angles[a-1] < 1e-12 {
			continue
		}
		sin, cos := math.Sincos((angles[a] + angles[a-1]) / 2)
		for i, p := range points {
			along[i] = cos*p[0] + sin*p[1]
		}
		copy(before, order)
		slices.SortFunc(order, func(i, j int) int { return cmp.Compare(along[i], along[j]) })
		// The points beyond the cut are those of the next direction, but for a few that changed places: only cuts between such are new.
		unlike := 0
		for i := range row {
			row[i] = ^uint64(0)
		}
		if m%64 != 0 {
			row[s.words-1] = 1<<(m%64) - 1
		}
		emit := func() {
			for w := range row {
				other[w] = ^row[w]
			}
			if m%64 != 0 {
				other[s.words-1] &= 1<<(m%64) - 1
			}
			add(row)
			add(other)
		}
		if first {
			emit()
		}
		for i, x := range order {
			row[x/64] &^= 1 << (x % 64)
			for _, c := range [2]struct{ point, by int }{{x, 1}, {before[i], -1}} {
				if balance[c.point] != 0 {
					unlike--
				} else {
					unlike++
				}
				balance[c.point] += c.by
			}
			if (first || unlike > 0) && (i == m-1 || along[order[i+1]] != along[x]) {
				emit()
			}
		}
		first = false
	}
	return s, nil
}

func (s *Space) row(h int) []uint64 { return s.rows[h*s.words : (h+1)*s.words] }

// Size returns |H|, counting hypotheses that agree everywhere as often as they occur.
func (s *Space) Size() int { return len(s.rows) / s.words }

// Instances returns m.
func (s *Space) Instances() int { return s.instances }

// Finite returns the size of the space for the bounds.
func (s *Space) Finite() Finite { return FiniteOf(float64(s.Size())) }

// Label returns what hypothesis h says about instance x.
func (s *Space) Label(h, x int) bool { return s.row(h)[x/64]>>(x%64)&1 == 1 }

// Labels returns hypothesis h as a row of labels.
func (s *Space) Labels(h int) []bool {
	out := make([]bool, s.instances)
	for x := range out {
		out[x] = s.Label(h, x)
	}
	return out
}

// Hypothesis returns the name of hypothesis h, or "h7".
func (s *Space) Hypothesis(h int) string {
	if len(s.names) > 0 {
		return s.names[h]
	}
	return fmt.Sprintf("h%d", h)
}

// Index returns the hypothesis with that name, or -1.
func (s *Space) Index(name string) int {
	for h, n := range s.names {
		if n == name {
			return h
		}
	}
	return -1
}

// String returns "325 hypotheses on 48 instances".
func (s *Space) String() string {
	return fmt.Sprintf("%d hypotheses on %d instances", s.Size(), s.instances)
}

// Distinct returns the space without repetitions: of hypotheses that agree on every instance the first stays.
func (s *Space) Distinct() *Space {
	out := &Space{instances: s.instances, words: s.words}
	seen := make(map[string]bool, s.Size())
	var key strings.Builder
	for h := range s.Size() {
		key.Reset()
		for _, w := range s.row(h) {
			for range 8 {
				key.WriteByte(byte(w))
				w >>= 8
			}
		}
		if seen[key.String()] {
			continue
		}
		seen[key.String()] = true
		out.rows = append(out.rows, s.row(h)...)
		if len(s.names) > 0 {
			out.names = append(out.names, s.names[h])
		}
	}
	return out
}

func (s *Space) check(who string, instance int) error {
	if instance < 0 || instance >= s.instances {
		return fault.Argument(who, "an instance", instance, fmt.Sprintf("one of 0 ... %d", s.instances-1), "")
	}
	return nil
}

// On returns the space seen only on the given instances, without repetitions. Its size is the number of ways the space can label them.
func (s *Space) On(instances ...int) (*Space, error) {
	const who = "learn.Space.On"
	if len(instances) == 0 {
		return nil, fault.Argument(who, "instances", "empty", "at least one instance", "")
	}
	for _, x := range instances {
		if err := s.check(who, x); err != nil {
			return nil, err
		}
	}
	out, err := blank(who, len(instances), s.Size())
	if err != nil {
		return nil, err
	}
	for h := range s.Size() {
		for i, x := range instances {
			if s.Label(h, x) {
				out.row(h)[i/64] |= 1 << (i % 64)
			}
		}
	}
	out.names = s.names
	return out.Distinct(), nil
}

// Shatters reports whether every labeling of the instances occurs in the space.
func (s *Space) Shatters(instances ...int) (bool, error) {
	for _, x := range instances {
		if err := s.check("learn.Space.Shatters", x); err != nil {
			return false, err
		}
	}
	return s.shatters(instances), nil
}

func (s *Space) shatters(instances []int) bool {
	if len(instances) > 30 || s.Size() < 1<<len(instances) {
		return false
	}
	seen := make([]uint64, (1<<len(instances)+63)/64) // a bit a labeling
	missing := 1 << len(instances)
	for h := 0; h < s.Size() && missing > 0; h++ {
		row, labeling := s.row(h), uint64(0)
		for _, x := range instances {
			labeling = labeling<<1 | row[x/64]>>(x%64)&1
		}
		if bit := uint64(1) << (labeling % 64); seen[labeling/64]&bit == 0 {
			seen[labeling/64] |= bit
			missing--
		}
	}
	return missing == 0
}

// VCDimension returns the size of the largest set of instances that the space shatters, and the first such set in lexical order. The search
// goes through all sets and grows only those that are shattered already; it is meant for spaces that fit on a page, see VCDimensionContext
// for others.
func (s *Space) VCDimension() (d int, set []int) {
	d, set, _ = s.VCDimensionContext(context.Background())
	return d, set
}

// VCDimensionContext is VCDimension for spaces whose search takes long: it stops with the error of ctx, and what it has found by then is a
// lower bound.
func (s *Space) VCDimensionContext(ctx context.Context) (d int, set []int, err error) {
	most := min(s.instances, bits.Len(uint(s.Size()))-1) // a shattered set has 2^d labelings
	var search func(base []int)
	search = func(base []int) {
		if len(base) > d {
			d, set = len(base), slices.Clone(base)
		}
		from := 0
		if len(base) > 0 {
			from = base[len(base)-1] + 1
		}
		for x := from; x < s.instances && d < most && err == nil; x++ {
			err = ctx.Err()
			if grown := append(base, x); err == nil && s.shatters(grown) {
				search(grown)
			}
		}
	}
	search(nil)
	return d, set, err
}

// Rademacher returns the exact empirical Rademacher complexity of the space on its instances, E max over h of (1/m) sum of sigma_i h(x_i)
// with labels read as +1 and -1, by going through all 2^m sign vectors in m 2^m steps; m <= 20.
//
// Source: P. L. Bartlett & S. Mendelson (2002), Journal of Machine Learning Research 3, 463-482.
func (s *Space) Rademacher() (float64, error) {
	if err := estimator.CheckCount("learn.Space.Rademacher", "the number of instances", s.instances, 1, 20); err != nil {
		return 0, err
	}
	// least[sigma] becomes the number of disagreements of the best hypothesis: its distance on the cube {0,1}^m, one coordinate after the
	// other.
	least := make([]uint8, 1<<s.instances)
	for sigma := range least {
		least[sigma] = uint8(s.instances)
	}
	for _, labels := range s.rows {
		least[labels] = 0
	}
	for bit := 1; bit < len(least); bit <<= 1 {
		for sigma := range least {
			if sigma&bit == 0 {
				a, b := least[sigma], least[sigma|bit]
				least[sigma], least[sigma|bit] = min(a, b+1), min(b, a+1)
			}
		}
	}
	total := 0
	for _, d := range least {
		total += s.instances - 2*int(d)
	}
	return float64(total) / math.Pow(2, float64(s.instances)) / float64(s.instances), nil
}

// Massart returns the bound sqrt(2 log k / m) on the Rademacher complexity of k labelings of m instances.
func Massart(labelings, m int) (float64, error) {
	const who = "learn.Massart"
	if err := firstOf(estimator.CheckCount(who, "labelings", labelings, 1, math.MaxInt),
		estimator.CheckCount(who, "m", m, 1, math.MaxInt)); err != nil {
		return 0, err
	}
	return math.Sqrt(2 * math.Log(float64(labelings)) / float64(m)), nil
}
