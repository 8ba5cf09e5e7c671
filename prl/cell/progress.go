//go:build !js

package cell

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// What is quick gets no bar, and one that is nearly done when its bar is due gets none either.
const (
	barAfter = time.Second
	barEvery = 250 * time.Millisecond
	barLeast = 500 * time.Millisecond
)

// A Progress is a bar below the cell for as long as something long goes on, for a reader who waits. It appears after a second, says how
// many of how many are done and about how long the rest will take, and leaves nothing behind. Outside a kernel, in one that nobody watches,
// and while outputs are recorded there is none. Its methods may be called from several goroutines, and of nil.
type Progress struct {
	what string
	of   int
	done atomic.Int64

	began   time.Time
	stop    chan struct{}
	stopped sync.WaitGroup
	show    func(b Bundle, id string) // replaced in tests
}

// NewProgress begins to watch so many of something: NewProgress("fits", 500).
func NewProgress(what string, of int) *Progress {
	if !InKernel() || recording.Load() != nil || os.Getenv("PRL_HEADLESS") == "1" {
		return nil
	}
	return startProgress(what, of, func(b Bundle, id string) { kernel.display(b, id) }, barAfter)
}

func startProgress(what string, of int, show func(Bundle, string), after time.Duration) *Progress {
	p := &Progress{what: what, of: of, began: time.Now(), stop: make(chan struct{}), show: show}
	p.stopped.Go(func() { p.watch(after) })
	return p
}

// Step says that one more is done.
func (p *Progress) Step() {
	if p != nil {
		p.done.Add(1)
	}
}

// Done takes the bar away, and returns when it is gone.
func (p *Progress) Done() {
	if p != nil {
		close(p.stop)
		p.stopped.Wait()
	}
}

// watch shows the bar from time to time until all is done.
func (p *Progress) watch(after time.Duration) {
	id, shown := "prl-progress-"+strconv.FormatInt(p.began.UnixNano(), 36), ""
	due := time.NewTimer(after)
	defer due.Stop()
	for {
		select {
		case <-p.stop:
			if shown != "" {
				p.show(Bundle{}, id)
			}
			return
		case <-due.C:
		}
		due.Reset(barEvery)
		done, left := p.rest()
		if shown == "" && done > 0 && left < barLeast {
			continue
		}
		if b := p.bar(done, left); b.HTML != shown {
			shown = b.HTML
			p.show(b, id)
		}
	}
}

// rest returns how many are done, and how long the others will take if they are like them.
func (p *Progress) rest() (done int, left time.Duration) {
	done = min(int(p.done.Load()), p.of)
	if done == 0 {
		return 0, 0
	}
	return done, time.Duration(float64(time.Since(p.began)) * float64(p.of-done) / float64(done))
}

func (p *Progress) bar(done int, left time.Duration) Bundle {
	text := fmt.Sprintf("%d of %d %s", done, p.of, p.what)
	if done > 0 {
		text += ", about " + lasting(left) + " left"
	}
	return Bundle{Text: text, HTML: fmt.Sprintf(`<div data-prl-progress="" style="margin:0.25em 0;font-variant-numeric:tabular-nums"><label>`+
		`<progress max="%d" value="%d" style="width:16em;vertical-align:middle;accent-color:#0072b2"></progress> %s</label></div>`,
		p.of, done, Escape(text))}
}

// lasting is a duration in the words of somebody who waits.
func lasting(d time.Duration) string {
	switch s := int(d.Round(time.Second) / time.Second); {
	case s < 1:
		return "1 s"
	case s < 90:
		return strconv.Itoa(s) + " s"
	case s < 90*60:
		return strconv.Itoa((s+30)/60) + " min"
	default:
		return strconv.Itoa((s+1800)/3600) + " h"
	}
}
