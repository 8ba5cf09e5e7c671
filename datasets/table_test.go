package datasets

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func read(t *testing.T, text string, options ...Option) Table {
	t.Helper()
	table, err := ReadTable(strings.NewReader(text), "file.csv", options...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// What a column holds is found out from all of it, and stated otherwise.
func TestTableKinds(t *testing.T) {
	const text = "n,w,d,t,zip,mixed,none,b\n" +
		"1.5,red,2009-11-16,2009-11-16 14:30,01234,1,,yes\n" +
		"NA,blue,,2009-11-17 00:00,10115,2,NA,no\n" +
		"-3e2,?,2010-01-02,,80331,n/k,,\n"
	table := read(t, text)
	if got, want := table.String(), "file: 3 x 8 (2 numbers, 4 words, 2 dates), 8 gaps"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for column, kind := range map[string]Kind{
		"n": Numeric, "w": Nominal, "d": Temporal, "t": Temporal, "zip": Nominal, "mixed": Nominal, "none": Numeric, "b": Nominal,
	} {
		if j, err := table.find(column); err != nil || table.columns[j].kind != kind {
			t.Errorf("%s holds %v, want %v", column, table.columns[j].kind, kind)
		}
	}
	if v := table.Numbers("n"); v[0] != 1.5 || !math.IsNaN(v[1]) || v[2] != -300 {
		t.Error(v)
	}
	if v := table.Words("zip"); !slices.Equal(v, []string{"01234", "10115", "80331"}) {
		t.Error(v)
	}
	if v := table.Times("t"); !v[0].Equal(time.Date(2009, 11, 16, 14, 30, 0, 0, time.UTC)) || !v[2].IsZero() {
		t.Error(v)
	}
	// A column that one entry keeps from being numbers says so.
	if note := table.Describe().String(); !strings.Contains(
		note,
		`"mixed" was taken for words: 2 of 3 entries are numbers, but in line 4 stands "n/k"`,
	) {
		t.Error(note)
	}
	table = read(t, text, Missing("n/k"), AsWords("n"), AsNumbers("zip"), AsDates("2006-01-02 15:04", "t"))
	if got, want := table.String(), "file: 3 x 8 (3 numbers, 3 words, 2 dates), 9 gaps"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v := table.Numbers("zip"); v[0] != 1234 {
		t.Error(v)
	}
	for options, want := range map[*[]Option]string{
		{AsNumbers("mixed")}:         `file.csv:4 (column "mixed"): "n/k" is not a number; if it stands for a gap, say datasets.Missing("n/k")`,
		{AsDates("02/01/2006", "d")}: `file.csv:2 (column "d"): "2009-11-16" is no date of the form 02/01/2006`,
		{AsWords("colour")}:          `file.csv:1: AsWords: there is no column "colour" (there are n, w, d, t, zip, mixed, none, b)`,
		{Skip("zap")}: `file.csv:1: Skip: there is no column "zap"; did you mean "zip"? (there are n, w, d, t, zip, mixed, ` +
			`none, b)`,
		{Label("w")}: `file.csv: an option is given that is for data sets, not for tables; say which column it is afterwards, .Label("w")`,
		{DropMissing()}: `file.csv: an option is given that is for data sets, not for tables; leave rows with gaps out afterwards, ` +
			`.DropMissing()`,
	} {
		if _, err := ReadTable(strings.NewReader(text), "file.csv", *options...); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestTableErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":              "file.csv: the file is empty",
		"a,b\n":         "file.csv:1: there is a header but no row",
		"a,b\n1,2\n3\n": "file.csv:3: 1 field, but the lines before have 2; quote fields that contain the separator, or say datasets.Ragged()",
		"a\n\"1\n": "file.csv:2:1: a quotation mark opens a field here and none closes it; close it, or leave the rest of the file alone with " +
			"datasets.FirstRows",
	} {
		if _, err := ReadTable(strings.NewReader(text), "file.csv"); err == nil || err.Error() != want {
			t.Errorf("%q\ngot  %v\nwant %s", text, err, want)
		}
	}
	penguins := PalmerPenguins()
	for _, c := range []struct {
		table Table
		want  string
	}{
		{penguins.Drop("bil length"), `Drop: there is no column "bil length"; did you mean "bill length"? (there are `},
		{penguins.Select("sex", "Sex"), `Select: the column "sex" is named twice`},
		{penguins.Where("island", "Dreem"), `Where: in column "island" there is no word "Dreem"; did you mean "Dream"?`},
		{penguins.Between("sex", 0, 1), `Between: the column "sex" holds words, but numbers are needed`},
		{penguins.Between("body mass", 0, 1), `Between: no row is left of 344`},
		{penguins.Bin("body mass", 4000, 3000), `Bin: edge 2 is 3000, but needs to be a finite number above the edge before it`},
		{penguins.Interact("sex", "body mass"), `Interact: the column "sex" holds words and "body mass" holds numbers;`},
		{penguins.Part("egg laid", "yeer"), `Part: there is no part "yeer"; did you mean "year"?`},
		{penguins.Join(penguins, "ring"), `Join: there is no column "ring"`},
		{penguins.With("x", []float64{1}), `With: the column "x" is of 1 values, but needs to be one for each of the 344 rows`},
		{penguins.With("x", map[string]int{}), `With: the column "x" is a map[string]int, but needs to be a slice of float64`},
		{penguins.Rename("sex", "island"), `Rename: the new name is "island", but needs to be a word that no column has`},
		{penguins.GroupBy("sexe").Counts(), `GroupBy: there is no column "sexe"; did you mean "sex"?`},
		{penguins.GroupBy("sex").Means("island"), `Means: the column "island" holds words, but numbers are needed`},
		{Table{}.Drop("x"), `Drop: the table has no rows;`},
	} {
		err := c.table.Err()
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
		if c.table.rows != 0 || c.table.Label("sex").Err() != err {
			t.Error("a broken table goes on")
		}
	}
	for column, want := range map[string]string{
		"sex":       `Label: 11 rows without a sex; leave them out with .DropMissing("sex")`,
		"delta N15": `Label: 14 rows without a delta N15;`,
	} {
		if err := penguins.Label(column).Err(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if err := penguins.DropMissing("delta N15").Label("delta N15").Err(); err == nil ||
		!strings.Contains(err.Error(), "which are no classes") {
		t.Error(err)
	}
}

// What leaves rows out says how many, in the table and in the sets made of it.
func TestTableSaysWhatItLeavesOut(t *testing.T) {
	penguins := PalmerPenguins()
	some := penguins.DropMissing("sex").Where("island", "Dream", "Biscoe").Between("body mass", 3000, 5000)
	for _, want := range []string{
		"11 of 344 rows left out, with a gap in sex", "47 of 333 rows left out, whose island is another",
		"of 286 rows left out, whose body mass is not within 3000 and 5000",
	} {
		for _, text := range []string{some.Source, some.Describe().String(), some.Label("species").Source} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %s", want, text)
			}
		}
	}
	if same := penguins.DropMissing("species"); same.Source != penguins.Source || same.N() != 344 {
		t.Error(same.Source)
	}
	if n := penguins.DropMissing().N(); n != 324 {
		t.Errorf("%d rows without a gap, want 324", n)
	}
}

// The figures are those of pandas 3, groupby(["species", "island"])["body mass"] and describe().
func TestGroupBy(t *testing.T) {
	penguins := PalmerPenguins()
	if got, want := penguins.String(), "palmer penguins: 344 x 11 (6 numbers, 4 words, 1 dates), 46 gaps"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	groups := penguins.GroupBy("species", "island")
	means, medians := groups.Means("body mass"), groups.Medians("body mass")
	if err := means.Err(); err != nil {
		t.Fatal(err)
	}
	want := []struct {
		species, island    string
		rows, mean, median float64
	}{
		{"Adelie", "Biscoe", 44, 3709.6590909090910, 3750},
		{"Adelie", "Dream", 56, 3688.3928571428573, 3575},
		{"Adelie", "Torgersen", 52, 3706.3725490196080, 3700},
		{"Chinstrap", "Dream", 68, 3733.0882352941176, 3700},
		{"Gentoo", "Biscoe", 124, 5076.0162601626020, 5000},
	}
	if means.N() != len(want) {
		t.Fatal(means.Head(9))
	}
	for i, w := range want {
		if means.Words("species")[i] != w.species || means.Words("island")[i] != w.island || means.Numbers("rows")[i] != w.rows ||
			math.Abs(means.Numbers("body mass")[i]-w.mean) > 1e-9 || medians.Numbers("body mass")[i] != w.median {
			t.Errorf("row %d: %v", i, means.Head(9))
		}
	}
	bySex := penguins.GroupBy("sex").Means("bill length", "delta N15")
	for i, w := range [][2]float64{{42.096969696970, 8.675292822086}, {45.854761904762, 8.805398447205}} {
		if math.Abs(bySex.Numbers("bill length")[i]-w[0]) > 1e-11 || math.Abs(bySex.Numbers("delta N15")[i]-w[1]) > 1e-11 {
			t.Error(bySex.Head(3))
		}
	}
	if !strings.Contains(bySex.Source, "333 rows in 2 groups; 11 rows with a gap in sex left out") {
		t.Error(bySex.Source)
	}
	for _, row := range penguins.Describe().Rows() {
		if row[0] == "bill length (mm)" {
			for i, w := range []any{"numbers", 2, 164, 43.9219298246, 5.4595837139, 32.1, 39.225, 44.45, 48.5, 59.6} {
				if v, ok := w.(float64); ok && math.Abs(row[i+1].(float64)-v) > 1e-9 || !ok && row[i+1] != w {
					t.Errorf("%v, want %v", row[i+1], w)
				}
			}
		}
		if row[0] == "egg laid" && (row[6] != "2007-11-09" || row[10] != "2009-12-01") {
			t.Error(row)
		}
		if row[0] == "sex" && row[11] != "male (168), female (165)" {
			t.Error(row)
		}
	}
}

// The rows are those of pandas' merge.
func TestJoin(t *testing.T) {
	a := NewTable("a").With("k", []string{"a", "b", "b", "c", ""}).With("x", []int{1, 2, 3, 4, 5})
	b := NewTable("b").With("k", []string{"b", "b", "c", "d"}).With("y", []int{10, 20, 30, 40}).With("x", []bool{true, false, true, false})
	inner, left := a.Join(b, "k"), a.LeftJoin(b, "k")
	var text, wide bytes.Buffer
	if err := inner.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	if err := left.WriteCSV(&wide); err != nil {
		t.Fatal(err)
	}
	if got, want := text.String(), "k,x,y,x2\nb,2,10,yes\nb,2,20,no\nb,3,10,yes\nb,3,20,no\nc,4,30,yes\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got, want := wide.String(), "k,x,y,x2\na,1,,\nb,2,10,yes\nb,2,20,no\nb,3,10,yes\nb,3,20,no\nc,4,30,yes\n,5,,\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	const want = "joined to b by k: 2 of 5 rows have no partner and are left out, 2 have several, which makes 5 rows, 1 rows of b are not used"
	if inner.Source != want {
		t.Errorf("got  %s\nwant %s", inner.Source, want)
	}
	if err := a.Join(b, "x").Err(); err == nil || !strings.Contains(err.Error(), `the key "x" holds numbers here and words in b`) {
		t.Error(err)
	}
}

// TestJoinByBruteForce joins by words, numbers and dates with gaps, and compares each row with each.
func TestJoinByBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := []string{"word", "number", "date"}
		make := func(name string) (Table, [][]string) {
			rows := rapid.IntRange(1, 12).Draw(t, "rows")
			draw := func(column string) []int {
				return rapid.SliceOfN(rapid.IntRange(0, 2), rows, rows).Draw(t, name+column)
			}
			words, numbers, dates, places := []string{}, []float64{}, []time.Time{}, []int{}
			for i, k := range draw("word") {
				words, places = append(words, []string{"", "a", "b"}[k]), append(places, i)
			}
			for _, k := range draw("number") {
				numbers = append(numbers, []float64{math.NaN(), 0, -1.5}[k])
			}
			for _, k := range draw("date") {
				dates = append(dates, []time.Time{{}, time.Unix(0, 0), time.Unix(86400, 0)}[k])
			}
			table := NewTable(name).With("word", words).With("number", numbers).With("date", dates).With(name, places)
			var texts [][]string
			for i := range rows {
				row := []string{}
				for _, key := range keys {
					row = append(row, table.Words(key)[i])
				}
				texts = append(texts, row)
			}
			return table, texts
		}
		a, here := make("a")
		b, there := make("b")
		var want []string
		for i, x := range here {
			for j, y := range there {
				if slices.Equal(x, y) && !slices.Contains(x, "") {
					want = append(want, fmt.Sprint(i, j))
				}
			}
		}
		joined := a.Join(b, keys...)
		if len(want) == 0 {
			if joined.Err() == nil {
				t.Fatalf("%v and %v have rows in common", here, there)
			}
			return
		}
		var got []string
		for i, from := range joined.Numbers("a") {
			got = append(got, fmt.Sprint(from, joined.Numbers("b")[i]))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("joined %v, want %v", got, want)
		}
	})
}

