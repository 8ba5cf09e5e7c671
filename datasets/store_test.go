//go:build unix

package datasets

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// A table that took long to read comes from the store the next time, and is read again when the file, the options or the reader changed.
func TestKeptTables(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PRL_CACHE", dir)
	path := filepath.Join(t.TempDir(), "f.csv")
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	reads := 0
	open := func(reader string, options ...Option) string {
		t.Helper()
		o, err := collect(path, options)
		if err != nil {
			t.Fatal(err)
		}
		table, err := kept(path, reader, o, func() (Table, error) {
			reads++
			time.Sleep(storeFrom)
			return readTable(&source{name: path, options: o, open: opened(path)})
		})
		if err != nil {
			t.Fatal(err)
		}
		table.chain = NewTable("t").chain
		var text bytes.Buffer
		if err := table.WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
		return text.String() + table.Source + strings.Join(table.remarks, ";")
	}
	old := time.Now().Add(-time.Hour)
	const text = "w,x,d,id,nothing\nü,1.5,2024-01-02,9007199254740993,\n,NA,,9007199254740992,\n\"NA\",-3,2024-01-02 03:04,1,\n"
	write(text, old)
	step := func(what string, want int, read string) {
		t.Helper()
		if reads != want {
			t.Errorf("%s: read %d times, want %d", what, reads, want)
		}
		if first := open("text"); read != "" && read != first {
			t.Errorf("%s: got\n%s\nwant\n%s", what, first, read)
		}
	}
	first := open("text")
	if !strings.Contains(first, "beyond 2^53") || !strings.Contains(first, "2024-01-02 03:04:00") {
		t.Error(first)
	}
	step("first", 1, first)
	step("second", 1, first)
	open("text", Skip("x"))
	step("other options", 2, first)
	open("another reader")
	step("another reader", 3, first)
	write(text, old.Add(time.Minute))
	step("another time", 3, first)
	step("the time that was noted", 3, first)
	changed := strings.Replace(text, "1.5", "2.5", 1)
	write(changed, old.Add(2*time.Minute))
	second := open("text")
	step("another content", 4, strings.Replace(first, "1.5", "2.5", 1))
	write(text, time.Now())
	open("text")
	step("a file that was changed just now", 5, first)
	write(changed, time.Now())
	if got := open("text"); got != second || reads != 6 {
		t.Errorf("a change within the tick of the clock was missed: %d reads, %s", reads, got)
	}
	// A damaged entry counts as none.
	write(text, old)
	open("text")
	files, _ := filepath.Glob(filepath.Join(dir, "tables", "*.table"))
	if len(files) != 3 {
		t.Fatal(files)
	}
	whole := map[string][]byte{}
	for _, f := range files {
		whole[f], _ = os.ReadFile(f)
	}
	for n := 0; n < len(whole[files[0]]); n += 7 {
		for _, f := range files {
			os.WriteFile(f, whole[f][:min(n, len(whole[f])-1)], 0o600)
		}
		o, _ := collect(path, nil)
		table, err := kept(path, "text", o, func() (Table, error) { return readTable(&source{name: path, options: o, open: opened(path)}) })
		if err != nil || table.rows != 3 || table.columns[3].text(0) != "9007199254740993" || table.columns[1].numbers[2] != -3 {
			t.Fatalf("%d bytes: %v, %v", n, table, err)
		}
	}
}

// A table comes back from its bytes, and damaged bytes are refused.
func TestTableBytes(t *testing.T) {
	penguins := PalmerPenguins()
	data, err := penguins.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back Table
	if err := back.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if written(t, back) != written(t, penguins) || back.Source != penguins.Source || back.Name != penguins.Name ||
		back.Licence != penguins.Licence {
		t.Error(back)
	}
	for n := range 200 {
		if err := new(Table).UnmarshalBinary(data[:n]); err == nil {
			t.Errorf("%d bytes were taken for a table", n)
		}
	}
	if _, err := OpenTable("nowhere.csv").MarshalBinary(); err == nil {
		t.Error("a broken table has bytes")
	}
	t.Setenv("PRL_CACHE", t.TempDir())
	computed := 0
	for range 2 {
		kept, err := cell.Keep("penguins", func() (Table, error) {
			computed++
			return penguins.Sort("-body mass"), nil
		})
		if err != nil || kept.Numbers("body mass")[0] != 6300 {
			t.Error(kept, err)
		}
	}
	if computed != 1 {
		t.Errorf("computed %d times", computed)
	}
}

// A set comes back from its bytes with all that it holds, so that prl.Keep keeps it; damaged bytes are refused, and so is what is no set.
func TestSetBytes(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	view := Iris()
	view.X = view.X.Slice(0, 150, 1, 3).(*mat.Dense)
	view.FeatureNames, view.Units = view.FeatureNames[1:3], view.Units[1:3]
	for _, s := range []Set{
		Iris(), Towns(), Digits().Rows(1, 2, 3), SwissRoll(20, 0, 1), Faithful(), PalmerPenguins().Drop("sex").Label("species"),
		Iris().Rows(1).WithTarget("t", []float64{2}), view,
	} {
		data, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var back Set
		if err := back.UnmarshalBinary(data); err != nil {
			t.Fatal(s, err)
		}
		if back.Fingerprint() != s.Fingerprint() || !mat.Equal(back.X, s.X) && s.Words == nil || back.Err() != nil {
			t.Errorf("%v came back as %v", s, back)
		}
		s.chain, back.chain, s.X, back.X = fault.Chain{}, fault.Chain{}, nil, nil
		if !reflect.DeepEqual(s, back) {
			t.Errorf("got\n%#v\nwant\n%#v", back, s)
		}
		for n := 0; n < len(data); n += 1 + len(data)/500 {
			if err := new(Set).UnmarshalBinary(data[:n]); err == nil {
				t.Errorf("%d of %d bytes were taken for a set", n, len(data))
			}
			spoilt := slices.Clone(data)
			spoilt[n] ^= 0x80
			new(Set).UnmarshalBinary(spoilt) // a set or none, and no panic
		}
	}
	for _, s := range []Set{{}, Iris().Classes("none")} {
		if _, err := s.MarshalBinary(); err == nil {
			t.Errorf("%v has bytes", s)
		}
	}
	computed := 0
	for range 2 {
		kept, err := cell.Keep("rows", func() (Set, error) {
			computed++
			return Iris().Classes("setosa", "virginica"), nil
		})
		if err != nil || kept.N() != 100 || kept.K() != 2 {
			t.Error(kept, err)
		}
	}
	if computed != 1 {
		t.Errorf("computed %d times", computed)
	}
}
