package main
import (
"fmt"
"github.com/prlab/prlab/datasets"
"github.com/prlab/prlab/plotting"
"github.com/prlab/prlab/prl"
"github.com/prlab/prlab/prl/live"
"github.com/prlab/prlab/prl/perceptron"
"gonum.org/v1/gonum/floats"
"gonum.org/v1/gonum/mat"
"math"
"math/rand/v2"
"os"
"slices"
"strings"
)

// cell beat

// A card is a point x with its side y, +1 or −1.
type card struct {
	x []float64
	y float64
}

// widened returns (1, x), so that θ = (b, w) gives the score w·x + b as one inner product.
func widened(x []float64) []float64 { return append([]float64{1}, x...) }

// score is w·x + b for θ = (b, w).
func score(theta, x []float64) float64 { return theta[0] + floats.Dot(theta[1:], x) }

// sides are the names of the classes −1 and +1, in this order in every picture.
var sides = []string{"−", "+"}

// pack makes a data set of cards: class 0 is −, class 1 is +.
func pack(cards []card) datasets.Set {
	X, y := mat.NewDense(len(cards), len(cards[0].x), nil), make([]int, len(cards))
	for i, c := range cards {
		X.SetRow(i, c.x)
		if c.y > 0 {
			y[i] = 1
		}
	}
	return prl.Data("cards", X, y, sides...)
}

// dealt makes cards of a data set of two classes: the first is −, the second +.
func dealt(set datasets.Set) (cards []card) {
	for i, y := range set.Y {
		cards = append(cards, card{mat.Row(nil, i, set.X), float64(2*y - 1)})
	}
	return cards
}

// thirtyFive draws the 35 cards of sections 3 and 10: standard normal points, none nearer than
// 0.25 to the line 2x₁ − x₂ + 0.5 = 0, which divides them.
func thirtyFive() (cards []card) {
	r := rand.New(rand.NewPCG(35, 19))
	for len(cards) < 35 {
		x := []float64{r.NormFloat64(), r.NormFloat64()}
		if g := (2*x[0] - x[1] + 0.5) / math.Sqrt(5); math.Abs(g) > 0.25 {
			cards = append(cards, card{x, math.Copysign(1, g)})
		}
	}
	return cards
}

// Four sets of cards that return.
var (
	liHang = []card{{[]float64{3, 3}, 1}, {[]float64{4, 3}, 1}, {[]float64{1, 1}, -1}}
	and    = []card{{[]float64{0, 0}, -1}, {[]float64{1, 0}, -1}, {[]float64{0, 1}, -1},
		{[]float64{1, 1}, 1}}
	xor    = []card{{[]float64{0, 0}, -1}, {[]float64{0, 1}, 1}, {[]float64{1, 0}, 1},
		{[]float64{1, 1}, -1}}
	three  = []card{{[]float64{2, 1}, 1}, {[]float64{-1, 2}, 1}, {[]float64{1, -3}, -1}}
)

// meets shows a card to the machine w, without a bias, and reports whether it was wrong. A score
// of 0 is a mistake.
func meets(w []float64, c card) bool {
	if c.y*floats.Dot(w, c.x) > 0 {
		return false
	}
	floats.AddScaled(w, c.y, c.x)
	return true
}

// enemy is the k-th card, from 0, of the enemy of the plane, in the unit disc.
func enemy(k int, gamma float64) card {
	a := math.Sqrt(1 - gamma*gamma)
	if k == 0 {
		return card{[]float64{gamma, a / 2}, 1}
	}
	return card{[]float64{gamma, a * float64(1-2*(k%2))}, 1}
}

// axes are the cards of an enemy with d coordinates: a unit vector each, and then again. The line
// that it hides has the normal (1, …, 1) of the first m coordinates, 1/√m being at least gamma.
func axes(k, d int, gamma float64) (c card, m int) {
	m = min(d, int(1/(gamma*gamma)+1e-9))
	c = card{make([]float64, m), 1}
	c.x[k%m] = 1
	return c, m
}

// rounded returns numbers without the last digits, for a comparison as text.
func rounded(v []float64) []string {
	out := make([]string, len(v))
	for i, x := range v {
		out[i] = fmt.Sprintf("%.6f", x+1e-12)
	}
	return out
}

// failures counts the draws in which a claim does not hold.
func failures(draws int, holds func(r *rand.Rand) bool) (n int) {
	r := rand.New(rand.NewPCG(19, uint64(draws)))
	for range draws {
		if !holds(r) {
			n++
		}
	}
	return n
}

// number reads a number from a word.
func number(word string) (v float64) {
	fmt.Sscan(word, &v)
	return v
}

// A match is what is known after some cards.
type match struct {
	w        []float64
	wrong    []bool
	mistakes []float64 // after each card
	along    float64   // the part of w along the hidden normal
}

func (g *match) play(c card, normal func(x []float64) float64) {
	if g.w == nil {
		g.w = make([]float64, len(c.x))
	}
	before := 0.0
	if n := len(g.mistakes); n > 0 {
		before = g.mistakes[n-1]
	}
	wrong := meets(g.w, c)
	if wrong {
		before++
		g.along += c.y * normal(c.x)
	}
	g.wrong, g.mistakes = append(g.wrong, wrong), append(g.mistakes, before)
}

var who = []string{"you", "the enemy of the plane", "the enemy with 20 coordinates",
	"the enemy with 100 coordinates"}

// played plays a match: the cards of the reader that are allowed, or those of an enemy.
func played(by string, set datasets.Set, cards int, gamma float64) (g match, shown []card) {
	first := func(x []float64) float64 { return x[0] }
	switch by {
	case who[0]:
		for i := range set.N() {
			x := mat.Row(nil, i, set.X)
			if c := (card{x, math.Copysign(1, x[0])}); allowed(x, gamma) {
				g.play(c, first)
				shown = append(shown, c)
			}
		}
	case who[1]:
		for k := range cards {
			g.play(enemy(k, gamma), first)
			shown = append(shown, enemy(k, gamma))
		}
	default:
		for k := range cards {
			c, m := axes(k, map[string]int{who[2]: 20, who[3]: 100}[by], gamma)
			g.play(c, func(x []float64) float64 { return floats.Sum(x) / math.Sqrt(float64(m)) })
		}
	}
	return g, shown
}

func allowed(x []float64, gamma float64) bool {
	return math.Abs(x[0]) >= gamma-1e-12 && math.Hypot(x[0], x[1]) <= 1+1e-12
}

var opening = datasets.New("cards", mat.NewDense(1, 2, []float64{0.5, 0.6}), nil).Named("x₁", "x₂")

// cell g-line
// geoStart begins a figure with what shows the two sides. The line, and then distances, have the
// next colours, the same in every picture, under these names.
func geoStart(first plotting.Layer, names ...string) *plotting.Figure {
	fig := plotting.New(first)
	for i, name := range names {
		fig = fig.Add(plotting.Line(nil, nil).Class([]string{"line", "distance"}[i]).Name(name))
	}
	return fig
}

// geoSees reports whether something is drawn under a name.
func geoSees(v plotting.View, name string) bool { return v.Drawn(name).Err() == nil }

// geoInside returns the two ends of the line w·x + b = level in the square |x₁|, |x₂| ≤ half, or
// nothing where the line misses the square.
func geoInside(w []float64, b, level, half float64) (x, y []float64) {
	n := floats.Dot(w, w)
	p := []float64{(level - b) * w[0] / n, (level - b) * w[1] / n}
	along := []float64{-w[1], w[0]}
	from, to := math.Inf(-1), math.Inf(1)
	for j := range p {
		if along[j] == 0 {
			if math.Abs(p[j]) > half {
				return nil, nil
			}
			continue
		}
		s, t := (-half-p[j])/along[j], (half-p[j])/along[j]
		from, to = max(from, min(s, t)), min(to, max(s, t))
	}
	if from >= to {
		return nil, nil
	}
	return []float64{p[0] + from*along[0], p[0] + to*along[0]},
		[]float64{p[1] + from*along[1], p[1] + to*along[1]}
}

// geoAcross is the signed distance of z from the line through two points, on the left of the way
// from the first to the second: an area over a base. It knows no normal.
func geoAcross(line [][2]float64, z []float64) float64 {
	p, q := line[0], line[len(line)-1]
	ux, uy := q[0]-p[0], q[1]-p[1]
	return (ux*(z[1]-p[1]) - uy*(z[0]-p[0])) / math.Hypot(ux, uy)
}

// geoMinus sets the signs of numbers in a text as minus signs.
func geoMinus(format string, values ...any) string {
	text := []rune(fmt.Sprintf(format, values...))
	for i, c := range text {
		if c == '-' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
			text[i] = '−'
		}
	}
	return string(text)
}

// geoLong is w, or a vector of length 0.2 in its direction where it is shorter.
func geoLong(x, y float64) []float64 {
	if n := math.Hypot(x, y); n < 0.2 {
		if n == 0 {
			return []float64{0.2, 0}
		}
		return []float64{0.2 * x / n, 0.2 * y / n}
	}
	return []float64{x, y}
}

const geoHalf = 6.0 // the picture reaches from −6 to 6

// cell g-foot
// geoFoot returns the signed distance of z from the hyperplane w·x + b = 0, and its foot.
func geoFoot(w []float64, b float64, z []float64) (delta float64, foot []float64) {
	g := floats.Dot(w, z) + b
	foot = slices.Clone(z)
	floats.AddScaled(foot, -g/floats.Dot(w, w), w)
	return g / floats.Norm(w, 2), foot
}
// cell g-plane
// The plane x₁ + 2x₂ + 2x₃ = 3: its normal, its point nearest to the origin, two unit vectors
// in it.
var geoW, geoP = []float64{1, 2, 2}, []float64{1. / 3, 2. / 3, 2. / 3}
var geoU, geoV = []float64{2. / 3, -2. / 3, 1. / 3}, []float64{2. / 3, 1. / 3, -2. / 3}

// geoOn returns the point of the plane with coordinates s and t.
func geoOn(s, t float64) []float64 {
	x := slices.Clone(geoP)
	floats.AddScaled(x, s, geoU)
	floats.AddScaled(x, t, geoV)
	return x
}

// geoSeen projects a point of space: the view comes from a direction, turn and height in degrees.
func geoSeen(x []float64, turn, height float64) (right, up float64) {
	sa, ca := math.Sincos(turn * math.Pi / 180)
	se, ce := math.Sincos(height * math.Pi / 180)
	return -sa*x[0] + ca*x[1], -ca*se*x[0] - sa*se*x[1] + ce*x[2]
}

// cell g-line-check
// geoGauss draws n standard normal numbers.
func geoGauss(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// geoPlane draws a hyperplane of five dimensions: w, b, a point of it and four vectors that
// span its differences. The span is made
// first, and w is what all of them are orthogonal to.
func geoPlane(r *rand.Rand) (w []float64, b float64, p []float64, span [][]float64) {
	w, p = geoGauss(r, 5), geoGauss(r, 5)
	for range 4 {
		v := geoGauss(r, 5)
		floats.AddScaled(v, -floats.Dot(v, w)/floats.Dot(w, w), w)
		floats.AddScaled(v, -floats.Dot(v, w)/floats.Dot(w, w), w)
		span = append(span, v)
	}
	return w, -floats.Dot(w, p), p, span
}

// geoSomewhere returns the point p + Σ tₖ vₖ.
func geoSomewhere(p []float64, span [][]float64, t []float64) []float64 {
	x := slices.Clone(p)
	for k, v := range span {
		floats.AddScaled(x, t[k], v)
	}
	return x
}

// geoWalk looks for the least value of f with steps along the axes, which shrink where none
// helps. It knows no formula.
func geoWalk(f func(t []float64) float64, n int) float64 {
	t := make([]float64, n)
	best, step := f(t), 1.0
	for turn := 0; step > 1e-9 && turn < 200_000; turn++ {
		helped := false
		for k := range t {
			for _, s := range []float64{step, -step} {
				t[k] += s
				if v := f(t); v < best {
					best, helped = v, true
				} else {
					t[k] -= s
				}
			}
		}
		if !helped {
			step /= 2
		}
	}
	return best
}

// cell g-margins
// Six cards for margins: three on each side.
var geoSix = []card{{[]float64{0.8, 2}, 1}, {[]float64{2.5, 0.8}, 1}, {[]float64{1.5, 2.8}, 1},
	{[]float64{-1.6, 0.8}, -1}, {[]float64{0.5, -1.2}, -1}, {[]float64{-1.2, -2.4}, -1}}

var geoNumbers = []string{"1", "2", "3", "4", "5", "6"}

// cell g-margin-check
// geoMargins returns the functional and the geometric margin of a card.
func geoMargins(w []float64, b float64, c card) (functional, geometric float64) {
	functional = c.y * (floats.Dot(w, c.x) + b)
	return functional, functional / floats.Norm(w, 2)
}

// geoCard draws a card of d numbers.
func geoCard(r *rand.Rand, d int) card {
	return card{geoGauss(r, d), float64(2*r.IntN(2) - 1)}
}

// cell g-hulls
// Six cards for hulls, three of each class.
var geoHulls = []card{{[]float64{-2.5, -1.5}, -1}, {[]float64{-0.5, 1.5}, -1},
	{[]float64{-2.8, 1}, -1}, {[]float64{0.5, -2}, 1}, {[]float64{2.5, 1}, 1},
	{[]float64{2.8, -1.5}, 1}}

// geoRing returns the corners of the convex hull of points, in order.
func geoRing(points [][]float64) [][]float64 {
	points = slices.Clone(points)
	slices.SortFunc(points, slices.Compare)
	points = slices.CompactFunc(points, slices.Equal)
	if len(points) < 3 {
		return points
	}
	var ring [][]float64
	for range 2 { // below, then above
		start := len(ring)
		for _, p := range points {
			for len(ring) >= start+2 {
				a, b := ring[len(ring)-2], ring[len(ring)-1]
				if (b[0]-a[0])*(p[1]-a[1])-(b[1]-a[1])*(p[0]-a[0]) > 0 {
					break
				}
				ring = ring[:len(ring)-1]
			}
			ring = append(ring, p)
		}
		ring = ring[:len(ring)-1]
		slices.Reverse(points)
	}
	return ring
}

// geoBest is the least margin of the best line whose normal has a direction in degrees.
func geoBest(cards []card, degrees float64) float64 {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range cards {
		if g := cos*c.x[0] + sin*c.x[1]; c.y > 0 {
			low = min(low, g)
		} else {
			high = max(high, g)
		}
	}
	return (low - high) / 2
}

// geoWidest is the margin of the best line, from the finitely many directions that it can have:
// along a difference of two cards, or across one. It is at most 0 where no line separates.
func geoWidest(cards []card) float64 {
	best := math.Inf(-1)
	for _, a := range cards {
		for _, b := range cards {
			if dx, dy := a.x[0]-b.x[0], a.x[1]-b.x[1]; dx != 0 || dy != 0 {
				turn := math.Atan2(dy, dx) * 180 / math.Pi
				best = max(best, geoBest(cards, turn), geoBest(cards, turn+90))
			}
		}
	}
	return best
}

// cell g-separate

// cell g-hull-check
// geoHard is the margin 1/‖w‖ of the support vector machine, found by another method in chapter 21.
func geoHard(cards []card) float64 {
	return prl.SVM().HardMargin().Tol(1e-10).Fit(pack(cards)).Margin()
}

// geoGrid draws up to nine cards on whole numbers from 0 to 4, so that hulls often touch.
func geoGrid(r *rand.Rand) []card {
	cards := []card{{nil, 1}, {nil, -1}}
	for range r.IntN(8) {
		cards = append(cards, card{nil, float64(2*r.IntN(2) - 1)})
	}
	for i := range cards {
		cards[i].x = []float64{float64(r.IntN(5)), float64(r.IntN(5))}
	}
	return cards
}

// cell machine-code
func learn(cards []card, theta []float64, passes int) (mistakes int, clean bool) {
	for range passes {
		clean = true
		for _, c := range cards {
			if x := widened(c.x); c.y*floats.Dot(theta, x) <= 0 {
				floats.AddScaled(theta, c.y, x)
				mistakes, clean = mistakes+1, false
			}
		}
		if clean {
			break
		}
	}
	return mistakes, clean
}

// cell machine-check
// uneven are three cards on which the first pass is not enough.
var uneven = []card{{[]float64{1, 1}, 1}, {[]float64{1, -3}, -1}, {[]float64{3, 0}, -1}}

// errors counts the cards that theta has wrong; 0 is wrong.
func errors(cards []card, theta []float64) (n int) {
	for _, c := range cards {
		if c.y*score(theta, c.x) <= 0 {
			n++
		}
	}
	return n
}

// separable draws n cards of both sides in d dimensions and a θ of margin at least 0.1 for them,
// |w| = 1; a single card may have any side.
func separable(r *rand.Rand, n, d int) (cards []card, theta []float64) {
	theta = make([]float64, d+1)
	for j := range theta {
		theta[j] = r.NormFloat64()
	}
	floats.Scale(1/floats.Norm(theta[1:], 2), theta)
	theta[0] *= 0.3
	for len(cards) < n {
		x := make([]float64, d)
		for j := range x {
			x[j] = r.NormFloat64()
		}
		if s := score(theta, x); math.Abs(s) > 0.1 {
			cards = append(cards, card{x, math.Copysign(1, s)})
		}
	}
	if side := func(c card) bool { return c.y == cards[0].y }; n > 1 &&
		!slices.ContainsFunc(cards, func(c card) bool { return !side(c) }) {
		return separable(r, n, d)
	}
	return cards, theta
}

// cell effect-check
// stepped runs a rule from a start: by gives the factor of the card for its side and score.
func stepped(cards []card, start []float64, passes int,
	by func(y, s float64) float64) (path [][]float64) {
	theta := slices.Clone(start)
	for range passes {
		for _, c := range cards {
			if f := by(c.y, score(theta, c.x)); f != 0 {
				floats.AddScaled(theta, f, widened(c.x))
				path = append(path, slices.Clone(theta))
			}
		}
	}
	return path
}

// signed is the sign of s with a convention at 0.
func signed(s, zero float64) float64 {
	if s == 0 {
		return zero
	}
	return math.Copysign(1, s)
}

func plainRule(y, s float64) float64 {
	if y*s <= 0 {
		return y
	}
	return 0
}

// cell walk
// four are cards that a line through the origin separates.
var four = []card{{[]float64{2, 1}, 1}, {[]float64{1, 2}, 1}, {[]float64{-1, -1}, -1},
	{[]float64{-2, 1}, -1}}

// walk learns without a bias from a start, and returns the weights after each update and the
// card of each.
func walk(cards []card, start []float64, passes int) (path [][]float64, which []int) {
	w := slices.Clone(start)
	path = [][]float64{slices.Clone(w)}
	for range passes {
		for i, c := range cards {
			if meets(w, c) {
				path, which = append(path, slices.Clone(w)), append(which, i)
			}
		}
	}
	return path, which
}

// solves is 1 where w has all cards right, 0 elsewhere.
func solves(cards []card, w []float64) int {
	for _, c := range cards {
		if c.y*floats.Dot(w, c.x) <= 0 {
			return 0
		}
	}
	return 1
}

// cell g-crystal
// geoJ adds up by how much the mistakes of w are wrong, over cards without a bias.
func geoJ(w []float64, cards []card) float64 {
	J := 0.0
	for _, c := range cards {
		if m := c.y * floats.Dot(w, c.x); m <= 0 {
			J -= m
		}
	}
	return J
}

// geoSlide takes steps from a start, as far as they stay in the picture: against the slope of the
// next mistake, against that of J itself, or along it.
func geoSlide(start []float64, cards []card, rule string, steps int) (path [][]float64) {
	path, next := append(path, start), 0
	for range steps {
		w := path[len(path)-1]
		move := make([]float64, len(w))
		if rule == "one mistake" {
			for k := range cards {
				if c := cards[(next+k)%len(cards)]; c.y*floats.Dot(w, c.x) <= 0 {
					floats.AddScaled(move, c.y, c.x)
					next = (next + k + 1) % len(cards)
					break
				}
			}
		} else {
			for _, c := range cards {
				if c.y*floats.Dot(w, c.x) <= 0 {
					floats.AddScaled(move, c.y, c.x)
				}
			}
			if rule == "the sign forgotten" {
				floats.Scale(-0.5, move)
			}
		}
		w = floats.AddTo(make([]float64, len(w)), w, move)
		if floats.Norm(w, math.Inf(1)) > geoHalf || floats.Norm(move, 2) == 0 {
			break
		}
		path = append(path, w)
	}
	return path
}

// cell g-zero
// geoPush returns J and Err of the line x₁ = r over cards whose first number counts.
func geoPush(cards []card, r float64) (J, wrong float64) {
	for _, c := range cards {
		m := c.y * (c.x[0] - r)
		J += max(0, -m)
		if m <= 0 {
			wrong += 1 / float64(len(cards))
		}
	}
	return J, wrong
}

// cell g-cold
// geoWarm is the logistic loss of a margin at a temperature, T ln(1 + e^(−m/T)); nothing overflows.
func geoWarm(m, T float64) float64 { return max(0, -m) + T*math.Log1p(math.Exp(-math.Abs(m)/T)) }

// cell g-descent-check
// geoFull is J over cards with a bias, θ = (b, w), with the set of mistakes.
func geoFull(theta []float64, cards []card) (J float64, mistakes []int) {
	for i, c := range cards {
		if m := c.y * score(theta, c.x); m <= 0 {
			J, mistakes = J-m, append(mistakes, i)
		}
	}
	return J, mistakes
}

// geoMax is J as a sum of maxima.
func geoMax(theta []float64, cards []card) float64 {
	J := 0.0
	for _, c := range cards {
		J += max(0, -c.y*score(theta, c.x))
	}
	return J
}

// geoDeal draws m cards of two numbers.
func geoDeal(r *rand.Rand, m int) (cards []card) {
	for range m {
		cards = append(cards, geoCard(r, 2))
	}
	return cards
}

// geoSlope is −Σ yᵢ(1, xᵢ) over the mistakes; it is a subgradient at kinks, too.
func geoSlope(theta []float64, cards []card) []float64 {
	g := make([]float64, len(theta))
	_, mistakes := geoFull(theta, cards)
	for _, i := range mistakes {
		floats.AddScaled(g, -cards[i].y, widened(cards[i].x))
	}
	return g
}

// geoOverlap draws 200 cards of two classes that overlap, on a line.
func geoOverlap() (cards []card) {
	r := rand.New(rand.NewPCG(18, 19))
	for i := range 200 {
		y := float64(2*(i%2) - 1)
		cards = append(cards, card{[]float64{r.NormFloat64() + 0.5*y}, y})
	}
	return cards
}

// cell squeeze
// bystanders are cards at least 0.4 from the vertical axis, in the unit disc.
var bystanders = func() (cards []card) {
	r := rand.New(rand.NewPCG(6, 19))
	for len(cards) < 14 {
		x := []float64{2*r.Float64() - 1, 2*r.Float64() - 1}
		if math.Abs(x[0]) >= 0.4 && math.Hypot(x[0], x[1]) <= 1 {
			cards = append(cards, card{x, math.Copysign(1, x[0])})
		}
	}
	return cards
}()

// A growth is what the proof looks at after each mistake.
type growth struct{ along, length []float64 }

// grown learns without bias until a pass is clean, and follows w along u and in length.
func grown(cards []card, u []float64, passes int) (g growth, w []float64, clean bool) {
	w = make([]float64, len(u))
	g = growth{[]float64{0}, []float64{0}}
	for range passes {
		clean = true
		for _, c := range cards {
			if meets(w, c) {
				clean = false
				g.along = append(g.along, floats.Dot(w, u))
				g.length = append(g.length, floats.Norm(w, 2))
			}
		}
		if clean {
			break
		}
	}
	return g, w, clean
}

// reach returns R and γ of cards for a unit vector u.
func reach(cards []card, u []float64) (R, gamma float64) {
	gamma = math.Inf(1)
	for _, c := range cards {
		R, gamma = max(R, floats.Norm(c.x, 2)), min(gamma, c.y*floats.Dot(c.x, u))
	}
	return R, gamma
}

// cell bound-check
// squared is |v|².
func squared(v []float64) float64 { return floats.Dot(v, v) }

// centred draws n cards in d dimensions with a margin of at least 0.1 for a unit vector u through
// the origin.
func centred(r *rand.Rand, n, d int) (cards []card, u []float64) {
	cards, theta := separable(r, n, d)
	u = theta[1:]
	for i, c := range cards {
		s := floats.Dot(c.x, u)
		cards[i].y = math.Copysign(1, s)
		floats.AddScaled(cards[i].x, math.Copysign(0.1, s), u)
	}
	return cards, u
}

// cell coordinates-check

// cell exact-code
func unitCards(d int) (cards []card) {
	for k := range d {
		x := make([]float64, d)
		x[k] = 1
		cards = append(cards, card{x, 1})
	}
	return cards
}

// cell exact-check
// longest is the largest number of mistakes of a sequence of cards (γ, t), t being one of 41
// heights in the unit disc. All cards have the first coordinate γ, so after k mistakes only the
// second coordinate of w matters: the search keeps every one that can be reached.
func longest(gamma float64) int {
	heights := prl.LinSpace(-math.Sqrt(1-gamma*gamma), math.Sqrt(1-gamma*gamma), 41)
	reached := map[int]float64{0: 0}
	for k := 0; ; k++ {
		next := map[int]float64{}
		for at, second := range reached {
			for i, t := range heights {
				if float64(k)*gamma*gamma+second*t <= 1e-12 {
					next[at+i-20] = second + t
				}
			}
		}
		if len(next) == 0 {
			return k
		}
		reached = next
	}
}

// cell batch-check
// batch adds the wrong cards of each step, all or their mean, until none is wrong.
func batch(cards []card, mean bool) (steps, wrong int) {
	w := make([]float64, len(cards[0].x))
	for {
		sum, m := make([]float64, len(w)), 0
		for _, c := range cards {
			if c.y*floats.Dot(w, c.x) <= 0 {
				floats.AddScaled(sum, c.y, c.x)
				m++
			}
		}
		if m == 0 {
			return steps, wrong
		}
		if mean {
			floats.Scale(1/float64(m), sum)
		}
		floats.Add(w, sum)
		steps, wrong = steps+1, wrong+m
	}
}

var lopsided = append(slices.Repeat([]card{{[]float64{0.1, 0.995}, 1}}, 200),
	card{[]float64{0.1, -0.995}, 1})

// cell orders
// orders are the six orders of three things.
var orders = [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// changed scales, turns and widens cards by empty or noisy coordinates.
func changed(cards []card, scale, degrees float64, more int, noise float64) (out []card) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	r := rand.New(rand.NewPCG(7, 19))
	for _, c := range cards {
		x := []float64{scale * (cos*c.x[0] - sin*c.x[1]), scale * (sin*c.x[0] + cos*c.x[1])}
		for range more {
			x = append(x, scale*noise*r.NormFloat64())
		}
		out = append(out, card{x, c.y})
	}
	return out
}

// inOrder returns the mistakes of a machine without a bias that sees the cards in an order.
func inOrder(cards []card, order []int) (mistakes int) {
	w := make([]float64, len(cards[0].x))
	for quiet, i := 0, 0; quiet < len(cards); i = (i + 1) % len(cards) {
		quiet++
		if meets(w, cards[order[i]]) {
			mistakes, quiet = mistakes+1, 0
		}
	}
	return mistakes
}

// cell orders-check
// ratio2 is |θ|/ρ for a separating θ.
func ratio2(cards []card, theta []float64) float64 {
	rho := math.Inf(1)
	for _, c := range cards {
		rho = min(rho, math.Abs(score(theta, c.x)))
	}
	return floats.Norm(theta, 2) / rho
}

// widen adds empty coordinates.
func widen(cards []card, more int) []card { return changed(cards, 1, 0, more, 0) }

// cell curriculum
// permutations calls f with all orders of n things.
func permutations(n int, f func(order []int)) {
	order := prl.Map(prl.Range(0, float64(n-1), 1), func(v float64) float64 { return v })
	p := make([]int, n)
	for i, v := range order {
		p[i] = int(v)
	}
	var rec func(k int)
	rec = func(k int) {
		if k == n {
			f(p)
			return
		}
		for i := k; i < n; i++ {
			p[k], p[i] = p[i], p[k]
			rec(k + 1)
			p[k], p[i] = p[i], p[k]
		}
	}
	rec(0)
}

// six draws six cards of margin at least 0.1 for the first axis, in the unit disc.
func six(seed uint64) (cards []card) {
	r := rand.New(rand.NewPCG(seed, 720))
	for len(cards) < 6 {
		x := []float64{2*r.Float64() - 1, 2*r.Float64() - 1}
		if math.Abs(x[0]) >= 0.1 && math.Hypot(x[0], x[1]) <= 1 {
			cards = append(cards, card{x, math.Copysign(1, x[0])})
		}
	}
	return cards
}

// easyFirst is the order of falling margins for the first axis.
func easyFirst(cards []card) []int {
	order := make([]int, len(cards))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if math.Abs(cards[a].x[0]) > math.Abs(cards[b].x[0]) {
			return -1
		}
		return 1
	})
	return order
}

