package handouts

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// reader has the reader of the runtime's engine read texts, which NUL parts, and prints the bytes in hexadecimal digits, a line each.
const reader = `const fs = require("fs");
const engine = fs.readFileSync("../../../../../plotting/runtime/engine.js", "utf8");
const unpack = new Function("return " + /function unpack[\s\S]*?\n  }/.exec(engine)[0])();
for (const text of fs.readFileSync(0, "utf8").split("\0")) fs.writeSync(1, Buffer.from(unpack(text)).toString("hex") + "\n");`

// The page's engine reads what letters writes, with every end there is.
func TestLetters(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 20000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	cases := [][]byte{noise, {}, {200}, {255, 255}, make([]byte, 1000), bytes.Repeat([]byte{255}, 1001)}
	for i := range 200 {
		cases = append(cases, noise[i:2*i+1])
	}
	var texts []string
	for _, data := range cases {
		text := string(letters(data))
		if strings.ContainsAny(text, "\x00\r<") {
			t.Errorf("%q holds a character that a page changes", text)
		}
		texts = append(texts, text)
	}
	if n := len(texts[0]); n > len(noise)*1155/1000 {
		t.Errorf("%d bytes are %d letters", len(noise), n)
	}
	cmd := exec.Command("node", "-e", reader)
	cmd.Stdin = strings.NewReader(strings.Join(texts, "\x00"))
	got, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(got), "\n"), "\n") {
		if want := hex.EncodeToString(cases[i]); line != want {
			t.Errorf("%.40s... comes back as %.40s...", want, line)
		}
	}
}
