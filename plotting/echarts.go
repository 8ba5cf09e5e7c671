//go:build !js

package plotting

import (
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// ECharts returns the figure as a go-echarts chart, for changes this package does not offer: symbols are scatter series, lines are line
// series, everything else a custom series whose renderItem is spelled out. Colours are those of a light page; a figure with frames gives
// the frame shown first. Show the chart with package plotting/echartsx, or render it as go-echarts does.
func (f *Figure) ECharts() (*charts.Custom, error) {
	if err := f.Err(); err != nil {
		return nil, err
	}
	s, err := f.scene()
	if err != nil {
		return nil, err
	}
	c := chart(s)
	for _, sm := range placed(s) {
		c.MultiSeries = append(c.MultiSeries, sm.series()...)
	}
	return c, nil
}

// chart is the frame of both live forms of a scene: title, grids, axes; no series yet.
func chart(s *scene.Scene) *charts.Custom {
	c := charts.NewCustom()
	show, hide := opts.Bool(true), opts.Bool(false)
	var names []string
	for _, e := range s.Legend {
		names = append(names, e.Label)
	}
	c.SetGlobalOptions(
		charts.WithInitializationOpts(opts.Initialization{PageTitle: s.Title, Width: pixels(s.Width), Height: pixels(s.Height)}),
		charts.WithTitleOpts(opts.Title{
			Title: s.Title, Subtitle: s.Subtitle, Left: "0",
			TitleStyle:    &opts.TextStyle{Color: scene.LightPalette.Foreground, FontSize: int(scene.TitleSize), FontFamily: scene.FontFamily},
			SubtitleStyle: &opts.TextStyle{Color: scene.LightPalette.Muted, FontSize: int(scene.SubtitleSize), FontFamily: scene.FontFamily},
		}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(len(names) > 0), Data: names, Top: "44", Left: "0"}),
		charts.WithTooltipOpts(opts.Tooltip{Show: show, Trigger: "item"}),
		charts.WithAnimation(false),
	)
	columns := max(1, min(s.Columns, len(s.Panels)))
	rows := (len(s.Panels) + columns - 1) / columns
	c.XAxisList, c.YAxisList = nil, nil
	for i := range s.Panels {
		p := &s.Panels[i]
		w, h := 100/float64(columns), 78/float64(rows)
		c.GridList = append(c.GridList, opts.Grid{
			Left: percent(w*float64(i%columns) + 8/float64(columns)),
			Top:  percent(16 + h*float64(i/columns)), Width: percent(w * 0.86), Height: percent(h * 0.82),
		})
		visible := opts.Bool(!p.NoAxes)
		c.XAxisList = append(
			c.XAxisList,
			opts.XAxis{
				Type: kindOf(&p.X), Name: p.X.Label, NameLocation: "middle", NameGap: 28, Min: p.X.Lo, Max: p.X.Hi,
				GridIndex: i, Show: visible, SplitLine: &opts.SplitLine{Show: opts.Bool(p.X.Grid)}, AxisLine: &opts.AxisLine{OnZero: hide},
			},
		)
		c.YAxisList = append(
			c.YAxisList,
			opts.YAxis{
				Type: kindOf(&p.Y), Name: p.Y.Label, NameLocation: "middle", NameGap: 40, Min: p.Y.Lo, Max: p.Y.Hi,
				GridIndex: i, Show: visible, SplitLine: &opts.SplitLine{Show: opts.Bool(p.Y.Grid)}, AxisLine: &opts.AxisLine{OnZero: hide},
				AxisLabel: &opts.AxisLabel{Show: show},
			},
		)
	}
	return c
}

func kindOf(a *scene.Axis) string {
	if a.Log {
		return "log"
	}
	return "value"
}

func pixels(v float64) string  { return strconv.FormatFloat(v, 'f', 0, 64) + "px" }
func percent(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + "%" }

// A placedMark is a mark with its panel and its legend label.
type placedMark struct {
	*scene.Mark
	panel int
	label string
}

// placed lists the marks of all panels in painting order, with those of the frame shown first.
func placed(s *scene.Scene) []placedMark {
	label := map[string]string{}
	for _, e := range s.Legend {
		label[e.Key] = e.Label
	}
	var out []placedMark
	for i := range s.Panels {
		for k := range s.Panels[i].Marks {
			m := &s.Panels[i].Marks[k]
			out = append(out, placedMark{m, i, label[m.Key]})
		}
		if s.Frames != nil && len(s.Frames.Steps) > 0 {
			step := &s.Frames.Steps[min(s.Frames.Start, len(s.Frames.Steps)-1)]
			if i < len(step.Marks) {
				for k := range step.Marks[i] {
					m := &step.Marks[i][k]
					out = append(out, placedMark{m, i, label[m.Key]})
				}
			}
		}
	}
	return out
}

