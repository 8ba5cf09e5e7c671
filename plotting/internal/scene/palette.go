package scene

import (
	"fmt"
	"math"
)

// Palette is the set of colours of one kind of page. Both back ends take every colour from here: the still always from lightPalette, the
// live picture from the palette that fits the page it stands on.
type Palette struct {
	Foreground string // text and axes
	Muted      string // secondary text, tick labels, quiet lines
	Grid       string
	Background string
	Accent     string     // the one thing to look at
	Ink, Paper string     // dark and light whatever the page: what reads on the light and on the dark part of a ramp
	Classes    [16]string // class slots, Okabe-Ito order, then eight more
	Sequential []string   // ramp, equally spaced from 0 to 1, from light to dark on every page: "dark is much" is always true
	Diverging  []string   // ramp, equally spaced from 0 to 1: blue, almost white, vermilion
}

// LightPalette follows Okabe and Ito (2008), "Color Universal Design": eight colours that stay apart under the common colour vision
// deficiencies. Yellow is darkened to olive, because the original cannot be seen on white paper. Eight further colours, for pictures of
// more classes, lie between them; there the markers tell apart what the colours alone do not.
var LightPalette = Palette{
	Foreground: "#1b1f24", Muted: "#58616c", Grid: "#e5e8ec", Background: "#ffffff", Accent: "#b3001b",
	Ink: "#1b1f24", Paper: "#ffffff",
	Classes: [16]string{
		"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8f8600", "#4d4d4d",
		"#6a3d9a", "#8c510a", "#00574b", "#e0218a", "#7cae00", "#1f3a73", "#f28e82", "#9aa0a6",
	},
	Sequential: []string{
		"#dbe9b9", "#b5dcb4", "#86cab2", "#57b4b4", "#3299b1", "#287ca7", "#285f97", "#29427f",
		"#262860",
	},
	Diverging: []string{
		"#0a4f86", "#2f7db5", "#74aed6", "#bcd8ea", "#f5f5f2", "#f6d3bb", "#eca075", "#d86a2d",
		"#a83f00",
	},
}

// DarkPalette has the hues of LightPalette at a lightness that reads on dark pages. Its ramps run the same way, so that no caption is
// wrong, and end where they still stand out from the page.
var DarkPalette = Palette{
	Foreground: "#e6e8eb", Muted: "#a4acb6", Grid: "#30353c", Background: "#111111", Accent: "#ff6f6f",
	Ink: "#1b1f24", Paper: "#ffffff",
	Classes: [16]string{
		"#3f9bdc", "#f07f3a", "#2bbf94", "#e096c0", "#f0b030", "#8fd0f7", "#ddd35a", "#c0c4c8",
		"#b08ae0", "#c8925a", "#4fa69a", "#ff5cab", "#b4e04a", "#7f9be6", "#ffb8ae", "#858b92",
	},
	Sequential: []string{
		"#e4f0c2", "#b6deb6", "#87ccb3", "#58b6b5", "#359bb1", "#3288b4", "#3f77b8", "#506cbc",
		"#5f66c0",
	},
	Diverging: []string{
		"#2a78bd", "#5299d0", "#86bbe0", "#bcd8ea", "#f2f2ef", "#f6d3bb", "#eca075", "#de7b3a",
		"#c9551a",
	},
}

// Type sizes in pixels, shared by both back ends. fontFamily has no quotes, so that it can stand in any attribute.
const (
	FontFamily      = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"
	TitleSize       = 16.0 // bold
	SubtitleSize    = 13.0 // muted
	PanelTitleSize  = 13.0 // bold
	AxisLabelSize   = 12.0
	TickLabelSize   = 11.0 // muted
	LegendSize      = 12.0
	CaptionSize     = 11.0 // muted
	AxisTickLength  = 4.0
	AxisStrokeWidth = 1.0
)

// Color returns the hex colour and opacity a paint stands for; an opacity of 0 means that nothing is drawn.
func (p *Palette) Color(c Paint) (hex string, opacity float64) {
	opacity = c.Opacity
	if opacity == 0 {
		opacity = 1
	}
	switch c.Token {
	case TokenClass:
		return p.Class(c.Slot), opacity
	case TokenForeground:
		return p.Foreground, opacity
	case TokenMuted:
		return p.Muted, opacity
	case TokenGrid:
		return p.Grid, opacity
	case TokenBackground:
		return p.Background, opacity
	case TokenAccent:
		return p.Accent, opacity
	case TokenInk:
		return p.Ink, opacity
	case TokenPaper:
		return p.Paper, opacity
	case TokenSequential:
		return ramp(p.Sequential, c.Value), opacity
	case TokenDiverging:
		return ramp(p.Diverging, c.Value), opacity
	case TokenMix:
		return p.mix(c.Mix), opacity
	}
	return "none", 0
}

func (p *Palette) Class(slot int) string {
	n := len(p.Classes)
	return p.Classes[((slot%n)+n)%n]
}

// mix blends class colours in linear light, so that halfway between two classes looks halfway.
func (p *Palette) mix(parts [][2]float64) string {
	var sum [3]float64
	var total float64
	for _, part := range parts {
		c := RGB(p.Class(int(part[0])))
		for i := range sum {
			sum[i] += part[1] * math.Pow(c[i]/255, 2.2)
		}
		total += part[1]
	}
	if total <= 0 {
		return p.Muted
	}
	for i := range sum {
		sum[i] = 255 * math.Pow(sum[i]/total, 1/2.2)
	}
	return rgbHex(sum)
}

// ramp interpolates linearly between the equally spaced stops of a ramp; values outside [0,1] take the end's colour.
func ramp(stops []string, v float64) string {
	if !(v > 0) { // NaN too
		v = 0
	}
	if v > 1 {
		v = 1
	}
	at := v * float64(len(stops)-1)
	i := min(int(at), len(stops)-2)
	f := at - float64(i)
	a, b := RGB(stops[i]), RGB(stops[i+1])
	for k := range a {
		a[k] += f * (b[k] - a[k])
	}
	return rgbHex(a)
}

func RGB(hex string) [3]float64 {
	var v uint32
	fmt.Sscanf(hex, "#%06x", &v)
	return [3]float64{float64(v >> 16), float64(v >> 8 & 255), float64(v & 255)}
}

func rgbHex(c [3]float64) string {
	return fmt.Sprintf("#%02x%02x%02x", uint8(c[0]+0.5), uint8(c[1]+0.5), uint8(c[2]+0.5))
}
