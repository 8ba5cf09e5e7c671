package handouts

import (
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parse reads a piece of HTML, as it may stand in the body of a page, into the children of an element of its own.
func parse(text string) *html.Node {
	root := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(text), root)
	if err != nil { // markup nested without end; the text is kept as text
		nodes = []*html.Node{{Type: html.TextNode, Data: text}}
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return root
}

// inner writes the children of an element.
func inner(n *html.Node) string {
	var b strings.Builder
	for child := range n.ChildNodes() {
		html.Render(&b, child) // a builder takes everything
	}
	return b.String()
}

// elements lists the elements under a node that a test picks, in the order of the text. What is done to one of them does not disturb the
// walk.
func elements(n *html.Node, pick func(*html.Node) bool) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		var all []*html.Node
		for d := range n.Descendants() {
			if d.Type == html.ElementNode && pick(d) {
				all = append(all, d)
			}
		}
		for _, d := range all {
			if !yield(d) {
				return
			}
		}
	}
}

// first is the first of them, or nil.
func first(n *html.Node, pick func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && pick(d) {
			return d
		}
	}
	return nil
}

// tag picks elements by name and by one of their classes, which may be empty.
func tag(name, class string) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.Data == name && (class == "" || hasClass(n, class)) }
}

// with picks elements that have an attribute.
func with(key string) func(*html.Node) bool {
	return func(n *html.Node) bool {
		return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	}
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attr(n, "class")), class)
}

// attr is the value of an attribute, empty without one.
func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func setAttr(n *html.Node, key, value string) {
	dropAttr(n, key)
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
}

func dropAttr(n *html.Node, key string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

func remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// replace puts nodes in the place of one; it may be among what they were children of.
func replace(n *html.Node, by ...*html.Node) {
	for _, b := range by {
		remove(b)
		n.Parent.InsertBefore(b, n)
	}
	remove(n)
}

// children lists the children of a node, which may be moved then.
func children(n *html.Node) []*html.Node { return slices.Collect(n.ChildNodes()) }

// textOf is what a reader sees of a node: formulas once, no links to the place itself.
func textOf(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.Type == html.ElementNode && (hasClass(n, "anchor") || hasClass(n, "katex-mathml") || n.Data == "script" || n.Data == "style"):
		default:
			for child := range n.ChildNodes() {
				walk(child)
			}
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}