// series lowers one mark to the series of a chart that stands by itself.
func (m placedMark) series() []charts.SingleSeries {
	fill, fillOpacity := scene.LightPalette.Color(m.Fill)
	stroke, strokeOpacity := scene.LightPalette.Color(m.Stroke)
	base := charts.SingleSeries{Name: m.label, Id: m.ID, XAxisIndex: m.panel, YAxisIndex: m.panel}
	switch m.Kind {
	case scene.Symbols:
		base.Type, base.Symbol, base.SymbolSize = "scatter", echartsSymbol(m.Symbol), m.Size
		colour, opacity := fill, fillOpacity
		if opacity == 0 {
			colour, opacity = stroke, strokeOpacity
		}
		base.ItemStyle = &opts.ItemStyle{Color: colour, Opacity: opts.Float(float32(opacity))}
		var data []any
		for i, v := range m.XY {
			if !finite(v[0]) || !finite(v[1]) {
				continue
			}
			item := map[string]any{"value": v}
			if i < len(m.Notes) {
				item["name"] = m.Notes[i]
			}
			if i < len(m.Sizes) {
				item["symbolSize"] = m.Sizes[i]
			}
			if i < len(m.Fills) {
				c, o := scene.LightPalette.Color(m.Fills[i])
				item["itemStyle"] = map[string]any{"color": c, "opacity": o}
			}
			data = append(data, item)
		}
		base.Data = data
		return []charts.SingleSeries{base}
	case scene.Paths:
		var out []charts.SingleSeries
		for i, ring := range m.Rings {
			one := base
			if i > 0 {
				one.Id = m.ID + "." + strconv.Itoa(i)
			}
			if i < len(m.Strokes) {
				stroke, strokeOpacity = scene.LightPalette.Color(m.Strokes[i])
			}
			one.Type, one.ShowSymbol, one.Data = "line", opts.Bool(false), finitePairs(ring)
			one.LineStyle = &opts.LineStyle{
				Color:   stroke,
				Width:   float32(m.Width),
				Opacity: opts.Float(float32(strokeOpacity)),
				Type:    dashName(m.Dash),
			}
			one.ItemStyle = &opts.ItemStyle{Color: stroke}
			out = append(out, one)
		}
		return out
	}
	item := &opts.ItemStyle{Color: fill, Opacity: opts.Float(float32(fillOpacity))}
	if strokeOpacity > 0 {
		item.BorderColor, item.BorderWidth = stroke, float32(m.Width)
	}
	if fillOpacity == 0 {
		item.Color, item.Opacity = "transparent", opts.Float(1)
	}
	base.ItemStyle = item
	switch m.Kind {
	case scene.Texts:
		base.Type, base.SymbolSize = "scatter", 0.1
		base.Label = &opts.Label{
			Show:      opts.Bool(true),
			Formatter: "{b}",
			Color:     fill,
			FontSize:  float32(m.Size),
			Position:  echartsAnchor(m.Anchor),
		}
		var data []any
		for i, v := range m.XY {
			if i < len(m.Texts) && finite(v[0]) && finite(v[1]) {
				data = append(data, map[string]any{"value": v, "name": m.Texts[i]})
			}
		}
		base.Data = data
		return []charts.SingleSeries{base}
	case scene.Rects, scene.Arrows:
		base.Type, base.RenderItem, base.Data = "custom", opts.FuncOpts(rectShape), m.corners()
		if m.Kind == scene.Arrows {
			item.Color, item.Opacity = stroke, opts.Float(float32(strokeOpacity))
			base.RenderItem = opts.FuncOpts(arrowShape)
		}
		return []charts.SingleSeries{base}
	}
	base.Type, base.RenderItem = "custom", opts.FuncOpts(areaShape)
	if len(m.Fills) == 0 {
		base.Data = vertices(m.Rings...)
		return []charts.SingleSeries{base}
	}
	var out []charts.SingleSeries
	for i, ring := range m.Rings {
		one, style := base, *item
		one.Id = m.ID + "." + strconv.Itoa(i)
		if i < len(m.Fills) {
			c, o := scene.LightPalette.Color(m.Fills[i])
			style.Color, style.Opacity = c, opts.Float(float32(o))
		}
		one.ItemStyle, one.Data = &style, vertices(ring)
		out = append(out, one)
	}
	return out
}

