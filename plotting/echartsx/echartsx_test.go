package echartsx

import (
	"math"
	"strings"
	"testing"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

func TestHTML(t *testing.T) {
	bar := charts.NewBar()
	bar.SetGlobalOptions(charts.WithTitleOpts(opts.Title{Title: `A "bar" <b>`}))
	bar.SetXAxis([]string{"a", "b"}).AddSeries("s", []opts.BarData{{Value: 1}, {Value: 2}})
	element, title, err := HTML(bar, 640, 420)
	if err != nil {
		t.Fatal(err)
	}
	if title != `A "bar" <b>` || strings.Count(element, "<") != 1 || !strings.Contains(element, "&#34;bar&#34;") {
		t.Errorf("title %q in %.200s", title, element)
	}
	if strings.Contains(RuntimeHTML(), "http") {
		t.Error("the runtime has a network address")
	}
}

func TestErrors(t *testing.T) {
	if _, _, err := HTML(nil, 640, 420); err == nil || !strings.Contains(err.Error(), "nil") {
		t.Errorf("nil chart: %v", err)
	}
	bar := charts.NewBar()
	bar.AddSeries("s", []opts.BarData{{Value: math.NaN()}})
	if _, _, err := HTML(bar, 640, 420); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("NaN in the data: %v", err)
	}
	if _, _, err := HTML(charts.NewSurface3D(), 640, 420); err == nil || !strings.Contains(err.Error(), "2-D") {
		t.Errorf("a 3-D chart: %v", err)
	}
	if _, _, err := HTML(charts.NewBar(), 10, 10); err == nil || !strings.Contains(err.Error(), "80 x 80") {
		t.Errorf("a tiny chart: %v", err)
	}
}
