package assess

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// A Split names the rows to train on and the rows to test on, both in rising order.
type Split struct{ Train, Test []int }

// KFold deals n rows at random to k parts whose sizes differ by at most one. Split i tests on part i and trains on the others, so that
// every row is tested once. The seed decides the order.
//
// Errors: k below 2 or above n.
func KFold(n, k int, seed uint64) ([]Split, error) {
	if err := checkFolds("assess.KFold", k, n, "rows"); err != nil {
		return nil, err
	}
	part := make([]int, n)
	for i, r := range generator(seed).Perm(n) {
		part[r] = i % k
	}
	return splits(part, k), nil
}

// StratifiedKFold is KFold in which each part has its share of each class, as near as whole rows allow: a class of m rows gives m/k rows to
// a part, rounded down or up. y holds the class of each row. A class with fewer than k rows is absent from some parts.
//
// Errors: k below 2 or above the number of rows; negative classes.
func StratifiedKFold(y []int, k int, seed uint64) ([]Split, error) {
	const name = "assess.StratifiedKFold"
	if err := checkFolds(name, k, len(y), "rows"); err != nil {
		return nil, err
	}
	classes := map[int][]int{}
	for i, c := range y {
		if c < 0 {
			return nil, fault.Argument(name, fmt.Sprintf("y[%d]", i), c, "a class 0 ... K-1", "")
		}
		classes[c] = append(classes[c], i)
	}
	random := generator(seed)
	part, next := make([]int, len(y)), 0
	for _, c := range sorted(classes) { // each class goes on dealing where the one before it ended, which keeps the parts even
		rows := classes[c]
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, r := range rows {
			part[r], next = next, (next+1)%k
		}
	}
	return splits(part, k), nil
}

// GroupKFold deals whole groups of rows, such as all pictures of one person, to k parts, the largest group first to the part with the
// fewest rows: no group is trained and tested on. groups holds the group of each row; the seed decides between groups of one size.
//
// Errors: k below 2 or above the number of groups.
func GroupKFold(groups []int, k int, seed uint64) ([]Split, error) {
	members := map[int][]int{}
	for i, g := range groups {
		members[g] = append(members[g], i)
	}
	if err := checkFolds("assess.GroupKFold", k, len(members), "groups"); err != nil {
		return nil, err
	}
	order := sorted(members)
	random := generator(seed)
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	slices.SortStableFunc(order, func(a, b int) int { return len(members[b]) - len(members[a]) })
	part, size := make([]int, len(groups)), make([]int, k)
	for _, g := range order {
		least := 0
		for p, s := range size {
			if s < size[least] {
				least = p
			}
		}
		for _, r := range members[g] {
			part[r] = least
		}
		size[least] += len(members[g])
	}
	return splits(part, k), nil
}

// LeaveOneOut tests on each of n rows with a training on all others. Errors: fewer than 2 rows.
func LeaveOneOut(n int) ([]Split, error) {
	if err := checkFolds("assess.LeaveOneOut", n, n, "rows"); err != nil {
		return nil, err
	}
	part := make([]int, n)
	for i := range part {
		part[i] = i
	}
	return splits(part, n), nil
}

// TimeSeries cuts n rows, which stand in the order of time, into k+1 blocks and tests on each block but the first with a training on all
// blocks before it, so that nothing is predicted from its future.
//
// Errors: k below 1 or not below n.
func TimeSeries(n, k int) ([]Split, error) {
	if k < 1 || k >= n {
		return nil, fault.Argument(
			"assess.TimeSeries",
			"k",
			k,
			fmt.Sprintf("a number of blocks from 1 to %d, one less than rows", max(1, n-1)),
			"",
		)
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	out := make([]Split, k)
	for i := range out {
		from, to := (i+1)*n/(k+1), (i+2)*n/(k+1)
		out[i] = Split{all[:from:from], all[from:to:to]}
	}
	return out, nil
}

// Repeated joins the splits of several deals, each with a seed of its own that follows from seed.
func Repeated(times int, seed uint64, deal func(seed uint64) ([]Split, error)) ([]Split, error) {
	if times < 1 {
		return nil, fault.Argument("assess.Repeated", "times", times, "a number of at least 1", "")
	}
	var out []Split
	for i := range times {
		s, err := deal(seed + uint64(i)*0x9e3779b97f4a7c15)
		if err != nil {
			return nil, err
		}
		out = append(out, s...)
	}
	return out, nil
}

func splits(part []int, k int) []Split {
	out := make([]Split, k)
	size := make([]int, k)
	for _, p := range part {
		size[p]++
	}
	for i := range out {
		out[i] = Split{make([]int, 0, len(part)-size[i]), make([]int, 0, size[i])}
		for r, p := range part {
			if p == i {
				out[i].Test = append(out[i].Test, r)
			} else {
				out[i].Train = append(out[i].Train, r)
			}
		}
	}
	return out
}

func checkFolds(function string, k, n int, things string) error {
	if k < 2 || k > n {
		return fault.Argument(function, "k", k, fmt.Sprintf("a number of parts from 2 to the %d %s", n, things), "")
	}
	return nil
}

func generator(seed uint64) *rand.Rand { return rand.New(source(seed)) }

func source(seed uint64) *rand.PCG { return rand.NewPCG(seed, 0xa55e55) }

func sorted[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
