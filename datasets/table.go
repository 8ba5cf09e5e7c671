package datasets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// A Table holds columns of numbers, of words and of dates, with gaps, as files have them. It is looked at, cut and joined here, and becomes
// a [Set] with Label, Target or Unlabelled, for models to be fitted to:
//
//	birds := datasets.OpenTable("birds.csv").Drop("comments").DropMissing("sex").Label("species")
//
// Tables are values: every method returns a changed copy. Where a step leaves rows out or changes their number, Show, Describe and the
// source of the table, and of the sets made from it, say how many. The first error waits in the table, with the step that caused it.
//
// The columns are plain slices. The arrays of Apache Arrow would be the other choice: in a program that does no more than make two of them
// and print, they cost 4.1 MB of 6.5, and 1.1 MB of the compressed 1.9 when it is compiled for a page, which every cell that names a table
// would carry. A reader of a format that needs such a library hands its columns over with With.
type Table struct {
	Name     string
	Source   string // where it comes from, and what steps left out
	Licence  string
	Citation string

	rows    int
	columns []column
	remarks []string // of the reader, on what it took a column for
	chain   fault.Chain
}

// Kind is what the values of a column are.
type Kind int

const (
	Numeric  Kind = iota // finite numbers
	Nominal              // words
	Temporal             // days, or moments of a day
)

// String returns "numbers", "words" or "dates".
func (k Kind) String() string { return [...]string{"numbers", "words", "dates"}[k] }

// A column is never changed once a table holds it.
type column struct {
	name    string
	kind    Kind
	unit    string
	numbers []float64 // of numbers, and of dates the seconds since 1970; NaN is a gap
	codes   []int32   // of words, places in words; -1 is a gap
	words   []string
}

// NewTable begins a table without columns; With adds them.
func NewTable(name string) Table { return Table{Name: name, chain: fault.Start("NewTable", name)} }

// BrokenTable returns a table without rows that only carries an error; whatever uses it reports it.
func BrokenTable(name string, err error) Table { return NewTable(name).fail(err) }

// With returns t with one more column, or with another one in its place if there is a column of that name. Values are a slice with an entry
// for each row: []float64, []int and []int64 for numbers, []string for words, []bool for the words yes and no, []time.Time for dates. NaN,
// the empty word and the zero time are gaps. Whole numbers beyond 2^53 in absolute value, such as long identifiers, make a column of words,
// since float64 would round them; Show says so.
func (t Table) With(name string, values any) Table {
	t, ok := t.step("With", name)
	if !ok {
		return t
	}
	c := column{name: name}
	switch v := values.(type) {
	case []float64:
		c.numbers = slices.Clone(v)
	case []int:
		c = wholeNumbers(name, v)
	case []int64:
		c = wholeNumbers(name, v)
	case []string:
		c.kind = Nominal
		c.codes, c.words = coded(v)
	case []bool:
		c.kind, c.words = Nominal, []string{"no", "yes"}
		for _, x := range v {
			c.codes = append(c.codes, 0)
			if x {
				c.codes[len(c.codes)-1] = 1
			}
		}
	case []time.Time:
		c.kind = Temporal
		for _, x := range v {
			s, err := seconds(x)
			if err != nil {
				return t.fail(fault.Argument("With", "the column "+strconv.Quote(name), err.Error(), "times in whole microseconds", ""))
			}
			c.numbers = append(c.numbers, s)
		}
	default:
		return t.fail(fault.Argument("With", "the column "+strconv.Quote(name), fmt.Sprintf("a %T", values),
			"a slice of float64, int, int64, string, bool or time.Time", ""))
	}
	if name == "" {
		return t.fail(fault.Argument("With", "the name", `""`, "a word", ""))
	}
	n := max(len(c.numbers), len(c.codes))
	for i, x := range c.numbers {
		if math.IsInf(x, 0) {
			return t.fail(fault.Argument("With", fmt.Sprintf("value %d of %s", i, name), x, "a finite number, or NaN for a gap", ""))
		}
	}
	if n == 0 || len(t.columns) > 0 && n != t.rows {
		return t.fail(fault.Argument("With", "the column "+strconv.Quote(name), fmt.Sprintf("of %d values", n),
			fmt.Sprintf("one for each of the %d rows", t.rows), ""))
	}
	t.rows = n
	switch values.(type) {
	case []int, []int64:
		if c.kind == Nominal {
			t.remarks = append(t.remarks[:len(t.remarks):len(t.remarks)], longRemark(name, c.words[len(c.words)-1]))
		}
	}
	return t.put(c)
}

