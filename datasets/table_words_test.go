package datasets

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// written returns a table as text.
func written(t *testing.T, table Table) string {
	t.Helper()
	var b bytes.Buffer
	if err := table.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The figures are those of pandas 3.1.1 on the same file: groupby("species").agg, value_counts, pivot_table, query and resample("MS").
func TestWordsOfPandas(t *testing.T) {
	penguins := PalmerPenguins()
	close := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-10*math.Abs(want)) {
			t.Errorf("%s is %.15g, want %.15g", what, got, want)
		}
	}
	by := penguins.GroupBy("species").Agg("n = count()", "m = mean(`body mass`)", "md = median(`body mass`)",
		"q = quantile(`body mass`, 0.9)", "sd(`body mass`)", "heavy = share(`body mass` > 4000)", "spread = max(`body mass`) - min(`body mass`)")
	if by.Err() != nil {
		t.Fatal(by.Err())
	}
	for i, want := range [][]float64{
		{152, 3700.66225166, 3700, 4300, 458.56612591, 0.23178807947},
		{68, 3733.08823529, 3700, 4195, 384.335081387, 0.220588235294},
		{124, 5076.01626016, 5000, 5700, 504.116236657, 0.991869918699},
	} {
		for k, name := range []string{"n", "m", "md", "q", "sd(`body mass`)", "heavy"} {
			if got := by.Numbers(name)[i]; math.Abs(got-want[k]) > 1e-8 {
				t.Errorf("%s of group %d is %.12g, want %.12g", name, i, got, want[k])
			}
		}
	}
	counts := penguins.ValueCounts("island").Select("island", "rows")
	if got := written(t, counts); got != "island,rows\nBiscoe,168\nDream,124\nTorgersen,52\n" {
		t.Error(got)
	}
	wide := penguins.Pivot("species", "island", "mean(`body mass`)")
	close("Adelie on Dream", wide.Numbers("Dream")[0], 3688.3928571428573)
	close("Gentoo on Biscoe", wide.Numbers("Biscoe")[2], 5076.016260162602)
	if v := wide.Numbers("Torgersen"); !math.IsNaN(v[1]) || !math.IsNaN(v[2]) {
		t.Error(v)
	}
	if n := penguins.Where("`body mass` > 4000 and sex == 'female'").N(); n != 58 {
		t.Errorf("%d heavy females, want 58", n)
	}
	ratio := penguins.Compute("ratio", "`body mass` / `flipper length`")
	m, _ := meanAndSquares(slices.DeleteFunc(ratio.Numbers("ratio"), math.IsNaN))
	close("mean ratio", m, 20.777005138893465)
	if v := penguins.Sort("-body mass").Numbers("body mass"); v[0] != 6300 || v[1] != 6050 || v[2] != 6000 || !math.IsNaN(v[343]) {
		t.Error(v[:3], v[343])
	}
	months := penguins.Resample("egg laid", "month").Agg("n = count(`body mass`)", "m = mean(`body mass`)")
	for i, want := range []struct {
		month string
		n, m  float64
	}{
		{"2007-11-01", 103, 4091.50485437},
		{"2007-12-01", 6, 4691.66666667},
		{"2008-11-01", 114, 4266.66666667},
		{"2009-11-01", 112, 4148.21428571},
		{"2009-12-01", 7, 5203.57142857},
	} {
		if months.Words("egg laid")[i] != want.month || months.Numbers("n")[i] != want.n || math.Abs(months.Numbers("m")[i]-want.m) > 1e-8 {
			t.Error(months.Head(5))
		}
	}
}

