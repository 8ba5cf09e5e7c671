package cell

import (
	"strconv"
	"strings"
)

// Suggest returns `did you mean "versicolor"?` when a known word is close to word, and "" otherwise. Closeness is the count of letters to
// insert, delete, replace or swap (optimal string alignment), letter case aside; a third of the word may be wrong.
func Suggest(word string, known []string) string {
	best, least := "", len([]rune(word))/3+2
	for _, k := range known {
		if max(len(word), len(k)) > longestWord {
			continue
		}
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		for _, k := range known {
			if len(word) >= 2 && strings.HasPrefix(strings.ToLower(k), strings.ToLower(word)) {
				best = k
				break
			}
		}
	}
	if best == "" {
		return ""
	}
	return "did you mean " + strconv.Quote(best) + "?"
}

// longestWord keeps the count of letters, which takes the product of two lengths, short. What is longer is no word.
const longestWord = 1000

func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before := make([]int, len(t)+1) // row i-2
	above := make([]int, len(t)+1)  // row i-1
	row := make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(t)]
}
