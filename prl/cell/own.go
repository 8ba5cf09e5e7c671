package cell

import (
	"fmt"
	"math"
	"os"
	"strings"
	"sync"

	"github.com/prlab/prlab/prl/internal/seal"
)

// Own draws numbers for each student: they belong to the student's name and to the exercise, are the same at each run and on each machine,
// and are another's numbers under another's name. Their exercise needs a Solution that is Withheld: there are as many answers as students.
//
//	var n = prl.Own("26-3").Whole("n", 5, 20)
type Own struct{ id string }

// owned notes the exercises with own numbers in this program.
var owned struct {
	sync.Mutex
	ids map[string]bool
}

// NewOwn names the exercise whose numbers these are.
func NewOwn(id string) Own {
	owned.Lock()
	defer owned.Unlock()
	if owned.ids == nil {
		owned.ids = map[string]bool{}
	}
	owned.ids[strings.TrimSpace(id)] = true
	return Own{strings.TrimSpace(id)}
}

// example is the name on a page that belongs to nobody.
const example = "an example"

// ownName is whose numbers are drawn. A notebook that is executed for a page or a test is nobody's.
func ownName() string {
	name := os.Getenv("PRL_STUDENT")
	if name == "" {
		name = os.Getenv("JUPYTERHUB_USER")
	}
	if name == "" && os.Getenv("PRL_HEADLESS") == "" {
		name = student()
	}
	if name == "" {
		return example
	}
	return name
}

func ownOf(id string) (name string, own bool) {
	owned.Lock()
	defer owned.Unlock()
	return ownName(), owned.ids[id]
}

// Whole draws a whole number from low to high, both of which it may be, under the name of the quantity.
func (o Own) Whole(name string, low, high int) int {
	if high < low {
		Fail(fmt.Errorf("Own(%q).Whole(%q, %d, %d): the numbers need to rise", o.id, name, low, high))
		return low
	}
	return low + seal.Draw("prl own", ownName(), o.id, name).IntN(high-low+1)
}

// Number draws one of low, low + step, ..., up to high.
func (o Own) Number(name string, low, high, step float64) float64 {
	if !(high >= low) || !(step > 0) || (high-low)/step > 1e9 {
		Fail(fmt.Errorf("Own(%q).Number(%q, %g, %g, %g): the numbers need to rise, by a step above 0", o.id, name, low, high, step))
		return low
	}
	places := int(math.Floor((high-low)/step*(1+1e-12))) + 1
	at := seal.Draw("prl own", ownName(), o.id, name).IntN(places)
	return math.Round((low+float64(at)*step)*1e9) / 1e9
}
