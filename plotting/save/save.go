// Package save writes figures to files. It stands apart from package plotting because PDF and PNG bring 45 packages with them, which every
// cell that shows a figure would have to link.
//
//	err := save.File(fig, "figure.pdf") // or .svg, .png, .html
package save

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"

	"github.com/prlab/prlab/plotting"
)

// PDF returns the still picture as a PDF page of three quarters of a point a pixel: 480 x 315 pt for the default size. Letters are
// outlines of Liberation Sans, so the page looks the same everywhere and embeds no font.
func PDF(fig *plotting.Figure) ([]byte, error) {
	const point = 0.75 // points in a CSS pixel
	var page *vgpdf.Canvas
	err := fig.Draw(func(width, height float64) vg.Canvas {
		page = vgpdf.New(vg.Length(width*point), vg.Length(height*point))
		page.Scale(point, point)
		return page
	}, outline)
	if err != nil {
		return nil, err
	}
	return written(page)
}

// PNG returns the still picture as a PNG image of scale image pixels a CSS pixel, from 0.1 to 8: 2 fits most screens, 4 print.
func PNG(fig *plotting.Figure, scale float64) ([]byte, error) {
	if !(scale >= 0.1 && scale <= 8) {
		return nil, fmt.Errorf("save.PNG: scale is %v, but needs to be from 0.1 to 8", scale)
	}
	var page *vgimg.Canvas
	err := fig.Draw(func(width, height float64) vg.Canvas {
		page = vgimg.NewWith(vgimg.UseWH(vg.Length(width), vg.Length(height)), vgimg.UseDPI(int(72*scale)))
		return page
	}, outline)
	if err != nil {
		return nil, err
	}
	return written(vgimg.PngCanvas{Canvas: page})
}

// File writes a figure to a file in the format of its extension: .svg, .pdf, .png (2 image pixels a CSS pixel) or .html (a page with the
// live figure). The file appears complete or not at all.
func File(fig *plotting.Figure, path string) error {
	var data []byte
	var err error
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".svg":
		data, err = fig.SVG()
	case ".pdf":
		data, err = PDF(fig)
	case ".png":
		data, err = PNG(fig, 2)
	case ".html", ".htm":
		var page string
		page, err = fig.HTML()
		data = []byte(page)
	default:
		return fmt.Errorf("save.File: path is %q, but needs to end in .svg, .pdf, .png or .html", path)
	}
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".figure-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(data); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

func written(page io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	_, err := page.WriteTo(&b)
	return b.Bytes(), err
}

// letters holds the outlines that have been looked up, by weight.
var letters = struct {
	sync.Mutex
	fonts [2]*sfnt.Font
	paths [2]map[rune]letter
}{}

type letter struct {
	path    vg.Path
	advance float64
}

// outline returns the path of a letter in Liberation Sans, 1 em = 1, and its advance.
func outline(r rune, bold bool) (vg.Path, float64) {
	weight, ttf := 0, liberationsansregular.TTF
	if bold {
		weight, ttf = 1, liberationsansbold.TTF
	}
	letters.Lock()
	defer letters.Unlock()
	if letters.fonts[weight] == nil {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			panic(err) // the bytes are part of the program
		}
		letters.fonts[weight], letters.paths[weight] = f, make(map[rune]letter)
	}
	if l, ok := letters.paths[weight][r]; ok {
		return l.path, l.advance
	}
	l := load(letters.fonts[weight], r)
	letters.paths[weight][r] = l
	return l.path, l.advance
}

func load(f *sfnt.Font, r rune) letter {
	const em = 2048
	var buf sfnt.Buffer
	raise, size := 0.0, 1.0
	i, err := f.GlyphIndex(&buf, r)
	if base := plain(r); err == nil && i == 0 && base != 0 { // superscripts that the font lacks
		i, err = f.GlyphIndex(&buf, base)
		raise, size = 0.33, 0.62
		if r >= 0x2080 {
			raise = -0.14
		}
	}
	if err != nil {
		return letter{advance: 0.6}
	}
	segments, err := f.LoadGlyph(&buf, i, fixed.I(em), nil)
	if err != nil {
		return letter{advance: 0.6}
	}
	at := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: vg.Length(size * float64(p.X) / 64 / em), Y: vg.Length(raise - size*float64(p.Y)/64/em)}
	}
	var path vg.Path
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if path != nil {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if path != nil {
		path.Close()
	}
	advance, err := f.GlyphAdvance(&buf, i, fixed.I(em), font.HintingNone)
	if err != nil {
		return letter{path, 0.6}
	}
	return letter{path, size * float64(advance) / 64 / em}
}

// plain returns the digit or sign of which r is the superscript or subscript, or 0.
func plain(r rune) rune {
	switch {
	case r == 0x2070 || r >= 0x2074 && r <= 0x2079:
		return '0' + r - 0x2070
	case r >= 0x2080 && r <= 0x2089:
		return '0' + r - 0x2080
	case r == 0x207b || r == 0x208b:
		return '-'
	case r == 0x207a || r == 0x208a:
		return '+'
	}
	return 0
}
