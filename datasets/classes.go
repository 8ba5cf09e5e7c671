package datasets

import (
	"math"
	"slices"
	"strings"
)

// coded numbers words in the order in which classes are; the empty word is a gap, -1.
func coded(values []string) (codes []int32, words []string) {
	c := column{codes: make([]int32, len(values))}
	index := map[string]int32{"": -1}
	for i, v := range values {
		k, known := index[v]
		if !known {
			k = int32(len(c.words))
			index[v], c.words = k, append(c.words, v)
		}
		c.codes[i] = k
	}
	c.kind = Nominal
	c = c.sorted()
	return c.codes, c.words
}

// wordOrder returns the places of words in the order in which classes are: numeric order when all are numbers, alphabetic order otherwise.
func wordOrder(words []string) []int32 {
	order, values := make([]int32, len(words)), make([]float64, len(words))
	numeric := true
	for k, w := range words {
		order[k] = int32(k)
		if numeric {
			v, how := decimal([]byte(w), false)
			values[k], numeric = v, how&notNumber == 0
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		if u, v := values[a], values[b]; numeric && u != v {
			if u < v {
				return -1
			}
			return 1
		}
		return strings.Compare(words[a], words[b])
	})
	return order
}

// classes turns the texts of labels into numbers 0 ... K-1. When all are numbers they count by their value, so that 1, 1.0 and +1 are one
// class, and stand in numeric order; everything else counts by its text and stands in alphabetic order.
func classes(labels []string) (y []int, names []string) {
	index := map[string]int{}
	var words []string
	for _, label := range labels {
		if _, known := index[label]; !known {
			index[label] = 0
			words = append(words, label)
		}
	}
	ordered := make([]string, len(words))
	for place, k := range wordOrder(words) {
		ordered[place] = words[k]
	}
	names, to := byValue(ordered)
	for k, word := range ordered {
		index[word] = to[k]
	}
	y = make([]int, len(labels))
	for i, label := range labels {
		y[i] = index[label]
	}
	return y, names
}

// byValue returns the names of classes for words in their order, and which class each of them is.
func byValue(words []string) (names []string, to []int) {
	texts := slices.Clone(words)
	for k, w := range words {
		text, ok := canonical(w)
		if !ok {
			texts = slices.Clone(words)
			break
		}
		texts[k] = text
	}
	to = make([]int, len(words))
	index := map[string]int{}
	for k, text := range texts {
		c, known := index[text]
		if !known {
			c = len(names)
			index[text], names = c, append(names, text)
		}
		to[k] = c
	}
	return names, to
}

// canonical returns a number as it is written with the fewest signs, and false for what is no number, or has leading zeros, as codes have.
func canonical(text string) (string, bool) {
	v, how := decimal([]byte(text), false)
	if how&(notNumber|padded) != 0 || math.IsInf(v, 0) {
		return text, false
	}
	if whole, zeros, point := strings.Cut(text, "."); point && whole != "" && strings.Trim(zeros, "0") == "" {
		text, how = whole, how&^fractional
	}
	if how&fractional == 0 && (v > exact || v < -exact) {
		return strings.TrimPrefix(text, "+"), true // float64 does not have it
	}
	return numberText(v), true
}

// worded returns c as a column of words: numbers and dates as they are written.
func (c column) worded() column {
	if c.kind == Nominal {
		return c
	}
	texts, known := make([]string, len(c.numbers)), map[float64]string{}
	for i, v := range c.numbers {
		if v == v {
			text, ok := known[v]
			if !ok {
				text = c.text(i)
				known[v] = text
			}
			texts[i] = text
		}
	}
	c.kind, c.numbers, c.unit = Nominal, nil, ""
	c.codes, c.words = coded(texts)
	return c
}
