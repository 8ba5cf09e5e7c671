// Package seal hides the answers of exercises so that a notebook can recognise them and nobody reads them in it.
package seal

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A Seal holds the answer of an exercise so that it can be recognised and not read: a hash that is slow to compute, with salt. With it are
// words for typical wrong answers, which only those answers open, and hints, which are merely out of sight. A seal keeps an answer from
// being read in a page, a notebook or an archive, and not from being searched for: a program tries a choice of five in a hundredth of a
// second, and a thousand numbers in two seconds. A withheld one holds nothing at all.
type Seal struct {
	ID       string
	Withheld bool // the program that collects the answers judges them

	step  float64 // numbers are rounded to multiples of it; 0 for text
	salt  uint64
	right digest
	wrong []sealedWord
	hints []string // as they are stored
}

type digest [32]byte

// A sealedWord is what is said of one wrong answer.
type sealedWord struct {
	answer digest
	word   string // as it is stored
}

// slow is how often a digest is made over: a few thousandths of a second for one answer.
const slow = 10000

// derive returns a digest of words that depends on every bit of them. It absorbs 24 bytes at a time into the seed of ChaCha8.
func derive(rounds int, words ...string) digest {
	var d digest
	absorb := func(block []byte) {
		for i, b := range block {
			d[i] ^= b
		}
		stream := rand.NewChaCha8(d)
		for i := 0; i < len(d); i += 8 {
			binary.LittleEndian.PutUint64(d[i:], stream.Uint64())
		}
	}
	for _, w := range words {
		absorb(binary.LittleEndian.AppendUint64(nil, uint64(len(w))))
		for len(w) > 0 {
			n := min(len(w), 24)
			absorb([]byte(w[:n]))
			w = w[n:]
		}
	}
	for range rounds {
		absorb(nil)
	}
	return d
}

// hide mixes text with a key stream; a second time brings it back.
func hide(key digest, text string) string {
	stream := rand.NewChaCha8(key)
	out := []byte(text)
	for i := range out {
		out[i] ^= byte(stream.Uint64())
	}
	return string(out)
}

