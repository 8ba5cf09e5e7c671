package structured

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/optim"
)

// sentences returns drawn sentences with their tags.
func sentences(n int, seed uint64) (words, tags [][]string) {
	q := datasets.Sentences(n, 6, seed)
	for i := range n {
		words, tags = append(words, q.Words(i)[:1+i%6]), append(tags, q.Tags(i)[:1+i%6])
	}
	return words, tags
}

// numbered returns tagged sentences as the fits see them.
func numbered(words, tags [][]string, features []Feature) (*corpus, *lexicon) {
	_, paths, err := number("test", words, tags)
	if err != nil {
		panic(err)
	}
	lex := newLexicon(features)
	c := &corpus{features: len(features)}
	for i, s := range words {
		c.sentences = append(c.sentences, sentence{lex.encode(s, true), paths[i]})
		for _, y := range paths[i] {
			c.k = max(c.k, y+1)
		}
	}
	c.attributes = len(lex.names)
	return c, lex
}

func weights(n int, scale float64, seed uint64) []float64 {
	rng, w := rand.New(rand.NewPCG(seed, 7)), make([]float64, n)
	for i := range w {
		w[i] = scale * rng.NormFloat64()
	}
	return w
}

// The objective of a conditional random field is that of its definition, and its gradient that of differences.
func TestCRFObjective(t *testing.T) {
	words, tags := sentences(12, 3)
	long := append(slices.Repeat(words[5], 120), "the")
	words, tags = append(words, long, nil), append(tags, append(slices.Repeat(tags[5], 120), "determiner"), nil)
	c, _ := numbered(words, tags, Overlapping())
	f := newCRF(t.Context(), c, 0.7)
	for seed, scale := range []float64{0, 0.1, 1, 8} {
		w := weights(c.size(), scale, uint64(seed))
		want := floats.Dot(w, w) / 2
		for _, s := range c.sentences {
			l := &Lattice{k: c.k, step: w[c.k : c.k+c.k*c.k], local: make([]float64, len(s.tags)*c.k)}
			local(l.local, w, c.k, c.features, s.attributes)
			want += 0.7 * (l.LogSum() - l.Score(s.tags))
		}
		p := f.problem()
		near(t, fmt.Sprintf("objective at scale %g", scale), p.Value(w), want, 1e-10*(1+want))
		g := p.Gradient(w)
		for i, d := range optim.Differences(p.Value, w, 1e-5) {
			near(t, fmt.Sprintf("slope %d at scale %g", i, scale), g[i], d, 1e-4*(1+math.Abs(d)))
		}
	}
}

// At the end the gradient is zero: the expected features are those of the data, less w / C. The certificate brackets the least objective.
func TestCRFIsAnOptimum(t *testing.T) {
	words, tags := sentences(40, 1)
	loose := must(FitTagger(t.Context(), words, tags, TaggerOptions{C: 2, MaxIter: 8}))
	m := must(FitTagger(t.Context(), words, tags, TaggerOptions{C: 2, Tol: 1e-7}))
	end, early := m.Certificate(), loose.Certificate()
	if end.Upper-end.Lower > 1e-9 || early.Lower > end.Upper || early.Upper < end.Lower || early.Rounds != 8 {
		t.Errorf("%v, and after 8 moves %v", end, early)
	}
	c, _ := numbered(words, tags, []Feature{{}})
	value := newCRF(t.Context(), c, 2).problem().Value
	for seed := range uint64(50) {
		w := weights(c.size(), 0.01, seed)
		floats.Add(w, m.state.W)
		if value(w) < end.Lower {
			t.Error("a lower objective than the bound")
		}
	}
}

