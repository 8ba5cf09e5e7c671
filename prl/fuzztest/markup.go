package fuzztest

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Markup reports what a piece of HTML or XML must not have when strings of strangers stand in it: broken nesting, an element that is not
// among those allowed, an attribute that runs, a comment. Void elements have to be closed (<br/>).
func Markup(text string, allowed ...string) error {
	text = strings.Map(func(r rune) rune { // HTML takes control characters, XML does not
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return '?'
		}
		return r
	}, text)
	d := xml.NewDecoder(strings.NewReader("<root>" + text + "</root>"))
	for first := true; ; first = false {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if !first && !slices.Contains(allowed, e.Name.Local) {
				return fmt.Errorf("the element <%s>", e.Name.Local)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(strings.ToLower(a.Name.Local), "on") ||
					strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Value)), "javascript:") {
					return fmt.Errorf("the attribute %s=%q", a.Name.Local, a.Value)
				}
			}
		case xml.Comment, xml.Directive, xml.ProcInst:
			return fmt.Errorf("%T", e)
		}
	}
}
