// Package gonumx shows a plot a user has made with gonum.org/v1/plot in a notebook, in the same kind of output as the figures of package
// plotting: one image with a description. It links all of gonum/plot, which a cell pays for with about 0.2 s; package plotting does not.
package gonumx

import (
	"encoding/base64"
	"fmt"
	"html"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/prlab/prlab/plotting/internal/scene"
	svgdoc "github.com/prlab/prlab/plotting/internal/svg"
	"github.com/prlab/prlab/prl/cell"
)

// Show displays the plot below the cell, 640 x 420 CSS pixels.
func Show(p *plot.Plot) { ShowSize(p, 640, 420) }

// ShowSize displays the plot with a width and a height in CSS pixels. A plot that cannot be drawn ends the cell with an error.
func ShowSize(p *plot.Plot, width, height float64) {
	cell.Display(bundle(p, width, height))
}

// bundle is the output of a cell that shows a plot. A plot that cannot be drawn fails the cell.
func bundle(p *plot.Plot, width, height float64) cell.Bundle {
	element, alt, err := HTML(p, width, height)
	if err != nil {
		cell.Fail(err)
		return cell.Bundle{}
	}
	return cell.Bundle{HTML: element, Text: alt}
}

func init() {
	cell.Shows(func(v any) (cell.Bundle, bool) {
		p, known := v.(*plot.Plot)
		if !known {
			return cell.Bundle{}, false
		}
		return bundle(p, 640, 420), true
	})
}

// HTML returns the image element of the plot and its description: the title, and the axes with their ranges.
func HTML(p *plot.Plot, width, height float64) (element, alt string, err error) {
	svg, err := SVG(p, width, height)
	if err != nil {
		return "", "", err
	}
	alt = description(p)
	return `<img class="prl-still" alt="` + html.EscapeString(
		alt,
	) + `" style="max-width:100%;background:#ffffff" src="data:image/svg+xml;base64,` +
		base64.StdEncoding.EncodeToString(
			svg,
		) + `">`, alt, nil
}

// SVG returns the plot as an SVG document in the letters of package plotting, of a few kilobytes. A plot without a
// size of 1 pixel at least, or one that panics while drawing, is an error.
func SVG(p *plot.Plot, width, height float64) (svg []byte, err error) {
	if p == nil {
		return nil, fmt.Errorf("gonumx: the plot is nil, make one with plot.New")
	}
	if !(width >= 1 && width <= 10000 && height >= 1 && height <= 10000) {
		return nil, fmt.Errorf("gonumx: a plot of %v x %v pixels, each side must be from 1 to 10000", width, height)
	}
	defer func() { // gonum/plot panics on impossible data ranges
		if r := recover(); r != nil {
			svg, err = nil, fmt.Errorf("gonumx: the plot cannot be drawn: %v", r)
		}
	}()
	const pixel = vg.Inch / 96
	page := svgdoc.New(width, height, scene.FontFamily, scene.TickLabelSize)
	page.Scale(float64(1/pixel), float64(1/pixel))
	p.Draw(draw.NewCanvas(page, vg.Length(width)*pixel, vg.Length(height)*pixel))
	return page.Bytes(title(p), ""), nil
}

func title(p *plot.Plot) string {
	if p.Title.Text == "" {
		return "Plot"
	}
	return p.Title.Text
}

func description(p *plot.Plot) string {
	name := func(label, fallback string) string {
		if label == "" {
			return fallback
		}
		return label
	}
	return fmt.Sprintf("%s. Horizontal: %s from %.4g to %.4g. Vertical: %s from %.4g to %.4g.", title(p),
		name(p.X.Label.Text, "x"), p.X.Min, p.X.Max, name(p.Y.Label.Text, "y"), p.Y.Min, p.Y.Max)
}
