package handouts

import (
	"encoding/base64"
	"regexp"
	"strings"
)

var (
	packedStill = regexp.MustCompile(`src="` + regexp.QuoteMeta(svgData) + `([A-Za-z0-9+/]*=*)"`)
	stillTag    = regexp.MustCompile(`<[^>]*>`)
	// marks of a drawing that mean something else in an address or in an attribute
	plainMarks = strings.NewReplacer("%", "%25", "#", "%23", "&", "%26", `"`, "%22", "\n", "%0A", "\r", "%0D", "\t", "%09")
)

// plainStills writes the stills of a page, which are drawings in XML, as the text they are: base64 is a third longer. It does so with the
// HTML as written, for a writer of HTML would escape the signs of XML, which an attribute may hold.
func plainStills(body string) string {
	return packedStill.ReplaceAllStringFunc(body, func(attribute string) string {
		svg, err := base64.StdEncoding.DecodeString(packedStill.FindStringSubmatch(attribute)[1])
		text := string(svg)
		if err != nil || !strings.HasPrefix(text, "<svg ") {
			return attribute
		}
		text = strings.ReplaceAll(text, ">\n<", "><")
		text = stillTag.ReplaceAllStringFunc(text, func(tag string) string {
			if strings.Contains(tag, "'") {
				return tag
			}
			return strings.ReplaceAll(tag, `"`, "'")
		})
		return `src="data:image/svg+xml,` + plainMarks.Replace(text) + `"`
	})
}
