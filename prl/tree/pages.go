package tree

import (
	"iter"
	"slices"
)

// page is the number of nodes on a page.
const page = 64

// pages are the nodes of a tree, in pages of equal length but for the last: the list grows without moving what it has, and without room for
// twice as much.
type pages [][]Node

// paged cuts a list into pages.
func paged(list []Node) pages { return slices.Collect(slices.Chunk(list, page)) }

func (p pages) append(n Node) pages {
	if len(p) == 0 || len(p[len(p)-1]) == page {
		p = append(p, make([]Node, 0, page))
	}
	last := &p[len(p)-1]
	*last = append(*last, n)
	return p
}

func (p pages) at(i int) *Node { return &p[i/page][i%page] }

func (p pages) len() int {
	if len(p) == 0 {
		return 0
	}
	return (len(p)-1)*page + len(p[len(p)-1])
}

func (p pages) all() iter.Seq2[int, Node] {
	return func(yield func(int, Node) bool) {
		for i, list := range p {
			for j, n := range list {
				if !yield(i*page+j, n) {
					return
				}
			}
		}
	}
}

// flat returns all nodes in one list.
func (p pages) flat() []Node { return slices.Concat(p...) }