func TestTableColumns(t *testing.T) {
	table := NewTable("people").With("age", []float64{17, 18, 40, 65, math.NaN()}).With("class", []int{1, 3, 3, 2, 1}).
		With("day", []time.Time{time.Date(2009, 11, 15, 18, 30, 0, 0, time.UTC), {}, {}, {}, {}})
	if v := table.Bin("age", 18, 65).Words("age"); !slices.Equal(v, []string{"below 18", "18 to 65", "18 to 65", "65 and above", ""}) {
		t.Error(v)
	}
	if v := table.Interact("age", "class").Numbers("age × class"); v[1] != 54 || !math.IsNaN(v[4]) {
		t.Error(v)
	}
	words := table.AsWords("class").Bin("age", 30).Interact("class", "age")
	if v := words.Words("class × age"); !slices.Equal(v, []string{"1, below 30", "3, below 30", "3, 30 and above", "2, 30 and above", ""}) {
		t.Error(v)
	}
	for part, want := range map[string]float64{"year": 2009, "month": 11, "day": 15, "day of year": 319, "weekday": 7, "hour": 18.5} {
		if v := table.Part("day", part).Numbers("day, " + part); v[0] != want || !math.IsNaN(v[1]) {
			t.Errorf("%s: %v", part, v)
		}
	}
	s := words.Unlabelled()
	if s.Err() != nil || !slices.Equal(s.FeatureNames, words.Columns()) || s.Words[1] == nil || s.Words[2] != nil {
		t.Fatal(s.Err(), s.Words)
	}
	if got, want := s.X.At(0, 2), 14563+18.5/24; math.Abs(got-want) > 1e-9 || s.Units[2] != "days since 1970-01-01" {
		t.Errorf("%v days, want %v", got, want)
	}
	// A set of words or gaps is refused where numbers are needed, by the name of the feature.
	for _, c := range []struct{ err, want string }{
		{s.Check("Fit").Error(), `Fit: the feature "age" is words, but needs to be numbers;`},
		{table.Select("class", "age").Unlabelled().Check("Fit").Error(), `Fit: the feature "age" is with 1 gap, but needs to be without gaps;`},
		{s.Scatter().Err().Error(), `Scatter: the feature "age" is words`},
		{s.Standardize().Err().Error(), `Standardize: the feature "age" is words`},
	} {
		if !strings.HasPrefix(c.err, c.want) {
			t.Errorf("got  %s\nwant %s", c.err, c.want)
		}
	}
	back := s.Table()
	if !slices.Equal(back.Words("class × age"), words.Words("class × age")) {
		t.Error(back.Head(5))
	}
	if s.Fingerprint() == table.AsWords("class").Bin("age", 31).Interact("class", "age").Unlabelled().Fingerprint() {
		t.Error("other words, the same fingerprint")
	}
}