// What the words do, on a table that one can follow by eye.
func TestTableWords(t *testing.T) {
	table := read(t, "w,x,y,d\nb,1,10,2024-01-01\na,,20,2024-01-03 12:00\n,3,30,2024-02-29\nb,1,,\n")
	for what, c := range map[string]struct {
		table Table
		want  string
	}{
		"sort":    {table.Sort("w", "-y").Select("w", "y"), "w,y\na,20\nb,10\nb,\n,30\n"},
		"compute": {table.Compute("z", "x * 2 + y / 10").Select("z"), "z\n3\nNA\n9\nNA\n"},
		"truth":   {table.Compute("z", "x > 1 or y > 15").Select("z"), "z\nno\nyes\nyes\nNA\n"},
		"when":    {table.Compute("z", "when(gap(x), 0, x)").Select("z"), "z\n1\n0\n3\n1\n"},
		"words":   {table.Compute("z", "when(y >= 20, 'high', 'low')").Select("z"), "z\nlow\nhigh\nhigh\nNA\n"},
		"by zero": {table.Compute("z", "y / (x - 1)").Select("z"), "z\nNA\nNA\n15\nNA\n"},
		"dates":   {table.Where("d >= '2024-01-03'").Select("y"), "y\n20\n30\n"},
		"parts":   {table.Compute("z", "month(d) + day(d) / 100").Select("z"), "z\n1.01\n1.03\n2.29\nNA\n"},
		"in":      {table.Where("in(w, 'a', 'c')").Select("y"), "y\n20\n"},
		"not":     {table.Where("not (w == 'b')").Select("y"), "y\n20\n"},
		"not, of the comparison": {
			table.Compute("z", "when(not x == 1 and not (not y > 25 or gap(y)), 1, 0)").Select("z"), "z\n0\n0\n1\n0\n",
		},
		// As in pandas and Polars, "and" is no where one side is, whatever a gap on the other side stands for.
		"and, with a gap": {table.Compute("z", "y > 15 and x > 1").Select("z"), "z\nno\nNA\nyes\nno\n"},
		"not, with a gap": {table.Where("not (x > 1 and y > 15)").Select("x"), "x\n1\n1\n"},
		"share with gaps": {table.GroupBy("d").Agg("z = share(x > 1 and y < 15)").Select("z"), "z\n0\n0\n0\n"},
		"powers of a gap": {table.Compute("z", "pow(1, x) + pow(x, 0)").Select("z"), "z\n2\nNA\n2\n2\n"},
		"first, last": {
			table.Compute("k", "1").Sort("-y").GroupBy("k").Agg("first(x)", "last(y)", "last(d)"), "k,first(x),last(y),last(d)\n1,3,10,2024-01-01\n",
		},
		"counts of rows":  {table.Rename("x", "rows").ValueCounts("rows"), "rows,rows2,share\n1,2,0.6666666666666666\n3,1,0.3333333333333333\n"},
		"counts of share": {table.Rename("x", "share").ValueCounts("share").Select("share", "rows"), "share,rows\n1,2\n3,1\n"},
		"no such cell":    {table.Compute("x", "when(w == 'a', 5, x)").Pivot("y", "w", "sum(x)"), "y,a,b\n10,,1\n20,5,\n"},
		"no such row":     {table.Pivot("x", "w", "count()"), "x,b\n1,2\n"},
		"no date":         {table.Window("z", "count()", "d", time.Hour).Select("z"), "z\n1\n1\n1\nNA\n"},
		"a name of Go": {
			table.Rename("x", "type").Rename("w", "e\u0301 ").Rename("y", "func").Where("type == 1 and func > 1").Select("func"), "func\n10\n",
		},
		"distinct": {table.Distinct("w", "x").Select("w", "x"), "w,x\nb,1\na,\n,3\n"},
		"append": {
			table.Select("w", "x").Append(NewTable("o").With("x", []float64{7}).With("v", []string{"new"})),
			"w,x,v\nb,1,\na,,\n,3,\nb,1,\n,7,new\n",
		},
		"append to gaps": {read(t, "a,b,c\n,x,1\n").Append(read(t, "a,b,c\ny,,2\n")), "a,b,c\n,x,1\ny,,2\n"},
		"melt gaps":      {read(t, "k,a,b\n1,,x\n2,,y\n").Melt("n", "v", "a", "b"), "k,n,v\n1,a,\n2,a,\n1,b,x\n2,b,y\n"},
		"fill":           {table.Fill("x", 0).Fill("w", "none").Select("w", "x"), "w,x\nb,1\na,0\nnone,3\nb,1\n"},
		"forward":        {table.FillForward("x", "w").Select("w", "x"), "w,x\nb,1\na,1\na,3\nb,1\n"},
		"melt": {
			table.Select("w", "x", "y").Melt("what", "value", "x", "y"),
			"w,what,value\nb,x,1\na,x,\n,x,3\nb,x,1\nb,y,10\na,y,20\n,y,30\nb,y,\n",
		},
		"figures": {
			table.GroupBy("w").Agg("count(y)", "sum(x)", "first(d)", "distinct(x)", "max(d)"),
			"w,count(y),sum(x),first(d),distinct(x),max(d)\na,1,,2024-01-03 12:00:00,0,2024-01-03 12:00:00\nb,1,2,2024-01-01,1,2024-01-01\n",
		},
		"weeks": {table.Resample("d", "week").Agg("n = count()"), "d,n\n2024-01-01,2\n2024-02-26,1\n"},
		"hours": {table.Resample("d", "hour").Agg("n = count()").Rows(1), "d,n\n2024-01-03 12:00:00,1\n"},
	} {
		if err := c.table.Err(); err != nil {
			t.Errorf("%s: %v", what, err)
		} else if got := written(t, c.table); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", what, got, c.want)
		}
	}
	back := table.Select("w", "x", "y").DropMissing().Melt("what", "value", "x", "y").Pivot("w", "what", "first(value)")
	if got := written(t, back); got != "w,x,y\nb,1,10\n" {
		t.Error(got)
	}
	if set := table.Compute("z", "when(gap(x) and not gap(x), 'high', 'low')").Label("z"); set.Err() != nil || set.K() != 1 {
		t.Error(set.Err(), set.ClassNames)
	}
	if got, want := written(t, table), written(t, table.Sort("y").Append(table).Sample(4, 1)); got == want || table.N() != 4 {
		t.Error("the table itself was changed, or a sample is the table")
	}
	for _, c := range []struct {
		table Table
		want  string
	}{
		{table.Where("z > 1"), `Where: in "z > 1" there is no column "z"`},
		{table.Where("x >"), `Where: "x >" is no expression`},
		{table.Compute("z", "y // 2"), `there is no operation //; floor(x / y) is a whole quotient`},
		{table.Compute("z", "y /* 2"), `there is no operation /*`},
		{table.Compute("z", "y ** 2"), `a power is written pow(x, y)`},
		{table.Compute("z", "1 < x < 5"), `1 < x < 5 is written 1 < x and x < 5`},
		{table.Where("x + 1"), `Where: "x + 1" is numbers, but a condition is needed`},
		{table.Where("w > 1"), `words and numbers are compared; a word stands in quotes`},
		{table.Where("d > 'soon'"), `"soon" stands beside a date, but is none`},
		{table.Where("x > 1 and y"), `&& needs conditions, but is given a condition and numbers`},
		{table.Compute("z", "lgo(x)"), `there is no function "lgo"; did you mean "log"?`},
		{table.Compute("z", "log(w)"), `log needs numbers, but is given words`},
		{table.Compute("z", "'a"), `the quotation mark ' is not closed`},
		{table.Compute("z", "x.y"), `there is something that is neither a column`},
		{table.GroupBy("w").Agg("q"), `there is no column "q"`},
		{table.GroupBy("w").Agg("y - mean(y)"), `the column "y" has several values, of which a figure is needed, such as mean(y)`},
		{table.Window("z", "y - mean(y)", "d", time.Hour), `the column "y" has several values`},
		{table.GroupBy("w").Agg("std(y)"), `there is no function "std"`},
		{table.GroupBy("w").Agg("var(y)"), `there is no function "var"`},
		{table.GroupBy("w").Agg("mean(w)"), `mean needs numbers, but is given words`},
		{table.GroupBy("w").Agg("share(x)"), `share is given numbers; share is of a condition`},
		{table.GroupBy("w").Agg("quantile(x, 2)"), `needs to be a number from 0 to 1`},
		{table.GroupBy("w").Agg("quantile(x)"), `quantile has 1 arguments`},
		{table.Sort("-q"), `Sort: there is no column "q"`},
		{table.Fill("x", "a"), `Fill: the value is "a", but needs to be one of the numbers that the column holds`},
		{table.Sample(9, 1), `Sample: n is 9`},
		{table.Melt("a", "b", "x", "w"), `hold numbers and words, but values of one kind are needed`},
		{table.Append(NewTable("o").With("x", []string{"q"})), `the column "x" holds numbers here and words in o`},
		{table.Resample("d", "weak").Agg("count()"), `there is no period "weak"; did you mean "week"?`},
		{table.Window("m", "mean(x)", "d", 0), `Window: the length is 0s`},
	} {
		if err := c.table.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// A window holds the rows of its length of time, as counted one by one.
func TestWindowByBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const n, length = 60, 36 * time.Hour
	days, x := make([]time.Time, n), make([]float64, n)
	for i := range n {
		days[i], x[i] = time.Unix(int64(random.IntN(20*86400)/3600*3600), 0).UTC(), random.NormFloat64()
		if random.IntN(9) == 0 {
			x[i] = math.NaN()
		}
		if random.IntN(9) == 0 {
			days[i] = time.Time{}
		}
	}
	table := NewTable("t").With("d", days).With("x", x).Window("n", "count()", "d", length).Window("m", "mean(x)", "d", length)
	for i := range n {
		rows, values, sum := 0.0, 0.0, 0.0
		for k := range n {
			if !days[i].IsZero() && !days[k].IsZero() && !days[k].After(days[i]) && days[k].After(days[i].Add(-length)) {
				if rows++; x[k] == x[k] {
					values, sum = values+1, sum+x[k]
				}
			}
		}
		got := table.Numbers("m")[i]
		if days[i].IsZero() {
			if n := table.Numbers("n")[i]; n == n || got == got {
				t.Errorf("row %d without a date: %v rows, mean %v", i, n, got)
			}
			continue
		}
		if table.Numbers("n")[i] != rows || values > 0 && math.Abs(got-sum/values) > 1e-12 || values == 0 && got == got {
			t.Errorf("row %d: %v rows, mean %v, want %v and %v", i, table.Numbers("n")[i], got, rows, sum/values)
		}
	}
}

// Thousands of columns that both tables have, or that become rows and back, take no time that grows with the cube of their number.
func TestWideTables(t *testing.T) {
	const columns = 3000
	wide := NewTable("wide").With("k", []float64{1, 2})
	for j := range columns {
		wide.columns = append(wide.columns, column{name: "c" + strconv.Itoa(j), numbers: []float64{float64(j), float64(-j)}})
	}
	begin := time.Now()
	joined := wide.Join(wide, "k")
	if names := joined.Columns(); len(names) != 1+2*columns || duplicate(names) != "" || joined.Numbers("c4500")[1] != -1500 {
		t.Error(joined, joined.Numbers("c4500"))
	}
	back := wide.Melt("n", "v", wide.Columns()[1:]...).Pivot("k", "n", "sum(v)").Select(wide.Columns()...)
	if got := written(t, back); got != written(t, wide) {
		t.Error(back)
	}
	if spent := time.Since(begin); spent > 20*time.Second { // cubic, it takes more than 100 s
		t.Error(spent)
	}
}
