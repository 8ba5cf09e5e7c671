package plotting

import (
	"fmt"
	"slices"

	"github.com/prlab/prlab/plotting/internal/scene"
)

// DendrogramLayer is the tree of a hierarchical clustering. Make one with Dendrogram.
type DendrogramLayer struct {
	merges [][4]float64
	names  []string
	cut    float64
	hasCut bool
	by     []int
	groups []string
}

// Dendrogram draws n-1 merges of n leaves. Merge i is {a, b, height, size}: it joins the clusters a and b, where 0..n-1 are the leaves
// and n+j is the cluster made by merge j < i, at the given height (the linkage matrix of R's hclust and of scipy).
func Dendrogram(merges [][4]float64, names ...string) DendrogramLayer {
	return DendrogramLayer{merges: slices.Clone(merges), names: slices.Clone(names)}
}

// Cut draws the line at which the tree is cut, and the clusters below it in colours of their own.
func (d DendrogramLayer) Cut(height float64) DendrogramLayer {
	d.cut, d.hasCut = height, true
	return d
}

// By gives a label to each leaf, from 0: a part of the tree whose leaves have one label is drawn in the colour of its name, so that points
// and tree agree. Without names the classes are "class 0", "class 1" ...
func (d DendrogramLayer) By(labels []int, names ...string) DendrogramLayer {
	d.by, d.groups = slices.Clone(labels), slices.Clone(names)
	return d
}

func (d DendrogramLayer) check() error {
	n := len(d.merges) + 1
	if d.by != nil {
		if err := sameLength("Dendrogram.By", "labels", len(d.by), "the leaves", n, "label"); err != nil {
			return err
		}
		if err := checkLabels("Dendrogram", d.by, d.groups); err != nil {
			return err
		}
	}
	if len(d.names) > 0 {
		if err := sameLength("Dendrogram", "names", len(d.names), "the leaves", n, "name"); err != nil {
			return err
		}
	}
	used := make([]bool, 2*n)
	for i, m := range d.merges {
		for k := range 2 {
			c := int(m[k])
			if float64(c) != m[k] || c < 0 || c >= n+i {
				return argument("Dendrogram", fmt.Sprintf("merges[%d][%d]", i, k), fmt.Sprint(m[k]), fmt.Sprintf("a cluster from 0 to %d", n+i-1), "")
			}
			if used[c] {
				return argument(
					"Dendrogram",
					fmt.Sprintf("merges[%d][%d]", i, k),
					fmt.Sprintf("cluster %d again", c),
					"a cluster that is not merged yet",
					"",
				)
			}
			used[c] = true
		}
		if !finite(m[2]) {
			return argument("Dendrogram", fmt.Sprintf("merges[%d][2]", i), fmt.Sprint(m[2]), "a finite height", "")
		}
	}
	if d.hasCut && !finite(d.cut) {
		return argument("Dendrogram.Cut", "height", fmt.Sprint(d.cut), "a finite number", "")
	}
	return nil
}

// shape returns the order of the leaves, each cluster's place across and height.
func (d DendrogramLayer) shape() (leaves []int, at, height []float64) {
	n := len(d.merges) + 1
	at, height = make([]float64, n+len(d.merges)), make([]float64, n+len(d.merges))
	merged := make([]bool, len(at))
	for i, m := range d.merges {
		merged[int(m[0])], merged[int(m[1])] = true, true
		height[n+i] = m[2]
	}
	// Depth first from the roots, without recursion: chains may be long.
	var stack []int
	for c := range at {
		if !merged[c] {
			stack = append(stack, c)
		}
	}
	slices.Reverse(stack)
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c < n {
			at[c] = float64(len(leaves))
			leaves = append(leaves, c)
			continue
		}
		m := d.merges[c-n]
		stack = append(stack, int(m[1]), int(m[0]))
	}
	for i, m := range d.merges {
		at[n+i] = (at[int(m[0])] + at[int(m[1])]) / 2
	}
	return leaves, at, height
}

func (d DendrogramLayer) survey(v *survey) {
	leaves, _, height := d.shape()
	v.x.hard(-0.75, float64(len(leaves))-0.25)
	v.y.hard(0)
	v.y.soft(height...)
	v.noGridX = true
	if len(leaves) <= 60 {
		v.xTicks = []scene.Tick{}
		for i, l := range leaves {
			name := scene.FormatNumber(float64(l))
			if len(d.names) > 0 {
				name = scene.Clean(d.names[l], 40)
			}
			v.xTicks = append(v.xTicks, scene.Tick{At: float64(i), Label: name})
		}
	} else {
		v.xTicks = []scene.Tick{}
	}
	if d.hasCut {
		v.y.soft(d.cut)
	}
	for k := range classCount(d.by, d.groups) {
		v.pic.slot(className(d.groups, k))
	}
}