func TestRecoded(t *testing.T) {
	fit := NewTable("fit").With("w", []string{"a", "b", "c"}).With("x", []int{1, 2, 3}).Unlabelled()
	other := NewTable("other").With("w", []string{"c", "", "z", "b"}).With("x", []int{1, 2, 3, 4}).Unlabelled()
	got, err := other.Recoded("Predict", fit.FeatureNames, fit.Words)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2, math.NaN(), 3, 1} {
		if v := got.X.At(i, 0); v != want && !(v != v && want != want) {
			t.Errorf("row %d is %v, want %v", i, v, want)
		}
	}
	if other.X.At(0, 0) != 1 {
		t.Error("the other set was changed")
	}
	if _, err := other.Features("x", "w").Recoded("Predict", fit.FeatureNames, fit.Words); err == nil ||
		!strings.Contains(err.Error(), `the feature "x" is numbers, but needs to be words, like "w" of the fit`) {
		t.Error(err)
	}
}

func TestOpenTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("w;x\nu;1,5\nv;2,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table := OpenTable(path, FirstRows(2))
	if v := table.Numbers("x"); !slices.Equal(v, []float64{1.5, 2.5}) || table.Name != "a" {
		t.Error(table.Name, v)
	}
	table = OpenTable(path, SampleRows(1, 1))
	if table.N() != 1 || !strings.Contains(table.Source, "1 of 2 rows drawn at random") {
		t.Error(table.Source)
	}
	for path, want := range map[string]string{
		"nowhere.csv": "there is no such file", "b.jsonl.gz": "import github.com/prlab/prlab/datasets/jsonlines, whose Open reads such files",
	} {
		if err := OpenTable(path).Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
	}
}

