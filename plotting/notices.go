//go:build !js

package plotting

import (
	_ "embed"
	"strings"
)

var (
	//go:embed runtime/NOTICE-echarts
	echartsNotice string
	//go:embed runtime/LICENSE-echarts
	echartsLicence string
	//go:embed runtime/LICENSE-zrender
	zrenderLicence string
	//go:embed runtime/LICENSE-d3
	d3Licence string
)

// RuntimeNotices returns the notice of Apache ECharts, its licence, and those of zrender and d3, of which it holds parts. A program that
// passes on what RuntimeHTML returns passes this on as well; package echartsx holds the same libraries.
func RuntimeNotices() string {
	var b strings.Builder
	for _, part := range []struct{ title, text string }{
		{"Apache ECharts: NOTICE", echartsNotice},
		{"Apache ECharts: LICENSE", echartsLicence},
		{"zrender: LICENSE", zrenderLicence},
		{"d3: LICENSE", d3Licence},
	} {
		b.WriteString(part.title + "\n\n" + strings.TrimSpace(part.text) + "\n\n\n")
	}
	return strings.TrimSpace(b.String()) + "\n"
}
