// Package jsonlines reads tables from files of one JSON object a line. It is a package of its own because encoding/json is, and pages whose
// figures recompute do not carry it unasked.
package jsonlines

import (
	"bufio"
	_ "embed" // for the program
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/prlab/prlab/datasets"
)

//go:embed jsonlines.go
var program string

// Open reads a file with Read, unpacking it when it is gzip. An error breaks the table.
func Open(path string, options ...datasets.Option) datasets.Table {
	return datasets.OpenWith("jsonlines.Open", path, program, func(r io.Reader) (datasets.Table, error) {
		return Read(r, path, options...)
	}, options...)
}

// Read reads one JSON object a line, {"island": "Dream", "mass": 3800, "sex": null}: each key is a column, in the order of its first
// appearance, and a key that a line does not have is a gap. Numbers, words, true and false (the words yes and no) and null are read;
// objects and lists in an object are errors. Texts are understood as in a CSV file, so that dates are found out; see [datasets.ReadTable]
// for the options.
func Read(r io.Reader, name string, options ...datasets.Option) (datasets.Table, error) {
	in, limits, err := datasets.Limited(r, name, options...)
	if err != nil {
		return datasets.Table{}, err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, max(16<<20, 160*limits.Columns))
	number := 0
	return datasets.ReadRecords(name, func() ([]string, []string, int, error) {
		for lines.Scan() {
			number++
			text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
			if text == "" {
				continue
			}
			keys, values, err := object(text)
			if err != nil {
				err = &datasets.ReadError{File: name, Line: number, What: err.Error(), Remedy: "write one JSON object a line"}
			}
			return keys, values, number, err
		}
		if err := lines.Err(); err != nil {
			return nil, nil, 0, &datasets.ReadError{
				File: name, Line: number + 1, What: "the file cannot be read on: " + err.Error(), Remedy: "allow more with datasets.Within",
			}
		}
		return nil, nil, 0, io.EOF
	}, options...)
}

// object reads a JSON object of plain values, keys in their order.
func object(text string) (keys, values []string, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil, nil, fmt.Errorf("%q is no JSON object", clip(text))
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		value, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		name := key.(string)
		if slices.Contains(keys, name) {
			return nil, nil, fmt.Errorf("the key %q stands twice", clip(name))
		}
		keys = append(keys, name)
		switch v := value.(type) {
		case nil:
			values = append(values, "")
		case string:
			values = append(values, v)
		case json.Number:
			values = append(values, v.String())
		case bool:
			values = append(values, map[bool]string{true: "yes", false: "no"}[v])
		default:
			return nil, nil, fmt.Errorf("the value of %q is an object or a list, but needs to be a number, a text, true, false or null", clip(name))
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, errors.New("something stands behind the object")
	}
	return keys, values, nil
}

func clip(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