// A table that is written is read back with the same values.
func TestTableRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "rows")
		numbers, words := make([]float64, n), make([]string, n)
		for i := range n {
			if numbers[i] = rapid.Float64().Draw(t, "number"); rapid.Bool().Draw(t, "gap") {
				numbers[i] = math.NaN()
			}
			words[i] = rapid.SampledFrom([]string{"", "a", "b, c", `d "e"`, "f\ng", "ä"}).Draw(t, "word")
		}
		table := NewTable("t").With("number", numbers).With("word", words)
		var b bytes.Buffer
		if err := table.WriteCSV(&b); err != nil {
			t.Fatal(err)
		}
		back, err := ReadTable(&b, "t", Header(true), AsWords("word"), AsNumbers("number"))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(back.Words("word"), words) || !slices.EqualFunc(back.Numbers("number"), numbers, func(a, b float64) bool {
			return a == b || a != a && b != b
		}) {
			t.Fatalf("%q\n%v\n%v", b.String(), table.Head(9), back.Head(9))
		}
	})
}

// Nothing that a file holds makes the readers panic, or gives a table whose columns differ in length.
func FuzzReadTable(f *testing.F) {
	f.Add("a,b\n1,x\n,y\n")
	f.Add("a;b\n1,5;2009-11-16\n")
	f.Add("\"a\n")
	f.Add("x\n01\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, read := range []func() (Table, error){
			func() (Table, error) { return ReadTable(strings.NewReader(text), "f", SampleRows(3, 1)) },
			func() (Table, error) {
				return ReadTable(strings.NewReader(text), "f", Within(Limits{Bytes: 1000, Values: 100, Columns: 10}))
			},
		} {
			table, err := read()
			if err != nil {
				continue
			}
			for _, c := range table.columns {
				if max(len(c.numbers), len(c.codes)) != table.rows {
					t.Errorf("%q: a column of %d entries in %d rows", text, max(len(c.numbers), len(c.codes)), table.rows)
				}
			}
			if _ = table.Describe().String(); table.Unlabelled().Err() != nil {
				t.Error(table.Unlabelled().Err())
			}
		}
	})
}

