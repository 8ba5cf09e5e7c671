package plotting

import "github.com/prlab/prlab/plotting/internal/scene"

// registry gives each name in a picture one place in the palette, in the order in which the names turn up. A layer without a name takes a
// place as if it had one; in a picture of several panels only after all names, and the first that its own panel leaves free, so that a name
// has the colour it would have without its neighbours.
type registry struct {
	slots   map[string]int
	order   []string
	panel   int                  // the panel that is surveyed
	used    map[int]map[int]bool // places used, by panel
	waiting [][2]int             // panel and layer of those without a name
	unnamed map[[2]int]int       // their places
}

// settle gives places to the layers without a name.
func (r *registry) settle() {
	r.unnamed = make(map[[2]int]int)
	for _, w := range r.waiting {
		if _, ok := r.unnamed[w]; ok {
			continue
		}
		s := 0
		for r.used[w[0]][s] {
			s++
		}
		r.use(w[0], s)
		r.unnamed[w] = s
	}
}

// use notes that a panel uses a place.
func (r *registry) use(panel, slot int) {
	if r.used == nil {
		r.used = make(map[int]map[int]bool)
	}
	if r.used[panel] == nil {
		r.used[panel] = make(map[int]bool)
	}
	r.used[panel][slot] = true
}

// slot returns the place of a name.
func (r *registry) slot(name string) int {
	s := r.named(name)
	r.use(r.panel, s)
	return s
}

func (r *registry) named(name string) int {
	if s, ok := r.slots[name]; ok {
		return s
	}
	if r.slots == nil {
		r.slots = make(map[string]int)
	}
	s := len(r.order)
	r.slots[name] = s
	r.order = append(r.order, name)
	return s
}

// classSlots is the number of colours; the symbols shift by one after every eight, so that 64 classes differ.
const classSlots = 16

func slotPaint(slot int) scene.Paint {
	return scene.Paint{Token: scene.TokenClass, Slot: slot % classSlots}
}

func slotSymbol(slot int) scene.Symbol {
	order := []scene.Symbol{scene.Circle, scene.Triangle, scene.Square, scene.Diamond, scene.Down, scene.Star, scene.Cross, scene.Plus}
	return order[(slot+slot/len(order))%len(order)]
}

// outline is the edge of a filled symbol or area in a class's colour: light against the strong colours, dark where the colour alone
// hardly stands out from white paper.
func outline(slot int) scene.Paint {
	switch slot % classSlots {
	case 4, 5, 12, 14, 15:
		return scene.Paint{Token: scene.TokenForeground, Opacity: 0.55}
	}
	return scene.Paint{Token: scene.TokenBackground}
}