// normal is the form of a text answer that counts: small letters, single blanks.
func normal(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

func gridded(v, step float64) string { return strconv.FormatFloat(math.Round(v/step), 'f', 0, 64) }

// mostTogether is how many numbers may be sealed together: 3 to this power forms are tried.
const mostTogether = 4

// candidates returns the forms of an answer: a number is rounded to the grid, and its neighbours there count as well. Of numbers that are
// sealed together each is, and all neighbours count.
func (s Seal) candidates(answer any) []string {
	switch v := answer.(type) {
	case []float64:
		if len(v) == 0 || len(v) > mostTogether {
			return nil
		}
		all := []string{""}
		for i, x := range v {
			each := s.candidates(x)
			if each == nil {
				return nil
			}
			var longer []string
			for _, before := range all {
				for _, form := range each {
					if i > 0 {
						form = before + "," + form
					}
					longer = append(longer, form)
				}
			}
			all = longer
		}
		return all
	case float64:
		if s.step == 0 || v-v != 0 {
			return nil
		}
		return []string{gridded(v, s.step), gridded(v-s.step, s.step), gridded(v+s.step, s.step)}
	case string:
		if s.step != 0 {
			return nil
		}
		return []string{normal(v)}
	}
	return nil
}

func (s Seal) digest(form string) digest {
	return derive(slow, "prl answer", s.ID, strconv.FormatUint(s.salt, 16), form)
}

func (s Seal) keyOf(form, use string) digest {
	return derive(slow, "prl "+use, s.ID, strconv.FormatUint(s.salt, 16), form)
}

// Judge reports whether an answer is right, in which form, and what is said of it when it is a wrong one that was foreseen.
func (s Seal) Judge(answer any) (form string, right bool, word string) {
	for _, form := range s.candidates(answer) {
		d := s.digest(form)
		if d == s.right {
			return form, true, ""
		}
		for _, w := range s.wrong {
			if w.answer == d {
				return form, false, hide(s.keyOf(form, "word"), w.word)
			}
		}
	}
	return "", false, ""
}

// Hints are the hints, in the order in which they open.
func (s Seal) Hints() (all []string) {
	for i, h := range s.hints {
		all = append(all, hide(s.keyOf(strconv.Itoa(i), "hint"), h))
	}
	return all
}

// Salt is what makes the seal another than that of the same answer elsewhere.
func (s Seal) Salt() uint64 { return s.salt }

// Code is what a student shows to whom the answer of this form is known. It is no proof of work: anybody who knows the answer can make
// it for any name.
func (s Seal) Code(form, student string) string { return CodeOf(s.keyOf(form, "code"), student) }

// Make seals an answer, a float64 with a step above 0 or a string.
func Make(id string, salt uint64, answer any, step float64, wrong []Mistake, hints []string) (Seal, error) {
	s := Seal{ID: id, step: step, salt: salt}
	form := s.candidates(answer)
	if form == nil {
		return s, fmt.Errorf(
			"the answer is %v with a step of %v, but needs to be a finite number with a step above 0, or a text with none",
			answer,
			step,
		)
	}
	s.right = s.digest(form[0])
	for _, m := range wrong {
		if _, right, _ := s.Judge(m.Answer); right {
			return s, fmt.Errorf("the wrong answer %v is within the tolerance of the right one", m.Answer)
		}
		forms := s.candidates(m.Answer)
		if forms == nil {
			return s, fmt.Errorf("the wrong answer %v is of another kind than the right one", m.Answer)
		}
		s.wrong = append(s.wrong, sealedWord{s.digest(forms[0]), hide(s.keyOf(forms[0], "word"), m.Word)})
	}
	for i, h := range hints {
		s.hints = append(s.hints, hide(s.keyOf(strconv.Itoa(i), "hint"), h))
	}
	return s, nil
}

// withheld stands in the place of all that a seal holds.
const withheld = "withheld"

var base = base64.RawStdEncoding

// String returns the seal on one line: id, step, salt, answer, then words and hints, parted by blanks.
func (s Seal) String() string {
	if s.Withheld {
		return s.ID + " " + withheld
	}
	fields := []string{s.ID, strconv.FormatFloat(s.step, 'g', -1, 64), strconv.FormatUint(s.salt, 16), base.EncodeToString(s.right[:])}
	for _, w := range s.wrong {
		fields = append(fields, "w"+base.EncodeToString(append(w.answer[:], w.word...)))
	}
	for _, h := range s.hints {
		fields = append(fields, "h"+base.EncodeToString([]byte(h)))
	}
	return strings.Join(fields, " ")
}

// Parse reads a seal on one line.
func Parse(text string) (Seal, error) {
	var s Seal
	fields := strings.Fields(text)
	bad := func(what string) (Seal, error) {
		return Seal{}, fmt.Errorf("the seal of an exercise is damaged: %s", what)
	}
	if len(fields) == 2 && fields[1] == withheld {
		return Seal{ID: fields[0], Withheld: true}, nil
	}
	if len(fields) < 4 {
		return bad("it ends too soon")
	}
	s.ID = fields[0]
	var err error
	if s.step, err = strconv.ParseFloat(fields[1], 64); err != nil || !(s.step >= 0) || math.IsInf(s.step, 0) {
		return bad("its step is no number")
	}
	if s.salt, err = strconv.ParseUint(fields[2], 16, 64); err != nil {
		return bad("its salt is no number")
	}
	right, err := base.DecodeString(fields[3])
	if err != nil || len(right) != len(s.right) {
		return bad("its answer is cut short")
	}
	copy(s.right[:], right)
	for _, f := range fields[4:] {
		data, err := base.DecodeString(f[1:])
		switch {
		case err != nil:
			return bad("a word is cut short")
		case f[0] == 'w' && len(data) >= 32:
			w := sealedWord{word: string(data[32:])}
			copy(w.answer[:], data)
			s.wrong = append(s.wrong, w)
		case f[0] == 'h':
			s.hints = append(s.hints, string(data))
		default:
			return bad("a word is of no known kind")
		}
	}
	return s, nil
}

// A Mistake is a typical wrong answer and what is said of it.
type Mistake struct {
	Answer any
	Word   string
}

// Find is the seal of an exercise among lines with seals.
func Find(lines, id string) (Seal, bool) {
	for l := range strings.Lines(lines) {
		if s, err := Parse(l); err == nil && s.ID == id {
			return s, true
		}
	}
	return Seal{}, false
}

// Draw is a stream of random numbers that belongs to words.
func Draw(words ...string) *rand.Rand { return rand.New(rand.NewChaCha8(derive(1, words...))) }

// CodeOf writes eight characters that are not easily mistaken for each other, and belong to a key and a name.
func CodeOf(key [32]byte, name string) string {
	const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
	d := derive(1, "prl code", string(key[:]), name)
	var b strings.Builder
	for i := range 8 {
		if i == 4 {
			b.WriteByte('-')
		}
		b.WriteByte(letters[d[i]&31])
	}
	return b.String()
}
