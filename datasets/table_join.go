package datasets

import (
	"fmt"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// Join adds the columns of another table to the rows that have the same values in the key columns, which both tables have. A row without a
// partner is left out, a row with several partners appears with each; the source says how many. Gaps have no partner.
func (t Table) Join(other Table, keys ...string) Table { return t.join("Join", other, false, keys) }

// LeftJoin is Join but keeps the rows without a partner, with gaps in the added columns.
func (t Table) LeftJoin(other Table, keys ...string) Table {
	return t.join("LeftJoin", other, true, keys)
}

func (t Table) join(step string, other Table, all bool, keys []string) Table {
	t, ok := t.ready(step, append([]any{other.label()}, fault.Args(keys)...)...)
	if !ok {
		return t
	}
	other, ok = other.ready(step)
	if !ok {
		return t.fail(other.Err())
	}
	if len(keys) == 0 {
		return t.fail(fault.Argument(step, "the keys", "none", "at least one column that both tables have", "Join(other, \"id\")"))
	}
	mine, err := t.finds(keys)
	if err != nil {
		return t.fail(err)
	}
	theirs, err := other.finds(keys)
	if err != nil {
		return t.fail(fmt.Errorf("in %s %w", other.label(), err))
	}
	for k := range keys {
		if a, b := t.columns[mine[k]], other.columns[theirs[k]]; a.kind != b.kind {
			return t.fail(
				fmt.Errorf(
					"the key %q holds %v here and %v in %s; .AsWords(%q) makes words of numbers",
					a.name,
					a.kind,
					b.kind,
					other.label(),
					a.name,
				),
			)
		}
	}
	here, there, combinations := match(t, mine, other, theirs)
	partners, used := make([][]int, combinations), make([]bool, combinations)
	for i, key := range there {
		if key >= 0 {
			partners[key] = append(partners[key], i)
		}
	}
	var left, right []int
	alone, several := 0, 0
	for i, key := range here {
		var found []int
		if key >= 0 {
			found, used[key] = partners[key], true
		}
		switch {
		case len(found) == 0:
			alone++
			if all {
				left, right = append(left, i), append(right, -1)
			}
		case len(found) > 1:
			several++
		}
		for _, p := range found {
			left, right = append(left, i), append(right, p)
		}
	}
	unused := 0
	for key, rows := range partners {
		if !used[key] {
			unused += len(rows)
		}
	}
	if len(left) == 0 {
		return t.fail(fmt.Errorf("no row of the two tables has the same %s", list(keys)))
	}
	before := t.rows
	t = t.take(left)
	names := newNamer(t.names()...)
	for j, c := range other.columns {
		if slices.Contains(theirs, j) {
			continue
		}
		c = c.take(right).tight()
		c.name = names.free(c.name)
		t.columns = append(t.columns, c)
	}
	what := fmt.Sprintf("joined to %s by %s: %d of %d rows have no partner", other.label(), list(keys), alone, before)
	if all {
		what += " and have gaps"
	} else {
		what += " and are left out"
	}
	if several > 0 {
		what += fmt.Sprintf(", %d have several, which makes %d rows", several, t.rows)
	}
	if unused > 0 {
		what += fmt.Sprintf(", %d rows of %s are not used", unused, other.label())
	}
	return t.said(what)
}

// match numbers the combinations of values that the rows of two tables have in columns, the same in both, and returns the number of each
// row, -1 where there is a gap, and how many combinations there are.
func match(t Table, mine []int, other Table, theirs []int) (a, b []int, n int) {
	a, b = make([]int, t.rows), make([]int, other.rows)
	for k := range mine {
		words, numbers, pairs := map[string]int{}, map[float64]int{}, map[[2]int]int{}
		for _, side := range []struct {
			column
			ids []int
		}{{t.columns[mine[k]], a}, {other.columns[theirs[k]], b}} {
			place := make([]int, len(side.words))
			for w, word := range side.words {
				place[w] = ordinal(words, word)
			}
			for i, id := range side.ids {
				switch {
				case id < 0:
				case side.gap(i):
					side.ids[i] = -1
				case side.kind == Nominal:
					side.ids[i] = ordinal(pairs, [2]int{id, place[side.codes[i]]})
				default:
					side.ids[i] = ordinal(pairs, [2]int{id, ordinal(numbers, side.numbers[i])})
				}
			}
		}
		n = len(pairs)
	}
	return a, b, n
}

// ordinal is the place of a key among those seen, in the order in which they come.
func ordinal[K comparable](seen map[K]int, key K) int {
	at, found := seen[key]
	if !found {
		at = len(seen)
		seen[key] = at
	}
	return at
}