// The shapes ECharts has no series for, spelled out for charts that leave this package. They quote with ' because go-echarts carries
// functions inside JSON strings.
const (
	areaShape = `function(p,api){if(p.dataIndexInside>0)return;var d='',last=-1;for(var i=0;i<p.dataInsideLength;i++){` +
		`var r=api.value(2,i),c=api.coord([api.value(0,i),api.value(1,i)]);d+=(r!==last?(last<0?'M':'ZM'):'L')+c[0]+' '+c[1];last=r}` +
		`return {type:'path',shape:{pathData:d+'Z'},style:api.style()}}`
	rectShape = `function(p,api){var a=api.coord([api.value(0),api.value(1)]),b=api.coord([api.value(2),api.value(3)]);` +
		`return {type:'rect',shape:{x:Math.min(a[0],b[0]),y:Math.min(a[1],b[1]),` +
		`width:Math.abs(a[0]-b[0]),height:Math.abs(a[1]-b[1])},style:api.style()}}`
	arrowShape = `function(p,api){var a=api.coord([api.value(0),api.value(1)]),b=api.coord([api.value(2),api.value(3)]),` +
		`t=Math.atan2(b[1]-a[1],b[0]-a[0]),f=function(s){return [b[0]-9*Math.cos(t+s),b[1]-9*Math.sin(t+s)]},c=api.visual('color');` +
		`return {type:'group',children:[{type:'line',shape:{x1:a[0],y1:a[1],x2:b[0],y2:b[1]},style:{stroke:c,lineWidth:1.5}},` +
		`{type:'polygon',shape:{points:[b,f(0.4),f(-0.4)]},style:{fill:c}}]}}`
)

func (m placedMark) corners() any {
	var data []any
	for i := range min(len(m.XY), len(m.XY2)) {
		a, b := m.XY[i], m.XY2[i]
		if !finite(a[0]) || !finite(a[1]) || !finite(b[0]) || !finite(b[1]) {
			continue
		}
		item := map[string]any{"value": [4]float64{a[0], a[1], b[0], b[1]}}
		if i < len(m.Notes) {
			item["name"] = m.Notes[i]
		}
		if i < len(m.Fills) {
			c, o := scene.LightPalette.Color(m.Fills[i])
			item["itemStyle"] = map[string]any{"color": c, "opacity": o}
		}
		data = append(data, item)
	}
	return data
}

// vertices lists x, y and the number of the ring, as areaShape reads them.
func vertices(rings ...[][2]float64) any {
	data := [][3]float64{}
	for r, ring := range rings {
		for _, v := range finitePairs(ring) {
			data = append(data, [3]float64{v[0], v[1], float64(r)})
		}
	}
	return data
}

func echartsAnchor(a scene.Anchor) string {
	switch {
	case a.H == "start":
		return "right"
	case a.H == "end":
		return "left"
	case a.V == "top":
		return "bottom"
	case a.V == "bottom":
		return "top"
	}
	return "inside"
}

func echartsSymbol(s scene.Symbol) string {
	switch s {
	case scene.Square:
		return "rect"
	case scene.Triangle, scene.Diamond:
		return string(s)
	case scene.Down:
		return "path://M0 0L10 0L5 9Z"
	case scene.Plus:
		return "path://M4 0H6V4H10V6H6V10H4V6H0V4H4Z"
	case scene.Cross:
		return "path://M1 0L5 4L9 0L10 1L6 5L10 9L9 10L5 6L1 10L0 9L4 5L0 1Z"
	case scene.Star:
		return "path://M5 0L6.2 3.5L10 3.6L7 5.9L8 9.5L5 7.4L2 9.5L3 5.9L0 3.6L3.8 3.5Z"
	}
	return "circle"
}

func dashName(dash []float64) string {
	switch {
	case len(dash) == 0:
		return "solid"
	case dash[0] < 3:
		return "dotted"
	}
	return "dashed"
}

func finitePairs(ring [][2]float64) [][2]float64 {
	out := make([][2]float64, 0, len(ring))
	for _, v := range ring {
		if finite(v[0]) && finite(v[1]) {
			out = append(out, v)
		}
	}
	return out
}
