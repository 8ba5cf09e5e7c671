package plotting

// A Layer is one kind of mark over the axes of a figure: Points, Line, Regions, ... Layers are values; their methods return changed
// copies. The interface is closed: what a layer needs from the picture is decided in one place for all of them.
type Layer interface {
	check() error        // wrong arguments, reported when the layer joins a figure
	survey(*survey)      // what the layer asks of its panel: domain, names, categories
	lower(*panelDrawing) // the marks, once the domain is known
}
