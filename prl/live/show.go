package live

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
)

// shown counts the live figures of the program, which is a cell.
var shown atomic.Int64

// show displays the figure as it begins, with what its function shows below. The function runs twice, the second time with other values,
// and the cell fails when it does not ask for the same inputs then. What fails at the beginning fails the cell.
func (g *Figure) show() {
	page := &Figure{f: g.f}
	begins := page.draw(nil, false, func(f *plotting.Figure) error { return f.Err() })
	if begins.figure == nil {
		begins.Recording.Show()
		return
	}
	if err := page.again(begins.inputs); err != nil {
		cell.Fail(err)
		return
	}
	figure := begins.figure
	if g.frames != 0 {
		figure = g.slides(begins)
	}
	var picture cell.Bundle
	about := `{"cell":"","n":` + strconv.FormatInt(shown.Add(1)-1, 10) + `,"inputs":` + describe(begins.inputs) + `}`
	drawn := cell.Capture(func() {
		var err error
		picture, err = figure.Output(`data-prl-live="` + cell.Escape(about) + `"` + module())
		cell.Must(0, err)
	})
	if drawn.Failed {
		drawn.Show()
		return
	}
	text := strings.TrimSuffix(picture.Text+"\n"+begins.Text(), "\n")
	cell.Recording{
		Shown: []cell.Bundle{{
			HTML: `<div class="prl-live">` + picture.HTML + `<div class="prl-live-out">` + begins.HTML() + `</div></div>`,
			Text: text,
		}},
		Failed: begins.Failed,
	}.Show()
}

// again calls the function with other values, and returns an error when it asks for other inputs than before, or panics.
func (g *Figure) again(first []input) (err error) {
	given := others(first)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("prl.Live: the function panics when a reader has moved its inputs: %v", p)
		}
	}()
	moved := g.draw(given, false, func(f *plotting.Figure) error { return f.Err() })
	return same(first, moved.inputs, moved.figure != nil)
}

// slides returns the figure with the stops of its first slider as frames.
func (g *Figure) slides(begins drawing) *plotting.Figure {
	const least, most = 2, 100
	if g.frames < least || g.frames > most {
		return plotting.Fault(fmt.Errorf("Frames: %d stops, but needs to be %d ... %d", g.frames, least, most))
	}
	at := slices.IndexFunc(begins.inputs, func(i input) bool { return i.kind == slider })
	if at < 0 {
		return plotting.Fault(errors.New("Frames: the figure has no slider; frames are the stops of one"))
	}
	i := begins.inputs[at]
	stops := i.stops(g.frames)
	start, drawn := 0, map[float64]*plotting.Figure{i.value: begins.figure}
	page := &Figure{f: g.f}
	var kept []float64
	for _, v := range stops {
		if drawn[v] == nil {
			given := make([]value, at+1)
			given[at] = value{kind: isNumber, number: v}
			drawn[v] = page.draw(given, false, func(f *plotting.Figure) error { return f.Err() }).figure
		}
		if drawn[v] == nil {
			continue // the figure cannot be drawn there
		}
		if v == i.value {
			start = len(kept)
		}
		kept = append(kept, v)
	}
	return plotting.Slide(i.name, kept, func(v float64) *plotting.Figure { return drawn[v] }).Start(start)
}

// stops returns k places of a slider, evenly spaced, of which the nearest to the beginning is moved there.
func (i *input) stops(k int) []float64 {
	list := make([]float64, k)
	nearest := 0
	place := func(v float64) float64 {
		if i.log {
			return math.Log(v/i.lo) / math.Log(i.hi/i.lo)
		}
		return (v - i.lo) / (i.hi - i.lo)
	}
	for j := range list {
		t := float64(j) / float64(k-1)
		list[j] = i.lo + t*(i.hi-i.lo)
		if i.log {
			list[j] = i.lo * math.Pow(i.hi/i.lo, t)
		}
		list[j] = i.stop(list[j])
		if math.Abs(place(list[j])-place(i.value)) < math.Abs(place(list[nearest])-place(i.value)) {
			nearest = j
		}
	}
	list[nearest] = i.value
	slices.Sort(list)
	return slices.Compact(list)
}
