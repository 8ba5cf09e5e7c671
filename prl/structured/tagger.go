package structured

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/markov"
)

// Method is how FitTagger learns.
type Method int

const (
	// CRF maximises the probability of the right taggings, P(y|x) = exp(w.phi(x, y)) / sum over all taggings, by L-BFGS.
	CRF Method = iota
	// Perceptron adds phi(x, y) - phi(x, best) at each mistake, and averages the weights over all sentences.
	Perceptron
	// StructuralSVM asks of every rival a margin as large as its cost, by cutting planes.
	StructuralSVM
)

// String returns "CRF", "perceptron" or "structural SVM".
func (m Method) String() string {
	if m < CRF || m > StructuralSVM {
		return fmt.Sprintf("Method(%d)", int(m))
	}
	return [...]string{"CRF", "perceptron", "structural SVM"}[m]
}

// TaggerOptions are the settings of FitTagger. A field that is zero stands for its default.
type TaggerOptions struct {
	Method   Method             // default CRF
	Features []Feature          // what is seen of a word; default the word alone
	C        float64            // price of the loss of a sentence, > 0; default 1; not used by the perceptron
	Costs    map[string]float64 // of a wrong tag where the named tag is right, >= 0; default 1 for each; structural SVM only
	Rounds   int                // passes of the perceptron over the sentences, > 0; default 10
	Last     bool               // the perceptron keeps its last weights, and not their average
	Seed     uint64             // of the order of the sentences in each round of the perceptron; default 1
	MaxIter  int                // limit on the moves of L-BFGS, and on the rounds of cutting planes; default 1000
	// CRF: the largest component of the gradient that counts as zero. Structural SVM: what a rival may break beyond the slack;
	// default 1e-3
	Tol float64
}

// filled returns o with defaults in the place of zeros.
func (o TaggerOptions) filled() TaggerOptions {
	if o.Features == nil {
		o.Features = []Feature{{}}
	}
	o.C, o.Rounds, o.Seed = cmp.Or(o.C, 1), cmp.Or(o.Rounds, 10), cmp.Or(o.Seed, 1)
	o.MaxIter, o.Tol = cmp.Or(o.MaxIter, 1000), cmp.Or(o.Tol, 1e-3)
	return o
}

func (o TaggerOptions) check(op string) error {
	if o.Method < CRF || o.Method > StructuralSVM {
		return fault.Argument(op, "Method", int(o.Method), "CRF, Perceptron or StructuralSVM", "")
	}
	for tag, c := range o.Costs {
		if !(c >= 0 && c <= math.MaxFloat64) {
			return fault.Argument(op, "Costs["+tag+"]", c, "a finite number >= 0", "")
		}
	}
	if o.Costs != nil && o.Method != StructuralSVM {
		return fault.Argument(op, "Costs", o.Costs, "left out for the "+o.Method.String(), "only the structural SVM knows costs")
	}
	return fault.First(
		checkFeatures(op, o.Features),
		estimator.CheckPositive(op, "C", o.C, 1),
		estimator.CheckPositive(op, "Tol", o.Tol, 1e-3),
		estimator.CheckCount(op, "Rounds", o.Rounds, 1, math.MaxInt32),
		estimator.CheckCount(op, "MaxIter", o.MaxIter, 1, math.MaxInt32),
	)
}

// A Tagger gives each word of a sentence a tag: the tagging y with the largest w.phi(x, y), where phi counts first tags, steps from tag to
// tag, and pairs of an attribute of a word and its tag. It is immutable and safe for concurrent use.
type Tagger struct {
	state   taggerState
	lexicon *lexicon
}

// taggerState is what is stored.
type taggerState struct {
	Method      Method
	Features    []Feature
	Tags        []string
	Attributes  []string  // "suffix3=ing"
	Owners      []int32   // the feature of each attribute
	W           []float64 // K starts, K x K steps, and K for each attribute
	Certificate Certificate
}

// A corpus is tagged sentences in numbers.
type corpus struct {
	k, features, attributes int
	sentences               []sentence
}

type sentence struct {
	attributes []int32 // features for each word
	tags       []int   // nil where they are not known
}

// size returns the number of weights.
func (c *corpus) size() int { return c.k + c.k*c.k + c.attributes*c.k }

