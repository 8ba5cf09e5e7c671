package notebook

import (
	"encoding/json"
	"slices"
)

// Fold hides the source of the cells with one of the tags, which a page then shows on request.
func (n *Notebook) Fold(tags ...string) {
	for _, c := range n.Cells {
		if !c.IsCode() || !slices.ContainsFunc(c.Tags(), func(tag string) bool { return slices.Contains(tags, tag) }) {
			continue
		}
		metadata, isObject := c.raw["metadata"].(map[string]any)
		if !isObject {
			continue
		}
		jupyter := object(metadata["jupyter"])
		if jupyter == nil {
			jupyter = map[string]any{}
		}
		jupyter["source_hidden"] = true
		metadata["jupyter"] = jupyter
	}
}

// SameSource reports whether two notebooks have the same cells with the same text, whatever their outputs are.
func SameSource(a, b *Notebook) bool {
	return slices.EqualFunc(a.Cells, b.Cells, func(x, y *Cell) bool {
		return x.ID() == y.ID() && x.raw["cell_type"] == y.raw["cell_type"] && x.Source() == y.Source()
	})
}

// Merge is the new version of a notebook with the changes that a reader has made to a copy of the old one. Cells that the reader changed or
// added stay as they are there, and cells that the reader removed stay away. Where both have changed a cell, the new version comes first
// and the reader's, with the tag "yours", behind it.
func Merge(old, own, next *Notebook) *Notebook {
	merged := &Notebook{raw: map[string]any{}}
	for name, value := range next.raw {
		merged.raw[name] = value
	}
	before, mine, after := byID(old), byID(own), byID(next)
	taken := map[string]bool{}
	put := func(c *Cell) {
		merged.Cells = append(merged.Cells, c)
		taken[c.ID()] = true
	}
	// additions are the reader's own cells that follow a cell in the reader's copy.
	additions := func(at int) {
		for _, c := range own.Cells[at:] {
			if _, given := before[c.ID()]; given {
				return
			}
			if _, given := after[c.ID()]; given {
				return
			}
			if !taken[c.ID()] {
				put(c)
			}
		}
	}
	additions(0)
	for _, c := range next.Cells {
		id := c.ID()
		was, existed := before[id]
		at, has := mine[id]
		switch {
		case existed && !has && sameCell(old.Cells[was], c): // removed by the reader
		case !existed || !has || sameCell(old.Cells[was], own.Cells[at]): // not touched by the reader
			put(c)
		case sameCell(old.Cells[was], c): // touched by the reader alone
			put(own.Cells[at])
		default:
			put(c)
			yours := own.Cells[at].copy()
			yours.raw["id"] = unused(id+"-yours", mine, after, taken)
			yours.Tag("yours")
			put(yours)
		}
		if has {
			additions(at + 1)
		}
	}
	for i, c := range own.Cells { // changed or added cells whose neighbours are gone
		if taken[c.ID()] {
			continue
		}
		if was, given := before[c.ID()]; !given || !sameCell(old.Cells[was], c) {
			if _, still := after[c.ID()]; !still {
				put(own.Cells[i])
			}
		}
	}
	return merged
}

// Graft is a chapter with the answers of somebody's copy of it: the cells of the chapter that are open for an answer have the source that
// they have in the copy, all others stay as the chapter has them, and cells that the chapter has not follow those that they follow in the
// copy. What comes from the copy is reported to each.
func Graft(chapter, own *Notebook, open func(*Cell) bool, each func(*Cell)) *Notebook {
	grafted := &Notebook{raw: map[string]any{}}
	for name, value := range chapter.raw {
		grafted.raw[name] = value
	}
	given, mine := byID(chapter), byID(own)
	put := func(c *Cell, foreign bool) {
		c = c.copy()
		if foreign {
			each(c)
		}
		grafted.Cells = append(grafted.Cells, c)
	}
	taken := map[int]bool{}
	additions := func(at int) {
		for ; at < len(own.Cells); at++ {
			if _, known := given[own.Cells[at].ID()]; known || taken[at] {
				return
			}
			taken[at] = true
			put(own.Cells[at], true)
		}
	}
	additions(0)
	for _, c := range chapter.Cells {
		at, has := mine[c.ID()]
		if !has {
			put(c, false)
			continue
		}
		if open(c) && !sameCell(c, own.Cells[at]) && own.Cells[at].raw["cell_type"] == c.raw["cell_type"] {
			answered := c.copy()
			answered.SetSource(own.Cells[at].Source())
			put(answered, true)
		} else {
			put(c, false)
		}
		additions(at + 1)
	}
	return grafted
}

func byID(n *Notebook) map[string]int {
	places := map[string]int{}
	for i, c := range n.Cells {
		places[c.ID()] = i
	}
	return places
}

func sameCell(a, b *Cell) bool {
	return a.raw["cell_type"] == b.raw["cell_type"] && a.Source() == b.Source()
}

func unused(id string, known ...any) string {
	for {
		free := true
		for _, k := range known {
			switch k := k.(type) {
			case map[string]int:
				_, found := k[id]
				free = free && !found
			case map[string]bool:
				free = free && !k[id]
			}
		}
		if free {
			return id
		}
		id += "s"
	}
}

// copy is a deep copy.
func (c *Cell) copy() *Cell {
	text, err := json.Marshal(c.raw)
	fresh := &Cell{map[string]any{}}
	if err != nil || json.Unmarshal(text, &fresh.raw) != nil {
		return c
	}
	return fresh
}