// cell dual
func dual(inner [][]float64, y []float64, passes int) (alpha []float64, mistakes []int) {
	alpha = make([]float64, len(y))
	for range passes {
		for j := range y {
			sum := 0.0
			for i, a := range alpha {
				sum += a * y[i] * inner[i][j]
			}
			if y[j]*sum <= 0 {
				alpha[j]++
				mistakes = append(mistakes, j)
			}
		}
	}
	return alpha, mistakes
}

// cell memory-fig
// recalled is θ as the sum of the counted cards.
func recalled(cards []card, alpha []float64) []float64 {
	theta := make([]float64, len(cards[0].x)+1)
	for i, c := range cards {
		floats.AddScaled(theta, alpha[i]*c.y, widened(c.x))
	}
	return theta
}

// strays is the largest |f| at the ends of a drawn line.
func strays(d plotting.Drawn, f func(x, y float64) float64) (most float64) {
	for _, path := range d.Paths() {
		for _, p := range path {
			most = max(most, math.Abs(f(p[0], p[1])))
		}
	}
	return most
}

// border is the piece of the line b + w·x = 0 in the square from lo to hi, both ends; nil if the
// line does not meet it.
func border(theta []float64, lo, hi float64) (x, y []float64) {
	n := theta[1]*theta[1] + theta[2]*theta[2]
	if n == 0 {
		return nil, nil
	}
	foot := []float64{-theta[0] * theta[1] / n, -theta[0] * theta[2] / n}
	along := []float64{-theta[2], theta[1]}
	from, to := math.Inf(-1), math.Inf(1)
	for j := range 2 {
		a, b := (lo-foot[j])/along[j], (hi-foot[j])/along[j]
		if along[j] == 0 {
			if foot[j] < lo || foot[j] > hi {
				return nil, nil
			}
			continue
		}
		from, to = max(from, min(a, b)), min(to, max(a, b))
	}
	if from >= to {
		return nil, nil
	}
	return []float64{foot[0] + from*along[0], foot[0] + to*along[0]},
		[]float64{foot[1] + from*along[1], foot[1] + to*along[1]}
}

// table holds the inner products of widened cards.
func table(cards []card) (inner [][]float64, y []float64) {
	for _, a := range cards {
		var row []float64
		for _, b := range cards {
			row = append(row, 1+floats.Dot(a.x, b.x))
		}
		inner, y = append(inner, row), append(y, a.y)
	}
	return inner, y
}

// cell memory-check

// cell wander
// tame are 24 cards that a line separates with room.
var tame = func() (cards []card) {
	r := rand.New(rand.NewPCG(9, 19))
	for len(cards) < 24 {
		x := []float64{4*r.Float64() - 2, 4*r.Float64() - 2}
		if g := x[0] + x[1] - 0.3; math.Abs(g) > 0.5 {
			cards = append(cards, card{x, math.Copysign(1, g)})
		}
	}
	return cards
}()

// cured learns for some passes and returns the last weights, the first with the fewest errors,
// and the mean over all visits.
func cured(cards []card, passes int) (last, pocket, mean []float64) {
	last, mean = make([]float64, 3), make([]float64, 3)
	pocket = slices.Clone(last)
	fewest := errors(cards, pocket)
	for range passes {
		for _, c := range cards {
			if c.y*score(last, c.x) <= 0 {
				floats.AddScaled(last, c.y, widened(c.x))
				if n := errors(cards, last); n < fewest {
					fewest, pocket = n, slices.Clone(last)
				}
			}
			floats.AddScaled(mean, 1/float64(passes*len(cards)), last)
		}
	}
	return last, pocket, mean
}

// cell cycle-check
// cycle returns how many visits lie between the first repeated state, (card, θ) with integers, and
// its first occurrence, and the largest |θ|² up to there.
func cycle(cards []card, start []float64) (period int, largest float64) {
	theta, seen := slices.Clone(start), map[string]int{}
	for visit := 0; ; visit++ {
		i := visit % len(cards)
		key := fmt.Sprint(i, theta)
		if first, ok := seen[key]; ok {
			return visit - first, largest
		}
		seen[key] = visit
		if c := cards[i]; c.y*score(theta, c.x) <= 0 {
			floats.AddScaled(theta, c.y, widened(c.x))
		}
		largest = max(largest, squared(theta))
	}
}

// whole draws n cards with whole coordinates and random sides.
func whole(r *rand.Rand, n, d int) (cards []card) {
	for range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = float64(r.IntN(7) - 3)
		}
		cards = append(cards, card{x, float64(2*r.IntN(2) - 1)})
	}
	return cards
}

// cell noisy-check
// noisyBound is ((R + D)/γ)² for a unit vector u.
func noisyBound(cards []card, u []float64, gamma float64) float64 {
	R, D := 0.0, 0.0
	for _, c := range cards {
		R = max(R, floats.Norm(c.x, 2))
		D += math.Pow(max(0, gamma-c.y*floats.Dot(u, c.x)), 2)
	}
	return math.Pow((R+math.Sqrt(D))/gamma, 2)
}

// cell bundle
// slack is the least margin of cards for θ, divided by |w|.
func slack(cards []card, theta []float64) float64 {
	least := math.Inf(1)
	for _, c := range cards {
		least = min(least, c.y*score(theta, c.x)/floats.Norm(theta[1:], 2))
	}
	return least
}

// shuffled learns the cards in a random order, the same in all passes.
func shuffled(cards []card, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 10))
	order := r.Perm(len(cards))
	dealt := make([]card, len(cards))
	for i, k := range order {
		dealt[i] = cards[k]
	}
	theta := make([]float64, len(cards[0].x)+1)
	learn(dealt, theta, 1<<20)
	return theta
}

// cell digits
// pixels are the numbers of the rows and columns of an image.
func pixels(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint(i+1))
	}
	return names
}

// image cuts weights into rows.
func image(w []float64, n int) (z [][]float64) {
	for i := 0; i < len(w); i += n {
		z = append(z, w[i:i+n])
	}
	return z
}

// ones is the set of 1 and 8, the first 250 images and the others.
func ones() (taught, unseen datasets.Set) {
	set := prl.Digits().Classes("1", "8")
	var a, b []int
	for i := range set.N() {
		if i < 250 {
			a = append(a, i)
		} else {
			b = append(b, i)
		}
	}
	return set.Rows(a...), set.Rows(b...)
}

// cell sgd-fig
// sgd walks by logistic steps over cards and returns the distance from goal after each pass.
func sgd(cards []card, goal []float64, passes int, rate func(k float64) float64) (far []float64) {
	theta, k := make([]float64, len(goal)), 0.0
	far = []float64{floats.Distance(theta, goal, 2)}
	for range passes {
		for _, c := range cards {
			s := score(theta, c.x)
			floats.AddScaled(theta, rate(k)*((1+c.y)/2-1/(1+math.Exp(-s))), widened(c.x))
			k++
		}
		far = append(far, floats.Distance(theta, goal, 2))
	}
	return far
}

// crowd are 200 cards of two Gaussians that overlap, in random order.
var crowd = prl.Gaussians(200, [][]float64{{-0.7, -0.3}, {0.7, 0.3}},
	[][][]float64{{{1, 0.3}, {0.3, 1}}, {{1, 0.3}, {0.3, 1}}}, nil, 19)

// cell retina
// punched are cards as the IBM 704 was fed with, each with one of 256 places of the mark.
var punched = prl.Cards(1000, 1)

// mark1 learns the first cards of a set without a bias, and returns the weights and the mistakes
// after each card.
func mark1(set datasets.Set, n int) (w, mistakes []float64) {
	w, mistakes = make([]float64, 400), []float64{0}
	for i := range n {
		x, y := mat.Row(nil, i, set.X), float64(2*set.Y[i]-1)
		last := mistakes[len(mistakes)-1]
		if meets(w, card{x, y}) {
			last++
		}
		mistakes = append(mistakes, last)
	}
	return w, mistakes
}

// cell parity-check

// cell seals
var _ = prl.Seals(`
19-1a 0.1 6e35c4e7c2d9e936 yzFJG9GBa2D14glTtoYn4NQuRQXp00vos+N6+edDuEg wF5DptYXLZat4gdyv+ysUuqlbb3sbYlan6ux1vQJX6YACz1lNMYr2r4n90XzVmPu+3UB9luOkerXx5Q wXiHEMyDxeyJ81T0VZAEhQsJRzbFkMzayhmWDVHwEurOzkj+a2DykDdg60D/9uZwgLSTH2yQBNwfT9t3DRrw hHSwvZ2EMP8MaGOu2jgQ9mgJ5rjGyjnfsBycjQXual8iDjgscF3t38BGC
19-1b 0.1 8c4f417c10c18455 +r84oF3hr4PDDbMaEyGG55CB6MqTXFxYS+wblmXCG0E wvdfaflf8lPHLTRzcQXdMCNSFI+oAF3brLF7YpYpisJVgSwTb2MGxJxru9Xv8Xl8WAtfise1fQVO0RDn3 h/yKI80eZKA36qh7v7BLW7vm/j6trhIlkvYSLn/9rYsYTqJsgF7lnKAIn2VyNCkXLII8ShQ
19-2 0.01 4b78ef889172ff73 aLY26oFELw74+vdMRLOEs4VXRatvu7VlH60KqrHx7hk wlwPLlpnad7iyPLPTGTsu152M4/gQjcAWS2v7f7nmXvcHcDsTygi4zuoLP4fsSAwybTE hwUCuq99BnZnH/l0mzT0C9WkxDedVJxSIJnyiM9XnWs5YdUESzA
19-3 1e-09 2e91f3736da58e3b m8gBFRxmoqT3Gsn8m21P/4iisgpvMf3Jx2LVQynsk/Y wqUTWDxnqhD/2KIf3V0qxsZSa3jDX9BBtnLNXy/wlwQ3UMIc4cTjM2ijrQSffDuSDaLDr/00ZqH7HuXW9XXA0PHhc wlbzm+PuTaej0mO5FRofl1rZVCFp1hs4IXkLeiADY1Yw7BYV1rocEwuiap3UlmADhzaCUdw hx6HzpuhtdO5CoOGj+DNhx0dwtz9B+MYuJVdtJxwlZLmpV9qjEOcH
19-7 0.1 9e24dd14f1d50ff4 TLxZl8VuQZSagmB6/+2nVWAelXpyk/HsN8yVypgd1Tg wi0fsT4D9SkFKUA7zX0xjlxubDzA3aoh+qkCcjXnIUMNDF5gUMGLfGMwtbSr1cqQzfDWKD7lRjrMEs6UzVikBD3yfuvsm+jHdpm4 hR0J1iezcHrBez/fazhnez2R8F6gZcrKAel04zn/veFJDKuDbIZHURfka
19-8a 0 bac1855f9a6299d9 31RgIFzmBscSSc8jqCxNOaUdr+KKe8eAf1+3uYHPiYU wtXJgyylQSFlv+OzY6pUn7ht6M/AvymTYyEDC9xwGzw2In+CvZ/n1WOAVNgqRbYG3xD6yUEmX4VLjqd6EfLGwHw hgL0LBZ8ejMIztiiEKyOuJ4zRCmgd+pKE5Q
19-8b 0 2a72312c5a1e26a1 xle4F37/4AjGFuDXJlGaHlJzZAHBS2rnVIqUkyYKZQU weLBf2PY4/eFFU1W/zOe5YaINMoJtZU4C4KqlyZgm376/IFwB+6UZJRMbHe8fGcTSV1EX60FkKx8ydG+I8m39rQ hd5VnvYkNFgaNJQuK0HqSBGoJ6Nf39ATaywBvF3uf9gpIxgI
19-9 1e-06 8eac18d09b8f4b4 pjOB3DGfAVbNKTLmmTPnBno+hDAwg75j73Ug7mm5NQA wSgdsxgXSFwhRxIMqme64E2JAFYzdicYaRN3pilxKUEWQlcCUK7mZOxxXije+ijBXJKIyUxmhBiT1PzAO5U3o93ho wbU91IEbNnjZMgvsOiGvTJEGNqJffDRQ4/CPzVx6Z2L900VFMEPNLBamwaUW9cjC4wSDkr18 h1RXRx5udR8EzTJEMWKfqkdD/S7vEl+FhC1oNTTnt
`)
// cell ex1-code
var answerUpdates, answerBias = prl.Blank, prl.Blank

// cell ex1-solution-code

// cell ex2-code
var answerSum = prl.Blank

// cell ex2-solution-code

// cell ex3-code
var answerDistance = prl.Blank

// cell ex3-solution-code

// cell ex4-code
func taughtBy(x [][]float64, y []float64, passes int) []float64 {
	theta := make([]float64, len(x[0])+1)
	for range passes {
		for i := range x {
			s := theta[0]
			for j, v := range x[i] {
				s += theta[j+1] * v
			}
			if y[i]*s < 0 {
				theta[0] += y[i]
				for j, v := range x[i] {
					theta[j+1] += y[i] * v
				}
			}
		}
	}
	return theta
}

// lesson compares weights on random cards with those of the library: with whole coordinates, so
// that scores of 0 occur, and with random sides, so that there may be no line.
func lesson(f func([][]float64, []float64, int) []float64) func(r *rand.Rand) (got, want any) {
	return func(r *rand.Rand) (got, want any) {
		var x [][]float64
		var y []float64
		var cards []card
		for i := range 8 {
			x = append(x, []float64{float64(r.IntN(7) - 3), float64(r.IntN(7) - 3)})
			y = append(y, float64(1-2*(i%2)))
			cards = append(cards, card{slices.Clone(x[i]), y[i]})
		}
		passes := 1 + r.IntN(6)
		m := prl.Perceptron().MaxIter(passes).Fit(pack(cards)).Model()
		return f(x, slices.Clone(y), passes), m.Theta()[0]
	}
}

// cell ex4-solution-code

// cell ex5-code
func nextCard(w []float64) []float64 {
	return []float64{0.1, 0.7, 0.7}
}

// spiteful plays an enemy of three dimensions and counts the mistakes.
func spiteful(next func(w []float64) []float64) (mistakes int) {
	w := make([]float64, 3)
	for range 200 {
		x := next(slices.Clone(w))
		if len(x) != 3 || x[0] < 0.1-1e-9 || floats.Norm(x, 2) > 1+1e-9 || !meets(w, card{x, 1}) {
			break
		}
		mistakes++
	}
	return mistakes
}

// cell ex5-solution-code

// cell ex6-code
func winnowed(x [][]float64, y []float64) (mistakes int) {
	w := make([]float64, len(x[0]))
	for i := range x {
		if y[i]*floats.Dot(w, x[i]) <= 0 {
			floats.AddScaled(w, y[i], x[i])
			mistakes++
		}
	}
	return mistakes
}

// sifted compares the mistakes on cards of 30 features, of which one decides, with the library.
func sifted(f func([][]float64, []float64) int) func(r *rand.Rand) (got, want any) {
	return func(r *rand.Rand) (got, want any) {
		var x [][]float64
		var y []float64
		var cards []card
		for range 60 {
			row := make([]float64, 30)
			for j := range row {
				row[j] = float64(1 - 2*r.IntN(2))
			}
			x, y = append(x, row), append(y, row[7])
			cards = append(cards, card{slices.Clone(row), row[7]})
		}
		m := prl.Winnow().Factor(2).NoIntercept().MaxIter(1).Fit(pack(cards)).Model()
		return float64(f(x, y)), float64(m.Mistakes())
	}
}

// cell ex6-solution-code

// cell ex7-code
var answerPlane = prl.Blank

// cell ex7-solution-code

// cell ex8-code
var answerRadius, answerBound = "", ""

// cell ex8-solution-code

// cell ex9-code
var answerStart = prl.Blank

// cell ex9-solution-code

func cell_beat() {

beat := prl.Live(func(in *live.Inputs) *plotting.Figure {
	by := in.Choice("who plays", who...)
	gamma := in.Slider("half-width γ", 0.1, 0.5, live.Step(0.1), live.At(0.2))
	cards := int(in.Slider("the enemy's cards", 1, 100, live.Step(1), live.At(1)))
	set := in.Points("your cards", opening, live.Grow)
	g, shown := played(by, set, cards, gamma)
	angle := prl.LinSpace(0, 2*math.Pi, 121)
	left := plotting.New(
		plotting.Band([]float64{-gamma, gamma}, []float64{-1.25, -1.25}, []float64{1.25, 1.25}).
			Muted().Name("forbidden"),
		plotting.Line(prl.Map(angle, math.Cos), prl.Map(angle, math.Sin)).Muted().Name("disc"))
	var px, py [3][]float64
	for i, c := range shown {
		k := 1
		if g.wrong[i] {
			k = 0
		}
		px[k], py[k] = append(px[k], c.x[0]), append(py[k], c.x[1])
	}
	if by == who[0] {
		for i := range set.N() {
			if x := mat.Row(nil, i, set.X); !allowed(x, gamma) {
				px[2], py[2] = append(px[2], x[0]), append(py[2], x[1])
			}
		}
	}
	for k, name := range []string{"wrong", "right", "not allowed"} {
		p := plotting.Points(px[k], py[k]).Size(11).Name(name)
		left = left.Add(p)
	}
	count := 0.0
	if n := len(g.mistakes); n > 0 {
		count = g.mistakes[n-1]
		length := floats.Norm(g.w, 2)
		cos, sin := g.along/length, math.Sqrt(max(0, 1-g.along*g.along/(length*length)))
		if len(g.w) == 2 {
			sin = g.w[1] / length
			left = left.Add(plotting.Line([]float64{-1.2 * sin, 1.2 * sin},
				[]float64{1.2 * cos, -1.2 * cos}).Accent().Width(2).Name("the machine's line"))
		}
		left = left.Add(plotting.Arrow(0, 0, cos, sin).Accent().Label("w"))
	}
	bound := 1 / (gamma * gamma)
	right := plotting.New(plotting.HRule(1).Dash().Label("the bound"),
		plotting.Line(append([]float64{0.9}, prl.Range(1, float64(len(g.mistakes)), 1)...),
			prl.Map(append([]float64{0}, g.mistakes...), func(m float64) float64 {
				return m / bound
			})).Accent().Width(3).Name("share of the bound"))
	return plotting.Row(left.Equal().XRange(-1.25, 1.25).YRange(-1.25, 1.25).
		X("along the hidden normal").Y("across").Title("cards, and the direction of w"),
		right.LogX().XRange(0.9, 101).YRange(0, 1.1).X("cards shown").Y("mistakes / (R²/γ²)").
			Title("mistakes as a share of the bound")).Size(900, 440).
		Title("The machine, its mistakes, and the bound").
		Subtitle(fmt.Sprintf("mistakes: %.0f, never more than R²/γ² = %.4g", count, bound))
})
beat.Show()
// counted plays the drawn match again, with scores from the mistakes: w is their sum.
counted := func(cards []card) (after []float64, w []float64) {
	var added []card
	for _, c := range cards {
		s := 0.0
		for _, a := range added {
			s += a.y * floats.Dot(a.x, c.x)
		}
		if c.y*s <= 0 {
			added = append(added, c)
		}
		after = append(after, float64(len(added)))
	}
	w = make([]float64, 100)
	for _, a := range added {
		for j, v := range a.x {
			w[j] += a.y * v
		}
	}
	return after, w
}
// cardsOf are the cards of a state.
cardsOf := func(s live.State) (cards []card, gamma float64) {
	gamma = s.Slider("half-width γ")
	if set := s.Points("your cards"); s.Choice("who plays") == "you" {
		for i := range set.N() {
			if x := mat.Row(nil, i, set.X); math.Abs(x[0]) >= gamma-1e-12 &&
				x[0]*x[0]+x[1]*x[1] <= 1+1e-12 {
				cards = append(cards, card{x, math.Copysign(1, x[0])})
			}
		}
		return cards, gamma
	}
	for k := range int(s.Slider("the enemy's cards")) {
		x := []float64{gamma, math.Sqrt(1-gamma*gamma) * math.Cos(math.Pi*float64(k))}
		if k == 0 {
			x[1] /= 2
		}
		if _, n, _ := strings.Cut(s.Choice("who plays"), "with "); n != "" {
			d := 20.0
			if n == "100 coordinates" {
				d = 100
			}
			x = make([]float64, int(min(d, math.Floor(1/(gamma*gamma)+1e-9))))
			x[k%len(x)] = 1
		}
		cards = append(cards, card{x, 1})
	}
	return cards, gamma
}
prl.Check("LN-07-09", "words, curve and bound are those of the mistakes, summed card by card").
	Every(beat.States(func(s live.State) (got, want any) {
		cards, gamma := cardsOf(s)
		after, _ := counted(cards)
		last, d := 0.0, s.Panel(1).Drawn("share of the bound")
		var share, drawn []float64
		for k, m := range after {
			last = m
			share = append(share, m*gamma*gamma)
			drawn = append(drawn, d.At(float64(k+1)))
		}
		return fmt.Sprint(s.Subtitle(), rounded(drawn), s.Panel(1).Drawn("the bound").Rules()),
			fmt.Sprint(fmt.Sprintf("mistakes: %.0f, never more than R²/γ² = %.4g", last,
				1/gamma/gamma), rounded(share), []float64{1})
	}))
prl.Check("LN-07-05", "the arrow has the angle between w and the hidden normal").
	Every(beat.States(func(s live.State) (got, want any) {
		cards, gamma := cardsOf(s)
		if len(cards) == 0 {
			return 0.0, 0.0
		}
		_, w := counted(cards)
		normal := w[0]
		if m := len(cards[0].x); m > 2 {
			normal = floats.Sum(w) / math.Sqrt(float64(m))
		}
		a := s.Panel(0).Drawn("w").Arrows()[0]
		edges := s.Panel(0).Drawn("forbidden").Paths()[0]
		wide := 0.0
		for _, p := range edges {
			wide = max(wide, math.Abs(p[0]))
		}
		return []float64{a[0], a[1], a[2], math.Hypot(a[2], a[3]), wide},
			[]float64{0, 0, normal / floats.Norm(w, 2), 1, gamma}
	}))
prl.Check("", "the drawn line is orthogonal to the drawn arrow; wrong, right and forbidden cards").
	Every(beat.States(func(s live.State) (got, want any) {
		cards, _ := cardsOf(s)
		if len(cards) == 0 || len(cards[0].x) > 2 {
			return 0.0, 0.0
		}
		after, w := counted(cards)
		a := s.Panel(0).Drawn("w").Arrows()[0]
		line := s.Panel(0).Drawn("the machine's line").Paths()[0]
		wrong, sx, sy := 0.0, 0.0, 0.0 // the wrong cards, each with its sign, sum to w
		if n := after[len(after)-1]; n > 0 {
			for _, p := range s.Panel(0).Drawn("wrong").Points() {
				wrong, sx, sy = wrong+1, sx+math.Abs(p[0]), sy+math.Copysign(1, p[0])*p[1]
			}
		}
		return []float64{a[2]*line[0][0] + a[3]*line[0][1], a[2]*line[1][0] + a[3]*line[1][1],
				wrong, math.Copysign(1, a[3]), sx, sy},
			[]float64{0, 0, after[len(after)-1], math.Copysign(1, w[1]), w[0], w[1]}
	}))
prl.Check("LN-07-01", "⌊R²/γ²⌋ mistakes with 100 coordinates; in the plane about half as many").
	Equal(func() (counts []string) {
		for _, gamma := range []float64{0.5, 0.3, 0.2, 0.1} {
			plane, _ := played(who[1], opening, 120, gamma)
			room, _ := played(who[3], opening, 120, gamma)
			counts = append(counts, fmt.Sprint(plane.mistakes[119], room.mistakes[119]))
		}
		return counts
	}(), []string{"2 4", "6 11", "13 25", "50 100"})
}

func cell_g_line() {

fig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	w := geoLong(in.Point("w", 3, 4))
	zx, zy := in.Point("z", 1, 2)
	b := in.Slider("b", -10, 10, live.Step(0.5), live.At(5))
	c := in.Slider("multiply (w, b) by", 0.25, 4, live.Log, live.At(1))
	tau := in.Slider("threshold τ", -10, 10, live.Step(0.5), live.At(0))
	if in.Toggle("turn (w, b) round", false) {
		c = -c
	}
	v, a := []float64{c * w[0], c * w[1]}, c*b // what the machine uses
	g := v[0]*zx + v[1]*zy + a
	n := floats.Norm(v, 2)
	far := (g - tau) / n
	foot := []float64{zx - far*v[0]/n, zy - far*v[1]/n}
	fig := geoStart(plotting.Regions(func(x, y float64) int {
		if v[0]*x+v[1]*y+a > tau {
			return 1
		}
		return 0
	}, sides...).NoBoundary(), "line", "distance")
	for _, level := range []struct {
		name  string
		score float64
	}{{"score 5", 5}, {"score −5", -5}} {
		if x, y := geoInside(v, a, level.score, geoHalf); x != nil {
			l := plotting.Line(x, y).Muted().Name(level.name)
			if level.score > 0 {
				fig = fig.Add(l.Dash())
			} else {
				fig = fig.Add(l.Dot())
			}
		}
	}
	if x, y := geoInside(v, a, tau, geoHalf); x != nil {
		fig = fig.Add(plotting.Line(x, y).Width(2).Class("line").Name("line"))
		px, py := (x[0]+x[1])/2, (y[0]+y[1])/2
		if qx, qy := px+v[0]/n, py+v[1]/n; max(math.Abs(qx), math.Abs(qy)) < geoHalf {
			fig = fig.Add(plotting.Arrow(px, py, qx, qy).Class("unit normal").Name("unit normal"))
		}
	}
	if math.Abs(far) > 1e-9 {
		fig = fig.Add(plotting.Line([]float64{zx, foot[0]}, []float64{zy, foot[1]}).
			Class("distance").Width(2).Name("distance"))
	}
	if max(math.Abs(foot[0]), math.Abs(foot[1])) < geoHalf {
		fig = fig.Add(plotting.Points(foot[:1], foot[1:]).Class("foot").Marker("circle").Hollow().
			Size(11).
			Name("foot"))
	}
	side := "on the line"
	if far > 1e-9 {
		side = fmt.Sprintf("%.3f from the line, on the side of +", far)
	} else if far < -1e-9 {
		side = fmt.Sprintf("%.3f from the line, on the side of −", -far)
	}
	return fig.Add(plotting.Arrow(0, 0, w[0], w[1]).Muted().Name("w as dragged"),
		plotting.Points([]float64{zx}, []float64{zy}).Accent().Size(12).Name("z")).
		X("x₁").Y("x₂").XRange(-geoHalf, geoHalf).YRange(-geoHalf, geoHalf).Equal().Size(640, 560).
		Title("A point and its distance from the line").
		Subtitle("The point z lies " + side + "; " + geoMinus("score minus threshold %.2f, "+
			"length of w %.2f: quotient %.3f", g-tau, n, far))
})
fig.Show()
// geoUsed are the numbers that the machine uses in a state.
used := func(s live.State) (v []float64, a, tau float64) {
	c := s.Slider("multiply (w, b) by")
	if s.Toggle("turn (w, b) round") {
		c = -c
	}
	w := geoLong(s.Point("w"))
	return []float64{c * w[0], c * w[1]}, c * s.Slider("b"), s.Slider("threshold τ")
}
prl.Check("CS-5-03 EC-4-06",
	"drawn: the foot lies on the line, and the way to z is at right angles to it").
	Every(fig.States(func(s live.State) (got, want any) {
		v, a, tau := used(s)
		zx, zy := s.Point("z")
		g := (v[0]*zx + v[1]*zy + a - tau) / floats.Dot(v, v)
		if max(math.Abs(zx-g*v[0]), math.Abs(zy-g*v[1])) > geoHalf-1e-9 {
			return geoSees(s.View, "foot"), false // it lies outside of the picture
		}
		line, f := s.Drawn("line").Paths()[0], s.Drawn("foot").Points()[0]
		ux, uy := line[1][0]-line[0][0], line[1][1]-line[0][1]
		at := s.Drawn("z").Points()[0]
		return []float64{geoAcross(line, f[:]), ux*(zx-f[0]) + uy*(zy-f[1]), at[0], at[1]},
			[]float64{0, 0, zx, zy}
	}))
