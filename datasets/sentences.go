package datasets

import (
	"fmt"
	"strings"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Sequences are symbol strings drawn from a hidden Markov model, together with the states that emitted them and the true parameters.
type Sequences struct {
	Symbols [][]int // symbol of each step of each sequence, 0 ... M-1
	States  [][]int // hidden state of each step, 0 ... K-1

	StateNames, SymbolNames []string
	Start                   []float64   // K probabilities of the first state
	Transition              [][]float64 // K x K, row = state before
	Emission                [][]float64 // K x M, row = state
	Name                    string

	chain fault.Chain
}

// Sentences draws n sentences of the given number of words: hidden states are parts of speech (determiner, adjective, noun, verb), symbols
// are twelve English words. "saw" and "fish" are ambiguous: each can be noun or verb, so that only the neighbours tell.
func Sentences(n, words int, seed uint64) Sequences {
	q := HMM(n, words,
		[]float64{0.6, 0.1, 0.25, 0.05},
		[][]float64{
			{0, 0.3, 0.7, 0},
			{0, 0.1, 0.9, 0},
			{0.05, 0, 0.05, 0.9},
			{0.6, 0.1, 0.25, 0.05},
		},
		[][]float64{
			{0.6, 0.4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			{0, 0, 0.4, 0.35, 0.25, 0, 0, 0, 0, 0, 0, 0},
			{0, 0, 0, 0, 0, 0.3, 0.25, 0.2, 0.1, 0.15, 0, 0},
			{0, 0, 0, 0, 0, 0, 0, 0, 0.35, 0.15, 0.3, 0.2},
		}, seed)
	q.StateNames = []string{"determiner", "adjective", "noun", "verb"}
	q.SymbolNames = []string{"the", "a", "old", "small", "red", "dog", "woman", "boat", "saw", "fish", "likes", "finds"}
	q.Name, q.chain = "sentences", fault.Start("Sentences", n, words, seed).Break(cause(q.Err()))
	return q
}

// HMM draws n sequences of the given length from a hidden Markov model with K states and M symbols: start holds K probabilities, transition
// is K x K and emission K x M, every row summing to one.
func HMM(n, length int, start []float64, transition, emission [][]float64, seed uint64) Sequences {
	q := Sequences{Name: "HMM", chain: fault.Start("HMM", n, length, start, transition, emission, seed)}
	const who = "datasets.HMM"
	if err := checkHMM(who, n, length, start, transition, emission); err != nil {
		q.chain = q.chain.Break(err)
		return q
	}
	q.Start, q.Transition, q.Emission = append([]float64(nil), start...), clone2(transition), clone2(emission)
	q.StateNames, q.SymbolNames = numbered("state ", 1, len(start)), numbered("symbol ", 1, len(emission[0]))
	rng := generator(seed, 0x686d6d)
	for range n {
		states, symbols := make([]int, length), make([]int, length)
		p := start
		for t := range length {
			states[t] = draw(rng, p)
			symbols[t] = draw(rng, emission[states[t]])
			p = transition[states[t]]
		}
		q.States, q.Symbols = append(q.States, states), append(q.Symbols, symbols)
	}
	return q
}

func checkHMM(who string, n, length int, start []float64, transition, emission [][]float64) error {
	if err := estimator.CheckCount(who, "n", n, 1, least.Values); err != nil {
		return err
	}
	if err := estimator.CheckCount(who, "length", length, 1, least.Values/n); err != nil {
		return err
	}
	k := len(start)
	if err := estimator.CheckProbabilities(who, "start", start); err != nil {
		return err
	}
	for name, m := range map[string][][]float64{"transition": transition, "emission": emission} {
		if len(m) != k {
			return fault.Argument(who, name, fmt.Sprintf("%d rows", len(m)), fmt.Sprintf("one row for each of the %d states", k), "")
		}
		for i, row := range m {
			if len(row) != len(m[0]) || name == "transition" && len(row) != k {
				return fault.Argument(
					who,
					fmt.Sprintf("%s[%d]", name, i),
					fmt.Sprintf("%d numbers", len(row)),
					"a row as long as the others (K for transitions, M for emissions)",
					"",
				)
			}
			if err := estimator.CheckProbabilities(who, fmt.Sprintf("%s[%d]", name, i), row); err != nil {
				return err
			}
		}
	}
	return nil
}

// Err returns the error of the generator, or nil.
func (q Sequences) Err() error { return q.chain.Err() }

// N returns the number of sequences.
func (q Sequences) N() int { return len(q.Symbols) }

// Words returns sequence i in the names of its symbols.
func (q Sequences) Words(i int) []string { return names(q.Symbols, q.SymbolNames, i) }

// Tags returns sequence i in the names of its states.
func (q Sequences) Tags(i int) []string { return names(q.States, q.StateNames, i) }

func names(sequences [][]int, names []string, i int) []string {
	if i < 0 || i >= len(sequences) {
		return nil
	}
	out := make([]string, len(sequences[i]))
	for t, s := range sequences[i] {
		out[t] = names[s]
	}
	return out
}

// Index returns the symbols with the given names; an unknown one is an error with the likeliest name.
func (q Sequences) Index(words ...string) ([]int, error) {
	out := make([]int, len(words))
	for t, w := range words {
		i, err := find("symbol", w, q.SymbolNames)
		if err != nil {
			return nil, err
		}
		out[t] = i
	}
	return out, nil
}

// Split returns the first n sequences and the rest.
func (q Sequences) Split(n int) (train, test Sequences) {
	if q.Err() != nil {
		return q, q
	}
	q.chain = q.chain.Step("Split", n)
	if n < 1 || n >= q.N() {
		q.chain = q.chain.Break(fmt.Errorf("%d sequences for training, but 1 ... %d leave some on both sides", n, q.N()-1))
		q.Symbols, q.States = nil, nil
		return q, q
	}
	train, test = q, q
	train.Symbols, train.States = q.Symbols[:n:n], q.States[:n:n]
	test.Symbols, test.States = q.Symbols[n:], q.States[n:]
	return train, test
}

// String returns one line: "sentences: 100 sequences, 4 states, 12 symbols".
func (q Sequences) String() string {
	if err := q.Err(); err != nil {
		return q.Name + ": " + err.Error()
	}
	return fmt.Sprintf("%s: %d sequences, %d states, %d symbols", q.Name, q.N(), len(q.StateNames), len(q.SymbolNames))
}

// Head returns the first n sequences with their states as a table.
func (q Sequences) Head(n int) cell.Table {
	if err := q.Err(); err != nil {
		return cell.BrokenTable(err)
	}
	t := cell.NewTable("sequence", "symbols", "states").Title(q.String())
	for i := range min(max(n, 0), q.N()) {
		t = t.Row(i, strings.Join(q.Words(i), " "), strings.Join(q.Tags(i), " "))
	}
	return t
}

// Show displays the first five sequences.
func (q Sequences) Show() { q.Head(5).Show() }

// Key identifies the data for cell.Keep.
func (q Sequences) Key() cell.Key {
	return cell.NewKey("datasets.Sequences "+q.Name, q.Symbols, q.States)
}

// cause returns the error inside a StepError, so that another chain can take it over.
func cause(err error) error {
	if e, ok := err.(*fault.StepError); ok {
		return e.Err
	}
	return err
}

func clone2(m [][]float64) [][]float64 {
	out := make([][]float64, len(m))
	for i, row := range m {
		out[i] = append([]float64(nil), row...)
	}
	return out
}
