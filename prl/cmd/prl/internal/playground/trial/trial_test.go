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
	const said = "w = 0.5\nb = 2\n✓ the sum: 1 against 1, |difference| 2.2×10⁻¹⁶ ≤ 10⁻¹²\n✓ both\n"
	if e := (End{Code: &well, Said: said}); e.Differs(outputs) != "" || !e.Exact(outputs) {
		t.Errorf("the same: %q", e.Differs(outputs))
	}
	near := End{Code: &well, Said: "w = 0.5\nb = 2\n✓ the sum: 1 against 1, |difference| 10⁻¹⁶ ≤ 10⁻¹²\n✓ both\n"}
	if near.Differs(outputs) != "" || near.Exact(outputs) {
		t.Errorf("another rounding error: %q", near.Differs(outputs))
	}
	for want, e := range map[string]End{
		"cell a, line 1: undefined: x":        {Fault: "cell a, line 1: undefined: x"},
		"it was stopped":                      {Said: said},
		"it ends with status 1: ✗ no":         {Code: &badly, Said: "✗ no"},
		"it does not write: ✓ both":           {Code: &well, Said: said[:len(said)-len("✓ both\n")]},
		"it also writes: more":                {Code: &well, Said: said + "more"},
		"it writes: v = #; in the lab: w = #": {Code: &well, Said: "v" + said[1:]},
	} {
		if got := e.Differs(outputs); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