prl.Check("EC-4-07",
	"the title says the distance of z from the drawn line, measured without w, and its side").
	Every(fig.States(func(s live.State) (got, want any) {
		v, a, tau := used(s)
		zx, zy := s.Point("z")
		n := floats.Dot(v, v) // two far points of the line, from its slope alone
		p := [2]float64{(tau - a) * v[0] / n, (tau - a) * v[1] / n}
		line := [][2]float64{p, {p[0] + v[1], p[1] - v[0]}}
		if geoSees(s.View, "line") {
			line = s.Drawn("line").Paths()[0]
			if (line[1][0]-line[0][0])*v[1]-(line[1][1]-line[0][1])*v[0] < 0 {
				slices.Reverse(line)
			}
		}
		far := geoAcross(line, []float64{zx, zy})
		want = fmt.Sprintf("The point z lies %.3f from the line, on the side of +", far)
		if far < 0 {
			want = fmt.Sprintf("The point z lies %.3f from the line, on the side of −", -far)
		}
		if math.Abs(far) < 1e-9 {
			want = "The point z lies on the line"
		}
		return strings.Split(s.Subtitle(), "; ")[0], want
	}))
prl.Check("CS-5-02 EC-2-02",
	"drawn: the score is τ along the line, and 5 and −5 along its neighbours").Tol(1e-9).
	Every(fig.States(func(s live.State) (got, want any) {
		v, a, tau := used(s)
		worst := 0.0
		for name, level := range map[string]float64{"line": tau, "score 5": 5, "score −5": -5} {
			if geoSees(s.View, name) {
				for _, p := range s.Drawn(name).Paths()[0] {
					worst = max(worst, math.Abs(v[0]*p[0]+v[1]*p[1]+a-level))
				}
			}
		}
		return worst, 0.0
	}))
prl.Check("CS-5-04 FA-09-01 EC-2-03", "drawn: a corner has the colour of the sign of its score").
	Every(fig.States(func(s live.State) (got, want any) {
		v, a, tau := used(s)
		var read, said []string
		for _, p := range [][2]float64{{-5.9, -5.9}, {-5.9, 5.9}, {5.9, -5.9}, {5.9, 5.9}} {
			g := v[0]*p[0] + v[1]*p[1] + a - tau
			// nearer than a tenth the colour is a matter of drawing
			if math.Abs(g) > 0.1*floats.Norm(v, 2) {
				read = append(read, s.Region(p[0], p[1]))
				if g > 0 {
					said = append(said, "+")
				} else {
					said = append(said, "−")
				}
			}
		}
		return read, said
	}))
prl.Check("EC-4-07",
	"drawn: the way from z to the line starts at z and is as long as the title says").
	Every(fig.States(func(s live.State) (got, want any) {
		if !geoSees(s.View, "distance") {
			return strings.Split(s.Subtitle(), "; ")[0], "The point z lies on the line"
		}
		way := s.Drawn("distance").Paths()[0]
		zx, zy := s.Point("z")
		v, a, tau := used(s)
		far := math.Abs(v[0]*zx+v[1]*zy+a-tau) / math.Hypot(v[0], v[1])
		end := v[0]*way[1][0] + v[1]*way[1][1] + a - tau
		if inside := max(math.Abs(way[1][0]), math.Abs(way[1][1])); inside > geoHalf-1e-6 {
			return way[0][:], []float64{zx, zy} // the end lies outside of the picture
		}
		return []float64{way[0][0], way[0][1], math.Hypot(way[1][0]-zx, way[1][1]-zy), end},
			[]float64{zx, zy, far, 0}
	}))
prl.Check("CS-5-01", "drawn: the grey arrow is w as it is dragged, from the origin").
	Every(fig.States(func(s live.State) (got, want any) {
		a, w := s.Drawn("w as dragged").Arrows()[0], geoLong(s.Point("w"))
		return a[:], []float64{0, 0, w[0], w[1]}
	}))
prl.Check("EC-4-05",
	"drawn: the unit normal has length 1, stands upright on the line and points to +").
	Every(fig.States(func(s live.State) (got, want any) {
		if !geoSees(s.View, "unit normal") {
			return 0, 0
		}
		v, a, tau := used(s)
		n, line := s.Drawn("unit normal").Arrows()[0], s.Drawn("line").Paths()[0]
		dx, dy := n[2]-n[0], n[3]-n[1]
		ux, uy := line[1][0]-line[0][0], line[1][1]-line[0][1]
		return []any{math.Round(1e9*math.Hypot(dx, dy)) / 1e9, math.Abs(ux*dx+uy*dy) < 1e-9,
			v[0]*n[2]+v[1]*n[3]+a > tau}, []any{1.0, true, true}
	}))
}

func cell_g_plane() {

fig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	turn := in.Slider("turn", 0, 360, live.Step(5), live.At(20))
	height := in.Slider("height", -90, 90, live.Step(5), live.At(20))
	across := func(points ...[]float64) (x, y []float64) {
		for _, p := range points {
			r, u := geoSeen(p, turn, height)
			x, y = append(x, r), append(y, u)
		}
		return x, y
	}
	cx, cy := across(geoOn(-2, -2), geoOn(2, -2), geoOn(2, 2), geoOn(-2, 2))
	one, two := geoOn(-1.5, -1), geoOn(1.5, 1)
	px, py := across(one, two)
	nx, ny := across(geoP, floats.AddTo(make([]float64, 3), geoP, geoW))
	dx, dy, ex, ey := px[1]-px[0], py[1]-py[0], nx[1]-nx[0], ny[1]-ny[0]
	seen := math.Acos((dx*ex+dy*ey)/math.Hypot(dx, dy)/math.Hypot(ex, ey)) * 180 / math.Pi
	return plotting.New(
		plotting.Polygon(cx, cy).Fill().Opacity(0.25).Class("plane").Name("plane"),
		plotting.Arrow(px[0], py[0], px[1], py[1]).Class("difference").Name("x² − x¹"),
		plotting.Points(px, py).Class("on the plane").Size(9).Name("x¹ and x²"),
		plotting.Arrow(nx[0], ny[0], nx[1], ny[1]).Accent().Width(2).Name("w"),
	).NoAxes().XRange(-5, 5).YRange(-4.2, 4.2).Equal().Size(520, 430).
		Title("A picture turns a right angle").
		Subtitle(fmt.Sprintf("The picture shows %.0f° between w and x² − x¹; in space it is 90°",
			seen))
})
fig.Show()
prl.Check("EC-4-04",
	"drawn: the plane's square by the cosine of the view, w by the sine").
	Every(fig.States(func(s live.State) (got, want any) {
		sa, ca := math.Sincos(s.Slider("turn") * math.Pi / 180)
		se, ce := math.Sincos(s.Slider("height") * math.Pi / 180)
		cosine := (ca*ce + 2*sa*ce + 2*se) / 3 // of the angle between the view and w
		area, c := 0.0, s.Drawn("plane").Paths()[0]
		for i := range 4 {
			area += (c[i][0]*c[(i+1)%4][1] - c[(i+1)%4][0]*c[i][1]) / 2
		}
		w := s.Drawn("w").Arrows()[0]
		return []float64{area, math.Hypot(w[2]-w[0], w[3]-w[1])},
			[]float64{16 * cosine, 3 * math.Sqrt(max(0, 1-cosine*cosine))}
	}))
prl.Check("EC-4-04",
	"the title says the drawn angle; the arrow of the difference joins the two points").
	Every(fig.States(func(s live.State) (got, want any) {
		w, d, p := s.Drawn("w").Arrows()[0], s.Drawn("x² − x¹").Arrows()[0], s.Drawn("x¹ and x²").
			Points()
		turn := math.Atan2(w[3]-w[1], w[2]-w[0]) - math.Atan2(d[3]-d[1], d[2]-d[0])
		seen := math.Acos(math.Cos(turn)) * 180 / math.Pi
		title := fmt.Sprintf("The picture shows %.0f° between w and x² − x¹; in space it is 90°",
			seen)
		return fmt.Sprint(s.Subtitle(), d[:2], d[2:]), fmt.Sprint(title, p[0][:], p[1][:])
	}))
prl.Check("EC-4-04",
	"in space the two are at right angles, and the points satisfy x₁ + 2x₂ + 2x₃ = 3").Tol(1e-12).
	Draws(200, func(r *rand.Rand) (got, want any) {
		one, two := geoOn(4*r.Float64()-2, 4*r.Float64()-2), geoOn(4*r.Float64()-2, 4*r.Float64()-2)
		right := floats.Dot(geoW, floats.SubTo(make([]float64, 3), two, one))
		return []float64{right + one[0], two[0] + 2*two[1] + 2*two[2]}, []float64{one[0], 3}
	})
}

func cell_g_line_check() {

prl.Check("CS-5-02", "g(tx + (1 − t)z) = tg(x) + (1 − t)g(z), also for t outside [0, 1]").
	Draws(500, func(r *rand.Rand) (got, want any) {
		theta, x, z, t := geoGauss(r, 5), geoGauss(r, 4), geoGauss(r, 4), 6*r.Float64()-3
		y := floats.ScaleTo(make([]float64, 4), t, x)
		floats.AddScaled(y, 1-t, z)
		return score(theta, y), t*score(theta, x) + (1-t)*score(theta, z)
	})
prl.Check("CS-5-02", "weights 2 and 2 do not add to 1: the identity fails by 3b").
	Draws(200, func(r *rand.Rand) (got, want any) {
		theta, x, z := geoGauss(r, 5), geoGauss(r, 4), geoGauss(r, 4)
		y := floats.ScaleTo(make([]float64, 4), 2, x)
		floats.AddScaled(y, 2, z)
		return 2*score(theta, x) + 2*score(theta, z) - score(theta, y), 3 * theta[0]
	})
prl.Check("CS-5-01",
	"a line of the plane and its θ: two weights and one bias; the three cards are on their sides").
	Equal(func() []any {
		s := prl.Separate(pack(liHang))
		theta := append([]float64{s.B}, s.W...)
		out := []any{len(theta)}
		for _, c := range liHang {
			out = append(out, c.y*score(theta, c.x) > 0)
		}
		return out
	}(), []any{3, true, true, true})
prl.Check("EC-2-01", "θ·(1, x) is w·x + b").Draws(200, func(r *rand.Rand) (got, want any) {
	theta, x := geoGauss(r, 5), geoGauss(r, 4)
	sum := theta[0]
	for j, v := range x {
		sum += theta[1+j] * v
	}
	return floats.Dot(theta, widened(x)), sum
})
differ, moved := 0, 0
for _, tau := range []float64{-2, -0.5, 0, 1, 3} {
	for i := range 41 {
		for j := range 41 {
			x := []float64{float64(i-20) / 4, float64(j-20) / 4} // ties are hit exactly
			s := 2*x[0] - x[1] + 0.5
			rule, absorbed := s > tau, 2*x[0]-x[1]+(0.5-tau) > 0
			sign := -1 // the sign form: sign(0) = −1
			if 2*x[0]-x[1]+(0.5-tau) > 0 {
				sign = 1
			}
			if rule != absorbed || rule != (sign == 1) {
				differ++
			}
			if rule != (2*x[0]-x[1]+(0.5+tau) > 0) {
				moved++
			}
		}
	}
}
prl.Check("EC-2-02 EC-2-03",
	"five thresholds on a grid of 1681 points with ties: absorbed as b − τ, all decisions agree").
	Equal(differ, 0)
prl.Check("EC-2-02", "absorbed as b + τ, many differ").AtLeast(float64(moved), 100)
// steps of the half-difference form at score 0
first := func(zero, y float64) float64 { return (y - zero) / 2 }
prl.Check("EC-2-03:erratum",
	"at θ = 0: half steps with sign(0) = 0; no step for − and a whole one for + with sign(0) = −1").
	Equal([]float64{first(0, 1), first(0, -1), first(-1, 1), first(-1, -1)},
		[]float64{0.5, -0.5, 1, 0})
prl.Check("FA-09-01 EC-2-03",
	"at θ = 0 every card is a mistake while learning, and − is the answer when asked").
	Equal(func() []any {
		mistakes, plus := 0, 0
		for _, c := range xor {
			if s := score([]float64{0, 0, 0}, c.x); c.y*s <= 0 {
				mistakes++
			} else if s > 0 {
				plus++
			}
		}
		return []any{mistakes, plus}
	}(), []any{4, 0})
prl.Check("EC-4-02 CS-5-04", "c = −3, ½, 7: the same H, and the same f exactly when c > 0").
	Equal(func() (out []any) {
		r := rand.New(rand.NewPCG(4, 19))
		for _, c := range []float64{-3, 0.5, 7} {
			same, sides := true, true
			for range 300 {
				w, b, p, span := geoPlane(r)
				v := floats.ScaleTo(make([]float64, 5), c, w)
				h, x := geoSomewhere(p, span, geoGauss(r, 4)), geoGauss(r, 5)
				same = same && math.Abs(floats.Dot(v, h)+c*b) < 1e-10
				sides = sides && (floats.Dot(v, x)+c*b > 0) == (floats.Dot(w, x)+b > 0)
			}
			out = append(out, same, sides)
		}
		return out
	}(), []any{true, false, true, true, true, true})
prl.Check("EC-4-05 EC-4-02",
	"five points of H and b determine w: five equations have one solution").
	Tol(1e-6).Draws(100, func(r *rand.Rand) (got, want any) {
	w, b, p, span := geoPlane(r)
	points, right := mat.NewDense(5, 5, nil), mat.NewVecDense(5, nil)
	for i := range 5 {
		points.SetRow(i, geoSomewhere(p, span, geoGauss(r, 4)))
		right.SetVec(i, -3*b) // the pair with bias 3b has the normal 3w
	}
	var v mat.VecDense
	if err := v.SolveVec(points, right); err != nil {
		return err.Error(), ""
	}
	found := mat.Col(nil, 0, &v)
	floats.Scale(1/floats.Norm(found, 2), found)
	return found, floats.ScaleTo(make([]float64, 5), 1/floats.Norm(w, 2), w)
})
prl.Check("EC-4-04", "5 dimensions: w is orthogonal to differences of points of H").Tol(1e-12).
	Draws(300, func(r *rand.Rand) (got, want any) {
		w, b, p, span := geoPlane(r)
		one, two := geoSomewhere(p, span, geoGauss(r, 4)), geoSomewhere(p, span, geoGauss(r, 4))
		return []float64{(floats.Dot(w, one) + b) - (floats.Dot(w, two) + b), b},
			[]float64{0, -floats.Dot(w, two)}
	})
prl.Check("EC-4-06 CS-5-03", "the foot lies on H, and z = z₀ + δ w/‖w‖").
	Draws(300, func(r *rand.Rand) (got, want any) {
		w, b, _, _ := geoPlane(r)
		z := geoGauss(r, 5)
		delta, foot := geoFoot(w, b, z)
		back := slices.Clone(foot)
		floats.AddScaled(back, delta/floats.Norm(w, 2), w)
		return append(back, floats.Dot(w, foot)+b), append(slices.Clone(z), 0)
	})
prl.Check("EC-4-07", "5 dimensions: a search over points of H ends at the distance").Tol(1e-6).
	Draws(12, func(r *rand.Rand) (got, want any) {
		w, b, p, span := geoPlane(r)
		z := geoGauss(r, 5)
		delta, _ := geoFoot(w, b, z)
		return geoWalk(func(t []float64) float64 {
			return floats.Distance(z, geoSomewhere(p, span, t), 2)
		}, 4), math.Abs(delta)
	})
prl.Check("EC-4-07", "no point of H is nearer than |δ|, some come near").Bounded(100_000, 0.99,
	func(r *rand.Rand) (value, bound float64) {
		w, b := []float64{3, 4}, 5.0
		z, t := []float64{1, 2}, 10*r.Float64()-5
		delta, _ := geoFoot(w, b, z)
		h := []float64{-0.6 - 0.8*t, -0.8 + 0.6*t}
		return math.Abs(delta) - 1e-12, floats.Distance(z, h, 2)
	})
delta, foot := geoFoot([]float64{3, 4}, 5, []float64{1, 2})
origin, _ := geoFoot([]float64{3, 4}, 5, []float64{0, 0})
prl.Check("EC-4-07",
	"w = (3, 4), b = 5, z = (1, 2): 16/5, the foot (−0.92, −0.56), and 1 from the origin").
	Near([]float64{delta, foot[0], foot[1], origin}, []float64{3.2, -0.92, -0.56, 1}, 1e-12)
}

func cell_g_margins() {

fig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	ask := in.Predict("Multiply w and b by 10. Which margins change?", "functional", "geometric",
		"both")
	ask.Answer("functional")
	set := in.Points("cards", pack(geoSix))
	angle := in.Slider("direction of w in degrees", -135, 225, live.Step(1), live.At(100))
	offset := in.Slider("line from the origin", -2, 2, live.Step(0.1), live.At(0.5))
	length := in.Slider("length of w", 0.25, 1.25, live.Log, live.At(0.5))
	sin, cos := math.Sincos(angle * math.Pi / 180)
	w, b := []float64{length * cos, length * sin}, -length*offset
	cards := dealt(set)
	functional, geometric := make([]float64, 6), make([]float64, 6)
	far, wrong := 0.0, 0
	left := geoStart(plotting.Points(nil, nil).By(nil, sides...), "line", "distance")
	least := math.Inf(1)
	for i, c := range cards {
		functional[i] = c.y * (floats.Dot(w, c.x) + b)
		geometric[i] = functional[i] / floats.Norm(w, 2)
		least, far = min(least, geometric[i]), max(far, floats.Norm(c.x, 2))
	}
	if least > 0 {
		ax, ay := geoInside(w, b, least*length, 40)
		bx, by := geoInside(w, b, -least*length, 40)
		left = left.Add(plotting.Polygon([]float64{ax[0], ax[1], bx[1], bx[0]},
			[]float64{ay[0], ay[1], by[1], by[0]}).Fill().Opacity(0.15).Muted().Name("band"))
	}
	var mx, my []float64
	for i, c := range cards {
		_, foot := geoFoot(w, b, c.x)
		if math.Abs(geometric[i]) > 1e-9 {
			left = left.Add(plotting.Line([]float64{c.x[0], foot[0]}, []float64{c.x[1], foot[1]}).
				Class("distance").Name("distance"))
		}
		if functional[i] <= 0 {
			mx, my, wrong = append(mx, c.x[0]), append(my, c.x[1]), wrong+1
		}
	}
	x, y := set.Points()
	lx, ly := geoInside(w, b, 0, 4)
	left = left.Add(plotting.EllipseOf([]float64{0, 0}, [][]float64{{1, 0}, {0, 1}}).Sigma(far).
		Muted().
		Dash().Name("radius R"),
		plotting.Line(lx, ly).Class("line").Width(2).Name("line"),
		plotting.Points(x, y).By(set.Y, sides...).Size(10).Labels(geoNumbers...))
	if wrong > 0 {
		left = left.Add(plotting.Points(mx, my).Marker("circle").Hollow().Size(19).Class("mistake").
			Name("mistake"))
	}
	return plotting.Row(
		left.XRange(-4, 4).YRange(-4, 4).Equal().X("x₁").Y("x₂").Title("cards"),
		plotting.New(plotting.BarGroups(geoNumbers,
			plotting.BarSeries{Name: "functional", Values: geometric},
			plotting.BarSeries{Name: "geometric", Values: geometric})).X("card").Y("margin").
			YRange(-10, 10).Title("margins of the cards"),
	).Size(900, 470).Title("Functional and geometric margins").
		Subtitle(geoMinus("Least functional margin %.2f, least geometric margin %.2f",
		slices.Min(functional), least) +
			fmt.Sprintf("; %d of 6 cards are mistakes: Err = %.2f; R = %.2f", wrong,
			float64(wrong)/6, far))
})
fig.Show()
// geoBoth recomputes both margins of a card of a state, by the angle of the card instead of
// coordinates of w.
both := func(s live.State, i int) (functional, geometric float64) {
	set := s.Points("cards")
	x, y := set.Points()
	turn := math.Atan2(y[i], x[i]) - s.Slider("direction of w in degrees")*math.Pi/180
	g := (math.Hypot(x[i],
		y[i])*math.Cos(turn) - s.Slider("line from the origin")) * float64(2*set.Y[i]-1)
	return g * s.Slider("length of w"), g
}
prl.Check("CS-5.1-03 LN-07-02", "drawn: the functional bars").
	Every(fig.States(func(s live.State) (got, want any) {
		var bars []float64
		for i := range 6 {
			f, _ := both(s, i)
			bars = append(bars, f)
		}
		return s.Panel(1).Drawn("functional").Bars(), bars
	}))
prl.Check("CS-5.1-05 LN-07-03",
	"drawn: a geometric bar is the length of the way from the card to the drawn line, with a sign").
	Every(fig.States(func(s live.State) (got, want any) {
		set := s.Points("cards")
		x, y := set.Points()
		line := s.Panel(0).Drawn("line").Paths()[0]
		var bars []float64
		for i := range 6 {
			_, g := both(s, i)
			bars = append(bars, math.Copysign(math.Abs(geoAcross(line, []float64{x[i], y[i]})), g))
		}
		return s.Panel(1).Drawn("geometric").Bars(), bars
	}))
prl.Check("CS-5.1-04", "drawn: each card at its place, in the colour of its class").
	Every(fig.States(func(s live.State) (got, want any) {
		set := s.Points("cards")
		x, y := set.Points()
		var own [2][][2]float64
		for i, k := range set.Y {
			own[k] = append(own[k], [2]float64{x[i], y[i]})
		}
		for i, number := range geoNumbers {
			if at := s.Panel(0).Drawn(number).Points()[0]; at != [2]float64{x[i], y[i]} {
				return number, at
			}
		}
		minus, plus := s.Panel(0).Drawn("−"), s.Panel(0).Drawn("+")
		return fmt.Sprint(minus.Points(), minus.Colour(), plus.Points(), plus.Colour()),
			fmt.Sprint(own[0], "#0072b2", own[1], "#d55e00")
	}))
prl.Check("CS-5.1-04 CS-5.1-08", "drawn: rings mark the mistakes, a score of 0 among them").
	Every(fig.States(func(s live.State) (got, want any) {
		set := s.Points("cards")
		x, y := set.Points()
		var rings, marked [][2]float64
		for i := range 6 {
			if f, _ := both(s, i); f <= 0 {
				rings = append(rings, [2]float64{x[i], y[i]})
			}
		}
		if geoSees(s.Panel(0), "mistake") {
			marked = s.Panel(0).Drawn("mistake").Points()
		}
		return fmt.Sprint(marked), fmt.Sprint(rings)
	}))
prl.Check("LN-07-03",
	"drawn: every way to the line is as long as the geometric margin of its card").
	Every(fig.States(func(s live.State) (got, want any) {
		var ways, margins []float64
		for _, p := range s.Panel(0).Drawn("distance").Paths() {
			ways = append(ways, math.Hypot(p[1][0]-p[0][0], p[1][1]-p[0][1]))
		}
		for i := range 6 {
			if _, g := both(s, i); math.Abs(g) > 1e-9 {
				margins = append(margins, math.Abs(g))
			}
		}
		return ways, margins
	}))
prl.Check("CS-5.1-05",
	"drawn: the band is there exactly when no card is a mistake, and reaches to the nearest card").
	Every(fig.States(func(s live.State) (got, want any) {
		least := math.Inf(1)
		for i := range 6 {
			_, g := both(s, i)
			least = min(least, g)
		}
		if !geoSees(s.Panel(0), "band") {
			return least <= 0, true
		}
		line, worst := s.Panel(0).Drawn("line").Paths()[0], 0.0
		for _, p := range s.Panel(0).Drawn("band").Paths()[0] {
			worst = max(worst, math.Abs(math.Abs(geoAcross(line, p[:]))-least))
		}
		return []bool{worst < 1e-3, s.Panel(0).Drawn("band").Covers(0.05, 0.05)},
			[]bool{least > 0, math.Abs(geoAcross(line, []float64{0.05, 0.05})) < least}
	}))
prl.Check("CS-5.1.1-06 EC-5-03",
	"drawn: the circle has radius R; title and subtitle say margins, mistakes and R").
	Tol(1e-6).Every(fig.States(func(s live.State) (got, want any) {
	set := s.Points("cards")
	x, y := set.Points()
	R, wrong := 0.0, 0
	low, least := math.Inf(1), math.Inf(1)
	for i := range 6 {
		f, g := both(s, i)
		R, low, least = max(R, math.Hypot(x[i], y[i])), min(low, f), min(least, g)
		if f <= 0 {
			wrong++
		}
	}
	mean, cov := s.Panel(0).Drawn("radius R").Ellipse()
	return fmt.Sprintf("%.4f %.4f %.4f %s", math.Abs(mean[0]), math.Abs(mean[1]),
			math.Sqrt(cov[0][0]), s.Subtitle()),
		fmt.Sprintf("%.4f %.4f %.4f %s%s", 0., 0., R,
			geoMinus("Least functional margin %.2f, least geometric margin %.2f", low, least),
			fmt.Sprintf("; %d of 6 cards are mistakes: Err = %.2f; R = %.2f", wrong,
				float64(wrong)/6, R))
}))
}

