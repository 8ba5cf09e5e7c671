package plotting

import "github.com/prlab/prlab/plotting/internal/scene"

// style is what layers without classes of their own have in common: it chooses their colour, and their entry of the legend. Layers embed
// it.
type style struct {
	name, class   string
	accent, muted bool
}

// claim reserves in the survey the place in the palette that stroke will ask for.
func (l style) claim(v *survey) {
	switch {
	case l.accent || l.muted:
	case l.class != "":
		v.pic.slot(l.class)
	case l.name != "":
		v.pic.slot(l.name)
	default:
		if v.pic.several {
			v.pic.waiting = append(v.pic.waiting, [2]int{v.pic.panel, v.layer})
		} else {
			v.pic.slot(bareName(v.layer))
		}
	}
}

// bareName is the place of an unnamed layer; as no text can hold a zero byte it meets no name.
func bareName(layer int) string { return "\x00" + string(rune('0'+layer)) }

// key is the legend entry that shows and hides the layer.
func (l style) key() string {
	if l.name != "" {
		return l.name
	}
	return l.class
}

// slot returns the place in the palette, or -1 for the accent and the muted colour.
func (l style) slot(d *panelDrawing) int {
	switch {
	case l.accent || l.muted:
		return -1
	case l.class != "":
		return d.picture.slot(l.class)
	case l.name != "":
		return d.picture.slot(l.name)
	}
	if s, ok := d.unnamed[[2]int{d.panel, d.layer}]; ok {
		return s
	}
	return d.picture.slot(bareName(d.layer))
}

// colour returns the paint of the layer.
func (l style) colour(d *panelDrawing) scene.Paint {
	switch {
	case l.accent:
		return scene.Paint{Token: scene.TokenAccent}
	case l.muted:
		return scene.Paint{Token: scene.TokenMuted}
	}
	return slotPaint(l.slot(d))
}

// plain is colour for layers that are dark lines unless something else is asked for, such as rules.
func (l style) plain(d *panelDrawing) scene.Paint {
	if !l.accent && !l.muted && l.class == "" {
		return scene.Paint{Token: scene.TokenForeground}
	}
	return l.colour(d)
}

func opacity(p scene.Paint, o float64) scene.Paint { p.Opacity = o; return p }

func orPx(v, standard float64) float64 {
	if v > 0 {
		return v
	}
	return standard
}

// dashes are the line patterns.
var (
	dashed = []float64{6, 4}
	dotted = []float64{1.5, 3.5}
)

func pattern(dash, dot bool) []float64 {
	switch {
	case dash:
		return dashed
	case dot:
		return dotted
	}
	return nil
}
