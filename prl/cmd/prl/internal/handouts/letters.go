package handouts

import "bytes"

// alphabet are the characters that a script of type text/plain keeps as they are, one byte each: all of ASCII but NUL, the carriage return
// and the sign that can begin a tag.
var alphabet = func() (a []byte) {
	for c := range byte(128) {
		if c != 0 && c != '\r' && c != '<' {
			a = append(a, c)
		}
	}
	return a
}()

// letters writes data in the characters of the alphabet, 15 % longer than they are where base64 makes them 33 % longer. Two characters
// stand for 13 bits, or for 14 where the 13 lowest are a small number (as in basE91 of J. Henke, with 125 characters in place of 91). The
// engine of the figures' runtime reads it.
func letters(data []byte) []byte {
	n := len(alphabet)
	spare := n*n - 1<<13 // pairs beyond 13 bits
	var out bytes.Buffer
	out.Grow(len(data)*23/20 + 2)
	put := func(v int) {
		out.WriteByte(alphabet[v%n])
		out.WriteByte(alphabet[v/n])
	}
	queue, bits := 0, 0
	for _, b := range data {
		queue |= int(b) << bits
		bits += 8
		if bits < 14 {
			continue
		}
		v, taken := queue&(1<<13-1), 13
		if v < spare {
			v, taken = queue&(1<<14-1), 14
		}
		put(v)
		queue >>= taken
		bits -= taken
	}
	switch { // what is left over, such that the reader finds no byte too many
	case bits > 7 || queue >= n:
		put(queue)
	case bits > 0:
		out.WriteByte(alphabet[queue])
	}
	return out.Bytes()
}