// wholeNumbers makes a column of whole numbers: one of numbers if float64 has them all, one of words otherwise.
func wholeNumbers[T int | int64](name string, values []T) column {
	c := column{name: name, numbers: make([]float64, len(values))}
	var texts []string
	for i, v := range values {
		if c.numbers[i] = float64(v); (int64(v) > exact || int64(v) < -exact) && texts == nil {
			texts = make([]string, len(values))
		}
	}
	if texts != nil {
		for i, v := range values {
			texts[i] = strconv.FormatInt(int64(v), 10)
		}
		c.kind, c.numbers = Nominal, nil
		c.codes, c.words = coded(texts)
	}
	return c
}

func longRemark(column, word string) string {
	return fmt.Sprintf("the column %q holds whole numbers beyond 2^53, such as %s, which were kept as words", column, clip(word))
}

func moment(seconds float64) time.Time {
	whole := math.Floor(seconds)
	return time.Unix(int64(whole), int64(math.Round((seconds-whole)*1e6))*1000).UTC()
}

// put adds a column, or replaces the one of its name.
func (t Table) put(c column) Table {
	columns := slices.Clone(t.columns)
	for j := range columns {
		if columns[j].name == c.name {
			columns[j] = c
			t.columns = columns
			return t
		}
	}
	t.columns = append(columns, c)
	return t
}

// step records a step; it reports false when the chain is broken already.
func (t Table) step(name string, args ...any) (Table, bool) {
	if t.chain.Err() != nil {
		return t, false
	}
	t.chain = t.chain.Step(name, args...)
	return t, true
}

// ready is step for what needs rows.
func (t Table) ready(name string, args ...any) (Table, bool) {
	t, ok := t.step(name, args...)
	if ok && (t.rows == 0 || len(t.columns) == 0) {
		return t.fail(
			fmt.Errorf("the table has no rows; begin with prl.OpenTable(path), or with datasets.NewTable(name).With(column, values)"),
		), false
	}
	return t, ok
}

func (t Table) fail(err error) Table {
	t.chain = t.chain.Break(err)
	t.rows, t.columns = 0, nil
	return t
}

// said returns t with a sentence on what a step did to its rows behind the source.
func (t Table) said(what string) Table {
	if t.Source == "" {
		t.Source = what
	} else {
		t.Source += "; " + what
	}
	return t
}

// Err returns the first error of the chain, naming the step that caused it, or nil.
func (t Table) Err() error { return t.chain.Err() }

// N returns the number of rows. An error of the chain ends the cell with an explanation, as for Numbers; programs ask Err first.
func (t Table) N() int {
	cell.Fail(t.Err())
	return t.rows
}

// D returns the number of columns. An error of the chain ends the cell with an explanation.
func (t Table) D() int {
	cell.Fail(t.Err())
	return len(t.columns)
}

// Columns returns the names of the columns. An error of the chain ends the cell with an explanation.
func (t Table) Columns() []string {
	cell.Fail(t.Err())
	return t.names()
}

func (t Table) names() []string {
	names := make([]string, len(t.columns))
	for j, c := range t.columns {
		names[j] = c.name
	}
	return names
}

// Label is the short name of the table in a chain that it is an argument of.
func (t Table) label() string {
	if t.Name == "" {
		return "table"
	}
	return t.Name
}

// String returns one line: "penguins: 344 x 8 (5 numbers, 3 words), 39 gaps".
func (t Table) String() string {
	if err := t.Err(); err != nil {
		return t.label() + ": " + err.Error()
	}
	var kinds [3]int
	gaps := 0
	for _, c := range t.columns {
		kinds[c.kind]++
		gaps += c.gaps()
	}
	var parts []string
	for k, n := range kinds {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, Kind(k)))
		}
	}
	return fmt.Sprintf("%s: %d x %d (%s), %s", t.label(), t.rows, len(t.columns), strings.Join(parts, ", "), count(gaps, "gap"))
}

// count returns "1 gap" or "2 gaps".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func (c column) gap(i int) bool {
	if c.kind == Nominal {
		return c.codes[i] < 0
	}
	return math.IsNaN(c.numbers[i])
}

func (c column) gaps() int {
	n := 0
	for i := range max(len(c.numbers), len(c.codes)) {
		if c.gap(i) {
			n++
		}
	}
	return n
}

// value returns entry i: a float64, a string, the text of a date, or nil for a gap.
func (c column) value(i int) any {
	switch {
	case c.gap(i):
		return nil
	case c.kind == Nominal:
		return c.words[c.codes[i]]
	case c.kind == Temporal:
		return dateText(c.numbers[i])
	}
	return c.numbers[i]
}

