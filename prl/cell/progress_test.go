package cell

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// shown gathers what a bar shows.
type shown struct {
	mu  sync.Mutex
	all []Bundle
	ids map[string]bool
}

func (s *shown) show(b Bundle, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, b)
	if s.ids == nil {
		s.ids = map[string]bool{}
	}
	s.ids[id] = true
}

func (s *shown) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}

// A bar comes, moves in its place, and goes.
func TestProgress(t *testing.T) {
	var s shown
	p := startProgress("fits <of>", 10, s.show, time.Millisecond)
	for until := time.Now().Add(10 * time.Second); s.count() == 0 && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
	p.Step()
	for until := time.Now().Add(10 * time.Second); s.count() < 2 && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
	p.Done()
	n := len(s.all)
	if n < 3 || len(s.ids) != 1 {
		t.Fatalf("%d outputs in %d places", n, len(s.ids))
	}
	if first := s.all[0]; first.Text != "0 of 10 fits <of>" || !strings.Contains(first.HTML, `<progress max="10" value="0"`) ||
		!strings.Contains(first.HTML, "fits &lt;of&gt;") {
		t.Error(first)
	}
	if later := s.all[n-2]; !strings.HasPrefix(later.Text, "1 of 10 fits <of>, about ") {
		t.Error(later)
	}
	if s.all[n-1] != (Bundle{}) {
		t.Error("the bar stays:", s.all[n-1])
	}
}

// What is done before its bar is due, or nearly so, shows none; neither does a program that is no cell.
func TestNoProgress(t *testing.T) {
	var s shown
	startProgress("fits", 10, s.show, time.Hour).Done()
	p := startProgress("fits", 10, s.show, 20*time.Millisecond)
	for range 10 {
		p.Step()
	}
	time.Sleep(60 * time.Millisecond)
	p.Done()
	if s.all != nil {
		t.Error(s.all)
	}
	if p := NewProgress("fits", 10); p != nil {
		t.Error("a bar outside of a kernel")
	}
	none := (*Progress)(nil)
	none.Step()
	none.Done()
}

func TestLasting(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1 s", 1400 * time.Millisecond: "1 s", 89 * time.Second: "89 s", 90 * time.Second: "2 min",
		89 * time.Minute: "89 min", 5 * time.Hour: "5 h",
	} {
		if got := lasting(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
