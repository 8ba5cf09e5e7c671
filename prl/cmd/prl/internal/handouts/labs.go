package handouts

import (
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// CheckLab says what is wrong with the address of a lab; none is right.
func CheckLab(address string) error {
	u, err := url.Parse(address)
	if address != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "") {
		return fmt.Errorf("%q is not the address of a lab, as http://localhost:8888 or https://hub.example.org/hub/user-redirect", address)
	}
	return nil
}

// inLab is the address of a notebook in the lab, at a cell if one is named, or nothing if there is no lab.
func (c *Course) inLab(name, cell string) string {
	if c.Lab == "" {
		return ""
	}
	address := strings.TrimSuffix(c.Lab, "/") + "/lab/tree/" + url.PathEscape(name+".ipynb")
	if cell != "" {
		address += "#cell-id=" + url.PathEscape(cell)
	}
	return address
}

// addLab lets each heading of a page lead to its cell in the lab.
func (c *Course) addLab(page *html.Node, name string) {
	if c.Lab == "" {
		return
	}
	for section := range elements(page, tag("section", "cell")) {
		cell := strings.TrimPrefix(attr(section, "id"), "cell-")
		for h := range elements(section, func(n *html.Node) bool { return level(n) > 0 && attr(n, "id") != "" }) {
			link := &html.Node{Type: html.ElementNode, Data: "a", Attr: []html.Attribute{
				{Key: "class", Val: "anchor lab"}, {Key: "href", Val: c.inLab(name, cell)}, {Key: "aria-label", Val: "Open this section in the lab"},
			}}
			link.AppendChild(&html.Node{Type: html.TextNode, Data: "lab"})
			h.AppendChild(link)
		}
	}
}
