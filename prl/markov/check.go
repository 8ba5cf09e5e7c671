package markov

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// The tables of a model have k x k and k x m numbers. A mistyped count is refused before they are made.
const (
	maxStates  = 1 << 12
	maxNumbers = 1 << 26
)

// checkSequence reports an empty sequence and entries outside 0 ... m-1.
func checkSequence(function, argument string, seq []int, m int, what string) error {
	if m == 0 {
		return estimator.Unfitted(function)
	}
	if len(seq) == 0 {
		return fault.Argument(function, argument, "empty", fmt.Sprintf("a sequence of at least one %s", what), "")
	}
	for t, v := range seq {
		if v < 0 || v >= m {
			return fault.Argument(function, fmt.Sprintf("%s[%d]", argument, t), v, fmt.Sprintf("a %s from 0 to %d", what, m-1), "")
		}
	}
	return nil
}

func checkSequences(function, argument string, seqs [][]int, m int, what string) error {
	if len(seqs) == 0 {
		return fault.Argument(function, argument, "empty", "at least one sequence", "")
	}
	for s, seq := range seqs {
		if err := checkSequence(function, fmt.Sprintf("%s[%d]", argument, s), seq, m, what); err != nil {
			return err
		}
	}
	return nil
}

func checkSmoothing(function string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 0) {
		return fault.Argument(function, "Smoothing", v, "a finite number of at least 0", "1 is Laplace's rule, 0 the relative frequency")
	}
	return nil
}

// checkStochastic reports rows that are not k probability distributions over m outcomes.
func checkStochastic(function, argument string, rows [][]float64, k, m int) error {
	if len(rows) != k {
		return fault.Argument(function, argument, fmt.Sprintf("%d rows", len(rows)), fmt.Sprintf("one row for each of the %d states", k), "")
	}
	for i, row := range rows {
		name := fmt.Sprintf("%s[%d]", argument, i)
		if len(row) != m {
			return fault.Argument(function, name, fmt.Sprintf("%d numbers", len(row)), fmt.Sprintf("%d numbers", m), "")
		}
		if err := estimator.CheckProbabilities(function, name, row); err != nil {
			return err
		}
	}
	return nil
}

// names returns the given names, or prefix1 ... prefixK when there are none.
func names(function, argument string, given []string, k int, prefix string) ([]string, error) {
	if given == nil {
		out := make([]string, k)
		for i := range out {
			out[i] = fmt.Sprintf("%s%d", prefix, i+1)
		}
		return out, nil
	}
	if len(given) != k {
		return nil, fault.Argument(function, argument, fmt.Sprintf("%d names", len(given)), fmt.Sprintf("%d names", k), "")
	}
	seen := map[string]bool{}
	for _, s := range given {
		if seen[s] {
			return nil, fault.Argument(function, argument, fmt.Sprintf("%q twice", s), "names that differ", "")
		}
		seen[s] = true
	}
	return append([]string(nil), given...), nil
}

// lookup turns names into indices.
func lookup(function, argument, what string, known, words []string) ([]int, error) {
	place := make(map[string]int, len(known))
	for i, s := range known {
		place[s] = i
	}
	out := make([]int, len(words))
	for t, w := range words {
		i, ok := place[w]
		if !ok {
			return nil, fault.Argument(
				function,
				fmt.Sprintf("%s[%d]", argument, t),
				fmt.Sprintf("%q", w),
				fmt.Sprintf("a known %s", what),
				"known are "+list(known),
			)
		}
		out[t] = i
	}
	return out, nil
}

func list(words []string) string {
	const most = 12
	text := ""
	for i, w := range words {
		if i == most {
			return text + fmt.Sprintf(" and %d more", len(words)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += w
	}
	return text
}

func flatten(rows [][]float64) []float64 {
	var out []float64
	for _, r := range rows {
		out = append(out, r...)
	}
	return out
}

// rowsOf copies a flat row-major matrix and cuts it into its rows.
func rowsOf(flat []float64, width int) [][]float64 {
	return cutRows(append([]float64(nil), flat...), width)
}

// cutRows cuts a flat row-major matrix into its rows, which keep its memory. None can grow into the next.
func cutRows(flat []float64, width int) [][]float64 {
	if width == 0 { // of a model that was not fitted
		return nil
	}
	out := make([][]float64, len(flat)/width)
	for i := range out {
		out[i] = flat[i*width : (i+1)*width : (i+1)*width]
	}
	return out
}

func transpose(a []float64, rows, cols int) []float64 {
	out := make([]float64, len(a))
	for i := range rows {
		for j := range cols {
			out[j*rows+i] = a[i*cols+j]
		}
	}
	return out
}

func logs(p []float64) []float64 {
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = ln(v)
	}
	return out
}
