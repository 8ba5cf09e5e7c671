package collect

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Class is a list of students: a roster, or a gradebook as a learning platform exports it.
type Class struct {
	rows   [][]string
	comma  rune
	first  int // the first line of a student
	column int // the one with the names by which the lab knows the students
}

// headings are those of the column with the names, the best first: of a roster, of Canvas and of Moodle.
var headings = []string{"sis login id", "username", "name", "student", "email address"}

// ReadClass reads the names of a class: one a line, as the hub knows them, or a table with commas or semicolons, whose first line tells
// which column has them, or else the first one. In a roster # begins a comment. A name with a comma stands in quotation marks.
func ReadClass(text string, gradebook bool) (*Class, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	c := &Class{comma: ','}
	if first, _, _ := strings.Cut(text, "\n"); strings.Count(first, ";") > strings.Count(first, ",") {
		c.comma = ';'
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = c.comma, -1
	if !gradebook {
		r.Comment, r.TrimLeadingSpace = '#', true
	}
	var err error
	if c.rows, err = r.ReadAll(); err != nil {
		return nil, fmt.Errorf("the roster is no table: %w", err)
	}
	if len(c.rows) == 0 {
		return c, nil
	}
	if gradebook {
		c.first = 1
	}
	for i, heading := range headings {
		at := slices.IndexFunc(c.rows[0], func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), heading) })
		if at == 0 || at > 0 && (gradebook || i == 0) || at > 0 && heading == "username" {
			c.first, c.column = 1, at
			break
		}
	}
	return c, nil
}

// name is the name of the student in a line, or "" if it is of none, as that with the points of a gradebook of Canvas.
func (c *Class) name(row []string) string {
	if len(row) <= c.column || strings.Contains(row[0], "Points Possible") {
		return ""
	}
	before, _, _ := strings.Cut(row[c.column], "#")
	return studentName(before)
}

// Names are the students, in order.
func (c *Class) Names() (names []string) {
	if c == nil {
		return nil
	}
	for _, row := range c.rows[c.first:] {
		if name := c.name(row); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (c *Class) has(name string) bool { return slices.Contains(c.Names(), name) }

// Member is the name in the class of the student whom a hand-in calls by some other: a learning platform packs hand-ins with names of its
// own. A name that is nobody's, or that of several, stays as it is.
func (c *Class) Member(called string) string {
	if c == nil || called == "" || c.has(called) {
		return called
	}
	member := ""
	for _, row := range c.rows[c.first:] {
		keys := []string{}
		for _, cell := range row {
			keys = append(keys, letters(cell))
		}
		if len(row) > 1 {
			keys = append(keys, letters(row[0]+row[1]), letters(row[1]+row[0]))
		}
		last, first, _ := strings.Cut(row[0], ",")
		keys = append(keys, letters(first+last))
		if name := c.name(row); name != "" && slices.Contains(keys, letters(called)) && name != member {
			if member != "" {
				return called
			}
			member = name
		}
	}
	if member == "" {
		return called
	}
	return member
}

// letters is a name without what platforms leave out of it: blanks, signs and capitals.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, studentName(name))
}

// Gradebook is the gradebook with how many exercises of each chapter every student has solved, in the column of that chapter, which is
// made if there is none. Who has handed in nothing keeps the mark that is there, or gets "-", which is none.
func (c *Class) Gradebook(results []*Result) (string, error) {
	rows := make([][]string, len(c.rows))
	for i, row := range c.rows {
		rows[i] = slices.Clone(row)
	}
	for _, ch := range chaptersOf(results) {
		solved := map[string]string{}
		for _, r := range results {
			if r.Chapter == ch {
				solved[r.Student] = strconv.Itoa(r.Solved())
			}
		}
		at := slices.IndexFunc(rows[0], func(heading string) bool { return strings.Contains(heading, ch.Name) })
		if at < 0 {
			at = len(rows[0])
			rows[0] = append(rows[0], ch.Name)
		}
		for i := range rows[1:] {
			row := &rows[i+1]
			for len(*row) <= at {
				*row = append(*row, "")
			}
			cell := &(*row)[at]
			switch mark, is := solved[c.name(*row)]; {
			case is:
				*cell = mark
			case strings.Contains((*row)[0], "Points Possible"):
				*cell = strconv.Itoa(len(ch.Exercises))
			case *cell == "" && c.name(*row) != "":
				*cell = "-"
			}
		}
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = c.comma
	err := w.WriteAll(rows)
	return b.String(), err
}
