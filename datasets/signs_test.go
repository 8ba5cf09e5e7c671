package datasets

import (
	"strings"
	"testing"
)

// One sign is the decimal sign of a whole column, and of a file where one of its columns shows it.
func TestDecimalSigns(t *testing.T) {
	for _, c := range []struct {
		text    string
		options []Option
		want    string
	}{
		{"x;y\n1.234;a\n950,5;b\n", nil, "x,y\n1234,a\n950.5,b\n"},
		{"x;y\n950,5;a\n1.234;b\n", nil, "x,y\n950.5,a\n1234,b\n"},
		{"x;y\n1.234;1,5\n2.500;2,5\n", nil, "x,y\n1234,1.5\n2500,2.5\n"},
		{"x;y\n1.25;1,5\n2.500;2,5\n", nil, "x,y\n1.25,1.5\n2.5,2.5\n"}, // no thousands
		{"x;y\n1.5;a\n2,5;b\n", nil, "x,y\n1.5,a\n\"2,5\",b\n"},
		{"x;y\n1.234;7\n2.500;8\n", nil, "x,y\n1.234,7\n2.5,8\n"},
		{"x;y\n1.234;7\n2.500;8\n", []Option{Decimal(',')}, "x,y\n1234,7\n2500,8\n"},
		{"x;y\n1,234;7\n2,500;8\n", []Option{Decimal('.')}, "x,y\n1234,7\n2500,8\n"},
		{"x,y\n\"1,234\",1\n5000,2\n", nil, "x,y\n\"1,234\",1\n5000,2\n"},
		{"x,y\n\"1,25\",1\n5000,2\n", nil, "x,y\n1.25,1\n5000,2\n"},
		{"x;y\n1.234 €;1\n5000 €;2\n", nil, "x,y\n1.234 €,1\n5000 €,2\n"},
		{"x,y\n$1.234,1\n$5000,2\n", nil, "x,y\n1.234,1\n5000,2\n"},
		{"x,y\n\"1,234\",1\n\"1,23\",2\n", []Option{AsNumbers("x")}, "x,y\n1.234,1\n1.23,2\n"},
		{"x,y\n\"1,234\",1\n5000,2\n", []Option{AsNumbers("x")}, "x,y\n1234,1\n5000,2\n"},
	} {
		table, err := ReadTable(strings.NewReader(c.text), "t.csv", c.options...)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if got := written(t, table); got != c.want {
			t.Errorf("%q: got\n%swant\n%s", c.text, got, c.want)
		}
	}
	const unlike = "is written with other signs between thousands and decimals"
	_, err := ReadTable(strings.NewReader("x;y\n1.5;1\n2,5;2\n"), "t.csv", AsNumbers("x"))
	if err == nil || !strings.Contains(err.Error(), unlike) {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"x;y\n1.5;1\n2,5;2\n":               "t.csv:3:1",
		"y;x\n1;1.5\n2;2,5\n":               "t.csv:3:3",
		"x,y\n\"1,234\",1\n\"1,23\",2\n":    "t.csv:3:1",
		"x,y\n\"1,234\",1\n\"1.234,5\",2\n": "t.csv:3:1",
		"x,y\n\"1,5\",1\n\"1,234,567\",2\n": "t.csv:3:1",
	} {
		target := "y"
		if strings.HasPrefix(text, "y") {
			target = "x"
		}
		_, err := ReadCSV(strings.NewReader(text), "t.csv", Target(target))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), unlike) {
			t.Errorf("%q: %v", text, err)
		}
	}
	set, err := ReadCSV(strings.NewReader("x;z;y\n1.234;1.234,50 €;1\n2.5;7 €;2\n"), "t.csv", Target("y"))
	if err != nil || set.X.At(0, 0) != 1.234 || set.X.At(0, 1) != 1234.5 || set.X.At(1, 1) != 7 {
		t.Error(set.X, err)
	}
}