// FitTagger learns to tag from sentences and the tags of their words. Tags are numbered in the order of their first occurrence. The CRF
// and the structural SVM minimise |w|^2/2 + C sum_i loss_i, where the loss of a sentence is
//
//	CRF             log sum_y exp(w.phi(x_i, y)) - w.phi(x_i, y_i)
//	structural SVM  max_y (cost(y_i, y) + w.phi(x_i, y)) - w.phi(x_i, y_i)
//
// Certificate says how near they came. CRFsuite's c2 is 1/(2C).
//
// Errors: no word, sentences and tags of different lengths, empty names of tags, settings out of range, a context that ends.
//
// Sources: M. Collins (2002), Discriminative training methods for hidden Markov models, EMNLP; J. Lafferty, A. McCallum and F. Pereira
// (2001), Conditional random fields, ICML; I. Tsochantaridis, T. Joachims, T. Hofmann and Y. Altun (2005), JMLR 6.
func FitTagger(ctx context.Context, words, tags [][]string, o TaggerOptions) (*Tagger, error) {
	const op = "structured.FitTagger"
	o = o.filled()
	if err := fault.First(o.check(op), ctx.Err()); err != nil {
		return nil, fault.In(op, err)
	}
	names, numbered, err := number(op, words, tags)
	if err != nil {
		return nil, err
	}
	for tag := range o.Costs {
		if !slices.Contains(names, tag) {
			return nil, fault.Argument(op, "Costs", tag, "names of tags that occur", "")
		}
	}
	lex := newLexicon(slices.Clone(o.Features))
	c := &corpus{k: len(names), features: len(lex.features)}
	for i, s := range words {
		c.sentences = append(c.sentences, sentence{lex.encode(s, true), numbered[i]})
	}
	c.attributes = len(lex.names)
	if err := estimator.CheckMemory(op, "the weights", c.k, c.attributes+c.k+1, "use fewer features"); err != nil {
		return nil, err
	}
	state := taggerState{Method: o.Method, Features: lex.features, Tags: names, Attributes: lex.names}
	state.Owners = make([]int32, len(lex.names))
	for i, m := range lex.number {
		for _, id := range m {
			state.Owners[id] = int32(i)
		}
	}
	switch o.Method {
	case CRF:
		state.W, state.Certificate, err = fitCRF(ctx, c, o)
	case Perceptron:
		state.W, state.Certificate, err = fitPerceptron(ctx, c, o)
	default:
		cost := make([]float64, c.k)
		for j, tag := range names {
			cost[j] = 1
			if v, ok := o.Costs[tag]; ok {
				cost[j] = v
			}
		}
		state.W, state.Certificate, err = fitSVM(ctx, c, cost, o)
	}
	if err != nil {
		return nil, fault.In(op, err)
	}
	return &Tagger{state, lex}, nil
}

// number checks tagged sentences and returns the names of the tags and the tags as numbers.
func number(op string, words, tags [][]string) (names []string, out [][]int, err error) {
	if len(words) != len(tags) {
		return nil, nil, fault.Argument(op, "tags", fmt.Sprintf("%d sentences", len(tags)),
			fmt.Sprintf("one for each of the %d sentences of words", len(words)), "")
	}
	index := map[string]int{}
	for i, sentence := range tags {
		if len(sentence) != len(words[i]) {
			return nil, nil, fault.Argument(op, fmt.Sprintf("tags[%d]", i), fmt.Sprintf("%d tags", len(sentence)),
				fmt.Sprintf("one for each of the %d words", len(words[i])), "")
		}
		path := make([]int, len(sentence))
		for t, tag := range sentence {
			id, ok := index[tag]
			if tag == "" {
				return nil, nil, fault.Argument(op, fmt.Sprintf("tags[%d][%d]", i, t), "empty", "the name of a tag", "")
			}
			if !ok {
				id = len(names)
				index[tag], names = id, append(names, tag)
			}
			path[t] = id
		}
		out = append(out, path)
	}
	if len(names) == 0 {
		return nil, nil, fault.Argument(op, "words", "empty", "at least one word", "")
	}
	return names, out, nil
}

// FromHMM returns the tagger of a hidden Markov model: its weights are the logarithms of the probabilities, so that w.phi(x, y) = log P(x,
// y) and the best tagging is the Viterbi path. A word that the model does not know has no attribute, and says nothing about its tag.
func FromHMM(h *markov.HMM) (*Tagger, error) {
	if h == nil || h.K() == 0 {
		return nil, fault.Argument("structured.FromHMM", "h", nil, "a hidden Markov model", "")
	}
	k, emissions := h.K(), h.Emissions()
	lex := newLexicon([]Feature{{}})
	for _, word := range h.Symbols() {
		lex.encode([]string{word}, true)
	}
	s := taggerState{
		Method: CRF, Features: lex.features, Tags: h.States(), Attributes: lex.names, Owners: make([]int32, len(lex.names)),
		W: make([]float64, 0, k+k*k+k*len(lex.names)),
	}
	for _, p := range h.Start() {
		s.W = append(s.W, math.Log(p))
	}
	for _, row := range h.Transitions() {
		for _, p := range row {
			s.W = append(s.W, math.Log(p))
		}
	}
	for x := range lex.names {
		for j := range k {
			s.W = append(s.W, math.Log(emissions[j][x]))
		}
	}
	return &Tagger{s, lex}, nil
}

