// Package echartsx shows a chart a user has made with go-echarts, of any of its 2-D kinds, in a notebook: offline, following the page's
// theme and width. The full ECharts library comes along with the first chart of a kernel session; figures of package plotting do not need
// it. Where scripts do not run, a reader sees a note with the chart's title: go-echarts has no still pictures.
package echartsx

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/prlab/prlab/plotting/internal/page"
	"github.com/prlab/prlab/prl/cell"
)

// Chart is what every chart of go-echarts can do: *charts.Bar, *charts.Sankey, the result of Figure.ECharts, ...
type Chart interface {
	Validate()
	JSON() map[string]interface{}
}

//go:embed echarts-full.min.js.gz
var library []byte

//go:embed chart.js
var script []byte

// Show displays the chart below the cell, 640 x 420 pixels, narrower where the page is. A chart that cannot be written as JSON, or one of
// the 3-D kinds, which need another library, ends the cell with an error.
func Show(c Chart) { ShowSize(c, 640, 420) }

// ShowSize is Show with a width and a height in CSS pixels.
func ShowSize(c Chart, width, height int) {
	cell.Display(bundle(c, width, height))
}

// bundle is the output of a cell that shows a chart. A chart that cannot be drawn fails the cell.
func bundle(c Chart, width, height int) cell.Bundle {
	element, title, err := HTML(c, width, height)
	if err != nil {
		cell.Fail(err)
		return cell.Bundle{}
	}
	if cell.InKernel() && !page.Shown("prl-charts") {
		element += RuntimeHTML()
	}
	return cell.Bundle{HTML: element, Text: title}
}

func init() {
	cell.Shows(func(v any) (cell.Bundle, bool) {
		c, known := v.(Chart)
		if !known {
			return cell.Bundle{}, false
		}
		return bundle(c, 640, 420), true
	})
}

// HTML returns the element that is the chart, without the runtime, and the chart's title.
func HTML(c Chart, width, height int) (element, title string, err error) {
	if c == nil {
		return "", "", fmt.Errorf("echartsx: the chart is nil, a chart of go-echarts is needed")
	}
	if width < 80 || height < 80 {
		return "", "", fmt.Errorf("echartsx: a chart of %d x %d pixels, at least 80 x 80 are needed", width, height)
	}
	c.Validate()
	text, err := json.Marshal(map[string]any{"width": width, "height": height, "option": c.JSON()})
	if err != nil {
		return "", "", fmt.Errorf("echartsx: the chart cannot be written as JSON: %w; look for NaN and infinities in its data", err)
	}
	for _, kind := range []string{`"grid3D"`, `"type":"liquidFill"`, `"type":"wordCloud"`} {
		if bytes.Contains(text, []byte(kind)) {
			return "", "", fmt.Errorf(
				"echartsx: charts with %s need a library that is not shipped, use one of the 2-D kinds",
				strings.Trim(kind, `"`),
			)
		}
	}
	title = titleOf(text)
	return page.Image("chart", title, []byte(placeholder(title, width, height)), page.Pack(text), "prlCharts", "PrlCharts"), title, nil
}

func titleOf(option []byte) string {
	var o struct {
		Option struct {
			Title struct {
				Text string `json:"text"`
			} `json:"title"`
		} `json:"option"`
	}
	if json.Unmarshal(option, &o) != nil || o.Option.Title.Text == "" {
		return "Chart"
	}
	return o.Option.Title.Text
}

// placeholder is what stands where no script runs.
func placeholder(title string, width, height int) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Arial, sans-serif">`+
		`<rect x="0.5" y="0.5" width="%d" height="%d" fill="#ffffff" stroke="#c8ccd0"/>`+
		`<text x="16" y="30" font-size="16" font-weight="bold" fill="#1b1f24">%s</text>`+
		`<text x="16" y="52" font-size="13" fill="#58616c">An interactive chart: it needs a trusted notebook with JavaScript.</text></svg>`,
		width, height, width, height, width-1, height-1, html.EscapeString(title))
}

// RuntimeHTML returns the script that draws the charts, with all of ECharts inside, for pages made elsewhere.
func RuntimeHTML() string {
	return page.Script(`if(window.prlChartsLoading)return;window.prlChartsLoading=1;`, library, script)
}
