package learn

import (
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