// local writes the scores of the tags at each word, with the start in row 0.
func local(dst, w []float64, k, features int, attributes []int32) {
	clear(dst)
	base := k + k*k
	for t := range len(dst) / k {
		row := dst[t*k : t*k+k]
		for _, a := range attributes[t*features : (t+1)*features] {
			if a >= 0 {
				for j, v := range w[base+int(a)*k : base+int(a)*k+k] {
					row[j] += v
				}
			}
		}
	}
	for j := range min(k, len(dst)) {
		dst[j] += w[j]
	}
}

// Lattice returns the scores of all taggings of a sentence.
func (m *Tagger) Lattice(words ...string) *Lattice {
	k := len(m.state.Tags)
	l := &Lattice{k: max(k, 1)}
	if k == 0 {
		return l
	}
	l.step, l.local = slices.Clone(m.state.W[k:k+k*k]), make([]float64, len(words)*k)
	local(l.local, m.state.W, k, len(m.state.Features), m.lexicon.encode(words, false))
	return l
}

// Tag returns the best tagging of a sentence.
func (m *Tagger) Tag(words ...string) []string {
	path, _ := m.Lattice(words...).Best()
	return m.Names(path)
}

// Tags returns the names of the tags.
func (m *Tagger) Tags() []string { return slices.Clone(m.state.Tags) }

// Names returns the names of the tags of a path; an unknown number has the name "".
func (m *Tagger) Names(path []int) []string {
	out := make([]string, len(path))
	for t, j := range path {
		if j >= 0 && j < len(m.state.Tags) {
			out[t] = m.state.Tags[j]
		}
	}
	return out
}

// Numbers is the inverse of Names. An unknown tag has the number -1.
func (m *Tagger) Numbers(tags []string) []int {
	out := make([]int, len(tags))
	for t, tag := range tags {
		out[t] = slices.Index(m.state.Tags, tag)
	}
	return out
}

// Score returns w.phi(words, tags), and NaN for tags of another length or with an unknown one.
func (m *Tagger) Score(words, tags []string) float64 {
	return m.Lattice(words...).Score(m.Numbers(tags))
}

// A Count is an entry of phi(x, y), or of a difference of two: a feature with its weight and how often it occurs.
type Count struct {
	Name   string // "start DET", "DET→N", "N–word=bank"
	Count  int
	Weight float64
}

// Phi returns the entries of phi(words, tags) that are not zero, in the order of starts, steps and attributes.
//
// Errors: tags of another length, or an unknown one.
func (m *Tagger) Phi(words, tags []string) ([]Count, error) {
	return m.counts("structured.Tagger.Phi", words, tags, nil)
}

// Difference returns the entries of phi(words, tags) - phi(words, rival) that are not zero.
//
// Errors: tags of another length, or an unknown one.
func (m *Tagger) Difference(words, tags, rival []string) ([]Count, error) {
	return m.counts("structured.Tagger.Difference", words, tags, &rival)
}

func (m *Tagger) counts(op string, words, tags []string, rival *[]string) ([]Count, error) {
	k, features := len(m.state.Tags), len(m.state.Features)
	if k == 0 {
		return nil, estimator.Unfitted(op)
	}
	var d difference
	add := func(tags []string, by float64) error {
		path := m.Numbers(tags)
		if len(path) != len(words) || slices.Contains(path, -1) {
			return fault.Argument(op, "tags", tags, fmt.Sprintf("one known tag for each of the %d words", len(words)),
				"the tags are "+strings.Join(m.state.Tags, ", "))
		}
		d.add(k, features, m.lexicon.encode(words, false), path, by)
		return nil
	}
	if err := add(tags, 1); err != nil {
		return nil, err
	}
	if rival != nil {
		if err := add(*rival, -1); err != nil {
			return nil, err
		}
	}
	at, values := d.sorted()
	out := make([]Count, len(at))
	for i, a := range at {
		out[i] = Count{m.nameOf(int(a)), int(values[i]), m.state.W[a]}
	}
	return out, nil
}

