package plotting

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

func slotPaint(slot int) paint {
	return paint{Token: tokenClass, Slot: slot % classSlots}
}

func slotSymbol(slot int) symbol {
	order := []symbol{symbolCircle, symbolTriangle, symbolSquare, symbolDiamond, symbolDown, symbolStar, symbolCross, symbolPlus}
	return order[(slot+slot/classSlots)%len(order)]
}

// outline is the edge of a filled symbol or area in a class's colour: light against the strong colours, dark where the colour alone
// hardly stands out from white paper.
func outline(slot int) paint {
	switch slot % classSlots {
	case 4, 5:
		return paint{Token: tokenForeground, Opacity: 0.55}
	}
	return paint{Token: tokenBackground}
}