func (d DendrogramLayer) lower(p *panelDrawing) {
	n := len(d.merges) + 1
	leaves, at, height := d.shape()
	// cluster of each node below the cut, numbered from the left
	group := make([]int, len(at))
	for i := range group {
		group[i] = -1
	}
	groups := 0
	if d.by != nil {
		groups = classCount(d.by, d.groups)
		copy(group, d.by)
		for i, m := range d.merges {
			if a := group[int(m[0])]; a == group[int(m[1])] {
				group[n+i] = a
			}
		}
	}
	if d.hasCut && d.by == nil {
		parent := make([]int, len(at))
		for i := range parent {
			parent[i] = -1
		}
		for i, m := range d.merges {
			parent[int(m[0])], parent[int(m[1])] = n+i, n+i
		}
		rootOf := func(c int) int {
			for parent[c] >= 0 && height[parent[c]] <= d.cut {
				c = parent[c]
			}
			return c
		}
		for _, l := range leaves {
			r := rootOf(l)
			if group[r] < 0 {
				group[r] = groups
				groups++
			}
			group[l] = group[r]
		}
		for i, m := range d.merges {
			if height[n+i] <= d.cut {
				group[n+i] = group[int(m[0])]
			}
		}
	}
	byGroup, names := make([][][][2]float64, groups+1), make([][]string, groups+1)
	for i, m := range d.merges {
		a, b, h := int(m[0]), int(m[1]), m[2]
		elbow := [][2]float64{{at[a], height[a]}, {at[a], h}, {at[b], h}, {at[b], height[b]}}
		byGroup[group[n+i]+1] = append(byGroup[group[n+i]+1], elbow)
		names[group[n+i]+1] = append(names[group[n+i]+1], fmt.Sprintf("merge %d", i+1))
		p.rowText("", p.leafNames(d, a, n), scene.FormatNumber(h), "joins "+p.leafNames(d, b, n))
	}
	for g, rings := range byGroup {
		m := scene.Mark{Kind: scene.Paths, Stroke: scene.Paint{Token: scene.TokenForeground}, Width: 1.5, Rings: rings, Names: names[g]}
		if g > 0 {
			m.Width = 2
			if d.by != nil {
				m.Stroke = slotPaint(p.slot(className(d.groups, g-1)))
			} else {
				m.Stroke = slotPaint(p.slot(fmt.Sprintf("\x00cluster %d", g)))
			}
		}
		p.add(m)
	}
	if d.hasCut {
		p.add(scene.Mark{
			Kind: scene.Paths, Stroke: scene.Paint{Token: scene.TokenMuted}, Width: 1.25, Dash: dashed, Clip: true,
			Rings: [][][2]float64{{{p.x.Lo, d.cut}, {p.x.Hi, d.cut}}},
		})
		p.add(
			scene.Mark{
				Kind:   scene.Texts,
				Z:      p.over(),
				Fill:   scene.Paint{Token: scene.TokenMuted},
				Size:   11,
				Halo:   true,
				Anchor: scene.At("end", "bottom"),
				Offset: [2]float64{-4, -3},
				XY:     [][2]float64{{p.x.Hi, d.cut}},
				Texts:  []string{count(d.clusters(), "cluster")},
			},
		)
	}
	p.describe("a dendrogram of %d leaves", n)
}

// clusters returns the number of groups below the cut.
func (d DendrogramLayer) clusters() int {
	top := make([]float64, len(d.merges))
	groups, n := len(d.merges)+1, len(d.merges)+1
	for i, m := range d.merges {
		top[i] = m[2]
		for _, c := range m[:2] {
			if int(c) >= n {
				top[i] = max(top[i], top[int(c)-n])
			}
		}
		if top[i] <= d.cut {
			groups--
		}
	}
	return groups
}

// leafNames names a cluster in the table.
func (p *panelDrawing) leafNames(d DendrogramLayer, c, n int) string {
	switch {
	case c >= n:
		return fmt.Sprintf("merge %d", c-n+1)
	case len(d.names) > 0:
		return d.names[c]
	}
	return scene.FormatNumber(float64(c))
}
