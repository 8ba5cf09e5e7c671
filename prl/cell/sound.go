package cell

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// Limits of what a Sound holds: an output of a cell stays small.
const (
	leastRate, mostRate = 1000, 48000
	mostSound           = 400000 // samples of all players of a block
)

// A Sound is a row of players, one a sound, below the cell. It is a value: every method returns a changed copy. The samples stand in the
// page itself as a WAV of 8 bits, one channel, so that nothing is fetched: a second at 8000 Hz is 11 kB of an output.
type Sound struct {
	players []player
	title   string
	err     error
}

type player struct {
	name string
	rate int
	wave []byte // 128 is silence
}

// NewSound returns a player of samples, rate of them a second. They are centred and brought to the loudest that 8 bits hold, so their mean
// and scale cannot be heard; silence stays silent. Errors, reported by Show: a rate outside 1000 ... 48000, no samples, samples that are
// not finite, more than 400,000 of them.
func NewSound(samples []float64, rate int) Sound { return Sound{}.And("", samples, rate) }

// And returns s with a player for one more sound.
func (s Sound) And(name string, samples []float64, rate int) Sound {
	if s.err != nil {
		return s
	}
	wave, err := eightBits(samples, rate)
	if err != nil {
		s.err = err
		return s
	}
	s.players = append(s.players[:len(s.players):len(s.players)], player{name, rate, wave})
	all := 0
	for _, p := range s.players {
		all += len(p.wave)
	}
	if all > mostSound {
		s.err = fault.Argument("Sound", "samples", fmt.Sprintf("%d in all", all), fmt.Sprintf("at most %d", mostSound),
			"8000 samples a second are enough for voices")
	}
	return s
}

// Name returns s with a name for its last player, by which it is announced.
func (s Sound) Name(name string) Sound {
	if n := len(s.players); n > 0 {
		s.players = append([]player(nil), s.players...)
		s.players[n-1].name = name
	}
	return s
}

// Title returns s with a heading.
func (s Sound) Title(title string) Sound { s.title = title; return s }

// eightBits returns samples as bytes about 128, the loudest 127 away from it.
func eightBits(samples []float64, rate int) ([]byte, error) {
	const who = "Sound"
	if rate < leastRate || rate > mostRate {
		return nil, fault.Argument(who, "rate", rate, fmt.Sprintf("%d to %d samples a second", leastRate, mostRate), "8000 is enough for voices")
	}
	if len(samples) == 0 || len(samples) > mostSound {
		return nil, fault.Argument(who, "samples", fmt.Sprintf("%d numbers", len(samples)), fmt.Sprintf("1 to %d", mostSound), "")
	}
	share, mean, loudest := 1/float64(len(samples)), 0.0, 0.0
	for i, v := range samples {
		if v-v != 0 {
			return nil, fault.Argument(who, fmt.Sprintf("samples[%d]", i), v, "a finite number", "")
		}
		mean += v * share
	}
	for _, v := range samples {
		loudest = max(loudest, math.Abs(v-mean))
	}
	wave := make([]byte, len(samples))
	for i := range wave {
		wave[i] = 128
	}
	if loudest > 0 && loudest-loudest == 0 {
		for i, v := range samples {
			wave[i] = byte(128.5 + 127*((v-mean)/loudest)) // rounds: all is above 1
		}
	}
	return wave, nil
}

// address is the player's sound as a data address: the 44 bytes of a WAV header and the samples.
func (p player) address() string {
	padded := len(p.wave) + len(p.wave)%2
	b := make([]byte, 44, 44+padded)
	copy(b, "RIFF")
	binary.LittleEndian.PutUint32(b[4:], uint32(36+padded))
	copy(b[8:], "WAVEfmt ")
	binary.LittleEndian.PutUint32(b[16:], 16)
	binary.LittleEndian.PutUint16(b[20:], 1) // numbers as they are
	binary.LittleEndian.PutUint16(b[22:], 1) // one channel
	binary.LittleEndian.PutUint32(b[24:], uint32(p.rate))
	binary.LittleEndian.PutUint32(b[28:], uint32(p.rate)) // bytes a second
	binary.LittleEndian.PutUint16(b[32:], 1)              // bytes a sample
	binary.LittleEndian.PutUint16(b[34:], 8)
	copy(b[36:], "data")
	binary.LittleEndian.PutUint32(b[40:], uint32(len(p.wave)))
	b = append(b, p.wave...)
	if padded > len(p.wave) {
		b = append(b, 128)
	}
	return "data:audio/wav;base64," + base64.StdEncoding.EncodeToString(b)
}

// caption stands above a player, and in the place of one on paper: "voice 1, 1.0 s".
func (p player) caption() string {
	if p.name == "" {
		return fmt.Sprintf("%.1f s", p.seconds())
	}
	return fmt.Sprintf("%s, %.1f s", p.name, p.seconds())
}

func (p player) seconds() float64 { return float64(len(p.wave)) / float64(p.rate) }

// describe is what a reader without sound reads: "voice 1: a sound of 1.0 s".
func (p player) describe() string {
	text := fmt.Sprintf("a sound of %.1f s", p.seconds())
	if p.name == "" {
		return text
	}
	return p.name + ": " + text
}

// Players returns the names of the players in their order.
func (s Sound) Players() (names []string) {
	for _, p := range s.players {
		names = append(names, p.name)
	}
	return names
}

// Heard returns the samples that a player, counted from 0, plays, from -1 to 1, and their number a second. A player that is not there fails
// the cell.
func (s Sound) Heard(player int) (samples []float64, rate int) {
	if s.err == nil && (player < 0 || player >= len(s.players)) {
		s.err = fault.Argument("Sound.Heard", "player", player, fmt.Sprintf("from 0 to %d", len(s.players)-1), "")
	}
	if s.err != nil {
		Fail(s.err)
		return nil, 0
	}
	p := s.players[player]
	for _, b := range p.wave {
		samples = append(samples, (float64(b)-128)/127)
	}
	return samples, p.rate
}

// Show displays the players, and ends the cell when a sound could not be made.
func (s Sound) Show() {
	if s.err != nil {
		Fail(s.err)
		return
	}
	if r := recording.Load(); r != nil {
		r.Sounds = append(r.Sounds, s)
	}
	Display(s.bundle())
}

func (s Sound) bundle() Bundle {
	var page strings.Builder
	var lines []string
	page.WriteString(`<div class="prl-sound" style="display:flex; flex-wrap:wrap; gap:10px 18px; margin:8px 0; font:14px sans-serif">`)
	if s.title != "" {
		page.WriteString(`<strong style="flex-basis:100%">` + Escape(s.title) + `</strong>`)
		lines = append(lines, s.title)
	}
	for _, p := range s.players {
		page.WriteString(`<figure style="margin:0"><figcaption style="margin:0 0 3px">` + Escape(p.caption()) +
			`</figcaption><audio controls preload="none" style="width:230px; height:36px" aria-label="` + Escape(p.describe()) + `" src="` +
			p.address() + `"></audio></figure>`)
		lines = append(lines, p.describe())
	}
	page.WriteString(`</div>`)
	return Bundle{HTML: page.String(), Text: strings.Join(lines, "\n")}
}