// text returns entry i as it is written in a file, "" for a gap.
func (c column) text(i int) string {
	switch v := c.value(i).(type) {
	case string:
		return v
	case float64:
		return numberText(v)
	}
	return ""
}

func dateText(s float64) string {
	t := moment(s)
	switch {
	case s == math.Trunc(s) && t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
		return t.Format(time.DateOnly)
	case t.Nanosecond() == 0:
		return t.Format(time.DateTime)
	}
	if t.Nanosecond()%1e6 == 0 {
		return t.Format("2006-01-02 15:04:05.000")
	}
	return t.Format("2006-01-02 15:04:05.000000")
}

// take returns the entries of the rows idx; -1 makes a gap. Words keep their numbers.
func (c column) take(idx []int) column {
	out := c
	if c.kind == Nominal {
		out.codes = make([]int32, len(idx))
		for to, from := range idx {
			if out.codes[to] = -1; from >= 0 {
				out.codes[to] = c.codes[from]
			}
		}
		return out
	}
	out.numbers = make([]float64, len(idx))
	for to, from := range idx {
		if out.numbers[to] = math.NaN(); from >= 0 {
			out.numbers[to] = c.numbers[from]
		}
	}
	return out
}

// tight returns c without words that no row has.
func (c column) tight() column {
	if c.kind != Nominal {
		return c
	}
	used := make([]bool, len(c.words))
	for _, k := range c.codes {
		if k >= 0 {
			used[k] = true
		}
	}
	if !slices.Contains(used, false) {
		return c
	}
	to, words := make([]int32, len(c.words)), []string(nil)
	for k, is := range used {
		if to[k] = -1; is {
			to[k], words = int32(len(words)), append(words, c.words[k])
		}
	}
	codes := make([]int32, len(c.codes))
	for i, k := range c.codes {
		if codes[i] = -1; k >= 0 {
			codes[i] = to[k]
		}
	}
	c.codes, c.words = codes, words
	return c
}

func (t Table) take(idx []int) Table {
	columns := make([]column, len(t.columns))
	for j, c := range t.columns {
		columns[j] = c.take(idx).tight()
	}
	t.columns, t.rows = columns, len(idx)
	return t
}

// find returns the place of a column. The error lists the columns and the likeliest one.
func (t Table) find(name string) (int, error) { return find("column", name, t.names()) }

// finds returns the places of columns, of which none may be named twice.
func (t Table) finds(names []string) ([]int, error) {
	places := make([]int, len(names))
	for i, name := range names {
		j, err := t.find(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(places[:i], j) {
			return nil, fmt.Errorf("the column %q is named twice", t.columns[j].name)
		}
		places[i] = j
	}
	return places, nil
}

// of returns the place of a column of one kind.
func (t Table) of(kind Kind, name string) (int, error) {
	j, err := t.find(name)
	if err == nil && t.columns[j].kind != kind {
		return 0, fmt.Errorf("the column %q holds %v, but %v are needed", t.columns[j].name, t.columns[j].kind, kind)
	}
	return j, err
}

// Numbers returns the values of a column of numbers, NaN for a gap. A wrong name ends the cell with an explanation.
func (t Table) Numbers(name string) []float64 {
	t, ok := t.ready("Numbers", name)
	if ok {
		j, err := t.of(Numeric, name)
		if err == nil {
			return slices.Clone(t.columns[j].numbers)
		}
		t = t.fail(err)
	}
	cell.Fail(t.Err())
	return nil
}

// Words returns the values of a column of any kind as text, "" for a gap. A wrong name ends the cell with an explanation.
func (t Table) Words(name string) []string {
	t, ok := t.ready("Words", name)
	if ok {
		j, err := t.find(name)
		if err == nil {
			texts := make([]string, t.rows)
			for i := range texts {
				texts[i] = t.columns[j].text(i)
			}
			return texts
		}
		t = t.fail(err)
	}
	cell.Fail(t.Err())
	return nil
}

// Times returns the values of a column of dates, the zero time for a gap. A wrong name ends the cell with an explanation.
func (t Table) Times(name string) []time.Time {
	t, ok := t.ready("Times", name)
	if ok {
		j, err := t.of(Temporal, name)
		if err == nil {
			times := make([]time.Time, t.rows)
			for i, s := range t.columns[j].numbers {
				if s == s {
					times[i] = moment(s)
				}
			}
			return times
		}
		t = t.fail(err)
	}
	cell.Fail(t.Err())
	return nil
}
