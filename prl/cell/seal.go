package cell

import (
	"os"
	"path/filepath"
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

// sealsFile is the file in which the lab's kernel gives a cell the seals of its notebook, so that an answer is judged before the cell of
// the seals has run.
const sealsFile = "seals"

// given reads the seals that the kernel gives. Lines that are no seals, as a cell has them round its own, are passed over.
func given() map[string]seal.Seal {
	known := map[string]seal.Seal{}
	folder := os.Getenv("PRL_CELL")
	if folder == "" {
		return known
	}
	text, err := os.ReadFile(filepath.Join(folder, sealsFile))
	if err != nil {
		return known // the notebook has none, or is not known
	}
	for l := range strings.Lines(string(text)) {
		if s, err := seal.Parse(l); err == nil {
			known[s.ID] = s
		}
	}
	return known
}

func sealOf(id string) (seal.Seal, bool) {
	seals.Lock()
	defer seals.Unlock()
	if seals.byID == nil {
		seals.byID = given()
	}
	s, ok := seals.byID[id]
	return s, ok
}
