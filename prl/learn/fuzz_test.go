package learn

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prlab/prlab/prl/fuzztest"
)

// FuzzDomain makes an instance space of strange names. Its instances keep their numbers on the way through words and back.
func FuzzDomain(f *testing.F) {
	f.Fuzz(func(t *testing.T, first, second, instance string, labels uint64) {
		a, b := strings.Split(first, ","), strings.Split(second, ",")
		var d Domain
		var err error
		fuzztest.Bounded(t, len(first)+len(second)+24*(len(a)+len(b)), fuzztest.Allowance, func() {
			d, err = NewDomain(Attribute{Name: first, Values: a}, Attribute{Name: second, Values: b})
		})
		if err != nil || d.Size() > 200 {
			return
		}
		d.Instance(strings.Split(instance, ",")...)
		d.Pattern(strings.Split(instance, ",")...)
		var instances []int
		var says []bool
		for x := range d.Size() {
			v := d.Values(x)
			back, err := d.Instance(a[v[0]], b[v[1]])
			if err != nil {
				t.Fatal(err)
			}
			if back != x {
				t.Fatalf("instance %d is called %q and found as %d", x, d.Describe(x), back)
			}
			if utf8.ValidString(first) && utf8.ValidString(second) && !utf8.ValidString(d.Describe(x)) {
				t.Fatalf("%q is not UTF-8", d.Describe(x))
			}
			instances, says = append(instances, x), append(says, labels>>(x%64)&1 == 1)
		}
		learned, steps, err := d.Eliminate(instances, says)
		if err != nil {
			return // no conjunction says so
		}
		for i, x := range instances {
			if says[i] && !d.Covers(learned, x) {
				t.Errorf("%s does not cover %s", d.Name(learned), d.Describe(x))
			}
		}
		for _, c := range steps {
			d.Name(c)
		}
	})
}

// FuzzBinomial asks for tails and intervals of any numbers: probabilities between 0 and 1 that add up, logarithms of the same, ends in
// order.
func FuzzBinomial(f *testing.F) {
	f.Add(int64(30000), int64(100000), 0.3, 0.1)
	f.Add(int64(1)<<49, int64(1)<<50, 0.5, 1e-9)
	f.Add(int64(999), int64(1000), 1-1e-12, 1-1e-12)
	f.Fuzz(func(t *testing.T, count, trials int64, p, confidence float64) {
		k, n := int(count), int(trials)
		upper, err := UpperTail(k, n, p)
		if err != nil {
			return
		}
		lower, at := ok(LowerTail(k, n, p)), ok(PMF(k, n, p))
		for what, v := range map[string]float64{
			"upper": upper, "lower": lower, "at": at,
			"deviation": ok(DeviationTail(n, p, math.Abs(confidence), true)),
		} {
			if !(v >= 0 && v <= 1) {
				t.Errorf("%s of k %d, n %d, p %v is %v", what, k, n, p, v)
			}
		}
		if sum := upper + lower - at; math.Abs(sum-1) > 1e-12 {
			t.Errorf("k %d, n %d, p %v: the tails %v and %v and P(X = k) = %v make %v", k, n, p, upper, lower, at, sum)
		}
		// The logarithm of a tail knows it to the same digits, or to 1e-15 of itself where that is more.
		for what, v := range map[string][2]float64{
			"upper": {ok(LogUpperTail(k, n, p)), upper},
			"lower": {ok(LogLowerTail(k, n, p)), lower},
		} {
			if v[1] > 1e-300 && math.Abs(v[0]-math.Log(v[1])) > 1e-12 {
				t.Errorf("k %d, n %d, p %v: the logarithm of the %s tail is %v, the tail %v", k, n, p, what, v[0], v[1])
			}
		}
		if lo, hi, err := ClopperPearson(k, n, confidence); err == nil && !(lo >= 0 && lo <= hi && hi <= 1) {
			t.Errorf("%d of %d at %v: [%v, %v]", k, n, confidence, lo, hi)
		}
	})
}