// The lazy average is the mean of the weights after each sentence.
func TestLazyAverage(t *testing.T) {
	words, tags := sentences(30, 2)
	c, _ := numbered(words, tags, []Feature{{}, {At: -1}})
	o := TaggerOptions{Rounds: 3}.filled()
	w, cert, err := fitPerceptron(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	naive, now := make([]float64, len(w)), make([]float64, len(w))
	rng := rand.New(rand.NewPCG(o.Seed, 0x7065726365707472))
	order := make([]int, len(c.sentences))
	for i := range order {
		order[i] = i
	}
	var mistakes []int
	for range o.Rounds {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		mistakes = append(mistakes, 0)
		for _, i := range order {
			s := &c.sentences[i]
			l := &Lattice{k: c.k, step: now[c.k : c.k+c.k*c.k], local: make([]float64, len(s.tags)*c.k)}
			local(l.local, now, c.k, c.features, s.attributes)
			if path, _ := l.Best(); !slices.Equal(path, s.tags) {
				mistakes[len(mistakes)-1]++
				cut := c.cut(s, path, make([]float64, c.k))
				cut.onto(now, 1)
			}
			floats.AddScaled(naive, 1/float64(o.Rounds*len(order)), now)
		}
	}
	for i := range w {
		near(t, fmt.Sprintf("weight %d", i), w[i], naive[i], 1e-12)
	}
	if !slices.Equal(cert.Mistakes, mistakes) {
		t.Errorf("mistakes %v, want %v", cert.Mistakes, mistakes)
	}
	last := o
	last.Last = true
	if w, _, _ := fitPerceptron(t.Context(), c, last); !slices.Equal(w, now) {
		t.Error("the last weights")
	}
}

// On separable sentences the perceptron makes at most R²/γ² mistakes, with R and γ over all rivals.
func TestNovikoff(t *testing.T) {
	words := [][]string{{"the", "bank", "opens"}, {"I", "bank"}, {"the", "opens"}, {"I", "opens", "the", "bank"}, {"bank", "opens"}}
	tags := [][]string{{"D", "N", "V"}, {"P", "V"}, {"D", "N"}, {"P", "V", "D", "N"}, {"N", "V"}}
	c, lex := numbered(words, tags, []Feature{{}})
	teacher := must(FitTagger(t.Context(), words, tags, TaggerOptions{Method: StructuralSVM, C: 1e4, Tol: 1e-6}))
	u := slices.Clone(teacher.state.W)
	floats.Scale(1/floats.Norm(u, 2), u)
	gamma, r2 := math.Inf(1), 0.0
	for i := range c.sentences {
		s := &c.sentences[i]
		l := teacher.Lattice(words[i]...)
		_ = l.Each(func(path []int, _ float64) bool {
			if cut := c.cut(s, path, make([]float64, c.k)); !slices.Equal(path, s.tags) {
				gamma, r2 = min(gamma, -cut.Violation(u)), max(r2, cut.dot(cut))
			}
			return true
		})
	}
	w, cert, err := fitPerceptron(t.Context(), c, TaggerOptions{Rounds: 1000, Last: true}.filled())
	if err != nil || gamma <= 0 {
		t.Fatalf("margin %v, %v", gamma, err)
	}
	total := 0
	for _, k := range cert.Mistakes {
		total += k
	}
	if float64(total) > r2/(gamma*gamma) || total == 0 || cert.Mistakes[len(cert.Mistakes)-1] != 0 {
		t.Errorf("%d mistakes, the bound is %v", total, r2/(gamma*gamma))
	}
	m := &Tagger{taggerState{Features: []Feature{{}}, Tags: teacher.state.Tags, Attributes: lex.names, W: w}, lex}
	if wrong, all, whole, err := m.Errors(words, tags); wrong != 0 || all != 13 || whole != 5 || err != nil {
		t.Errorf("%d of %d words, %d sentences", wrong, all, whole)
	}
}

// The structural SVM solves the problem with all rivals listed: what Viterbi found, enumeration certifies.
func TestCuttingPlaneAgainstAllRivals(t *testing.T) {
	words, tags := sentences(12, 5)
	words, tags = append(words, words[5]), append(tags, tags[11]) // the same words with other tags, which cannot both be right
	for _, costs := range []map[string]float64{nil, {"verb": 3, "noun": 0.5}} {
		o := TaggerOptions{Method: StructuralSVM, C: 1.5, Tol: 1e-10, Costs: costs}
		m := must(FitTagger(t.Context(), words, tags, o))
		c, _ := numbered(words, tags, []Feature{{}})
		cost := make([]float64, c.k)
		for j, tag := range m.Tags() {
			if cost[j] = 1; costs[tag] > 0 {
				cost[j] = costs[tag]
			}
		}
		listed := func(i int, w []float64) (worst Cut) {
			most := math.Inf(-1)
			_ = m.Lattice(words[i]...).Each(func(path []int, _ float64) bool {
				if cut := c.cut(&c.sentences[i], path, cost); cut.Violation(w) > most {
					most, worst = cut.Violation(w), cut
				}
				return true
			})
			return worst
		}
		all := must(CuttingPlane(t.Context(), len(words), c.size(), listed, PlaneOptions{C: 1.5, Tol: 1e-10}))
		cert := m.Certificate()
		near(t, "the objective by Viterbi and by enumeration", cert.Upper, all.Certificate.Upper, 1e-8)
		// A certificate of its own: the multipliers are feasible, w is their sum, and the two objectives meet.
		dual, primal, w := 0.0, floats.Dot(m.state.W, m.state.W)/2, make([]float64, c.size())
		for i, cuts := range all.Cuts {
			sum := 0.0
			for r, a := range all.Alpha[i] {
				if sum += a; a < 0 {
					t.Error("a multiplier below zero")
				}
				dual += a * cuts[r].Loss
				cuts[r].onto(w, a)
			}
			if sum > 1.5+1e-12 {
				t.Errorf("multipliers of sentence %d sum to %v", i, sum)
			}
			cut := listed(i, m.state.W)
			primal += 1.5 * max(0, cut.Violation(m.state.W))
			path := m.Numbers(m.Tag(words[i]...))
			if loss := c.cut(&c.sentences[i], path, cost).Loss; loss > max(0, cut.Violation(m.state.W))+1e-9 {
				t.Errorf("sentence %d: the loss %v of the prediction is above the slack", i, loss)
			}
		}
		dual -= floats.Dot(w, w) / 2
		near(t, "primal - dual", primal-dual, 0, 1e-7)
		near(t, "Upper", cert.Upper, primal, 1e-9)
		if cert.Cuts > 300 {
			t.Errorf("%d cuts", cert.Cuts)
		}
		for i := 1; i < len(all.Path); i++ {
			if all.Path[i][0] < all.Path[i-1][0]-1e-9 {
				t.Error("a bound from below falls")
			}
		}
	}
}

func TestEpsilonBoundsTheGap(t *testing.T) {
	words, tags := sentences(25, 4)
	least := must(FitTagger(t.Context(), words, tags, TaggerOptions{Method: StructuralSVM, Tol: 1e-9})).Certificate().Upper
	for _, tol := range []float64{0.5, 0.1, 0.01} {
		cert := must(FitTagger(t.Context(), words, tags, TaggerOptions{Method: StructuralSVM, Tol: tol})).Certificate()
		if cert.Upper-least > 25*tol*1.1 || cert.Upper < least-1e-7 || cert.Lower > least+1e-7 || cert.Violation > tol {
			t.Errorf("tol %g: %v, the least objective is %v", tol, cert, least)
		}
	}
}

// Every method learns sentences that neighbours decide, and words that were never seen do no harm.
func TestMethodsLearn(t *testing.T) {
	words, tags := sentences(600, 1)
	for _, method := range []Method{CRF, Perceptron, StructuralSVM} {
		m := must(FitTagger(t.Context(), words[:300], tags[:300], TaggerOptions{Method: method, Tol: 0.01}))
		wrong, all, _, err := m.Errors(words[300:], tags[300:])
		if err != nil || float64(wrong) > 0.15*float64(all) {
			t.Errorf("%v: %d of %d words are wrong, %v", method, wrong, all, err)
		}
		if got := m.Tag("the", "zebra", "likes"); !slices.Equal(got, []string{"determiner", "noun", "verb"}) {
			t.Errorf("%v: %v", method, got)
		}
		if len(m.Tag()) != 0 {
			t.Error("an empty sentence has tags")
		}
	}
}

// Weights up to a gauge are one judge: c_t into t, and out of all emissions of t.
func TestGauge(t *testing.T) {
	m := must(FromHMM(must(markov.NewHMM(markov.Tagging()))))
	words := []string{"I", "bank", "at", "CFCU"}
	other := *m
	other.state.W = slices.Clone(m.state.W)
	k, knob := 5, weights(5, 10, 1)
	for j := range k {
		other.state.W[j] += knob[j]
		for i := range k {
			other.state.W[k+i*k+j] += knob[j]
		}
		for a := range m.state.Attributes {
			other.state.W[k+k*k+a*k+j] -= knob[j]
		}
	}
	l := other.Lattice(words...)
	_ = m.Lattice(words...).Each(func(path []int, s float64) bool {
		near(t, "score", l.Score(path), s, 1e-12)
		return true
	})
}

func TestTaggersAreStored(t *testing.T) {
	words, tags := sentences(20, 1)
	m := must(FitTagger(t.Context(), words, tags, TaggerOptions{Features: Overlapping(), C: 3}))
	data := must(m.MarshalBinary())
	var back Tagger
	if err := back.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if back.String() != m.String() || !slices.Equal(back.Tag(words[7]...), m.Tag(words[7]...)) ||
		back.Score(words[7], tags[7]) != m.Score(words[7], tags[7]) {
		t.Error("a stored tagger differs")
	}
	for n := range len(data) {
		if err := new(Tagger).UnmarshalBinary(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes are read without an error", n, len(data))
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 { // damage is an error, or a model that works
		bad := slices.Clone(data)
		bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		var d Tagger
		if d.UnmarshalBinary(bad) == nil {
			d.Tag(words[7]...)
			_ = d.String()
			d.Table()
			_, _ = d.Phi(words[7], tags[7])
		}
	}
	var none Tagger
	if _, err := none.MarshalBinary(); err == nil || len(none.Tags()) != 0 {
		t.Error("an unfitted tagger is stored")
	}
	none.Tag("the")
	_ = none.String()
	if _, err := none.Phi(nil, nil); err == nil {
		t.Error("an unfitted tagger has features")
	}
}

func TestTaggersAreCancelled(t *testing.T) {
	words, tags := sentences(60_000, 1)
	for _, o := range []TaggerOptions{
		{Tol: 1e-12, Features: Overlapping()}, {Method: Perceptron, Rounds: 1000, Features: Overlapping()}, {Method: StructuralSVM, Tol: 1e-9},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 600*time.Millisecond)
		start := time.Now()
		m, err := FitTagger(ctx, words, tags, o)
		if took := time.Since(start); m != nil || !errors.Is(err, context.DeadlineExceeded) || took > 5*time.Second {
			t.Errorf("%v: %v after %v", o.Method, err, took)
		}
		cancel()
		if _, err := FitTagger(ctx, words[:3], tags[:3], o); err == nil {
			t.Errorf("%v: a context that has ended", o.Method)
		}
	}
}

func TestTaggersRefuse(t *testing.T) {
	one, tag := [][]string{{"the", "bank"}}, [][]string{{"D", "N"}}
	fit := func(words, tags [][]string, o TaggerOptions) error {
		return second(FitTagger(t.Context(), words, tags, o))
	}
	for want, err := range map[string]error{
		"words is empty":              fit(nil, nil, TaggerOptions{}),
		"tags is 0 sentences":         fit(one, nil, TaggerOptions{}),
		"tags[0] is 1 tags":           fit(one, [][]string{{"D"}}, TaggerOptions{}),
		"tags[0][1] is empty":         fit(one, [][]string{{"D", ""}}, TaggerOptions{}),
		"Method is 7":                 fit(one, tag, TaggerOptions{Method: 7}),
		"C is -1":                     fit(one, tag, TaggerOptions{C: -1}),
		"Tol is NaN":                  fit(one, tag, TaggerOptions{Tol: math.NaN()}),
		"Rounds is -1":                fit(one, tag, TaggerOptions{Rounds: -1}),
		"MaxIter is -1":               fit(one, tag, TaggerOptions{MaxIter: -1}),
		"Features[0].Kind is 9":       fit(one, tag, TaggerOptions{Features: []Feature{{Kind: 9}}}),
		"Features[0].Length is 0":     fit(one, tag, TaggerOptions{Features: []Feature{{Kind: Suffix}}}),
		"left out for the perceptron": fit(one, tag, TaggerOptions{Method: Perceptron, Costs: map[string]float64{"D": 1}}),
		"Costs[D] is -1":              fit(one, tag, TaggerOptions{Method: StructuralSVM, Costs: map[string]float64{"D": -1}}),
		"names of tags that occur":    fit(one, tag, TaggerOptions{Method: StructuralSVM, Costs: map[string]float64{"X": 1}}),
		"h is <nil>":                  second(FromHMM(nil)),
		"worst is <nil>":              second(CuttingPlane(t.Context(), 1, 1, nil, PlaneOptions{})),
		"n is 0": second(CuttingPlane(t.Context(), 0, 1, func(int, []float64) Cut { return Cut{} },
			PlaneOptions{})),
		"the rival of example 0": second(CuttingPlane(t.Context(), 1, 1, func(int, []float64) Cut {
			return Cut{At: []int32{3}, Values: []float64{1}}
		}, PlaneOptions{})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// What the features see.
func TestFeatures(t *testing.T) {
	words := []string{"Ünder", "IBM-4", "é", ""}
	for f, want := range map[Feature]string{
		{}: "Ünder", {At: 1}: "IBM-4", {At: -1}: "", {Kind: Prefix, Length: 2}: "Ün", {Kind: Suffix, Length: 3}: "der",
		{Kind: Shape, At: 1}: "X-0", {Kind: Shape}: "Xx", {Kind: Suffix, Length: 9}: "Ünder", {Kind: Prefix, Length: 9}: "Ünder",
		{Kind: Lower, At: 1}: "ibm-4", {Kind: Suffix, Length: 1, At: 2}: "é", {At: 3}: "", {At: 4}: "", {Kind: Prefix, Length: 1, At: 3}: "",
	} {
		if got := f.of(words, 0); got != want {
			t.Errorf("%v sees %q, want %q", f, got, want)
		}
	}
	names := fmt.Sprint(Overlapping(), Feature{Kind: 9})
	if names != "[word word-1 word+1 suffix1 suffix2 suffix3 prefix1 shape] Kind(9)" {
		t.Error(names)
	}
}

// The plan in its vocabulary.
func TestTaggerPlan(t *testing.T) {
	words, tags := sentences(40, 1)
	p := PlanTagger().StructuralSVM().Costs(map[string]float64{"verb": 2}).C(2).Tol(0.01).Fit(words, tags)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	wrong, all, _, _ := p.Model().Errors(words, tags)
	if p.Wrong(words, tags) != float64(wrong)/float64(all) || p.Certificate().Cuts == 0 || p.Table().Len() != 5 ||
		!slices.Equal(p.Tag(words[3]...), p.Model().Tag(words[3]...)) {
		t.Error("the plan answers otherwise than its model")
	}
	if !strings.Contains(PlanTagger().CRF().Overlapping().Fit(words, tags).Model().String(), "suffix3") ||
		PlanTagger().Perceptron().Last().Rounds(2).Seed(2).Fit(words, tags).Certificate().Rounds > 2 {
		t.Error("steps are not heard")
	}
	for want, p := range map[string]TaggerPlan{
		"C: C is -1": PlanTagger().C(-1), "Fit: tags[0]": PlanTagger().Fit(words, tags[1:]), "MaxIter: MaxIter is -2": PlanTagger().MaxIter(-2),
		"Features: Features[0].Length": PlanTagger().Features(Feature{Kind: Prefix}),
	} {
		if err := p.Err(); err == nil || !strings.Contains(err.Error(), strings.SplitN(want, ": ", 2)[0]) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// patient is a context that ends after it has been looked at so many times.
type patient struct {
	context.Context
	left int
}

func (p *patient) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestTaggersAreCancelledAtAnyMoment(t *testing.T) {
	words, tags := sentences(20, 1)
	for _, o := range []TaggerOptions{{}, {Method: Perceptron, Rounds: 20}, {Method: StructuralSVM}} {
		stopped := 0
		for looks := range 60 {
			m, err := FitTagger(&patient{t.Context(), looks}, words, tags, o)
			if m == nil && !errors.Is(err, context.Canceled) {
				t.Fatalf("%v: %v after %d looks", o.Method, err, looks)
			}
			if err != nil {
				stopped++
			}
		}
		if stopped < 10 {
			t.Errorf("%v: only %d of 60 moments were tried", o.Method, stopped)
		}
	}
}
