package cell

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
)

// A seal holds the answer of an exercise so that it can be recognised and not read: a hash that is slow to compute, with salt. With it are
// words for typical wrong answers, which only those answers open, and hints, which are merely out of sight. A seal keeps an answer from
// being read in a page, a notebook or an archive; somebody with a program and an evening can search for it.
type seal struct {
	id    string
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

// candidates returns the forms of an answer: a number is rounded to the grid, and its neighbours there count as well.
func (s seal) candidates(answer any) []string {
	switch v := answer.(type) {
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

func (s seal) digest(form string) digest {
	return derive(slow, "prl answer", s.id, strconv.FormatUint(s.salt, 16), form)
}

func (s seal) keyOf(form, use string) digest {
	return derive(slow, "prl "+use, s.id, strconv.FormatUint(s.salt, 16), form)
}

// judge tells whether an answer is right, in which form, and what is said of it when it is a wrong one that was foreseen.
func (s seal) judge(answer any) (form string, right bool, word string) {
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

func (s seal) hint(i int) string { return hide(s.keyOf(strconv.Itoa(i), "hint"), s.hints[i]) }

// makeSeal seals an answer, a float64 with a step above 0 or a string.
func makeSeal(id string, salt uint64, answer any, step float64, wrong []mistake, hints []string) (seal, error) {
	s := seal{id: id, step: step, salt: salt}
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
		if _, right, _ := s.judge(m.answer); right {
			return s, fmt.Errorf("the wrong answer %v is within the tolerance of the right one", m.answer)
		}
		forms := s.candidates(m.answer)
		if forms == nil {
			return s, fmt.Errorf("the wrong answer %v is of another kind than the right one", m.answer)
		}
		s.wrong = append(s.wrong, sealedWord{s.digest(forms[0]), hide(s.keyOf(forms[0], "word"), m.word)})
	}
	for i, h := range hints {
		s.hints = append(s.hints, hide(s.keyOf(strconv.Itoa(i), "hint"), h))
	}
	return s, nil
}

var base = base64.RawStdEncoding

// String returns the seal on one line: id, step, salt, answer, then words and hints, parted by blanks.
func (s seal) String() string {
	fields := []string{s.id, strconv.FormatFloat(s.step, 'g', -1, 64), strconv.FormatUint(s.salt, 16), base.EncodeToString(s.right[:])}
	for _, w := range s.wrong {
		fields = append(fields, "w"+base.EncodeToString(append(w.answer[:], w.word...)))
	}
	for _, h := range s.hints {
		fields = append(fields, "h"+base.EncodeToString([]byte(h)))
	}
	return strings.Join(fields, " ")
}

func parseSeal(text string) (seal, error) {
	var s seal
	fields := strings.Fields(text)
	bad := func(what string) (seal, error) {
		return seal{}, fmt.Errorf("the seal of an exercise is damaged: %s", what)
	}
	if len(fields) < 4 {
		return bad("it ends too soon")
	}
	s.id = fields[0]
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

// seals are those of the notebook, by the id of the exercise.
var seals struct {
	sync.Mutex
	byID map[string]seal
	err  error
}

// Seals makes the seals of a notebook known, one line an exercise. The verb seal of the command writes them; a notebook has one cell
//
//	var _ = prl.Seals(`...`)
func Seals(lines string) int {
	seals.Lock()
	defer seals.Unlock()
	seals.byID = map[string]seal{}
	for l := range strings.Lines(lines) {
		if strings.TrimSpace(l) == "" {
			continue
		}
		s, err := parseSeal(l)
		if err != nil {
			seals.err = err
			continue
		}
		seals.byID[s.id] = s
	}
	return len(seals.byID)
}

func sealOf(id string) (seal, bool) {
	seals.Lock()
	defer seals.Unlock()
	s, ok := seals.byID[id]
	return s, ok
}
