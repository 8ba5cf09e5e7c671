package trial

import (
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// A cell ends as in the lab if its words and its status are the same; figures and rounding errors do not count.
func TestDiffers(t *testing.T) {
	n, err := notebook.Parse([]byte(`{"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "source": "", "outputs": [
		{"output_type": "stream", "name": "stdout", "text": ["w = 0.5\n", "b = 2\n"]},
		{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<img data-prl-figure=x>", "text/plain": "A curve."}},
		{"output_type": "display_data", "metadata": {}, "data": {"text/plain": [
			"✓ the sum: 1 against 1, |difference| 2.2×10⁻¹⁶ ≤ 10⁻¹²\n", "✓ both"
		]}}
	]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	outputs := n.Cells[0].Outputs()
	well, badly := 0, 1
	wrote := Output{Stream: "w = 0.5\nb = 2\n"}
	curve := Output{HTML: "<img data-prl-spec=x>", Text: "A curve."}
	proofs := func(difference string) Output {
		return Output{HTML: "<details>", Text: "✓ the sum: 1 against 1, |difference| " + difference + " ≤ 10⁻¹²\n✓ both"}
	}
	all := []Output{wrote, curve, proofs("2.2×10⁻¹⁶")}
	if e := (End{Code: &well, Outputs: all}); e.Differs(outputs) != "" || !e.Exact(outputs) {
		t.Errorf("the same: %q", e.Differs(outputs))
	}
	if e := (End{Code: &well, Outputs: []Output{curve, proofs("0"), wrote}}); e.Differs(outputs) != "" {
		t.Errorf("printed last, as the page shows it: %q", e.Differs(outputs))
	}
	near := End{Code: &well, Outputs: []Output{wrote, proofs("10⁻¹⁶")}}
	if near.Differs(outputs) != "" || near.Exact(outputs) {
		t.Errorf("another rounding error: %q", near.Differs(outputs))
	}
	for want, e := range map[string]End{
		"cell a, line 1: undefined: x":        {Fault: "cell a, line 1: undefined: x"},
		"it was stopped":                      {Outputs: all},
		"it ends with status 1: ✗ no":         {Code: &badly, Outputs: []Output{{Stream: "✗ no"}}},
		"it does not write: ✓ both":           {Code: &well, Outputs: []Output{wrote, {Text: "✓ the sum: 1 against 1, |difference| 0 ≤ 1"}}},
		"it also writes: more":                {Code: &well, Outputs: append(all[:3:3], Output{Text: "more"})},
		"it writes: v = #; in the lab: w = #": {Code: &well, Outputs: []Output{{Stream: "v = 1"}}},
	} {
		if got := e.Differs(outputs); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
