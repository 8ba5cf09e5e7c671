package live

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python is the machine's own, which the lab's is made of.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// unpacker has the runtime unpack what is given in hexadecimal digits, line by line.
const unpacker = `const fs = require("fs");
const text = fs.readFileSync("../../../../../plotting/runtime/lzma.js", "utf8").replace("export function", "return function");
const expand = new Function(text)();
for (const line of fs.readFileSync(0, "utf8").trim().split("\n")) {
	let out;
	try { out = Buffer.from(expand(new Uint8Array(Buffer.from(line, "hex")))).toString("hex"); } catch (err) { out = err.message; }
	fs.writeSync(1, out + "\n");
}`

func unpackAll(t *testing.T, all [][]byte) []string {
	t.Helper()
	var lines []string
	for _, data := range all {
		lines = append(lines, hex.EncodeToString(data))
	}
	cmd := exec.Command("node", "-e", unpacker)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// The runtime unpacks what is packed for pages: noise, text, runs, bytes that repeat from near and from far, and nothing at all.
func TestPressed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 70000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	source, err := os.ReadFile("module.go")
	if err != nil {
		t.Fatal(err)
	}
	records := bytes.Clone(source) // which differ from one another in single bytes
	for range 30 {
		next := bytes.Clone(source[:2000])
		next[rng.IntN(len(next))]++
		records = append(records, next...)
	}
	far := append(append(bytes.Clone(noise), make([]byte, 300000)...), noise...)
	var cases, packed [][]byte
	for _, data := range [][]byte{{}, {7}, noise, source, records, far, bytes.Repeat([]byte("ab"), 1000)} {
		one, err := Pressed(t.Context(), python(t), data)
		if err != nil {
			t.Fatal(err)
		}
		cases, packed = append(cases, data), append(packed, one)
	}
	for i, got := range unpackAll(t, packed) {
		if got != hex.EncodeToString(cases[i]) {
			t.Errorf("%d bytes come back as %d others", len(cases[i]), len(got)/2)
		}
	}

	// Damaged bytes end, as others or with an error.
	text := packed[3]
	for i := range 20 {
		damaged := bytes.Clone(text)
		damaged[14+i*(len(text)-14)/20] ^= 0x55
		if got := unpackAll(t, [][]byte{damaged})[0]; got == hex.EncodeToString(source) {
			t.Errorf("byte %d does not matter", i)
		}
	}
}

// What cannot be packed says so.
func TestNotPressed(t *testing.T) {
	data := []byte("text")
	write := func(lines string) string {
		path := filepath.Join(t.TempDir(), "python")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+lines+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if _, err := Pressed(t.Context(), write("cat >/dev/null; exit 3"), data); !errors.Is(err, errNoLZMA) {
		t.Errorf("a Python without LZMA: %v", err)
	}
	for _, lines := range []string{"cat >/dev/null; exit 1", "cat >/dev/null; echo short"} {
		if _, err := Pressed(t.Context(), write(lines), data); err == nil || !strings.Contains(err.Error(), "cannot be packed") {
			t.Errorf("%s: %v", lines, err)
		}
	}
	if _, err := unzipped(data); !errors.Is(err, gzip.ErrHeader) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("what is no gzip: %v", err)
	}
}