func cell_g_margin_check() {

w, b, c := []float64{3, 4}, 5.0, card{[]float64{1, 2}, 1}
f, g := geoMargins(w, b, c)
prl.Check("CS-5.1-03 LN-07-02", "w = (3, 4), b = 5, x = (1, 2), y = +1: functional 16").
	Near(f, 16, 1e-12)
prl.Check("CS-5.1-05 LN-07-03", "the same card: geometric 16/5").Near(g, 3.2, 1e-12)
prl.Check("CS-5.1-03", "c times (w, b): the functional margin is c times as large").
	Draws(300, func(r *rand.Rand) (got, want any) {
		w, b, c, k := geoGauss(r, 3), r.NormFloat64(), geoCard(r, 3), 5*r.Float64()
		f, _ := geoMargins(w, b, c)
		h, _ := geoMargins(floats.ScaleTo(make([]float64, 3), k, w), k*b, c)
		return h, k * f
	})
prl.Check("CS-5.1-05 LN-07-03",
	"and the geometric one is the same; it is the distance of the foot").Draws(300,
	func(r *rand.Rand) (got, want any) {
		w, b, c, k := geoGauss(r, 3), r.NormFloat64(), geoCard(r, 3), 0.1+5*r.Float64()
		_, g := geoMargins(w, b, c)
		_, h := geoMargins(floats.ScaleTo(make([]float64, 3), k, w), k*b, c)
		_, foot := geoFoot(w, b, c.x)
		return []float64{h, math.Abs(g)}, []float64{g, floats.Distance(c.x, foot, 2)}
	})
prl.Check("CS-5.1-04 LN-07-02", "the sign of the margin is that of comparing label and answer").
	Draws(500,
		func(r *rand.Rand) (got, want any) {
			theta, c := geoGauss(r, 4), geoCard(r, 3)
			f, _ := geoMargins(theta[1:], theta[0], c)
			answer := -1.0
			if score(theta, c.x) > 0 {
				answer = 1
			}
			return f > 0, answer == c.y
		})
on, _ := geoMargins([]float64{1, 1}, -2, card{[]float64{0.5, 1.5}, -1})
prl.Check("CS-5.1-04", "a card on the line has margin 0").Near(on, 0, 0)
prl.Check("CS-5.1-05:erratum", "functional and geometric margin: 16 is not 3.2").Less(g, f)
prl.Check("CS-5.1-05:erratum", "they are equal exactly where ‖w‖ = 1").
	Draws(300, func(r *rand.Rand) (got, want any) {
		w, b, c := geoGauss(r, 3), r.NormFloat64(), geoCard(r, 3)
		if r.IntN(2) == 0 {
			floats.Scale(1/floats.Norm(w, 2), w)
		}
		f, g := geoMargins(w, b, c)
		return math.Abs(f-g) < 1e-12, math.Abs(floats.Norm(w, 2)-1) < 1e-12
	})
free := func(cards []card, big float64) float64 { // the least margin with a bias for each card
	least := math.Inf(1)
	for _, c := range cards {
		f, _ := geoMargins([]float64{1, -1}, c.y*big, c)
		least = min(least, f)
	}
	return least
}
prl.Check("CS-5.1-03:erratum", "XOR with a bias for each card: all margins are positive").
	AtLeast(free(xor, 100), 99)
one, _ := geoMargins([]float64{1}, 0, card{[]float64{-2}, 1})
prl.Check("LN-07-03:erratum",
	"x = −2, y = +1, w = 1: margin −2, and the size without the sign says 2").
	Equal([]float64{one, math.Abs(one)}, []float64{-2, 2})
count := func(theta []float64, cards []card, strict bool) int {
	n := 0
	for _, c := range cards {
		if f, _ := geoMargins(theta[1:], theta[0], c); f < 0 || !strict && f == 0 {
			n++
		}
	}
	return n
}
prl.Check("CS-5.1-08", "Err is 1 − accuracy, on 200 random lines and 20 cards").
	Draws(200, func(r *rand.Rand) (got, want any) {
		theta, right, cards := geoGauss(r, 3), 0, []card(nil)
		for range 20 {
			c := geoCard(r, 2)
			cards = append(cards, c)
			if (score(theta, c.x) > 0) == (c.y > 0) {
				right++
			}
		}
		return float64(count(theta, cards, false)) / 20, 1 - float64(right)/20
	})
zero := []float64{0, 0, 0}
prl.Check("CS-5.1-08:erratum",
	"w = 0, b = 0 on XOR: no error if they are counted by < 0, four by ≤ 0").
	Equal([]int{count(zero, xor, true), count(zero, xor, false)}, []int{0, 4})
prl.Check("LN-07-04", "c = 0.1 and 10 change no answer; an unbiased hyperplane holds the origin").
	Draws(300,
		func(r *rand.Rand) (got, want any) {
			theta, x := geoGauss(r, 4), geoGauss(r, 3)
			said := func(c float64) bool {
				return score(floats.ScaleTo(make([]float64, 4), c, theta),
					x) > 0
			}
			return []bool{said(0.1), said(10), score(append([]float64{0}, theta[1:]...),
					[]float64{0, 0, 0}) == 0},
				[]bool{said(1), said(1), true}
		})
prl.Check("EC-5-03 CS-5.1.1-06", "‖(1, x)‖² ≤ R² + 1, and the farthest card reaches it").
	Draws(200, func(r *rand.Rand) (got, want any) {
		R, longest := 0.0, 0.0
		for range 1 + r.IntN(20) {
			x := geoGauss(r, 3)
			R, longest = max(R, floats.Norm(x, 2)), max(longest, floats.Dot(widened(x), widened(x)))
		}
		return longest, R*R + 1
	})
}

func cell_g_hulls() {

fig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	ask := in.Predict("The stick is 3 long. How large is the best margin?", "1.5", "3", "6")
	ask.Answer("1.5")
	set := in.Points("cards", pack(geoHulls), live.Grow)
	angle := in.Slider("direction of w in degrees", -90, 270, live.Step(1), live.At(90))
	cards := dealt(set)
	turns := prl.Range(-90, 270, 1)
	right := plotting.New(plotting.HRule(0).Muted(),
		plotting.Line(turns, prl.Map(turns, func(t float64) float64 { return geoBest(cards, t) })).
			Width(2).Name("best offset"),
		plotting.Points([]float64{angle}, []float64{geoBest(cards, angle)}).Accent().Size(11).
			Name("your direction")).
		X("direction of w in degrees").Y("least margin").XRange(-90, 270).
		XTicks([]float64{-90, 0, 90, 180, 270}).
		Title("every direction of w")
	left := geoStart(plotting.Points(nil, nil).By(nil, sides...), "line halfway")
	for k, class := range sides {
		var own [][]float64
		for _, c := range cards {
			if c.y == float64(2*k-1) {
				own = append(own, c.x)
			}
		}
		if ring := geoRing(own); len(ring) > 1 {
			var x, y []float64
			for _, p := range append(ring, ring[0]) {
				x, y = append(x, p[0]), append(y, p[1])
			}
			left = left.Add(plotting.Line(x, y).Class(class).Name("hull of " + class))
		}
	}
	x, y := set.Points()
	left = left.Add(plotting.Points(x, y).By(set.Y, sides...).Size(11))
	if slices.Min(set.Y) == slices.Max(set.Y) {
		return plotting.Row(left.XRange(-3.5, 3.5).YRange(-3.5, 3.5).Equal().X("x₁").Y("x₂").
			Title("cards"), right).
			Size(960, 460).Title("Cards on one side").
			Subtitle("All cards are on one side: there is nothing to separate")
	}
	s := prl.Separate(set)
	p, q := s.Nearest[1], s.Nearest[0]
	title := ""
	if s.Separable {
		lx, ly := geoInside(s.W, s.B, 0, 3.5)
		left = left.Add(plotting.Line(lx, ly).Class("line").Width(2).Name("line halfway"),
			plotting.Line([]float64{p[0], q[0]}, []float64{p[1], q[1]}).Accent().Width(3).
				Name("stick"),
			plotting.Points([]float64{p[0], q[0]}, []float64{p[1], q[1]}).Marker("circle").Hollow().
				Accent().Size(17).Name("nearest points"))
		right = right.Add(plotting.HRule(s.Margin).Dash().Name("half the stick"))
		title = fmt.Sprintf("The stick is %.3f long, the best margin %.3f",
			floats.Distance(p, q, 2), s.Margin)
	} else {
		left = left.Add(plotting.Points(p[:1], p[1:]).Accent().Marker("star").Size(17).
			Name("common point"))
		title = geoMinus("No line: both hulls hold (%.2f, %.2f)", p[0], p[1])
	}
	for i, v := range s.Weights {
		if v > 1e-12 {
			left = left.Add(plotting.Text(x[i], y[i], fmt.Sprintf("%.2f", v)).Offset(0, -9).
				Anchor("middle", "bottom").Halo())
		}
	}
	return plotting.Row(left.XRange(-3.5, 3.5).YRange(-3.5, 3.5).Equal().X("x₁").Y("x₂").
		Title("cards and hulls"), right).
		Size(960, 460).Title("Numbers at cards are weights in the nearest points").Subtitle(title)
})
fig.Show()
prl.Check("CS-5.1-06",
	"drawn: stick and rule, by the best of all directions that can be best").
	Every(fig.States(func(s live.State) (got, want any) {
		cards := dealt(s.Points("cards"))
		best := geoWidest(cards)
		if !geoSees(s.Panel(0), "stick") {
			return best <= 1e-12, true
		}
		stick := s.Panel(0).Drawn("stick").Paths()[0]
		if ends := s.Panel(0).Drawn("nearest points").Points(); ends[0] != stick[0] ||
			ends[1] != stick[1] {
			return ends, stick
		}
		return []float64{math.Hypot(stick[1][0]-stick[0][0], stick[1][1]-stick[0][1]) / 2,
			s.Panel(1).Drawn("half the stick").Rules()[0]}, best
	}))
prl.Check("CS-5.1-07 EC-4-01",
	"drawn: a line with the classes on its sides, or a point in both hulls").
	Every(fig.States(func(s live.State) (got, want any) {
		cards := dealt(s.Points("cards"))
		if geoSees(s.Panel(0), "line halfway") {
			line := s.Panel(0).Drawn("line halfway").Paths()[0]
			first, split := 0.0, true
			for _, c := range cards {
				g := c.y * geoAcross(line, c.x)
				if first == 0 {
					first = g
				}
				split = split && first*g > 0
			}
			return split, true
		}
		if !geoSees(s.Panel(0), "common point") {
			return s.Subtitle(), "All cards are on one side: there is nothing to separate"
		}
		p := s.Panel(0).Drawn("common point").Points()[0]
		inside := true
		for degrees := range 360 { // in no direction does the point go beyond all cards of a class
			sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
			beyond := [2]bool{true, true}
			for _, c := range cards {
				if cos*(c.x[0]-p[0])+sin*(c.x[1]-p[1]) > -1e-9 {
					beyond[int(c.y+1)/2] = false
				}
			}
			inside = inside && !beyond[0] && !beyond[1]
		}
		return inside, true
	}))
prl.Check("EC-4-01",
	"drawn: the written weights, multiplied out, give stick or point").Tol(0.03).
	Every(fig.States(func(s live.State) (got, want any) {
		if s.Subtitle() == "All cards are on one side: there is nothing to separate" {
			return 0, 0
		}
		cards, left := dealt(s.Points("cards")), s.Panel(0)
		var ends [2][2]float64
		for _, name := range left.Names() {
			var weight float64
			if n, _ := fmt.Sscanf(name, "%f", &weight); n != 1 {
				continue
			}
			for _, at := range left.Drawn(name).Points() {
				for _, c := range cards {
					if math.Hypot(c.x[0]-at[0], c.x[1]-at[1]) < 1e-9 {
						k := int(c.y+1) / 2
						ends[k][0], ends[k][1] = ends[k][0]+weight*c.x[0], ends[k][1]+weight*c.x[1]
						break
					}
				}
			}
		}
		read := []float64{ends[1][0], ends[1][1], ends[0][0], ends[0][1]}
		if geoSees(left, "stick") {
			stick := left.Drawn("stick").Paths()[0]
			return read, []float64{stick[0][0], stick[0][1], stick[1][0], stick[1][1]}
		}
		p := left.Drawn("common point").Points()[0]
		return read, []float64{p[0], p[1], p[0], p[1]}
	}))
prl.Check("EC-4-01", "drawn: each card at its place, in the colour of its class").
	Every(fig.States(func(s live.State) (got, want any) {
		set := s.Points("cards")
		x, y := set.Points()
		var own, read [2][][2]float64
		for i, k := range set.Y {
			own[k] = append(own[k], [2]float64{x[i], y[i]})
		}
		for k, class := range sides {
			if own[k] != nil {
				read[k] = s.Panel(0).Drawn(class).Points()
			}
		}
		return fmt.Sprint(read), fmt.Sprint(own)
	}))
prl.Check("CS-5.1-06",
	"drawn: the curve over 73 directions, by loops over pairs of cards; your direction is on it").
	Every(fig.States(func(s live.State) (got, want any) {
		cards := dealt(s.Points("cards"))
		pairs := func(t float64) float64 {
			sin, cos := math.Sincos(t * math.Pi / 180)
			least := math.Inf(1)
			for _, a := range cards {
				for _, b := range cards {
					if a.y > b.y {
						least = min(least, (cos*(a.x[0]-b.x[0])+sin*(a.x[1]-b.x[1]))/2)
					}
				}
			}
			return least
		}
		if s.Subtitle() == "All cards are on one side: there is nothing to separate" {
			return 0, 0
		}
		var read, own []float64
		for t := -90.0; t <= 270; t += 5 {
			read, own = append(read, s.Panel(1).Drawn("best offset").At(t)), append(own, pairs(t))
		}
		dot, t := s.Panel(1).Drawn("your direction").Points()[0],
			s.Slider("direction of w in degrees")
		return append(read, dot[0], dot[1]), append(own, t, pairs(t))
	}))
prl.Check("EC-4-01",
	"drawn: hulls have their cards as corners and hold the others; the title").
	Every(fig.States(func(s live.State) (got, want any) {
		cards, sound := dealt(s.Points("cards")), true
		for k, class := range sides {
			if !geoSees(s.Panel(0), "hull of "+class) {
				continue
			}
			ring := s.Panel(0).Drawn("hull of " + class).Paths()[0]
			sound = sound && ring[0] == ring[len(ring)-1]
			for i := range len(ring) - 1 {
				least, most, corner := 0.0, 0.0, false
				for _, c := range cards {
					if c.y == float64(2*k-1) {
						g := geoAcross(ring[i:i+2], c.x)
						least, most = min(least, g), max(most, g)
						corner = corner || math.Hypot(c.x[0]-ring[i][0], c.x[1]-ring[i][1]) < 1e-9
					}
				}
				sound = sound && corner && (least > -1e-9 || most < 1e-9)
			}
		}
		best, title := geoWidest(cards), "All cards are on one side: there is nothing to separate"
		if geoSees(s.Panel(0), "common point") {
			p := s.Panel(0).Drawn("common point").Points()[0]
			title = geoMinus("No line: both hulls hold (%.2f, %.2f)", p[0], p[1])
		} else if geoSees(s.Panel(0), "stick") {
			title = fmt.Sprintf("The stick is %.3f long, the best margin %.3f", 2*best, best)
		}
		return fmt.Sprint(sound, s.Subtitle()), fmt.Sprint(true, title)
	}))
}

func cell_g_separate() {

t := prl.Table("cards", "a line?", "margin", "half the stick", "weights")
for i, cards := range [][]card{and, xor, thirtyFive()} {
	s := prl.Separate(pack(cards))
	var weights []float64 // those that are not zero
	for _, v := range s.Weights {
		if v > 1e-12 {
			weights = append(weights, math.Round(1000*v)/1000)
		}
	}
	t = t.Row([]string{"AND", "XOR", "35 cards"}[i], s.Separable, s.Margin, s.Bound(),
		fmt.Sprint(weights))
}
t.Show()
for i, want := range []float64{math.Sqrt2 / 4, 0, geoWidest(thirtyFive())} {
	prl.Check("CS-5.1-06", "margin and stick of the "+t.Text(i, "cards")).
		Near([]float64{t.Number(i, "margin"), t.Number(i, "half the stick")}, want, 1e-4)
}
prl.Check("CS-5.1-07", "a line for AND and for the 35 cards, none for XOR; two sets of weights").
	Equal([]string{t.Text(0, "a line?"), t.Text(1, "a line?"), t.Text(2, "a line?"),
		t.Text(0, "weights"), t.Text(1, "weights"), t.Text(0, "cards"), t.Text(2, "cards")},
		[]string{"yes", "no", "yes", "[0.5 0.5 1]", "[0.5 0.5 0.5 0.5]", "AND", "35 cards"})
}

func cell_g_hull_check() {

sample := thirtyFive()
s := prl.Separate(pack(sample))
prl.Check("CS-5.1-06",
	"35 cards: half the stick is the margin of the line, and that of the support vector machine").
	Near([]float64{s.Margin, geoHard(sample)}, s.Bound(), 1e-8)
found := math.Inf(-1)
for k := range 36000 {
	found = max(found, geoBest(sample, float64(k)/100))
}
prl.Check("CS-5.1-06", "the best of 36,000 directions stays below half the stick, and comes near").
	Tight(found, s.Bound(), 0.9999)
prl.Check("CS-5.1-06",
	"12 random sets: the line reaches what the weights allow and the machine finds").
	Draws(12, func(r *rand.Rand) (got, want any) {
		cards := []card(nil)
		for len(cards) < 35 {
			if c := geoCard(r, 2); c.y*(c.x[0]+c.x[1]-0.3) > 0.2 {
				cards = append(cards, c)
			}
		}
		s := prl.Separate(pack(cards))
		return []float64{s.Margin, geoHard(cards)}, []float64{s.Bound(), s.Bound()}
	})
lines, points := 0, 0
prl.Check("CS-5.1-07 EC-4-01",
	"600 sets on whole numbers: a line exactly when a direction has a positive margin").
	Draws(600, func(r *rand.Rand) (got, want any) {
		cards := geoGrid(r)
		if s := prl.Separate(pack(cards)); s.Separable {
			lines++
		} else {
			points++
		}
		return prl.Separate(pack(cards)).Separable, geoWidest(cards) > 1e-9
	})
prl.Check("EC-4-01", "both answers occur often").AtLeast(float64(min(lines, points)), 100)
prl.Check("EC-4-01 CS-5.1-07",
	"each answer multiplied out: all cards on their sides, or two sums that are the same point").
	Tol(1e-12).
	Draws(600, func(r *rand.Rand) (got, want any) {
		cards := geoGrid(r)
		s := prl.Separate(pack(cards))
		if s.Separable {
			least := math.Inf(1)
			for _, c := range cards {
				least = min(least, c.y*(floats.Dot(s.W, c.x)+s.B))
			}
			return least, geoWidest(cards) // which is positive
		}
		sum := map[float64][]float64{1: {0, 0, 0}, -1: {0, 0, 0}}
		for i, c := range cards {
			floats.AddScaled(sum[c.y], max(0, s.Weights[i]), widened(c.x))
		}
		return sum[1], append([]float64{1}, sum[-1][1:]...)
	})
prl.Check("EC-4-01",
	"nearest points: no card of + lies behind p, and none of − behind q, seen along the stick").
	Bounded(300, 0, func(r *rand.Rand) (value, bound float64) {
		cards := geoGrid(r)
		s := prl.Separate(pack(cards))
		p, q := s.Nearest[1], s.Nearest[0]
		stick := floats.SubTo(make([]float64, 2), p, q)
		least := math.Inf(1)
		for _, c := range cards {
			from := p
			if c.y < 0 {
				from = q
			}
			least = min(least, c.y*floats.Dot(floats.SubTo(make([]float64, 2), c.x, from), stick))
		}
		return -least, 1e-12
	})
x := prl.Separate(pack(xor))
sum := make([]float64, 3)
for _, c := range xor {
	floats.AddScaled(sum, c.y, widened(c.x))
}
prl.Check("EC-2-04 CS-5.1-07",
	"XOR: no signs can be enforced, since the four inequalities add to 0·b + 0·w₁ + 0·w₂ > 0").
	Equal(fmt.Sprint(sum, x.Separable, x.Weights, x.Nearest),
		"[0 0 0] false [0.5 0.5 0.5 0.5] [[0.5 0.5] [0.5 0.5]]")
a := prl.Separate(pack(and))
prl.Check("EC-2-04", "AND: the signs of the four scores are the labels").
	Equal(func() (signs []float64) {
		for _, c := range and {
			signs = append(signs, math.Copysign(1, floats.Dot(a.W, c.x)+a.B))
		}
		return signs
	}(), []float64{-1, -1, -1, 1})
prl.Check("CS-5.1-06", "AND: margin √2/4").Near([]float64{a.Margin, a.Bound()}, math.Sqrt2/4, 1e-12)
}

func cell_machine_code() {

for i, cards := range [][]card{and, liHang, xor} {
	theta := make([]float64, 3)
	mistakes, clean := learn(cards, theta, 100)
	name := []string{"AND", "Li Hang", "XOR"}[i]
	fmt.Println(name, mistakes, "updates, (b, w) =", theta, "clean:", clean)
}
}

func cell_machine_check() {

run := func(cards []card, passes int) ([]float64, int) {
	theta := make([]float64, len(cards[0].x)+1)
	mistakes, _ := learn(cards, theta, passes)
	return theta, mistakes
}
theta, mistakes := run(and, 100)
prl.Check("EC-3-02", "AND from 0: 18 updates, θ = (−4, 2, 3)").
	Equal(fmt.Sprint(theta, mistakes), "[-4 2 3] 18")
theta, mistakes = run(liHang, 100)
prl.Check("EC-3-01 RV-1-12", "three cards: 7 updates, b = −3, w = (1, 1)").
	Equal(fmt.Sprint(theta, mistakes), "[-3 1 1] 7")
line := []card{{[]float64{1}, 1}, {[]float64{2}, -1}}
theta, mistakes = run(line, 100)
prl.Check("FA-09-04", "x = 1 (+) and 2 (−): 13 updates, b = 3, w = −2").
	Equal(fmt.Sprint(theta, mistakes), "[3 -2] 13")
one, _ := run(uneven, 1)
two, _ := run(uneven, 2)
prl.Check("EC-3-03 EC-3-03:erratum",
	"one wrong card after pass 1, none after pass 2, θ = (1, −1, 2)").
	Equal(fmt.Sprint(errors(uneven, one), errors(uneven, two), two), "1 0 [1 -1 2]")
_, clean := learn(xor, make([]float64, 3), 1000)
prl.Check("CS-5.1.1-07", "XOR: no clean pass among 1000").Equal(clean, false)
prl.Check("CS-5.1.1-07 CS-5.1-01 EC-4-03",
	"sets without a clean pass, or with an error after it, of 101").
	Equal(failures(101, func(r *rand.Rand) bool {
		cards, _ := separable(r, 5+r.IntN(40), 1+r.IntN(4))
		theta := make([]float64, len(cards[0].x)+1)
		_, clean := learn(cards, theta, 1<<20)
		return clean && errors(cards, theta) == 0
	}), 0)
prl.Check("EC-3-02", "the library makes the same updates").
	Draws(40, func(r *rand.Rand) (got, want any) {
		cards, _ := separable(r, 10+r.IntN(20), 2)
		theta := make([]float64, 3)
		mistakes, _ := learn(cards, theta, 1<<20)
		m := prl.Perceptron().MaxIter(1 << 20).Fit(pack(cards)).Model()
		return append(m.Theta()[0], float64(m.Mistakes())), append(theta, float64(mistakes))
	})
strict := func(cards []card) []float64 { // "< 0" in place of "≤ 0"
	theta := make([]float64, len(cards[0].x)+1)
	for range 10 {
		for _, c := range cards {
			if c.y*score(theta, c.x) < 0 {
				floats.AddScaled(theta, c.y, widened(c.x))
			}
		}
	}
	return theta
}
prl.Check("FA-09-04:erratum", "with < 0 in place of ≤ 0 the machine never leaves 0").
	Equal(strict(and), []float64{0, 0, 0})
}

func cell_effect_check() {

prl.Check("EC-3-04", "an update raises the margin of its card by |x̃|², which is at least 1").
	Draws(200, func(r *rand.Rand) (got, want any) {
		cards, _ := separable(r, 1, 1+r.IntN(5))
		c, theta := cards[0], make([]float64, len(cards[0].x)+1)
		for j := range theta {
			theta[j] = 3 * r.NormFloat64()
		}
		before, square := c.y*score(theta, c.x), 1.0
		for _, v := range c.x {
			square += v * v
		}
		floats.AddScaled(theta, c.y, widened(c.x))
		return []float64{c.y * score(theta, c.x), min(square, 1)}, []float64{before + square, 1}
	})
rises, falls := true, true
r := rand.New(rand.NewPCG(19, 4))
for range 200 {
	x, theta := []float64{r.NormFloat64(), r.NormFloat64()}, []float64{r.NormFloat64(),
		r.NormFloat64(), r.NormFloat64()}
	y := -signed(score(theta, x), -1) // a wrong card
	after := slices.Clone(theta)
	floats.AddScaled(after, y, widened(x))
	if y > 0 {
		rises = rises && score(after, x) > score(theta, x)
	} else {
		falls = falls && score(after, x) < score(theta, x)
	}
}
prl.Check("EC-3-05", "the score of a wrong + card rises").Equal(rises, true)
prl.Check("EC-3-06", "the score of a wrong − card falls").Equal(falls, true)
prl.Check("EC-3-06",
	"⌊m/|x̃|²⌋ + 1 updates repair a card, and no fewer; m = 10, |x̃|² = 5 takes 3").
	Draws(200, func(r *rand.Rand) (got, want any) {
		m, x := 20*r.Float64(), 2.0
		if r.IntN(4) == 0 {
			m = 10
		} else {
			x = 3 * r.NormFloat64()
		}
		theta, n := []float64{-m, 0}, 0 // a + card of margin −m
		for score(theta, []float64{x}) <= 0 {
			floats.AddScaled(theta, 1, widened([]float64{x}))
			n++
		}
		return n, int(math.Floor(m/(1+x*x))) + 1
	})
half := func(y, s float64) float64 { return (y - signed(s, 0)) / 2 }
error2 := func(eta float64) func(y, s float64) float64 {
	return func(y, s float64) float64 { return eta * (y - signed(s, 0)) }
}
prl.Check("EC-3-07 RV-5-01", "three forms, one path, from random starts").
	Draws(50, func(r *rand.Rand) (got, want any) {
		cards, _ := separable(r, 12, 2)
		start := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		a := stepped(cards, start, 6, plainRule)
		b := stepped(cards, start, 6, half)
		c := stepped(cards, start, 6, error2(0.5))
		return slices.Concat(start, slices.Concat(b...), slices.Concat(c...)),
			slices.Concat(start, slices.Concat(a...), slices.Concat(a...))
	})
prl.Check("RV-5-01", "a step of 1 with the error e is a step of 2").
	Near(stepped(and, []float64{0.5, 0, 0}, 1, error2(1))[0], []float64{-1.5, 0, 0}, 0)
zero := make([]float64, 3)
prl.Check("EC-3-07", "from 0 with sign(0) = 0 the first step is a half").
	Near(stepped(and, zero, 1, half)[0], []float64{-0.5, 0, 0}, 0)
minus := stepped(and, zero, 40, func(y, s float64) float64 { return (y - signed(s, -1)) / 2 })
prl.Check("EC-3-02", "AND with sign(0) = −1: 10 updates to (−2, 1, 2)").
	Equal(fmt.Sprint(len(minus), minus[len(minus)-1]), "10 [-2 1 2]")
// the test without the index of the card looks at another card than it adds
stray := []float64{0, 0, 0}
for range 100 {
	for i, c := range and {
		if c.y*score(stray, and[(i+1)%4].x) <= 0 {
			floats.AddScaled(stray, c.y, widened(c.x))
		}
	}
}
prl.Check("EC-3-02:erratum",
	"if the test looks at another card than the update, AND is not learnt in 100 passes").
	AtLeast(float64(errors(and, stray)), 1)
}

