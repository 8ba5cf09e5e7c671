package handouts

import (
	"encoding/base64"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// On paper a pixel of a figure is so many points, with which its smallest words, of 11 pixels, are not under 6 points. Narrow figures are
// larger, and wide ones reach into the margins of the page, but not farther than a printer's.
const (
	pointsPerPixel = 0.5465
	narrowest      = 300.0 // points
	widest         = 538.0 // what print.css leaves on A4
	tallest        = 640.0 // what it leaves on letter, with a line below
)

var (
	stillSize  = regexp.MustCompile(`^<svg [^>]*?width="([\d.]+)" height="([\d.]+)" viewBox="0 0 (\d+) (\d+)"`)
	stillHead  = regexp.MustCompile(`^<svg [^>]*?width="[\d.]+" height="[\d.]+" viewBox="[^"]*"[^>]*>`)
	pieceSize  = regexp.MustCompile(`^<svg [^>]*?width="([\d.]+)" height="([\d.]+)" viewBox="0 \d+ (\d+) (\d+)"`)
	stillFont  = regexp.MustCompile(`\bfont-size="([\d.]+)"`)
	stillPanel = regexp.MustCompile(`^translate\(-?\d+ (\d+)\)$`)
	stillFilm  = regexp.MustCompile(`\b(\d+) frames\b`)
	stillSteps = regexp.MustCompile(`\b\d+ frames: (.+?) from `)
)

const svgData = "data:image/svg+xml;base64,"

// fitStills gives the stills of figures their size on paper. A film strip is cut between its frames, so that a page may end there.
func fitStills(body *html.Node) {
	for n := range elements(body, tag("img", "prl-figure")) {
		code, isSVG := strings.CutPrefix(attr(n, "src"), svgData)
		svg, err := base64.StdEncoding.DecodeString(code)
		size := stillSize.FindStringSubmatchIndex(string(svg))
		if !isSVG || err != nil || size == nil {
			continue
		}
		number := func(i int) float64 { v, _ := strconv.ParseFloat(string(svg[size[2*i]:size[2*i+1]]), 64); return v }
		cuts := frameCuts(string(svg), attr(n, "alt"), int(number(4)))
		high := int(number(4)) // of the highest piece
		if len(cuts) > 2 {
			high = 0
			for i := range cuts[1:] {
				high = max(high, cuts[i+1]-cuts[i])
			}
		}
		width := min(max(number(1)*pointsPerPixel, narrowest), widest, tallest*number(3)/max(float64(high), 1))
		setAttr(n, "style", fmt.Sprintf("--width: %.1fpt", width))
		setAttr(n, "src", svgData+base64.StdEncoding.EncodeToString([]byte(readable(string(svg), width/number(3)))))
		if len(cuts) >= 3 {
			cutStill(n, cuts)
		}
	}
}

// smallest is the size of the smallest words on paper in points.
const smallest = 6.0

// readable gives words that would be smaller on paper that size; a unit of the drawing is so many points.
func readable(svg string, scale float64) string {
	return stillFont.ReplaceAllStringFunc(svg, func(font string) string {
		size, err := strconv.ParseFloat(stillFont.FindStringSubmatch(font)[1], 64)
		if err != nil || size*scale >= smallest {
			return font
		}
		return fmt.Sprintf(`font-size="%.1f"`, math.Ceil(10*smallest/scale)/10)
	})
}

// resize gives a still a part of its size on paper; its words stay readable.
func resize(n *html.Node, part float64) {
	width, _, wide := stillMeasures(n)
	svg, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(attr(n, "src"), svgData))
	if width == 0 || err != nil {
		return
	}
	setAttr(n, "data-part", strconv.FormatFloat(part*partOf(n), 'f', 3, 64))
	setAttr(n, "style", fmt.Sprintf("--width: %.1fpt", part*width))
	setAttr(n, "src", svgData+base64.StdEncoding.EncodeToString([]byte(readable(string(svg), part*width/wide))))
}

// partOf is the part of its size on paper that a still has been given.
func partOf(n *html.Node) float64 {
	if part, err := strconv.ParseFloat(attr(n, "data-part"), 64); err == nil {
		return part
	}
	return 1
}

// cutStill puts in the place of a still its pieces between the given heights of its drawing.
func cutStill(n *html.Node, cuts []int) {
	code, _ := strings.CutPrefix(attr(n, "src"), svgData)
	svg, err := base64.StdEncoding.DecodeString(code)
	size := stillSize.FindStringSubmatchIndex(string(svg))
	if err != nil || size == nil {
		return
	}
	number := func(i int) float64 { v, _ := strconv.ParseFloat(string(svg[size[2*i]:size[2*i+1]]), 64); return v }
	drawing := first(parse(string(svg)), tag("svg", ""))
	strip := &html.Node{Type: html.ElementNode, Data: "div", Attr: []html.Attribute{{Key: "class", Val: "prl-strip"}}}
	scale := number(2) / number(4)
	for i, top := range cuts[:len(cuts)-1] {
		high := cuts[i+1] - top
		head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 %d %g %d"`,
			number(1), math.Round(float64(high)*scale*100)/100, top, number(3), high)
		piece := &html.Node{Type: html.ElementNode, Data: "img", DataAtom: n.DataAtom, Attr: slices.Clone(n.Attr)}
		setAttr(piece, "src", svgData+base64.StdEncoding.EncodeToString(append([]byte(head), svg[size[1]:]...)))
		if i > 0 {
			setAttr(piece, "alt", pieceWords(drawing, attr(n, "alt"), top, cuts[i+1], fmt.Sprintf("part %d of %d", i+1, len(cuts)-1)))
		}
		strip.AppendChild(piece)
	}
	replace(n, strip)
}

