package cell

import (
	"strings"
	"testing"
)

// An observer hears every outcome, and nothing else happens: a red check does not end the program.
func TestObserve(t *testing.T) {
	old, ended := exit, false
	exit = func(int) { ended = true }
	t.Cleanup(func() { exit, observer = old, nil })
	var heard []Outcome
	Observe(func(_ *Checker, o Outcome) { heard = append(heard, o) })
	shown := Capture(func() {
		Check("A-1", "one is two").Equal(1, 2)
		Remark("A-2:erratum", "a product").Near(6*7, 42, 0)
	})
	if len(shown.Shown) > 0 || ended {
		t.Errorf("shown %v, ended %v", shown.Shown, ended)
	}
	if len(heard) != 2 || heard[0].Holds || heard[0].ID != "A-1" || heard[0].Claim != "one is two" || heard[0].Remark {
		t.Fatalf("heard %+v", heard)
	}
	if o := heard[1]; !o.Holds || !o.Remark || !strings.Contains(o.Numbers, "42") {
		t.Errorf("the remark is %+v", o)
	}
}

// A remark has a sign of its own and is not counted as proved; a wrong one is as red as any check.
func TestRemark(t *testing.T) {
	right, wrong := line{"A-1:erratum", "a product", "42", true, true}, line{"", "a product", "41", false, true}
	proof := line{"A-2", "a theorem", "", true, false}
	if got := right.text(); got != "= A-1:erratum a product: 42" {
		t.Errorf("the text is %q", got)
	}
	html := (&board{lines: []line{proof, right, proof}}).html()
	if !strings.Contains(html, "<b>2 proved</b>") || !strings.Contains(html, `data-prl-check="A-1:erratum" data-prl-outcome="remark"`) {
		t.Errorf("two proofs and a remark: %s", html)
	}
	if html := (&board{lines: []line{right}}).html(); strings.Contains(html, "proved") {
		t.Errorf("a remark alone is proved: %s", html)
	}
	if html := (&board{lines: []line{proof, wrong}}).html(); !strings.Contains(html, "does not hold") {
		t.Errorf("a wrong remark is not red: %s", html)
	}
}

// A claim that several checks make stands once in the line of the claims, with their number.
func TestEqualClaims(t *testing.T) {
	same, other := line{"A-1", "the draw is fair", "0.5", true, false}, line{"A-2", "the end is red", "1", true, false}
	html := (&board{lines: []line{same, same, other, same}}).html()
	if !strings.Contains(html, "<b>4 proved</b> the draw is fair (3 times); the end is red</summary>") {
		t.Errorf("four checks: %s", html)
	}
}
