package plotting

import (
	"encoding/base64"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cell"
)

// Show displays the figure below the cell: live where the page runs JavaScript and the notebook is trusted, else the still picture. A
// figure that carries an error ends the cell with it.
func (f *Figure) Show() {
	if err := f.Err(); err != nil {
		cell.Fail(err)
		return
	}
	image, alt, err := f.image()
	if err != nil {
		cell.Fail(err)
		return
	}
	if cell.InKernel() && !runtimeShown() {
		image += RuntimeHTML()
	}
	cell.Display(cell.Bundle{HTML: image, Text: alt})
}

// Setup puts the runtime of live figures into the notebook. It belongs into the first cell; without it the first figure of a kernel
// session brings the runtime along, which is lost when only that cell is run again. With PRL_RUNTIME=none in the environment neither
// happens, and the notebook holds stills and specs for an exporter to bring to life.
func Setup() {
	if os.Getenv("PRL_RUNTIME") == "none" || !cell.InKernel() {
		return
	}
	runtimeShown()
	cell.Display(cell.Bundle{HTML: RuntimeHTML(), Text: "plotting: live figures are on"})
}

// image returns the one element that is the figure, and its description.
func (f *Figure) image() (element, alt string, err error) {
	s, err := f.scene()
	if err != nil {
		return "", "", err
	}
	still, err := s.svg("") // the image has the description
	if err != nil {
		return "", "", err
	}
	spec, err := s.live().encode()
	if err != nil {
		return "", "", err
	}
	alt = s.Alt
	if alt == "" {
		alt = s.Title
	}
	alt = strings.ToValidUTF8(alt, "\uFFFD")
	var b strings.Builder
	b.WriteString(`<img class="prl-figure" alt="`)
	b.WriteString(html.EscapeString(alt))
	b.WriteString(`" style="max-width:100%" src="data:image/svg+xml;base64,`)
	b.WriteString(base64.StdEncoding.EncodeToString(still))
	b.WriteString(`" data-prl-figure="`)
	b.WriteString(spec)
	b.WriteString(`" onload="(window.prlQueue=window.prlQueue||[]).push(this);window.PrlPlot&amp;&amp;PrlPlot.drain()">`)
	return b.String(), alt, nil
}

// runtimeShown reports whether this kernel session has shown the runtime, and notes that it has now. A file of the session's own
// directory keeps the note, for every cell is a process of its own.
func runtimeShown() bool {
	if os.Getenv("PRL_RUNTIME") == "none" {
		return true
	}
	dir := os.Getenv("GONB_TMP_DIR")
	if dir == "" {
		return false
	}
	mark := filepath.Join(dir, "prl-runtime-"+strconv.Itoa(runtimeVersion))
	file, err := os.OpenFile(mark, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return os.IsExist(err) // when no note can be kept, once too often is better than never
	}
	file.Close()
	return false
}