func cell_walk() {

walkFig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	a, b := in.Point("start", -3, 1, live.In(1))
	shown := int(in.Slider("updates shown", 0, 8, live.Step(1), live.At(0)))
	path, _ := walk(four, []float64{a, b}, 20)
	path = path[:min(shown+1, len(path))]
	w := path[len(path)-1]
	set := pack(four)
	x, y := set.Points()
	left := plotting.New(plotting.Points(x, y).By(set.Y, sides...).Size(13))
	if n := floats.Norm(w, 2); n > 0 {
		left = left.Add(plotting.Line([]float64{-5 * w[1] / n, 5 * w[1] / n},
			[]float64{5 * w[0] / n, -5 * w[0] / n}).Accent().Name("w · x = 0"))
	}
	right := plotting.New(plotting.Regions(func(a, b float64) int {
		return solves(four, []float64{a, b})
	}, "some card is wrong", "all cards are right"))
	var x0, y0, x1, y1 []float64
	for k := 1; k < len(path); k++ {
		x0, y0 = append(x0, path[k-1][0]), append(y0, path[k-1][1])
		x1, y1 = append(x1, path[k][0]), append(y1, path[k][1])
	}
	right = right.Add(plotting.Arrows(x0, y0, x1, y1).Name("cards added"),
		plotting.Points(w[:1], w[1:]).Accent().Size(12).Name("w now"))
	return plotting.Row(left.Equal().XRange(-3, 3).YRange(-3, 3).X("x₁").Y("x₂").Title("cards"),
		right.Equal().XRange(-4, 5).YRange(-4, 5).X("w₁").Y("w₂").Title("weights")).
		Size(900, 440).Title(fmt.Sprintf("updates: %d, w = (%.3g, %.3g)", len(path)-1, w[0], w[1]))
})
walkFig.Show()
prl.Check("LN-07-15",
	"every drawn arrow is a card with its sign, at 90° or more to the weight it starts from").
	Every(walkFig.States(func(s live.State) (got, want any) {
		a, b := s.Point("start")
		at, wrong, last := []float64{a, b}, 0, 0
		if n := int(s.Slider("updates shown")); n > 0 && solves(four, at) == 0 {
			for _, e := range s.Panel(1).Drawn("cards added").Arrows() {
				d, known := []float64{e[2] - e[0], e[3] - e[1]}, false
				for _, c := range four {
					known = known || math.Hypot(c.y*c.x[0]-d[0], c.y*c.x[1]-d[1]) < 1e-9
				}
				if !known || e[0]*d[0]+e[1]*d[1] > 1e-9 ||
					math.Hypot(e[0]-at[0], e[1]-at[1]) > 1e-9 {
					wrong++
				}
				at = []float64{e[2], e[3]}
				last++
			}
		}
		now := s.Panel(1).Drawn("w now").Points()[0]
		return []any{wrong, rounded(now[:]), s.Title()}, []any{0, rounded(at),
			fmt.Sprintf("updates: %d, w = (%.3g, %.3g)", last, at[0], at[1])}
	}))
prl.Check("CS-5.1-01", "8 updates end in the cone, and the drawn line then has + on the side of w").
	Every(walkFig.States(func(s live.State) (got, want any) {
		now := s.Panel(1).Drawn("w now").Points()[0]
		in := s.Panel(1).Region(now[0], now[1]) == "all cards are right"
		if s.Slider("updates shown") == 8 && !in || (solves(four, now[:]) == 1) != in {
			return "outside", "in the cone"
		}
		line := s.Panel(0).Drawn("w · x = 0").Paths()[0]
		return rounded([]float64{line[0][0]*now[0] + line[0][1]*now[1], line[1][0]*now[0] +
			line[1][1]*now[1]}), rounded([]float64{0, 0})
	}))
prl.Check("", "the cone in the picture is where all four products are positive").
	Every(walkFig.States(func(s live.State) (got, want any) {
		wrong := 0
		for k := range 60 {
			b, a := math.Sincos(float64(k)/60*2*math.Pi + 0.03)
			in := 2*a+b > 0 && a+2*b > 0 && a+b > 0 && 2*a-b > 0
			if (s.Panel(1).Region(a, b) == "all cards are right") != in {
				wrong++
			}
		}
		plus := s.Panel(0).Drawn("+").Points()
		return []any{wrong, plus}, []any{0, [][2]float64{{2, 1}, {1, 2}}}
	}))
from := func(theta ...float64) []float64 {
	m := prl.Perceptron().From(theta...).Fit(pack(four)).Model()
	return m.Theta()[0]
}
prl.Check("FA-09-10",
	"with a bias: from (b, w) = (0, 0, 0) to (1, 2, 1), from (1, 3, −3) to (2, 4, −1)").
	Near([][]float64{from(0, 0, 0), from(1, 3, -3)}, [][]float64{{1, 2, 1}, {2, 4, -1}}, 0)
ends := map[string]bool{}
prl.Check("CS-5.1-01", "random starts that do not end in a separating line, of 60").
	Equal(failures(60, func(r *rand.Rand) bool {
		start := []float64{math.Round(9 * r.NormFloat64()), math.Round(9 * r.NormFloat64())}
		path, _ := walk(four, start, 400)
		ends[fmt.Sprint(path[len(path)-1])] = true
		return solves(four, path[len(path)-1]) == 1
	}), 0)
prl.Check("FA-09-10", "different ends among them").AtLeast(float64(len(ends)), 10)
}

func cell_g_crystal() {

fig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	rule := in.Choice("rule", "one mistake", "all mistakes", "the sign forgotten")
	sx, sy := in.Point("start", -3, 1.5)
	steps := int(in.Slider("steps", 0, 8, live.Step(1), live.At(0)))
	path := geoSlide([]float64{sx, sy}, three, rule, steps)
	var x, y, heights []float64
	for _, w := range path {
		x, y, heights = append(x, w[0]), append(y, w[1]), append(heights, geoJ(w, three))
	}
	w := path[len(path)-1]
	left := plotting.New(plotting.Polygon([]float64{0, geoHalf, geoHalf, -geoHalf / 2},
		[]float64{0, geoHalf / 2, geoHalf, geoHalf}).Fill().Opacity(0.25).Class("bottom").
		Name("J = 0"))
	for _, c := range three {
		kx, ky := geoInside(c.x, 0, 0, geoHalf)
		left = left.Add(plotting.Line(kx, ky).Muted().Dash().Name("kinks"))
	}
	left = left.Add(plotting.Contours(func(a,
		b float64) float64 {
		return geoJ([]float64{a, b}, three)
	}).
		Levels(4, 8, 16).Muted().Labels().Name("levels of J"))
	if len(path) > 1 {
		left = left.Add(plotting.Line(x, y).Class("path").Width(2).Markers().Name("path"))
	}
	slope := []float64{0, 0}
	for _, c := range three {
		if c.y*floats.Dot(w, c.x) <= 0 {
			floats.AddScaled(slope, -c.y, c.x)
		}
	}
	if n := floats.Norm(slope, 2); n > 0 {
		ax, ay := w[0]-1.5*slope[0]/n, w[1]-1.5*slope[1]/n
		if max(math.Abs(ax), math.Abs(ay)) < geoHalf {
			left = left.Add(plotting.Arrow(w[0], w[1], ax, ay).Class("downhill").Name("downhill"))
		}
	}
	left = left.Add(plotting.Points(w[:1], w[1:]).Accent().Size(12).Name("w"))
	taken := prl.Range(0, float64(len(path)-1), 1)
	word := "no margin is negative"
	if J := heights[len(heights)-1]; J > 0 {
		word = fmt.Sprintf("J = %.2f", J)
	}
	return plotting.Row(left.XRange(-geoHalf, geoHalf).YRange(-geoHalf, geoHalf).Equal().X("w₁").
		Y("w₂").
		Title("the plane of w"),
		plotting.New(plotting.Line(taken, heights).Class("path").Markers().
			Name("J along the path")).
			X("step").Y("J").XRange(-0.3, 8.3).YRange(-1, 41).Title("J after each step")).
		Size(960, 500).Title("A walk downhill on the crystal").
		Subtitle(fmt.Sprintf("%d steps: %s", len(path)-1, word))
})
fig.Show()
// geoPath takes the steps again: every card has its say through half differences of signs.
again := func(s live.State) (path [][]float64) {
	sx, sy := s.Point("start")
	w := []float64{sx, sy}
	path = [][]float64{{sx, sy}}
	from, rule := 0, s.Choice("rule")
	for range int(s.Slider("steps")) {
		var said [3]float64
		for i, c := range three {
			if said[i] = -c.y; c.y*(c.x[0]*w[0]+c.x[1]*w[1]) > 0 {
				said[i] = c.y
			}
		}
		factor := map[string]float64{"one mistake": 0.5, "all mistakes": 0.5,
			"the sign forgotten": -0.25}[rule]
		var dx, dy float64
		for k := range 3 {
			i := k
			if rule == "one mistake" {
				i = (from + k) % 3
			}
			dx += factor * (three[i].y - said[i]) * three[i].x[0]
			dy += factor * (three[i].y - said[i]) * three[i].x[1]
			if rule == "one mistake" && said[i] != three[i].y {
				from = (i + 1) % 3
				break
			}
		}
		w = []float64{w[0] + dx, w[1] + dy}
		if max(math.Abs(w[0]), math.Abs(w[1])) > 6 || dx == 0 && dy == 0 {
			break
		}
		path = append(path, w)
	}
	return path
}
prl.Check("FA-09-03 CS-5.1.1-05", "drawn: the path, by half differences of signs").
	Every(fig.States(func(s live.State) (got, want any) {
		path := again(s)
		read := [][2]float64{s.Panel(0).Drawn("w").Points()[0]}
		if len(path) > 1 {
			read = append(s.Panel(0).Drawn("path").Paths()[0], read...)
		} else {
			read = append(read, read[0])
		}
		var g, v []float64
		for i, p := range append(slices.Clone(path), path[len(path)-1]) {
			g, v = append(g, read[i][0], read[i][1]), append(v, p[0], p[1])
		}
		return g, v
	}))
// geoSum is J as a sum of maxima.
sum := func(x, y float64) float64 {
	J := 0.0
	for _, c := range three {
		J += max(0, -c.y*(c.x[0]*x+c.x[1]*y))
	}
	return J
}
prl.Check("CS-5.1.1-01 FA-09-02",
	"drawn: J after each step and in the title, as a sum of maxima over the drawn places").
	Every(fig.States(func(s live.State) (got, want any) {
		path := again(s)
		line, heights := s.Panel(1).Drawn("J along the path"), []float64(nil)
		var read []float64
		for i, p := range path {
			read, heights = append(read, line.Points()[i][1]), append(heights, sum(p[0], p[1]))
		}
		word := "no margin is negative"
		if J := heights[len(heights)-1]; J > 0 {
			word = fmt.Sprintf("J = %.2f", J)
		}
		for i := range read {
			read[i], heights[i] = math.Round(1e6*read[i])/1e6, math.Round(1e6*heights[i])/1e6
		}
		return fmt.Sprint(read, s.Subtitle()), fmt.Sprint(heights,
			fmt.Sprintf("%d steps: %s", len(path)-1, word))
	}))
prl.Check("CS-5.1.1-01",
	"drawn: the level lines are where the sum of maxima is 4, 8 and 16; the bottom facet").
	Tol(0.03).
	Every(fig.States(func(s live.State) (got, want any) {
		worst := 0.0
		for name, level := range map[string]float64{"4": 4, "8": 8, "16": 16} {
			for _, v := range s.Panel(0).Drawn(name).Values(sum) {
				worst = max(worst, math.Abs(v-level)/level)
			}
		}
		for i := range 24 { // and the bottom facet is where the sum is 0
			for j := range 24 {
				x, y := float64(i)/2-5.73, float64(j)/2-5.71
				if (sum(x, y) == 0) != s.Panel(0).Drawn("J = 0").Covers(x, y) {
					worst = 1
				}
			}
		}
		return worst, 0.0
	}))
prl.Check("FA-09-08",
	"drawn: across a kink the slope of J changes by the card whose margin is 0 there").
	Every(fig.States(func(s live.State) (got, want any) {
		var read, cards []float64
		for i, path := range s.Panel(0).Drawn("kinks").Paths() {
			p, x := path[0], three[i].x
			bend := sum(p[0]+x[0]/100, p[1]+x[1]/100) + sum(p[0]-x[0]/100,
				p[1]-x[1]/100) - 2*sum(p[0], p[1])
			read, cards = append(read, bend), append(cards, floats.Dot(x, x)/100)
		}
		return read, cards
	}))
prl.Check("CS-5.1.1-04",
	"drawn: along the arrow J falls at the rate of the length of its slope, by differences").
	Tol(1e-6).
	Every(fig.States(func(s live.State) (got, want any) {
		path := again(s)
		w := path[len(path)-1]
		near := false
		for _, c := range three {
			near = near || math.Abs(c.x[0]*w[0]+c.x[1]*w[1]) < 1e-3 // at a kink there is no slope
		}
		if near || !geoSees(s.Panel(0), "downhill") {
			return 0, 0
		}
		const h = 1e-5
		gx, gy := (sum(w[0]+h, w[1])-sum(w[0]-h, w[1]))/(2*h),
			(sum(w[0], w[1]+h)-sum(w[0], w[1]-h))/(2*h)
		a, n := s.Panel(0).Drawn("downhill").Arrows()[0], math.Hypot(gx, gy)
		return []float64{a[0], a[1], a[2] - a[0], a[3] - a[1]},
			[]float64{w[0], w[1], -1.5 * gx / n, -1.5 * gy / n}
	}))
prl.Check("CS-5.1.1-05", "the first picture is the start, before any step").
	Every(fig.States(func(s live.State) (got, want any) {
		x, y := s.Point("start")
		if s.Name != "as it begins" {
			return x, x
		}
		return append([]float64{s.Slider("steps")}, s.Panel(0).Drawn("w").Points()[0][:]...),
			[]float64{0, x, y}
	}))
}

func cell_g_zero() {

fig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	r := in.Slider("offset", 0, 4, live.Step(0.05), live.At(0.5))
	J, wrong := geoPush(liHang, r)
	at := prl.Range(0, 4, 0.05)
	word := "some margin is negative"
	switch {
	case wrong == 0:
		word = "all margins are positive"
	case J == 0:
		word = "no margin is negative, but one is zero"
	}
	return plotting.Column(
		geoStart(plotting.Points(nil, nil).By(nil, sides...), "line").
			Add(plotting.VRule(r).Class("line").Width(2).Name("line"),
				plotting.Points([]float64{1, 3, 4}, []float64{1, 3, 3}).
					By([]int{0, 1, 1}, sides...).
					Size(11)).
			XRange(-0.2, 4.4).YRange(0, 4).X("x₁").Y("x₂").Title("the line x₁ = offset"),
		plotting.New(
			plotting.Line(at, prl.Map(at, func(r float64) float64 {
				J,
					_ := geoPush(liHang, r)
				return J
			})).
				Class("J").Width(2).Name("J"),
			plotting.Points(at, prl.Map(at, func(r float64) float64 {
				_,
					e := geoPush(liHang, r)
				return e
			})).
				Class("Err").Marker("circle").Size(5).Name("Err"),
			plotting.Points([]float64{r, r}, []float64{J, wrong}).Accent().Size(11).Name("here")).
			XRange(-0.2, 4.4).YRange(-0.1, 1.6).X("offset").Y("J and Err").
			Title("what the line costs"),
	).Size(640, 520).Title("A line is pushed across three cards").
		Subtitle(fmt.Sprintf("J = %.2f, Err = %.2f: %s", J, wrong, word))
})
fig.Show()
prl.Check("CS-5.1.1-03", "drawn: J, Err, the points and the title, from the three cards by hand").
	Tol(1e-9).
	Every(fig.States(func(s live.State) (got, want any) {
		r := s.Slider("offset")
		J := max(0, r-3) + max(0, r-4) + max(0, 1-r)
		wrong := 0.0
		for _, bad := range []bool{r >= 3, r >= 4, r <= 1} {
			if bad {
				wrong += 1. / 3
			}
		}
		word := "some margin is negative"
		if wrong == 0 {
			word = "all margins are positive"
		} else if J == 0 {
			word = "no margin is negative, but one is zero"
		}
		d := s.Panel(1)
		here := d.Drawn("here").Points()
		most := 0.0
		for _, v := range d.Drawn("J").Minus(func(r float64) float64 {
			return max(0, r-3) +
				max(0, r-4) + max(0, 1-r)
		}) {
			most = max(most, math.Abs(v))
		}
		shares := map[bool]string{true: "sound", false: "broken"}
		sound := most < 1e-9 && len(d.Drawn("Err").Points()) == 81
		for _, p := range d.Drawn("Err").Points() {
			n := 0.0
			for _, bad := range []bool{p[0] >= 3, p[0] >= 4, p[0] <= 1} {
				if bad {
					n++
				}
			}
			sound = sound && math.Abs(p[1]-n/3) < 1e-9
		}
		return fmt.Sprintf("%s %.4f %.4f %.4f %.4f %.4f %s", shares[sound], s.Panel(0).
				Drawn("line").Rules()[0], here[0][0], here[0][1],
				here[1][0], here[1][1], s.Subtitle()),
			fmt.Sprintf("sound %.4f %.4f %.4f %.4f %.4f %s", r, r, J, r, wrong,
				fmt.Sprintf("J = %.2f, Err = %.2f: %s", J, wrong, word))
	}))
prl.Check("CS-5.1.1-03", "drawn: the + cards stand at 3 and 4, the − card at 1").
	Every(fig.States(func(s live.State) (got, want any) {
		return fmt.Sprint(s.Panel(0).Drawn("+").Points(), s.Panel(0).Drawn("−").Points()),
			"[[3 3] [4 3]] [[1 1]]"
	}))
}

func cell_g_cold() {

fig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	T := in.Slider("temperature", 0.02, 2, live.Log, live.At(1))
	ask := in.Predict("At s = 0 and T → 0 the soft residual of a + card is …", "0", "½", "1")
	ask.Answer("½")
	at := prl.Range(-4, 4, 0.04)
	soft := prl.Map(at, func(s float64) float64 { return (1 - math.Tanh(s/(2*T))) / 2 })
	cost := prl.Map(at, func(s float64) float64 { return geoWarm(s, T) })
	bowl := func(x, y float64) float64 {
		sum := 0.0
		for _, c := range three {
			sum += geoWarm(c.y*(c.x[0]*x+c.x[1]*y), T)
		}
		return sum
	}
	return plotting.Grid(2,
		plotting.New(plotting.Line([]float64{-4, 0, 0, 4}, []float64{1, 1, 0, 0}).
			Class("perceptron").Width(2).Name("perceptron"),
			plotting.Line(at, soft).Class("logistic").Width(2).Name("logistic at T")).
			X("score s of a + card").Y("part of the card that is added").XRange(-4, 4).
			YRange(-0.1, 1.1).Title("the residual"),
		plotting.New(plotting.Line([]float64{-4, 0, 4}, []float64{4, 0, 0}).Class("perceptron").
			Width(2).Name("perceptron"),
			plotting.Line(at, cost).Class("logistic").Width(2).Name("logistic at T")).
			X("score s of a + card").Y("loss").XRange(-4, 4).YRange(-0.2, 4.4).Title("the loss"),
		plotting.New(plotting.Contours(func(x,
			y float64) float64 {
			return geoJ([]float64{x, y}, three)
		}).
			Levels(4, 8, 16).Class("perceptron").Name("perceptron"),
			plotting.Contours(bowl).Levels(4, 8, 16).Class("logistic").Name("logistic at T")).
			X("w₁").Y("w₂").XRange(-geoHalf, geoHalf).YRange(-geoHalf, geoHalf).Equal().
			Title("levels 4, 8 and 16 for three cards"),
	).Size(900, 800).Title("A soft loss is cooled").
		Subtitle(fmt.Sprintf("At T = %.2f the losses differ by at most %.3f", T,
		T*math.Ln2))
})
fig.Show()
prl.Check("EC-3-08 EC-3-09", "drawn: the soft residual is σ(−s/T), and the hard one is the step").
	Tol(1e-9).
	Every(fig.States(func(s live.State) (got, want any) {
		T, most := s.Slider("temperature"), 0.0
		for _, d := range s.Panel(0).Drawn("logistic at T").
			Minus(func(v float64) float64 { return 1 / (1 + math.Exp(v/T)) }) {
			most = max(most, math.Abs(d))
		}
		from, to := s.Panel(0).Drawn("logistic at T").Span()
		return fmt.Sprint(most < 1e-9, from, to, s.Panel(0).Drawn("perceptron").Paths()[0]),
			"true -4 4 [[-4 1] [0 1] [0 0] [4 0]]"
	}))
prl.Check("EC-3-10 EC-3-09",
	"drawn: both losses; the gap is at most T ln 2, at s = 0, and the title says it").Tol(1e-9).
	Every(fig.States(func(s live.State) (got, want any) {
		T, most, gap, at := s.Slider("temperature"), 0.0, 0.0, 9.0
		soft, hard := s.Panel(1).Drawn("logistic at T"), s.Panel(1).Drawn("perceptron")
		for _, v := range prl.Range(-4, 4, 0.04) {
			own := T * math.Log(1+math.Exp(-v/T))
			if -v/T > 600 {
				own = -v
			}
			most = max(most, math.Abs(soft.At(v)-own), math.Abs(hard.At(v)-max(0, -v)))
			if d := soft.At(v) - hard.At(v); d > gap {
				gap, at = d, v
			}
		}
		return fmt.Sprintf("%v %.6f %.2f %s", most < 1e-9, gap, math.Abs(at), s.Subtitle()),
			fmt.Sprintf("true %.6f 0.00 At T = %.2f the losses differ by at most %.3f", T*math.Ln2,
				T, T*math.Ln2)
	}))
prl.Check("EC-3-09", "drawn: each level line is at 4, 8 or 16 of the sum over the three cards").
	Tol(0.03).Every(fig.States(func(s live.State) (got, want any) {
	T := s.Slider("temperature")
	var worst [2]float64
	seen := []map[float64]bool{{}, {}}
	for k, name := range []string{"perceptron", "logistic at T"} {
		for _, v := range s.Panel(2).Drawn(name).Values(func(x, y float64) float64 {
			sum := 0.0
			for _, c := range three {
				m := -c.y * (c.x[0]*x + c.x[1]*y)
				if k == 1 && m/T < 600 {
					m = T * math.Log(1+math.Exp(m/T))
				}
				sum += max(0, m)
			}
			return sum
		}) {
			level := min(16, max(4, math.Exp2(math.Round(math.Log2(v)))))
			seen[k][level] = true
			worst[k] = max(worst[k], math.Abs(v-level)/level)
		}
	}
	if len(seen[0]) != 3 || len(seen[1]) != 3 {
		worst[0] = 1
	}
	return worst[:], 0.0
}))
}

