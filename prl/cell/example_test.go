package cell_test

import (
	"fmt"

	"github.com/prlab/prlab/prl/cell"
)

func ExampleNewTable() {
	cell.NewTable("rule", "risk").Row("Bayes", 0.138749).Row("threshold 1", 0.15865525).Row("always salmon", 0.3).Show()
	// Output:
	// rule             risk
	// ─────────────  ──────
	// Bayes          0.1387
	// threshold 1    0.1587
	// always salmon  0.3
}

func ExampleCheck() {
	cell.Check("CS-2.2-02", "the Bayes error is Phi(-1)").Near(0.15865525393, 0.15865525393145707, 1e-10)
	cell.Check("", "the log-likelihood rises").Increasing([]float64{-310.2, -300.5, -300.1}, 0)
	// Output:
	// ✓ CS-2.2-02 the Bayes error is Phi(-1): 0.158655 against 0.158655, |difference| 1.5×10⁻¹² ≤ 10⁻¹⁰
	// ✓ the log-likelihood rises: 3 numbers from −310.2 to −300.1, never a step back
}

func ExampleSuggest() {
	fmt.Println(cell.Suggest("petal lenght", []string{"sepal length", "petal length", "petal width"}))
	// Output: did you mean "petal length"?
}
