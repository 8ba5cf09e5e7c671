// Package page holds what live pictures of every kind have in common in the page of a notebook: the element that is the picture, how its
// data and the scripts travel, how the page loads the scripts, and that a kernel session brings each of them once.
package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ECharts is the licence line, which travels with the library.
const ECharts = "Apache ECharts 6.1.0, Apache-2.0; zrender, BSD-3-Clause"

// Pack returns text for an attribute or a string of a script: gzip, then base64.
func Pack(text []byte) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid, and a buffer takes everything
	z.Write(text)
	z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// Image returns the one element that is a picture: the still as an SVG image, described by alt, with the packed spec beside it. Once loaded
// it joins the queue, a global list of the page, and asks the runtime, a global object, to drain that when it is there already. The kind
// names class and attribute.
func Image(kind, alt string, still []byte, spec, queue, runtime string) string {
	return `<img class="prl-` + kind + `" alt="` + html.EscapeString(
		alt,
	) + `" style="max-width:100%" src="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString(
		still,
	) +
		`" data-prl-` + kind + `="` + spec + `" onload="(window.` + queue + `=window.` + queue + `||[]).push(this);window.` + runtime +
		`&amp;&amp;` + runtime + `.drain()">`
}

// Script returns the element that loads ECharts, given as gzip, and runs our own script behind it. Guard is JavaScript that returns where
// that is done or under way. Define, module and exports are hidden from the library, or a page with an AMD loader would catch it.
func Script(guard string, library, own []byte) string {
	return `<script data-prl-runtime="` + html.EscapeString(ECharts) + `">(function(){` + guard +
		`function open(t){var b=Uint8Array.from(atob(t),function(c){return c.charCodeAt(0)});` +
		`return new Response(new Blob([b]).stream().pipeThrough(new DecompressionStream("gzip"))).text()}` +
		`Promise.all([open("` + base64.StdEncoding.EncodeToString(library) + `"),open("` + Pack(own) +
		`")]).then(function(p){var s=document.createElement("script");` +
		`s.textContent="` + opening + `"+p[0]+";"+p[1]+"\n` + closing + `";` +
		`document.head.appendChild(s);s.remove()})})();</script>`
}

// The library runs between these, in a scope of its own.
const opening, closing = "(function(){var define,module,exports;", "})();"

// Policy returns what the script-src of a Content-Security-Policy needs so that the element that Script returned runs, and what it loads:
// their hashes.
func Policy(element string, library, own []byte) string {
	unpacked, err := gzip.NewReader(bytes.NewReader(library))
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return ""
	}
	_, script, _ := strings.Cut(strings.TrimSuffix(element, "</script>"), ">")
	hash := func(script string) string {
		sum := sha256.Sum256([]byte(script))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return hash(script) + " " + hash(opening+string(text)+";"+string(own)+"\n"+closing)
}

// Off reports whether the notebook is to hold no scripts: PRL_RUNTIME=none in the environment.
func Off() bool { return os.Getenv("PRL_RUNTIME") == "none" }

// Shown reports whether this kernel session needs the script of that name no more, because it has shown it or scripts are off, and notes
// that it has now. A file of the session's own directory keeps the note, for every cell is a process of its own.
func Shown(name string) bool {
	if Off() {
		return true
	}
	dir := os.Getenv("GONB_TMP_DIR")
	if dir == "" {
		return false
	}
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return os.IsExist(err) // when no note can be kept, once too often is better than never
	}
	file.Close()
	return false
}
