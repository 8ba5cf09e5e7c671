package query_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/datasets/query"
)

// A fake is a driver whose every query is answered from a list: the query is its name.
type fake struct{}

type answer struct {
	columns []string
	rows    [][]driver.Value
	err     error
}

var day = time.Date(2009, 11, 16, 0, 0, 0, 0, time.UTC)

var answers = map[string]answer{
	"birds": {[]string{"species", "mass", "ringed", "day", "mixed"}, [][]driver.Value{
		{[]byte("Adelie"), int64(3750), true, day, int64(1)},
		{"Gentoo", 5000.5, nil, nil, "two"},
		{nil, nil, false, day, nil},
	}, nil},
	"twice":  {[]string{"a", "a"}, [][]driver.Value{{int64(1), int64(2)}}, nil},
	"none":   {[]string{"a"}, nil, nil},
	"long":   {[]string{"id", "y"}, [][]driver.Value{{int64(9007199254740993), "u"}, {int64(9007199254740992), "v"}, {nil, "u"}}, nil},
	"broken": {[]string{"a"}, [][]driver.Value{{int64(1)}}, errors.New("the line is dead")},
}

func (fake) Open(string) (driver.Conn, error) { return fake{}, nil }
func (fake) Close() error                     { return nil }
func (fake) Begin() (driver.Tx, error)        { return nil, errors.New("no transactions") }

func (fake) Prepare(string) (driver.Stmt, error) { return nil, errors.New("no statements") }

func (fake) Query(q string, _ []driver.Value) (driver.Rows, error) {
	a, ok := answers[q]
	if !ok {
		return nil, errors.New("no such table")
	}
	return &reply{a, 0}, nil
}

type reply struct {
	answer
	next int
}

func (r *reply) Columns() []string { return r.columns }
func (r *reply) Close() error      { return nil }
func (r *reply) Next(to []driver.Value) error {
	if r.next == len(r.rows) {
		if r.err != nil {
			return r.err
		}
		return io.EOF
	}
	copy(to, r.rows[r.next])
	r.next++
	return nil
}

func init() { sql.Register("fake", fake{}) }

func TestRows(t *testing.T) {
	db, err := sql.Open("fake", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	birds := query.Rows(context.Background(), db, "birds")
	if got, want := birds.String(), "query: 3 x 5 (1 numbers, 3 words, 1 dates), 5 gaps"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v := birds.Numbers("mass"); v[0] != 3750 || v[1] != 5000.5 || !math.IsNaN(v[2]) {
		t.Error(v)
	}
	if v := birds.Times("day"); !v[0].Equal(day) || !v[1].IsZero() {
		t.Error(v)
	}
	if !slices.Equal(birds.Words("species"), []string{"Adelie", "Gentoo", ""}) ||
		!slices.Equal(birds.Words("ringed"), []string{"yes", "", "no"}) ||
		!slices.Equal(birds.Words("mixed"), []string{"1", "two", ""}) {
		t.Error(birds.Head(3))
	}
	if v := query.Rows(context.Background(), db, "long").Words("id"); !slices.Equal(v, []string{"9007199254740993", "9007199254740992", ""}) {
		t.Error(v)
	}
	for q, want := range map[string]string{
		"twice": `two columns of the answer are called "a"; name one with AS`, "none": `the answer to "none" has no rows`,
		"broken": "the line is dead", "fish": "no such table",
	} {
		if err := query.Rows(context.Background(), db, q).Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", q, err)
		}
	}
}