func cell_g_descent_check() {

prl.Check("CS-5.1.1-01 FA-09-02", "the sum over mistakes is the sum of maxima, and J ≥ 0").
	Draws(300, func(r *rand.Rand) (got, want any) {
		cards, theta := geoDeal(r, 12), geoGauss(r, 3)
		J, _ := geoFull(theta, cards)
		return []float64{J, min(J, 0)}, []float64{geoMax(theta, cards), 0}
	})
prl.Check("CS-5.1.1-01", "convex: the value halfway is at most the mean of the values").
	Bounded(1000, 0.99,
		func(r *rand.Rand) (value, bound float64) {
			cards, a, b := geoDeal(r, 6), geoGauss(r, 3), geoGauss(r, 3)
			half := floats.AddTo(make([]float64, 3), a, b)
			floats.Scale(0.5, half)
			return geoMax(half, cards), (geoMax(a, cards)+geoMax(b, cards))/2 + 1e-12
		})
prl.Check("CS-5.1.1-02", "the number of mistakes over m is Err = 1 − accuracy").
	Draws(200, func(r *rand.Rand) (got, want any) {
		cards, theta := geoDeal(r, 10), geoGauss(r, 3)
		_, mistakes := geoFull(theta, cards)
		right := 0
		for _, c := range cards {
			if (score(theta, c.x) > 0) == (c.y > 0) {
				right++
			}
		}
		return float64(len(mistakes)) / 10, 1 - float64(right)/10
	})
prl.Check("CS-5.1.1-03 FA-09-02",
	"J = 0 exactly when no margin is negative, on 2000 random lines with ties").Draws(2000,
	func(r *rand.Rand) (got, want any) {
		cards, theta := geoGrid(r), []float64{float64(r.IntN(9) - 4), float64(r.IntN(5) - 2),
			float64(r.IntN(5) - 2)}
		J, _ := geoFull(theta, cards)
		negative := false
		for _, c := range cards {
			negative = negative || c.y*score(theta, c.x) < 0
		}
		return J == 0, !negative
	})
zero := []float64{0, 0, 0}
JZero, wrong := geoFull(zero, xor)
prl.Check("CS-5.1.1-03:erratum", "w = 0, b = 0 on XOR: J = 0, and no margin is positive").
	Equal([]float64{JZero, float64(len(wrong))}, []float64{0, 4})
prl.Check("CS-5.1.1-03", "the line of section 3 between the 35 cards has J = 0").
	Equal(func() float64 {
		s := prl.Separate(pack(thirtyFive()))
		return geoMax(append([]float64{s.B}, s.W...), thirtyFive())
	}(), 0.0)
prl.Check("CS-5.1.1-04", "the slopes by central differences").Tol(1e-6).
	Draws(200, func(r *rand.Rand) (got, want any) {
		cards, theta := geoDeal(r, 8), geoGauss(r, 3)
		for _, c := range cards { // a kink is not differentiated across
			if math.Abs(score(theta, c.x)) < 1e-3 {
				theta = geoGauss(r, 3)
			}
		}
		var slope []float64
		for j := range theta {
			up, down := slices.Clone(theta), slices.Clone(theta)
			up[j] += 1e-5
			down[j] -= 1e-5
			slope = append(slope, (geoMax(up, cards)-geoMax(down, cards))/2e-5)
		}
		return geoSlope(theta, cards), slope
	})
prl.Check("CS-5.1.1-04:erratum",
	"with both signs turned, a small step of descent raises J whenever there is a mistake").
	Equal(func() []int {
		r := rand.New(rand.NewPCG(5, 19))
		up, down := 0, 0
		for range 200 {
			cards, theta := geoDeal(r, 8), geoGauss(r, 3)
			g := geoSlope(theta, cards)
			if floats.Norm(g, 2) == 0 {
				up, down = up+1, down+1
				continue
			}
			step := func(f float64) float64 {
				return geoMax(floats.AddScaledTo(make([]float64, 3), theta, f, g), cards)
			}
			if step(1e-6) > geoMax(theta, cards) {
				up++
			}
			if step(-1e-6) < geoMax(theta, cards) {
				down++
			}
		}
		return []int{up, down}
	}(), []int{200, 200})
prl.Check("FA-09-03", "one update raises the margin of its card by 1 + ‖x‖², for + and for −").
	Draws(300, func(r *rand.Rand) (got, want any) {
		c, theta := geoCard(r, 2), geoGauss(r, 3)
		after := floats.AddScaledTo(make([]float64, 3), theta, c.y, widened(c.x))
		return c.y*score(after, c.x) - c.y*score(theta, c.x), 1 + floats.Dot(c.x, c.x)
	})
prl.Check("FA-09-06 EC-3-10",
	"the update is minus the slope of the loss max(0, −ys) of its card, 0 if it is right").
	Tol(1e-6).
	Draws(300, func(r *rand.Rand) (got, want any) {
		c, theta := geoCard(r, 2), geoGauss(r, 3)
		var slope []float64
		for j := range theta {
			up, down := slices.Clone(theta), slices.Clone(theta)
			up[j] += 1e-7
			down[j] -= 1e-7
			slope = append(slope, (max(0, -c.y*score(up, c.x))-max(0, -c.y*score(down, c.x)))/2e-7)
		}
		update := make([]float64, 3)
		if c.y*score(theta, c.x) <= 0 {
			floats.AddScaled(update, c.y, widened(c.x))
		}
		return update, floats.ScaleTo(make([]float64, 3), -1, slope)
	})
prl.Check("EC-3-10 CS-5.1.1-01", "subgradient: J(θ′) ≥ J(θ) + slope·(θ′ − θ) at random pairs").
	Bounded(1000, 0.99, func(r *rand.Rand) (value, bound float64) {
		cards, a, b := geoDeal(r, 6), geoGauss(r, 3), geoGauss(r, 3)
		return geoMax(a, cards) + floats.Dot(geoSlope(a, cards),
			floats.SubTo(make([]float64, 3), b, a)) - 1e-12, geoMax(b, cards)
	})
prl.Check("EC-3-10", "and at kinks, where a margin is 0: whole numbers, and θ = 0").
	Bounded(1000, 0.9, func(r *rand.Rand) (value, bound float64) {
		cards := geoGrid(r)
		a, b := []float64{0, 0, 0}, geoGauss(r, 3)
		if c := cards[0].x; r.IntN(2) == 0 { // the first card lies on the line of a
			a = []float64{-c[0] - 2*c[1], 1, 2}
		}
		return geoMax(a, cards) + floats.Dot(geoSlope(a, cards),
			floats.SubTo(make([]float64, 3), b, a)) - 1e-12, geoMax(b, cards)
	})
prl.Check("FA-09-08",
	"along a line the second difference of J is not 0 exactly where a margin changes its sign").
	Draws(40,
		func(r *rand.Rand) (got, want any) {
			cards, a, v := geoDeal(r, 5), geoGauss(r, 3), geoGauss(r, 3)
			at := func(t float64) []float64 {
				return floats.AddScaledTo(make([]float64, 3), a, t,
					v)
			}
			var bends, signs []bool
			for k := range 60 {
				t, h := float64(k)/10-3, 0.1
				bends = append(bends, math.Abs(geoMax(at(t+h), cards)+geoMax(at(t-h),
					cards)-2*geoMax(at(t), cards)) > 1e-9)
				change := false
				for _, c := range cards {
					change = change || score(at(t-h), c.x)*score(at(t+h), c.x) < 0
				}
				signs = append(signs, change)
			}
			return bends, signs
		})
// run learns until a clean pass: the bias moves by y times step, and the last number is the count.
run := func(cards []card, step float64, passes int) (theta []float64) {
	w, b, mistakes := make([]float64, 2), 0.0, 0.0
	for range passes {
		clean := true
		for _, c := range cards {
			if c.y*(floats.Dot(w, c.x)+b) <= 0 {
				floats.AddScaled(w, c.y, c.x)
				b += c.y * step
				mistakes, clean = mistakes+1, false
			}
		}
		if clean {
			break
		}
	}
	return append(w, b, mistakes)
}
// radius is R, and lengthened learns with the plain rule in the coordinates (x, R) and (w, b/R).
radius := func(cards []card) float64 {
	R := 0.0
	for _, c := range cards {
		R = max(R, floats.Norm(c.x, 2))
	}
	return R
}
lengthened := func(cards []card, passes int) []float64 {
	R, w, count := radius(cards), make([]float64, 3), 0.0
	for range passes {
		clean := true
		for _, c := range cards {
			if x := append(slices.Clone(c.x), R); c.y*floats.Dot(w, x) <= 0 {
				floats.AddScaled(w, c.y, x)
				count, clean = count+1, false
			}
		}
		if clean {
			break
		}
	}
	return []float64{w[0], w[1], w[2] * R, count}
}
longRuns := 0
prl.Check("CS-5.1.1-05",
	"20 sets of 30 cards: the rule with R² is the plain rule of (x, R)").
	Tol(1e-12).Draws(20, func(r *rand.Rand) (got, want any) {
	var cards []card
	for len(cards) < 30 {
		if c := geoCard(r, 2); c.y*(c.x[0]+c.x[1]-0.3) > 0.02 {
			c.x[0] += 2
			cards = append(cards, c)
		}
	}
	R := radius(cards)
	squared := run(cards, R*R, 2000)
	if squared[3] >= 20 {
		longRuns++
	}
	return squared, lengthened(cards, 2000)
})
prl.Check("CS-5.1.1-05", "most of these runs have 20 updates or more").
	AtLeast(float64(longRuns), 11)
R := radius(liHang)
plain, squared := run(liHang, 1, 1000), run(liHang, R*R, 1000)
prl.Check("CS-5.1.1-05:erratum",
	"three cards with R = 5: b ← b + y ends at another line than b ← b + yR²").
	AtLeast(math.Abs(plain[2]/plain[0]-squared[2]/squared[0]), 0.1)
prl.Check("CS-5.1.1-05:erratum", "three cards, b ← b + y: w = (1, 1), b = −3 after 7 updates").
	Near(plain, []float64{1, 1, -3, 7}, 0)
prl.Check("CS-5.1.1-05", "one update of the rule with R² raises the margin by η(‖x‖² + R²)").
	Draws(200, func(r *rand.Rand) (got, want any) {
		c, w, b, R, eta := geoCard(r, 2), geoGauss(r, 2), r.NormFloat64(), 3*r.Float64(),
			r.Float64()
		v, a := floats.AddScaledTo(make([]float64, 2), w, eta*c.y, c.x), b+eta*c.y*R*R
		return c.y*(floats.Dot(v, c.x)+a) - c.y*(floats.Dot(w, c.x)+b),
			eta * (floats.Dot(c.x, c.x) + R*R)
	})
sigma := func(s float64) float64 { return 1 / (1 + math.Exp(-s)) }
prl.Check("EC-3-08", "three forms of the logistic residual").Tol(1e-15).
	Draws(1000, func(r *rand.Rand) (got, want any) {
		y, s := float64(2*r.IntN(2)-1), 6*r.NormFloat64()
		return []float64{(y - math.Tanh(s/2)) / 2, y * sigma(-y*s)}, (y+1)/2 - sigma(s)
	})
prl.Check("EC-3-08", "and it times (1, x) is the slope of log P(t | x), by differences").Tol(1e-8).
	Draws(200, func(r *rand.Rand) (got, want any) {
		c, theta := geoCard(r, 2), geoGauss(r, 3)
		logP := func(theta []float64) float64 {
			return -math.Log1p(math.Exp(-c.y * score(theta,
				c.x)))
		}
		var slope []float64
		for j := range theta {
			up, down := slices.Clone(theta), slices.Clone(theta)
			up[j] += 1e-5
			down[j] -= 1e-5
			slope = append(slope, (logP(up)-logP(down))/2e-5)
		}
		return floats.ScaleTo(make([]float64, 3), (c.y+1)/2-sigma(score(theta, c.x)), widened(c.x)),
			slope
	})
// batch walks along the mean of residual times (1, x), for n steps of size 1.
batch := func(cards []card, n int, residual func(y, s float64) float64) []float64 {
	theta := make([]float64, 2)
	for range n {
		move := make([]float64, 2)
		for _, c := range cards {
			floats.AddScaled(move, residual(c.y, score(theta, c.x))/float64(len(cards)),
				widened(c.x))
		}
		floats.Add(theta, move)
	}
	return theta
}
cards := geoOverlap()
zeroOne := func(y, s float64) float64 { return (y+1)/2 - sigma(s) }
half := func(y, s float64) float64 { return (y - math.Tanh(s/2)) / 2 }
mixed := func(y, s float64) float64 { return y - sigma(s) }
prl.Check("EC-3-08",
	"200 overlapping cards: labels 0/1 with σ and ±1 with tanh end at the same θ, and rest there").
	Near(batch(cards, 2000, zeroOne), [][]float64{batch(cards, 2000, half),
		batch(cards, 2001, half)}[0], 1e-12)
prl.Check("EC-3-08", "which is that of the logistic regression of chapter 18").
	Near(batch(cards, 2000, half),
		prl.Logistic().Fit(pack(cards)).Model().Theta(), 1e-6)
prl.Check("EC-3-08:erratum",
	"±1 with σ: the bias still falls after 5000 steps, far beyond the right one").
	True(func() bool {
		far, farther := batch(cards, 2500, mixed), batch(cards, 5000, mixed)
		return farther[0] < far[0]-1 && farther[0] < -10
	}(), geoMinus("θ = %.1f after 2500 steps and %.1f after 5000", batch(cards, 2500, mixed),
		batch(cards, 5000, mixed)))
prl.Check("EC-3-08:erratum", "±1 with σ: the residual of a − card is below −1 at every score").
	Bounded(1000, 0.9, func(r *rand.Rand) (value, bound float64) {
		return 1, -mixed(-1, 4*r.NormFloat64())
	})
// walk is learning card by card at a temperature; 0 is the perceptron with sign(0) = 0. It
// stops where a score comes near 0.
walk := func(theta []float64, cards []card, T float64) (path [][]float64) {
	theta = slices.Clone(theta)
	for range 3 {
		for _, c := range cards {
			s := score(theta, c.x)
			said := math.Tanh(s / (2 * T))
			if T == 0 {
				if said = 0; s != 0 {
					said = math.Copysign(1, s)
				}
			} else if math.Abs(s) < 0.01 {
				return path
			}
			floats.AddScaled(theta, (c.y-said)/2, widened(c.x))
			path = append(path, slices.Clone(theta))
		}
	}
	return path
}
longest := 0
prl.Check("EC-3-09",
	"T = 10⁻³: the same steps as the perceptron as long as no score is nearer to 0 than 0.01").
	Tol(2e-3).
	Draws(40, func(r *rand.Rand) (got, want any) {
		cards, start := geoDeal(r, 10), geoGauss(r, 3)
		cold := walk(start, cards, 1e-3)
		longest = max(longest, len(cold))
		return append(cold, start), append(walk(start, cards, 0)[:len(cold)], start)
	})
prl.Check("EC-3-09", "some of these runs are complete: 30 cards").Equal(longest, 30)
prl.Check("EC-3-09", "T = 1 does not follow the perceptron").
	AtLeast(floats.Distance(walk([]float64{1, 1, 1}, and, 1)[0],
		walk([]float64{1, 1, 1}, and, 0)[0], 2), 0.1)
cold := (1 - math.Tanh(0/(2*1e-3))) / 2
prl.Check("EC-3-09", "from θ = 0 the first step is half a card at every temperature").
	Equal(cold, 0.5)
prl.Check("EC-3-10:erratum", "e^(−ℓ) of both labels at |s| = 0.1, 1, 3: no likelihood").
	Near(prl.Map([]float64{0.1, 1, 3}, func(s float64) float64 {
		return math.Exp(-max(0, -s)) + math.Exp(-max(0, s))
	}), []float64{1.905, 1.368, 1.050}, 5e-4)
prl.Check("EC-3-10:erratum", "dividing by their sum changes the slope of the loss").
	AtLeast(math.Abs(func() float64 {
		normalised := func(s float64) float64 {
			return max(0, -s) +
				math.Log(1+math.Exp(-math.Abs(s)))
		}
		return (normalised(1.001)-normalised(0.999))/0.002 - 0
	}()), 0.2)
}

func cell_squeeze() {

squeeze := prl.Live(func(in *live.Inputs) *plotting.Figure {
	in.Predict("γ is halved. The bound becomes four times as large. The count of mistakes …",
		"also becomes four times as large", "grows, but less").Answer("grows, but less")
	near := in.Slider("distance of the closest card", 0.02, 0.4, live.At(0.3))
	height := in.Slider("its height", -0.9, 0.9, live.At(-0.9))
	cards, u := append([]card{{[]float64{near, height}, 1}}, bystanders...), []float64{1, 0}
	g, w, _ := grown(cards, u, 10000)
	R, gamma := reach(cards, u)
	set := pack(cards)
	x, y := set.Points()
	ks := prl.Range(0, float64(len(g.along)-1), 1)
	n := floats.Norm(w, 2)
	after := ks[1:]
	cos := make([]float64, len(after))
	for k := range after {
		cos[k] = g.along[k+1] / g.length[k+1]
	}
	return plotting.Row(
		plotting.New(plotting.Points(x, y).By(set.Y, sides...).Size(10),
			plotting.VRule(0).Dash().Label("hidden"),
			plotting.Line([]float64{-1.1 * w[1] / n, 1.1 * w[1] / n},
				[]float64{1.1 * w[0] / n, -1.1 * w[0] / n}).Accent().Name("found line")).
			Equal().XRange(-1.1, 1.1).YRange(-1.1, 1.1).X("x₁").Y("x₂").Title("cards"),
		plotting.New(plotting.Line(ks, prl.Map(ks, func(k float64) float64 {
			return math.Sqrt(k) * R
		})).Dash().Name("√k R"),
			plotting.Line(ks, g.length).Name("|w|"),
			plotting.Line(ks, g.along).Accent().Name("w · u"),
			plotting.Line(ks, prl.Map(ks, func(k float64) float64 { return k * gamma })).Dash().
				Name("kγ")).
			X("mistakes k").XRange(0, 45).YRange(0, 7).Title("two growths"),
		plotting.New(plotting.HRule(1).Muted(), plotting.Line(append([]float64{0.5}, after...),
			append([]float64{cos[0]}, cos...)).Accent().Name("cosine"),
			plotting.Line(prl.LinSpace(0, 45, 181), prl.Map(prl.LinSpace(0, 45, 181),
				func(k float64) float64 { return math.Sqrt(k) * gamma / R })).Dash().
				Name("√k γ/R")).
			X("mistakes k").XRange(0, 45).YRange(0, 1.1).Title("the cosine is squeezed")).
		Size(960, 360).Title("Two growths squeeze the cosine").
		Subtitle(fmt.Sprintf("mistakes: %d, at most R²/γ² = %.4g", len(after), R*R/(gamma*gamma)))
})
squeeze.Show()
// retold learns the same cards with scores as sums over the earlier mistakes.
retold := func(s live.State) (along, length []float64, R, gamma float64) {
	cards := append([]card{{[]float64{s.Slider("distance of the closest card"),
		s.Slider("its height")}, 1}}, bystanders...)
	var sum [2]float64
	gamma = 2
	for _, c := range cards {
		R, gamma = max(R, math.Hypot(c.x[0], c.x[1])), min(gamma, math.Abs(c.x[0]))
	}
	for quiet, i := 0, 0; quiet < len(cards); i = (i + 1) % len(cards) {
		c := cards[i]
		quiet++
		if c.y*(sum[0]*c.x[0]+sum[1]*c.x[1]) <= 0 {
			sum[0], sum[1], quiet = sum[0]+c.y*c.x[0], sum[1]+c.y*c.x[1], 0
			along, length = append(along, sum[0]), append(length, math.Hypot(sum[0], sum[1]))
		}
	}
	return along, length, R, gamma
}
prl.Check("LN-07-07 LN-07-08", "both growths are drawn as they are, between kγ and √k R").
	Every(squeeze.States(func(s live.State) (got, want any) {
		along, length, R, gamma := retold(s)
		d := s.Panel(1)
		var drawn, true_ []float64
		inside := 0.0
		for i := range along {
			k := float64(i + 1)
			a, l := d.Drawn("w · u").At(k), d.Drawn("|w|").At(k)
			lo, hi := d.Drawn("kγ").At(k), d.Drawn("√k R").At(k)
			if !(lo <= a+1e-9 && a <= l+1e-9 && l <= hi+1e-9) {
				inside++
			}
			drawn = append(drawn, a, l, lo, hi)
			true_ = append(true_, along[i], length[i], k*gamma, math.Sqrt(k)*R)
		}
		return append(drawn, inside), append(true_, 0)
	}))
prl.Check("LN-07-05 LN-07-06",
	"the drawn cosine lies between √k γ/R and 1; count and bound are said").
	Tol(1e-3).Every(squeeze.States(func(s live.State) (got, want any) {
		along, length, R, gamma := retold(s)
		d, outside := s.Panel(2), 0.0
		var drawn, true_ []float64
		for i := range along {
			k := float64(i + 1)
			c, lo := d.Drawn("cosine").At(k), d.Drawn("√k γ/R").At(k)
			if c < lo-1e-3 || c > 1+1e-9 {
				outside++
			}
			drawn, true_ = append(drawn, c, lo), append(true_, along[i]/length[i],
				math.Sqrt(k)*gamma/R)
		}
		if s.Subtitle() != fmt.Sprintf("mistakes: %d, at most R²/γ² = %.4g", len(along),
			R*R/(gamma*gamma)) {
			outside++
		}
		return append(drawn, outside), append(true_, 0)
	}))
prl.Check("", "the found line has every drawn card on its side, and is that of w").
	Every(squeeze.States(func(s live.State) (got, want any) {
		p := s.Panel(0).Drawn("found line").Paths()[0]
		wrong := 0
		for side, name := range sides {
			for _, c := range s.Panel(0).Drawn(name).Points() {
				// the normal of the line points to +, which lies to the right of the axis
				normal := [2]float64{p[0][1], -p[0][0]}
				if float64(2*side-1)*(normal[0]*c[0]+normal[1]*c[1]) <= 0 {
					wrong++
				}
			}
		}
		plus, minus := s.Panel(0).Drawn("+").Points(), s.Panel(0).Drawn("−").Points()
		return []any{wrong, len(plus) + len(minus)}, []any{0, 15}
	}))
counts := func(near float64) (n, bound float64) {
	cards := append([]card{{[]float64{near, -0.9}, 1}}, bystanders...)
	g, _, _ := grown(cards, []float64{1, 0}, 10000)
	R, gamma := reach(cards, []float64{1, 0})
	return float64(len(g.along) - 1), R * R / (gamma * gamma)
}
n1, b1 := counts(0.1)
n2, b2 := counts(0.05)
prl.Check("LN-07-09", "γ = 0.1 halved: the bound is four times as large").Near(b2/b1, 4, 1e-9)
prl.Check("LN-07-09", "and the count of these cards grows, by less than that").Between(n2/n1, 1, 4)
}

func cell_bound_check() {

prl.Check("LN-07-05", "w = (3, 4), u = (1, 0): the cosine is 0.6").
	Near(floats.Dot([]float64{3, 4}, []float64{1, 0})/5, 0.6, 1e-15)
cosine := func(a, b []float64) float64 {
	return floats.Dot(a, b) / (floats.Norm(a, 2) * floats.Norm(b, 2))
}
up := []float64{0, 1}
summed := func(a, b []float64) float64 {
	return floats.Dot(a, b) / (floats.Norm(a, 2) + floats.Norm(b, 2))
}
prl.Check("LN-07-05:erratum",
	"a sum of lengths below the line gives 0.5, and 0.5 for equal unit vectors").
	Near([]float64{summed([]float64{3, 4}, []float64{1, 0}), summed(up, up), cosine(up, up)},
		[]float64{0.5, 0.5, 1}, 1e-15)
prl.Check("LN-07-07 LN-07-08 LN-07-06", "runs of 150 in which an inequality fails at some mistake").
	Equal(failures(150, func(r *rand.Rand) bool {
		cards, u := centred(r, 5+r.IntN(40), 1+r.IntN(6))
		R, gamma := reach(cards, u)
		g, _, clean := grown(cards, u, 1<<20)
		ok := clean
		for k := 1; k < len(g.along); k++ {
			ok = ok && g.along[k] >= float64(k)*gamma-1e-9 &&
				g.along[k] >= g.along[k-1]+gamma-1e-9 &&
				g.length[k]*g.length[k] <= float64(k)*R*R+1e-9 &&
				math.Sqrt(float64(k))*gamma/R <= g.along[k]/g.length[k]+1e-9
		}
		return ok
	}), 0)
prl.Check("LN-07-09 EC-5-01 EC-3-11 EC-5-05", "mistakes, and the bound").
	Bounded(200, 0.01, func(r *rand.Rand) (value, bound float64) {
		cards, u := centred(r, 5+r.IntN(40), 1+r.IntN(6))
		R, gamma := reach(cards, u)
		g, _, _ := grown(cards, u, 1<<20)
		return float64(len(g.along) - 1), R * R / (gamma * gamma)
	})
w := []float64{1, 0}
floats.AddScaled(w, 1, []float64{1, 0}) // a right card, added out of spite
prl.Check("LN-07-08", "if a right card is added, |w|² can exceed kR²").Less(2, squared(w))
b := prl.Perceptron().NoIntercept().Fit(pack(three)).MistakeBound()
prl.Check("LN-07-09", "three cards: R² = 10, γ² = 2.5, at most 4 mistakes, and 2 are made").
	Near([]float64{b.R * b.R, b.Gamma * b.Gamma, b.Most, float64(b.Mistakes)},
		[]float64{10, 2.5, 4, 2}, 1e-6)
iris := prl.Perceptron().Fit(prl.Iris().Classes("setosa", "versicolor")).MistakeBound()
prl.Check("LN-07-09", "iris, setosa and versicolor, in (1, x): R, γ, the bound, and 5 mistakes").
	Near([]float64{iris.R, iris.Gamma, iris.Most, float64(iris.Mistakes)},
		[]float64{9.191300, 0.749117, 150.5408, 5}, 1e-4)
_, clean := learn(xor, make([]float64, 3), 20000)
mistakes, _ := learn(xor, make([]float64, 3), 20000)
prl.Check("LN-07-14", "XOR: no clean pass in 20,000, and at least 20,000 mistakes").
	Equal(fmt.Sprint(clean, mistakes >= 20000), "false true")
best := math.Inf(-1)
for i := range 360 { // and no line has a positive margin
	for _, b := range prl.LinSpace(-2, 2, 81) {
		sin, cos := math.Sincos(float64(i) * math.Pi / 180)
		least := math.Inf(1)
		for _, c := range xor {
			least = min(least, c.y*(b+cos*c.x[0]+sin*c.x[1]))
		}
		best = max(best, least)
	}
}
prl.Check("LN-07-14", "XOR: the least margin of 29,160 lines is nowhere positive").
	AtMost(best, 1e-12)
}

func cell_coordinates_check() {

prl.Check("EC-5-02", "|w*| = 1: ρ is the distance of the closest card; |θ*|² = 1 + b*²").
	Tol(1e-4).Draws(100, func(r *rand.Rand) (got, want any) {
		cards, theta := separable(r, 10, 2)
		rho, nearest := math.Inf(1), math.Inf(1)
		for _, c := range cards {
			rho = min(rho, math.Abs(score(theta, c.x)))
			foot := math.Inf(1) // the nearest place of the line, by search along it
			for t := -6.0; t < 6; t += 1e-3 {
				px, py := -theta[0]*theta[1]-t*theta[2], -theta[0]*theta[2]+t*theta[1]
				foot = min(foot, math.Hypot(c.x[0]-px, c.x[1]-py))
			}
			nearest = min(nearest, foot)
		}
		return []float64{rho, squared(theta)}, []float64{nearest, 1 + theta[0]*theta[0]}
	})
ratio := func(cards []card, theta []float64) float64 {
	rho := math.Inf(1)
	for _, c := range cards {
		rho = min(rho, math.Abs(score(theta, c.x)))
	}
	return math.Sqrt(squared(theta)) / rho
}
prl.Check("EC-5-02:erratum", "doubling θ* doubles ρ, while |θ*|/ρ stays").
	Draws(50, func(r *rand.Rand) (got, want any) {
		cards, theta := separable(r, 10, 3)
		twice := slices.Clone(theta)
		floats.Scale(2, twice)
		return ratio(cards, twice), ratio(cards, theta)
	})
prl.Check("EC-5-04", "AND with θ* = (−3, 2, 2): at most 51").
	Near(3*math.Pow(ratio(and, []float64{-3, 2, 2}), 2), 51, 1e-12)
prl.Check("EC-5-04 EC-5-05", "updates in (1, x), and (R² + 1)|θ*|²/ρ²").
	Bounded(200, 0.005, func(r *rand.Rand) (value, bound float64) {
		cards, star := separable(r, 5+r.IntN(40), 1+r.IntN(4))
		R, _ := reach(cards, star[1:])
		theta := make([]float64, len(star))
		n, _ := learn(cards, theta, 1<<20)
		return float64(n), (R*R + 1) * math.Pow(ratio(cards, star), 2)
	})
prl.Check("EC-5-04", "sets of 100 in which θ*·θ < jρ or |θ|² > j(R² + 1) at some update").
	Equal(failures(100, func(r *rand.Rand) bool {
		cards, star := separable(r, 20, 2)
		R, _ := reach(cards, star[1:])
		rho := math.Sqrt(squared(star)) / ratio(cards, star)
		for j, theta := range stepped(cards, make([]float64, 3), 200, plainRule) {
			if floats.Dot(theta, star) < float64(j+1)*rho-1e-9 ||
				squared(theta) > float64(j+1)*(R*R+1)+1e-9 {
				return false
			}
		}
		return true
	}), 0)
pair := []card{{[]float64{0.1}, 1}, {[]float64{-0.1}, -1}}
small, _ := learn(pair, make([]float64, 2), 100)
prl.Check("EC-5-04",
	"with R² in place of R² + 1 the bound of two cards is 1, but there are 2 mistakes").
	Less(0.01*math.Pow(ratio(pair, []float64{0, 1}), 2), float64(small)-0.5)
ends := []card{{[]float64{1, 0}, 1}, {[]float64{-1, 0}, -1}}
started := func(theta ...float64) int {
	n, _ := learn(ends, theta, 1<<20)
	return n
}
prl.Check("EC-5-04:erratum", "the bound 2, from 0, from (0, −100, 0) and from (−1000, 0, 0)").
	Equal(fmt.Sprint(2*math.Pow(ratio(ends, []float64{0, 1, 0}), 2), started(0, 0, 0),
		started(0, -100, 0), started(-1000, 0, 0)), "2 2 102 501")
prl.Check("CS-5.1-02", "updates with the bias step R², and (2R/γ)²").
	Bounded(300, 0.005, func(r *rand.Rand) (value, bound float64) {
		cards, star := separable(r, 5+r.IntN(30), 1+r.IntN(3))
		R, gamma := 0.0, math.Inf(1)
		for _, c := range cards {
			R, gamma = max(R, floats.Norm(c.x, 2)), min(gamma, c.y*score(star, c.x))
		}
		theta, n := make([]float64, len(star)), 0.0
		for quiet, i := 0, 0; quiet < len(cards); i = (i + 1) % len(cards) {
			quiet++
			if c := cards[i]; c.y*score(theta, c.x) <= 0 {
				floats.AddScaled(theta[1:], c.y, c.x)
				theta[0] += c.y * R * R
				n, quiet = n+1, 0
			}
		}
		return n, 4 * R * R / (gamma * gamma)
	})
prl.Check("CS-5.1-02", "sets with both classes and |b*| > R, or |(w*, b*/R)|² > 2, of 300").
	Equal(failures(300, func(r *rand.Rand) bool {
		cards, star := separable(r, 4, 2)
		R, _ := reach(cards, star[1:])
		return math.Abs(star[0]) <= R && 1+star[0]*star[0]/(R*R) <= 2
	}), 0)
}

