package handouts

import (
	"encoding/xml"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// drawing are the elements of SVG that draw, or help to.
var drawing = map[string]bool{
	"svg": true, "g": true, "path": true, "rect": true, "circle": true, "ellipse": true, "line": true, "polyline": true, "polygon": true,
	"text": true, "tspan": true, "textPath": true, "title": true, "desc": true, "metadata": true, "defs": true, "symbol": true, "use": true,
	"marker": true, "clipPath": true, "mask": true, "pattern": true, "linearGradient": true, "radialGradient": true, "stop": true,
	"image": true, "style": true, "filter": true, "switch": true, "view": true, "a": true,
	"feBlend": true, "feColorMatrix": true, "feComposite": true, "feFlood": true, "feGaussianBlur": true, "feMerge": true,
	"feMergeNode": true, "feOffset": true,
}

var (
	// elsewhere finds an address in a style or an attribute that leads out of the picture.
	elsewhere = regexp.MustCompile(`(?i)@import|image-set|expression|javascript:|\\|url\(\s*["']?\s*[^#"'\s]`)
	// within is an address in the picture itself, or of a picture in it.
	within = regexp.MustCompile(`^(?:#|data:image/(?:png|jpeg|gif|webp);base64,)`)
	// svgBegin is what may stand before the picture.
	svgBegin = regexp.MustCompile(`(?s)^\s*(?:<\?xml[^>]*\?>)?\s*(?:<!--.*?-->\s*)*(?:<!DOCTYPE svg[^>\[]*>\s*)?(?:<!--.*?-->\s*)*<svg[\s>]`)
)

// cleanSVG is a picture without all that runs, loads or leads elsewhere: it draws, and does nothing else. It is nil for what is no picture.
func cleanSVG(data []byte) []byte {
	if !svgBegin.Match(data) {
		return nil
	}
	root := first(parse(string(data)), tag("svg", ""))
	if root == nil {
		return nil
	}
	var b strings.Builder
	writeSVG(&b, root, true)
	return []byte(b.String())
}

func writeSVG(b *strings.Builder, n *html.Node, whole bool) {
	switch {
	case n.Type == html.TextNode:
		if n.Parent.Data == "style" && elsewhere.MatchString(n.Data) {
			return
		}
		xml.EscapeText(b, []byte(n.Data)) // a builder takes everything
		return
	case n.Type != html.ElementNode || n.Namespace != "svg" || !drawing[n.Data]:
		return
	}
	b.WriteString("<" + n.Data)
	if whole {
		b.WriteString(` xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"`)
	}
	var names []string
	for _, a := range n.Attr {
		name := a.Key
		if a.Namespace != "" {
			name = a.Namespace + ":" + a.Key
		}
		link := a.Key == "href" || a.Key == "src"
		switch {
		case slices.Contains(names, name), strings.HasPrefix(name, "xmlns"), !slices.Contains([]string{"", "xlink", "xml"}, a.Namespace),
			strings.HasPrefix(strings.ToLower(a.Key), "on"), link && !within.MatchString(a.Val), !link && elsewhere.MatchString(a.Val),
			!svgName.MatchString(a.Key):
			continue
		}
		names = append(names, name)
		b.WriteString(" " + name + `="`)
		xml.EscapeText(b, []byte(a.Val))
		b.WriteString(`"`)
	}
	if n.FirstChild == nil {
		b.WriteString("/>")
		return
	}
	b.WriteString(">")
	for child := range n.ChildNodes() {
		writeSVG(b, child, false)
	}
	b.WriteString("</" + n.Data + ">")
}

var svgName = regexp.MustCompile(`^[A-Za-z_][-\w]*$`)
