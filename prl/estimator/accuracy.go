package estimator

// Accuracy returns the share of the rows whose class is right: got holds the class that each row was given, want the class it has. A row
// without an entry in want counts as wrong; without rows the accuracy is 0.
func Accuracy(got, want []int) float64 {
	right := 0
	for i, c := range got {
		if i < len(want) && c == want[i] {
			right++
		}
	}
	return float64(right) / float64(max(len(got), 1))
}