func cell_exact_code() {

for _, d := range []int{2, 5, 20, 100} {
	w, mistakes := make([]float64, d), 0
	for _, c := range unitCards(d) {
		if meets(w, c) {
			mistakes++
		}
	}
	fmt.Println(d, "dimensions:", mistakes, "mistakes")
}
}

func cell_exact_check() {

prl.Check("LN-07-09", "unit vectors: mistakes, and R²/γ² with u = (1, …, 1)/√d, for d = 1 … 60").
	Over(prl.Range(1, 60, 1), func(d float64) (got, want any) {
		cards, u := unitCards(int(d)), make([]float64, int(d))
		floats.AddConst(1/math.Sqrt(d), u)
		R, gamma := reach(cards, u)
		g, _, _ := grown(cards, u, 1)
		return float64(len(g.along) - 1), R * R / (gamma * gamma)
	})
var plane, found []int
for _, gamma := range []float64{0.5, 0.3, 0.2, 0.1} {
	w, n := []float64{0, 0}, 0
	for k := range 200 {
		if meets(w, enemy(k, gamma)) {
			n++
		}
	}
	plane, found = append(plane, n), append(found, longest(gamma))
	fmt.Printf("γ = %g: %d mistakes, bound %.3g\n", gamma, n, 1/(gamma*gamma))
}
prl.Check("LN-07-01", "the enemy of the plane: 2, 6, 13, 50 mistakes").
	Equal(plane, []int{2, 6, 13, 50})
prl.Check("LN-07-01", "a search over 41 heights at each card finds no longer play").
	Equal(found, plane)
prl.Check("LN-07-01", "its mistakes are ⌊(1 − γ²)/(2γ²)⌋ + 1").
	Over(prl.Range(0.03, 0.7, 0.0123), func(gamma float64) (got, want any) {
		w, n := []float64{0, 0}, 0
		for k := range 2000 {
			if meets(w, enemy(k, gamma)) {
				n++
			}
		}
		return n, int(math.Floor((1-gamma*gamma)/(2*gamma*gamma))) + 1
	})
}

func cell_batch_check() {

steps, _ := batch(lopsided, false)
R, gamma := reach(lopsided, []float64{1, 0})
single, _, _ := grown(lopsided, []float64{1, 0}, 1000)
meanSteps, _ := batch(lopsided, true)
fmt.Printf("batch steps %d, bound for single mistakes %.1f, single mistakes %d, mean steps %d\n",
	steps, R*R/(gamma*gamma), len(single.along)-1, meanSteps)
prl.Check("LN-06-09", "the batch takes 197 steps").Equal(steps, 197)
prl.Check("LN-06-09", "R²/γ² is 100").Near(R*R/(gamma*gamma), 100, 0.01)
prl.Check("LN-06-09", "wrong cards of the batch, and nR²/γ²").
	Bounded(150, 1e-4, func(r *rand.Rand) (value, bound float64) {
		cards, u := centred(r, 5+r.IntN(40), 1+r.IntN(4))
		R, gamma := reach(cards, u)
		_, wrong := batch(cards, false)
		return float64(wrong), float64(len(cards)) * R * R / (gamma * gamma)
	})
prl.Check("LN-06-09", "steps of the mean, and R²/γ²").
	Bounded(150, 1e-3, func(r *rand.Rand) (value, bound float64) {
		cards, u := centred(r, 5+r.IntN(40), 1+r.IntN(4))
		R, gamma := reach(cards, u)
		steps, _ := batch(cards, true)
		return float64(steps), R * R / (gamma * gamma)
	})
prl.Check("LN-06-09", "the mean of the lopsided cards takes at most 100 steps").
	AtMost(float64(meanSteps), 100)
}

func cell_orders() {

ordersFig := prl.Live(func(in *live.Inputs) *plotting.Figure {
	in.Predict("Which of these can change the count of a machine without a bias?",
		"scale", "rotation", "order").Answer("order")
	scale := in.Slider("scale", 0.1, 10, live.Log, live.At(1))
	degrees := in.Slider("rotation in degrees", 0, 360, live.Step(1), live.At(0))
	more := int(in.Slider("more coordinates", 0, 1000, live.Step(10), live.At(0)))
	noisy := in.Choice("they are", "empty", "noisy")
	noise := 0.0
	if noisy == "noisy" {
		noise = 0.5
	}
	cards := changed(three, scale, degrees, more, noise)
	bars, names := make([]float64, 6), make([]string, 6)
	for k, order := range orders {
		bars[k] = float64(inOrder(cards, order))
		names[k] = fmt.Sprintf("%d%d%d", order[0]+1, order[1]+1, order[2]+1)
	}
	longest := 0.0
	for _, c := range cards {
		longest = max(longest, floats.Norm(c.x, 2))
	}
	return plotting.New(plotting.Bars(bars).Categories(names...).Name("mistakes")).
		X("order of the three cards").Y("mistakes").YRange(0, 4.2).Size(820, 320).
		Title("Mistakes in each order").Subtitle(fmt.Sprintf("R / scale = %.4g", longest/scale))
})
ordersFig.Show()
prl.Check("LN-07-13 LN-07-13:erratum",
	"the bars: one mistake if card 3 begins, else two; only noise changes that").
	Every(ordersFig.States(func(s live.State) (got, want any) {
		bars := s.Drawn("mistakes").Bars()
		if s.Choice("they are") == "empty" || s.Slider("more coordinates") == 0 {
			return bars, []float64{2, 2, 2, 2, 1, 1}
		}
		cards := changed(three, 1, 0, int(s.Slider("more coordinates")), 0.5)
		var want2 []float64
		for _, o := range orders {
			want2 = append(want2, float64(inOrder([]card{cards[o[0]], cards[o[1]], cards[o[2]]},
				orders[0])))
		}
		return bars, want2
	}))
prl.Check("LN-07-12",
	"R in units of the scale is said: √10 with empty coordinates, more with noise").
	Every(ordersFig.States(func(s live.State) (got, want any) {
		if s.Choice("they are") == "empty" || s.Slider("more coordinates") == 0 {
			return s.Subtitle(), "R / scale = 3.162"
		}
		longest, r := 0.0, rand.New(rand.NewPCG(7, 19))
		for _, c := range three {
			sum := squared(c.x)
			for range int(s.Slider("more coordinates")) {
				sum += math.Pow(0.5*r.NormFloat64(), 2)
			}
			longest = max(longest, math.Sqrt(sum))
		}
		return s.Subtitle(), fmt.Sprintf("R / scale = %.4g", longest)
	}))
}

func cell_orders_check() {

prl.Check("LN-07-13:erratum",
	"order 1 2 3: w = (1, 3) after 2 mistakes; order 3 1 2: w = (−1, 3) after 1").
	Equal(func() string {
		a := prl.Perceptron().NoIntercept().Fit(pack(three)).Model()
		b := prl.Perceptron().NoIntercept().InOrder(2, 0, 1).Fit(pack(three)).Model()
		return fmt.Sprint(a.Theta()[0][1:], a.Mistakes(), b.Theta()[0][1:], b.Mistakes())
	}(), "[1 3] 2 [-1 3] 1")
prl.Check("FA-09-09 LN-07-10",
	"1000 empty coordinates: the same R and best γ, and the same mistakes").
	Draws(12, func(r *rand.Rand) (got, want any) {
		cards, _ := centred(r, 12, 2)
		a := prl.Perceptron().NoIntercept().Fit(pack(widen(cards, 1000))).MistakeBound()
		b := prl.Perceptron().NoIntercept().Fit(pack(cards)).MistakeBound()
		return []float64{a.R, a.Gamma, float64(a.Mistakes)}, []float64{b.R, b.Gamma,
			float64(b.Mistakes)}
	})
prl.Check("LN-07-11", "six orders: the bound is 4 in each").Equal(func() (bounds []string) {
	for _, o := range orders {
		b := prl.Perceptron().NoIntercept().InOrder(o...).Fit(pack(three)).MistakeBound()
		bounds = append(bounds, fmt.Sprintf("%.6f", b.Most))
	}
	return slices.Compact(bounds)
}(), []string{"4.000000"})
prl.Check("LN-07-12", "scaled and turned cards: R²/γ² for the turned u").
	Draws(100, func(r *rand.Rand) (got, want any) {
		cards, u := centred(r, 10, 2)
		c, turn := 0.1+10*r.Float64(), 360*r.Float64()
		R, gamma := reach(cards, u)
		v := changed([]card{{u, 1}}, 1, turn, 0, 0)[0].x
		R2, gamma2 := reach(changed(cards, c, turn, 0, 0), v)
		return R2 / gamma2, R / gamma
	})
prl.Check("LN-07-13", "the run of turned and scaled cards is the turned and scaled run").
	Draws(100, func(r *rand.Rand) (got, want any) {
		cards, u := centred(r, 10, 2)
		c, turn := 0.1+10*r.Float64(), 360*r.Float64()
		g, w, _ := grown(cards, u, 1<<16)
		h, v, _ := grown(changed(cards, c, turn, 0, 0), u, 1<<16)
		return append(slices.Clone(v), float64(len(h.along))),
			append(changed([]card{{w, 1}}, c, turn, 0, 0)[0].x, float64(len(g.along)))
	})
prl.Check("LN-07-12", "with a bias: Li Hang's cards times 0.1, 1 and 10").Equal(func() (n []int) {
	for _, c := range []float64{0.1, 1, 10} {
		m, _ := learn(changed(liHang, c, 0, 0, 0), make([]float64, 3), 1<<16)
		n = append(n, m)
	}
	return n
}(), []int{19, 7, 403})
}

func cell_curriculum() {

curriculum := prl.Live(func(in *live.Inputs) *plotting.Figure {
	cards := six(in.Seed("other cards"))
	count := map[int]float64{}
	permutations(6, func(o []int) { count[min(inOrder(cards, o), 10)]++ }) // the last bar: or more
	var xs, ys []float64
	for m := 1; m <= 10; m++ {
		xs, ys = append(xs, float64(m)), append(ys, count[m])
	}
	easy := easyFirst(cards)
	hard := slices.Clone(easy)
	slices.Reverse(hard)
	e, h := float64(inOrder(cards, easy)), float64(inOrder(cards, hard))
	names := make([]string, len(xs))
	for i, x := range xs {
		names[i] = fmt.Sprintf("%.0f", x)
	}
	R, gamma := reach(cards, []float64{1, 0})
	return plotting.New(plotting.Bars(ys).Categories(names...).Name("orders")).
		X("mistakes, 10 or more at the end").Y("orders of 720").YRange(0, 740).Size(820, 320).
		Title(fmt.Sprintf("easy first: %.0f mistakes, hard first: %.0f", e, h)).
		Subtitle(fmt.Sprintf("bound %.4g", R*R/(gamma*gamma)))
})
curriculum.Show()
prl.Check("LN-07-01", "the bars count 720 orders by another program; none exceeds the bound").
	Every(curriculum.States(func(s live.State) (got, want any) {
		cards := six(s.Seed("other cards"))
		bars := make([]float64, len(s.Drawn("orders").Bars()))
		worst := 0
		permutations(6, func(o []int) {
			added, n := []card{}, 0
			for quiet, i := 0, 0; quiet < 6; i++ {
				c, sum := cards[o[i%6]], 0.0
				for _, a := range added {
					sum += a.y * c.y * floats.Dot(a.x, c.x)
				}
				quiet++
				if sum <= 0 {
					added, n, quiet = append(added, c), n+1, 0
				}
			}
			worst = max(worst, n)
			bars[min(n, len(bars))-1]++
		})
		R, gamma := reach(cards, []float64{1, 0})
		return []any{s.Drawn("orders").Bars(), float64(worst) <= R*R/(gamma*gamma),
			s.Subtitle()}, []any{bars, true, fmt.Sprintf("bound %.4g", R*R/(gamma*gamma))}
	}))
prl.Check("CS-6-05", "the title counts the mistakes of the two marked orders").
	Every(curriculum.States(func(s live.State) (got, want any) {
		cards := six(s.Seed("other cards"))
		sorted := slices.Clone(cards) // the cards themselves, easy first
		slices.SortFunc(sorted, func(a, b card) int {
			return int(math.Copysign(1, b.y*b.x[0]-a.y*a.x[0]))
		})
		first := inOrder(sorted, []int{0, 1, 2, 3, 4, 5})
		slices.Reverse(sorted)
		return s.Title(), fmt.Sprintf("easy first: %d mistakes, hard first: %d", first,
			inOrder(sorted, []int{0, 1, 2, 3, 4, 5}))
	}))
better, worse := 0, 0
for seed := range uint64(200) {
	cards := six(seed)
	easy := easyFirst(cards)
	hard := slices.Clone(easy)
	slices.Reverse(hard)
	if e, h := inOrder(cards, easy), inOrder(cards, hard); e < h {
		better++
	} else if e > h {
		worse++
	}
}
prl.Check("CS-6-05 CS-6-05:erratum",
	"no law of curricula (from curriculum, a course): both happen").
	AtLeast(float64(min(better, worse)), 5)
prl.Check("EC-5-06",
	"other separating planes give no smaller constant than the hard margin in (1, x)").
	Equal(failures(60, func(r *rand.Rand) bool {
		cards, star := separable(r, 12, 2)
		least := prl.Perceptron().Fit(pack(cards)).MistakeBound()
		return math.Pow(ratio2(cards, star), 2) >= 1/(least.Gamma*least.Gamma)-1e-6 &&
			math.Pow(ratio2(cards, least.U), 2) <= 1/(least.Gamma*least.Gamma)+1e-6
	}), 0)
prl.Check("EC-5-06",
	"min |θ|² with margins 1: the hard margin, with (1, x) as features and no other bias").
	Draws(12, func(r *rand.Rand) (got, want any) {
		cards, _ := separable(r, 12, 2)
		var wide []card
		for _, c := range cards {
			wide = append(wide, card{widened(c.x), c.y})
		}
		b := prl.Perceptron().Fit(pack(cards)).MistakeBound()
		w := prl.SVM().HardMargin().NoBias().Tol(1e-10).Fit(pack(wide)).Weights()
		return 1 / (b.Gamma * b.Gamma), squared(w)
	})
}

func cell_dual() {

fmt.Println(dual([][]float64{{19, 22, 7}, {22, 26, 8}, {7, 8, 3}}, []float64{1, 1, -1}, 6))
}

func cell_memory_fig() {

memory := prl.Live(func(in *live.Inputs) *plotting.Figure {
	shown := int(in.Slider("updates", 0, 7, live.Step(1), live.At(0)))
	inner, sides2 := table(liHang)
	_, mistakes := dual(inner, sides2, 6)
	alpha := make([]float64, 3)
	for _, i := range mistakes[:shown] {
		alpha[i]++
	}
	theta := recalled(liHang, alpha)
	set := pack(liHang)
	x, y := set.Points()
	left := plotting.New(plotting.Points(x, y).By(set.Y, sides...).
		Sizes(prl.Map(alpha, func(a float64) float64 { return 9 + 4*a })))
	bx, by := border(theta, -1, 5)
	left = left.Add(plotting.Line(bx, by).Accent().Name("the line"))
	return plotting.Row(left.Equal().XRange(-1, 5).YRange(-1, 5).X("x₁").Y("x₂").
		Title("cards, larger with α"),
		plotting.New(plotting.Bars(alpha).Categories("(3, 3)", "(4, 3)", "(1, 1)").Name("α")).
			X("card").Y("α").YRange(0, 5.2).Title("how often each was added")).Size(900, 400).
		Title(fmt.Sprintf("after %d mistakes b = %g, w = (%g, %g)", shown, theta[0], theta[1],
			theta[2]))
})
memory.Show()
// followed is the primal machine after some updates, with its counts.
followed := func(updates int) (theta, count []float64) {
	theta, count = make([]float64, 3), make([]float64, 3)
	for i, left := 0, updates; left > 0; i = (i + 1) % 3 {
		if c := liHang[i]; c.y*(theta[0]+theta[1]*c.x[0]+theta[2]*c.x[1]) <= 0 {
			theta[0], theta[1], theta[2] = theta[0]+c.y, theta[1]+c.y*c.x[0], theta[2]+c.y*c.x[1]
			count[i]++
			left--
		}
	}
	return theta, count
}
prl.Check("CS-5.1.1-09 LN-11-02",
	"the bars are the counts of the primal machine, and sum to the updates; so do the sizes").
	Every(memory.States(func(s live.State) (got, want any) {
		k := s.Slider("updates")
		_, count := followed(int(k))
		bars, sizes := s.Panel(1).Drawn("α").Bars(), s.Panel(0).Drawn("+").Sizes()
		sizes = append(sizes, s.Panel(0).Drawn("−").Sizes()...)
		return append(append(bars, floats.Sum(bars)), sizes...),
			append(append(slices.Clone(count), k), 9+4*count[0], 9+4*count[1], 9+4*count[2])
	}))
prl.Check("LN-11-04", "the title and the drawn line of the counts are those of the primal machine").
	Every(memory.States(func(s live.State) (got, want any) {
		k := int(s.Slider("updates"))
		theta, _ := followed(k)
		title := fmt.Sprintf("after %d mistakes b = %g, w = (%g, %g)", k, theta[0], theta[1],
			theta[2])
		off := 0.0
		if math.Hypot(theta[1], theta[2]) > 0 { // after 4 mistakes w = 0: no line
			off = strays(s.Panel(0).Drawn("the line"), func(x, y float64) float64 {
				return theta[0] + theta[1]*x + theta[2]*y
			})
		}
		return fmt.Sprint(s.Title(), off < 0.02), fmt.Sprint(title, true)
	}))
}

func cell_memory_check() {

one := []card{{[]float64{1}, 1}, {[]float64{2}, -1}}
inner, y := table(one)
alpha, mistakes := dual(inner, y, 40)
prl.Check("FA-09-05 LN-11-02", "x = 1 and 2: counts 8 and 5, θ = (3, −2), 13 mistakes").
	Equal(fmt.Sprint(alpha, recalled(one, alpha), len(mistakes)), "[8 5] [3 -2] 13")
once := recalled(one, []float64{1, 1}) // a set counts each index once
prl.Check("FA-09-05:erratum", "as a set the sum is −x, with the score −1 at x = 1, a + card").
	Equal(fmt.Sprint(once, score(once, []float64{1})), "[0 -1] -1")
prl.Check("LN-11-03", "100 sets: runs whose mistakes differ between primal and dual").
	Equal(failures(100, func(r *rand.Rand) bool {
		cards, _ := separable(r, 5+r.IntN(20), 1+r.IntN(3))
		inner, y := table(cards)
		_, second := dual(inner, y, 30)
		var first []int
		theta := make([]float64, len(cards[0].x)+1)
		for range 30 {
			for i, c := range cards {
				if c.y*score(theta, c.x) <= 0 {
					floats.AddScaled(theta, c.y, widened(c.x))
					first = append(first, i)
				}
			}
		}
		return slices.Equal(first, second)
	}), 0)
prl.Check("CS-5.1.1-08 LN-11-02 LN-11-04", "θ from the counts, and the score of a new point").
	Draws(100, func(r *rand.Rand) (got, want any) {
		cards, _ := separable(r, 12, 2)
		inner, y := table(cards)
		alpha, _ := dual(inner, y, 30)
		theta := make([]float64, 3)
		learn(cards, theta, 30)
		x := []float64{r.NormFloat64(), r.NormFloat64()}
		byCards := 0.0
		for i, c := range cards {
			byCards += alpha[i] * c.y * (1 + floats.Dot(c.x, x))
		}
		return append(recalled(cards, alpha), byCards), append(slices.Clone(theta), score(theta, x))
	})
// with a step: θ += η y (R², x), the rule of section 5
stepRun := func(cards []card, eta float64) (count, theta []float64) {
	R, _ := reach(cards, make([]float64, len(cards[0].x)))
	count, theta = make([]float64, len(cards)), make([]float64, len(cards[0].x)+1)
	for range 200 {
		for i, c := range cards {
			if c.y*score(theta, c.x) <= 0 {
				floats.AddScaled(theta[1:], eta*c.y, c.x)
				theta[0] += eta * c.y * R * R
				count[i]++
			}
		}
	}
	return count, theta
}
prl.Check("CS-5.1.1-08", "η = 1 and ¼: the same counts, and weights in the ratio ¼").
	Draws(60, func(r *rand.Rand) (got, want any) {
		cards, _ := separable(r, 12, 2)
		a, full := stepRun(cards, 1)
		b, quarter := stepRun(cards, 0.25)
		floats.Scale(4, quarter)
		return append(b, quarter...), append(a, full...)
	})
count, quarter := stepRun(liHang, 0.25)
sum := make([]float64, 2)
for i, c := range liHang {
	floats.AddScaled(sum, count[i]*c.y, c.x)
}
prl.Check("CS-5.1.1-08:erratum", "η = ¼: the sum without η is not w, but 4w").
	Near(sum, []float64{4 * quarter[1], 4 * quarter[2]}, 1e-12)
start := []float64{1, 5, -3}
late := slices.Clone(start)
learn(liHang, late, 100)
prl.Check("CS-5.1.1-08:erratum", "from another start the sum of the counted cards is θ − θ⁰").
	True(func() bool {
		theta, counted := slices.Clone(start), make([]float64, 3)
		for range 100 {
			for i, c := range liHang {
				if c.y*score(theta, c.x) <= 0 {
					floats.AddScaled(theta, c.y, widened(c.x))
					counted[i]++
				}
			}
		}
		memory := recalled(liHang, counted)
		moved := floats.Distance(memory, theta, 2) > 1
		floats.Add(memory, start)
		return moved && slices.Equal(memory, late)
	}(), "")
m := prl.Perceptron().Fit(pack(liHang))
prl.Check("CS-5.1.1-09", "the library counts the updates of Li Hang's cards: 2, 0, 5").
	Equal(m.Dual(), []int{2, 0, 5})
prl.Check("LN-11-03", "XOR is learnt by the dual machine with the kernel (a·b + 1)²").
	Equal(prl.Perceptron().Poly(2).Fit(pack(xor)).Accuracy(), 1.0)
}

func cell_wander() {

wander := prl.Live(func(in *live.Inputs) *plotting.Figure {
	bx, by := in.Point("the bad card", -1, -0.8)
	passes := int(in.Slider("passes", 1, 60, live.Step(1), live.At(1)))
	cards := append([]card{{[]float64{bx, by}, 1}}, tame...)
	last, pocket, mean := cured(cards, passes)
	set := pack(cards)
	x, y := set.Points()
	fig := plotting.New(plotting.Points(x, y).By(set.Y, sides...).Size(10))
	for i, theta := range [][]float64{last, pocket, mean} {
		if lx, ly := border(theta, -2.3, 2.3); lx != nil {
			line := plotting.Line(lx, ly).Name([]string{"last", "pocket", "average"}[i])
			if i == 0 {
				line = line.Dash()
			}
			fig = fig.Add(line.Width(2))
		}
	}
	return fig.Equal().XRange(-2.3, 2.3).YRange(-2.3, 2.3).X("x₁").Y("x₂").Size(560, 520).
		Title("Three lines for the same cards").
		Subtitle(fmt.Sprintf("wrong of 25: last %d, pocket %d, average %d", errors(cards, last),
			errors(cards, pocket), errors(cards, mean)))
})
wander.Show()
setOf := func(s live.State) datasets.Set {
	x, y := s.Point("the bad card")
	return pack(append([]card{{[]float64{x, y}, 1}}, tame...))
}
plans := func(s live.State) map[string]perceptron.Plan {
	p := prl.Perceptron().MaxIter(int(s.Slider("passes"))).Fit(setOf(s))
	return map[string]perceptron.Plan{"last": p, "pocket": p.Pocket(), "average": p.ByAverage()}
}
prl.Check("", "the cards stand at their places, each on its side").
	Every(wander.States(func(s live.State) (got, want any) {
		set := setOf(s)
		var at [2][][2]float64
		for i, k := range set.Y {
			if x := mat.Row(nil, i, set.X); math.Abs(x[0]) < 2.3 && math.Abs(x[1]) < 2.3 {
				at[k] = append(at[k], [2]float64{x[0], x[1]})
			}
		}
		inside := func(p [][2]float64) (out [][2]float64) {
			for _, q := range p {
				if math.Abs(q[0]) < 2.3 && math.Abs(q[1]) < 2.3 {
					out = append(out, q)
				}
			}
			return out
		}
		return []any{inside(s.Drawn("−").Points()), inside(s.Drawn("+").Points())},
			[]any{at[0], at[1]}
	}))
prl.Check("EC-5-07", "last and pocket: the drawn lines are those of the library").Tol(1e-3).
	Every(wander.States(func(s live.State) (got, want any) {
		var off []float64
		for _, name := range []string{"last", "pocket"} {
			theta := plans(s)[name].Model().Theta()[0]
			if x, _ := border(theta, -2.3, 2.3); x == nil {
				continue // no line in the square
			}
			off = append(off, strays(s.Drawn(name), func(x, y float64) float64 {
				return (theta[0] + theta[1]*x + theta[2]*y) / math.Hypot(theta[1], theta[2])
			}))
		}
		return off, make([]float64, len(off))
	}))
prl.Check("EC-5-07",
	"the words count the wrong cards, by the answers of the library for last and pocket").
	Every(wander.States(func(s live.State) (got, want any) {
		set, words := setOf(s), strings.Fields(s.Subtitle())
		var want2 []string
		for _, name := range []string{"last", "pocket"} {
			theta, n := plans(s)[name].Model().Theta()[0], 0
			for i := range set.N() {
				if float64(2*set.Y[i]-1)*score(theta, mat.Row(nil, i, set.X)) <= 0 {
					n++
				}
			}
			want2 = append(want2, fmt.Sprint(n))
		}
		return []string{strings.Trim(words[4], ","), strings.Trim(words[6], ",")}, want2
	}))
prl.Check("EC-5-07",
	"the average line is that of the mean over all visits, summed from the updates").
	Tol(1e-3).Every(wander.States(func(s live.State) (got, want any) {
		set, visits := setOf(s), int(s.Slider("passes"))*25
		mean, total := make([]float64, 3), 0.0
		for _, u := range plans(s)["last"].Trace().Updates {
			// an update at a visit counts in all later ones; after a clean pass nothing changes
			w := float64(visits-u.Visit+1) / float64(visits)
			floats.AddScaled(mean, w*float64(2*set.Y[u.Row]-1), widened(mat.Row(nil, u.Row, set.X)))
		}
		total = strays(s.Drawn("average"), func(x, y float64) float64 {
			return (mean[0] + mean[1]*x + mean[2]*y) / math.Hypot(mean[1], mean[2])
		})
		n, last := errors(append([]card{}, dealt(set)...), mean), strings.Fields(s.Subtitle())
		return []float64{total, float64(n)}, []float64{0, number(last[len(last)-1])}
	}))
}

