package plotting

import "github.com/prlab/prlab/plotting/internal/scene"

// registry gives each name in a picture one place in the palette, in the order in which the names turn up.
type registry struct {
	slots map[string]int
	order []string
}

func (r *registry) slot(name string) int {
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

// classSlots is the number of colours; the symbols shift by one when the colours start anew, so that 64 classes differ.
const classSlots = 8

func slotPaint(slot int) scene.Paint {
	return scene.Paint{Token: scene.TokenClass, Slot: slot % classSlots}
}

func slotSymbol(slot int) scene.Symbol {
	order := []scene.Symbol{scene.Circle, scene.Triangle, scene.Square, scene.Diamond, scene.Down, scene.Star, scene.Cross, scene.Plus}
	return order[(slot+slot/classSlots)%len(order)]
}

// outline is the edge of a filled symbol or area in a class's colour: light against the strong colours, dark where the colour alone
// hardly stands out from white paper.
func outline(slot int) scene.Paint {
	switch slot % classSlots {
	case 4, 5:
		return scene.Paint{Token: scene.TokenForeground, Opacity: 0.55}
	}
	return scene.Paint{Token: scene.TokenBackground}
}
