package cell

import (
	"strings"
	"sync"

	"github.com/prlab/prlab/prl/internal/seal"
)

// seals are those of the notebook, by the id of the exercise.
var seals struct {
	sync.Mutex
	byID map[string]seal.Seal
	err  error
}

// Seals makes the seals of a notebook known, one line an exercise. The verb seal of the command writes them; a notebook has one cell
//
//	var _ = prl.Seals(`...`)
func Seals(lines string) int {
	seals.Lock()
	defer seals.Unlock()
	seals.byID = map[string]seal.Seal{}
	for l := range strings.Lines(lines) {
		if strings.TrimSpace(l) == "" {
			continue
		}
		s, err := seal.Parse(l)
		if err != nil {
			seals.err = err
			continue
		}
		seals.byID[s.ID] = s
	}
	return len(seals.byID)
}

func sealOf(id string) (seal.Seal, bool) {
	seals.Lock()
	defer seals.Unlock()
	s, ok := seals.byID[id]
	return s, ok
}