func cell_cycle_check() {

zero3, zero2 := make([]float64, 3), make([]float64, 2)
period, largest := cycle(xor, zero3)
prl.Check("FA-09-07", "XOR: period 4 visits, |θ|² at most 3").
	Equal(fmt.Sprint(period, largest), "4 3")
steps := []card{{[]float64{0}, 1}, {[]float64{1}, -1}, {[]float64{2}, 1}}
period, _ = cycle(steps, zero2)
prl.Check("EC-3-11:erratum EC-5-07", "0, 1, 2 with +, −, +: a cycle of period 6, no end").
	Equal(period, 6)
mistakes, clean := learn(xor, make([]float64, 3), 5000)
prl.Check("FA-09-07 LN-07-14", "XOR: 5000 passes, none clean, and more than 5000 mistakes").
	Equal(fmt.Sprint(clean, mistakes > 5000), "false true")
prl.Check("FA-09-07", "200 random sets of whole cards: each run reaches a cycle").
	Equal(failures(200, func(r *rand.Rand) bool {
		cards := whole(r, 4+r.IntN(6), 1+r.IntN(2))
		period, _ := cycle(cards, make([]float64, len(cards[0].x)+1))
		return period >= 1
	}), 0)
worst := 0.0
r := rand.New(rand.NewPCG(9, 9))
for range 5 { // 10⁵ visits on cards with random real coordinates and random sides
	var cards []card
	for range 12 {
		cards = append(cards, card{[]float64{r.NormFloat64(), r.NormFloat64()},
			float64(2*r.IntN(2) - 1)})
	}
	R, _ := reach(cards, []float64{0, 0})
	theta := make([]float64, 3)
	for visit := range 100000 {
		if c := cards[visit%12]; c.y*score(theta, c.x) <= 0 {
			floats.AddScaled(theta, c.y, widened(c.x))
		}
		worst = max(worst, math.Sqrt(squared(theta)/(R*R+1)))
	}
}
prl.Check("EC-5-07", "random sides: |θ| in 10⁵ visits, in units of the longest card, stays small").
	AtMost(worst, 30)
prl.Check("FA-09-07",
	"one dimension without a bias: |w| above the larger of start and longest card").
	Equal(failures(200, func(r *rand.Rand) bool {
		w, most := []float64{6 * r.NormFloat64()}, 0.0
		most = math.Abs(w[0])
		var cards []card
		for range 8 {
			cards = append(cards, card{[]float64{r.NormFloat64()}, float64(2*r.IntN(2) - 1)})
			most = max(most, math.Abs(cards[len(cards)-1].x[0]))
		}
		for visit := range 400 {
			meets(w, cards[visit%8])
			if math.Abs(w[0]) > most+1e-9 {
				return false
			}
		}
		return true
	}), 0)
prl.Check("EC-5-07", "the pocket of the library has the fewest errors of all weights of the run").
	Draws(40, func(r *rand.Rand) (got, want any) {
		cards := whole(r, 12, 2)
		cards[0].y, cards[1].y = 1, -1
		fewest := float64(errors(cards, make([]float64, 3)))
		for _, theta := range stepped(cards, make([]float64, 3), 20, plainRule) {
			fewest = min(fewest, float64(errors(cards, theta)))
		}
		p := prl.Perceptron().Pocket().MaxIter(20).Fit(pack(cards)).Model().Theta()[0]
		return float64(errors(cards, p)), fewest
	})
}

func cell_noisy_check() {

prl.Check("EC-5-07", "one pass over noisy cards, and the least bound of 500 u and γ").
	Bounded(100, 0.02, func(r *rand.Rand) (value, bound float64) {
		cards, _ := centred(r, 30, 2)
		for i := range 4 {
			cards[i].y = -cards[i].y
		}
		bound = math.Inf(1)
		for range 500 {
			sin, cos := math.Sincos(2 * math.Pi * r.Float64())
			bound = min(bound, noisyBound(cards, []float64{cos, sin}, 3*r.Float64()+1e-3))
		}
		w, n := []float64{0, 0}, 0.0
		for _, c := range cards {
			if meets(w, c) {
				n++
			}
		}
		return n, bound
	})
prl.Check("EC-5-07", "Δ² = RD is the best choice: the least of a search over Δ").
	Tol(1e-4).Draws(50, func(r *rand.Rand) (got, want any) {
		R, D, least := 0.2+r.Float64(), 0.2+r.Float64(), math.Inf(1)
		for delta := 1e-3; delta < 5; delta *= 1.001 {
			least = min(least, (R*R+delta*delta)*(1+D*D/(delta*delta)))
		}
		return least, (R + D) * (R + D)
	})
many := 0
w := []float64{0, 0, 0}
var wide []card
for _, c := range xor {
	wide = append(wide, card{widened(c.x), c.y})
}
for range 50 {
	for _, c := range wide {
		if meets(w, c) {
			many++
		}
	}
}
bound := math.Inf(1)
r := rand.New(rand.NewPCG(9, 500))
for range 500 {
	u := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	floats.Scale(1/floats.Norm(u, 2), u)
	bound = min(bound, noisyBound(wide, u, 3*r.Float64()+1e-3))
}
prl.Check("EC-5-07", "fifty passes over XOR make more mistakes than the bound of one pass").
	Less(bound, float64(many))
}

func cell_bundle() {

cards, set := thirtyFive(), pack(thirtyFive())
machine := prl.SVM().HardMargin().Tol(1e-10).Fit(set)
best := append([]float64{machine.Bias()}, machine.Weights()...)
x, y := set.Points()
bundle := plotting.New(plotting.Points(x, y).By(set.Y, sides...).Size(9))
var margins []float64
for seed := range uint64(40) {
	theta := shuffled(cards, seed)
	margins = append(margins, slack(cards, theta))
	lx, ly := border(theta, -3, 3)
	bundle = bundle.Add(plotting.Line(lx, ly).Muted().Opacity(0.6))
}
lx, ly := border(best, -3, 3)
bundle = bundle.Add(plotting.Line(lx, ly).Accent().Width(3).Name("largest margin")).
	Equal().XRange(-3, 3).YRange(-3, 3).X("x₁").Y("x₂").Size(560, 520).
	Title(fmt.Sprintf("40 orders: margins from %.4f to %.4f; the best line has %.4f",
		slices.Min(margins), slices.Max(margins), machine.Margin()))
bundle.Show()
prl.Check("EC-5-08", "each drawn line separates the drawn cards, with at most the best margin").
	Equal(func() (outside int) {
		for k := range 40 {
			p := bundle.View().Layer(k + 1).Paths()[0]
			nx, ny := p[0][1]-p[1][1], p[1][0]-p[0][0]
			n := math.Hypot(nx, ny)
			least := [2]float64{math.Inf(1), math.Inf(1)}
			for side, name := range sides {
				for _, c := range bundle.Drawn(name).Points() {
					d := (nx*(c[0]-p[0][0]) + ny*(c[1]-p[0][1])) / n
					least[0] = min(least[0], float64(2*side-1)*d)
					least[1] = min(least[1], -float64(2*side-1)*d)
				}
			}
			if m := max(least[0], least[1]); m <= 0 || m > machine.Margin()+2e-3 {
				outside++
			}
		}
		return outside
	}(), 0)
prl.Check("EC-5-08",
	"the title has the least and largest margin of the drawn orders and the best one").
	Equal(bundle.View().Title(), func() string {
		lo, hi := math.Inf(1), 0.0
		for seed := range uint64(40) {
			order := rand.New(rand.NewPCG(seed, 10)).Perm(35)
			m := prl.Perceptron().InOrder(order...).MaxIter(1 << 20).Fit(set).Model().Theta()[0]
			lo, hi = min(lo, slack(cards, m)), max(hi, slack(cards, m))
		}
		return fmt.Sprintf("40 orders: margins from %.4f to %.4f; the best line has %.4f", lo, hi,
			slack(cards, best))
	}())
prl.Check("EC-5-08", "the line of largest margin is drawn").Tol(2e-3).
	Over([]float64{-0.5, 0, 0.5}, func(t float64) (got, want any) {
		return bundle.Drawn("largest margin").At(t), -(best[0] + best[1]*t) / best[2]
	})
angleBest := 0.0
for i := range 20000 { // the best margin of all directions, half the gap between the classes
	sin, cos := math.Sincos(2 * math.Pi * float64(i) / 20000)
	plus, minus := math.Inf(1), math.Inf(-1)
	for _, c := range cards {
		if p := cos*c.x[0] + sin*c.x[1]; c.y > 0 {
			plus = min(plus, p)
		} else {
			minus = max(minus, p)
		}
	}
	angleBest = max(angleBest, (plus-minus)/2)
}
prl.Check("EC-5-08", "the best margin by a search over 20,000 directions").
	Near(machine.Margin(), angleBest, 1e-4)
prl.Check("CS-5.1-01:erratum", "100 orders: the least margin is less than half of the best one").
	Less(func() float64 {
		least := math.Inf(1)
		for seed := range uint64(100) {
			least = min(least, slack(cards, shuffled(cards, seed)))
		}
		return least
	}(), machine.Margin()/2)
}

func cell_digits() {

taught, unseen := ones()
run := prl.Perceptron().Fit(taught).Trace()
stops := []int{0, 1, 2, 5, 24, 60, len(run.Updates)}
weights := func(k int) []float64 {
	if k == 0 {
		return make([]float64, 64)
	}
	return run.Updates[k-1].Theta[1:]
}
largest := 0.0
for _, k := range stops {
	largest = max(largest, floats.Norm(weights(k), math.Inf(1)))
}
film := plotting.Slide("mistakes", stops, func(k int) *plotting.Figure {
	return plotting.New(plotting.Heat(image(weights(k), 8)).Diverging().Range(-largest, largest).
		Rows(pixels(8)...).Columns(pixels(8)...).Label("weight")).Equal().Size(460, 420).
		X("column").Y("row").Title("weights as an image")
})
film.Show()
prl.Check("EC-5-08", "each frame is the sum of the images that were wrong, with their signs").
	Tol(0.5).Every(film.Frames(func(i int, v plotting.View) (got, want any) {
		sum := make([]float64, 64)
		for _, u := range run.Updates[:stops[i]] {
			floats.AddScaled(sum, float64(2*taught.Y[u.Row]-1), mat.Row(nil, u.Row, taught.X))
		}
		var drawn []float64
		for j := range 64 {
			drawn = append(drawn, v.Cell(fmt.Sprint(j/8+1), fmt.Sprint(j%8+1)))
		}
		return drawn, sum
	}))
wrong := func(p perceptron.Plan) int {
	return int(math.Round(106 * (1 - p.Fit(taught).Accuracy(unseen))))
}
early := prl.Perceptron().MaxIter(1)
prl.Check("EC-5-08", "1 and 8, unseen, one pass: last 31 wrong, average 17; to the end: 7 and 7").
	Equal([]int{unseen.N(), wrong(early), wrong(early.ByAverage()), wrong(prl.Perceptron()),
		wrong(prl.Perceptron().ByAverage())}, []int{106, 31, 17, 7, 7})
gain := 0.0
for seed := range uint64(40) {
	p := early.Shuffled().Seed(seed + 1)
	gain += float64(wrong(p)-wrong(p.ByAverage())) / 40
}
fmt.Printf("one pass in 40 random orders: the average has %.1f fewer wrong on average\n", gain)
prl.Check("EC-5-08", "in 40 random orders, one pass: errors that the average saves, on average").
	AtLeast(gain, 1)
}

func cell_sgd_fig() {

goal := prl.Logistic().Fit(crowd).Model().Theta()
cards := dealt(crowd)
falling := func(k float64) float64 { return 0.5 / (1 + k/400) }
ks := prl.Range(0, 200, 1)
a, b := sgd(cards, goal, 200, falling), sgd(cards, goal, 200, func(float64) float64 { return 0.5 })
walks := plotting.New(plotting.Line(ks, b).Name("constant steps 0.5").Dash(),
	plotting.Line(ks, a).Accent().Name("steps 0.5/(1 + k/400)")).LogY().XRange(0, 200).
	X("pass").Y("distance from the maximum").Size(760, 360).
	Title("falling steps arrive, constant steps do not")
walks.Show()
// again walks with tanh in place of σ: t − σ(s) = (y − tanh(s/2))/2.
again := func(rate func(k float64) float64) (far []float64) {
	b, w, k := 0.0, [2]float64{}, 0.0
	for pass := 0; ; pass++ {
		far = append(far, math.Sqrt(math.Pow(b-goal[0], 2)+math.Pow(w[0]-goal[1], 2)+
			math.Pow(w[1]-goal[2], 2)))
		if pass == 200 {
			return far
		}
		for i := range crowd.N() {
			x, y := mat.Row(nil, i, crowd.X), float64(2*crowd.Y[i]-1)
			e := rate(k) * (y - math.Tanh((b+w[0]*x[0]+w[1]*x[1])/2)) / 2
			b, w[0], w[1], k = b+e, w[0]+e*x[0], w[1]+e*x[1], k+1
		}
	}
}
prl.Check("EC-3-12", "both drawn curves are the distances of another program").Tol(1e-6).
	Over([]float64{0, 1, 7, 60, 200}, func(pass float64) (got, want any) {
		p := int(pass)
		return []float64{walks.Drawn("steps 0.5/(1 + k/400)").At(pass),
				walks.Drawn("constant steps 0.5").At(pass)},
			[]float64{again(falling)[p], again(func(float64) float64 { return 0.5 })[p]}
	})
prl.Check("EC-3-12", "falling steps: the distance after 200 passes").AtMost(a[200], 0.05)
prl.Check("EC-3-12", "constant steps: the least distance in the last 100 passes").
	AtLeast(slices.Min(b[100:]), 0.1)
prl.Check("EC-3-12", "the title: falling steps come nearer than constant ones").
	Less(a[200], b[200]/2)
R, _ := reach(thirtyFive(), []float64{0, 0})
bound := prl.Perceptron().Fit(pack(thirtyFive())).MistakeBound()
prl.Check("EC-3-12",
	"updates of the 35 cards at which one of the two inequalities of the bound fails").
	Equal(func() (n int) {
		for j, theta := range stepped(thirtyFive(), make([]float64, 3), 500, plainRule) {
			k := float64(j + 1)
			if floats.Dot(theta, bound.U) < k*bound.Gamma-1e-6 || squared(theta) > k*(R*R+1)+1e-6 {
				n++
			}
		}
		return n
	}(), 0)
}

func cell_retina() {

retina := prl.Live(func(in *live.Inputs) *plotting.Figure {
	n := int(in.Slider("cards shown", 0, 1000, live.Step(10), live.At(0)))
	w, mistakes := mark1(punched, n)
	x := append([]float64{0}, prl.Range(0, float64(n), 1)...)
	return plotting.Row(
		plotting.New(plotting.Heat(image(w, 20)).Diverging().Range(-6, 6).Rows(pixels(20)...).
			Columns(pixels(20)...).Label("weight")).Equal().X("column").Y("row").
			Title("weights of the receptors"),
		plotting.New(plotting.VRule(50).Dash().Label("50 trials"),
			plotting.Line(x, append([]float64{0}, mistakes...)).Accent().Name("mistakes so far")).
			XRange(0, 1000).YRange(0, 30).X("cards").Y("mistakes").Title("mistakes so far")).
		Size(940, 420).Title(fmt.Sprintf("%d cards, mistakes: %.0f", n, mistakes[n]))
})
retina.Show()
prl.Check("FA-09-04", "the image and the count are those of the library").
	Tol(0.02).Every(retina.States(func(s live.State) (got, want any) {
		n := int(s.Slider("cards shown"))
		theta, count := make([]float64, 401), 0
		if n > 0 {
			rows := make([]int, n)
			for i := range rows {
				rows[i] = i
			}
			run := prl.Perceptron().NoIntercept().MaxIter(1).Fit(punched.Rows(rows...)).Trace()
			count = len(run.Updates)
			theta = run.Updates[count-1].Theta
		}
		var drawn []float64
		for j := range 400 {
			drawn = append(drawn, s.Panel(0).Cell(fmt.Sprint(j/20+1), fmt.Sprint(j%20+1)))
		}
		path := s.Panel(1).Drawn("mistakes so far").Paths()[0]
		end := path[len(path)-1]
		return append(drawn, end[0], end[1], number(strings.Fields(s.Title())[3])),
			append(slices.Clone(theta[1:]), float64(n), float64(count), float64(count))
	}))
var first, all []int
for seed := range uint64(3) {
	_, mistakes := mark1(prl.Cards(3000, seed+1), 3000)
	first, all = append(first, int(mistakes[50])), append(all, int(mistakes[3000]))
}
prl.Check("", "three decks: less than half of the first 50 are wrong, and few of the next 2950").
	True(slices.Max(first) < 25 && slices.Max(all)-slices.Min(first) < 30, fmt.Sprint(first, all))
w, _ := mark1(punched, 1000)
left, right := 0.0, 0.0
for j, v := range w {
	if j%20 < 10 {
		left += v
	} else {
		right += v
	}
}
prl.Check("", "the weights of the left half sum to less than 0, those of the right half to more").
	Less(left, right)
prl.Check("", "signs of the sums").
	Equal([]float64{math.Copysign(1, left), math.Copysign(1, right)}, []float64{-1, 1})
prl.Check("", "the curve rises exactly at the mistakes of the library").
	Equal(func() (at []int) {
		_, mistakes := mark1(punched, 1000)
		for i := range 1000 {
			if mistakes[i+1] > mistakes[i] {
				at = append(at, i+1)
			}
		}
		return at
	}(), func() (at []int) {
		for _, u := range prl.Perceptron().NoIntercept().MaxIter(1).Fit(punched).Trace().Updates {
			at = append(at, u.Visit)
		}
		return at
	}())
}

func cell_parity_check() {

var cards []card
for k := range 16 {
	x, lit := make([]float64, 4), 0
	for j := range x {
		x[j] = float64(k >> j & 1)
		lit += k >> j & 1
	}
	cards = append(cards, card{x, float64(1 - 2*(lit%2))})
}
even, odd := make([]float64, 4), make([]float64, 4) // the means of both classes
for _, c := range cards {
	if c.y > 0 {
		floats.AddScaled(even, 1.0/8, c.x)
	} else {
		floats.AddScaled(odd, 1.0/8, c.x)
	}
}
prl.Check("", "parity of four receptors: both hulls hold the point (½, ½, ½, ½)").
	Near([][]float64{even, odd}, [][]float64{{.5, .5, .5, .5}, {.5, .5, .5, .5}}, 1e-15)
prl.Check("", "200 passes over the 16 cards, none clean").
	Equal(prl.Perceptron().MaxIter(200).Fit(pack(cards)).Model().Clean(), false)
set := prl.Iris().Classes("versicolor", "virginica")
passive, winnow := prl.PassiveAggressive().C(0.1).Fit(set), prl.Winnow().Fit(set)
fmt.Printf("perceptron %.2f, average %.2f, passive-aggressive %.2f, Winnow %.2f\n",
	prl.Perceptron().Fit(set).Accuracy(), prl.Perceptron().ByAverage().Fit(set).Accuracy(),
	passive.Accuracy(), winnow.Accuracy())
}

func cell_ex1_code() {

prl.Exercise("19-1a", "updates").Number(answerUpdates)
prl.Exercise("19-1b", "b at the end").Number(answerBias)
}

func cell_ex1_solution_code() {

theta := make([]float64, 3)
updates, _ := learn([]card{{[]float64{1, 2}, 1}, {[]float64{2, 1}, -1}, {[]float64{0, 1}, 1}},
	theta, 10)
fmt.Println(updates, theta)
prl.Solution("19-1a").Number(float64(updates), 0.1).
	Wrong(6, "only wrong cards are added").
	Wrong(1, "look at card 2 with the new θ").
	Hint("Draw w and y x. A score of 0 is a mistake.").Holds()
prl.Solution("19-1b").Number(theta[0], 0.1).
	Wrong(1, "card 2 takes 1 from the bias").
	Hint("Each + card adds 1 to b, each − card takes 1 away.").Holds()
}

func cell_ex2_code() {

prl.Exercise("19-2", "the sum of the four margins").Number(answerSum)
}

func cell_ex2_solution_code() {

prl.Check("", "lines whose four margins do not add to 0, of 100").
	Equal(failures(100, func(r *rand.Rand) bool {
		theta, sum := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 0.0
		for _, c := range xor {
			sum += c.y * score(theta, c.x)
		}
		return math.Abs(sum) < 1e-12
	}), 0)
prl.Solution("19-2").Number(0, 0.01).
	Wrong(4, "the signs y differ").
	Hint("Two cards count with +, two with −.").Holds()
}

func cell_ex3_code() {

prl.Exercise("19-3", "the distance").Number(answerDistance)
}

func cell_ex3_solution_code() {

prl.Solution("19-3").Number((4+1+4-3)/math.Sqrt(4+1+4), 1e-9).
	Wrong(6, "divide by the length of the normal").
	Wrong(3, "subtract the 3 first").
	Hint("Put the point into 2x − y + 2z − 3.").Holds()
}

func cell_ex4_code() {

prl.Exercise("19-4", "a machine that leaves 0").Function(50, 1e-9, lesson(taughtBy))
}

func cell_ex4_solution_code() {

r, worst := rand.New(rand.NewPCG(4, 19)), 0.0
for range 50 {
	got, want := lesson(func(x [][]float64, y []float64, passes int) []float64 {
		var cards []card
		for i := range x {
			cards = append(cards, card{x[i], y[i]})
		}
		theta := make([]float64, 3)
		learn(cards, theta, passes)
		return theta
	})(r)
	worst = max(worst, floats.Distance(got.([]float64), want.([]float64), math.Inf(1)))
}
prl.Check("", "on 50 sets the weights are those of the library").AtMost(worst, 1e-9)
}

func cell_ex5_code() {

mistakes := spiteful(nextCard)
prl.Exercise("19-5", "90 mistakes").Reached(mistakes >= 90, fmt.Sprintf("mistakes: %d", mistakes))
}

func cell_ex5_solution_code() {

mistakes := spiteful(func(w []float64) []float64 {
	length := math.Hypot(w[1], w[2])
	if length == 0 {
		return []float64{0.1, math.Sqrt(0.99), 0}
	}
	lean := -0.1*w[0]/length - 1e-9
	across := math.Sqrt(max(0, 0.99-lean*lean))
	return []float64{0.1, (lean*w[1] - across*w[2]) / length, (lean*w[2] + across*w[1]) / length}
})
fmt.Println(mistakes)
prl.Check("", "more than 90 of at most 100").Between(float64(mistakes), 91, 100)
}

func cell_ex6_code() {

prl.Exercise("19-6", "Winnow").Function(30, 1e-9, sifted(winnowed))
}

func cell_ex6_solution_code() {

r, apart := rand.New(rand.NewPCG(6, 19)), 0
for range 30 {
	got, want := sifted(func(x [][]float64, y []float64) (mistakes int) {
		u, v := make([]float64, 30), make([]float64, 30)
		floats.AddConst(1, u)
		floats.AddConst(1, v)
		for i := range x {
			s := floats.Dot(u, x[i]) - floats.Dot(v, x[i])
			if y[i]*s <= 0 {
				mistakes++
				for j, f := range x[i] {
					u[j] *= math.Exp2(y[i] * f)
					v[j] *= math.Exp2(-y[i] * f)
				}
			}
		}
		return mistakes
	})(r)
	if got != want {
		apart++
	}
}
prl.Check("", "of 30 sets, those whose mistakes differ from the library").Equal(apart, 0)
}

func cell_ex7_code() {

prl.Exercise("19-7", "mistakes at γ = 0.4").Number(answerPlane)
}

func cell_ex7_solution_code() {

g, _ := played(who[1], opening, 100, 0.4)
fmt.Println(g.mistakes[99], 1/0.16)
prl.Solution("19-7").Number(g.mistakes[99], 0.1).
	Wrong(6, "that is the bound; the plane has less room").
	Hint("Half of R²/γ², and then whole mistakes.").Holds()
}

func cell_ex8_code() {

prl.Exercise("19-8a", "R: larger, smaller or the same").Choice(answerRadius)
prl.Exercise("19-8b", "the bound for u: larger, smaller or the same").Choice(answerBound)
}

func cell_ex8_solution_code() {

noisy, u := changed(three, 1, 0, 1000, 0.5), make([]float64, 1002)
copy(u, prl.Perceptron().NoIntercept().Fit(pack(three)).MistakeBound().U[1:])
R, gamma := reach(noisy, u)
fmt.Println(R, gamma, R*R/(gamma*gamma))
prl.Check("", "R and the bound are larger than √10 and 4, γ² is 2.5 still").
	True(R > 3.2 && R*R/(gamma*gamma) > 4.1 && math.Abs(gamma*gamma-2.5) < 1e-6, "")
prl.Solution("19-8a").Choice("larger").
	Wrong("the same", "that is so for empty coordinates").
	Hint("It stands above the bars.").Holds()
prl.Solution("19-8b").Choice("larger").
	Wrong("the same", "the margins stay, but R does not").
	Hint("R²/γ²: which of the two changes?").Holds()
}

func cell_ex9_code() {

prl.Exercise("19-9", "mistakes at most").Number(answerStart)
}

func cell_ex9_solution_code() {

prl.Check("", "mistakes from a random start, and the bound").
	Bounded(150, 0.02, func(r *rand.Rand) (value, bound float64) {
		cards, u := centred(r, 10, 2)
		R, gamma := reach(cards, u)
		w := []float64{8 * r.NormFloat64(), 8 * r.NormFloat64()}
		a := floats.Norm(w, 2)
		path, _ := walk(cards, w, 3000)
		return float64(len(path) - 1), R*R/(gamma*gamma) + 2*a/gamma
	})
prl.Solution("19-9").Number(1/0.01+2*5/0.1, 1e-6).
	Wrong(100, "that is the bound from the start 0").
	Wrong(150, "the start costs 2a/γ").
	Hint("Repeat both growths with w₀.").Holds()
}

func main() { switch os.Args[1] {
case "beat": cell_beat()
case "g-line": cell_g_line()
case "g-plane": cell_g_plane()
case "g-line-check": cell_g_line_check()
case "g-margins": cell_g_margins()
case "g-margin-check": cell_g_margin_check()
case "g-hulls": cell_g_hulls()
case "g-separate": cell_g_separate()
case "g-hull-check": cell_g_hull_check()
case "machine-code": cell_machine_code()
case "machine-check": cell_machine_check()
case "effect-check": cell_effect_check()
case "walk": cell_walk()
case "g-crystal": cell_g_crystal()
case "g-zero": cell_g_zero()
case "g-cold": cell_g_cold()
case "g-descent-check": cell_g_descent_check()
case "squeeze": cell_squeeze()
case "bound-check": cell_bound_check()
case "coordinates-check": cell_coordinates_check()
case "exact-code": cell_exact_code()
case "exact-check": cell_exact_check()
case "batch-check": cell_batch_check()
case "orders": cell_orders()
case "orders-check": cell_orders_check()
case "curriculum": cell_curriculum()
case "dual": cell_dual()
case "memory-fig": cell_memory_fig()
case "memory-check": cell_memory_check()
case "wander": cell_wander()
case "cycle-check": cell_cycle_check()
case "noisy-check": cell_noisy_check()
case "bundle": cell_bundle()
case "digits": cell_digits()
case "sgd-fig": cell_sgd_fig()
case "retina": cell_retina()
case "parity-check": cell_parity_check()
case "ex1-code": cell_ex1_code()
case "ex1-solution-code": cell_ex1_solution_code()
case "ex2-code": cell_ex2_code()
case "ex2-solution-code": cell_ex2_solution_code()
case "ex3-code": cell_ex3_code()
case "ex3-solution-code": cell_ex3_solution_code()
case "ex4-code": cell_ex4_code()
case "ex4-solution-code": cell_ex4_solution_code()
case "ex5-code": cell_ex5_code()
case "ex5-solution-code": cell_ex5_solution_code()
case "ex6-code": cell_ex6_code()
case "ex6-solution-code": cell_ex6_solution_code()
case "ex7-code": cell_ex7_code()
case "ex7-solution-code": cell_ex7_solution_code()
case "ex8-code": cell_ex8_code()
case "ex8-solution-code": cell_ex8_solution_code()
case "ex9-code": cell_ex9_code()
case "ex9-solution-code": cell_ex9_solution_code()
} }
