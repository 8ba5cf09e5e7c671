package datasets

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/prlab/prlab/prl/cell"
)

// Describe returns a table with one line a feature: mean, standard deviation (divisor n - 1), smallest value, quartiles and largest value.
func (s Set) Describe() cell.Table {
	s, ok := s.step("Describe")
	if !ok {
		return cell.BrokenTable(s.Err())
	}
	if s.CheckNumbers("Describe") != nil {
		return s.Table().Describe()
	}
	t := cell.NewTable("feature", "unit", "mean", "sd", "min", "25 %", "median", "75 %", "max").Title(s.String())
	if s.Units == nil {
		t = cell.NewTable("feature", "mean", "sd", "min", "25 %", "median", "75 %", "max").Title(s.String())
	}
	for j, name := range s.FeatureNames {
		v := mat.Col(nil, j, s.X)
		slices.Sort(v)
		mean, sd := stat.MeanStdDev(v, nil)
		if len(v) < 2 {
			sd = 0
		}
		row := []any{name}
		if s.Units != nil {
			row = append(row, s.unit(j))
		}
		t = t.Row(append(row, mean, sd, v[0], quantile(v, 0.25), quantile(v, 0.5), quantile(v, 0.75), v[len(v)-1])...)
	}
	if s.Source != "" {
		t = t.Note(s.origin())
	}
	return t
}

// quantile interpolates between order statistics, as R's type 7 and numpy do.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Head returns the first n rows as a table, with classes and targets by name.
func (s Set) Head(n int) cell.Table {
	s, ok := s.step("Head", n)
	if !ok {
		return cell.BrokenTable(s.Err())
	}
	if n < 1 {
		return cell.BrokenTable(s.fail(fmt.Errorf("%d rows asked for, but a table needs at least 1", n)).Err())
	}
	const most = 16 // a table of 64 pixels helps nobody
	d := min(s.D(), most)
	columns := append([]string{"row"}, s.FeatureNames[:d]...)
	if s.D() > d {
		columns = append(columns, "...")
	}
	if s.Y != nil {
		columns = append(columns, "class")
	}
	if s.Target != nil {
		columns = append(columns, s.targetLabel())
	}
	t := cell.NewTable(columns...)
	n = min(n, s.N())
	for i := range n {
		var row []any
		if s.RowNames != nil {
			row = append(row, s.RowNames[i])
		} else {
			row = append(row, i)
		}
		for j, v := range s.X.RawRowView(i)[:d] {
			switch words := s.words(j); {
			case v != v:
				row = append(row, nil)
			case words != nil:
				row = append(row, clip(words[int(v)]))
			default:
				row = append(row, v)
			}
		}
		if s.D() > d {
			row = append(row, "")
		}
		if s.Y != nil {
			row = append(row, s.ClassNames[s.Y[i]])
		}
		if s.Target != nil {
			row = append(row, s.Target[i])
		}
		t = t.Row(row...)
	}
	if n < s.N() {
		t = t.Note(fmt.Sprintf("%d of %d rows", n, s.N()))
	}
	return t
}

// Show displays the set: its size and classes, the first rows, source and licence.
func (s Set) Show() {
	if s.Err() == nil && s.N() == 0 {
		s, _ = s.step("Show")
	}
	if err := s.Err(); err != nil {
		cell.Fail(err)
		return
	}
	t := s.Head(5).Title(s.String())
	note := fmt.Sprintf("%d of %d rows", min(5, s.N()), s.N())
	if s.Source != "" {
		note += ". " + s.origin()
	}
	t.Note(note).Show()
}

func (s Set) origin() string {
	var parts []string
	if s.Source != "" {
		parts = append(parts, "Source: "+s.Source)
	}
	if s.Citation != "" {
		parts = append(parts, s.Citation)
	}
	if s.Licence != "" {
		parts = append(parts, "Licence: "+s.Licence)
	}
	text := ""
	for _, p := range parts {
		text += strings.TrimSuffix(p, ".") + ". "
	}
	return strings.TrimSpace(text)
}