// nameOf returns the name of a weight.
func (m *Tagger) nameOf(a int) string {
	s, k := &m.state, len(m.state.Tags)
	switch {
	case a < k:
		return "start " + s.Tags[a]
	case a < k+k*k:
		return s.Tags[(a-k)/k] + "→" + s.Tags[(a-k)%k]
	}
	a -= k + k*k
	return s.Tags[a%k] + "–" + strings.TrimPrefix(s.Attributes[a/k], "word=")
}

// Weights returns the start weights (K), those of the steps from tag to tag (K x K), and those of the tags given an attribute by its name,
// "word=bank".
func (m *Tagger) Weights() (start []float64, step [][]float64, attributes map[string][]float64) {
	k, w := len(m.state.Tags), slices.Clone(m.state.W)
	if k == 0 {
		return nil, nil, nil
	}
	attributes = make(map[string][]float64, len(m.state.Attributes))
	for i, name := range m.state.Attributes {
		attributes[name] = w[k+k*k+i*k:][:k:k]
	}
	for i := range k {
		step = append(step, w[k+i*k:][:k:k])
	}
	return w[:k:k], step, attributes
}

// Errors returns how many words of tagged sentences get a wrong tag, how many words there are, and how many sentences are right throughout.
//
// Errors: sentences and tags of different lengths.
func (m *Tagger) Errors(words, tags [][]string) (wrong, all, whole int, err error) {
	const op = "structured.Tagger.Errors"
	if len(words) != len(tags) {
		return 0, 0, 0, fault.Argument(op, "tags", len(tags), fmt.Sprintf("one for each of the %d sentences", len(words)), "")
	}
	for i, s := range words {
		if len(s) != len(tags[i]) {
			return 0, 0, 0, fault.Argument(op, fmt.Sprintf("tags[%d]", i), len(tags[i]), fmt.Sprintf("one for each of the %d words", len(s)), "")
		}
		before := wrong
		for t, tag := range m.Tag(s...) {
			if tag != tags[i][t] {
				wrong++
			}
		}
		if all += len(s); wrong == before {
			whole++
		}
	}
	return wrong, all, whole, nil
}

// Certificate returns how the fit ended.
func (m *Tagger) Certificate() Certificate { return m.state.Certificate }

// String returns "CRF: 5 tags, 7 attributes of word, 65 weights".
func (m *Tagger) String() string {
	names := make([]string, len(m.state.Features))
	for i, f := range m.state.Features {
		names[i] = f.String()
	}
	return fmt.Sprintf("%v: %d tags, %d attributes of %s, %d weights", m.state.Method, len(m.state.Tags), len(m.state.Attributes),
		strings.Join(names, ", "), len(m.state.W))
}

// Table lists parameters and diagnostics: the weights of the steps from tag to tag.
func (m *Tagger) Table() cell.Table {
	start, step, _ := m.Weights()
	t := cell.NewTable(append([]string{"tag before"}, m.state.Tags...)...).Title(m.String())
	for i, row := range append([][]float64{start}, step...) {
		name := "(start)"
		if i > 0 {
			name = m.state.Tags[i-1]
		}
		cells := []any{name}
		for _, v := range row {
			cells = append(cells, v)
		}
		t = t.Row(cells...)
	}
	return t
}

// MarshalBinary encodes the model.
func (m *Tagger) MarshalBinary() ([]byte, error) {
	if len(m.state.Tags) == 0 {
		return nil, estimator.Unfitted("structured.Tagger.MarshalBinary")
	}
	return estimator.Encode("structured.Tagger", 1, &m.state)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *Tagger) UnmarshalBinary(data []byte) error {
	const op = "structured.Tagger.UnmarshalBinary"
	var s taggerState
	if err := estimator.Decode(data, "structured.Tagger", 1, &s); err != nil {
		return err
	}
	k := len(s.Tags)
	ok := k > 0 && len(s.Owners) == len(s.Attributes) && len(s.W) == k+k*k+k*len(s.Attributes) && checkFeatures(op, s.Features) == nil
	for _, v := range s.W {
		ok = ok && v < math.Inf(1)
	}
	lex := newLexicon(s.Features)
	for id, owner := range s.Owners {
		if !ok || owner < 0 || int(owner) >= len(s.Features) {
			ok = false
			break
		}
		value, found := strings.CutPrefix(s.Attributes[id], s.Features[owner].String()+"=")
		ok = found
		lex.number[owner][value] = int32(id)
	}
	if !ok {
		return fault.Argument(op, "data", fmt.Sprintf("%d bytes", len(data)), "a whole stored tagger", "store it again")
	}
	lex.names = s.Attributes
	*m = Tagger{s, lex}
	return nil
}
