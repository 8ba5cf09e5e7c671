package live

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
)

// The figure answers a prediction that was made, and again when the answer changes.
func TestPredict(t *testing.T) {
	g := New(func(in *Inputs) *plotting.Figure {
		ask := in.Predict("Which side sinks?", "left", "middle", "right")
		switch left := in.Slider("left", 0, 2); {
		case left > 1.5:
			ask.Answer("left")
		case left < 1:
			ask.Answer("right", "middle")
		default:
			ask.Answer()
		}
		return plotting.New(plotting.Points([]float64{0}, []float64{1})).Subtitle(fmt.Sprint(ask.Made()))
	})
	if first := g.Step("[]", false); strings.Contains(first, "predicted") || !strings.Contains(first, `"subtitle":"false"`) ||
		!strings.Contains(first, `{"kind":"predict","name":"Which side sinks?","words":["left","middle","right"]}`) {
		t.Errorf("before the prediction: %s", first)
	}
	for given, want := range map[string]string{
		"[0,2]":      `prl-yes\">As you predicted: left.<`,
		"[1,2]":      `prl-no\">You predicted middle. It is left.<`,
		"[0,0.5]":    `prl-no\">You predicted left. It is right or middle.<`,
		"[1,0.5]":    `prl-yes\">As you predicted: right or middle.<`,
		"[2,1]":      "You predicted right. Here the question has no answer.",
		"[7,2]":      `"html":""`,
		"[-1,2]":     `"html":""`,
		`["left",2]`: `"html":""`,
	} {
		if got := g.Step(given, false); !strings.Contains(strings.ReplaceAll(got, `\u003c`, "<"), want) {
			t.Errorf("%s: no %q in %s", given, want, got)
		}
	}
	for name, f := range map[string]func(in *Inputs){
		"two words":         func(in *Inputs) { in.Predict("q", "one") },
		"words that differ": func(in *Inputs) { in.Predict("q", "one", "one") },
		"none of the words": func(in *Inputs) { in.Predict("q", "one", "two").Answer("three") },
	} {
		r := cell.Capture(func() { f(new(Inputs)) })
		if !r.Failed || !strings.Contains(r.Text(), name) {
			t.Errorf("%s: failed %v, %s", name, r.Failed, r.Text())
		}
	}
}
