package datasets

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/prlab/prlab/prl/cell"
)

// Describe returns a table with one line a column: what it holds, its gaps, how many different values it has, mean, standard deviation
// (divisor n - 1), smallest value, quartiles and largest value of numbers, first and last of dates, and the most frequent words.
func (t Table) Describe() cell.Table {
	t, ok := t.ready("Describe")
	if !ok {
		return cell.BrokenTable(t.Err())
	}
	out := cell.NewTable("column", "holds", "gaps", "different", "mean", "sd", "min", "25 %", "median", "75 %", "max", "most frequent").
		Title(t.String())
	for _, c := range t.columns {
		row := []any{c.heading(), c.kind.String(), c.gaps(), 0, "", "", "", "", "", "", "", ""}
		switch c.kind {
		case Nominal:
			row[3], row[11] = len(c.tight().words), c.frequent(3)
		default:
			var v []float64
			for _, x := range c.numbers {
				if x == x {
					v = append(v, x)
				}
			}
			slices.Sort(v)
			row[3] = len(slices.Compact(slices.Clone(v)))
			if len(v) == 0 {
				break
			}
			if c.kind == Temporal {
				row[6], row[8], row[10] = dateText(v[0]), dateText(v[(len(v)-1)/2]), dateText(v[len(v)-1])
				break
			}
			mean, sd := stat.MeanStdDev(v, nil)
			if len(v) < 2 {
				sd = 0
			}
			row[4], row[5], row[6], row[7], row[8] = mean, sd, v[0], quantile(v, 0.25), quantile(v, 0.5)
			row[9], row[10] = quantile(v, 0.75), v[len(v)-1]
		}
		out = out.Row(row...)
	}
	return out.Note(t.origin())
}

func (c column) heading() string {
	if c.unit != "" {
		return c.name + " (" + c.unit + ")"
	}
	return c.name
}

// frequent returns the words that most rows have, with their numbers of rows: "male (168), female (165)".
func (c column) frequent(most int) string {
	rows := make([]int, len(c.words))
	for _, k := range c.codes {
		if k >= 0 {
			rows[k]++
		}
	}
	order := make([]int, len(rows))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return rows[b] - rows[a] })
	var parts []string
	for _, k := range order[:min(most, len(order))] {
		parts = append(parts, fmt.Sprintf("%s (%d)", clip(c.words[k]), rows[k]))
	}
	if len(order) > most {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}

// Head returns the first n rows as a table; a gap is left blank.
func (t Table) Head(n int) cell.Table {
	t, ok := t.ready("Head", n)
	if ok && n < 1 {
		t, ok = t.fail(fmt.Errorf("%d rows asked for, but a table needs at least 1", n)), false
	}
	if !ok {
		return cell.BrokenTable(t.Err())
	}
	const most = 16
	d := min(len(t.columns), most)
	heads := make([]string, 0, d+1)
	for _, c := range t.columns[:d] {
		heads = append(heads, c.heading())
	}
	if len(t.columns) > d {
		heads = append(heads, "...")
	}
	out := cell.NewTable(heads...)
	n = min(n, t.rows)
	for i := range n {
		row := make([]any, 0, len(heads))
		for _, c := range t.columns[:d] {
			v := c.value(i)
			if word, ok := v.(string); ok {
				v = clip(word)
			}
			row = append(row, v)
		}
		if len(t.columns) > d {
			row = append(row, "")
		}
		out = out.Row(row...)
	}
	if n < t.rows {
		out = out.Note(fmt.Sprintf("%d of %d rows", n, t.rows))
	}
	return out
}

// Show displays the table: its size, the first rows, what was left out on the way, source and licence.
func (t Table) Show() {
	shown, ok := t.ready("Show")
	if !ok {
		cell.Fail(shown.Err())
		return
	}
	note := fmt.Sprintf("%d of %d rows", min(5, t.rows), t.rows)
	if t.rows <= 12 {
		t.Head(t.rows).Title(t.String()).Note(t.origin()).Show()
		return
	}
	if origin := t.origin(); origin != "" {
		note += ". " + origin
	}
	t.Head(5).Title(t.String()).Note(note).Show()
}

func (t Table) origin() string {
	text := Set{Source: t.Source, Citation: t.Citation, Licence: t.Licence}.origin()
	for _, r := range t.remarks {
		text += " " + r + "."
	}
	return strings.TrimSpace(text)
}