// pieceWords says what a piece of a still shows that is not the first: the name of the figure, and the steps of the frames that stand
// between two heights of the drawing, or which part it is.
func pieceWords(drawing *html.Node, alt string, top, end int, part string) string {
	name, _, _ := strings.Cut(alt, ". ")
	var steps []string
	if film := stillSteps.FindStringSubmatch(alt); film != nil {
		for panel := range drawing.ChildNodes() {
			m := stillPanel.FindStringSubmatch(attr(panel, "transform"))
			if m == nil {
				continue
			}
			if y, _ := strconv.Atoi(m[1]); y < top || y >= end {
				continue
			}
			step := first(panel, func(n *html.Node) bool { return n.Data == "text" && strings.HasPrefix(textOf(n), film[1]+" = ") })
			if step != nil && !slices.Contains(steps, textOf(step)) {
				steps = append(steps, textOf(step))
			}
		}
	}
	if len(steps) == 0 {
		return name + ", " + part
	}
	return name + ": " + strings.Join(steps, "; ")
}

// stillMeasures are the width of a still on paper in points, and the height and width of its drawing. They are 0 of anything else.
func stillMeasures(n *html.Node) (width, high, wide float64) {
	code, isSVG := strings.CutPrefix(attr(n, "src"), svgData)
	svg, err := base64.StdEncoding.DecodeString(code)
	size := pieceSize.FindStringSubmatch(string(svg))
	if !isSVG || err != nil || size == nil {
		return 0, 0, 0
	}
	wide, _ = strconv.ParseFloat(size[3], 64)
	high, _ = strconv.ParseFloat(size[4], 64)
	width, _ = strconv.ParseFloat(strings.TrimSuffix(strings.TrimPrefix(attr(n, "style"), "--width: "), "pt"), 64)
	return width, high, wide
}

var stillData = regexp.MustCompile(regexp.QuoteMeta(svgData) + `[A-Za-z0-9+/]+=*`)

// emptyStills leaves of the stills on a page only their size.
func emptyStills(page string) string {
	return stillData.ReplaceAllStringFunc(page, func(address string) string {
		code := address[len(svgData):]
		head, err := base64.StdEncoding.DecodeString(code[:min(len(code), 400)/4*4])
		size := stillHead.Find(head)
		if err != nil || size == nil {
			return address
		}
		return svgData + base64.StdEncoding.EncodeToString(append(size, "</svg>"...))
	})
}

// panelCuts lists where the rows of panels of a still begin, from 0, and where the last ends, with the width of the still on paper and of
// its drawing. The first row stands under the title, so that a row that begins in the highest fifth is no second one.
func panelCuts(n *html.Node) (cuts []int, width, wide float64) {
	code, isSVG := strings.CutPrefix(attr(n, "src"), svgData)
	svg, err := base64.StdEncoding.DecodeString(code)
	size := stillSize.FindStringSubmatch(string(svg))
	if !isSVG || err != nil || size == nil {
		return nil, 0, 0
	}
	height, _ := strconv.Atoi(size[4])
	cuts = []int{0}
	for child := range first(parse(string(svg)), tag("svg", "")).ChildNodes() {
		if m := stillPanel.FindStringSubmatch(attr(child, "transform")); m != nil {
			if y, _ := strconv.Atoi(m[1]); y > height/5 && !slices.Contains(cuts, y) {
				cuts = append(cuts, y)
			}
		}
	}
	slices.Sort(cuts)
	wide, _ = strconv.ParseFloat(size[3], 64)
	width, _ = strconv.ParseFloat(strings.TrimSuffix(strings.TrimPrefix(attr(n, "style"), "--width: "), "pt"), 64)
	return append(cuts, height), width, wide
}

// frameCuts lists where the frames of a film strip begin, from 0, and where the last ends, in the units of its drawing. What is no strip
// has no cuts. Frames stand as panels in rows of equal height under the title and the legend; one of several panels may take several rows.
func frameCuts(svg, alt string, height int) []int {
	film := stillFilm.FindStringSubmatch(alt)
	if film == nil {
		return nil
	}
	frames, _ := strconv.Atoi(film[1])
	var rows []int
	panels := 0
	for child := range first(parse(svg), tag("svg", "")).ChildNodes() {
		if m := stillPanel.FindStringSubmatch(attr(child, "transform")); m != nil {
			panels++
			if y, _ := strconv.Atoi(m[1]); !slices.Contains(rows, y) {
				rows = append(rows, y)
			}
		}
	}
	slices.Sort(rows)
	each := 1 // rows of a frame
	if several := min(frames, 4); panels > min(frames, 6) && len(rows)%several == 0 {
		each = len(rows) / several
	}
	var cuts []int
	for i := 0; i < len(rows); i += each {
		cuts = append(cuts, rows[i])
	}
	if len(cuts) == 0 {
		return nil
	}
	cuts[0] = 0
	return append(cuts, height)
}
