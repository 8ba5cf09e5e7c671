//go:build !js

package plotting

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/prlab/prlab/plotting/internal/live"
	"github.com/prlab/prlab/plotting/internal/page"
	"github.com/prlab/prlab/plotting/internal/scene"
)

//go:embed runtime/echarts.min.js.gz
var echartsLibrary []byte

//go:embed runtime/runtime.min.js
var runtimeScript []byte

//go:embed runtime/runtime.css
var runtimeStyle string

// RuntimeHTML returns the script that brings figures to life, ECharts included: one block without a network address, to stand anywhere on
// a page, before or after the figures. A page needs it once; more do no harm.
func RuntimeHTML() string { return page.Script(runtimeGuard(), echartsLibrary, runtimeOwn()) }

// RuntimePolicy returns the sources, hashes with a blank between them, that the script-src of a page's Content-Security-Policy needs for
// the script of RuntimeHTML.
func RuntimePolicy() string { return page.Policy(RuntimeHTML(), echartsLibrary, runtimeOwn()) }

func runtimeGuard() string {
	version := strconv.Itoa(live.RuntimeVersion)
	return `if(window.PrlPlot&&PrlPlot.version>=` + version + `){PrlPlot.drain();return}` +
		`if(window.prlLoading>=` + version + `)return;window.prlLoading=` + version + `;`
}

// runtimeOwn is our own part of the runtime, with its settings.
func runtimeOwn() []byte {
	config, _ := json.Marshal(map[string]any{ // strings and numbers only: cannot fail
		"version": live.RuntimeVersion, "light": tokens(&scene.LightPalette), "dark": tokens(&scene.DarkPalette), "font": scene.FontFamily,
		"css": runtimeCSS(),
		"sizes": map[string]float64{
			"title":    scene.TitleSize,
			"subtitle": scene.SubtitleSize,
			"panel":    scene.PanelTitleSize,
			"axis":     scene.AxisLabelSize,
			"tick":     scene.TickLabelSize,
			"legend":   scene.LegendSize,
			"caption":  scene.CaptionSize,
		},
	})
	own := append(append([]byte("const config="), config...), ';', '\n')
	return append(own, runtimeScript...)
}

func tokens(p *scene.Palette) map[string]any {
	return map[string]any{
		"fg":         p.Foreground,
		"muted":      p.Muted,
		"grid":       p.Grid,
		"bg":         p.Background,
		"accent":     p.Accent,
		"ink":        p.Ink,
		"paper":      p.Paper,
		"classes":    p.Classes,
		"sequential": p.Sequential,
		"diverging":  p.Diverging,
	}
}

func runtimeCSS() string {
	return strings.NewReplacer("FONT", scene.FontFamily, "TITLE", pixels(scene.TitleSize), "SUBTITLE", pixels(scene.SubtitleSize),
		"LEGEND", pixels(scene.LegendSize), "CAPTION", pixels(scene.CaptionSize)).Replace(runtimeStyle)
}

// DarkStills returns rules of a style sheet that give the stills of SVG the colours of a dark page; they belong into a media query. Numbers
// written into the cells of a heat map are not told from other text, so that a heat map wants paper behind it.
func DarkStills() string {
	var b strings.Builder
	light, dark := &scene.LightPalette, &scene.DarkPalette
	rule := func(from, to string) {
		short := from
		if len(from) == 7 && from[1] == from[2] && from[3] == from[4] && from[5] == from[6] { // as a still writes it
			short = "#" + from[1:2] + from[3:4] + from[5:6]
		}
		for _, what := range []string{"fill", "stroke"} {
			fmt.Fprintf(&b, `svg [%s="%s"]{%s:%s}`, what, short, what, to)
		}
	}
	rule(light.Foreground, dark.Foreground)
	rule(light.Muted, dark.Muted)
	rule(light.Grid, dark.Grid)
	rule(light.Background, dark.Background)
	rule(light.Accent, dark.Accent)
	for i, c := range light.Classes {
		rule(c, dark.Classes[i])
	}
	return b.String()
}

// HTML returns a page with the figure and everything it needs, for a file that works without a network.
func (f *Figure) HTML() (string, error) {
	if err := f.Err(); err != nil {
		return "", err
	}
	image, _, err := f.image()
	if err != nil {
		return "", err
	}
	title := f.title
	if title == "" {
		title = "Figure"
	}
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>` + html.EscapeString(title) + `</title>
<style>
body { margin: 16px; font-family: ` + scene.FontFamily + `; background: ` + scene.LightPalette.Background + `; color: ` +
		scene.LightPalette.Foreground + ` }
@media screen and (prefers-color-scheme: dark) { body { background: ` + scene.DarkPalette.Background + `; color: ` +
		scene.DarkPalette.Foreground + ` } }
img.prl-figure { background: ` + scene.LightPalette.Background + ` }
</style>
</head>
<body>
` + image + "\n" + RuntimeHTML() + `
<template id="licences"><pre>
` + html.EscapeString(RuntimeNotices()) + `</pre></template>
</body>
</html>
`, nil
}
