package mutate

import (
	"fmt"
	"path/filepath"
	"strings"
)

// String is the report as a person reads it: the checks that are no proof and the mistakes that survive, by cell, and lines that count.
func (r *Report) String() string {
	var out strings.Builder
	name := strings.TrimSuffix(filepath.Base(r.Notebook), ".ipynb")
	for _, verdict := range []string{Red, Survives, Arithmetic} {
		for _, c := range r.Checks {
			if c.Verdict != verdict {
				continue
			}
			place(&out, c, c.Verdict, c.Why)
		}
	}
	for _, c := range r.Checks {
		if c.Thin() {
			place(&out, c, "thin", fmt.Sprintf("red under %d of %d mistakes, such as %s", c.Red, c.Tried, c.Killer))
		}
	}
	for _, e := range r.Errors {
		if e.By == "" {
			fmt.Fprintf(&out, "%-10s %s:%d  %s\n", e.Kind, e.Cell, e.Line, e.Change)
		}
	}
	fmt.Fprintf(&out, "%s: %d checks, of which %d can fail, %d survive, %d are red as they are, %d are arithmetic and %d remarks; ",
		name, len(r.Checks), r.Count(Proof), r.Count(Survives), r.Count(Red), r.Count(Arithmetic), r.Count(Remark))
	fmt.Fprintf(&out, "%d mistakes, %d runs, %s\n", r.Mutants, r.Runs, r.Took.Round(1e8))
	fmt.Fprintf(&out, "%s: survivors:", name)
	for i, kind := range Kinds {
		survive, all := r.Survivors(kind)
		fmt.Fprintf(&out, "%s %s %d of %d", []string{"", ","}[min(i, 1)], kind, survive, all)
	}
	out.WriteString("\n")
	return out.String()
}

func place(out *strings.Builder, c *Check, verdict, why string) {
	item := ""
	if c.Item != "" {
		item = c.Item + " "
	}
	fmt.Fprintf(out, "%-10s %s:%d  %s%s\n           %s\n", verdict, c.Cell, c.Line, item, c.Claim, why)
}
