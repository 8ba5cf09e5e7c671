package syllabus

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/prlab/prlab/plotting"
)

// The map has a column for each depth; these are its measures in pixels.
const (
	mapColumn = 150
	mapRow    = 54
	mapNode   = 26
)

// A Chapter is a place on the map.
type Chapter struct{ Number, Name string } // 09, em

// Map draws which chapter needs which: a line leads from a chapter to those on its right that build on it. It is nil if none does.
func (b *Book) Map(chapters []Chapter) (*plotting.Figure, error) {
	numbers, names := make([]string, len(chapters)), map[string]string{}
	for i, c := range chapters {
		numbers[i], names[c.Number] = c.Number, strings.ReplaceAll(c.Name, "-", " ")
	}
	depths, err := b.Depths(numbers)
	if err != nil {
		return nil, err
	}
	columns, rows := [][]string{}, 0
	for _, c := range numbers {
		for len(columns) <= depths[c] {
			columns = append(columns, nil)
		}
		columns[depths[c]] = append(columns[depths[c]], c)
		rows = max(rows, len(columns[depths[c]]))
	}
	height := map[string]float64{}
	for _, column := range columns {
		slices.SortStableFunc(column, func(a, c string) int { return cmp.Compare(b.level(c, height), b.level(a, height)) })
		for i, c := range column {
			height[c] = -float64(rows) * (float64(i) + 0.5) / float64(len(column))
		}
	}
	b.clear(columns, depths, height)
	var nodes []plotting.Node
	var words []plotting.Layer
	for d, column := range columns {
		for _, c := range column {
			nodes = append(nodes, plotting.Node{Name: c, X: float64(d), Y: height[c], Size: mapNode, Note: names[c]})
			words = append(words, plotting.Text(float64(d), height[c], names[c]).Offset(0, mapNode/2+9).Halo())
		}
	}
	var edges []plotting.Edge
	var said []string
	for _, n := range b.Needs {
		if names[n.Needs] != "" && names[n.Chapter] != "" {
			edges = append(edges, plotting.Edge{From: n.Needs, To: n.Chapter})
			said = append(said, n.Chapter+" on "+n.Needs)
		}
	}
	if len(edges) == 0 {
		return nil, nil
	}
	f := plotting.New(plotting.Graph(nodes, edges)).Add(words...).NoAxes().NoGrid().NoLegend().
		Title("What each chapter builds on, from left to right").
		XRange(-0.5, float64(len(columns))-0.5).YRange(-float64(rows)-0.5, 0.3).
		Size(float64(len(columns)*mapColumn), float64(rows*mapRow+60)).
		Alt("What each chapter builds on: " + strings.Join(said, ", ") + ".")
	if err := f.Err(); err != nil {
		return nil, fmt.Errorf("the map of the chapters: %w", err)
	}
	return f, nil
}

// level is the mean height of the chapters that a chapter needs, so that its lines are short.
func (b *Book) level(chapter string, height map[string]float64) float64 {
	sum, n := 0.0, 0.0
	for _, need := range b.Needs {
		if y, placed := height[need.Needs]; placed && need.Chapter == chapter {
			sum, n = sum+y, n+1
		}
	}
	return sum / max(n, 1)
}

// clear moves chapters up or down, as little as needed, until no line runs through the circle of another chapter.
func (b *Book) clear(columns [][]string, depths map[string]int, height map[string]float64) {
	const most, step, least = 12, 0.08, 0.8 // moves in each direction, their length, and the distance of neighbours, in rows
	for range 10 {
		quiet := true
		for _, column := range columns {
			for i, c := range column {
				best, start := b.hits(columns, depths, height), height[c]
				to := start
				for k := 1; k <= most && best > 0; k++ {
					for _, y := range []float64{start + step*float64(k), start - step*float64(k)} {
						if i > 0 && height[column[i-1]]-y < least || i+1 < len(column) && y-height[column[i+1]] < least {
							continue
						}
						height[c] = y
						if n := b.hits(columns, depths, height); n < best {
							best, to, quiet = n, y, false
						}
					}
				}
				height[c] = to
			}
		}
		if quiet {
			return
		}
	}
}

// hits counts the lines that run through circles of chapters at which they do not end.
func (b *Book) hits(columns [][]string, depths map[string]int, height map[string]float64) (n int) {
	for _, need := range b.Needs {
		y, from := height[need.Needs]
		end, to := height[need.Chapter]
		if !from || !to {
			continue
		}
		left, right := depths[need.Needs], depths[need.Chapter]
		dx, dy := float64(mapColumn*(right-left)), mapRow*(end-y)
		for d := left + 1; d < right; d++ {
			for _, c := range columns[d] {
				if away := (dx*mapRow*(height[c]-y) - dy*float64(mapColumn*(d-left))) / math.Hypot(dx, dy); math.Abs(away) < mapNode/2+2 {
					n++
				}
			}
		}
	}
	return n
}
