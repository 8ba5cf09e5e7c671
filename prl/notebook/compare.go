package notebook

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A Difference is a cell whose outputs are not what they were.
type Difference struct {
	Cell   int    // 1 for the first cell
	ID     string // of the cell
	Detail string // what was and what is
}

// Compare lists the cells of two normalised versions of a notebook whose outputs differ.
func Compare(committed, executed *Notebook) []Difference {
	return compare(committed, executed, func(before, now map[string]any) bool { return reflect.DeepEqual(before, now) })
}

// CompareKinds lists the cells of two normalised versions of a notebook that have another number of outputs, or outputs of other kinds:
// their types, streams and media types. It is for the outputs of two machines whose last bits differ.
func CompareKinds(committed, executed *Notebook) []Difference {
	return compare(committed, executed, func(before, now map[string]any) bool { return kind(before) == kind(now) })
}

// kind is what an output is, without what it says.
func kind(output map[string]any) string {
	data, _ := output["data"].(map[string]any)
	return fmt.Sprintf("%v %v %v %q", output["output_type"], output["name"], output["ename"], slices.Sorted(maps.Keys(data)))
}

func compare(committed, executed *Notebook, same func(before, now map[string]any) bool) []Difference {
	var all []Difference
	for i, c := range executed.Cells {
		var before []map[string]any
		if i < len(committed.Cells) {
			before = committed.Cells[i].Outputs()
		}
		if detail := compareOutputs(before, c.Outputs(), same); detail != "" {
			all = append(all, Difference{i + 1, c.ID(), detail})
		}
	}
	return all
}

func compareOutputs(before, now []map[string]any, same func(before, now map[string]any) bool) string {
	for i := range max(len(before), len(now)) {
		switch {
		case i >= len(now):
			return fmt.Sprintf("output %d is gone: %s", i+1, summary(before[i]))
		case i >= len(before):
			return fmt.Sprintf("output %d is new: %s", i+1, summary(now[i]))
		case !same(before[i], now[i]):
			was, is := firstDifference(before[i], now[i])
			return fmt.Sprintf("output %d was  %s\n         is   %s", i+1, was, is)
		}
	}
	return ""
}

// firstDifference finds the first line in which two outputs differ.
func firstDifference(before, now map[string]any) (was, is string) {
	a, b := flatten(before), flatten(now)
	for i := range max(len(a), len(b)) {
		was, is = "(nothing)", "(nothing)"
		if i < len(a) {
			was = a[i]
		}
		if i < len(b) {
			is = b[i]
		}
		if was != is {
			return around(was, is)
		}
	}
	return summary(before), summary(now)
}

// around cuts long lines to the place where they begin to differ.
func around(was, is string) (string, string) {
	a, b := []rune(was), []rune(is)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	cut := func(r []rune) string {
		from, to := max(0, same-40), min(len(r), same+60)
		if from >= to {
			return "(end of line)"
		}
		return strings.TrimSpace(string(r[from:to]))
	}
	return cut(a), cut(b)
}

func flatten(output map[string]any) []string {
	var all []string
	add := func(label string, value any) {
		s := text(value)
		if s == "" && value != nil {
			encoded, _ := json.Marshal(value)
			s = string(encoded)
		}
		for line := range strings.Lines(s) {
			all = append(all, label+strings.TrimRight(line, "\n"))
		}
	}
	if data, isObject := output["data"].(map[string]any); isObject {
		for _, mime := range []string{"text/plain", "text/html", "text/markdown", "image/svg+xml"} {
			if value, found := data[mime]; found {
				add(mime+": ", value)
			}
		}
	}
	for _, key := range []string{"output_type", "name", "text", "ename", "evalue", "traceback"} {
		if value, found := output[key]; found {
			add("", value)
		}
	}
	return all
}

func summary(output map[string]any) string {
	all := flatten(output)
	if len(all) == 0 {
		return fmt.Sprint(output["output_type"])
	}
	was, _ := around(all[0], "")
	return was
}
