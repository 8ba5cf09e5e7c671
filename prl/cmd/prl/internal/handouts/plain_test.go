package handouts

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// words are the texts and the attributes of a drawing.
func words(svg string) (all string) {
	for n := range parse(svg).Descendants() {
		all += fmt.Sprintf("%q %q\n", n.Data, n.Attr)
	}
	return all
}

// A still that stands as text is the drawing that it was, for who reads the page and then the address; other pictures stay.
func TestPlainStills(t *testing.T) {
	drawings := []string{
		`<svg xmlns="http://www.w3.org/2000/svg"><text fill="#123456">100 % of a &lt; b &amp; "c" + d ≥ ½</text></svg>`,
		"<svg a=\"it's\">\n\t<path d=\"M0 1\r\n2 3\"/>&quot;&#34;\\?</svg>",
	}
	for _, svg := range drawings {
		was := `<p><img alt="a" src="` + svgData + base64.StdEncoding.EncodeToString([]byte(svg)) + `"/></p>`
		is := plainStills(was)
		if len(is) > len(was) && len(svg) > 100 {
			t.Errorf("%d bytes have become %d", len(was), len(is))
		}
		src := attr(first(parse(is), func(n *html.Node) bool { return n.Data == "img" }), "src")
		text, found := strings.CutPrefix(src, "data:image/svg+xml,")
		if !found || strings.ContainsAny(text, "\n\r\t#\"") {
			t.Errorf("the address is %q", src)
		}
		got, err := url.PathUnescape(text)
		if err != nil || words(got) != words(svg) {
			t.Errorf("the drawing is %q, %v; want %q", got, err, svg)
		}
	}
	for _, other := range []string{
		`<img src="data:image/png;base64,AAAA"/>`, `<img src="` + svgData + `AAAA"/>`,
		`<img src="` + svgData + `A"/>`,
	} {
		if got := plainStills(other); got != other {
			t.Errorf("%s has become %s", other, got)
		}
	}
}
