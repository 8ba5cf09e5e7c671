package browsertest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/plotting/echartsx"
)

func foreign(t *testing.T, c echartsx.Chart) string {
	t.Helper()
	element, _, err := echartsx.HTML(c, 640, 420)
	if err != nil {
		t.Fatal(err)
	}
	return element
}

func sankey() *charts.Sankey {
	s := charts.NewSankey()
	s.SetGlobalOptions(charts.WithTitleOpts(opts.Title{Title: "Flow"}),
		charts.WithTooltipOpts(opts.Tooltip{Formatter: opts.FuncOpts("function (p) { window.formatted = 1; return p.name }")}))
	s.AddSeries("s", []opts.SankeyNode{{Name: "a"}, {Name: "__f__window.hacked=1__f__"}},
		[]opts.SankeyLink{{Source: "a", Target: "__f__window.hacked=1__f__", Value: 3}})
	return s
}

// A chart of go-echarts' own kinds, and a figure handed out as one, are drawn beside live figures; data are never taken for functions.
func TestForeignCharts(t *testing.T) {
	var outputs strings.Builder
	for _, g := range gallery {
		c, err := g.figure().ECharts()
		if err != nil {
			t.Fatal(g.name, err)
		}
		outputs.WriteString(foreign(t, c))
	}
	p := open(t, `<body>`+foreign(t, sankey())+outputs.String()+element(t, scatter())+echartsx.RuntimeHTML()+plotting.RuntimeHTML(), 900, 900)
	p.alive(1)
	p.until(`window.PrlCharts && PrlCharts.charts.size === ` + strconv.Itoa(len(gallery)+1))
	empty := eval[int](
		p,
		`[...PrlCharts.charts].filter(c => { const v = c.box.querySelector('canvas'), d = v.getContext('2d').getImageData(0, 0, v.width, `+
			`v.height).data;
		let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i]) n++; return n < 500 }).length`,
	)
	if empty > 0 {
		t.Errorf("%d of %d charts are empty", empty, len(gallery)+1)
	}
	if !eval[bool](p, `typeof [...PrlCharts.charts][0].chart.getOption().tooltip[0].formatter === 'function'`) {
		t.Error("the formatter was not revived")
	}
	if eval[bool](p, `!!window.hacked`) {
		t.Error("a name was run as a function")
	}
	p.do(run(`document.body.innerHTML = ''`))
	p.until(`PrlCharts.charts.size === 0`)
}

// A chart that is removed, replaced or drawn in another theme while it is being painted, on a machine so slow that each frame paints one of
// its points, leaves no error..
func TestChartsGoWhilePainted(t *testing.T) {
	points := make([]opts.ScatterData, 5000)
	for i := range points {
		points[i].Value = []float64{float64(i % 71), float64(i % 73)}
	}
	s := charts.NewScatter()
	s.AddSeries("s", points)
	const slow = `<script>{ let now = 0; Date.now = () => now += 20 }</script>`
	p := open(t, `<body>`+slow+foreign(t, s)+foreign(t, s)+echartsx.RuntimeHTML(), 900, 900)
	p.until(`window.PrlCharts && PrlCharts.charts.size === 2`)
	painting := func() {
		p.until(`[...PrlCharts.charts].every((c) => Object.values(c.chart.getZr().painter.getLayers()).length > 1)`)
	}
	painting()
	p.do(run(`document.body.style.background = 'black'`)) // both are drawn again
	p.until(`[...PrlCharts.charts].every((c) => c.dark)`)
	painting()
	p.do(run(`document.querySelector('.prl-chart-host').remove()`))
	p.until(`PrlCharts.charts.size === 1`)
	p.do(run(`document.body.replaceChildren()`))
	p.until(`PrlCharts.charts.size === 0`)
	p.do(run(`new Promise((done) => { let n = 0; (function next() { if (n++ < 10) requestAnimationFrame(next); else done() })() })`))
}
