package collect

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

var signs = map[Outcome]string{Solved: "✓", Wrong: "✗", Open: "○", Fails: "!", Missing: "?"}

// Legend explains the signs of a table.
const Legend = "✓ solved   ✗ wrong   ○ open   ! its cell fails   ? its cell shows nothing   – not handed in"

// Table shows, for each chapter, who has solved what. Of the students of the roster those are listed too who have handed in nothing.
func Table(results []*Result, roster []string) string {
	var b strings.Builder
	for _, ch := range chaptersOf(results) {
		fmt.Fprintf(&b, "%s\n", ch.Name)
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprint(w, "student")
		for _, id := range ch.Exercises {
			_, short, _ := strings.Cut(id, "-")
			fmt.Fprint(w, "\t"+short)
		}
		fmt.Fprint(w, "\tsolved\n")
		byStudent := map[string]*Result{}
		students := slices.Clone(roster)
		for _, r := range results {
			if r.Chapter == ch {
				byStudent[r.Student] = r
				students = append(students, r.Student)
			}
		}
		slices.Sort(students)
		for _, student := range slices.Compact(students) {
			fmt.Fprint(w, student)
			r := byStudent[student]
			for _, id := range ch.Exercises {
				if r == nil {
					fmt.Fprint(w, "\t–")
					continue
				}
				sign := signs[r.Marks[id].Outcome]
				if len(r.Marks[id].Notes) > 0 {
					sign += "*"
				}
				fmt.Fprint(w, "\t"+sign)
			}
			if r == nil {
				fmt.Fprint(w, "\t–\n")
			} else {
				fmt.Fprintf(w, "\t%d of %d\n", r.Solved(), len(ch.Exercises))
			}
		}
		w.Flush()
		for _, r := range results {
			if r.Chapter != ch {
				continue
			}
			if r.Note != "" {
				fmt.Fprintf(&b, "* %s: %s\n", r.Student, r.Note)
			}
			for _, id := range ch.Exercises {
				for _, note := range r.Marks[id].Notes {
					fmt.Fprintf(&b, "* %s, %s: %s\n", r.Student, id, note)
				}
			}
		}
		b.WriteString("\n")
	}
	return b.String() + Legend + "\n"
}

func chaptersOf(results []*Result) (all []*Chapter) {
	for _, r := range results {
		if !slices.Contains(all, r.Chapter) {
			all = append(all, r.Chapter)
		}
	}
	slices.SortFunc(all, func(a, b *Chapter) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// CSV is the table for a spreadsheet or a learning platform, one line for each exercise of each hand-in, and of those who handed in
// nothing.
func CSV(results []*Result, roster []string) (string, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write([]string{"student", "chapter", "exercise", "outcome", "score", "code", "note"})
	for _, ch := range chaptersOf(results) {
		absent := map[string]bool{}
		for _, student := range roster {
			absent[student] = true
		}
		for _, r := range results {
			if r.Chapter != ch {
				continue
			}
			delete(absent, r.Student)
			for _, id := range ch.Exercises {
				m := r.Marks[id]
				notes := m.Notes
				if r.Note != "" {
					notes = append(slices.Clone(notes), r.Note)
				}
				score := "0"
				if m.Outcome == Solved {
					score = "1"
				}
				w.Write([]string{inert(r.Student), ch.Name, id, string(m.Outcome), score, m.Code, inert(strings.Join(notes, "; "))})
			}
		}
		for _, student := range roster {
			if absent[student] {
				for _, id := range ch.Exercises {
					w.Write([]string{inert(student), ch.Name, id, "not handed in", "0", "", ""})
				}
			}
		}
	}
	w.Flush()
	return b.String(), w.Error()
}

// inert keeps a spreadsheet from taking text of somebody else for a formula.
func inert(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
