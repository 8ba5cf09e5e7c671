package cell

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// waves reads the sounds of a block back.
func waves(t *testing.T, page string) (found [][]byte) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Data != "audio" {
			continue
		}
		for _, a := range n.Attr {
			if text, ok := strings.CutPrefix(a.Val, "data:audio/wav;base64,"); a.Key == "src" && ok {
				b, err := base64.StdEncoding.DecodeString(text)
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, b)
			}
		}
	}
	return found
}

func TestSoundIsAWave(t *testing.T) {
	samples := make([]float64, 801)
	for i := range samples {
		samples[i] = 3 + 5*math.Sin(2*math.Pi*float64(i)/80)
	}
	shown := Capture(func() {
		NewSound(samples, 8000).Name("a <tone>").And("silence", make([]float64, 10), 4000).Title("Two").Show()
	})
	list := waves(t, shown.HTML())
	if len(list) != 2 {
		t.Fatalf("%d sounds in %.200s", len(list), shown.HTML())
	}
	b := list[0]
	word := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	if string(b[:4]) != "RIFF" || string(b[8:16]) != "WAVEfmt " || string(b[36:40]) != "data" || word(4) != len(b)-8 || word(24) != 8000 ||
		word(28) != 8000 || word(40) != 801 {
		t.Errorf("header % x", b[:44])
	}
	if len(b)%2 != 0 {
		t.Error("a chunk of odd length is not padded")
	}
	for i, v := range b[44 : 44+801] {
		if want := 128 + 127*math.Sin(2*math.Pi*float64(i)/80); math.Abs(float64(v)-want) > 1.5 { // half a step, and the mean of 801 samples
			t.Fatalf("sample %d is %d, want %v", i, v, want)
		}
	}
	for _, v := range list[1][44:] {
		if v != 128 {
			t.Errorf("silence is %d", v)
		}
	}
	if text := shown.Text(); text != "Two\na <tone>: a sound of 0.1 s\nsilence: a sound of 0.0 s" {
		t.Errorf("text %q", text)
	}
	if strings.Contains(shown.HTML(), "<tone>") {
		t.Error("a name is not escaped")
	}
}

func TestSoundErrors(t *testing.T) {
	for what, s := range map[string]Sound{
		"rate":      NewSound([]float64{1, 2}, 10),
		"empty":     NewSound(nil, 8000),
		"NaN":       NewSound([]float64{1, math.NaN()}, 8000),
		"too long":  NewSound(make([]float64, mostSound+1), 8000),
		"too many":  NewSound(make([]float64, mostSound), 8000).And("more", []float64{1}, 8000),
		"the first": NewSound(nil, 8000).And("fine", []float64{1, 2}, 8000),
	} {
		if shown := Capture(s.Show); !shown.Failed {
			t.Errorf("%s: no error", what)
		}
	}
}

// What is heard is the wave, centred and as loud as can be.
func TestSoundIsHeard(t *testing.T) {
	wave := []float64{3, 5, 3, 1}
	s := NewSound(wave, 8000).Name("a").And("b", []float64{0, 0}, 1000)
	heard, rate := s.Heard(0)
	if rate != 8000 || len(heard) != 4 || strings.Join(s.Players(), " ") != "a b" {
		t.Fatalf("%v at %d of %v", heard, rate, s.Players())
	}
	for i, v := range heard {
		if want := (wave[i] - 3) / 2; v < want-0.01 || v > want+0.01 {
			t.Errorf("sample %d is %v, want %v", i, v, want)
		}
	}
	if r := Capture(func() { s.Heard(2) }); !r.Failed || !strings.Contains(r.Text(), "from 0 to 1") {
		t.Errorf("a player that is not there: %s", r.Text())
	}
}