// A reader of a format with types is held to handing over what was asked for.
func TestReadColumns(t *testing.T) {
	handed := func(parts ...any) func([]int, int) ([]any, error) {
		return func([]int, int) ([]any, error) { return parts, nil }
	}
	for _, c := range []struct {
		next func([]int, int) ([]any, error)
		want string
	}{
		{handed([]float64{1}), "f: 1 columns were handed over, but 2 are wanted"},
		{handed([]float64{1}, []string{}), "f: the columns differ in length: 1 and 0"},
		{handed([]float64{1}, []int8{1}), "f: a column was handed over as []int8"},
		{func([]int, int) ([]any, error) { return nil, io.EOF }, "f: there is no row in the file"},
		{handed([]float64{math.Inf(1)}, []string{"u"}), `f (column "a"): `},
	} {
		if _, err := ReadColumns("f", []string{"a", "b"}, c.next, FirstRows(1)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	none := handed()
	for _, c := range []struct {
		columns []string
		option  Option
		want    string
	}{
		{[]string{"a", "a"}, nil, `f: two columns are called "a"; rename one where the file is made`},
		{[]string{"a"}, Skip("a"), "f: no column is left"},
		{[]string{"a", "b"}, Within(Limits{Columns: 1}), "f: 2 columns, but at most 1 are read; allow more with datasets.Within"},
		{[]string{"a"}, Label("a"), "f: an option is given that is for data sets, not for tables"},
		{[]string{"a"}, Header(true), "f: an option is given that is for files of text, but the file says what its columns are"},
	} {
		if _, err := ReadColumns("f", c.columns, none, c.option); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	// Rows are kept as for a file of text: the same of them are drawn.
	const rows = 500
	var lines strings.Builder
	lines.WriteString("n\n")
	for i := range rows {
		fmt.Fprintln(&lines, i)
	}
	i := 0
	table, err := ReadColumns("f", []string{"n"}, func([]int, int) ([]any, error) {
		if i == rows {
			return nil, io.EOF
		}
		i += 50
		part := make([]float64, 50)
		for k := range part {
			part[k] = float64(i - 50 + k)
		}
		return []any{part}, nil
	}, SampleRows(20, 3))
	if err != nil || !slices.Equal(table.Numbers("n"), read(t, lines.String(), SampleRows(20, 3)).Numbers("n")) {
		t.Error(err, table)
	}
}
